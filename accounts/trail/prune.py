"""Removing events past their time, so that what is left can still be verified."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from accounts.audit import acting, record
from accounts.trail.actions import Action
from accounts.trail.chain import LOCK, LOCK_SQL, head, seal_waiting
from accounts.trail.ids import first_id_at
from accounts.trail.models import AuditEvent

ALLOW_SQL = "/* audit_allow_prune */ SELECT set_config('footnote.audit_prune', 'on', true)"
FORBID_SQL = "/* audit_forbid_prune */ SELECT set_config('footnote.audit_prune', '', true)"


def prune_old() -> int:
    """By FOOTNOTE_AUDIT_DAYS; scheduled once a day. Returns how many events are gone."""
    if not settings.AUDIT_DAYS:
        return 0
    return prune(timezone.now() - timedelta(days=settings.AUDIT_DAYS))


def prune(before: datetime) -> int:
    """Remove the beginning of the chain, up to the last event before the first younger one.

    An event with the last removed position and its seal takes their place: the chain is
    verified from there on.
    """
    seal_waiting()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK_SQL, {"lock": LOCK})
        chained = AuditEvent.objects.filter(position__isnull=False)
        younger = chained.filter(id__gte=first_id_at(before)).order_by("position").first()
        # The newest one always stays: the next event is sealed to it.
        end = younger.position if younger else head().position
        old = chained.filter(position__lt=end)
        last = old.order_by("-position").first()
        if last is None:
            return 0
        detail = {"through": last.position, "seal": bytes(last.seal or b"").hex()}
        cursor.execute(ALLOW_SQL)
        count: int = old.delete()[0]
        cursor.execute(FORBID_SQL)
        record(
            Action.AUDIT_PRUNED,
            actor=acting(),
            subject=str(count),
            detail={**detail, "events": count, "before": before.isoformat()},
        )
    seal_waiting()
    return count
