"""Large sets made of the rows of real repositories: copies with renamed terms, names and paths.

1. The rows of what is published here are read once (`read_base`).
2. `make` fills an empty database with copies of them until a number of chunks is reached, in one
   repository or spread by folder over many. Each copy but the first has other names: the rarer
   a term or a symbol's name, the likelier it is renamed, so that new text brings new words at the
   rate real text does, and common words stay common. Vectors are turned a little (cosine 0.94 to
   the original), so that no two are the same.
3. Rows go in by COPY; secondary indexes are made afterwards, as they would be after a restore.

Not copied: imports, findings, texts to embed. Their tables are not read by the channels.
"""

import random
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from django.db import connection

from repos.models import Repository

SEED = 7
# How likely a term is renamed in a copy, by the number of base chunks (or symbols) that hold it.
RENAMED = ((5, 0.7), (50, 0.4), (500, 0.1))
NOISE = 0.36  # length of what is added to a unit vector
TABLES = (
    "repos_file", "indexing_content", "indexing_symbol", "indexing_chunk", "indexing_termcount",
    "indexing_embedding",
)  # fmt: skip

_TERM = re.compile(r"'((?:[^']|'')*)':([\dABCD,]+)")

BASE_FILES = """
/* bench: base files */
SELECT f.id, r.slug, f.path, f.language, f.size, t.text, t.line_count
FROM repos_repository r
JOIN repos_file f ON f.repository_id = r.id AND f.first_snapshot <= r.published_snapshot
    AND (f.last_snapshot IS NULL OR f.last_snapshot >= r.published_snapshot)
JOIN indexing_content t ON t.repository_id = f.repository_id AND t.file_id = f.id
ORDER BY f.repository_id, f.path"""
BASE_CHUNKS = """
/* bench: base chunks */
SELECT c.file_id, c.ordinal, c.start_line, c.end_line, c.symbol, c.kind, c.length, c.terms::text,
    halfvec_send(v.vector)
FROM indexing_chunk c
LEFT JOIN indexing_embedding v ON v.repository_id = c.repository_id
    AND v.embed_hash = c.embed_hash AND v.model = %(model)s
ORDER BY c.file_id, c.ordinal"""
BASE_SYMBOLS = """
/* bench: base symbols */
SELECT file_id, name, qualified_name, kind, signature, doc, lead_line, start_line, name_line,
    end_line, parent, exported
FROM indexing_symbol ORDER BY file_id, id"""
INDEXES = """
/* bench: secondary indexes */
SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
FROM pg_index i
WHERE i.indrelid = ANY(%(tables)s::regclass[]) AND NOT i.indisunique"""
SNAPSHOTS = """
/* bench: snapshots */
INSERT INTO repos_snapshot (repository_id, number, commit, ref, state, files, indexed_files, lines,
    bytes, symbols, chunks, tokens, created, published)
SELECT r.id, 1, md5(r.id::text), '', 'published', f.files, f.files, f.lines, f.bytes, 0,
    c.chunks, c.tokens, now(), now()
FROM repos_repository r
JOIN LATERAL (SELECT count(*) AS files, coalesce(sum(lines), 0) AS lines,
    coalesce(sum(size), 0) AS bytes FROM repos_file WHERE repository_id = r.id) f ON true
JOIN LATERAL (SELECT count(*) AS chunks, coalesce(sum(length), 0) AS tokens
    FROM indexing_chunk WHERE repository_id = r.id) c ON true"""

COPY_FILE = """COPY repos_file (repository_id, id, path, blob_sha, mode, size, lines, language,
    classification, reason, first_snapshot) FROM STDIN"""
COPY_CONTENT = """COPY indexing_content (repository_id, file_id, text, encoding, line_count,
    remarks, scrub_version, index_version, trigram_indexed) FROM STDIN"""
COPY_SYMBOL = """COPY indexing_symbol (repository_id, id, file_id, name, qualified_name, kind,
    signature, doc, lead_line, start_line, name_line, end_line, parent, exported) FROM STDIN"""
COPY_CHUNK = """COPY indexing_chunk (repository_id, id, file_id, ordinal, start_line, end_line,
    symbol, kind, length, terms, embed_hash) FROM STDIN"""
COPY_TERMS = "COPY indexing_termcount (repository_id, term, snapshot, chunks) FROM STDIN"
COPY_VECTORS = """COPY indexing_embedding (repository_id, model, embed_hash, vector)
    FROM STDIN (FORMAT binary)"""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """How many chunks, in how many repositories."""

    chunks: int
    repositories: int = 1


@dataclass(slots=True)
class BaseChunk:
    """`terms` and `places` are the lexemes of the vector and what stands behind each."""

    place: Row
    symbol: str
    kind: str
    length: int
    terms: list[str]
    places: list[str]
    vector: Any


