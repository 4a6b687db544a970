"""The explorer: home of a repository, folders, files, raw text, symbols."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import wants_fragment
from indexing import explore, home
from indexing.filepage import file_page
from indexing.places import Place, find_place, find_repository
from indexing.records import SymbolKind
from indexing.vector_status import vector_lines
from repos import paths
from repos.models import Repository

MAX_FILTER = 200
# Headings and keys are symbols too, but not what is looked for first.
CODE_KINDS = [kind.value for kind in SymbolKind if kind not in {SymbolKind.HEADING, SymbolKind.KEY}]
# Repository text must not run even where a browser guesses a type: no origin, no script.
RAW_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"
# Stand for the line numbers in the host's address until the script knows them.
HOST_START, HOST_END = 1_111_111_111, 2_222_222_222


@require_GET
@gzip_page
def repository_home(request: HttpRequest, slug: str) -> HttpResponse:
    repository = find_repository(request, slug)
    run = explore.last_run(repository)
    if repository.published_snapshot is None and not request.GET.get("at"):
        return render(request, "indexing/home_empty.html", {"repository": repository, "run": run})
    place = find_place(request, slug)
    overview = home.overview(place.snapshot)
    readme = home.readme_of(place, overview.named)
    context = place.context | {
        "run": run,
        "overview": overview,
        "readme": readme,
        "top": None if readme else explore.folder(place.snapshot, ""),
        "may_change": _may_change(request, repository),
        "vector_lines": vector_lines(repository),
    }
    return render(request, "indexing/home.html", context)


def _may_change(request: HttpRequest, repository: Repository) -> bool:
    return Repository.objects.changeable_by(request.user).filter(pk=repository.pk).exists()


@require_GET
@gzip_page
@vary_on_headers("HX-Request")
def tree(request: HttpRequest, slug: str, path: str = "") -> HttpResponse:
    place = find_place(request, slug)
    path = path.rstrip("/")
    typed = request.GET.get("filter", "")[:MAX_FILTER].replace("\x00", "")
    page = _page_number(request, "page")
    if words := typed.split():
        listing = explore.filtered(place.snapshot, path, words, page=page)
    else:
        listing = explore.folder(place.snapshot, path, page=page)
        if not listing.entries and path:
            return _file_instead(place, path)
    context = place.context | {
        "path": path,
        "parents": paths.parents(f"{path}/") if path else [],
        "listing": listing,
        "typed": typed,
        "prefix": f"{path}/" if path else "",
        "page": page,
    }
    name = "indexing/tree.html#listing" if wants_fragment(request) else "indexing/tree.html"
    return render(request, name, context)


def _file_instead(place: Place, path: str) -> HttpResponse:
    if explore.find_file(place.snapshot, path) is None:
        raise Http404(_("There is no such folder."))
    return redirect(paths.file_url(place.slug, path, at=place.at))


@require_GET
@gzip_page
def file(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    place = find_place(request, slug)
    row = explore.find_file(place.snapshot, path)
    if row is None:
        return _tree_instead(place, path)
    context = place.context | {
        "file": row,
        "path": path,
        "name": path.rsplit("/", 1)[-1],
        "parents": paths.parents(path),
        "language": explore.language_label(row.language),
        "host_page": place.host_page(row),
        "host_lines": place.host_page(row, HOST_START, HOST_END),
        "host_line": place.host_page(row, HOST_START),
    }
    content = explore.content_of(row)
    if content is None:
        return render(request, "indexing/file_left_out.html", context)
    symbols = list(explore.outline_of(row))
    number = paths.page_of(_page_number(request, "line"))
    page = file_page(row, content, symbols, number)
    context |= {"content": content, "symbols": symbols, "page": page, "is_file": True}
    return render(request, "indexing/file.html", context)


def _tree_instead(place: Place, path: str) -> HttpResponse:
    if not explore.folder(place.snapshot, path.rstrip("/")).entries:
        raise Http404(_("There is no such file."))
    return redirect(paths.tree_url(place.slug, path.rstrip("/"), at=place.at))


@require_GET
@gzip_page
def raw(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    place = find_place(request, slug)
    row = explore.find_file(place.snapshot, path)
    content = explore.content_of(row) if row else None
    if content is None:
        raise Http404(_("There is no text of this file."))
    response = HttpResponse(content.text, content_type="text/plain; charset=utf-8")
    response["Content-Security-Policy"] = RAW_POLICY
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_GET
@gzip_page
@vary_on_headers("HX-Request")
def symbols(request: HttpRequest, slug: str) -> HttpResponse:
    place = find_place(request, slug)
    typed = request.GET.get("q", "")[:MAX_FILTER].replace("\x00", "").strip()
    kind = request.GET.get("kind", "")
    kinds = [kind] if kind in list(SymbolKind) else CODE_KINDS
    page = _page_number(request, "page")
    rows = explore.symbols(place.snapshot, name=typed, kinds=kinds, page=page)
    context = place.context | {
        "rows": rows[: explore.SYMBOL_ROWS],
        "more": len(rows) > explore.SYMBOL_ROWS,
        "typed": typed,
        "kind": kind if kind in list(SymbolKind) else "",
        "kinds": [kind.value for kind in SymbolKind],
        "page": page,
    }
    name = "indexing/symbols.html#rows" if wants_fragment(request) else "indexing/symbols.html"
    return render(request, name, context)


def _page_number(request: HttpRequest, name: str) -> int:
    """A number from 1 on; anything else is the first page."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 9 and int(text) else 1
