"""The channel of text as it stands: chunks with lines that hold it. Rows as in channels.py.

Postgres finds the texts that hold it, here their lines are found, and Postgres names the chunks of
those: cutting texts into lines in SQL took ten times as long.

Comparing is what costs: of the texts that the trigram index names, most do not hold the words in
this order, and each is read to its end. So texts are compared in the cheapest way that is right
(`_Case`), and as bytes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from search.binary import stream_bytes
from search.channels import ROWS, Ranked, array, over_files, run
from search.exact_query import Needle
from search.scope import FileKey, Scope, escape_like
from search.sieve import LONGEST, sieve_of

MOST_READ = 100  # texts; the index is asked where there are more
LINES_A_FILE = 500  # that are looked at


class _Case(StrEnum):
    """How texts are compared: as they are, by the lower case of ASCII, or by that of all alphabets.

    Looking for a place (strpos) skips along the text; the pattern of LIKE reads every character.
    For a megabyte, beside its unpacking: 1 ms instead of 4, 4 instead of 11, 14 instead of 18.
    """

    SAME = "same case"  # as asked for, or nothing in it has a case
    ASCII = "any case of ASCII"
    ANY = "any case"


# The empty string makes the database unpack each text once, rather than once to compare and again
# to send it.
HOLDING_TEXTS = """
/* search: {tag} */
{texts}
SELECT h.repository_id, h.file_id, h.path, h.text
FROM held h
CROSS JOIN LATERAL (SELECT {compared} AS text OFFSET 0) AS compared
WHERE 0 < ALL(SELECT strpos(compared.text, {asked}) FROM unnest(%(texts)s::text[]) AS given(one))
LIMIT %(rows)s"""
ANY_TEXT = """{files}, held AS (
    SELECT f.repository_id, f.id AS file_id, f.path, t.text || '' AS text
    FROM files f
    JOIN indexing_content t ON t.repository_id = f.repository_id AND t.file_id = f.id
    WHERE {sifted}
    OFFSET 0
)"""
FEW_TEXTS = """WITH held AS (
    SELECT g.repository_id, g.file_id, f.path, t.text || '' AS text
    FROM unnest(%(only_repositories)s::bigint[], %(only_files)s::bigint[])
        AS g(repository_id, file_id)
    CROSS JOIN {file of g} AS f
    CROSS JOIN LATERAL (
        SELECT t.text FROM indexing_content t
        WHERE t.repository_id = g.repository_id AND t.file_id = g.file_id
        OFFSET 0
    ) AS t
    OFFSET 0
)"""
# In the order of C, lower case is that of ASCII alone: one look at a byte. The index has the order
# of the database, so that it is asked by an expression there.
SIFTED_BY = {_Case.SAME: "LIKE", _Case.ASCII: "~", _Case.ANY: "ILIKE"}
COMPARED = {
    _Case.SAME: "{}",
    _Case.ASCII: 'lower({} COLLATE "C")',
    _Case.ANY: "lower({})",
}


def _statement(case: _Case, *, few: bool) -> str:
    uses = "indexing_content_pkey" if few else "content_trigrams and content_waiting"
    tag = f"literal{' in few' if few else ''}, {case}; uses {uses}"
    compared = COMPARED[case]
    whole = HOLDING_TEXTS.replace("{tag}", tag).replace("{compared}", compared.format("h.text"))
    whole = whole.replace("{asked}", compared.format("one"))
    whole = over_files(whole.replace("{texts}", FEW_TEXTS if few else ANY_TEXT))
    return whole.replace("{sifted by}", SIFTED_BY[case])


LITERAL_SQL = {
    (case, few): _statement(case, few=few) for case, few in product(_Case, (False, True))
}

# Chunks of a file do not overlap: the last that begins at a line or above it is the only one.
CHUNKS_SQL = over_files("""
/* search: chunks of lines; uses chunk_file */
SELECT g.place, c.id
FROM unnest(%(held_repositories)s::bigint[], %(held_files)s::bigint[], %(lines)s::bigint[])
    WITH ORDINALITY AS g(repository_id, file_id, line, place)
