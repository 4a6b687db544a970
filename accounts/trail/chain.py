"""The chain: what is signed of an event, and how events are put in a row nobody can change.

An event is signed when it is written (`mac`). A sealer then gives it a place in the chain: a
position, and a seal over the seal before it. Sealing is apart from writing, so that requests
do not wait for each other; see docs/decisions/0015-audit-trail.md for the race that this
leaves and why it is bearable.
"""

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from accounts.trail.models import AuditEvent

# Any number will do, as long as nothing else locks it.
LOCK = 0x61756469
BATCH = 2000
START = bytes(32)  # the seal "before" the first event

LOCK_SQL = "/* audit_lock */ SELECT pg_advisory_xact_lock(%(lock)s)"
SEAL_SQL = """/* audit_seal */
UPDATE accounts_auditevent AS event SET position = sealed.position, seal = sealed.seal
FROM unnest(%(ids)s::uuid[], %(positions)s::bigint[], %(seals)s::bytea[])
    AS sealed (id, position, seal)
WHERE event.id = sealed.id AND event.position IS NULL
"""


@dataclass(frozen=True)
class Head:
    """The end of the chain. Kept elsewhere, it shows that the end was cut off or rewritten."""

    position: int
    seal: bytes

    def __str__(self) -> str:
        return f"{self.position}:{self.seal.hex()}"


def key_id(key: str) -> str:
    """Names a key without telling it."""
    return hashlib.sha256(b"footnote audit key " + key.encode()).hexdigest()[:8]


def keys() -> dict[str, bytes]:
    """By name; the first signs, the others still check. Apart from other uses of the secret."""
    return {
        key_id(key): hmac.digest(key.encode(), b"footnote audit trail", "sha256")
        for key in settings.AUDIT_KEYS
    }


def signing_key() -> tuple[str, bytes]:
    return next(iter(keys().items()))


def canonical(event: AuditEvent) -> bytes:
    """Everything an event says, as the same bytes whenever it is read."""
    said: dict[str, Any] = {
        "id": str(event.id),
        "created": event.created.isoformat(timespec="microseconds"),
        "action": event.action,
        "person": event.person_id,
        "person_name": event.person_name,
        "client": event.client,
        "repository": event.repository_id,
        "repository_slug": event.repository_slug,
        "subject": event.subject,
        "link": event.link,
        "detail": event.detail,
        "key": event.key_id,
    }
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def mac_of(event: AuditEvent, key: bytes) -> bytes:
    return hmac.digest(key, canonical(event), "sha256")


def seal_of(before: bytes, position: int, mac: bytes, key: bytes) -> bytes:
    return hmac.digest(key, before + position.to_bytes(8, "big") + mac, "sha256")


def head() -> Head:
    """The last sealed event, or the start of an empty chain."""
    last = AuditEvent.objects.filter(position__isnull=False).order_by("-position")
    row = last.values_list("position", "seal").first()
    return Head(row[0] or 0, bytes(row[1] or b"")) if row else Head(0, START)


def seal_waiting() -> int:
    """Put what is written and not yet sealed into the chain. Returns how many events."""
    sealed = 0
    while count := _seal_batch():
        sealed += count
    return sealed


def _seal_batch() -> int:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LOCK_SQL, {"lock": LOCK})
        waiting = AuditEvent.objects.filter(position__isnull=True).order_by("id")
        rows = list(waiting.values_list("id", "key_id", "mac")[:BATCH])
        if not rows:
            return 0
        end, known = head(), keys()
        before, seals = end.seal, []
        for position, (_, name, mac) in enumerate(rows, end.position + 1):
            # A key that is gone can no longer check the event either; verify_audit says so.
            before = seal_of(before, position, bytes(mac), known.get(name) or signing_key()[1])
            seals.append(before)
        with connection.cursor() as cursor:
            cursor.execute(
                SEAL_SQL,
                {
                    "ids": [row[0] for row in rows],
                    "positions": list(range(end.position + 1, end.position + 1 + len(rows))),
                    "seals": seals,
                },
            )
        return len(rows)
