"""Names, numbers and paths of a statement must occur where it says it has them from. Pure.

Looked for: what stands in code marks, names with the shape of code (snake_case, camelCase,
dotted, called), paths, addresses and numbers. Each must occur in the evidence of the statement,
or, for names alone, in the symbol table. Words of plain language are not looked at.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from answers.marks import spans

Known = Callable[[Collection[str]], Collection[str]]

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|\d+(?:[.,_]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:[,_]\d{3})+")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_ADDRESS = re.compile(
    r"\b[a-zA-Z][a-zA-Z0-9+.-]*://\S+|\bwww\.\S+|\bmailto:\S+|[\w.+-]+@[\w-]+\.\w[\w.-]*"
)
# A word joined by what joins words in code: . / \ : - _ and so on.
_JOINED = re.compile(r"[~.]{0,2}[/\\]?[\w$@-]+(?:(?:::|->|[./\\#:])[\w$@-]+)*/?(?:\(\))?")
_LINE_NUMBERS = re.compile(
    r"\b(?:lines?|linhas?)\s+(\d+)(?:\s*(?:-|\u2013|to|through|and|a|até|e)\s*(\d+))?",
    re.IGNORECASE,
)
_CODE_SHAPE = re.compile(
    r"\w_\w|[a-z\d][A-Z]|\(\)$|::|->|[#$\\]|^[.~]?/|^\w[\w-]*\.[A-Za-z_]\w*|[^\W\d_]\.[^\W\d_]"
)
_PLAIN_DOTTED = frozenset({"e.g", "i.e", "p.ex", "a.m", "p.m", "vs"})
# Pairs of plain words, which are no paths.
_PLAIN_SLASHED = frozenset(
    {"and/or", "e/ou", "i/o", "input/output", "read/write", "true/false", "yes/no", "on/off"}
    | {"client/server", "tcp/ip", "key/value", "request/response", "encode/decode", "start/end"}
)
_PUNCTUATION = ".,;:!?…'\"()[]{}<>\u201c\u201d\u2018\u2019*"


@dataclass(frozen=True)
class Ground:
    """What a statement may name: the lines it cites, the pieces they are in, their places."""

    texts: Sequence[str]
    paths: Sequence[str] = ()
    lines: Collection[int] = field(default_factory=frozenset)  # numbers of the cited pieces

    @cached_property
    def folded(self) -> str:
        return normal(" ".join(" ".join([*self.texts, *self.paths]).split()))

    @cached_property
    def lowered(self) -> str:
        return self.folded.lower()

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_IDENTIFIER.findall(self.folded))

    @cached_property
    def lowered_words(self) -> frozenset[str]:
        return frozenset(word.lower() for word in self.words)

    @cached_property
    def numbers(self) -> frozenset[str]:
        found: set[str] = set()
        for match in _NUMBER.finditer(self.folded):
            found |= {number_of(match[0]), *re.split(r"[,_]", match[0].lower())}
        return frozenset(found)


def unfounded(text: str, ground: Ground, known: Known) -> list[str]:
    """What the text names although neither the ground nor the symbol table holds it, in order."""
    missing: list[str] = []
    names: dict[str, str] = {}  # a name that the symbol table may know, and what it stands in
    for span in spans(normal(text)):
        found = _missing_code(span.text, ground) if span.is_code else _missing(span.text, ground)
        for name, shown, may_be_symbol in found:
            if may_be_symbol:
                names.setdefault(name, shown)
            else:
                missing.append(shown)
    have = set(known(list(names))) if names else set()
    missing += [shown for name, shown in names.items() if name not in have]
    return list(dict.fromkeys(missing))


def normal(text: str) -> str:
    """Compatibility forms folded, so that a raised two is a number and a wide letter a letter."""
    return unicodedata.normalize("NFKC", text)


def number_of(text: str) -> str:
    """`1,000` and `1_000` are 1000."""
    lowered = text.lower().rstrip(".,_")
    return re.sub("[,_]", "", lowered) if _GROUPED.fullmatch(lowered) else lowered


Missing = Iterator[tuple[str, str, bool]]


def _missing_code(code: str, ground: Ground) -> Missing:
    """A piece of code must stand there as it is, or be made of names and numbers that do."""
    folded = " ".join(code.split())
    if not folded:
        return
    if _stands_in(folded, ground.folded):
        return
    names = list(_IDENTIFIER.finditer(folded))
    numbers = _numbers_outside(folded, names)
    if not names and not numbers:
        yield folded, code, False
    if re.search(r"[/\\]", folded) or _ADDRESS.search(folded):
        yield folded, code, False
        return
    if "." in folded and _JOINED.fullmatch(folded.removesuffix("()")) and names:
        yield from _missing_dotted(folded.removesuffix("()"), code, ground)
        return
    for match in names:
        if match[0] not in ground.words:
            yield match[0], code, True
    for number in numbers:
        if number_of(number) not in ground.numbers:
            yield number, code, False


def _missing_dotted(dotted: str, shown: str, ground: Ground) -> Missing:
    """`Flask.run`: a symbol by its qualified name, or names that all stand in the ground."""
    if _stands_in(dotted, ground.folded):
        return
    parts = [part for part in re.split(r"[.:#]+|->", dotted) if part]
    if _looks_like_file(dotted) or not all(part in ground.words for part in parts):
        yield dotted, shown, True


def _looks_like_file(text: str) -> bool:
    return bool(re.fullmatch(r"[\w.-]+\.[a-z][a-z0-9]{0,5}", text))


def _missing(text: str, ground: Ground) -> Missing:
    rest = text
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_PUNCTUATION)
        if not _stands_in(address, ground.folded):
            yield address, address, False
        rest = rest.replace(match[0], " ")
    rest = _LINE_NUMBERS.sub(lambda match: _line_words(match, ground), rest)
    for match in _JOINED.finditer(rest):
        yield from _missing_word(
            match[0].rstrip(_PUNCTUATION.replace("(", "").replace(")", "")), ground
        )
    for match in _NUMBER.finditer(rest):
        if number_of(match[0]) not in ground.numbers:
            yield match[0], match[0], False


def _missing_word(word: str, ground: Ground) -> Missing:
    bare = word.removesuffix("()")
    lowered = bare.lower()
    if lowered in _PLAIN_DOTTED or lowered in _PLAIN_SLASHED or not re.search(r"[^\W\d]", bare):
        return
    if not (_CODE_SHAPE.search(word) or "/" in bare):
        return
    if lowered in ground.lowered_words or _stands_in(lowered, ground.lowered):
        return
    yield bare, word, "/" not in bare and "\\" not in bare


def _line_words(match: re.Match[str], ground: Ground) -> str:
    """Numbers of lines that were sent are known; others stay, to be looked for."""
    numbers = [int(number) for number in match.groups() if number and len(number) < 10]
    return " " if numbers and all(one in ground.lines for one in numbers) else match[0]


def _numbers_outside(text: str, names: Sequence[re.Match[str]]) -> list[str]:
    """Numbers that are no part of a name."""
    kept = list(text)
    for match in names:
        kept[match.start() : match.end()] = " " * (match.end() - match.start())
    # `0x1f` is a number although a letter is in it.
    hexes = re.findall(r"\b0[xX][0-9a-fA-F]+", text)
    plain = "".join(kept)
    return hexes + [one for one in _NUMBER.findall(plain) if not (one == "0" and hexes)]


def _stands_in(wanted: str, text: str) -> bool:
    """As whole words: `os` does not stand in `cost`."""
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        before = at > 0 and _is_word(text[at - 1]) and _is_word(wanted[0])
        after = end < len(text) and _is_word(text[end]) and _is_word(wanted[-1])
        if not before and not after:
            return True
        at = text.find(wanted, at + 1)
    return False


def _is_word(letter: str) -> bool:
    return letter == "_" or letter.isalnum()
