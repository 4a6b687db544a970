"""Long runs of characters without a keyword near them: entropy, and formats known by shape only.

The runs are found in translated copies of the text, where a class of characters is one byte, by
plain substring search: far faster than a regular expression over everything.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from indexing.scrubbing.edges import DASH_END, LEFT, LEFT_BARE
from indexing.scrubbing.matches import Match, Rank
from indexing.scrubbing.placeholders import is_stand_in
from indexing.scrubbing.randomness import (
    HEX,
    UUID,
    classes,
    entropy,
    floor_for,
    in_words,
    is_sequence,
)
from indexing.scrubbing.structure import decode_text, is_nkey, is_snowflake

LEAST = 33
NARROW = 16
_LONGEST = 2000
_LINE_ENDS = tuple(
    end + indent for end in (b"\n", b"\r\n") for indent in (b"", b"  ", b"    ", b"        ")
)
_NARROW_LINE = re.compile(r"[ ]{0,8}([A-Za-z0-9+/]{1,32}={0,2})(?:\r?\n|\Z)")
_NARROW_BLOCK = re.compile(
    r"([ ]{0,8})[A-Za-z0-9+/]{16,32}\r?\n(?:\1[A-Za-z0-9+/]{16,32}\r?\n){0,1200}"
    r"\1[A-Za-z0-9+/]{1,32}={0,2}(?:\r?\n|\Z)"
)
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_RUNS = bytes.maketrans(_BASE64, b"a" * len(_BASE64))
_HEXES = bytes.maketrans(b"0123456789abcdef", b"h" * 16)
_RUN = re.compile(r"[A-Za-z0-9+/_-]{33,}={0,2}")
_DISCORD = re.compile(
    LEFT_BARE + r"([MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})" + DASH_END
)
_AIRTABLE = re.compile(LEFT + r"(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})(?![A-Za-z0-9_])")
_MAILGUN = re.compile(LEFT + r"([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})" + DASH_END)
# A JWT that is none, or a public one.
_TOKEN_PART = re.compile(r"\bey[A-Za-z0-9_-]{5,}\.(?:ey[A-Za-z0-9_-]{5,}\.)?$")
_JOINS = re.compile(r"[-_/+]")
_ESCAPE = re.compile(r"(?<=\\)(?:[nrt]|u[0-9A-Fa-f]{4})|(?<=%)[0-9A-Fa-f]{2}|(?<=:)-")
_NKEY = re.compile(r"S[ACNOUX][A-Z2-7]{56}")
_STORAGE_NEAR = re.compile(r"account.?key|storage|azure", re.IGNORECASE)
# Digests, data and public material say so right before the value.
_DIGEST = re.compile(
    r"(?:sha[0-9]{1,3}|md5|h1|integrity|checksum|digest|hash|base64|ssh-[a-z0-9]+|ecdsa-[a-z0-9-]+"
    r"|fingerprint|etag|SRCREV|resolved|nonce|public_?key|pubkey)[-:=,\"' \t(]{1,6}$",
    re.IGNORECASE,
)
_SHA = re.compile(r"sha(?:1|224|256|384|512)[-_]")
_ADDRESS = re.compile(
    r"(?:https?|ftp|git|file)://[^\s\"'<>]{0,300}$|(?:href|src|url)[=(][\"']?[^\s\"'<>]{0,200}$"
)
_LOCK_FILE = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|[\w.-]*\.lock|[\w.-]*lock\.(?:json|ya?ml)|go\.sum"
    r"|gradle\.lockfile|Podfile\.lock|requirements[\w.-]*\.txt|SHA(?:256|512)?SUMS?[\w.]*|[\w.-]*\.(?:snap|map|svg"
    r"|ipynb|pem|crt|cer|pub|asc|sig|har|lockfile))$",
    re.IGNORECASE,
)
_PUBLIC_BLOCK = re.compile(r"-----BEGIN (?!.{0,20}PRIVATE)[A-Z0-9 ]{3,40}-----")
_BLOCK_REACH = 8000


@dataclass(frozen=True, slots=True)
class _Shape:
    """`shape` is what the pattern looks like in the translated text, `back` before it at most."""

    kind: str
    shape: bytes
    back: int
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None

    def matches(self, text: str, haystack: bytes) -> Iterator[Match]:
        at = haystack.find(self.shape)
        while at >= 0:
            end = at + len(self.shape)
            found = self.pattern.search(text, max(0, at - self.back), end + 24)
            if found and (self.check is None or self.check(found[1])):
                yield Match(self.kind, (found.span(1),), Rank.FORMAT, "high", published=True)
            at = haystack.find(self.shape, end)


_DISCORD_SHAPE = _Shape(
    "discord_bot_token",
    b"a" * 24 + b"." + b"a" * 6 + b"." + b"a" * 27,
    4,
    _DISCORD,
    is_snowflake,
)
_AIRTABLE_SHAPE = _Shape("airtable_token", b"." + b"h" * 64, 18, _AIRTABLE)
_MAILGUN_SHAPE = _Shape("mailgun_key", b"h" * 32 + b"-" + b"h" * 8 + b"-" + b"h" * 8, 1, _MAILGUN)


def shaped(text: str, raw: bytes) -> Iterator[Match]:
    """Formats without a literal of their own, found by the shape of their parts."""
    yield from _DISCORD_SHAPE.matches(text, raw.translate(_RUNS))
    hexes = raw.translate(_HEXES)
    yield from _AIRTABLE_SHAPE.matches(text, hexes)
    yield from _MAILGUN_SHAPE.matches(text, hexes)


def long_runs(raw: bytes, text: str) -> Iterator[tuple[int, int]]:
    """The runs of at least 33 base64 characters, padding included."""
    runs = raw.translate(_RUNS)
    needle = b"a" * LEAST
    at = runs.find(needle)
    while at >= 0:
        found = _RUN.match(text, at)
        if found is None:
            return
        start, end = found.span()
        escape = _ESCAPE.match(text, start)
        yield (escape.end() if escape else start), end
        at = runs.find(needle, found.end())


def narrow_blocks(raw: bytes, text: str) -> Iterator[list[tuple[int, int]]]:
    """The lines of base64 text that is wrapped at 16 to 32 columns, at one indentation."""
    runs = raw.translate(_RUNS)
    done = 0
    for between in _LINE_ENDS:
        needle = b"a" * NARROW + between + b"a" * NARROW
        at = runs.find(needle)
        while at >= 0:
            start = runs.rfind(b"\n", 0, at) + 1
            block = _NARROW_BLOCK.match(text, start) if start >= done else None
            if block:
                lines = [one.span(1) for one in _NARROW_LINE.finditer(text, start, block.end())]
                yield lines
                yield lines[:-1]  # the last may be a word that follows
            done = max(done, block.end() if block else at + 1)
            at = runs.find(needle, max(done, at + NARROW))
        done = 0


def judge(path: str, text: str, span: tuple[int, int]) -> Match | None:
    """Entropy as the last resort: kept for review, because nothing but chance speaks for it."""
    value = text[span[0] : span[1]]
    if _NKEY.fullmatch(value) and is_nkey(value):
        return Match("nkey_seed", (span,), Rank.FORMAT, "high", published=True)
    if len(value) > _LONGEST or not _may_be_random(value):
        return None
    before = text[max(0, span[0] - 80) : span[0]]
    if _is_public(path, before, text, span):
        return None
    if len(value) == 88 and value.endswith("==") and _STORAGE_NEAR.search(before):
        return Match("azure_storage_key", (span,), Rank.FORMAT, "high")
    if decode_text(value) is not None and len(value) >= 40:
        return None
    return Match("high_entropy", (span,), Rank.ENTROPY, "low")


def _may_be_random(value: str) -> bool:
    core = value.rstrip("=")
    if not any(map(str.isdigit, core)) or HEX.fullmatch(core) or UUID.search(core):
        return False
    if not (any(map(str.islower, core)) and any(map(str.isupper, core))):
        return False
    parts = _JOINS.split(core)
    if len(parts) * 6 > len(core) + 6 or max(map(len, parts)) < 14 or core.count("/") > 4:
        return False
    return (
        entropy(core) >= max(4.3, floor_for(len(core)))
        and classes(core) >= 3
        and not in_words(core)
        and not is_sequence(core)
        and not is_stand_in(value)
    )


def _is_public(path: str, before: str, text: str, span: tuple[int, int]) -> bool:
    """A digest, an address, an image, a public key or certificate, or a file made of such."""
    line = before[before.rfind("\n") + 1 :]
    if (
        _DIGEST.search(line)
        or _SHA.match(text, span[0])
        or _ADDRESS.search(line)
        or _LOCK_FILE.search(path)
    ):
        return True
    if "base64," in line or _TOKEN_PART.search(line) or text.startswith("...", span[1]):
        return True
    if "AAAA" in text[span[0] : span[0] + 6]:
        return True
    low = max(0, span[0] - _BLOCK_REACH)
    begin = text.rfind("-----BEGIN ", low, span[0])
    return (
        begin >= 0
        and _PUBLIC_BLOCK.match(text, begin) is not None
        and (text.find("-----END", begin, span[0]) < 0)
    )
