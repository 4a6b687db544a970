"""Credentials known by where they stand: headers, URLs, connection strings, tool files.

Each function gets the whole text and the offset of its keyword; it looks a bounded distance
around it, and answers with matches.
"""

import re
import string
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from indexing.scrubbing.matches import Match, Rank
from indexing.scrubbing.placeholders import is_stand_in
from indexing.scrubbing.prefilter import Trigger
from indexing.scrubbing.randomness import classes, entropy, in_words, is_random_hex, is_sequence
from indexing.scrubbing.structure import decode_text, is_user_and_password

Finder = Callable[[str, int], Iterator[Match]]

_BEARER = re.compile(r"bearer(?:[ \t]+|%20|\+)([A-Za-z0-9._~+/-]{16,4000}=*)", re.IGNORECASE)
_BASIC = re.compile(r"basic(?:[ \t]+|%20)([A-Za-z0-9+/]{8,1000}={0,2})", re.IGNORECASE)
# The `@` behind the user info of a URL, which no other `@` of a text ends.
USER_INFO = Trigger(r"://[^\s@/\"'<>\\`]{1,220}@")
_USER_INFO_REACH = 230
_URL = re.compile(
    r"://(?:[^\s:/@\"'<>`\\|,;(){}]{0,80}):([^\s@/\"'<>`\\]{3,120})@(?=[A-Za-z0-9\[${%_])", re.ASCII
)
# A variable (`%PORT`; `%C3%A4` is a letter), or the port and query of an address without user info.
_NO_PASSWORD = re.compile(r"%[A-Z_]{3}|[0-9]{1,5}\?[a-z_]{1,20}=")
_LEAST = 3  # letters and digits
_NOT_WORD = re.compile(r"[^A-Za-z0-9]+")
_OPTION = re.compile(r";[A-Za-z]{2,20}(?:=\w*)?$")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}\Z")
_CONNECTION = re.compile(
    r"(?:password|pwd)[ \t]{0,3}=[ \t]{0,3}([^;\"'\s<>]{4,120})(?=[;\"'\s]|$)", re.IGNORECASE
)
_CONNECTION_SIGN = re.compile(
    r"(?:server|data source|initial catalog|database|user id|uid|host|addr|provider|driver"
    r"|accountendpoint|endpoint)[ \t]{0,3}=",
    re.IGNORECASE,
)
_CONNECTION_MEMBER = re.compile(r"=[^;\n]*;|;\s?\w[\w ]{0,30}=")
_CURL_USER = re.compile(
    r"curl\b(?:[^\n\\]|\\\r?\n|\\.){0,300}?[ \t](?:-u|--user|--proxy-user|-U)[ =]?[\"']?"
    r"[^\s:\"'$]{1,60}:([^\s\"']{4,80})"
)
_NETRC = re.compile(
    r"machine[ \t\r\n]{1,8}[^\s]{1,200}[ \t\r\n]{1,8}login[ \t\r\n]{1,8}[^\s]{1,200}"
    r"[ \t\r\n]{1,8}password[ \t\r\n]{1,8}([^\s]{4,200})"
)
_DOCKER_AUTH = re.compile(r"\"auth\"\s{0,8}:\s{0,8}\"([A-Za-z0-9+/]{12,2000}={0,2})\"")
_WIREGUARD = re.compile(
    r"(?:PrivateKey|PresharedKey)[ \t]{0,8}=[ \t]{0,8}([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)",
    re.IGNORECASE,
)
_SAS = re.compile(r"[?&]sig=([A-Za-z0-9%+/]{43,70}(?:%3[Dd]|=))")
_HASH = re.compile(
    r"\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|\$6\$[^$\s]{1,40}\$[./A-Za-z0-9]{86}"
    r"|\$5\$[^$\s]{1,40}\$[./A-Za-z0-9]{43}|\$apr1\$[^$\s]{1,8}\$[./A-Za-z0-9]{22}"
    r"|\$argon2(?:id|i|d)\$v=[0-9]{1,5}\$m=[0-9]{1,8},t=[0-9]{1,4},p=[0-9]{1,4}"
    r"\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,86}"
)
_LINE_REACH = 400


def _one(kind: str, span: tuple[int, int], *, published: bool = False) -> Match:
    return Match(kind, (span,), Rank.CONTEXT, "high", published)


def bearer(text: str, hit: int) -> Iterator[Match]:
    found = _BEARER.match(text, hit)
    if found and not is_stand_in(found[1]) and _is_token(found[1]):
        yield _one("bearer_token", found.span(1))


