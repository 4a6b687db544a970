"""One-line signatures, and first sentences of comments and docstrings."""

import re
from collections.abc import Iterable

MAX_CHARS = 300
READ_BYTES = 2_000  # enough of a head for a signature of MAX_CHARS
TAILS = ("{", "=>", "=", ":", ";", ",")

COMMENT_HEAD = re.compile(r"^\s*(?:/\*+!?|//[/!]*|<!--|--\[\[|--+|#+\|?|;+|\"\"\"|%+|\*+(?!\*))\s?")
COMMENT_TAIL = re.compile(r"\s*(?:\*+/|-->|\]\])\s*$")
DIRECTIVE = re.compile(
    r"^(?:!|noqa|type:|pylint|mypy:|pragma|ruff:|eslint|tslint|prettier|@ts-|nolint|go:|\+build"
    r"|rubocop|shellcheck|clang-|NOLINT|istanbul|c8 |biome|[-=*#~/_ ]+$)"
)
XML_TAG = re.compile(r"</?(?:summary|remarks|para|returns|value|see|c|p|b|i|code)\b[^<>]*>")
SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])(?:\s|$)")
ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|[A-Z])\.$")


def folded(text: str) -> str:
    """One line of at most MAX_CHARS characters, white space folded."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_CHARS else line[: MAX_CHARS - 1].rstrip() + "…"


def signature(head: bytes) -> str:
    """The head of a definition as one line, without what opens its body."""
    line = " ".join(head[:READ_BYTES].decode("utf-8", "replace").split())
    while line.endswith(TAILS):
        line = line.removesuffix("=>").rstrip(" {=:;,") if line.endswith("=>") else line[:-1]
        line = line.rstrip()
    return folded(line)


def first_sentence(text: str) -> str:
    """The first sentence of the first paragraph, white space folded."""
    paragraph: list[str] = []
    for line in text.strip().split("\n"):
        if not line.strip():
            break
        paragraph.append(line.strip())
    whole = " ".join(paragraph)
    for stop in SENTENCE_END.finditer(whole):
        if not ABBREVIATION.search(whole[: stop.start()]):
            return folded(whole[: stop.start()])
    return folded(whole)


def bare_comment(lines: Iterable[str]) -> str:
    """Comment lines without their marks, tool directives and rulers."""
    kept: list[str] = []
    for line in lines:
        bare = COMMENT_TAIL.sub("", COMMENT_HEAD.sub("", line, count=1))
        bare = XML_TAG.sub("", bare).strip()
        if not DIRECTIVE.match(bare):
            kept.append(bare)
    return "\n".join(kept).strip("\n")