@dataclass(slots=True)
class BaseFile:
    slug: str
    path: str
    language: str
    size: int
    text: str
    lines: int
    chunks: list[BaseChunk] = field(default_factory=list)
    symbols: list[Row] = field(default_factory=list)

    @property
    def folder(self) -> str:
        return "/".join(self.path.split("/")[:-1][:2])


@dataclass(slots=True)
class Base:
    """What is copied, and how often each term and name occurs in it."""

    files: list[BaseFile]
    terms: Counter[str]
    names: Counter[str]
    model: str

    @property
    def chunks(self) -> int:
        return sum(len(file.chunks) for file in self.files)


def read_base(model: str) -> Base:
    """The published files of this database in an order that mixes the repositories."""
    files = {row[0]: BaseFile(*row[1:]) for row in _rows(BASE_FILES, {})}
    for row in _rows(BASE_CHUNKS, {"model": model}):
        if row[0] in files:
            files[row[0]].chunks.append(_chunk(row[1:]))
    for row in _rows(BASE_SYMBOLS, {}):
        if row[0] in files:
            files[row[0]].symbols.append(row[1:])
    mixed = list(files.values())
    random.Random(SEED).shuffle(mixed)
    terms = Counter(term for file in mixed for chunk in file.chunks for term in chunk.terms)
    names = Counter(symbol[0] for file in mixed for symbol in file.symbols)
    _fill_vectors([chunk for file in mixed for chunk in file.chunks])
    return Base(mixed, terms, names, model)


def _rows(statement: str, parameters: dict[str, Any]) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Row] = cursor.fetchall()
    return rows


def _chunk(row: Row) -> BaseChunk:
    pairs = _TERM.findall(row[6])
    vector = None
    if row[7] is not None:
        vector = np.frombuffer(row[7], dtype=">f2", offset=4).astype(np.float32)
    terms = [term for term, _ in pairs]
    return BaseChunk(row[:3], row[3], row[4], row[5], terms, [at for _, at in pairs], vector)


def _fill_vectors(chunks: Sequence[BaseChunk]) -> None:
    """A chunk without a vector gets the middle of two others'."""
    known = [chunk.vector for chunk in chunks if chunk.vector is not None]
    chance = random.Random(SEED)
    for chunk in chunks:
        if chunk.vector is None and known:
            chunk.vector = chance.choice(known) * 0.7 + chance.choice(known) * 0.3


def make(shape: Shape, base: Base) -> None:
    """Fill the empty tables of this database; ends with ANALYZE."""
    indexes = _rows(INDEXES, {"tables": list(TABLES)})
    with connection.cursor() as cursor:
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
    Repository.objects.bulk_create(
        Repository(
            id=n, slug=f"large-{n}", name=f"large/{n}", source="folder", published_snapshot=1
        )
        for n in range(1, shape.repositories + 1)
    )
    _fill(shape, base)
    with connection.cursor() as cursor:
        for _, definition in indexes:
            cursor.execute(definition)
        cursor.execute(SNAPSHOTS)
        cursor.execute("VACUUM ANALYZE")


def _fill(shape: Shape, base: Base) -> None:
    left, copy = shape.chunks, 0
    counts: dict[int, Counter[str]] = {n: Counter() for n in range(1, shape.repositories + 1)}
    numbers = iter(range(1_000, 2**40))
    while left > 0:
        names = Renamed(base, copy)
        files = list(_taken(base.files, left))
        left -= sum(len(file.chunks) for file in files)
        placed = [(_home(file, copy, shape), next(numbers), file) for file in files]
        _copy(COPY_FILE, (_file_row(*one, copy) for one in placed))
        _copy(COPY_CONTENT, (_content_row(*one, names) for one in placed))
        _copy(COPY_SYMBOL, _symbol_rows(placed, names, numbers))
        _copy(COPY_CHUNK, _chunk_rows(placed, names, numbers, counts))
        if base.model:
            _copy_vectors(placed, copy, base.model)
        copy += 1
    for repository, counted in counts.items():
        _copy(COPY_TERMS, ((repository, term, 1, n) for term, n in counted.items()))


def _taken(files: Sequence[BaseFile], most: int) -> Iterator[BaseFile]:
    for file in files:
        if most <= 0:
            return
        most -= len(file.chunks)
        yield file


def _home(file: BaseFile, copy: int, shape: Shape) -> int:
    """All of a folder is in the same repository."""
    key = f"{copy}/{file.slug}/{file.folder}"
    return zlib.crc32(key.encode()) % shape.repositories + 1


