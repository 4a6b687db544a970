"""`manage.py search`: what the search page finds, over all repositories."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from repos.models import Repository, RepositoryQuerySet
from search import wording
from search.channels import CHANNELS, QueryTooSlow
from search.engine import FileHit, SearchResult, search_in
from search.exact import slices
from search.exact_output import as_json as as_exact_json
from search.exact_output import texts_of
from search.exact_query import ExactQuery, parse_exact
from search.regex import PatternRefused


class Command(BaseCommand):
    help = "Search the indexed repositories, whoever may see them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("query")
        parser.add_argument("--repository", action="append", metavar="SLUG")
        parser.add_argument("--limit", type=int, default=10, metavar="FILES")
        parser.add_argument("--offset", type=int, default=0, metavar="FILES")
        parser.add_argument("--channel", action="append", choices=CHANNELS)
        parser.add_argument("--at", default="", metavar="COMMIT")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        asked = None if options["channel"] else parse_exact(options["query"])
        if asked:
            self._look(asked, options)
            return
        result = self._search(options)
        shown = json.dumps(as_json(result), indent=2) if options["json"] else as_text(result)
        self.stdout.write(shown)

    def _look(self, asked: ExactQuery, options: dict[str, Any]) -> None:
        """Lines of a pattern or of exact text, written as they are found."""
        found = slices(_repositories(options), asked, at=options["at"])
        limit = max(options["limit"], 1)
        try:
            if options["json"]:
                self.stdout.write(json.dumps(as_exact_json(list(found), limit=limit), indent=2))
                return
            for text in texts_of(found, limit=limit):
                self.stdout.write(text)
                self.stdout.flush()
        except PatternRefused as error:
            raise CommandError(str(error)) from error

    def _search(self, options: dict[str, Any]) -> SearchResult:
        try:
            return search_in(
                _repositories(options),
                options["query"],
                limit=max(options["limit"], 1),
                offset=max(options["offset"], 0),
                channels=options["channel"],
                at=options["at"],
            )
        except QueryTooSlow as error:
            raise CommandError(wording.too_slow()) from error


def _repositories(options: dict[str, Any]) -> RepositoryQuerySet:
    names: list[str] = options["repository"] or []
    return _named(names) if names else Repository.objects.all()


def _named(names: list[str]) -> RepositoryQuerySet:
    """By slug or name. Raises CommandError for a name that nothing has."""
    rows = Repository.objects.filter(slug__in=names) | Repository.objects.filter(name__in=names)
    known = {word for pair in rows.values_list("slug", "name") for word in pair}
    if missing := sorted(set(names) - known):
        raise CommandError(f"There is no repository named {', '.join(missing)}.")
    return rows


def as_text(result: SearchResult) -> str:
    lines = [*wording.notes(result)]
    for hit in result.hits:
        lines += _hit_lines(hit)
    lines.append(f"{result.total} files, {result.chunks} places, {result.milliseconds} ms")
    if result.nearest:
        names = ", ".join(one.qualified_name for one in result.nearest)
        lines.append(f"Nearest symbols: {names}")
    return "\n".join(lines)


def _hit_lines(hit: FileHit) -> list[str]:
    by = ", ".join(str(wording.CHANNEL_LABELS[channel]) for channel in hit.channels)
    shown = [line for window in hit.windows for line in window.lines]
    return [
        f"{hit.repository}: {hit.path}  [{by}]  {hit.symbol}".rstrip(),
        *(f"{line.number:>7}{'>' if line.marks else ' '} {line.text}" for line in shown),
        "",
    ]


def as_json(result: SearchResult) -> dict[str, Any]:
    query = result.query
    return {
        "query": query.text,
        "terms": list(dict.fromkeys(query.terms)),
        "filters": [str(one) for one in query.filters],
        "notes": wording.notes(result),
        "repositories": list(result.repositories),
        "files": result.total,
        "chunks": result.chunks,
        "offset": result.offset,
        "milliseconds": result.milliseconds,
        "hits": [_hit_json(hit) for hit in result.hits],
        "nearest": [
            {"name": one.qualified_name, "kind": one.kind, "path": one.path, "line": one.line}
            for one in result.nearest
        ],
    }


def _hit_json(hit: FileHit) -> dict[str, Any]:
    """`lines` hold the literal text; `line` is where to look first."""
    return {
        "repository": hit.repository,
        "commit": hit.commit,
        "path": hit.path,
        "language": hit.language,
        "symbol": hit.symbol,
        "line": hit.line,
        "score": round(hit.score, 6),
        "channels": list(hit.channels),
        "lines": list(hit.matched_lines),
        "symbols": [
            {"name": one.qualified_name, "kind": one.kind, "line": one.line} for one in hit.defines
        ],
        "chunks": [
            {"start": place.start_line, "end": place.end_line, "symbol": place.symbol}
            for place in hit.hits
        ],
        "windows": [
            {
                "start": window.start,
                "end": window.end,
                "lines": [
                    {"number": line.number, "text": line.text, "marks": list(line.marks)}
                    for line in window.lines
                ],
            }
            for window in hit.windows
        ],
    }
