"""Numbers of events that grow with time: UUIDs of version 7, RFC 9562, section 6.2, method 3."""

import secrets
import time
import uuid
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = 1_000_000  # nanoseconds


def new_id() -> uuid.UUID:
    return _at(time.time_ns(), secrets.randbits(62))


def moment_of(event: uuid.UUID) -> datetime:
    """To the microsecond, as the database keeps it."""
    milliseconds = event.int >> 80
    fraction = (event.int >> 64) & 0xFFF
    return _EPOCH + timedelta(milliseconds=milliseconds, microseconds=fraction * 1000 // 4096)


def first_id_at(moment: datetime) -> uuid.UUID:
    """The least number an event of this moment or later can have."""
    return _at((moment - _EPOCH) // timedelta(microseconds=1) * 1000, 0)


def _at(nanoseconds: int, rest: int) -> uuid.UUID:
    """48 bits of milliseconds, the version, 12 bits of the millisecond's fraction, the variant."""
    milliseconds, within = divmod(nanoseconds, _MILLISECOND)
    fraction = within * 4096 // _MILLISECOND
    return uuid.UUID(int=milliseconds << 80 | 7 << 76 | fraction << 64 | 0b10 << 62 | rest)
