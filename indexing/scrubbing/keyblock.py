"""Private key blocks: PEM and PGP in any wrapping, PuTTY files.

The BEGIN and END lines stay readable; every piece of the body goes, whether its lines are real
lines, escapes in one string, quoted pieces joined by `+`, indented or commented.
"""

import re
from collections.abc import Iterator

from indexing.scrubbing.matches import Match, Rank

_LONGEST = 64 * 1024
# Blanks may be written for an address (`%20`, `+`); SSH2 has four dashes and a blank (RFC 4716).
_BLANK = r"(?: |%20|\+)"
_BEGIN = re.compile(
    rf"----(?:-|{_BLANK})BEGIN{_BLANK}[A-Z0-9 %+]{{0,60}}?PRIVATE{_BLANK}KEY"
    rf"(?:{_BLANK}BLOCK)?(?:-|{_BLANK})----"
)
_END = re.compile(rf"----(?:-|{_BLANK})END")
_BEGIN_REACH = 72
_BODY_LEAST = 40  # base64 characters; an Ed25519 key in PKCS #8 has 64
_HEADER = re.compile(r"[ \t#/*\"'+>|]*[A-Za-z][A-Za-z-]{2,24}: [^\r\n]*")
# An escape, a one-letter string prefix, or a run of base64.
_PIECE = re.compile(r"\\+[nrt]|\b[bBrRfFuULc](?=[\"'])|([A-Za-z0-9+/=]+)")
_LAST = re.compile(r"[ \t#/*\"'+>|]*([A-Za-z0-9+/]{1,64}={1,2})[\"',;\\nr+ \t]*")
_PUTTY = re.compile(r"Private-Lines: ([0-9]{1,4})\r?\n")
_PUTTY_LINE = re.compile(r"[A-Za-z0-9+/=]{1,80}(?=\r?\n|$)")


def key_blocks(text: str, hit: int) -> Iterator[Match]:
    """The block whose BEGIN line holds the words `PRIVATE KEY` at offset `hit`."""
    begin = _BEGIN.search(text, max(0, hit - _BEGIN_REACH), hit + 44)
    if begin is None:
        return
    limit = min(len(text), begin.end() + _LONGEST)
    other = text.find("-BEGIN", begin.end(), limit)
    limit = other if other >= 0 else limit
    end = _END.search(text, begin.end(), limit)
    start = begin.end()
    spans = _pieces(text, start, end.start()) if end else _unclosed(text, start, limit)
    if sum(e - s for s, e in spans) >= _BODY_LEAST:
        yield Match("private_key", tuple(spans), Rank.KEY_BLOCK, "high", published=True)


def putty_key(text: str, hit: int) -> Iterator[Match]:
    """The private lines of a PuTTY key file; their number stands in the header line."""
    head = _PUTTY.match(text, hit)
    if head is None:
        return
    spans: list[tuple[int, int]] = []
    at = head.end()
    for _ in range(int(head[1])):
        line = _PUTTY_LINE.match(text, at)
        if line is None:
            break
        spans.append(line.span())
        at = text.find("\n", line.end()) + 1 or len(text)
    if spans:
        yield Match("putty_private_key", tuple(spans), Rank.KEY_BLOCK, "high", published=True)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for a, b in _lines(text, start, end):
        if _HEADER.fullmatch(text, a, b):
            continue
        spans += [
            piece.span(1)
            for piece in _PIECE.finditer(text, a, b)
            if piece[1] and any(c.isalnum() or c == "=" for c in piece[1])
        ]
    return spans


def _unclosed(text: str, start: int, limit: int) -> list[tuple[int, int]]:
    """Without an END line: the lines that follow for as long as they look like base64."""
    spans: list[tuple[int, int]] = []
    for number, (a, b) in enumerate(_lines(text, start, limit)):
        long = [p.span(1) for p in _PIECE.finditer(text, a, b) if p[1] and len(p[1]) >= 16]
        short = _LAST.fullmatch(text, a, b) if spans else None
        if long:
            spans += long
        elif short:
            spans.append(short.span(1))
        elif number and not _HEADER.fullmatch(text, a, b) and text[a:b].strip():
            break
    return spans


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop - (stop > start and text[stop - 1] == "\r")
        start = stop + 1