def _is_token(value: str) -> bool:
    if is_random_hex(value, minimum=16):
        return True
    if is_sequence(value) or in_words(value):
        return False
    return entropy(value) >= 3.0 and classes(value) >= 2


def basic(text: str, hit: int) -> Iterator[Match]:
    found = _BASIC.match(text, hit)
    if found and is_user_and_password(found[1]):
        pair = decode_text(found[1]) or ""
        if not is_stand_in(pair.split(":", 1)[1]):
            yield _one("basic_auth_header", found.span(1))


def url_credentials(text: str, hit: int) -> Iterator[Match]:
    """The password of `scheme://user:password@host`; `hit` is behind the `@`."""
    start = text.rfind("://", max(0, hit - _USER_INFO_REACH), hit)
    found = _URL.match(text, start)
    if found is None or not _SCHEME.search(text, max(0, start - 22), start):
        return
    value = found[1]
    if _NO_PASSWORD.match(value):
        return
    value = _OPTION.sub("", value)  # options go on behind a `;`
    plain = unquote(value) if "%" in value else value
    if len(_NOT_WORD.sub("", plain)) < _LEAST or _is_twice(plain):
        return
    host = text[found.end() : found.end() + 12]
    if not any(map(is_stand_in, (value, plain, plain.rstrip(string.digits)))) and host[:1] != "{":
        yield _one("url_credentials", found.span(1))


def _is_twice(value: str) -> bool:
    """`pass pass`, `bar%bar`: what tests of addresses put there."""
    parts = _NOT_WORD.split(value)
    return len(parts) > 1 and parts[0].isalpha() and set(parts) == {parts[0]}


def connection_string(text: str, hit: int) -> Iterator[Match]:
    found = _CONNECTION.match(text, hit)
    if found is None or is_stand_in(found[1]):
        return
    first = text.rfind("\n", max(0, hit - _LINE_REACH), hit) + 1 or max(0, hit - _LINE_REACH)
    last = found.end() + _LINE_REACH // 2
    stop = text.find("\n", found.end(), last)
    line = text[first : stop if stop >= 0 else last]
    if _CONNECTION_MEMBER.search(line) and _CONNECTION_SIGN.search(line):
        yield _one("connection_string_password", found.span(1))


def curl_user(text: str, hit: int) -> Iterator[Match]:
    found = _CURL_USER.match(text, hit)
    if found and not is_stand_in(found[1]):
        yield _one("curl_user_password", found.span(1))


def _core(value: str) -> str:
    """Without what surrounds it in a string literal, and without a number at its end."""
    return value.split("\\n", maxsplit=1)[0].strip("\\\"'#").rstrip(string.digits)


def netrc(text: str, hit: int) -> Iterator[Match]:
    found = _NETRC.match(text, hit)
    if found and not is_stand_in(_core(found[1])):
        yield _one("netrc_password", found.span(1))


def docker_auth(text: str, hit: int) -> Iterator[Match]:
    found = _DOCKER_AUTH.match(text, hit)
    if found and is_user_and_password(found[1]):
        yield _one("docker_config_auth", found.span(1))


def wireguard(text: str, hit: int) -> Iterator[Match]:
    found = _WIREGUARD.match(text, hit)
    if found and len(set(found[1])) > 8:
        yield _one("wireguard_private_key", found.span(1), published=True)


def azure_sas(text: str, hit: int) -> Iterator[Match]:
    found = _SAS.match(text, hit)
    around = text[max(0, hit - 400) : hit + 500]
    if found and "sv=" in around and ("se=" in around or "sp=" in around):
        yield _one("azure_sas_signature", found.span(1), published=True)


def password_hash(text: str, hit: int) -> Iterator[Match]:
    """Salted hashes can be guessed off line: kept for review."""
    found = _HASH.match(text, hit)
    if found and len(set(found[0][-22:])) > 6:
        yield Match("password_hash", (found.span(),), Rank.CONTEXT, "low")


CONTEXT_FINDERS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    (("bearer ", "bearer\t", "bearer%20", "bearer+"), bearer),
    (("basic ", "basic\t", "basic%20"), basic),
    (("password", "pwd"), connection_string),
    (("curl ",), curl_user),
    (("machine ", "machine\t"), netrc),
    (('"auth"',), docker_auth),
    (("privatekey", "presharedkey"), wireguard),
    (("?sig=", "&sig="), azure_sas),
    (("$2a$", "$2b$", "$2x$", "$2y$", "$6$", "$5$", "$apr1$", "$argon2"), password_hash),
)
