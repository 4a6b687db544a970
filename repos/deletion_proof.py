"""A deletion that can be proven: a signed record, and a look at every table and at the disk."""

import base64
import json
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db.models import F
from django.utils import timezone

from repos import remains
from repos.importing import forget_disk
from repos.models import DeletionRecord

PURPOSE = b"footnote: deletion records, version 1"
FORMAT = 2
# What a look at this server cannot tell; part of what is signed.
NOT_PROVEN = (
    "backups and replicas of the database",
    "the write-ahead log and freed blocks of the disk",
    "what people took away, and what model providers kept",
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What a look found now. `rows` and `files` are what is left, `kept` what stays on purpose."""

    signed: bool  # the record is as it was signed
    by_us: bool  # with a key that this server has, as it is configured now
    finished: bool
    rows: dict[str, int]
    kept: dict[str, int]
    on_disk: bool
    tables: int  # that were looked at

    @property
    def holds(self) -> bool:
        fits = self.signed and self.by_us and self.finished
        return fits and not self.rows and not self.on_disk


def finish(record: DeletionRecord) -> None:
    """Remove the files, then sign; again after a crash in between."""
    on_disk = remains.files_of(record.repository_number)
    forget_disk(record.repository_number)
    changed = DeletionRecord.objects.filter(pk=record.pk, finished=None)
    changed.update(files=F("files") + on_disk.count, bytes=F("bytes") + on_disk.bytes)
    record.refresh_from_db()
    if record.finished or remains.is_on_disk(record.repository_number):
        return
    record.finished = timezone.now()
    private = _private_keys()[0]
    record.said = _said()
    record.public_key = _raw(private.public_key())
    record.signature = base64.b64encode(private.sign(canonical(record))).decode()
    record.save(update_fields=["finished", "said", "public_key", "signature"])


def _said() -> dict[str, Any]:
    """Kept with the record: a later version of Footnote may say something else."""
    return {"format": FORMAT, "kept": remains.KEPT, "not_proven": list(NOT_PROVEN)}


def statement(record: DeletionRecord) -> dict[str, Any]:
    """What is signed, for people and programs."""
    return {
        **(record.said or _said()),
        "record": str(record.pk),
        "removed": record.created.isoformat(),
        "finished": record.finished.isoformat() if record.finished else None,
        "by": record.person_name,
        "why": record.reason,
        "repository": {
            "number": record.repository_number,
            "slug": record.slug,
            "name": record.name,
            "source": record.source,
            "address": record.address,
            "snapshots": record.snapshots,
        },
        "rows": record.rows,
        "files": {"count": record.files, "bytes": record.bytes},
        "public_key": record.public_key,
    }


def canonical(record: DeletionRecord) -> bytes:
    return json.dumps(
        statement(record), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()


def verify(record: DeletionRecord) -> Proof:
    return Proof(
        signed=_is_signed(record),
        by_us=record.public_key in {_raw(key.public_key()) for key in _private_keys()},
        finished=record.finished is not None,
        rows=remains.rows_of(record.repository_number),
        kept=remains.rows_of(record.repository_number, kept=True),
        on_disk=remains.is_on_disk(record.repository_number),
        tables=len(remains.tables()),
    )


def _is_signed(record: DeletionRecord) -> bool:
    if not record.signature:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(record.public_key))
        key.verify(base64.b64decode(record.signature), canonical(record))
    except (InvalidSignature, ValueError):
        return False
    return True


def _private_keys() -> list[Ed25519PrivateKey]:
    """The first signs, all are recognised: a record can be signed anew with any key."""
    return [_derived(key) for key in settings.DELETION_KEYS]


def _derived(key: str) -> Ed25519PrivateKey:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE)
    return Ed25519PrivateKey.from_private_bytes(hkdf.derive(key.encode()))


def _raw(key: Ed25519PublicKey) -> str:
    return key.public_bytes_raw().hex()
