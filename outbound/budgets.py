"""What may be spent in a day (UTC): by everybody, by one person, on one repository."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Limit:
    """0 stands for no limit."""

    tokens: int
    cost: Decimal  # USD

    @property
    def is_set(self) -> bool:
        return bool(self.tokens or self.cost)


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls that still run count with what they are expected to take."""

    tokens: int
    cost: Decimal  # of the calls whose price is known
    unpriced: int = 0  # calls whose price is unknown


def check(
    *, person: User | None, repositories: Sequence[int], tokens: int, cost: Decimal | None
) -> None:
    """Raises failures.OverBudget where so much more would exceed a budget."""
