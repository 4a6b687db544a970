"""The rows of one file as the bytes that COPY reads; made in the child processes, without Django.

The worker has only to put the row numbers before them (indexing/store.py). The format is that of
COPY's documentation: each field is its length in four bytes and its value as the type sends it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct

from indexing.decode import REPLACEMENT
from indexing.deriving import INDEX_VERSION, SCRUB_VERSION, DerivedChunk, DerivedFile
from indexing.records import ImportRecord, SymbolRecord

NOT_STORABLE = re.compile("[\0\ud800-\udfff]")

_length = Struct(">i").pack
_bigint = Struct(">iq").pack
_boolean = Struct(">i?").pack
_one = Struct(">ii").pack
_two = Struct(">iiii").pack
_three = Struct(">iiiiii").pack
_four = Struct(">iiiiiiii").pack


@dataclass(frozen=True, slots=True)
class PackedFile:
    """All rows of one file, by table; `failure` says what could not be done, or is "".

    Rows begin after the file's number. It and what comes before it, the worker knows.
    """

    file_id: int
    path: str
    remarks: tuple[str, ...]
    failure: str
    key_id: str
    recognised: tuple[tuple[bytes, bytes], ...]  # as of DerivedFile
    content: bytes
    symbols: tuple[bytes, ...]
    imports: tuple[bytes, ...]
    findings: tuple[bytes, ...]
    chunks: tuple[bytes, ...]
    embed_inputs: tuple[bytes, ...]


def pack_file(file: DerivedFile) -> PackedFile:
    return PackedFile(
        file_id=file.file_id,
        path=file.path,
        remarks=file.remarks,
        failure=file.failure,
        key_id=file.key_id,
        recognised=file.recognised,
        content=_content(file),
        symbols=tuple(_symbol(one) for one in file.symbols),
        imports=tuple(_import(one) for one in file.imports),
        findings=tuple(_findings(file)),
        chunks=tuple(_chunk(one) for one in file.chunks),
        embed_inputs=tuple(_text(one.embed_text) for one in file.chunks),
    )


def storable(text: str) -> str:
    """Text that a column takes: escapes in notebooks and keys can stand for NUL and for half
    a character, and one of them would undo the whole batch."""
    if text.isascii():
        return text.replace("\0", REPLACEMENT)
    return NOT_STORABLE.sub(REPLACEMENT, text)


def _text(value: str) -> bytes:
    data = storable(value).encode("utf-8", "surrogatepass")
    return _length(len(data)) + data


def _bytes(data: bytes) -> bytes:
    return _length(len(data)) + data


def _content(file: DerivedFile) -> bytes:
    return b"".join(
        (
            _text(file.text), _text(file.encoding), _one(4, file.line_count),
            _text("; ".join(file.remarks)), _two(4, SCRUB_VERSION, 4, INDEX_VERSION),
            _bigint(8, file.policy_version),
        )
    )  # fmt: skip


def _symbol(one: SymbolRecord) -> bytes:
    return b"".join(
        (
            _text(one.name), _text(one.qualified_name), _text(one.kind), _text(one.signature),
            _text(one.doc),
            _four(4, one.lead_line, 4, one.start_line, 4, one.name_line, 4, one.end_line),
            _text(one.parent), _boolean(1, one.exported),
        )
    )  # fmt: skip


def _import(one: ImportRecord) -> bytes:
    return _text(one.module) + _text(", ".join(one.names)) + _one(4, one.line) + _text("")


def _findings(file: DerivedFile) -> Iterator[bytes]:
    seen: set[int] = set()
    for one in file.findings:
        leads = one.group not in seen
        seen.add(one.group)
        yield b"".join(
            (
                _three(4, one.line, 4, one.start_col, 4, one.end_col), _text(one.kind),
                _text(one.action), _text(one.confidence), _one(4, one.group),
                _bytes(one.fingerprint), _text(file.key_id), _boolean(1, leads),
            )
        )  # fmt: skip


def _chunk(one: DerivedChunk) -> bytes:
    record = one.record
    return b"".join(
        (
            _three(4, record.ordinal, 4, record.start_line, 4, record.end_line),
            _text(record.symbol), _text(record.kind), _one(4, one.terms.length),
            _bytes(one.terms.vector), _bytes(one.embed_hash),
        )
    )  # fmt: skip
