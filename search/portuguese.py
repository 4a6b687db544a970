"""A question in Portuguese -> the English words that code would use. Pure; no model.

Words of portuguese.txt are found whatever their ending, accents and spelling (`exceções`,
`excepção`); phrases count before words. A word that is not there may be a cognate, known by
its ending (`migração`: migration). Names and English words stay as they are.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import Stemmer

from indexing.stopwords import ENGLISH_MARKERS, PORTUGUESE
from indexing.terms import fold, guess_language, tokenize

GLOSSARY = Path(__file__).with_name("portuguese.txt")
# Beside the words as they were said: the likeliest translation, each further one, a cognate.
FIRST = 0.8
COGNATE = 0.5
FURTHER = 0.5  # of these, for each further word
LONGEST_PHRASE = 4
LEAST_SURE = 6  # letters, without accents: shorter words may be English or names
LEAST_COGNATE = 6  # letters: shorter words that look alike mean something else

Entries = Mapping[tuple[str, ...], tuple[str, ...]]

_IN_PASSING = """
    algum alguma algumas alguns alguém antes assim cada caso certo coisa comigo dentro demais
    deve devem dever digo dizer dois duas durante então fazer faz fazem fazendo feita feitas
    feito feitos fora forma fosse gostaria haver houver igualmente ir jeito lado maneira modo
    nada nenhum nenhuma nunca onde outra outras outro outros ora parte partir poder posso pouco
    preciso precisa próprio quaisquer qualquer quanta quantas quantos quero saber seguir seja
    sejam sempre sendo serem sido somente talvez tanto todavia três tudo vai vão vem vêm ver vez
    vezes vir
