"""Long runs of characters without a keyword near them: entropy, and formats known by shape only.

Where such runs stand is known from the filter of shapes.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from indexing.scrubbing import shapes
from indexing.scrubbing.edges import DASH_END, LEFT, LEFT_BARE
from indexing.scrubbing.matches import Match, Rank
from indexing.scrubbing.placeholders import is_stand_in
from indexing.scrubbing.randomness import (
    UUID,
    entropy,
    floor_for,
    in_words,
    is_random,
    is_sequence,
    word_share,
)
from indexing.scrubbing.structure import (
    PUBLIC_PEM,
    decode_text,
    is_compressed,
    is_foreign_text,
    is_nkey,
    is_snowflake,
)

_LONGEST = 2000
# PKCS #8 and PKCS #1 (a sequence that begins with version 0), SEC 1, small PKCS #8, by the
# sizes of their headers: certificates and public keys begin with another sequence.
_PRIVATE_DER = re.compile(
    r"MII[A-P][A-Za-z0-9+/][AQgw]IBA|MI[GH][A-Za-z0-9+/]AgE[AB][MB]|MHcCAQEEI|M[A-H][A-Za-z0-9+/]CAQAw"
)
# Its last line may be too short for a run.
_LAST_LINE = re.compile(
    r"(?:[ \t\"'+\\]|\\[nr]){0,20}\r?\n[ \t\"'+]{0,80}([A-Za-z0-9+/]{1,32}={0,2})(?![A-Za-z0-9+/=])"
)
_PRIVATE_DER_LEAST = 60
_NARROW_LINE = re.compile(r"[ ]{0,8}([A-Za-z0-9+/]{1,32}={0,2})(?:\r?\n|\Z)")
_NARROW_BLOCK = re.compile(
    r"([ ]{0,8})[A-Za-z0-9+/]{16,32}\r?\n(?:\1[A-Za-z0-9+/]{16,32}\r?\n){0,1200}"
    r"\1[A-Za-z0-9+/]{1,32}={0,2}(?:\r?\n|\Z)"
)
_RUN = re.compile(r"[A-Za-z0-9+/_-]{33,}={0,2}")
_DISCORD = re.compile(
    LEFT_BARE + r"([MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})" + DASH_END
)
_AIRTABLE = re.compile(LEFT + r"(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})(?![A-Za-z0-9_])")
_MAILGUN = re.compile(LEFT + r"([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})" + DASH_END)
# A JWT that is none, or a public one.
_TOKEN_PART = re.compile(r"\bey[A-Za-z0-9_-]{5,}\.(?:ey[A-Za-z0-9_-]{5,}\.)?$")
_TOKEN_REACH = 1000
_JOINS = re.compile(r"[-_/+]")
_DIGIT = re.compile(r"[0-9]")
_ESCAPE = re.compile(
    r"(?<=\\)(?:[nrt]|u[0-9A-Fa-f]{4})|(?<=%)[0-9A-Fa-f]{2}|(?<=:)-|(?<=\[)[0-9]{1,2}m"
)
# A sequence within a sequence: certificates, public keys, what is encrypted.
_DER = re.compile(
    PUBLIC_PEM + r"|MII[A-P][A-Za-z0-9+/][DTjz]CC|MI[GH][A-Za-z0-9+/]M|M[A-H][AEIMQUYcgkosw048]w"
)
_BLANK = re.compile(r"\s")
_NKEY_LENGTH = 58
_WORD_JOINS = re.compile(r"[/_-]")
_WORD_PART = re.compile(r"[a-z]{6,}")
_WORD_SHARE = 0.3
_NKEY = re.compile(r"S[ACNOUX][A-Z2-7]{56}")
_STORAGE_NEAR = re.compile(r"account.?key|storage|azure", re.IGNORECASE)
# Digests, data and public material say so right before the value.
_DIGEST = re.compile(
    r"(?:sha[0-9]{1,3}|md5|h1|integrity|checksum|digest|hash|base64|ssh-[a-z0-9]+|ecdsa-[a-z0-9-]+"
    r"|fingerprint|etag|SRCREV|resolved|nonce|public_?key|pubkey|pins?|sig[0-9]?|bh|ech?l?)"
    r"[-:=,\"' \t(/\\]{1,6}$",
    re.IGNORECASE,
)
# The end of a name whose values are long and random, and open this nothing.
_OPEN_NAME = re.compile(
    r"(?:[a-z_](?:ID|Id)|\b(?:\w{1,40}[_-])?(?i:id|kid|x5c|x5t|x5t#s256|jkt|ath|s256|cert|certificate|crt|thumbprint"
    r"|boundary|cursor|challenge|modulus)|(?i:signature|sig|hash|digest|checksum|certificate))"
    r"\\?[\"'`]?\]?\s{0,3}(?::|=>|:?=|,)\s{0,3}\[?\s{0,20}\\?[\"'`]?$"
)
# What a form carries against forged requests is made anew for each page.
_FORGERY = re.compile(
    r"(?:[cx]srf|authenticity)[\w-]{0,24}\\?[\"']?\]?(?:\s{0,3}(?:=>|[:=])\s{0,3}|\s{1,8}(?:value|content)=)\\?[\"']?$",
    re.IGNORECASE,
)
# Members of a public key as JSON (JWK).
_PUBLIC_MEMBER = re.compile(r"\b(?:[nxy]|pub)\\?[\"']?\s?:\s?\\?[\"']?$", re.IGNORECASE)
_KEY_TYPE = re.compile(r"\b(?:kty|crv)\b", re.IGNORECASE)
# A boundary between the parts of a message, and a symbol that a compiler has named.
_MARKER = re.compile(
    r"<(?:\w{1,20}:)?(?:Digest|Signature|X509|Hash|pin|checksum|fingerprint)[^<>]{0,60}>$|\bs:$|\b_?\$[sS]$",
    re.IGNORECASE,
)
_BOUNDARY = "--"
# Digests and content addresses that carry their kind with them.
_SHA = re.compile(
    r"sha(?:1|224|256|384|512)[-_/]|(?:/ipfs/)?(?:baf[ky][a-z2-7]{50}|Qm[1-9A-HJ-NP-Za-km-z]{44})\b"
)
_ADDRESS = re.compile(
    r"(?:https?|ftp|git|file)://[^\s\"'<>]{0,300}$|(?:href|src|url)[=(][\"']?[^\s\"'<>]{0,200}$"
)
_LOCK_FILE = re.compile(
    r"(?:package-lock\.json|npm-shrinkwrap\.json|[\w.-]*\.lock|[\w.-]*lock\.(?:json|ya?ml)|go\.sum"
    r"|gradle\.lockfile|Podfile\.lock|requirements[\w.-]*\.txt|SHA(?:256|512)?SUMS?[\w.]*|[\w.-]*\.(?:snap|map|svg"
    r"|pem|crt|cer|pub|asc|sig|har|lockfile))",
    re.IGNORECASE,
)
_PUBLIC_BLOCK = re.compile(r"-----BEGIN (?!.{0,20}PRIVATE)[A-Z0-9 ]{3,40}-----")
_BLOCK_REACH = 8000


@dataclass(frozen=True, slots=True)
class _Shape:
    """A value begins at most `back` characters before the end of the shape, which is in it."""

    kind: str
    back: int
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None

    def matches(self, text: str, ends: Iterable[int]) -> Iterator[Match]:
        for end in ends:
            found = self.pattern.search(text, max(0, end - self.back), end + 24)
            if found and (self.check is None or self.check(found[1])):
                yield Match(self.kind, (found.span(1),), Rank.FORMAT, "high", published=True)


_DISCORD_SHAPE = _Shape("discord_bot_token", shapes.DISCORD_LENGTH + 4, _DISCORD, is_snowflake)
_AIRTABLE_SHAPE = _Shape("airtable_token", shapes.AIRTABLE_LENGTH + 18, _AIRTABLE)
_MAILGUN_SHAPE = _Shape("mailgun_key", shapes.MAILGUN_LENGTH + 1, _MAILGUN)


def shaped(text: str, at: shapes.Places) -> Iterator[Match]:
    """Formats without a literal of their own, found by the shape of their parts."""
    yield from _DISCORD_SHAPE.matches(text, at["discord"])
    yield from _AIRTABLE_SHAPE.matches(text, at["airtable"])
    yield from _MAILGUN_SHAPE.matches(text, at["mailgun"])


def long_runs(text: str, ends: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The runs of at least 33 base64 characters, padding included."""
    for at in ends:
        found = _RUN.match(text, at - shapes.RUN_LEAST)
        if found:
            start, end = found.span()
            escape = _ESCAPE.match(text, start)
            yield (escape.end() if escape else start), end


