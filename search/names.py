"""The channels that know names: symbols, and paths. Rows as in channels.py."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any

from search.channels import ROWS, Ranked, over_files, run
from search.query import SearchQuery
from search.scope import Scope, escape_like

NAMES = 6  # of one query that are looked up
SHORT_WORDS = 5  # up to here a query may be one name written in words
SIMILAR_CHARS = 64  # longer names are looked up, not guessed
CLOSE = 1  # edits that count as a slip of the finger
NEAR = 0.4  # what a name gains that is one slip away
# Scores of the tiers of SYMBOL_SQL, less the half that a heading loses.
NAMED = 2.9
BEGUN = 1.9
MATCHES = 300  # of one name that are put in order; more of the same name are as good as these
# Rows of what begins with a name, or is one slip away: nobody reads further. Twice as many are put
# in order.
GUESSES = 100
FEW_FILES = 200
# What may be missing or wrong in a name; of a longer name only what it is made of.
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
LONG_NAME = 24
SPREAD = 0.15  # of similar names behind the best one

SUFFIXES = """
    bat c cc cfg cjs conf cpp cs css csv cxx ex exs go gradle h hh hpp html ini java js json jsx
    kt kts less lock lua md mdx mjs php pl proto ps1 py pyi rb rs rst sass scala scss sh sql
    svelte swift tf toml ts tsx txt vue xml yaml yml zig
"""

_SEPARATORS = re.compile(r"::|->|[#./:]")
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


Found = dict[Name, list[FoundSymbol]]

# What two spellings of a name share: `get_user` and `getUser`. As the index symbol_folded has it.
FOLDED = "lower(replace(y.name, '_', ''))"

# Tiers: 5 the qualified name, 4 the name, 3 but for case and underscores, 2 its beginning,
# 1 similar. Headings and keys are names of text, and stand behind the names of code.
TIERS = """
    SELECT y.repository_id, y.file_id, y.name, y.qualified_name, y.kind, y.name_line, f.path,
        y.exported, similarity(y.name, a.name) AS closeness,
        CASE
            WHEN y.qualified_name = a.qualified
                OR right(y.qualified_name, length(a.qualified) + 1) = '.' || a.qualified
            THEN CASE WHEN a.qualified = a.name THEN 4 ELSE 5 END
            WHEN y.name = a.name THEN 4
            WHEN {folded} = a.folded THEN 3
            WHEN starts_with({folded}, a.folded) THEN 2
            ELSE 1
        END AS tier
    FROM indexing_symbol y
    CROSS JOIN {file of y} AS f
    WHERE {which}
        AND (%(kinds)s::text[] IS NULL OR y.kind = ANY(%(kinds)s::text[]))
        AND y.kind <> ALL(%(not_kinds)s::text[])
    LIMIT %(most)s"""

# A name is looked up at the place of its definition: the last chunk that begins before it.
FOUND = """
/* search: {tag} */
WITH asked AS (
    SELECT *, lower(replace(name, '_', '')) AS folded
    FROM unnest(%(names)s::text[], %(qualified)s::text[], %(leasts)s::real[])
        WITH ORDINALITY AS given(name, qualified, least, number)
), matched AS (
    SELECT a.number AS asked, m.* FROM asked a CROSS JOIN LATERAL ({tiers}) AS m
), best AS (
    SELECT *, row_number() OVER (PARTITION BY asked ORDER BY tier DESC, kind IN ('heading', 'key'),
        closeness DESC, exported DESC, path, name_line, repository_id) AS place
    FROM matched
)
SELECT b.asked, b.repository_id, b.file_id, c.id, b.name, b.qualified_name, b.kind, b.name_line,
    b.path, b.tier + (b.closeness - (b.kind IN ('heading', 'key'))::int)::float8 / 2 AS score