"""
_WORD = re.compile(r"\w+(?:[-.]\w+)*")
_PLAIN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Endings that English words do not have; with and without the accents.
_ENDING = re.compile(r"\w(?:ção|ções|cao|coes|são|sões|ões|ão)\b", re.IGNORECASE)
# Spelling before the reform, and in Portugal: acção, directório, excepção.
_SILENT = re.compile(r"c(?=[tc])|p(?=[tc])")
_PLURALS = (("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ns", "m"), ("s", ""))
_COGNATES = (
    ("izacao", "ization"),
    ("cao", "tion"),
    ("sao", "sion"),
    ("dade", "ty"),
    ("encia", "ence"),
    ("ancia", "ance"),
    ("mento", "ment"),
    ("logia", "logy"),
    ("izar", "ize"),
    ("ificar", "ify"),
    ("avel", "able"),
    ("ivel", "ible"),
    ("ario", "ary"),
    ("orio", "ory"),
    ("ico", "ic"),
    ("ica", "ic"),
    ("ivo", "ive"),
    ("iva", "ive"),
    ("oso", "ous"),
    ("ismo", "ism"),
    ("ista", "ist"),
    ("ante", "ant"),
    ("ente", "ent"),
    ("ador", "ator"),
    ("ura", "ure"),
    ("o", ""),
)


# Nouns of actions: `empacotamento` is known where `empacotar` is.
_ACTIONS = (("acao", "ar"), ("icao", "ir"), ("amento", "ar"), ("imento", "er"), ("imento", "ir"))


@dataclass(frozen=True, slots=True)
class English:
    """`text` says the question word by word, `terms` are index terms and their weights."""

    text: str
    terms: tuple[tuple[str, float], ...]


def is_portuguese(text: str) -> bool:
    """By function words; a few words without any by their endings or by the glossary."""
    if guess_language(text) == "pt":
        return True
    if ENGLISH_MARKERS & set(re.findall(r"\w+", text.lower())):
        return False
    return bool(_ENDING.search(text)) or _is_known(_WORD.findall(text))


def _is_known(words: list[str]) -> bool:
    """At least half of the words are Portuguese alone, and one is no chance likeness."""
    said = {word for word in words if not _says_nothing(word)}
    known = [word for word in said if _PLAIN.fullmatch(word) and _is_told_apart(word)]
    sure = any(not word.isascii() or len(word) >= LEAST_SURE for word in known)
    return sure and 2 * len(known) >= len(said)


def _is_told_apart(word: str) -> bool:
    """`resolver` is an English word of the same root, and tells nothing."""
    english = glossary()[0].get((_spelt(word),), ())
    own = set(tokenize(word))
    return bool(english) and all(own.isdisjoint(tokenize(one)) for one in english)


def in_english(text: str) -> English:
    words, weights = [], dict[str, float]()
    for said, found, weight in _translated(text):
        words.append(said)
        for place, word in enumerate(found):
            share = weight if place == 0 else weight * FURTHER
            for term in tokenize(word):
                weights[term] = max(weights.get(term, 0.0), share)
    return English(" ".join(words), tuple(weights.items()))


def _translated(text: str) -> Iterator[tuple[str, tuple[str, ...], float]]:
    """(word of the text, English words, weight) of each word or phrase.

    What stays as it is weighs nothing. A cognate is a guess: it is looked for, not said, for
    a word that does not exist leads the meaning of a sentence astray.
    """
    words = _WORD.findall(text)
    place = 0
    while place < len(words):
        length, found = _longest(words[place : place + LONGEST_PHRASE])
        if found:
            yield found[0], found, FIRST
        elif not _says_nothing(words[place]):
            guessed = cognate(words[place])
            yield words[place], (guessed,) if guessed else (), COGNATE
        place += length


def _longest(words: list[str]) -> tuple[int, tuple[str, ...]]:
    """How many of the words from the first one make an entry, and its English words."""
    for length in range(len(words), 1, -1):
        found = _entry(words[:length])
        if found:
            return length, found
    if _says_nothing(words[0]) or not _PLAIN.fullmatch(words[0]):
        return 1, ()
    verbs = ([verb] for verb in _verbs(words[0]))
    return 1, next(filter(None, map(_entry, ([words[0]], *verbs))), ())


def _entry(words: list[str]) -> tuple[str, ...]:
    exact, stemmed = glossary()
    return exact.get(tuple(map(_spelt, words))) or stemmed.get(tuple(map(_stem, words)), ())


def _says_nothing(word: str) -> bool:
    return fold(word).lower() in _NOTHING


def _verbs(noun: str) -> Iterator[str]:
    bare = singular(noun)
    for ending, verb in _ACTIONS:
        if bare.endswith(ending):
            yield bare.removesuffix(ending) + verb


@lru_cache(maxsize=1)
def glossary() -> tuple[Entries, Entries]:
    """English words by the words of an entry and by their stems; the first entry counts."""
    exact: dict[tuple[str, ...], tuple[str, ...]] = {}
    stemmed: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        left, right = line.split(" = ")
        for entry in left.split(", "):
            english = tuple(right.split(", "))
            exact.setdefault(tuple(map(_spelt, entry.split())), english)
            stemmed.setdefault(tuple(map(_stem, entry.split())), english)
    return exact, stemmed


_NOTHING = frozenset(map(fold, {*PORTUGUESE, *_IN_PASSING.split()}))
_STEMMER = Stemmer.Stemmer("portuguese")


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(_spelt(word)))


def _spelt(word: str) -> str:
    return _SILENT.sub("", singular(word))


def singular(word: str) -> str:
    """Lower case, no accents, and the singular where the ending tells."""
    bare = fold(word).lower()
    for ending, one in _PLURALS:
        if bare.endswith(ending) and len(bare) > len(ending) + 2:
            return bare.removesuffix(ending) + one
    return bare


def cognate(word: str) -> str:
    """The English word of the same root, "" where no ending tells."""
    bare = singular(word)
    if len(bare) < LEAST_COGNATE or not _PLAIN.fullmatch(word):
        return ""
    for ending, english in _COGNATES:
        if bare.endswith(ending):
            return bare.removesuffix(ending) + english
    return ""
