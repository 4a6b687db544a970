"""One order from the rows of all channels: weighted sums of scores, each out of its best. Pure.

Every channel gives its best chunk, and its best file, its whole weight and the others a share
by score. Sums of scores stand above sums of ranks here: the distance between the first and
the second is worth knowing, and ranks forget it (docs/benchmarks-retrieval.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from search.channels import IMPORTED, LEXICAL, LITERAL, PATH, SEMANTIC, SYMBOL, Ranked
from search.scope import FileKey

# A file is its best chunk and a share of its next two; of meaning the best alone.
NEXT_SHARE = 0.3
COUNTED = 3
BEST_ALONE = frozenset({SEMANTIC})
# A file that holds all words of the question, anywhere, gains this much of a best file.
COVERED_WEIGHT = 0.5
FILE_WEIGHT = 1.0  # of the file's score in that of a chunk
WEIGHTS = {SYMBOL: 0.3, LEXICAL: 1.0, PATH: 0.5, SEMANTIC: 0.4, LITERAL: 2.0, IMPORTED: 0.1}
NAME_WEIGHTS = {SYMBOL: 4.0, PATH: 1.0}
PATH_WEIGHTS = {PATH: 6.0}
PLAIN_WEIGHTS = {LITERAL: 1.0}  # plain words that stand somewhere as they are
# What a channel calls a full score; others measure by their best row. A log that repeats the
# words is found by nothing else, and would have the whole weight for it.
FULL_SCORES = {LITERAL: 2.0}

FilePlace = tuple[int, int]
ChunkPlace = tuple[int, int, int | None]


class Fused(NamedTuple):
    """`score` orders chunks, `file_score` files; `channels` found the chunk, the best first."""

    repository_id: int
    file_id: int
    chunk_id: int | None
    score: float
    file_score: float
    channels: tuple[str, ...]
    path: str = ""

    @property
    def file(self) -> FileKey:
        return FileKey(self.repository_id, self.file_id)


@dataclass(slots=True)
class _Sums:
    """What the channels gave so far: each chunk its parts by channel, each file its sum."""

    chunks: dict[ChunkPlace, list[tuple[float, str]]] = field(default_factory=dict)
    files: dict[FilePlace, float] = field(default_factory=dict)
    paths: dict[FilePlace, str] = field(default_factory=dict)


def fuse(
    found: Mapping[str, Sequence[Ranked]], *, weights: Mapping[str, float] = WEIGHTS, rows: int
) -> list[Fused]:
    """Rows come best first in each channel; those without a score above 0 are left out."""
    sums = _Sums()
    for channel, ranked in found.items():
        above = [row for row in ranked if row.score > 0]
        if above and channel in weights:
            _add(sums, channel, above, weights[channel])
    # Sorting keeps the order of the channels among equals.
    return sorted(_summed(sums), key=lambda one: -one.score)[:rows]


def _add(sums: _Sums, channel: str, ranked: Sequence[Ranked], weight: float) -> None:
    least = FULL_SCORES.get(channel, 0.0)
    full = max(least, *(row.score for row in ranked))
    share = 0.0 if channel in BEST_ALONE else NEXT_SHARE
    of_file: dict[FilePlace, tuple[int, float, float]] = {}  # chunks, score, covered
    for row in ranked:
        file = (row.repository_id, row.file_id)
        parts = sums.chunks.setdefault((*file, row.chunk_id), [])
        parts.append((weight * row.score / full, channel))
        sums.paths.setdefault(file, row.path)
        count, score, covered = of_file.get(file, (0, 0.0, 0.0))
        if count < COUNTED:
            score += row.score * (share if count else 1.0)
            of_file[file] = (count + 1, score, max(covered, row.covered))
    best = max(least, *(score for _, score, _ in of_file.values()))
    for file, (_, score, covered) in of_file.items():
        part = weight * (COVERED_WEIGHT * covered + score / best)
        sums.files[file] = sums.files.get(file, 0.0) + part


def _summed(sums: _Sums) -> Iterable[Fused]:
    for (repository, file, chunk), parts in sums.chunks.items():
        file_score = sums.files[repository, file]
        score = sum([part for part, _ in parts]) + FILE_WEIGHT * file_score
        if len(parts) > 1:  # few are found by more than one channel
            parts.sort(key=lambda one: (-one[0], one[1]))
        channels = tuple([channel for _, channel in parts])
        path = sums.paths[repository, file]
        yield Fused(repository, file, chunk, score, file_score, channels, path)
