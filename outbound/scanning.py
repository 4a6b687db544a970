"""The look at everything that goes out and comes in. Scrubbing is to the right of this app
(indexing), which registers its scan when it is ready; without one nothing is sent."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

# What scrubbing leaves in the place of a value (indexing/scrubbing/marks.py); those that are too
# short for the word are not counted.
PLACEHOLDER = re.compile(r"\[REDACTED(?::[A-Z0-9_]+)?\]")


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that looks like a secret or like personal data: what it is, never the value."""

    kind: str
    line: int  # of the scanned text, from 1


Scan = Callable[[str], Sequence[Hit]]
_scans: list[Scan] = []


def register(scan: Scan) -> None:
    """Use `scan` for everything from now on; called once, by AppConfig.ready of indexing."""
    _scans[:] = [scan]


def hits_in(text: str) -> Sequence[Hit]:
    if not _scans:
        raise ImproperlyConfigured("No scan is registered: nothing may be sent to a model.")
    return _scans[0](text)


def count_placeholders(text: str) -> int:
    return sum(1 for _ in PLACEHOLDER.finditer(text))
