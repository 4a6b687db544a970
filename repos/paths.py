"""Addresses of files: the one place that knows how a path becomes a part of an address.

A path may hold anything but NUL. Its identity in addresses is `File.path`, the text that is
shown; Django's `reverse` percent-encodes it once and the server decodes it once.
"""

from urllib.parse import urlencode

from django.urls import register_converter, reverse

PAGE_LINES = 1000  # lines of a file on one page; an anchor beyond it needs ?line= as well


class SlugConverter:
    regex = r"[\w.-]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class FilePathConverter(SlugConverter):
    # Django's own `path` stops at a line feed, which a file name may hold; no name holds NUL.
    regex = r"[^\x00]+"


register_converter(SlugConverter, "repo")
register_converter(FilePathConverter, "file")


def page_of(line: int) -> int:
    """The page, counted from 1, on which a line of a file stands."""
    return max(line - 1, 0) // PAGE_LINES + 1


def file_url(
    slug: str, path: str, *, start: int | None = None, end: int | None = None, at: str = ""
) -> str:
    """The page of a file, at its lines `start` to `end`; `at` is the commit of a snapshot."""
    line = start if start is not None and page_of(start) > 1 else None
    return (
        reverse("indexing:file", args=[slug, path]) + query(line=line, at=at) + anchor(start, end)
    )


def tree_url(slug: str, path: str = "", *, at: str = "") -> str:
    if not path:
        return reverse("indexing:tree_root", args=[slug]) + query(at=at)
    return reverse("indexing:tree", args=[slug, path]) + query(at=at)


def raw_url(slug: str, path: str, *, at: str = "") -> str:
    return reverse("indexing:raw", args=[slug, path]) + query(at=at)


def query(**values: str | int | None) -> str:
    """`?a=1&b=2` of the values that are set, or nothing."""
    kept = {name: value for name, value in values.items() if value}
    return f"?{urlencode(kept)}" if kept else ""


def anchor(start: int | None, end: int | None = None) -> str:
    if start is None:
        return ""
    return f"#L{start}" if end is None or end == start else f"#L{start}-L{end}"


def parents(path: str) -> list[tuple[str, str]]:
    """(name, path) of each folder above `path`, outermost first."""
    names = path.split("/")[:-1]
    return [(name, "/".join(names[: i + 1])) for i, name in enumerate(names)]
