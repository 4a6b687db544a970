"""Files that are sent while they are written: nothing of them is held but a piece."""

import csv
import io
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

# What a spreadsheet would take for the beginning of a formula; the last four are full-width.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def streamed(
    request: HttpRequest, pieces: Iterator[str], *, content_type: str, name: str
) -> StreamingHttpResponse:
    """A download called `name`. The web server awaits each piece; the tests' client iterates."""
    content = _awaited(pieces) if isinstance(request, ASGIRequest) else pieces
    response = StreamingHttpResponse(content, content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "no-store"
    return response


async def _awaited(pieces: Iterator[str]) -> AsyncIterator[str]:
    while (piece := await sync_to_async(_next)(pieces)) is not None:
        yield piece


def _next(pieces: Iterator[str]) -> str | None:
    return next(pieces, None)


def csv_pieces(
    columns: Sequence[str], chunks: Iterable[Sequence[Mapping[str, Any]]]
) -> Iterator[str]:
    """A line of names, then the rows; lists and dicts in a cell are JSON."""
    yield csv_text([columns])
    for rows in chunks:
        yield csv_text([_flat(row[name]) for name in columns] for row in rows)


def _flat(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value) if value else ""
    return value


def json_pieces(chunks: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """One list, its rows a line each."""
    yield "["
    between = "\n"
    for rows in chunks:
        yield between + ",\n".join(json.dumps(row) for row in rows)
        between = ",\n"
    yield "\n]\n"


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Lines of a CSV file; no cell can become a formula."""
    out = io.StringIO()
    csv.writer(out).writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
