"""Text as a person types or pastes it -> SearchQuery. Never fails: what is no filter is text.

1. Filters (`repo:`, `path:`, `lang:`, `kind:`, each with `-` before it or not) are taken out.
2. `"a phrase"` must occur as written; `-word` and `-"a phrase"` must not.
3. Everything else is words to look for: an open quote, a lone `-`, `->next`, `-n`, `--flag`.
"""

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from indexing.terms import query_terms, tokenize
from search.changes import words_of_change
from search.portuguese import English, in_english, is_portuguese

MAX_CHARS = 1000
MAX_TERMS = 80
MAX_CODE = 12
MAX_FILTERS = 20
MAX_PHRASES = 8
LITERAL_CHARS = 200
LITERAL_WORDS = 8


class Field(StrEnum):
    REPOSITORY = "repo"
    PATH = "path"
    LANGUAGE = "lang"
    KIND = "kind"
    CASE = "case"  # yes or no; what it does is exact_query.py's


class Note(StrEnum):
    """What was changed in the text before it was searched."""

    CUT = "cut"
    CONTROLS = "controls"


@dataclass(frozen=True, slots=True)
class Filter:
    field: Field
    value: str
    negated: bool = False

    def __str__(self) -> str:
        value = f'"{self.value}"' if re.search(r"\s", self.value) else self.value
        return f"{'-' * self.negated}{self.field}:{value}"


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """`text` is the whole query, cut; `words` what is left of it without filters and exclusions.

    `terms` are index terms, `code` the tokens that look like code, a path or a flag.
    `literal` is the text to find as it stands, "" where that makes no sense; plain words
    are looked for only in files with all of `literal_terms`, which is much cheaper.
    A question in Portuguese has its words in `english` too, and their terms with weights in
    `translated`.
    """

    text: str = ""
    words: str = ""
    terms: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    literal: str = ""
    literal_terms: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    english: str = ""
    translated: tuple[tuple[str, float], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Nothing to look for; filters alone remove rows, they find none."""
        return not (self.words or self.phrases)

    @property
    def weights(self) -> dict[str, float]:
        """What each term counts: as often as it is said; less where it is a translation."""
        said = Counter(self.terms)
        return {**dict(self.translated), **said}

    def values(self, field: Field, *, negated: bool = False) -> list[str]:
        return [one.value for one in self.filters if (one.field, one.negated) == (field, negated)]

    def without(self, removed: Filter) -> str:
        """The query text with one filter taken out."""
        return " ".join(_FILTER.sub(lambda m: _drop(m, removed), self.text).split())


_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_FILTER = re.compile(
    r"(?<!\S)(?P<minus>-?)(?P<field>repo|path|lang|kind|case(?=:(?:yes|no)(?!\S))):"
    r'(?:"(?P<quoted>[^"]+)"(?!\S)|(?P<plain>[^\s"]\S*))',
    re.IGNORECASE,
)
_PHRASE = re.compile(r'(?<!\S)(?P<minus>-?)"(?P<phrase>[^"]*[^"\s][^"]*)"(?!\S)')
# A single letter is a flag (`-n`), not a word to leave out.
_EXCLUDED = re.compile(r"(?<!\S)-(?P<word>[^\W\d_][\w.]+)(?!\S)")
_WORD = re.compile(r"\w")
_QUOTED = re.compile(r"`([^`\s][^`]*)`")
_EDGES = ".,;:!?'\"()[]{}<>`"
_CODE = re.compile(
    r"""
    [^\W\d_]*[a-z0-9][A-Z]\w*        # getUser, HTTPServerError, x2Y
    | \w*[^\W_]_\w+ | _\w+           # snake_case, _private
    | [A-Z]{1,6}-?\d{2,6}            # E1120, RFC-2616
    | --?\w[\w-]*                    # --flag
    | [\w$@~-]+(?:(?:\.|::|->|\#)[\w$]+)+   # a.b, a::b, setup.cfg
    | \.?[\w.@~-]*(?:/[\w.@*~-]+)+/?    # a/b.py
    | \.\w[\w.-]+                    # .gitignore
    | @\w+
    """,
    re.VERBOSE,
)
_CALLED = re.compile(r"[\w.:$]+")
_LETTER = re.compile(r"[^\W_]")
_CALL = re.compile(r"\([^()\s]*\)$")
# What prose holds as well as code; anything else makes a short query worth a look as it stands.
_PROSE_MARKS = re.compile(r"(?<=\w)(?:'s\b|[-,?!.](?=\s|$)|-(?=\w))")
_MARKS = re.compile(r"[^\w\s]|_")


def parse_query(raw: str) -> SearchQuery:
    text, notes = _clean(raw)
    filters, rest = _take_filters(text)
    phrases, excluded, rest = _take_phrases(rest)
    words = _squeeze(rest)
    kept, left_out = take_excluded(words, alone=not phrases)
    portuguese = is_portuguese(kept)
    english = in_english(kept) if portuguese else English("", ())
    terms = _terms(" ".join([kept, *phrases]), "pt" if portuguese else "en")
    literal, held = ("", ()) if phrases else _literal(kept, terms)
    return SearchQuery(
        text=text,
        words=kept,
        terms=tuple(terms),
        code=tuple(_code_tokens(kept)),
        phrases=phrases,
        excluded=(*excluded, *left_out),
        filters=filters,
        literal=literal,
        literal_terms=held,
        notes=notes,
        english=english.text,
        translated=english.terms[:MAX_TERMS],
    )


def _clean(raw: str) -> tuple[str, tuple[Note, ...]]:
    notes: list[Note] = []
    text = _CONTROLS.sub(" ", raw[: MAX_CHARS * 4])
    if text != raw[: MAX_CHARS * 4]:
        notes.append(Note.CONTROLS)
    text = _squeeze(text)
    if len(text) > MAX_CHARS or len(raw) > MAX_CHARS * 4:
        notes.append(Note.CUT)
        text = text[:MAX_CHARS].rstrip()
    return text, tuple(notes)


def _squeeze(text: str) -> str:
    return re.sub(r"[\t\n\v\f\r]+", " ", text).strip()


def _take_filters(text: str) -> tuple[tuple[Filter, ...], str]:
    found = [_filter_of(match) for match in _FILTER.finditer(text)]
    rest = _cut_out(_FILTER, text) if found else text
    return tuple(dict.fromkeys(found[:MAX_FILTERS])), rest


def _cut_out(pattern: re.Pattern[str], text: str) -> str:
    return re.sub(r" {2,}", " ", pattern.sub(" ", text)).strip()


def _filter_of(match: re.Match[str]) -> Filter:
    value = match["quoted"] or match["plain"]
    return Filter(Field(match["field"].lower()), value, negated=bool(match["minus"]))


def _drop(match: re.Match[str], removed: Filter) -> str:
    return " " if _filter_of(match) == removed else match.group()


def _take_phrases(text: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    found = list(_PHRASE.finditer(text))[:MAX_PHRASES]
    wanted = tuple(match["phrase"] for match in found if not match["minus"])
    unwanted = tuple(match["phrase"] for match in found if match["minus"])
    return wanted, unwanted, _cut_out(_PHRASE, text) if found else text


def take_excluded(words: str, *, alone: bool) -> tuple[str, tuple[str, ...]]:
    """`-word` counts only where something is left to look for: `-radius` alone is text."""
    found = tuple(match["word"] for match in _EXCLUDED.finditer(words))
    rest = _squeeze(_EXCLUDED.sub(" ", words)) if found else words
    return (rest, found) if rest or not alone else (words, ())


def _terms(text: str, language: str) -> list[str]:
    if not text.strip():
        return []
    left_out = words_of_change(text)
    terms = query_terms(text, language=language)
    return ([term for term in terms if term not in left_out] or terms)[:MAX_TERMS]


def _literal(words: str, terms: list[str]) -> tuple[str, tuple[str, ...]]:
    """The text to find as it stands: marks without any word, pasted code, a few words."""
    if not terms:
        return words, ()
    count = len(words.split())
    if len(words) > LITERAL_CHARS or count > LITERAL_WORDS:
        return "", ()
    if _MARKS.search(_PROSE_MARKS.sub(" ", words)):
        return words, ()
    held = tuple(dict.fromkeys(tokenize(words)))
    # One plain word is a name; scripts without spaces write whole sentences in one.
    return (words, held) if count > 1 or not words.isascii() else ("", ())


def _code_tokens(words: str) -> list[str]:
    found = dict.fromkeys(match[1].strip() for match in _QUOTED.finditer(words))
    for word in words.split():
        bare = word.strip(_EDGES) if not word.startswith(".") else word.rstrip(_EDGES)
        bare = _CALL.sub("", bare)
        called = word.rstrip(".,;:!?").endswith("()") and _CALLED.fullmatch(bare)
        if called or _CODE.fullmatch(bare):
            found[bare] = None
    return [token for token in found if _LETTER.search(token)][:MAX_CODE]
