"""Text -> what must be found as it stands: `/regex/`, `/regex/i`, `"exact"`, with `case:yes|no`.

A query is exact where it holds a pattern or `case:`, or quoted text alone; other queries are
search/query.py's. Pure: whether a pattern is a good one is search/regex.py's to say.
"""

from dataclasses import dataclass, replace

from search.query import MAX_PHRASES, Field, SearchQuery, parse_query, take_excluded

NOT_FIRST = " /*"  # `// note`, `/* note */` and `a / b / c` are text
SPACES = "\t\n\v\f\r "


@dataclass(frozen=True, slots=True)
class Needle:
    """One text or pattern that a file must hold."""

    text: str
    is_regex: bool
    ignore_case: bool


@dataclass(frozen=True, slots=True)
class ExactQuery:
    """A file must hold every needle; its lines that hold any of them are the result.

    `query` carries the filters and the text as it was typed.
    """

    query: SearchQuery
    needles: tuple[Needle, ...]


def parse_exact(raw: str) -> ExactQuery | None:
    """None where the query is one for words and names, or where nothing is looked for."""
    whole = parse_query(raw)
    patterns, rest = take_patterns(whole.text)
    query = replace(parse_query(rest), text=whole.text, notes=whole.notes)
    if patterns and not query.excluded:  # `-word` beside a pattern is not alone
        words, excluded = take_excluded(query.words, alone=False)
        query = replace(query, words=words, excluded=excluded)
    case = _case_of(query)
    if not (patterns or case is not None or (query.phrases and not query.words)):
        return None
    texts = [*query.phrases, *query.words.split()][:MAX_PHRASES]
    needles = [Needle(text, is_regex=True, ignore_case=i or case is False) for text, i in patterns]
    needles += [Needle(text, is_regex=False, ignore_case=not case) for text in texts]
    return ExactQuery(query, tuple(dict.fromkeys(needles))) if needles else None


def _case_of(query: SearchQuery) -> bool | None:
    """The last `case:` counts; `-case:yes` is `case:no`."""
    said = [one for one in query.filters if one.field is Field.CASE]
    return (said[-1].value.lower() == "yes") != said[-1].negated if said else None


def take_patterns(text: str) -> tuple[list[tuple[str, bool]], str]:
    """(pattern, ignore case) pairs, and the text without them; what is in quotes stays."""
    patterns: list[tuple[str, bool]] = []
    kept: list[str] = []
    at = 0
    while at < len(text):
        if len(patterns) < MAX_PHRASES and (found := _pattern_at(text, at)):
            pattern, ignore_case, at = found
            patterns.append((pattern, ignore_case))
            continue
        quote = text.find('"', at + 1) if text[at] == '"' else -1
        after = max(quote, at) + 1
        kept.append(text[at:after])
        at = after
    return patterns, "".join(kept).strip()


def _pattern_at(text: str, start: int) -> tuple[str, bool, int] | None:
    """A word that begins with `/` and ends with `/` or `/i`; where the text goes on."""
    if text[start] != "/" or (start and text[start - 1] not in SPACES):
        return None
    end = _closing(text, start + 1, classes=True) or _closing(text, start + 1, classes=False)
    if end <= start + 1 or text[start + 1] in NOT_FIRST:
        return None
    ignore_case = text[end + 1 : end + 2] == "i"
    after = end + 1 + ignore_case
    if text[after : after + 1] not in ("", *SPACES):
        return None
    return text[start + 1 : end], ignore_case, after


def _closing(text: str, at: int, *, classes: bool) -> int:
    """Where the next `/` is that is not escaped nor, with `classes`, in brackets; 0: nowhere."""
    inside = False
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter == "/" and not inside:
            return at
        elif classes and letter == "[":
            inside = True
        elif letter == "]":
            inside = False
        at += 1
    return 0
