"""From the bytes of one file to everything that is derived from it. Runs in a child process.

No Django here. Unscrubbed text exists between `decode` and `scrub` in this file only.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from indexing import breadcrumb, terms
from indexing.chunk import chunk
from indexing.decode import Undecodable, decode, line_count, split_lines
from indexing.languages import LANGUAGES, Language, language_of_text
from indexing.notebooks import BrokenNotebook, at_raw_lines, notebook_code, notebook_text
from indexing.parse import parse
from indexing.parsing.errors import NotParsedError
from indexing.records import (
    ChunkRecord,
    ChunkTerms,
    FindingRecord,
    ImportRecord,
    ParsedFile,
    SymbolRecord,
)
from indexing.scrub import RULES_VERSION, redact_flagged, scrub
from indexing.scrubbing.policy import Policy

# Raise it when any step between the scrubbed text and the rows changes: files are then
# derived again although their bytes are the same.
INDEX_VERSION = 2
SCRUB_VERSION = RULES_VERSION
PROSE = frozenset({"markdown", "rst", "text"})
EMBED_HASH_BYTES = 16
NOTEBOOK = ".ipynb"


@dataclass(frozen=True, slots=True)
class FileInput:
    """One file to derive; `parse` is off for a file whose grammar crashed or hung before."""

    file_id: int
    path: str
    data: bytes
    parse: bool = True


@dataclass(frozen=True, slots=True)
class DerivedChunk:
    record: ChunkRecord
    terms: ChunkTerms
    embed_text: str
    embed_hash: bytes


@dataclass(frozen=True, slots=True)
class DerivedFile:
    """All rows of one file; `failure` says what could not be done, or is ""."""

    file_id: int
    path: str
    text: str
    encoding: str
    line_count: int
    remarks: tuple[str, ...]
    symbols: tuple[SymbolRecord, ...]
    imports: tuple[ImportRecord, ...]
    chunks: tuple[DerivedChunk, ...]
    findings: tuple[FindingRecord, ...]
    failure: str = ""
    policy_version: int = 0
    key_id: str = ""
    # (earlier, present) fingerprints of values that a review knew by an earlier key
    recognised: tuple[tuple[bytes, bytes], ...] = ()


def derive(file: FileInput, policy: Policy) -> DerivedFile:
    """Decode, scrub, parse, chunk, split into terms. Raises Undecodable."""
    decoded = decode(file.data)
    scrubbed = scrub(file.path, decoded.text, policy=policy)
    remarks = _decoding_remarks(decoded.encoding, decoded.replaced, decoded.nul)
    language = language_of_text(file.path, scrubbed.text)
    notebook = file.path.lower().endswith(NOTEBOOK)
    # Results and pictures of a notebook are blanked in place: its lines stay those of the file.
    text = notebook_text(scrubbed.text) if notebook else scrubbed.text
    # Flagged values stay in the text that is shown, until somebody has looked at them, and
    # nowhere else: names, signatures, terms and embedded texts come from this one.
    covered = redact_flagged(text, scrubbed.findings) if policy.cover_flagged else text
    parsed, failure = _notebook(file, covered) if notebook else _parsed(file, language, covered)
    lines = split_lines(text)
    prose = language is not None and language.name in PROSE
    records = chunk(lines, parsed, prose=prose)
    more = ["syntax errors" if parsed.broken else "", failure]
    return DerivedFile(
        file_id=file.file_id,
        path=file.path,
        text=text,
        encoding=decoded.encoding,
        line_count=line_count(text),
        remarks=(*remarks, *(one for one in more if one)),
        symbols=parsed.symbols,
        imports=parsed.imports,
        chunks=tuple(_with_terms(file.path, records, parsed, covered.split("\n"))),
        findings=scrubbed.findings,
        failure=failure,
        policy_version=policy.version,
        key_id=policy.key_id if scrubbed.findings else "",
        recognised=scrubbed.recognised,
    )


def _decoding_remarks(encoding: str, replaced: int, nul: int) -> Iterator[str]:
    if encoding not in {"utf-8", "ascii"}:
        yield f"decoded from {encoding}"
    if replaced:
        yield f"{replaced} byte(s) that are not {encoding} replaced"
    if nul:
        yield f"{nul} NUL character(s) replaced"


def _notebook(file: FileInput, text: str) -> tuple[ParsedFile, str]:
    """The symbols of the code cells, on the lines of the raw JSON."""
    try:
        cells = notebook_code(text)
    except BrokenNotebook as error:
        return ParsedFile(), error.reason
    parsed, failure = _parsed(file, LANGUAGES.get(cells.language), cells.code)
    return at_raw_lines(parsed, cells.raw_lines), failure


def _parsed(file: FileInput, language: Language | None, text: str) -> tuple[ParsedFile, str]:
    if language is None:
        return ParsedFile(), ""
    if not file.parse:
        return ParsedFile(), "symbols left out: the grammar crashed or took too long"
    try:
        return parse(language, text), ""
    except NotParsedError as error:
        return ParsedFile(), f"symbols left out: {error}"


def _with_terms(
    path: str, records: tuple[ChunkRecord, ...], parsed: ParsedFile, lines: list[str]
) -> Iterator[DerivedChunk]:
    by_name = {symbol.qualified_name: symbol for symbol in reversed(parsed.symbols)}
    modules = tuple(name for one in parsed.imports for name in (one.module, *one.names) if name)
    for record in records:
        symbol = by_name.get(record.symbol)
        signature, doc = (symbol.signature, symbol.doc) if symbol else ("", "")
        body = "\n".join(lines[record.start_line - 1 : record.end_line])
        text = breadcrumb.embed_text(
            path=path,
            symbol=record.symbol,
            kind=record.kind,
            signature=signature,
            doc=doc,
            imports=modules,
            body=body,
        )
        yield DerivedChunk(
            record=record,
            terms=terms.chunk_terms(
                path=path, symbol=record.symbol, doc=f"{signature} {doc}", body=body
            ),
            embed_text=text,
            embed_hash=embed_hash(text),
        )


def embed_hash(text: str) -> bytes:
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=EMBED_HASH_BYTES)
    return digest.digest()


def read_text(path: str, data: bytes) -> tuple[str, int, str]:
    """(reason why it cannot be decoded or "", lines, language) of a file, for the walk."""
    try:
        text = decode(data).text
    except Undecodable as error:
        return str(error), 0, ""
    language = language_of_text(path, text)
    return "", line_count(text), language.name if language else ""
