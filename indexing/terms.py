"""Identifier-aware terms: the same split for what is indexed and for what is asked.

A word gives its parts (`getUserById`: get, user, by, id), the letters and digits of mixed
parts (`sha256`: sha256, sha, 256) and, when it has several parts, the whole without
separators (getuserbyid). Parts and wholes are folded (case, accents) and stemmed.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import Stemmer

from indexing.records import ChunkTerms
from indexing.stopwords import ENGLISH, ENGLISH_MARKERS, PORTUGUESE, PORTUGUESE_MARKERS

TERMS_VERSION = 1

MAX_WORD = 256  # longer runs are data (base64, hashes), not words
MAX_TERM = 64
MAX_DIGITS = 10
MAX_PARTS = 24
MAX_POSITIONS = 255  # what Postgres keeps of one lexeme
MAX_VECTOR_BYTES = 900_000  # Postgres refuses a tsvector of 1 MB
SAFE_BODY = 50_000  # characters that cannot reach MAX_VECTOR_BYTES, whatever they are
CACHE_WORDS = 300_000
GUESS_FROM = 20_000  # characters

# Indic vowel signs are marks, not \w; without them every such word would fall apart.
_INDIC = "\u0900-\u0963\u0966-\u0dff"
# Scripts written without spaces (and Hangul, whose words carry endings): bigrams.
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
_WORD = re.compile(r"v?\d+(?:\.\d+)+|\w+(?:-\w+)*", re.ASCII)
_ANY_WORD = re.compile(rf"v?\d+(?:\.\d+)+|[\w{_INDIC}]+(?:-[\w{_INDIC}]+)*")
_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05bd\u064b-\u065f]")
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])\d*|[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_ANY_PART = re.compile(rf"[{_SPACELESS}]+|(?:(?![{_SPACELESS}])[^\W\d_]|[{_INDIC}])+\d*|\d+")
_SPACELESS_RUN = re.compile(rf"[{_SPACELESS}]+")
_MIXED = re.compile(r"(\D*)(\d*)")
_HEX = re.compile(r"(?=\D*\d)[0-9A-Fa-f]{16,}")
_SEPARATORS = str.maketrans("", "", "_-")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def fold(text: str) -> str:
    """Take accents and compatibility forms away; case stays, it tells the parts apart."""
    if text.isascii():
        return text
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", bare)  # puts Hangul and kana together again


def raw_words(text: str) -> list[str]:
    """The words of the text as written, accents folded, identifiers in one piece."""
    if text.isascii():
        return _WORD.findall(text)
    return _ANY_WORD.findall(fold(text))


def parts(word: str) -> list[str]:
    """The lower-case parts of one raw word, unstemmed; single letters only if alone."""
    if len(word) > MAX_WORD and not _SPACELESS_RUN.search(word):
        return []
    if word.isascii():
        found = [part.lower() for part in _PART.findall(word)]
    else:
        found = [piece for run in _ANY_PART.findall(word.casefold()) for piece in _bigrams(run)]
    return [part for part in found if len(part) > 1] or found[:1]


def _bigrams(run: str) -> list[str]:
    if not _SPACELESS_RUN.match(run) or len(run) == 1:
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _opaque(whole: str, humps: int) -> bool:
    """Hashes, UUIDs and base64 fall into many tiny parts that mean nothing."""
    return _HEX.fullmatch(whole) is not None or (len(whole) >= 16 and humps * 3 > len(whole))


def _expand(word: str) -> Iterator[str]:
    found = parts(word)
    whole = word.translate(_SEPARATORS).casefold()
    if "." in word:
        yield word.lstrip("v")[:MAX_TERM]
    elif _SPACELESS_RUN.search(word):
        yield from found
    elif _opaque(whole, len(_PART.findall(word))):
        yield from (whole,) if len(whole) <= MAX_TERM else ()
    elif found:
        for part in found[:MAX_PARTS]:
            yield from _mixed(part)
        if whole != found[0]:
            yield whole[:MAX_TERM]


def _mixed(part: str) -> Iterator[str]:
    if part.isdigit():
        if len(part) <= MAX_DIGITS:
            yield part
        return
    yield part[:MAX_TERM]
    if part[-1].isdigit() and (match := _MIXED.match(part)):
        yield from (piece for piece in match.groups() if 2 <= len(piece) < len(part))


class _Parts(dict[str, tuple[str, ...]]):
    """Raw word -> its parts; each distinct word is split once in a process."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= CACHE_WORDS:
            self.clear()
        found = self[word] = tuple(parts(word))
        return found


class _Terms(dict[str, tuple[str, ...]]):
    """Raw word -> terms; each distinct word is split and stemmed once in a process."""

    def __init__(self) -> None:
        super().__init__()
        self._stem = Stemmer.Stemmer("english", 0).stemWord

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= CACHE_WORDS:
            self.clear()
        terms = tuple(self._stem(term) for term in _expand(word))
        self[word] = terms
        return terms


class _PortugueseStems(dict[str, str]):
    """Lower-case word with its accents -> folded Portuguese stem."""

    def __init__(self) -> None:
        super().__init__()
        self._stem = Stemmer.Stemmer("portuguese", 0).stemWord

    def __missing__(self, word: str) -> str:
        if len(self) >= CACHE_WORDS:
            self.clear()
        stem = fold(self._stem(word)) if len(word) <= MAX_TERM else ""
        self[word] = stem
        return stem


