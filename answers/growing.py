"""An answer that grows: statement by statement, each shown pending, compared, then checked.

The stored files are read once, while the model speaks: what is compared with them after its last
word is in memory, and what is left are two short transactions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from answers import claims
from answers.drafts import Checked
from answers.models import Answer, Citation, Evidence
from answers.saving import save_statements
from answers.stored import stands, stored_lines
from outbound.models import ModelCall


@dataclass(slots=True)
class Growing:
    """The statements of one claimed answer that has none yet; `evidence` by its labels."""

    answer: Answer
    evidence: Mapping[str, Evidence]
    _last: int = 0  # ordinal of the statement that stands at the end
    _stored: dict[int, list[str]] = field(default_factory=dict)

    def read_stored(self) -> None:
        """The files of the evidence as they are stored; those of a snapshot never change."""
        for row in self.evidence.values():
            if row.pk not in self._stored:
                self._stored[row.pk] = stored_lines(row)

    def add(self, checked: Sequence[Checked], call: ModelCall | None = None) -> bool:
        """Show statements that hold against what was sent, then compare them with the stored files.

        False, and they are gone again, where no citation of the last one stands in its file.
        """
        self.read_stored()
        pending = Citation.Verdict.PENDING
        with claims.writing(self.answer):
            rows = save_statements(
                self.answer, checked, self.evidence, after=self._last, verdict=pending, call=call
            )
        judged = [one.judged for statement in checked for one in statement.citations]
        holds = [self._stands(row) for row in rows]
        with claims.writing(self.answer):
            for row, one, is_there in zip(rows, judged, holds, strict=True):
                row.verdict = one.verdict if is_there else Citation.Verdict.REJECTED
            Citation.objects.bulk_update(rows, ["verdict"])
            if not any(holds):
                self.answer.statements.filter(ordinal__gt=self._last).delete()
        if any(holds):
            self._last += len(checked)
        return any(holds)

    def _stands(self, row: Citation) -> bool:
        return stands(row.quote, self._stored[row.evidence_id], row.start_line, row.end_line)
