"""The channels that know names: symbols, and paths. Rows as in channels.py."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from search.channels import ROWS, Ranked, over_files, run
from search.query import SearchQuery
from search.scope import Scope, escape_like

NAMES = 6  # of one query that are looked up
SHORT_WORDS = 5  # up to here a query may be one name written in words
SIMILAR_CHARS = 64  # longer names are looked up, not guessed
CLOSE = 1  # edits that count as a slip of the finger
# Scores of the tiers of SYMBOL_SQL, less the half that a heading loses.
NAMED = 2.9
BEGUN = 1.9
SPREAD = 0.15  # of similar names behind the best one

SUFFIXES = """
    bat c cc cfg cjs conf cpp cs css csv cxx ex exs go gradle h hh hpp html ini java js json jsx
    kt kts less lock lua md mdx mjs php pl proto ps1 py pyi rb rs rst sass scala scss sh sql
    svelte swift tf toml ts tsx txt vue xml yaml yml zig
"""

_SEPARATORS = re.compile(r"::|->|[#./:]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_FILE_NAME = re.compile(r"[\w.@~+-]*\.[A-Za-z][\w+-]{0,9}")
_NAME = re.compile(r"[^\W\d][\w$!?]*|[^\W\d]\w*(?:-\w+)+")


@dataclass(frozen=True, slots=True)
class Name:
    """`qualified` joins by "." as the symbol table does; `fuzzy`: similar names count too."""

    name: str
    qualified: str
    fuzzy: bool


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    repository_id: int
    file_id: int
    chunk_id: int | None
    name: str
    qualified_name: str
    kind: str
    line: int
    path: str
    score: float


# Tiers: 5 the qualified name, 4 the name, 3 but for case and underscores, 2 its beginning,
# 1 similar. Headings and keys are names of text, and stand behind the names of code.
SYMBOL_SQL = over_files("""
/* search: symbol */
{files}, matched AS (
    SELECT y.repository_id, y.file_id, y.name, y.qualified_name, y.kind, y.name_line, f.path,
        y.exported, similarity(y.name, %(name)s) AS closeness,
        CASE
            WHEN y.qualified_name = %(qualified)s
                OR right(y.qualified_name, length(%(qualified)s) + 1) = '.' || %(qualified)s
            THEN CASE WHEN %(qualified)s = %(name)s THEN 4 ELSE 5 END
            WHEN y.name = %(name)s THEN 4
            WHEN lower(replace(y.name, '_', '')) = lower(replace(%(name)s, '_', '')) THEN 3
            WHEN y.name ILIKE %(prefix)s THEN 2
            ELSE 1
        END AS tier
    FROM indexing_symbol y
    JOIN files f ON f.repository_id = y.repository_id AND f.id = y.file_id
    WHERE (y.name %% %(name)s OR y.name ILIKE %(prefix)s OR y.name ILIKE %(other)s)
        AND (%(kinds)s::text[] IS NULL OR y.kind = ANY(%(kinds)s::text[]))
        AND y.kind <> ALL(%(not_kinds)s::text[])
), best AS (
    SELECT * FROM matched
    WHERE tier >= %(least)s
    ORDER BY tier DESC, kind IN ('heading', 'key'), closeness DESC, exported DESC,
        path, name_line, repository_id
    LIMIT %(rows)s
)
SELECT b.repository_id, b.file_id, c.id, b.name, b.qualified_name, b.kind, b.name_line, b.path,
    b.tier + (b.closeness - (b.kind IN ('heading', 'key'))::int)::float8 / 2 AS score
FROM best b
LEFT JOIN indexing_chunk c ON c.repository_id = b.repository_id AND c.file_id = b.file_id
    AND b.name_line BETWEEN c.start_line AND c.end_line