def narrow_blocks(text: str, ends: Iterable[int]) -> Iterator[list[tuple[int, int]]]:
    """The lines of base64 text that is wrapped at 16 to 32 columns, at one indentation.

    `ends` lie in the second of two such lines.
    """
    done = 0
    for end in ends:
        second = text.rfind("\n", 0, end)
        start = text.rfind("\n", 0, second) + 1
        block = _NARROW_BLOCK.match(text, start) if start >= done else None
        if block:
            lines = [one.span(1) for one in _NARROW_LINE.finditer(text, start, block.end())]
            yield lines
            yield lines[:-1]  # the last may be a word that follows
            done = block.end()


def seeds(text: str, ends: Iterable[int]) -> Iterator[Match]:
    return filter(None, (seed(text, span) for span in long_runs(text, ends)))


def seed(text: str, span: tuple[int, int]) -> Match | None:
    if span[1] - span[0] != _NKEY_LENGTH or not _NKEY.fullmatch(text, *span):
        return None
    good = is_nkey(text[span[0] : span[1]])
    return Match("nkey_seed", (span,), Rank.FORMAT, "high", published=True) if good else None


def private_der(text: str, spans: list[tuple[int, int]]) -> Match | None:
    """A private key without its BEGIN and END lines."""
    start, end = spans[0]
    if not _PRIVATE_DER.match(text, start, end):
        return None
    if sum(b - a for a, b in spans) < _PRIVATE_DER_LEAST:
        return None
    last = last_line(text, spans[-1]) if len(spans) > 1 else None
    tail = [last] if last else []
    return Match("private_key", (*spans, *tail), Rank.KEY_BLOCK, "high", published=True)


