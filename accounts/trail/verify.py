"""Walking the chain from its first event to its last, and naming the first that does not fit."""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.trail.actions import Action
from accounts.trail.chain import START, Head, keys, mac_of, seal_of
from accounts.trail.models import AuditEvent

BATCH = 2000


@dataclass(frozen=True)
class Checked:
    sealed: int
    waiting: int  # written and not yet in the chain; their own signatures are right
    head: Head


class Broken(Exception):
    """The trail was changed; the message says where and how."""


def verify(expected: Head | None = None) -> Checked:
    """Raises Broken at the first event that does not fit.

    `expected` is a head that was kept elsewhere: without one, a chain whose end was cut off
    looks like one that had not grown further.
    """
    known = keys()
    before, sealed, waiting = None, 0, 0
    kept = expected is None or expected.position == 0
    for event in _in_order():
        _check_signature(event, known)
        if event.position is None:
            waiting += 1
            continue
        before = before or _start(event, known)
        _check_place(event, before, known)
        before = Head(event.position, bytes(event.seal or b""))
        sealed += 1
        if expected is not None and expected.position == before.position:
            _check_expected(before, expected)
            kept = True
    end = before or Head(0, START)
    if expected is not None and not kept:
        _missing_end(end, expected)
    return Checked(sealed, waiting, end)


def _in_order() -> Iterator[AuditEvent]:
    """The chain, then what waits. Nothing is held but a batch."""
    columns = AuditEvent.objects.defer("words")
    chained = columns.filter(position__isnull=False).order_by("position")
    yield from chained.iterator(chunk_size=BATCH)
    yield from columns.filter(position__isnull=True).order_by("id").iterator(chunk_size=BATCH)


def _check_signature(event: AuditEvent, known: dict[str, bytes]) -> None:
    key = known.get(event.key_id)
    if key is None:
        raise Broken(
            _("%(event)s was signed with key %(key)s, which FOOTNOTE_AUDIT_KEYS does not hold.")
            % {"event": _told(event), "key": event.key_id}
        )
    if not hmac.compare_digest(mac_of(event, key), bytes(event.mac)):
        raise Broken(
            _("%(event)s was edited, or was not written by Footnote.") % {"event": _told(event)}
        )


def _check_place(event: AuditEvent, before: Head, known: dict[str, bytes]) -> None:
    position = event.position or 0
    if position > before.position + 1:
        raise Broken(
            _("Events %(first)d to %(last)d were removed: %(event)s follows directly.")
            % {"first": before.position + 1, "last": position - 1, "event": _told(event)}
        )
    if position <= before.position:
        raise Broken(_("%(event)s was inserted: its place is taken.") % {"event": _told(event)})
    seal = seal_of(before.seal, position, bytes(event.mac), known[event.key_id])
    if not hmac.compare_digest(seal, bytes(event.seal or b"")):
        raise Broken(
            _("%(event)s stands in a place that is not its own: it was moved or inserted.")
            % {"event": _told(event)}
        )


def _start(first: AuditEvent, known: dict[str, bytes]) -> Head:
    """What comes before the first event: nothing, or the end of what was pruned.

    The event that tells of the pruning is in the chain like any other, so it has been signed
    with the key; whoever removes the beginning by hand cannot write one.
    """
    if first.position == 1:
        return Head(0, START)
    pruned = AuditEvent.objects.filter(action=Action.AUDIT_PRUNED, detail__through__isnull=False)
    for event in pruned.defer("words").order_by("-id"):
        _check_signature(event, known)
        if event.detail["through"] + 1 == first.position:
            return Head(event.detail["through"], bytes.fromhex(event.detail["seal"]))
    raise Broken(
        _("Events 1 to %(last)d were removed: no pruning tells of it.")
        % {"last": (first.position or 0) - 1}
    )


def _check_expected(found: Head, expected: Head) -> None:
    if not hmac.compare_digest(found.seal, expected.seal):
        raise Broken(
            _("Event %(position)d is not the one whose head was kept: the chain was rewritten.")
            % {"position": expected.position}
        )


def _missing_end(end: Head, expected: Head) -> None:
    if end.position < expected.position:
        raise Broken(
            _("Events %(first)d to %(last)d were cut off the end.")
            % {"first": end.position + 1, "last": expected.position}
        )
    raise Broken(
        _("Event %(position)d, whose head was kept, is older than what is left. Keep a newer head.")
        % {"position": expected.position}
    )


def _told(event: AuditEvent) -> str:
    if event.position is None:
        return _("Event %(id)s (waiting for its place)") % {"id": event.id}
    return _("Event %(position)d (%(id)s)") % {"position": event.position, "id": event.id}
