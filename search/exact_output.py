"""Lines found by a pattern, as text for a terminal and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from search import wording
from search.exact import ExactHit, Slice


def texts_of(slices: Iterable[Slice], *, limit: int) -> Iterator[str]:
    """Each file as soon as it is found, at most `limit`; the count at the end."""
    shown = 0
    last = None
    for last in slices:
        for hit in last.hits[: limit - shown]:
            yield "\n".join(_hit_lines(hit))
        shown += min(len(last.hits), limit - shown)
    if last:
        yield "\n".join([*wording.exact_notes(last), wording.counted(last)])


def _hit_lines(hit: ExactHit) -> list[str]:
    found = frozenset(hit.lines)
    shown = [line for window in hit.windows for line in window.lines]
    return [
        f"{hit.repository}: {hit.path}  [{len(hit.lines)}]",
        *(f"{line.number:>7}{'>' if line.number in found else ' '} {line.text}" for line in shown),
        "",
    ]


def as_json(slices: Sequence[Slice], *, limit: int) -> dict[str, Any]:
    last = slices[-1]
    hits = [hit for one in slices for hit in one.hits]
    return {
        "query": last.query.query.text,
        "filters": [str(one) for one in last.query.query.filters],
        "notes": wording.exact_notes(last),
        "repositories": list(last.repositories),
        "lines": last.lines,
        "files": last.files,
        "stopped": last.stopped,
        "milliseconds": last.milliseconds,
        "hits": [_hit_json(hit) for hit in hits[:limit]],
    }


def _hit_json(hit: ExactHit) -> dict[str, Any]:
    return {
        "repository": hit.repository,
        "commit": hit.commit,
        "path": hit.path,
        "lines": list(hit.lines),
        "windows": [
            {
                "start": window.start,
                "end": window.end,
                "lines": [
                    {"number": line.number, "text": line.text, "marks": list(line.marks)}
                    for line in window.lines
                ],
            }
            for window in hit.windows
        ],
    }
