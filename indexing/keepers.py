"""Who may ask for snapshots to be kept: apps to the right add their function when they are ready.

A file of its own without models, so that an app can import it before Django knows the tables.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from repos.models import Repository

# Gives the numbers of snapshots of a repository that must stay.
Keeper = Callable[["Repository"], Iterable[int]]
KEEPERS: list[Keeper] = []
