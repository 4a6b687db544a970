"""What came back of one call, counted while its statements are judged."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from answers.citations import Verdict
from outbound.models import ModelCall


@dataclass(slots=True)
class Came:
    """Of one reply; `call` is known once its first words are there."""

    call: ModelCall | None = None
    proposed: int = 0
    kept: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def count(self, verdicts: Sequence[Verdict], *, left_out: str = "") -> None:
        """One statement with the verdicts of its citations; `left_out` is why it is not kept."""
        self.proposed += 1
        self.verdicts.update(verdicts)
        if left_out:
            self.left_out[left_out] += 1
        else:
            self.kept += 1

    @property
    def recorded(self) -> ModelCall | None:
        """The call, if it has a row: one that is played back in an evaluation has none."""
        return self.call if self.call is not None and self.call.pk else None

    @property
    def row(self) -> dict[str, Any]:
        """Columns of answers.models.Reply."""
        return {
            "call": self.call,
            "proposed": self.proposed,
            "kept": self.kept,
            **{verdict.value: self.verdicts[verdict] for verdict in Verdict},
            "left_out": dict(self.left_out),
        }
