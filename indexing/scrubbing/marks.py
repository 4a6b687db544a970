"""The marks that replace a value, always exactly as long as it was."""

import re

_MARK = re.compile(r"\[(?:REDACTED(?::[A-Z0-9_]{1,60})?|R_*)\]_*")


def mark(kind: str, length: int) -> str:
    """`[REDACTED:KIND]___`; what is too short for it gets `[REDACTED]__`, `[R___]` or `**`."""
    for full in (f"[REDACTED:{kind.upper()}]", "[REDACTED]"):
        if len(full) <= length:
            return full + "_" * (length - len(full))
    if length < 3:
        return "*" * length
    return "[R" + "_" * (length - 3) + "]"


def is_mark(value: str) -> bool:
    return _MARK.fullmatch(value) is not None or value in ("*", "**")


def mark_spans(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _MARK.finditer(text)] if "[R" in text else []
