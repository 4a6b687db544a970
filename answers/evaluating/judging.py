"""A model's opinion of an answer beside the one it should be. It changes nothing but a figure."""

import json

from answers import llm
from answers.models import Answer, Citation, Statement
from answers.protocol import MOST_TEXT
from outbound.asking import SentRange
from outbound.failures import ModelFailed

MOST_ANSWER = 20 * MOST_TEXT  # characters of the whole answer
SCORES = range(5)


def score(answer: Answer, question: str, reference: str) -> int | None:
    """0 to 4; None where the judge fails or says something else. Raises nothing."""
    rows = answer.statements.prefetch_related("citations__evidence__repository")
    parts: list[str] = []
    sent: list[SentRange] = []
    for statement in rows.order_by("ordinal"):
        cited = list(statement.citations.all())
        is_lines = statement.kind in {Statement.Kind.EXTRACT, Statement.Kind.CODE}
        parts += [statement.text] if statement.text else [one.quote for one in cited]
        sent += [_range(one) for one in cited] if is_lines else []
    said = "\n".join(parts)[:MOST_ANSWER] or "(no answer)"
    text = "\n".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in (("Question", question), ("Reference", reference), ("Answer", said))
    )
    try:
        reply = llm.judge(text, subject=f"evaluation:{answer.pk}", sent=sent)
    except ModelFailed:
        return None
    return read(reply)


def _range(one: Citation) -> SentRange:
    row = one.evidence
    return SentRange(
        row.repository_id,
        row.repository.slug,
        row.commit,
        row.path,
        one.start_line,
        one.end_line,
    )


def read(reply: str) -> int | None:
    start, end = reply.find("{"), reply.rfind("}")
    try:
        found = json.loads(reply[start : end + 1], strict=False) if start >= 0 else None
    except (ValueError, RecursionError):
        return None
    value = found.get("score") if isinstance(found, dict) else None
    is_score = isinstance(value, int) and not isinstance(value, bool) and value in SCORES
    return value if is_score else None
