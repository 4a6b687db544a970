"""How well evidence covers a question, and the floor below which nothing is claimed. Pure.

Two things must hold for an answer to be there: the repositories know the words of the
question, and one piece of evidence holds many of them together. Words weigh by rarity (idf).

    known   = weight of the words that occur in the repository of a piece / weight of all words
    held    = weight of them in the piece itself
    covered = known x max(held / weight of all, min(1, held / ENOUGH)), of the best piece
    score   = covered, plus (cosine - NEUTRAL) where the best hits have vectors

Known is a matter of one repository: several together know nearly every word.
ENOUGH is there because nobody's lines hold all words of a long question. The constants were
chosen on questions with and without an answer: `manage.py abstention`, docs/benchmarks.md.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from indexing.terms import guess_language, query_terms, raw_words, tokenize

# Chunks without any of the words that are thought beside the real ones: in a repository of
# ten chunks one missing word would otherwise outweigh all the others.
BACKGROUND = 1_000
ENOUGH = 28.0  # nats: about five words that occur in one chunk of three hundred each
NEUTRAL = 0.36  # the cosine that speaks neither for nor against an answer
FLOOR = 0.46
# Of the best piece's weight: what holds less is shown as evidence, but gives no extract.
WORTH_AN_EXTRACT = 0.4


@dataclass(frozen=True, slots=True)
class Relevance:
    """`known` is a share, where the best piece is; `weights` are those of each piece (nats)."""

    score: float
    known: float
    unknown: tuple[str, ...]
    weights: tuple[float, ...]

    @property
    def is_enough(self) -> bool:
        return self.score >= FLOOR

    def worth(self, piece: int) -> bool:
        """Whether the piece (by its place) holds enough to be quoted."""
        return self.weights[piece] >= WORTH_AN_EXTRACT * max(self.weights)


def said_terms(text: str) -> dict[str, str]:
    """The distinct terms of the words themselves, stop words aside, and the word of each.

    Words joined by a hyphen are two words: `ASCII-only` does not ask for `asciionly`.
    """
    said: dict[str, str] = {}
    for word in raw_words(text.replace("-", " ")):
        for term in tokenize(word):
            said.setdefault(term, word)
    terms = query_terms(text, language=guess_language(text))
    return {term: said[term] for term in terms if term in said and len(term) > 1}


def relevance(
    terms: Sequence[str],
    held: Sequence[Collection[str]],
    *,
    chunks: int,
    counts: Mapping[str, int],
    homes: Sequence[Collection[str]] | None = None,
    cosine: float | None = None,
) -> Relevance:
    """`held` are the terms of each piece; `counts`: in how many of the `chunks` a term is.

    `homes` are the terms that the repository of each piece has; None: those with a count.
    `cosine` is that of the question and the nearest of the best hits, None without vectors.
    """
    weights = {term: _idf(chunks, counts.get(term, 0)) for term in terms}
    total = sum(weights.values())
    if not total:
        return Relevance(0.0, 0.0, (), tuple(0.0 for _ in held))
    everywhere = {term for term in weights if counts.get(term)}
    by_piece = tuple(_weight(weights, one) for one in held)
    known = [_weight(weights, one) / total for one in homes or [everywhere] * len(held)]
    covered, known_there = max(
        (
            (share * max(weight / total, min(1.0, weight / ENOUGH)), share)
            for share, weight in zip(known, by_piece, strict=True)
        ),
        default=(0.0, _weight(weights, everywhere) / total),
    )
    score = covered if cosine is None else covered + cosine - NEUTRAL
    unknown = tuple(term for term in weights if not counts.get(term))
    return Relevance(score, known_there, unknown, by_piece)


def _weight(weights: Mapping[str, float], terms: Collection[str]) -> float:
    return sum(weight for term, weight in weights.items() if term in terms)


def _idf(chunks: int, count: int) -> float:
    without = max(chunks - count, 0) + BACKGROUND
    return math.log1p((without + 0.5) / (count + 0.5))