ORDER BY b.tier DESC, score DESC, b.exported DESC, b.path, b.name_line, b.repository_id""")

SIMILARITY = "SELECT set_config('pg_trgm.similarity_threshold', %(least)s, true)"


def names_in(query: SearchQuery) -> list[Name]:
    """The names a query may mean: its code-like tokens; all of it where it is short."""
    words = query.words.split() or [word for phrase in query.phrases for word in phrase.split()]
    short = len(words) <= SHORT_WORDS
    found = [_name_of(token, fuzzy=short) for token in query.code]
    plain = [word.strip("`'\"()[]{},;:?!.") for word in words] if short else []
    if len(plain) == 1:
        found.append(_name_of(plain[0], fuzzy=True))
    elif plain and not query.code:
        whole = re.sub(r"\W+", "_", " ".join(plain)).strip("_")
        found += [_name_of(whole, fuzzy=True), _name_of(whole.replace("_", ""), fuzzy=True)]
    named = [name for name in found if name and len(name.name) > 1]
    return list({name.qualified.lower(): name for name in reversed(named)}.values())[::-1][:NAMES]


def _name_of(token: str, *, fuzzy: bool) -> Name | None:
    token = re.sub(r"\(.*$|^[@$&*-]+", "", token)
    pieces = [piece for piece in _SEPARATORS.split(token) if piece]
    if not pieces or not _NAME.fullmatch(pieces[-1]) or looks_like_path(token):
        return None
    return Name(pieces[-1], ".".join(pieces), fuzzy and len(pieces[-1]) <= SIMILAR_CHARS)


def looks_like_path(text: str) -> bool:
    """`a/b`, `setup.cfg`; not `app.run`, which may be either and is looked up as both."""
    if " " in text.strip() or not text.strip("/."):
        return False
    suffix = text.rpartition(".")[2].lower()
    return "/" in text or (bool(_FILE_NAME.fullmatch(text)) and suffix in _FILE_SUFFIXES)


_FILE_SUFFIXES = frozenset(SUFFIXES.split())


def symbol(query: SearchQuery, scope: Scope, *, rows: int = ROWS) -> list[Ranked]:
    """Definitions by name, qualified name or the beginning of one; similar names behind."""
    found = symbols(names_in(query), scope, rows=rows)
    best: dict[tuple[int, int, int | None], Ranked] = {}
    for one in found:
        row = Ranked(one.repository_id, one.file_id, one.chunk_id, one.score)
        best.setdefault((one.repository_id, one.file_id, one.chunk_id), row)
    return list(best.values())


def symbols(names: Sequence[Name], scope: Scope, *, rows: int = ROWS) -> list[FoundSymbol]:
    """The symbols of each name, the best of all names first."""
    found = [one for name in names for one in _symbols_of(name, scope, rows)]
    return sorted(found, key=lambda one: -one.score)[:rows]


def _symbols_of(name: Name, scope: Scope, rows: int) -> list[FoundSymbol]:
    run(SIMILARITY, {"least": f"{least_similarity(name):.3f}"})
    parameters = {
        **scope.parameters(),
        "name": name.name,
        "qualified": name.qualified,
        "prefix": escape_like(name.name) + ("%" if name.fuzzy else ""),
        "other": escape_like(other_spelling(name.name)),
        "least": 1 if name.fuzzy else 3,
        "rows": rows,
    }
    found = [FoundSymbol(*row) for row in run(SYMBOL_SQL, parameters)]
    return _closest_first(name.name, found)


def other_spelling(name: str) -> str:
    """`get_user` of `getUser` and the other way round: trigrams see no likeness in them."""
    if "_" in name.strip("_"):
        return name.replace("_", "")
    return _HUMP.sub("_", name).lower()


def least_similarity(name: Name) -> float:
    """What two swapped letters leave of the trigrams of a name of this length."""
    size = len(name.name)
    return max((size - 3) / (size + 5) - 0.02, 0.1) if name.fuzzy else 0.95


def _closest_first(name: str, found: list[FoundSymbol]) -> list[FoundSymbol]:
    """Similar names count only where nothing is named so; those one slip away come first."""
    named = [one for one in found if one.score >= NAMED]
    begun = [one for one in found if one.score >= BEGUN]
    if named or begun:
        return named or begun
    rescored = sorted((_with_edits(name, one) for one in found), key=lambda one: -one.score)
    return [one for one in rescored if one.score >= rescored[0].score - SPREAD]


def _with_edits(name: str, one: FoundSymbol) -> FoundSymbol:
    near = edits(name.lower(), one.name.lower()) <= CLOSE
    fields: dict[str, Any] = {key: getattr(one, key) for key in FoundSymbol.__slots__}
    return FoundSymbol(**{**fields, "score": one.score + 0.4 * near})


def edits(left: str, right: str, *, most: int = 3) -> int:
    """Edits between two names, a swap of neighbours counting once; `most` where too many."""
    if abs(len(left) - len(right)) >= most:
        return most
    before, row = [0] * (len(right) + 1), list(range(len(right) + 1))
    for at, letter in enumerate(left, 1):
        older, before, row = before, row, [at]
        for to, other in enumerate(right, 1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != other))
            if at > 1 and to > 1 and letter == right[to - 2] and left[at - 2] == other:
                cost = min(cost, older[to - 2] + 1)
            row.append(cost)
    return min(row[-1], most)


# `part` is one asked text: the whole path, its end, its file name, its stem, or any part.
PATH_SQL = over_files("""
/* search: path */
{files}, asked AS (
    SELECT lower(part) AS part, pattern FROM unnest(%(parts)s::text[], %(patterns)s::text[])
        AS given(part, pattern)
), matched AS (
    SELECT f.repository_id, f.id, f.path, max(CASE
        WHEN lower(f.path) = a.part THEN 5
        WHEN right(lower(f.path), length(a.part) + 1) = '/' || a.part THEN 4
        WHEN regexp_replace(lower(f.path), '^.*/|\\.[^./]*$', '', 'g') = a.part THEN 3
        WHEN f.path ILIKE a.pattern THEN 2
        ELSE 1
    END + length(a.part)::float / (length(f.path) + 1)) AS score
    FROM files f
    JOIN asked a ON f.path ILIKE a.pattern OR (%(fuzzy)s AND lower(a.part) <%% f.path)
    GROUP BY f.repository_id, f.id, f.path
    HAVING count(DISTINCT a.part) >= %(least)s
    ORDER BY score DESC, f.path, f.repository_id
    LIMIT %(rows)s
)
SELECT m.repository_id, m.id, c.id, m.score
FROM matched m
LEFT JOIN indexing_chunk c ON c.repository_id = m.repository_id AND c.file_id = m.id
    AND c.ordinal = 0
WHERE %(kinds)s::text[] IS NULL
ORDER BY m.score DESC, m.path, m.repository_id""")


def path(query: SearchQuery, scope: Scope, *, rows: int = ROWS) -> list[Ranked]:
    """Files by path. One path is looked for by part; several words must all be in it."""
    parts, together = path_parts(query)
    if not parts:
        return []
    parameters = {
        **scope.parameters(),
        "parts": parts,
        "patterns": [f"%{escape_like(part)}%" for part in parts],
        "least": len(parts) if together else 1,
        "fuzzy": len(parts) == 1 and looks_like_path(parts[0]),
        "rows": rows,
    }
    return [Ranked(*row) for row in run(PATH_SQL, parameters)]


def path_parts(query: SearchQuery) -> tuple[list[str], bool]:
    """What to look for in paths, and whether all of it must be there."""
    words = [word.strip("`'\",;:?!()") for word in query.words.split()]
    likely = [word.removeprefix("./") for word in words if looks_like_path(word)]
    if likely:
        return list(dict.fromkeys(likely))[:NAMES], False
    plain = [word for word in words if re.search(r"\w", word) and len(word) > 1]
    return (list(dict.fromkeys(plain)), True) if len(words) <= SHORT_WORDS else ([], False)
