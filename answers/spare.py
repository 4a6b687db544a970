"""Extracts kept beside a running answer: shown, and said to be that, where the model fails."""

from collections.abc import Iterable
from typing import Any

from answers import saving
from answers.citations import Sent
from answers.drafts import Claim, Draft, Kind, check
from answers.models import Answer


def kept(drafts: Iterable[Draft]) -> list[dict[str, Any]]:
    return [
        {
            "text": draft.text,
            "claims": [
                [one.label, one.start_line, one.end_line, one.quote] for one in draft.claims
            ],
        }
        for draft in drafts
    ]


def show(answer: Answer) -> bool:
    """Save those that hold as the statements of the answer; False where there are none."""
    rows = {row.label: row for row in answer.evidence.all()}
    sent = {label: Sent(row.start_line, row.text.split("\n")) for label, row in rows.items()}
    drafts = [
        Draft(Kind.EXTRACT, one["text"], [Claim(*claim) for claim in one["claims"]])
        for one in answer.spare
    ]
    checked = check(drafts, sent)
    saving.save_statements(answer, checked, rows)
    return bool(checked)
