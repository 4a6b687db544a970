"""What the search page says in words."""

from collections.abc import Mapping, Sequence

from django.contrib.humanize.templatetags.humanize import intcomma
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
from search.exact import SHOWN_FILES, TOTAL_SECONDS, Slice, Stopped
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
    said += _unmatched(query, result.repositories)
    if query.is_empty and query.filters:
        said.append(_("Filters narrow a search; add a word to search for."))
    return said


def _unmatched(query: SearchQuery, repositories: Sequence[str]) -> list[str]:
    if not query.values(Field.REPOSITORY) or repositories:
        return []
    return [_("No repository that you may see matches the repo: filter.")]


def exact_notes(found: Slice) -> list[str]:
    query = found.query.query
    said = [_NOTES[note]() for note in query.notes]
    if found.files > SHOWN_FILES and not found.more:
        said.append(_("The first %(n)d files are shown.") % {"n": SHOWN_FILES})
    return said + _unmatched(query, found.repositories)


def counted(found: Slice) -> str:
    """`12 lines in 3 files`, and why it is not all."""
    values = {
        "lines": _lines(found),
        "files": _files(found.files),
        "left": _files(found.left),
        "seconds": round(TOTAL_SECONDS),
        "ms": intcomma(found.milliseconds),
    }
    return _counted(found) % values


def _counted(found: Slice) -> str:
    if found.stopped == Stopped.LINES:
        return _(
            "More than %(lines)s in %(files)s; counting ended there. Narrow it with repo:, "
            "path: or lang:."
        )
    if found.stopped == Stopped.TIME:
        return _(
            "Stopped after %(seconds)d seconds: %(lines)s in %(files)s so far, %(left)s not "
            "searched. Narrow it with repo:, path: or lang:, or add letters to the pattern."
        )
    if found.more:
        return _("%(lines)s in %(files)s so far; %(left)s still to search …")
    if not found.files:
        return _("No line found, %(ms)s ms.")
    return _("%(lines)s in %(files)s, %(ms)s ms")


def _lines(found: Slice) -> str:
    said = ngettext("%(n)s line", "%(n)s lines", found.lines)
    return said % {"n": intcomma(found.lines)}


def _files(count: int) -> str:
    return ngettext("%(n)s file", "%(n)s files", count) % {"n": intcomma(count)}


def cursor_refused() -> str:
    return _("The address of these results is incomplete; search again.")


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
