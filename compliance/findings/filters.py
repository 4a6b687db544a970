"""What a person chose to see of the findings: read from an address, and written back to one."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from indexing.models import Finding
from repos.models import Repository

STATES = ("open", "confirmed", "dismissed")
CONFIDENCES = ("high", "medium", "low")
ACTIONS = tuple(str(one) for one in Finding.Action.values)
TEXT_CHARS = 200


@dataclass(frozen=True, slots=True)
class Filter:
    """Empty texts filter nothing. `seen` "ever" includes what is no longer published."""

    repository: str = ""  # slug
    kind: str = ""
    confidence: str = ""
    state: str = ""
    action: str = ""
    path: str = ""  # text in the path, any case
    seen: str = ""  # "" now, "ever"
    since: str = ""  # first seen on or after this day, ISO
    review: str = ""  # number of a review: the values it speaks of

    @property
    def query(self) -> str:
        """`repository=lib&kind=email` of what is set."""
        return urlencode(self.set_values())

    def set_values(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in asdict(self).items() if value]

    def without(self, name: str) -> "Filter":
        return replace(self, **{name: ""})

    def having(self, name: str, value: str) -> "Filter":
        return replace(self, **{name: value})

    @property
    def is_tallied(self) -> bool:
        """Whether the counts that are made beforehand (tallies.py) can tell it apart."""
        return not (self.path or self.review)

    def parameters(self) -> dict[str, Any]:
        """For the statements in listing.py. An unknown repository finds nothing."""
        found = Repository.objects.filter(slug=self.repository).first() if self.repository else None
        return {
            **asdict(self),
            "path_pattern": like(self.path),
            "repository": found.pk if found else (-1 if self.repository else 0),
            "since": date.fromisoformat(self.since) if self.since else None,
            "review": int(self.review) if self.review else 0,
        }


def like(text: str) -> str:
    """A pattern for ILIKE: the text as it stands, anywhere."""
    return "%" + re.sub(r"([\\%_])", r"\\\1", text) + "%"


def read(source: Mapping[str, str]) -> Filter:
    """Values that no finding can have are left out."""
    given = {one.name: _text(source.get(one.name, "")) for one in fields(Filter)}
    allowed = {"state": STATES, "confidence": CONFIDENCES, "action": ACTIONS, "seen": ("ever",)}
    for name, values in allowed.items():
        if given[name] not in values:
            given[name] = ""
    if not given["review"].isdecimal() or len(given["review"]) > 15:
        given["review"] = ""
    try:
        date.fromisoformat(given["since"])
    except ValueError:
        given["since"] = ""
    return Filter(**given)


def _text(value: str) -> str:
    return value.replace("\x00", "").strip()[:TEXT_CHARS]