class Renamed:
    """What a copy calls the terms and names of the base; the first copy keeps them all."""

    def __init__(self, base: Base, copy: int) -> None:
        self.copy = copy
        chance = random.Random(SEED * 1_000 + copy)
        ending = _letters(copy)
        self.terms = _renames(base.terms, ending, chance) if copy else {}
        self.names = _renames(base.names, ending.title(), chance) if copy else {}

    def name(self, qualified: str) -> str:
        return ".".join([self.names.get(part, part) for part in qualified.split(".")])

    def text(self, file: BaseFile) -> str:
        """What the file itself defines has its new name in the text, too."""
        text = file.text
        for name in {str(symbol[0]) for symbol in file.symbols[:10]} & self.names.keys():
            text = text.replace(name, self.names[name])
        return text


def _renames(counts: Mapping[str, int], ending: str, chance: random.Random) -> dict[str, str]:
    return {
        word: word + ending for word, count in counts.items() if chance.random() < _share(count)
    }


def _share(count: int) -> float:
    return next((share for most, share in RENAMED if count <= most), 0.0)


def _letters(number: int) -> str:
    return "q" + chr(97 + number // 26 % 26) + chr(97 + number % 26)


def _path(file: BaseFile, copy: int) -> str:
    return f"{file.slug}-{_letters(copy)}/{file.path}" if copy else f"{file.slug}/{file.path}"


def _file_row(repository: int, number: int, file: BaseFile, copy: int) -> Row:
    return (
        repository, number, _path(file, copy), "", "100644", file.size, file.lines,
        file.language, "indexed", "", 1,
    )  # fmt: skip


def _content_row(repository: int, number: int, file: BaseFile, names: Renamed) -> Row:
    return repository, number, names.text(file), "utf-8", file.lines, "", 1, 1, True


def _symbol_rows(
    placed: Iterable[tuple[int, int, BaseFile]], names: Renamed, numbers: Iterator[int]
) -> Iterator[Row]:
    for repository, file_number, file in placed:
        for name, qualified, *rest in file.symbols:
            new = names.names.get(name, name)
            whole = names.name(qualified)
            yield (repository, next(numbers), file_number, new, whole, *rest)


def _chunk_rows(
    placed: Iterable[tuple[int, int, BaseFile]],
    names: Renamed,
    numbers: Iterator[int],
    counts: Mapping[int, Counter[str]],
) -> Iterator[Row]:
    for repository, file_number, file in placed:
        for chunk in file.chunks:
            terms = [names.terms.get(term, term) for term in chunk.terms]
            counts[repository].update(terms)
            pairs = zip(terms, chunk.places, strict=True)
            vector = " ".join([f"'{term}':{places}" for term, places in pairs])
            number = next(numbers)
            yield (
                repository, number, file_number, *chunk.place, names.name(chunk.symbol),
                chunk.kind, chunk.length, vector, _hash(file, chunk, names.copy),
            )  # fmt: skip


def _hash(file: BaseFile, chunk: BaseChunk, copy: int) -> bytes:
    key = f"{copy}/{file.slug}/{file.path}/{chunk.place}"
    return blake2b(key.encode(), digest_size=16).digest()


def _copy(statement: str, rows: Iterable[Row]) -> None:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _copy_vectors(
    placed: Sequence[tuple[int, int, BaseFile]], copy_number: int, model: str
) -> None:
    """In COPY's binary format: text would take a minute for 300,000 vectors."""
    keys = [
        (repository, _hash(file, chunk, copy_number), chunk.vector)
        for repository, _, file in placed
        for chunk in file.chunks
    ]
    vectors = np.stack([vector for _, _, vector in keys])
    if copy_number:
        turned = np.random.default_rng(SEED + copy_number).standard_normal(vectors.shape)
        vectors = vectors + turned.astype(np.float32) * (NOISE / vectors.shape[1] ** 0.5)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with connection.cursor() as cursor, cursor.copy(COPY_VECTORS) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        copy.write(_records(keys, vectors.astype(">f2"), model.encode()).tobytes())
        copy.write(struct.pack(">h", -1))


def _records(keys: Sequence[tuple[int, bytes, Any]], halves: Any, model: bytes) -> Any:
    """Rows of COPY's binary format: before each field its length, before a vector its dimension."""
    dimension = halves.shape[1]
    shape = [
        ("fields", ">i2"), ("size1", ">i4"), ("repository", ">i8"), ("size2", ">i4"),
        ("model", f"S{len(model)}"), ("size3", ">i4"), ("hash", "V16"), ("size4", ">i4"),
        ("dimension", ">u2"), ("unused", ">u2"), ("vector", ">f2", (dimension,)),
    ]  # fmt: skip
    rows = np.zeros(len(keys), dtype=shape)
    rows["fields"], rows["size1"], rows["size2"], rows["size3"] = 4, 8, len(model), 16
    rows["size4"], rows["dimension"] = 4 + dimension * 2, dimension
    rows["model"] = model
    rows["repository"] = [key[0] for key in keys]
    rows["hash"] = np.array([np.void(key[1]) for key in keys])
    rows["vector"] = halves
    return rows


def published_repositories() -> int:
    return Repository.objects.filter(published_snapshot__isnull=False).count()
