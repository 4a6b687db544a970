"""Postings as search reads them: bytes from the database -> numbers of chunks and frequencies.

All chunks of a scope stand in one row of numbers (`Lists`), segment by segment; a segment is what
one snapshot added. indexing/postings.py writes both.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from search.binary import read_bytes
from search.scope import Scope

# Lists of chunks never change once they are written, and a process keeps those of late, 20 bytes
# a chunk: reading them anew for each question would take longer than the question.
KEPT_CHUNKS = 4_000_000
HALF = np.float32(0.5)

Key = tuple[int, int]  # repository and snapshot
Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

TOTALS = """
/* search: totals; uses indexing_chunklist_pkey */
SELECT scope.repository_id, scope.snapshot, coalesce(n.chunks, 0), coalesce(n.tokens, 0), ARRAY(
    SELECT l.snapshot FROM indexing_chunklist l
    WHERE l.repository_id = scope.repository_id AND l.snapshot <= scope.snapshot
    ORDER BY l.snapshot)
FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[]) AS scope(repository_id, snapshot)
LEFT JOIN repos_snapshot n
    ON n.repository_id = scope.repository_id AND n.number = scope.snapshot"""

LISTS = """
/* search: chunk lists; uses indexing_chunklist_pkey */
SELECT l.repository_id, l.snapshot, l.ids, l.files, l.lengths
FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[]) AS g(repository_id, snapshot)
JOIN indexing_chunklist l ON l.repository_id = g.repository_id AND l.snapshot = g.snapshot"""

# How many chunks of the snapshots hold a term, and which were added with it.
POSTINGS = """
/* search: postings; uses indexing_posting_pkey and indexing_termcount_pkey */
WITH scope AS (
    SELECT * FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[])
        AS given(repository_id, snapshot)
)
SELECT t.term, t.repository_id, t.snapshot, t.chunks, NULL::bytea
FROM scope JOIN indexing_termcount t
    ON t.repository_id = scope.repository_id AND t.snapshot <= scope.snapshot
WHERE t.term = ANY(%(terms)s::text[])
UNION ALL
SELECT p.term, p.repository_id, p.snapshot, 0, p.chunks
FROM scope JOIN indexing_posting p
    ON p.repository_id = scope.repository_id AND p.snapshot <= scope.snapshot
WHERE p.term = ANY(%(terms)s::text[])"""


@dataclass(frozen=True, slots=True)
class Segment:
    ids: Integers
    files: Integers
    lengths: Floats


@dataclass(frozen=True, slots=True)
class Totals:
    """Of a scope: chunks, tokens, and its segments in order; `complete`: all have postings."""

    chunks: int
    tokens: int
    keys: tuple[Key, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Lists:
    """The chunks of the scope, side by side; `starts` is the number of a segment's first."""

    repositories: Integers
    ids: Integers
    files: Integers
    lengths: Floats
    starts: Mapping[Key, int]


@dataclass(frozen=True, slots=True)
class Postings:
    """`places` are numbers of chunks in Lists, `often` how often each holds the term."""

    places: Integers
    often: Floats


def totals_of(scope: Scope) -> Totals:
    rows = read_bytes(TOTALS, _pairs(scope.repositories, scope.snapshots))
    return Totals(
        chunks=sum(row[2] for row in rows),
        tokens=int(sum(row[3] for row in rows)),
        keys=tuple((row[0], number) for row in rows for number in row[4]),
        complete=all(row[1] in row[4] for row in rows),
    )


def _pairs(repositories: Sequence[int], snapshots: Sequence[int]) -> dict[str, Any]:
    return {"repositories": list(repositories), "snapshots": list(snapshots)}


def read(
    terms: Sequence[str], scope: Scope, totals: Totals
) -> tuple[dict[str, int], dict[str, Postings], Lists]:
    """In how many chunks each term stands, its postings, and the chunks they speak of."""
    lists = lists_of(totals.keys)
    rows = read_bytes(
        POSTINGS, {**_pairs(scope.repositories, scope.snapshots), "terms": list(terms)}
    )
    counts = dict.fromkeys(terms, 0)
    parts: dict[str, list[tuple[int, bytes]]] = {}
    for term, repository, snapshot, chunks, held in rows:
        counts[term] += chunks
        if held is not None and (repository, snapshot) in lists.starts:
            parts.setdefault(term, []).append((lists.starts[repository, snapshot], held))
    found = {term: _joined(some) for term, some in parts.items()}
    return {term: count for term, count in counts.items() if count > 0}, found, lists


def _joined(parts: Sequence[tuple[int, bytes]]) -> Postings:
    numbers = np.frombuffer(b"".join(held for _, held in parts), dtype=">u4").astype(np.uint32)
    starts = np.repeat(
        np.array([start for start, _ in parts], dtype=np.int64),
        [len(held) // 4 for _, held in parts],
    )
    return Postings(starts + (numbers >> 8), (numbers & 255).astype(np.float32) * HALF)


_kept: OrderedDict[Key, Segment] = OrderedDict()
_lock = Lock()


def lists_of(keys: Sequence[Key]) -> Lists:
    segments = _segments(keys)
    keys = [key for key in keys if key in segments]
    sizes = [len(segments[key].ids) for key in keys]
    starts = np.cumsum([0, *sizes])
    return Lists(
        repositories=np.repeat(np.array([key[0] for key in keys], dtype=np.int64), sizes),
        ids=_side_by_side([segments[key].ids for key in keys], np.int64),
        files=_side_by_side([segments[key].files for key in keys], np.int64),
        lengths=_side_by_side([segments[key].lengths for key in keys], np.float32),
        starts=dict(zip(keys, starts.tolist(), strict=False)),
    )


def _side_by_side(arrays: list[npt.NDArray[Any]], kind: type) -> npt.NDArray[Any]:
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=kind)


def _segments(keys: Sequence[Key]) -> dict[Key, Segment]:
    """Without those that a prune has just taken away: none of their chunks is shown any more."""
    with _lock:
        found = {key: _kept[key] for key in keys if key in _kept}
    missing = [key for key in keys if key not in found]
    if missing:
        found |= dict(_read_segments(missing))
    with _lock:
        for key, segment in found.items():
            _kept[key] = segment
            _kept.move_to_end(key)
        held = sum(len(one.ids) for one in _kept.values())
        while held > KEPT_CHUNKS and len(_kept) > 1:
            held -= len(_kept.popitem(last=False)[1].ids)
    return found


def _read_segments(keys: Sequence[Key]) -> Iterator[tuple[Key, Segment]]:
    asked = _pairs([key[0] for key in keys], [key[1] for key in keys])
    for repository, snapshot, ids, files, lengths in read_bytes(LISTS, asked):
        yield (
            (repository, snapshot),
            Segment(
                np.frombuffer(ids, dtype=">i8").astype(np.int64),
                np.frombuffer(files, dtype=">i8").astype(np.int64),
                np.frombuffer(lengths, dtype=">i4").astype(np.float32),
            ),
        )


def forget() -> None:
    """For programs that fill a database anew: keys would mean other rows."""
    with _lock:
        _kept.clear()
