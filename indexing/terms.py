"""Identifier-aware terms: the same split for what is indexed and for what is asked.

A word gives its parts (`getUserById`: get, user, by, id), the letters and digits of mixed
parts (`sha256`: sha256, sha, 256) and, when it has several parts, the whole without
separators (getuserbyid). Parts and wholes are folded (case, accents) and stemmed.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise, repeat
from struct import Struct, pack

import Stemmer

from indexing.records import ChunkTerms
from indexing.stopwords import ENGLISH, ENGLISH_MARKERS, PORTUGUESE, PORTUGUESE_MARKERS

TERMS_VERSION = 1

MAX_WORD = 256  # longer runs are data (base64, hashes), not words
MAX_TERM = 64
MAX_DIGITS = 10
OPAQUE_FROM = 16  # characters; shorter words are never taken for hashes
MAX_PARTS = 24
MAX_POSITIONS = 255  # what Postgres keeps of one lexeme
LABEL_A, LABEL_B, LABEL_D = 3 << 14, 2 << 14, 0
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
# Most words begin with a letter that no version does: told first, they cost one look.
_WORD = re.compile(r"[A-Z_a-uw-z]\w*(?:-\w+)*|v?\d+(?:\.\d+)+|\w+(?:-\w+)*", re.ASCII)
_ANY_WORD = re.compile(rf"v?\d+(?:\.\d+)+|[\w{_INDIC}]+(?:-[\w{_INDIC}]+)*")
_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05bd\u064b-\u065f]")
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])\d*|[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_ANY_PART = re.compile(rf"[{_SPACELESS}]+|(?:(?![{_SPACELESS}])[^\W\d_]|[{_INDIC}])+\d*|\d+")
_SPACELESS_RUN = re.compile(rf"[{_SPACELESS}]+")
_MIXED = re.compile(r"(\D*)(\d*)")
_HEX = re.compile(r"(?=\D*\d)[0-9A-Fa-f]{16,}")
_count_bytes = Struct(">i").pack
_SEPARATORS = str.maketrans("", "", "_-")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def fold(text: str) -> str:
    """Take accents and compatibility forms away; case stays, it tells the parts apart."""
    if text.isascii():
        return text
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", bare)  # puts Hangul and kana together again


@lru_cache(maxsize=8)
def raw_words(text: str) -> Sequence[str]:
    """The words of the text as written, accents folded, identifiers in one piece.

    Kept for a moment: a chunk's body is read for its terms and for its embedded text.
    """
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


def _opaque(whole: str, word: str) -> bool:
    """Hashes, UUIDs and base64 fall into many tiny parts that mean nothing."""
    if len(whole) < OPAQUE_FROM:
        return False
    return _HEX.fullmatch(whole) is not None or len(_PART.findall(word)) * 3 > len(whole)


def _expand(word: str) -> Iterator[str]:
    found = parts(word)
    whole = word.translate(_SEPARATORS).casefold()
    if "." in word:
        yield word.lstrip("v")[:MAX_TERM]
    elif not word.isascii() and _SPACELESS_RUN.search(word):
        yield from found
    elif _opaque(whole, word):
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
    words = raw_words(text)
    counts = Counter(chain.from_iterable(map(_TERMS.__getitem__, words)))
    if len(PORTUGUESE_MARKERS.intersection(words)) >= 3 and guess_language(text) == "pt":
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
    terms = list(dict.fromkeys(chain(names, doc_counts, counts)))
    weighed = len(names.keys() | doc_counts.keys())  # so many of the terms, and the first ones
    if len(body) > SAFE_BODY:
        terms = _within_budget(terms, names + doc_counts + counts)
    first, rest = terms[:weighed], terms[weighed:]
    counted = [map(found.get, first, repeat(0)) for found in (names, doc_counts, counts)]
    # Most terms stand in the body only: a lexeme from one table, its positions from another.
    in_body = map(_BODY_POSITIONS.__getitem__, map(counts.__getitem__, rest))
    positions = chain(map(_positions, *counted), in_body)
    fields = zip(map(_LEXEMES.__getitem__, terms), positions, strict=True)
    vector = b"".join((_count_bytes(len(terms)), *chain.from_iterable(fields)))
    return ChunkTerms(vector=vector, length=length, terms=tuple(terms))


def _within_budget(terms: list[str], counts: Counter[str]) -> list[str]:
    """Only a chunk that is one huge line gets here; its first terms are kept."""
    used = 0
    for index, term in enumerate(terms):
        used += len(term.encode()) + 2 * min(counts[term], MAX_POSITIONS) + 4
        if used > MAX_VECTOR_BYTES:
            return terms[:index]
    return terms


@lru_cache(maxsize=16_384)
def _positions(names: int, doc: int, body: int) -> bytes:
    """As tsvectorrecv reads them: how many, then each with its label in the two highest bits.

    Positions only count: 1, 2, ... for each lexeme, so none passes 16,383.
    """
    labels = ([LABEL_A] * names + [LABEL_B] * doc)[:MAX_POSITIONS]
    labels += [LABEL_D] * min(body, MAX_POSITIONS - len(labels))
    return pack(f">{len(labels) + 1}H", len(labels), *(at | of for at, of in enumerate(labels, 1)))


class _BodyPositions(dict[int, bytes]):
    """How often a term stands in the body -> its positions there."""

    def __missing__(self, count: int) -> bytes:
        found = self[count] = _positions(0, 0, min(count, MAX_POSITIONS))
        return found


class _Lexemes(dict[str, bytes]):
    """Term -> the bytes of its lexeme, which end in NUL; words hold none."""

    def __missing__(self, term: str) -> bytes:
        if len(self) >= CACHE_WORDS:
            self.clear()
        found = self[term] = term.encode() + b"\0"
        return found


_BODY_POSITIONS = _BodyPositions()
_LEXEMES = _Lexemes()


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
