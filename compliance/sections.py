"""The sections of the console: one row each, for the navigation and for the front page."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User


@dataclass(frozen=True)
class Count:
    """A number on the front page. `query` leads to exactly what it counts: `?state=open`."""

    label: str
    number: int
    query: str = ""


def no_counts() -> list[Count]:
    return []


@dataclass(frozen=True)
class Section:
    url_name: str
    label: str | Promise
    about: str | Promise
    counts: Callable[[], list[Count]] = no_counts
    administrators: bool = False  # officers and auditors do not see it


# In the order of the navigation.
SECTIONS: tuple[Section, ...] = (
    Section(
        "search:evaluations",
        _("Evaluations"),
        _("How good search is on questions whose files are known."),
        administrators=True,
    ),
    Section(
        "accounts:people",
        _("People"),
        _("Who may sign in, with which role and in which groups."),
        administrators=True,
    ),
)


def sections_for(user: User) -> list[Section]:
    """Those that `user`, who may enter the console, can open."""
    return [s for s in SECTIONS if user.is_administrator or not s.administrators]