PARTS = _Parts()
_TERMS = _Terms()
_PORTUGUESE = _PortugueseStems()
_ENGLISH_STOP = frozenset(term for word in ENGLISH for term in _TERMS[word])
_PORTUGUESE_STOP = frozenset(term for word in PORTUGUESE for term in _TERMS[fold(word)])


def tokenize(text: str) -> list[str]:
    """All terms of the text in order, stop words too, repeated as often as they occur."""
    return [term for word in raw_words(text) for term in _TERMS[word]]


def _count(text: str) -> Counter[str]:
    words = Counter(raw_words(text))
    counts: Counter[str] = Counter()
    for word, times in words.items():
        for term in _TERMS[word]:
            counts[term] += times
    if len(PORTUGUESE_MARKERS & words.keys()) >= 3 and guess_language(text) == "pt":
        counts.update(_portuguese_stems(text))
    return counts


def _portuguese_stems(text: str) -> list[str]:
    """The Portuguese stems that differ from the term the word has anyway."""
    words = _LETTERS.findall(unicodedata.normalize("NFC", text).lower())
    stems = ((word, _PORTUGUESE[word]) for word in words if word not in PORTUGUESE)
    return [stem for word, stem in stems if stem and (stem,) != _TERMS[fold(word)]]


@lru_cache(maxsize=4096)
def _name_counts(path: str, symbol: str) -> Counter[str]:
    return _count(f"{path} {symbol}")


def chunk_terms(*, path: str, symbol: str, doc: str, body: str) -> ChunkTerms:
    """Weigh the terms of a chunk: A path and symbol, B signature and doc sentence, D body."""
    names, doc_counts, counts = _name_counts(path, symbol), _count(doc), _count(body)
    length = names.total() + doc_counts.total() + counts.total()
    terms = list(dict.fromkeys([*names, *doc_counts, *counts]))
    if len(body) > SAFE_BODY:
        terms = _within_budget(terms, names + doc_counts + counts)
    # Most terms stand in the body only; their positions come from a table.
    labelled = names.keys() | doc_counts.keys()
    vector = " ".join(
        [
            f"'{_quoted(term)}':{_positions(names[term], doc_counts[term], counts[term])}"
            if term in labelled
            else f"'{_quoted(term)}':{_BODY_POSITIONS[min(counts[term], MAX_POSITIONS)]}"
            for term in terms
        ]
    )
    return ChunkTerms(vector=vector, length=length, terms=tuple(terms))


def _within_budget(terms: list[str], counts: Counter[str]) -> list[str]:
    """Only a chunk that is one huge line gets here; its first terms are kept."""
    used = 0
    for index, term in enumerate(terms):
        used += len(term.encode()) + 2 * min(counts[term], MAX_POSITIONS) + 4
        if used > MAX_VECTOR_BYTES:
            return terms[:index]
    return terms


def _quoted(term: str) -> str:
    """As the input syntax of tsvector wants it; words hold no quotes, so this is a safeguard."""
    if "'" in term or "\\" in term:
        return term.replace("\\", "\\\\").replace("'", "''")
    return term


@lru_cache(maxsize=16_384)
def _positions(names: int, doc: int, body: int) -> str:
    """Positions only count: 1, 2, ... for each lexeme, so none passes 16,383."""
    labels = ("A" * names + "B" * doc)[:MAX_POSITIONS]
    labels += "D" * min(body, MAX_POSITIONS - len(labels))
    return ",".join(f"{at}{label}".rstrip("D") for at, label in enumerate(labels, 1))


_BODY_POSITIONS = tuple(_positions(0, 0, count) for count in range(MAX_POSITIONS + 1))


def query_terms(text: str, *, language: str = "en") -> list[str]:
    """The terms of a question, each as often as it is said, so that they can be weighed.

    Stop and question words are left out unless nothing else is said. Two words side by
    side also ask for the identifier they make: "json provider" finds `JSONProvider`.
    """
    stop = _PORTUGUESE_STOP if language == "pt" else _ENGLISH_STOP
    terms = tokenize(text)
    if language == "pt":
        terms += _portuguese_stems(text)
    said = [term for term in terms if term not in stop] or terms
    return said + [term for term in _neighbours(text, stop) if term not in said]


def _neighbours(text: str, stop: frozenset[str]) -> list[str]:
    words = [part for word in raw_words(text) for part in parts(word)]
    joined = [
        left + right
        for left, right in pairwise(words)
        if left.isascii() and right.isascii() and stop.isdisjoint([*_TERMS[left], *_TERMS[right]])
    ]
    return list(dict.fromkeys(term for whole in joined for term in _TERMS[whole]))


def guess_language(text: str) -> str:
    """Return "pt" when Portuguese function words outnumber English ones, else "en"."""
    words = set(_LETTERS.findall(fold(text[:GUESS_FROM]).lower()))
    portuguese = len(words & PORTUGUESE_MARKERS)
    return "pt" if portuguese > len(words & ENGLISH_MARKERS) else "en"
