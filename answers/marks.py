"""The only markup a statement may have: code marks. Everything else of it is plain text. Pure.

What a model writes is never read as HTML or Markdown; no link of it becomes one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
# Controls, and what turns or hides text: directions, joiners, tags, lone surrogates.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--|<[!?][a-zA-Z]")
_LINK = re.compile(r"!?\[[^\]\n]*\]\s*[(\[][^)\]\n]*[)\]]|^\s*\[[^\]\n]+\]:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    is_code: bool = False


def spans(text: str) -> Iterator[Span]:
    """The text in order, cut where code marks are; a mark that is not closed is text."""
    at = 0
    for match in _CODE.finditer(text):
        if match.start() > at:
            yield Span(text[at : match.start()])
        yield Span(match[2].strip() or match[2], is_code=True)
        at = match.end()
    if at < len(text):
        yield Span(text[at:])


def outside_code(text: str) -> str:
    """What is left when each code mark is a space."""
    return _CODE.sub(" ", text)


def has_markup(text: str) -> bool:
    """Whether HTML, a Markdown link or an image stands outside code marks."""
    plain = outside_code(text)
    return bool(_TAG.search(plain) or _LINK.search(plain))


def one_line(text: str) -> str:
    """Prose as it is kept: one line, no hidden characters, no bold marks outside code marks."""
    line = " ".join(visible(text).split())
    return "".join(
        f"`{span.text}`" if span.is_code else _BOLD.sub(r"\2", span.text) for span in spans(line)
    )


def visible(text: str) -> str:
    """Without characters that do not show; tabs and line ends stay."""
    return _HIDDEN.sub("", text)
