"""How well evidence covers a question, and the floor below which nothing is claimed. Pure.

Two things must hold for an answer to be there: the repositories know the words of the
question, and one piece of evidence holds many of them together. Words weigh by rarity (idf).

    known   = weight of the question's words that occur at all / weight of all its words
    best    = the most weight of them in one piece of evidence
    covered = known x max(best / weight of all, min(1, best / ENOUGH))
    score   = covered, plus (cosine - NEUTRAL) where the best hits have vectors

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
    """`known` is a share, `weights` are those of the terms in each piece (nats)."""

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
    cosine: float | None = None,
) -> Relevance:
    """`held` are the terms of each piece; `counts`: in how many of the `chunks` a term is.

    `cosine` is that of the question and the nearest of the best hits, None without vectors.
    """
    weights = {term: _idf(chunks, counts.get(term, 0)) for term in terms}
    total = sum(weights.values())
    if not total:
        return Relevance(0.0, 0.0, (), tuple(0.0 for _ in held))
    known = sum(weight for term, weight in weights.items() if counts.get(term)) / total
    by_piece = tuple(sum(weights[term] for term in weights if term in one) for one in held)
    best = max(by_piece, default=0.0)
    covered = known * max(best / total, min(1.0, best / ENOUGH))
    score = covered if cosine is None else covered + cosine - NEUTRAL
    unknown = tuple(term for term in weights if not counts.get(term))
    return Relevance(score, known, unknown, by_piece)


def _idf(chunks: int, count: int) -> float:
    without = max(chunks - count, 0) + BACKGROUND
    return math.log1p((without + 0.5) / (count + 0.5))
