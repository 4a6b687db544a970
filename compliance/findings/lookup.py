"""Did this ever leave? A value that a person holds against everything that is stored.

The value is in the memory of this process, and for the length of one request: it is given neither
to the database (whose log might quote a parameter) nor to a log, a cache or an address. Texts are
read from the database and searched here.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from answers.models import Citation, Evidence, Question, Statement
from compliance.findings.detail import Place, places
from indexing.models import Content, EmbedInput
from indexing.scrub import scrub
from indexing.scrub_policy import fingerprint_keys, fingerprints_of
from indexing.scrubbing.policy import Policy, key_id
from outbound.models import ModelCall, SentLines

SECONDS = 20.0
MOST_CALLS = 200
MOST_RANGES = 100
MOST_HELD = 50
SHORTEST = 4

TEXTS: tuple[tuple[str | Promise, type[Model], str], ...] = (
    (_("evidence of answers"), Evidence, "text"),
    (_("statements of answers"), Statement, "text"),
    (_("quotes of answers"), Citation, "quote"),
    (_("questions"), Question, "text"),
    (_("questions as they were searched for"), Question, "standalone"),
    (_("words that narrow a question"), Question, "narrowing"),
    (_("texts to embed"), EmbedInput, "text"),
    (_("stored text of files"), Content, "text"),
)


@dataclass(frozen=True, slots=True)
class Searched:
    """A sort of stored text: how many there are, were read, and hold the value."""

    label: str | Promise
    total: int
    read: int
    holding: int

    @property
    def complete(self) -> bool:
        return self.read >= self.total


# The first `MOST_HELD` files whose stored text holds it, each with the published commits it is in.
HELD = """
/* files_that_hold; uses repos_file_pkey */
SELECT r.slug, f.repository_id, f.path, h.line, h.last_line,
       f.last_snapshot IS NULL OR f.last_snapshot >= r.published_snapshot,
       ARRAY(SELECT n.commit FROM repos_snapshot AS n
             WHERE n.repository_id = f.repository_id AND n.state = 'published'
               AND n.number >= f.first_snapshot
               AND (f.last_snapshot IS NULL OR n.number <= f.last_snapshot)
             ORDER BY n.number)
FROM unnest(%(repositories)s::bigint[], %(files)s::bigint[], %(lines)s::int[], %(lasts)s::int[])
     AS h (repository_id, file_id, line, last_line)
JOIN repos_file AS f ON f.repository_id = h.repository_id AND f.id = h.file_id
JOIN repos_repository AS r ON r.id = f.repository_id
WHERE f.first_snapshot <= r.published_snapshot
ORDER BY r.slug, f.path, f.first_snapshot
"""


class Spot(NamedTuple):
    """Where in which stored text: the first place in a file, its lines from 1."""

    repository_id: int
    file_id: int
    line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Held:
    """A file whose stored text holds the value, as no rule redacted it there."""

    slug: str
    repository_id: int
    path: str
    line: int
    last_line: int
    is_live: bool
    commits: list[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """Of the value itself nothing but the first digits of its fingerprint. `files` are the first
    `MOST_HELD` that hold it; `calls` sent lines around `places` or `files`."""

    prints: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    calls: list[SentLines] = field(default_factory=list)
    searched: list[Searched] = field(default_factory=list)
    files: list[Held] = field(default_factory=list)

    @property
    def held(self) -> int:
        return sum(one.holding for one in self.searched)

    @property
    def complete(self) -> bool:
        return all(one.complete for one in self.searched)

    @property
    def left(self) -> list[SentLines]:
        """Calls that were really made, not those that were refused or blocked."""
        kept_back = {str(state) for state in ModelCall.KEPT_BACK}
        return [one for one in self.calls if one.model_call.state not in kept_back]


def look_up(value: str, seconds: float = SECONDS) -> Answer:
    """`value` as pasted: browsers send CR LF, and blanks around it are nobody's secret."""
    value = value.replace("\r\n", "\n").strip()
    found = fingerprints(value)
    where = places([digest for _, digest in found])
    searched, spots = _search(_spellings(value), seconds)
    files = held_in(spots)
    return Answer(
        [f"{name}:{digest.hex()[:8]}" for name, digest in found[: len(fingerprint_keys())]],
        where,
        calls_around([*where, *files]),
        searched,
        files,
    )


def fingerprints(value: str) -> list[tuple[str, bytes]]:
    """(key id, fingerprint) by every known key: of the value first, then of what is secret in it,
    as the password of an address."""
    whole = [pair for one in _spellings(value) for pair in fingerprints_of(one).items()]
    parts = [
        (key_id(key), one.fingerprint)
        for key in fingerprint_keys()
        for one in scrub("", value, policy=Policy(key=key)).findings
    ]
    return list(dict.fromkeys([*whole, *parts]))


def _spellings(value: str) -> list[str]:
    return [value, value.replace("\n", "\r\n")] if "\n" in value else [value]


def held_in(spots: list[Spot]) -> list[Held]:
    repositories, files, lines, lasts = map(list, zip(*spots, strict=True)) if spots else [[]] * 4
    names = {"repositories": repositories, "files": files, "lines": lines, "lasts": lasts}
    with connection.cursor() as cursor:
        cursor.execute(HELD, names)
        return [Held(*row) for row in cursor.fetchall()]


def calls_around(where: Sequence[Place | Held]) -> list[SentLines]:
    """What was sent of these files at these lines, newest first, as it stood in the stored text."""
    ranges = Q()
    for place in where[:MOST_RANGES]:
        ranges |= Q(
            repository_id=place.repository_id,
            path=place.path,
            commit__in=place.commits,
            start_line__lte=place.last_line,
            end_line__gte=place.line,
        )
    if not ranges:
        return []
    rows = SentLines.objects.filter(ranges).select_related("model_call", "model_call__person")
    return list(rows.order_by("-model_call_id", "ordinal")[:MOST_CALLS])


def _search(spellings: list[str], seconds: float) -> tuple[list[Searched], list[Spot]]:
    end = time.monotonic() + seconds
    found: list[Searched] = []
    spots: list[Spot] = []
    for label, model, column in TEXTS:
        read = holding = 0
        for text, *key in _texts(model, column):
            read += 1
            if one := next((one for one in spellings if one in text), None):
                holding += 1
                if key and len(spots) < MOST_HELD:
                    spots.append(_spot(key, text, one))
            if time.monotonic() > end:
                break
        total = read if time.monotonic() <= end else model._default_manager.count()  # noqa: SLF001
        found.append(Searched(label, total, read, holding))
    return found, spots


def _spot(key: Sequence[int], text: str, value: str) -> Spot:
    repository_id, file_id = key
    line = text.count("\n", 0, text.index(value)) + 1
    return Spot(repository_id, file_id, line, line + value.count("\n"))


def _texts(model: type[Model], column: str) -> Iterator[tuple[Any, ...]]:
    """The text; of a file with its repository and number."""
    columns = (column, "repository_id", "file_id") if model is Content else (column,)
    rows = model._default_manager.order_by().values_list(*columns)  # noqa: SLF001
    yield from rows.iterator(chunk_size=500)