def last_line(text: str, span: tuple[int, int]) -> tuple[int, int] | None:
    """The short line of base64 behind the run at `span`; a word is none."""
    found = _LAST_LINE.match(text, span[1])
    return found.span(1) if found and not found[1].isalpha() else None


def is_listing(path: str) -> bool:
    """A file that is made of digests, or of public keys and certificates."""
    return _LOCK_FILE.fullmatch(path[path.rfind("/") + 1 :]) is not None


def judge(text: str, span: tuple[int, int], public: set[str]) -> Match | None:
    """Entropy as the last resort: kept for review, because nothing but chance speaks for it.

    A value that is a digest or an address at one place is none at another: it goes to `public`.
    """
    start, end = span
    if end - start > _LONGEST:
        return None
    value = text[start:end]
    core = value.rstrip("=")
    if not _is_mixed(core):
        return None
    before = text[max(0, start - 80) : start]
    if _is_public(before, text, span):
        public |= {value, value.strip("-")}
        return None
    if not _may_be_random(value, core) or _is_data(value):
        return None
    if len(value) == 88 and value.endswith("==") and _STORAGE_NEAR.search(before):
        return Match("azure_storage_key", (span,), Rank.FORMAT, "high")
    return Match("high_entropy", (span,), Rank.ENTROPY, "low")


def _is_mixed(core: str) -> bool:
    """The cheap part of what makes a run look random."""
    if core in (core.lower(), core.upper()) or not _DIGIT.search(core):
        return False
    parts = _JOINS.split(core)
    if len(parts) * 6 > len(core) + 6 or max(map(len, parts)) < 14 or core.count("/") > 4:
        return False
    return not in_words(core)


def _may_be_random(value: str, core: str) -> bool:
    if UUID.search(core) or any(map(_is_word, _WORD_JOINS.split(core))):
        return False
    return (
        entropy(core) >= max(4.3, floor_for(len(core)))
        and not is_sequence(core)
        and not is_stand_in(value)
    )


def _is_word(part: str) -> bool:
    """A part of a path: `/fqOOd6-F4MMNuCEnzTU01w/database` is an address."""
    return _WORD_PART.fullmatch(part) is not None and word_share(part) >= _WORD_SHARE


def _is_data(value: str) -> bool:
    """Base64 of plain text, or of what a compressor wrote."""
    inner = decode_text(value)
    if inner is not None:
        return inner[0] in "{[<" or _BLANK.search(inner) is not None or not is_random(inner)
    return is_compressed(value) or is_foreign_text(value)


def _is_public(before: str, text: str, span: tuple[int, int]) -> bool:
    """A digest, an address, an image, a public key or certificate."""
    line = before[before.rfind("\n") + 1 :]
    if (
        _DIGEST.search(line)
        or _OPEN_NAME.search(before)
        or _FORGERY.search(line)
        or _MARKER.search(line)
        or (text.startswith(_BOUNDARY, span[0]) and not line.strip(" \t\"'`"))
        or _SHA.match(text, span[0])
        or _ADDRESS.search(line)
    ):
        return True
    if "base64," in line or text.startswith("...", span[1]):
        return True
    if line.endswith(".") and _TOKEN_PART.search(text, max(0, span[0] - _TOKEN_REACH), span[0]):
        return True
    # Long runs of one letter are zeros of a binary format.
    if "AAAA" in text[span[0] : span[1]] or _DER.match(text, span[0]):
        return True
    low = max(0, span[0] - _BLOCK_REACH)
    if _PUBLIC_MEMBER.search(line) and _KEY_TYPE.search(text, max(0, low), span[1] + 2000):
        return True
    begin = text.rfind("-----BEGIN ", low, span[0])
    return (
        begin >= 0
        and _PUBLIC_BLOCK.match(text, begin) is not None
        and (text.find("-----END", begin, span[0]) < 0)
    )
