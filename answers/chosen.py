"""Lines that a person chose on a file's page: they come first among the evidence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from indexing.decode import split_lines
from indexing.models import Content
from repos.models import File
from search.retrieval import ChunkHit

CHANNEL = "chosen"  # what Evidence.channels says of them
MOST = 4
LAST_LINE = 10_000_000
WHOLE_FILE = 200  # lines of a file that was chosen as a whole


_BEGINNING = re.compile(r"(?P<path>\S+?):(?P<start>\d{1,8})(?:-(?P<end>\d{1,8}))?\s+\S")


@dataclass(frozen=True, slots=True)
class Chosen:
    """`end` is 0 for a whole file; `slug` is "" for whichever repository has the path."""

    slug: str
    path: str
    start: int
    end: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def place(self) -> str:
        """`path:3-8` as it is written everywhere."""
        if not self.end:
            return self.path
        return f"{self.path}:{self.start}" + (f"-{self.end}" if self.end > self.start else "")


def read(slug: str, path: str, lines: str) -> Chosen | None:
    """From the fields of a form: `lines` is "3-8", "3", or "" for the whole file."""
    if not slug or not path or "\x00" in slug + path:
        return None
    first, _, last = lines.partition("-")
    start = int(first) if first.isascii() and first.isdigit() else 1
    end = int(last or first) if (last or first).isascii() and (last or first).isdigit() else 0
    start, end = min(start, LAST_LINE), min(end, LAST_LINE)
    return Chosen(slug, path, max(start, 1), max(end, start) if end else 0)


def begun_with(question: str) -> Chosen | None:
    """Lines that a question begins with, as a file's page puts them into the box: `a.py:3-8 why?`

    In whichever of the repositories they are.
    """
    match = _BEGINNING.match(question)
    if match is None or "\x00" in match["path"]:
        return None
    start = min(int(match["start"]), LAST_LINE)
    return Chosen(
        "", match["path"], max(start, 1), max(start, min(int(match["end"] or 0), LAST_LINE), 1)
    )


def hits_of(chosen: Sequence[Chosen], places: Mapping[str, tuple[int, int]]) -> Iterator[ChunkHit]:
    """Hits for those that are in what is searched: (repository, snapshot) by slug."""
    for one in chosen[:MOST]:
        for repository, snapshot in _where(one, places):
            rows = File.objects.in_snapshot(repository, snapshot).filter(path=one.path)
            for file_id in rows.values_list("id", flat=True)[:1]:
                count = _line_count(repository, file_id)
                if one.start <= count:
                    yield _hit(one, repository, file_id, min(one.end or WHOLE_FILE, count))


def _where(one: Chosen, places: Mapping[str, tuple[int, int]]) -> list[tuple[int, int]]:
    if one.slug:
        return [places[one.slug]] if one.slug in places else []
    return list(places.values())[:MOST]


def _line_count(repository: int, file_id: int) -> int:
    texts = Content.objects.filter(repository=repository, file_id=file_id)
    return len(split_lines(texts.values_list("text", flat=True).first() or ""))


def _hit(one: Chosen, repository: int, file_id: int, last: int) -> ChunkHit:
    return ChunkHit(
        repository_id=repository,
        file_id=file_id,
        chunk_id=None,
        path=one.path,
        start_line=one.start,
        end_line=last,
        symbol="",
        kind="",
        score=1.0,
        file_score=1.0,
        channels=(CHANNEL,),
    )