LEFT JOIN LATERAL (
    SELECT * FROM indexing_chunk c
    WHERE c.repository_id = g.repository_id AND c.file_id = g.file_id AND c.start_line <= g.line
    ORDER BY c.start_line DESC
    LIMIT 1
) AS c ON c.end_line >= g.line
WHERE CASE WHEN c.id IS NULL THEN %(kinds)s::text[] IS NULL ELSE {kinds} END""")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that holds a text; `same`: in the case that was asked for."""

    file: FileKey
    path: str
    number: int
    same: bool


def literal(
    texts: Sequence[str], scope: Scope, *, any_case: bool, rows: int = ROWS
) -> list[Ranked]:
    """Chunks with lines that hold one of the texts, of files that hold all; exact case first."""
    case = _case_of(texts, any_case=any_case)
    few = scope.only is not None and len(scope.only) <= MOST_READ
    parameters = {
        **scope.parameters(),
        "texts": list(texts),
        "sieve": _sieve(texts, case),
        "rows": rows,
    }
    found = [
        _Line(FileKey(repository, file), path.decode(), number, same)
        for repository, file, path, text in stream_bytes(LITERAL_SQL[case, few], parameters)
        for number, same in _lines(text, texts, case)
    ]
    return _ranked(found, scope)[:rows]


def _case_of(texts: Sequence[str], *, any_case: bool) -> _Case:
    if not any_case or all(text.lower() == text.upper() for text in texts):
        return _Case.SAME
    return _Case.ASCII if all(map(str.isascii, texts)) else _Case.ANY


def _pattern(text: str) -> str:
    return f"%{escape_like(text)}%"


def _sieve(texts: Sequence[str], case: _Case) -> str | None:
    """What SIFTED_BY asks the index for: of the text that says most; None where none does."""
    ignore_case = case is not _Case.SAME
    needles = [Needle(text[:LONGEST], is_regex=False, ignore_case=ignore_case) for text in texts]
    if case is _Case.ASCII:
        return sieve_of(tuple(needles))
    useful = [needle.text for needle in needles if sieve_of((needle,))]
    return _pattern(max(useful, key=len)) if useful else None


def _lines(text: bytes, texts: Sequence[str], case: _Case) -> list[tuple[int, bool]]:
    """The numbers of the first lines that hold one of the texts, and whether in its case."""
    same = set(_numbers(text, [one.encode() for one in texts]))
    found = same
    if case is not _Case.SAME:
        # Lower case may be longer, but has the same lines.
        lower = text.lower() if case is _Case.ASCII else text.decode().lower().encode()
        found = same | set(_numbers(lower, [one.lower().encode() for one in texts]))
    return [(number, number in same) for number in sorted(found)[:LINES_A_FILE]]


def _numbers(text: bytes, texts: Iterable[bytes]) -> Iterator[int]:
    for one in texts:
        number, counted, at = 1, 0, text.find(one)
        for _ in range(LINES_A_FILE):
            if at < 0:
                break
            number += text.count(b"\n", counted, at)
            yield number
            counted = at
            end = text.find(b"\n", at)
            at = text.find(one, end) if end >= 0 else -1


def _ranked(found: Sequence[_Line], scope: Scope) -> list[Ranked]:
    """One row a chunk, or a file where no chunk has the line."""
    if not found:
        return []
    parameters = {
        **scope.parameters(),
        "held_repositories": array(line.file.repository_id for line in found),
        "held_files": array(line.file.file_id for line in found),
        "lines": array(line.number for line in found),
    }
    counts: Counter[tuple[FileKey, int | None]] = Counter()
    same: dict[tuple[FileKey, int | None], bool] = {}
    paths: dict[FileKey, str] = {}
    for place, chunk in run(CHUNKS_SQL, parameters):
        line = found[place - 1]
        key = (line.file, chunk)
        counts[key] += 1
        same[key] = same.get(key, False) or line.same
        paths[line.file] = line.path
    ranked = [
        Ranked(
            file.repository_id,
            file.file_id,
            chunk,
            same[file, chunk] + 1 - 1 / (1 + count),
            paths[file],
        )
        for (file, chunk), count in counts.items()
    ]
    return sorted(ranked, key=_order)


def _order(row: Ranked) -> tuple[float, str, int, int]:
    return -row.score, row.path, row.repository_id, row.chunk_id or 0
