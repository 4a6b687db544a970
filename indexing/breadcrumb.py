"""The text that is embedded for a chunk, never shown: where it stands, then what it says."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice

from indexing.stopwords import ENGLISH
from indexing.terms import CACHE_WORDS, PARTS, raw_words

MAX_CHARS = 420  # about 100 word pieces; a model that reads 128 loses nothing
MAX_READ = 4_000  # characters of a body; its words fill MAX_CHARS long before
WORDS_AT_ONCE = 64

_KEYWORDS = """
    const def elif else end false fn func function let new nil none null private pub public
    return self static this true try var void
"""
_SKIPPED = ENGLISH | set(_KEYWORDS.split())


def embed_text(
    *,
    path: str,
    symbol: str,
    kind: str,
    signature: str,
    doc: str,
    imports: Sequence[str],
    body: str,
    max_chars: int = MAX_CHARS,
) -> str:
    """Breadcrumb and doc sentence, then the words of signature, imports used and body, once each.

    Under a heading the body is prose and keeps its sentences. `imports` are dotted or
    slashed names; one is used where its last part occurs in the body.
    """
    trail = _breadcrumb(path, symbol, kind)
    body = body[:MAX_READ]
    if kind == "heading":
        return _cut(" ".join(f"{trail}. {body}".split()), max_chars)
    head = " ".join(f"{trail}. {doc}".split())
    code = [signature, *_used(imports, body), body]
    return _cut(" ".join([head, *_new_words(code, doc, max_chars - len(head))]), max_chars)


def _breadcrumb(path: str, symbol: str, kind: str) -> str:
    """Headings hold dots of their own ("2.1 Limits") and stay in one piece."""
    names = [symbol] if kind == "heading" else symbol.split(".")
    return " > ".join([path, *filter(None, names)])


def _used(imports: Sequence[str], body: str) -> list[str]:
    if not imports:
        return []
    places = _places(tuple(imports))
    found = [places[""], *(places[word] for word in {*raw_words(body)} & places.keys())]
    return [imports[at] for at in sorted(chain.from_iterable(found))]


@lru_cache(maxsize=8)
def _places(imports: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    """Last word -> where in the imports it ends a name; "" for names that hold no word.

    Kept for the chunks of a file: a generated one has hundreds of chunks and thousands of imports.
    """
    places: dict[str, list[int]] = {"": []}
    for at, name in enumerate(imports):
        words = raw_words(name)
        places.setdefault(words[-1] if words else "", []).append(at)
    return places


class _Telling(dict[str, tuple[str, ...]]):
    """Raw word -> its parts that are neither stop words nor letters nor numbers."""

    def __missing__(self, raw: str) -> tuple[str, ...]:
        if len(self) >= CACHE_WORDS:
            self.clear()
        told = (word for word in PARTS[raw] if len(word) > 1 and word[0] > "9")
        found = self[raw] = tuple(word for word in told if word not in _SKIPPED)
        return found


_TELLING = _Telling()


def _new_words(texts: Iterable[str], said: str, room: int) -> list[str]:
    """Words in order of appearance, without repetition, stop words, letters and numbers.

    Ends when `room` characters are full: nobody would see the rest, and most bodies have more.
    """
    seen = set(chain.from_iterable(map(PARTS.__getitem__, raw_words(said))))
    fresh: list[str] = []
    words = chain.from_iterable(map(raw_words, texts))
    while some := tuple(islice(words, WORDS_AT_ONCE)):
        for word in chain.from_iterable(map(_TELLING.__getitem__, some)):
            if word not in seen:
                seen.add(word)
                fresh.append(word)
                room -= len(word) + 1
                if room < 0:
                    return fresh
    return fresh


def _cut(text: str, max_chars: int) -> str:
    """Cut at the last word boundary within max_chars."""
    if len(text) <= max_chars:
        return text
    head, _, _ = text[: max_chars + 1].rpartition(" ")
    return head or text[:max_chars]
