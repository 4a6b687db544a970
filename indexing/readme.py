"""README files as safe HTML. Everything in them is hostile: an allow-list decides what stays.

No Django in this file: a child process runs `render` under a time limit (guarded.py).
"""

import posixpath
import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from bleach.html5lib_shim import Filter
from bleach.sanitizer import Cleaner
from docutils.core import publish_parts
from docutils.utils import SystemMessage
from markdown_it import MarkdownIt

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
RESTRUCTURED = (".rst", ".rest")
MAX_CHARACTERS = 100_000
# Hrefs of files in the repository; the page puts its own addresses in their place. The
# sanitiser lets no such scheme through, so it comes from here only.
OWN_SCHEME = "footnote-file:"
ID_PREFIX = "readme-"

_TAGS = frozenset([
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl",
    "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "ol",
    "p", "pre", "q", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul", "var",
])  # fmt: skip
_ATTRIBUTES = {
    "a": ["href", "title"],
    "abbr": ["title"],
    "details": ["open"],
    "img": ["src", "alt"],
    "ol": ["start"],
    "td": ["align", "colspan", "rowspan"],
    "th": ["align", "colspan", "rowspan"],
    "p": ["align"],
    "div": ["align"],
}
_PROTOCOLS = ("http", "https", "mailto")
_LEVELS = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6", "h6": "h6"}
_ACTIVE = re.compile(
    r"<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_DOCUTILS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "doctitle_xform": False,
    "initial_header_level": 1,
    "syntax_highlight": "none",
    "math_output": "LaTeX",
    "embed_stylesheet": False,
    "warning_stream": False,
    "line_length_limit": 10_000,
}

Token = dict[str, Any]


def is_prose(path: str) -> bool:
    return path.lower().endswith((*MARKDOWN, *RESTRUCTURED))


def render(text: str, path: str) -> str:
    """Safe HTML of a README by the suffix of its path; what is neither format stays as it is."""
    text = text[:MAX_CHARACTERS]
    lower = path.lower()
    if lower.endswith(MARKDOWN):
        dirty = _markdown(text)
    elif lower.endswith(RESTRUCTURED):
        dirty = _restructured(text)
    else:
        return plain(text)
    cleaner = Cleaner(
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        protocols=_PROTOCOLS,
        strip=True,
        filters=[_addresses(posixpath.dirname(path)), _Headings],
    )
    return str(cleaner.clean(_ACTIVE.sub("", dirty)))


def plain(text: str) -> str:
    return f"<pre>{escape(text[:MAX_CHARACTERS])}</pre>"


def _markdown(text: str) -> str:
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return str(reader.render(text))


def _restructured(text: str) -> str:
    try:
        parts = publish_parts(text, writer="html5", settings_overrides=_DOCUTILS)
    except SystemMessage:  # docutils gave the document up
        return plain(text)
    return str(parts["body"])


def _addresses(folder: str) -> type[Filter]:
    class Addresses(Filter):  # type: ignore[misc]
        """Links get our addresses or none; an image becomes its description."""

        def __iter__(self) -> Iterator[Token]:
            for token in super().__iter__():
                if token.get("name") == "img" and token["type"] != "EndTag":
                    yield from _described(token)
                    continue
                if token.get("name") == "a" and token["type"] == "StartTag":
                    _readdress(token, folder)
                yield token

    return Addresses


def _readdress(token: Token, folder: str) -> None:
    data = token["data"]
    # The sanitiser hands values on escaped, and the serialiser escapes what is not.
    target = own_address(unescape(data.pop((None, "href"), "")), folder)
    if target:
        data[None, "href"] = target
    if target.startswith("http"):
        data[None, "rel"] = "noopener noreferrer nofollow"


def _described(token: Token) -> Iterator[Token]:
    # Pictures are not stored, and those of other hosts would tell them who reads.
    text = unescape(token["data"].get((None, "alt"), "")).strip()
    if text:
        yield {"type": "Characters", "data": f"[{text}]"}


def own_address(href: str, folder: str) -> str:
    """What a link of a README in `folder` becomes; "" where it leads nowhere."""
    href = href.strip()
    try:
        parts = urlsplit(href)
    except ValueError:  # as of "http://["
        return ""
    if parts.scheme:
        return href if parts.scheme in _PROTOCOLS else ""
    if parts.netloc:
        return f"https:{href}"
    if not parts.path:
        return f"#{ID_PREFIX}{parts.fragment}" if parts.fragment else ""
    path = posixpath.normpath(posixpath.join("/", folder, unquote(parts.path)))
    inside = path.lstrip("/")
    line = f"#{parts.fragment}" if re.fullmatch(r"L\d+(-L\d+)?", parts.fragment) else ""
    return f"{OWN_SCHEME}{quote(inside, safe='/')}{line}"


class _Headings(Filter):  # type: ignore[misc]
    """One level down, since the page has the first; ids cannot collide with those of the page."""

    def __iter__(self) -> Iterator[Token]:
        seen: dict[str, int] = {}
        tokens = super().__iter__()
        for token in tokens:
            name = token.get("name")
            if name not in _LEVELS or token["type"] != "StartTag":
                yield token
                continue
            inside = list(_until_end(tokens, name))
            text = "".join(t["data"] for t in inside if t["type"] in {"Characters", "Entity"})
            data = {(None, "id"): _unique(_slug(text), seen)}
            yield {**token, "name": _LEVELS[name], "data": data}
            yield from inside
            yield {"type": "EndTag", "name": _LEVELS[name], "namespace": token.get("namespace")}


def _until_end(tokens: Iterator[Token], name: str) -> Iterator[Token]:
    for token in tokens:
        if token["type"] == "EndTag" and token.get("name") == name:
            return
        yield token


def _slug(text: str) -> str:
    """As code hosts make it: lower case, blanks to dashes, other signs dropped."""
    kept = re.sub(r"[^\w\- ]", "", text.strip().lower())
    return ID_PREFIX + kept.replace(" ", "-")


def _unique(slug: str, seen: dict[str, int]) -> str:
    count = seen.get(slug, 0)
    seen[slug] = count + 1
    return f"{slug}-{count}" if count else slug