FROM best b
LEFT JOIN LATERAL (
    SELECT c.id, c.end_line FROM indexing_chunk c
    WHERE c.repository_id = b.repository_id AND c.file_id = b.file_id
        AND c.start_line <= b.name_line
    ORDER BY c.start_line DESC
    LIMIT 1
) c ON c.end_line >= b.name_line
WHERE b.place <= %(rows)s
ORDER BY b.tier DESC, score DESC, b.exported DESC, b.path, b.name_line, b.repository_id"""


def _finding(tag: str, which: str) -> str:
    tiers = TIERS.replace("{which}", which)
    whole = FOUND.replace("{tag}", tag).replace("{tiers}", tiers).replace("{folded}", FOLDED)
    return over_files(whole)


NAMED_SQL = _finding("named; uses symbol_folded", "{folded} = a.folded")
# The operators of the index, in the order of bytes; no text stands behind the last character.
BEGUN_SQL = _finding(
    "begun; uses symbol_folded",
    "{folded} ~>~ a.folded AND {folded} ~<~ (a.folded || U&'\\+10FFFF')",
)
# In a subquery, so that the planner does not weigh every one of a thousand spellings.
SLIPPED_SQL = _finding("slipped; uses symbol_folded", "{folded} = ANY((SELECT %(slips)s)::text[])")
SIMILAR_SQL = _finding("similar; uses symbol_name_trgm", "y.name %% a.name")
# Where few files are asked, their symbols are compared one by one.
WITHIN_SQL = _finding(
    "names within files; uses symbol_file",
    """(y.repository_id, y.file_id) IN (
            SELECT * FROM unnest(%(only_repositories)s::bigint[], %(only_files)s::bigint[]))
        AND ({folded} = a.folded OR (a.least < 1
            AND (starts_with({folded}, a.folded) OR similarity(y.name, a.name) >= a.least)))""",
)
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
        row = Ranked(one.repository_id, one.file_id, one.chunk_id, one.score, one.path)
        best.setdefault((one.repository_id, one.file_id, one.chunk_id), row)
    return list(best.values())


def symbols(
    names: Sequence[Name], scope: Scope, *, rows: int = ROWS, similar: bool = False
) -> list[FoundSymbol]:
    """The symbols of each name, the best of all names first.

    What is spelled otherwise is found where one letter is wrong; with `similar`, where anything
    looks like it, which takes much longer.
    """
    if scope.only is not None and len(scope.only) <= FEW_FILES:
        found = _stage(WITHIN_SQL, names, scope, rows)
    else:
        found = _stage(NAMED_SQL, names, scope, rows)
        # Of names that differ by underscores only, `json_provider`, one finds what the other does.
        guessed = list({folded(one.name): one for one in names if one.fuzzy}.values())
        _add(found, BEGUN_SQL, guessed, scope, rows)
        for name in [one for one in guessed if not found[one]]:
            spellings = words_array(slips(folded(name.name)))
            _add(found, SLIPPED_SQL, [name], scope, rows, slips=spellings)
            if similar and not found[name]:
                run(SIMILARITY, {"least": f"{least_similarity(name):.3f}"})
                _add(found, SIMILAR_SQL, [name], scope, rows, most=MATCHES)
    best = [one for name in found for one in _closest_first(name.name, found[name])]
    return sorted(best, key=lambda one: -one.score)[:rows]


def _add(
    found: Found, statement: str, names: Sequence[Name], scope: Scope, rows: int, **more: Any
) -> None:
    """Look once more for the names that nothing is named or begins with."""
    missing = [name for name in names if not _is_named(found[name])]
    bounds = {"most": 2 * GUESSES, **more}
    for name, others in _stage(statement, missing, scope, min(rows, GUESSES), **bounds).items():
        found[name] = list(dict.fromkeys([*found[name], *others]))


def _is_named(found: Sequence[FoundSymbol]) -> bool:
    return any(one.score >= NAMED for one in found)


def _stage(statement: str, names: Sequence[Name], scope: Scope, rows: int, **more: Any) -> Found:
    """What one statement finds, by name; every name has its list."""
    found: Found = {name: [] for name in names}
    if not names:
        return found
    parameters = {
        **scope.parameters(),
        "names": [name.name for name in names],
        "qualified": [name.qualified for name in names],
        "leasts": [least_similarity(name) if name.fuzzy else 1.0 for name in names],
        "most": MATCHES,
        "rows": rows,
        **more,
    }
    for number, *row in run(statement, parameters):
        found[names[number - 1]].append(FoundSymbol(*row))
    return found


def folded(name: str) -> str:
    """As the index symbol_folded has a name."""
    return name.replace("_", "").lower()


def slips(name: str) -> list[str]:
    """Every spelling one slip away: a letter too many, too few, or wrong, two swapped."""
    letters = LETTERS if len(name) <= LONG_NAME else sorted(set(name))
    cuts = [(name[:at], name[at:]) for at in range(len(name) + 1)]
    found = {head + tail[1:] for head, tail in cuts if tail}
    found |= {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    found |= {head + letter + tail[1:] for head, tail in cuts if tail for letter in letters}
    found |= {head + letter + tail for head, tail in cuts for letter in letters}
    return sorted(found - {name})


def words_array(words: Iterable[str]) -> str:
    """Words of names as the text of an array: they hold no quotes and no backslashes."""
    quoted = '","'.join(words)
    return f'{{"{quoted}"}}'


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
    near = _near(name, found)
    rescored = [replace(one, score=one.score + NEAR) if one.name in near else one for one in found]
    rescored.sort(key=lambda one: -one.score)
    return [one for one in rescored if one.score >= rescored[0].score - SPREAD]


def _near(name: str, found: Iterable[FoundSymbol]) -> frozenset[str]:
    """The names one slip away. Many symbols have the same."""
    others = {one.name for one in found}
    asked = folded(name)
    return frozenset(other for other in others if edits(asked, folded(other)) <= CLOSE)


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
PATHS = """
/* search: {tag} */
{files}, asked AS (
    SELECT lower(part) AS part, pattern FROM unnest(%(parts)s::text[], %(patterns)s::text[])
        AS given(part, pattern)
), named AS MATERIALIZED (
    SELECT DISTINCT ON (f.repository_id, f.id) f.*, lower(f.path) AS lowered,
        split_part(lower(f.path), '/', -1) AS name
    FROM {which}
), matched AS (
    SELECT f.repository_id, f.id, f.path, (
        SELECT max(CASE
            WHEN f.lowered = a.part THEN 5
            WHEN right(f.lowered, length(a.part) + 1) = '/' || a.part THEN 4
            WHEN left(f.name, length(f.name) - strpos(reverse(f.name), '.')) = a.part THEN 3
            WHEN f.path ILIKE a.pattern THEN 2
            ELSE 1
        END + length(a.part)::float / (length(f.path) + 1))
        FROM asked a
    ) AS score
    FROM named f
    ORDER BY score DESC, f.path, f.repository_id
    LIMIT %(rows)s
)
SELECT m.repository_id, m.id, c.id, m.score, m.path
FROM matched m
LEFT JOIN LATERAL (
    SELECT c.id FROM indexing_chunk c
    WHERE c.repository_id = m.repository_id AND c.file_id = m.id
    ORDER BY c.start_line
    LIMIT 1
) c ON true
WHERE %(kinds)s::text[] IS NULL
ORDER BY m.score DESC, m.path, m.repository_id"""


def _paths(tag: str, which: str) -> str:
    return over_files(PATHS.replace("{tag}", tag).replace("{which}", which))


# The index is asked for the longest part alone: it reads every path that has any one of them. The
# planner is not to see the part, or would rather compare all paths where it takes many to have it.
TOGETHER_SQL = _paths(
    "paths; uses file_path_trgm",
    """(SELECT %(longest)s::text AS part OFFSET 0) AS a
        JOIN files f ON f.path ILIKE a.part AND f.path ILIKE ALL(%(others)s::text[])""",
)
PATH_SQL = _paths("path; uses file_path_trgm", "asked a JOIN files f ON f.path ILIKE a.pattern")
NEAR_PATH_SQL = _paths(
    "near path; uses file_path_trgm", "asked a JOIN files f ON a.part <%% f.path"
)


def path(query: SearchQuery, scope: Scope, *, rows: int = ROWS) -> list[Ranked]:
    """Files by path. One path is looked for by part; several words must all be in it."""
    parts, together = path_parts(query)
    if not parts:
        return []
    patterns = [f"%{escape_like(part)}%" for part in parts]
    longest = max(patterns, key=len)
    parameters = {
        **scope.parameters(),
        "parts": parts,
        "patterns": patterns,
        "longest": longest,
        "others": [one for one in patterns if one != longest],
        "rows": rows,
    }
    found = run(TOGETHER_SQL if together else PATH_SQL, parameters)
    if not found and len(parts) == 1 and looks_like_path(parts[0]):
        found = run(NEAR_PATH_SQL, parameters)
    return list(starmap(Ranked, found))


def path_parts(query: SearchQuery) -> tuple[list[str], bool]:
    """What to look for in paths, and whether all of it must be there."""
    words = [word.strip("`'\",;:?!()") for word in query.words.split()]
    likely = [word.removeprefix("./") for word in words if looks_like_path(word)]
    if likely:
        return list(dict.fromkeys(likely))[:NAMES], False
    plain = [word for word in words if re.search(r"\w", word) and len(word) > 1]
    return (list(dict.fromkeys(plain)), True) if len(words) <= SHORT_WORDS else ([], False)
