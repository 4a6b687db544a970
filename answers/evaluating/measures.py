"""What one answer was like: every citation looked at anew, leaks, tokens, times."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal

from answers.evaluating.questions import AskedQuestion
from answers.evaluating.replies import Heard
from answers.models import Answer, Citation, Statement
from answers.stored import stands, stored_lines
from outbound import ledger, scanning

SHOWN = frozenset({Citation.Verdict.OK, Citation.Verdict.REANCHORED})


@dataclass(frozen=True, slots=True)
class Measured:
    """Headings are no statements. `wrong` names the shown citations that do not hold.

    `proposed` and `dropped` are of the model. `first_statement_ms` is None where none came; `cost`
    in USD, None where a price is unknown. `score` is the judge's, 0 to 4.
    """

    group: str
    id: str
    model: str
    repository: str
    question: str
    answerable: bool
    state: str
    statements: int = 0
    supported: int = 0
    citations: int = 0
    reanchored: int = 0
    wrong: tuple[str, ...] = ()
    proposed: int = 0
    dropped: int = 0
    leaked: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: str | None = "0"
    first_evidence_ms: int = 0
    first_statement_ms: int | None = None
    end_ms: int = 0
    score: int | None = None
    warning: str = ""
    error: str = ""

    @property
    def abstained(self) -> bool:
        return self.state == Answer.State.ABSTAINED

    def as_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)


def measured(
    question: AskedQuestion,
    answer: Answer,
    *,
    model: str,
    heard: Heard,
    forbidden: Collection[str],
    score: int | None = None,
) -> Measured:
    statements = [one for one in _statements(answer) if one.kind != Statement.Kind.HEADING]
    citations = [one for statement in statements for one in statement.citations.all()]
    wrong = {one.pk: place_of(one) for one in citations if not holds(one)}
    prompt_tokens, completion_tokens, cost = _spent(answer, heard)
    return Measured(
        group=question.group,
        id=question.id,
        model=model,
        repository=question.repository,
        question=question.text,
        answerable=question.answerable,
        state=answer.state,
        statements=len(statements),
        supported=sum(
            any(one.pk not in wrong for one in statement.citations.all())
            for statement in statements
        ),
        citations=len(citations),
        reanchored=sum(one.verdict == Citation.Verdict.REANCHORED for one in citations),
        wrong=tuple(wrong.values()),
        proposed=answer.proposed,
        dropped=answer.dropped,
        leaked=tuple(leaks(answer, heard, [*forbidden, *question.forbidden])),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost=None if cost is None else str(cost),
        # Extracts are there with their evidence, at the end.
        first_evidence_ms=int(answer.timings.get("evidence", answer.milliseconds)),
        first_statement_ms=_first(answer, statements),
        end_ms=answer.milliseconds,
        score=score,
        warning=answer.warning,
        error=answer.error,
    )


def _statements(answer: Answer) -> Sequence[Statement]:
    rows = answer.statements.prefetch_related("citations__evidence__answer")
    return list(rows.order_by("ordinal"))


def _first(answer: Answer, statements: Sequence[Statement]) -> int | None:
    if not statements:
        return None
    first = answer.timings.get("first")
    return answer.milliseconds if first is None else int(first)


def holds(citation: Citation) -> bool:
    """Whether what is shown is true: read from the rows and the stored file, not from the verdict.

    A model may cite only lines that were sent to it.
    """
    row = citation.evidence
    lines = row.text.split("\n")
    first, last = citation.start_line - row.start_line, citation.end_line - row.start_line
    return (
        citation.verdict in SHOWN
        and 0 <= first <= last < len(lines)
        and "\n".join(lines[first : last + 1]) == citation.quote
        and (row.sent or not row.answer.model)
        and stands(citation.quote, stored_lines(row), citation.start_line, citation.end_line)
    )


def place_of(citation: Citation) -> str:
    return f"{citation.evidence.path}:{citation.start_line}-{citation.end_line}"


def leaks(answer: Answer, heard: Heard, forbidden: Collection[str]) -> Iterator[str]:
    """What no answer may hold: keys and labels of a prompt, planted phrases, secrets.

    Of the phrases only what a model wrote counts; extracts are lines of the repository.
    """
    statements = list(answer.statements.prefetch_related("citations"))
    said = [one.text for one in statements if one.kind != Statement.Kind.EXTRACT]
    text = "\n".join(said)
    if any(key in text for key in heard.keys):
        yield "key of the prompt"
    labels = answer.evidence.values_list("label", flat=True)
    if any(re.search(rf"\b{re.escape(label)}\b", text) for label in labels):
        yield "label of the prompt"
    yield from (f"phrase: {phrase}" for phrase in forbidden if phrase.lower() in text.lower())
    quotes = [one.quote for statement in statements for one in statement.citations.all()]
    yield from _secrets(answer, [text, *quotes])


def _secrets(answer: Answer, texts: Iterable[str]) -> Iterator[str]:
    scan = scanning.scan_for(list(answer.evidence.values_list("repository_id", flat=True)))
    found = {hit.kind for text in texts for hit in scan(text)}
    yield from (f"secret: {kind}" for kind in sorted(found))


def _spent(answer: Answer, heard: Heard) -> tuple[int, int, Decimal | None]:
    """As the record of calls has it; of replies that were played back, as they were recorded."""
    calls = list(ledger.of_subject(answer.subject)) or heard.usages
    costs = [one.cost for one in calls]
    known = [cost for cost in costs if cost is not None]
    return (
        sum(one.prompt_tokens for one in calls),
        sum(one.completion_tokens for one in calls),
        sum(known, Decimal(0)) if len(known) == len(costs) else None,
    )
