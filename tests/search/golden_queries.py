"""Reads tests/search/queries/*.txt: a query after `? `, then the fields that are not empty."""

from collections.abc import Iterator
from pathlib import Path

from search.query import SearchQuery

FOLDER = Path(__file__).parent / "queries"
FIELDS = ("words", "terms", "code", "phrases", "excluded", "filters", "literal", "notes")


def cases() -> Iterator[tuple[str, str]]:
    """(query, its fields as in the file)."""
    for path in sorted(FOLDER.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("\n? ")[1:]:
            query, _, fields = block.partition("\n")
            yield query, fields.strip()


def fields(query: SearchQuery) -> str:
    lines = []
    for name in FIELDS:
        value = getattr(query, name)
        shown = value if isinstance(value, str) else " | ".join(str(one) for one in value)
        if shown:
            lines.append(f"  {name}: {shown}")
    return "\n".join(lines).strip()
