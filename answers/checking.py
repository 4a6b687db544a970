"""What is kept of a statement that a model proposed, or why nothing is. Pure.

prose    at least one citation that holds, and every name and number of it in what it cites
code     the lines themselves, one below the other as they were sent
heading  no new words: all of them in the question, or in the statement below or what it cites;
         kept only if such a statement follows
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from answers.citations import Sent, Verdict, judge_anywhere, judge_code
from answers.drafts import Checked, Citation, Claim, Draft, Kind
from answers.marks import has_markup
from answers.names import Ground, Known, unfounded
from answers.orders import orders_in, speaks_to_a_model
from answers.relevance import said_terms
from indexing.terms import tokenize

SHOWN = 5  # names that a failure lists


class Reason(StrEnum):
    UNCITED = "uncited"
    QUOTES = "quotes"
    NAMES = "names"
    MARKUP = "markup"
    ORDERS = "orders"
    CODE = "code"
    SHAPE = "shape"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a statement is not kept; `details` are names and quotes of the model's own text,
    `verdicts` those of the citations it came with, as far as they were judged."""

    reason: Reason
    details: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sent piece is from."""

    path: str
    symbol: str = ""


def _none(names: Collection[str]) -> Collection[str]:
    return ()


@dataclass(frozen=True)
class Checker:
    """Judges statements against the lines that were sent, by label."""

    sent: Mapping[str, Sent]
    places: Mapping[str, Place]
    question: str = ""
    known: Known = field(default=_none)

    def check(self, draft: Draft) -> Checked | Failed:
        if draft.kind == Kind.CODE:
            return self._code(draft)
        if has_markup(draft.text):
            return Failed(Reason.MARKUP)
        if speaks_to_a_model(draft.text):
            return Failed(Reason.ORDERS)
        if draft.kind == Kind.HEADING:
            return Checked(Kind.HEADING, draft.text, ())
        return self._prose(draft)

    def heading_fits(self, heading: Checked, below: Checked) -> bool:
        """Whether all words of the heading are in the question, or in what stands below."""
        ground = self._ground(below.citations)
        have = set(tokenize(" ".join([self.question, below.text, *ground.texts, *ground.paths])))
        return bool(said_terms(heading.text)) and set(said_terms(heading.text)) <= have

    def _prose(self, draft: Draft) -> Checked | Failed:
        if not draft.claims:
            return Failed(Reason.UNCITED)
        judged = [self._judge(claim) for claim in draft.claims]
        verdicts = tuple(map(_verdict, judged))
        citations = tuple(one for one in judged if isinstance(one, Citation))
        if not citations:
            bad = next(one for one in judged if isinstance(one, Failed))
            quotes = tuple(claim.quote for claim in draft.claims[:SHOWN])
            return replace(bad, details=quotes, verdicts=verdicts)
        missing = unfounded(draft.text, self._ground(citations), self.known)
        if missing:
            return Failed(Reason.NAMES, tuple(missing[:SHOWN]), verdicts)
        return Checked(Kind.PROSE, draft.text, _distinct(citations), verdicts)

    def _judge(self, claim: Claim) -> Citation | Failed:
        label, judged = judge_anywhere(
            claim.label, claim.quote, claim.start_line, claim.end_line, self.sent
        )
        if judged.verdict == Verdict.REJECTED:
            return Failed(Reason.QUOTES)
        if self._speaks(label, judged.start_line, judged.end_line):
            return Failed(Reason.ORDERS)
        return Citation(label, judged)

    def _code(self, draft: Draft) -> Checked | Failed:
        claim = draft.claims[0] if draft.claims else Claim("", 0, 0, "")
        found = judge_code(claim.label, draft.text, claim.start_line, self.sent)
        if found is None:
            return Failed(Reason.CODE, verdicts=(Verdict.REJECTED,))
        label, judged = found
        if self._speaks(label, judged.start_line, judged.end_line):
            return Failed(Reason.ORDERS, verdicts=(Verdict.REJECTED,))
        citation = Citation(label, judged)
        return Checked(Kind.CODE, judged.text, (citation,), (_verdict(citation),))

    def _speaks(self, label: str, first: int, last: int) -> bool:
        sent, place = self.sent[label], self.places[label]
        if speaks_to_a_model(place.path):
            return True
        return not orders_in(sent.lines, sent.start_line).isdisjoint(range(first, last + 1))

    def _quiet_lines(self, label: str) -> list[str]:
        """Without those that speak to a model: what they name carries no word of an answer."""
        sent = self.sent[label]
        orders = orders_in(sent.lines, sent.start_line)
        numbered = enumerate(sent.lines, sent.start_line)
        return [line for number, line in numbered if number not in orders]

    def _ground(self, citations: Sequence[Citation]) -> Ground:
        labels = list(dict.fromkeys(one.label for one in citations))
        texts = ["\n".join(self._quiet_lines(label)) for label in labels]
        symbols = [self.places[label].symbol for label in labels]
        numbers = {
            number
            for label in labels
            for number in range(self.sent[label].start_line, self.sent[label].end_line + 1)
        }
        paths = [self.places[label].path for label in labels]
        return Ground([*texts, *symbols], paths, numbers)


def _verdict(judged: Citation | Failed) -> Verdict:
    return judged.judged.verdict if isinstance(judged, Citation) else Verdict.REJECTED


def _distinct(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Two quotes in the same lines are one footnote."""
    found: dict[tuple[str, int, int], Citation] = {}
    for one in citations:
        found.setdefault((one.label, one.judged.start_line, one.judged.end_line), one)
    return tuple(found.values())
