"""Golden pairs: golden/<language>/sample.<ext> and what is found in it, readable by eye."""

import json
from pathlib import Path

from indexing.languages import language_of_text
from indexing.parse import parse
from indexing.records import SymbolRecord

GOLDEN = Path(__file__).parent / "golden"


def languages() -> list[str]:
    return sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def sample_of(language: str) -> Path:
    return next((GOLDEN / language).glob("sample.*"))


def expected_of(language: str) -> str:
    return (GOLDEN / language / "expected.json").read_text("utf-8")


def found_in(language: str) -> str:
    """The parse of a sample as JSON, one line a symbol, import and row of breaks."""
    sample = sample_of(language)
    text = sample.read_bytes().decode("utf-8")
    row = language_of_text(sample.name, text)
    assert row is not None
    parsed = parse(row, text)
    shown = {
        "language": row.name,
        "broken": parsed.broken,
        "symbols": [_line(symbol) for symbol in parsed.symbols],
        "imports": [f"{one.line} {one.module}: {', '.join(one.names)}" for one in parsed.imports],
        "breaks": [f"{line}:{depth}" for line, depth in parsed.breaks],
    }
    return json.dumps(shown, indent=1, ensure_ascii=False) + "\n"


def _line(symbol: SymbolRecord) -> str:
    """`lead/start/name-end kind qualified.name (public or private) | signature | doc`."""
    lines = f"{symbol.lead_line}/{symbol.start_line}/{symbol.name_line}-{symbol.end_line}"
    seen = "public" if symbol.exported else "private"
    head = f"{lines} {symbol.kind} {symbol.qualified_name} ({seen})"
    return f"{head} | {symbol.signature} | {symbol.doc}"
