"""Findings as CSV and JSON: exactly what is filtered, masked as on the page."""

import json
from collections.abc import Iterator
from typing import Any

from compliance.findings.filters import Filter
from compliance.findings.listing import Row, every_row
from compliance.findings.masking import Shown, with_lines
from compliance.streaming import csv_text

COLUMNS = (
    "repository", "path", "line", "start_column", "end_column", "kind", "confidence", "action",
    "state", "fingerprint", "key_id", "commit", "published", "masked_line", "allow_comment",
)  # fmt: skip


def as_csv(chosen: Filter) -> Iterator[str]:
    yield csv_text([COLUMNS])
    for found in every_row(chosen):
        yield csv_text(_values(row, line).values() for row, line in with_lines(found))


def as_json(chosen: Filter) -> Iterator[str]:
    """One object, its findings a line each."""
    yield f'{{"filter": {json.dumps(chosen.query)}, "findings": [\n'
    separator = ""
    for found in every_row(chosen):
        lines = [
            json.dumps(_values(row, line), ensure_ascii=False) for row, line in with_lines(found)
        ]
        yield separator + ",\n".join(lines)
        separator = ",\n"
    yield "\n]}\n"


def _values(row: Row, line: Shown) -> dict[str, Any]:
    """The fingerprint's first half suffices to tell values apart, and is of no use to try one."""
    values = (
        row.slug, row.path, row.line, row.start_col, row.end_col, row.kind, row.confidence,
        row.action, row.state, row.fingerprint.hex()[:16], row.key_id, row.commit or "",
        str(row.published or ""), f"{line.before}{line.value}{line.after}", line.allow,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))
