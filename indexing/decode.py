"""Bytes to text, and text to lines.

Only LF ends a line: form feed, VT, NEL, U+2028 and a lone CR do not, as in git and editors.
"""

import codecs
import re
import unicodedata
from dataclasses import dataclass

from indexing.legacy_encoding import detect_legacy

REPLACEMENT = "\ufffd"
# Past both limits the bytes are no text with stray bytes in it.
MAX_REPLACED_SHARE = 0.3
MAX_REPLACED_IN_SHORT = 16
_SAMPLE = 4_096


class Undecodable(Exception):
    """The bytes are no text in any encoding that is read; `reason` is a sentence for a person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without NUL, lone surrogates or byte order mark; line endings as in the file.

    `encoding` is Python's name of it; `replaced` counts characters that stand for bytes which
    could not be decoded, `nul` those which stand for U+0000. Both became U+FFFD.
    """

    text: str
    encoding: str
    replaced: int = 0
    nul: int = 0


def decode(data: bytes) -> Decoded:
    """Decode a whole file; raises Undecodable."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise Undecodable("UTF-32 text is not read; save the file as UTF-8")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decode_utf16(data)
    body = data.removeprefix(codecs.BOM_UTF8)
    text = _try(body, "utf-8")
    if text is None:
        return _decode_broken_utf8(body, marked=len(body) < len(data))
    return _seven_bit_japanese(body) or _stored(text, "utf-8")


def split_lines(text: str) -> list[str]:
    """The lines as shown: without LF, and without the CR of a CR LF."""
    lines = text.split("\n")
    last = lines.pop()
    shown = [line.removesuffix("\r") for line in lines] if "\r" in text else lines
    return [*shown, last] if last else shown


def line_count(text: str) -> int:
    """Lines as code hosts count them; a last line without LF counts."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def _stored(text: str, encoding: str, replaced: int = 0) -> Decoded:
    nul = text.count("\x00")
    return Decoded(text.replace("\x00", REPLACEMENT) if nul else text, encoding, replaced, nul)


def _decode_utf16(data: bytes) -> Decoded:
    encoding = "utf-16-le" if data.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    text = data[2:].decode(encoding, "replace")
    sample = text[:_SAMPLE]
    odd = sum(unicodedata.category(char) in _ODD and char not in "\t\n\r\f" for char in sample)
    if odd * 20 > len(sample):
        raise Undecodable("begins like UTF-16, but what follows is no text")
    return _stored(text, encoding, _count_replaced(text, data[2:], REPLACEMENT.encode(encoding)))


_ODD = frozenset({"Cc", "Cn", "Co", "Cs"})


def _count_replaced(text: str, data: bytes, genuine: bytes) -> int:
    """How many U+FFFD the decoder put in, not the ones the file holds itself."""
    return max(text.count(REPLACEMENT) - data.count(genuine), 0) if REPLACEMENT in text else 0


def _seven_bit_japanese(data: bytes) -> Decoded | None:
    """ISO-2022-JP is ASCII to a UTF-8 decoder; its escapes give it away."""
    if b"\x1b$" not in data:
        return None
    text = _try(data, "iso2022_jp_2")
    return None if text is None else _stored(text, "iso2022_jp_2")


def _decode_broken_utf8(data: bytes, *, marked: bool) -> Decoded:
    text = data.decode("utf-8", "replace")
    replaced = _count_replaced(text, data, REPLACEMENT.encode())
    declared = _declared_encoding(data)
    mostly_utf8 = _multibyte(text, replaced) >= replaced
    if not (marked or mostly_utf8) or declared:
        for encoding in filter(None, (declared, None if mostly_utf8 else detect_legacy(data))):
            decoded = _try(data, encoding)
            if decoded is not None:
                return _stored(decoded, encoding)
    if replaced > max(MAX_REPLACED_SHARE * len(text), MAX_REPLACED_IN_SHORT):
        raise Undecodable("no known text encoding fits; save the file as UTF-8")
    return _stored(text, "utf-8", replaced)


def _multibyte(text: str, replaced: int) -> int:
    ascii_count = len(text.encode("ascii", "ignore"))
    return len(text) - ascii_count - replaced


def _try(data: bytes, encoding: str) -> str | None:
    # None, not an exception: UnicodeDecodeError carries the unscrubbed bytes.
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


# PEP 263, Emacs (coding:), Vim (fileencoding=, fenc=), XML (encoding=""), HTML (charset=).
_COOKIE = re.compile(rb"(?:coding|fenc|charset)[ \t]*[:=][ \t]*[\"']?([A-Za-z0-9._-]{2,40})")
# Only character encodings: a cookie must not reach rot13, idna, unicode_escape and the like.
_ALLOWED = re.compile(
    r"iso8859-\d+|cp\d{3,4}|koi8-[rut]|mac-\w+|(shift_jis|euc_jp)(\w+)?|euc_kr|johab|hz"
    r"|gb2312|gbk|gb18030|big5(hkscs)?|iso2022_\w+|tis-620|ptcp154|hp-roman8"
)


def _declared_encoding(data: bytes) -> str | None:
    """The encoding named in the first two or the last five lines, under Python's name."""
    head = data[:1_024].split(b"\n", 2)[:2]
    tail = data[-1_024:].split(b"\n")[-6:]
    for line in [*head, *tail]:
        if cookie := _COOKIE.search(line):
            return _python_name(cookie[1].decode("ascii"))
    return None


def _python_name(cookie: str) -> str | None:
    name = re.sub(r"-(unix|dos|mac)$", "", cookie.lower())
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return None
    return found if _ALLOWED.fullmatch(found) else None
