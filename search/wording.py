"""What the search page says in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from search.channels import (
    IMPORTED,
    LEXICAL,
    LITERAL,
    PATH,
    SEMANTIC,
    STATEMENT_MILLISECONDS,
    SYMBOL,
)
from search.engine import SearchResult
from search.query import MAX_CHARS, Field, Note, SearchQuery

CHANNEL_LABELS: Mapping[str, Promise] = {
    SYMBOL: gettext_lazy("symbol"),
    LEXICAL: gettext_lazy("words"),
    PATH: gettext_lazy("path"),
    SEMANTIC: gettext_lazy("meaning"),
    LITERAL: gettext_lazy("exact text"),
    IMPORTED: gettext_lazy("imported"),
}
NAMED_REPOSITORIES = 5


def too_slow() -> str:
    return _(
        "The search took longer than %(seconds)d seconds and was stopped. "
        "Add a word, or narrow it with repo: or path:."
    ) % {"seconds": STATEMENT_MILLISECONDS // 1000}


def chips(query: SearchQuery) -> list[tuple[str, str]]:
    """(filter as written, the query without it)."""
    return [(str(one), query.without(one)) for one in query.filters]


def notes(result: SearchResult) -> list[str]:
    """What was done to the query, and why it may find nothing."""
    query = result.query
    said = [_NOTES[note]() for note in query.notes]
    if query.values(Field.REPOSITORY) and not result.repositories:
        said.append(_("No repository that you may see matches the repo: filter."))
    if query.is_empty and query.filters:
        said.append(_("Filters narrow a search; add a word to search for."))
    return said


_NOTES = {
    Note.CUT: lambda: _("The query was cut to its first %(n)d characters.") % {"n": MAX_CHARS},
    Note.CONTROLS: lambda: _("Control characters in the query were left out."),
}


def searched(result: SearchResult) -> str:
    """`3 repositories: a, b, c`, with at most a few names."""
    count = len(result.repositories)
    names = ", ".join(result.repositories[:NAMED_REPOSITORIES])
    more = ", …" if count > NAMED_REPOSITORIES else ""
    said = ngettext("%(n)d repository", "%(n)d repositories", count) % {"n": count}
    return f"{said}: {names}{more}" if count else said
