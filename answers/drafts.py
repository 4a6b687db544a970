"""What a writer of answers proposes, and what is left of it once every quote is judged. Pure.

Extracts are one writer, a model will be another; both go through `check`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from answers.citations import Judged, Sent, Verdict, judge, judge_exactly


class Kind(StrEnum):
    EXTRACT = "extract"
    PROSE = "prose"
    HEADING = "heading"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Claim:
    """A quote from the evidence with this label, and the lines it is said to stand in."""

    label: str
    start_line: int
    end_line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement as proposed; the text of an extract is "" where it is the quote alone."""

    kind: Kind
    text: str
    claims: Sequence[Claim]


@dataclass(frozen=True, slots=True)
class Citation:
    label: str
    judged: Judged


@dataclass(frozen=True, slots=True)
class Checked:
    """A statement that at least one accepted citation carries.

    `verdicts` are those of all citations it came with, also of those that are not kept.
    """

    kind: Kind
    text: str
    citations: tuple[Citation, ...]
    verdicts: tuple[Verdict, ...] = field(default=(), compare=False)


def check(drafts: Iterable[Draft], sent: Mapping[str, Sent]) -> list[Checked]:
    """What survives: rejected citations are dropped, and statements that have none left."""
    checked = [_check(draft, sent) for draft in drafts]
    return [one for one in checked if one.citations]


def _check(draft: Draft, sent: Mapping[str, Sent]) -> Checked:
    citations = tuple(
        Citation(claim.label, judged)
        for claim in draft.claims
        if claim.label in sent
        for judged in [_judge(draft, claim, sent[claim.label])]
        if judged.verdict != Verdict.REJECTED
    )
    return Checked(draft.kind, draft.text, citations)


def _judge(draft: Draft, claim: Claim, sent: Sent) -> Judged:
    by = judge_exactly if draft.kind == Kind.EXTRACT else judge
    return by(claim.quote, claim.start_line, claim.end_line, sent)
