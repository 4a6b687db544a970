"""Passwords given to programs and to calls by their place: `sshpass -p …`, `auth=('ann', '…')`.

Group 1 of a pattern is the value; the pattern begins at its keyword, or ends there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from indexing.scrubbing.context import Finder
from indexing.scrubbing.matches import Match, Rank
from indexing.scrubbing.placeholders import is_stand_in
from indexing.scrubbing.values import is_no_secret, is_password

# The rest of a command, over lines that end in a backslash.
_REST = r"(?:[^\n|;&\\]|\\\r?\n|\\.){0,300}?"
_WORD = r"[\"']?([^\s\"'|;&<>`]{4,120})"
_QUOTED = r"[\"']([^\s\"']{4,120})[\"']"
_USER_AND = r"\(\s{0,20}[\"'][^\"'\n]{1,80}[\"']\s{0,4},\s{0,20}" + _QUOTED
_BACK = 240


@dataclass(frozen=True, slots=True)
class _Place:
    """`strict`: only what looks like a password, because other things may stand there too."""

    keywords: str
    pattern: re.Pattern[str]
    strict: bool = True
    behind: bool = False
    kind: str = "assigned_password"


def _place(keywords: str, pattern: str, *, strict: bool = True) -> _Place:
    return _Place(keywords, re.compile(pattern, re.IGNORECASE), strict)


_PLACES = (
    _place("mysql|mariadb", rf"(?:mysql|mariadb)[\w-]{{0,12}}{_REST}(?-i:\s-p){_WORD}"),
    _place("redis-cli", rf"redis-cli{_REST}\s(?:-a|--pass)[ =]{_WORD}"),
    _place("sshpass", rf"sshpass {_REST}-p ?{_WORD}", strict=False),
    _place("login ", rf"login {_REST}(?:-p|--password)[ =]{_WORD}"),
    _place("mongo", rf"mongo[a-z]{{0,10}}{_REST}\s(?:-p|--password)[ =]?{_WORD}"),
    _place("ldap", rf"ldap[a-z]{{3,9}}{_REST}\s-w ?{_WORD}"),
    _place(
        "plink|pscp|psftp|putty", rf"(?:plink|pscp|psftp|putty)[a-z.]{{0,5}} {_REST}-pw {_WORD}"
    ),
    _place("lftp|ncftp", rf"(?:lftp|ncftp)[a-z]{{0,4}} {_REST}-u ?[\"']?[^,\s]{{1,60}},{_WORD}"),
    _place("smbclient|rpcclient", rf"(?:smb|rpc)client {_REST}-U ?[\"']?[^%\s]{{1,60}}%{_WORD}"),
    _place("sqlplus", rf"sqlplus {_REST}[\w.]{{1,40}}/([^@\s\"']{{4,80}})@", strict=False),
    _place("oracle:thin:", r"oracle:thin:[^/\s@]{1,60}/([^@\s\"']{3,80})@", strict=False),
    _place("htpasswd -", rf"htpasswd -\w*b\w* (?:\S{{1,80}} ){{1,2}}{_WORD}(?=\s|$)"),
    _place("/user:", rf"(?<!/)/user:\S{{1,80}} {_WORD}"),
    _place("pass:", rf"(?<![\w.-])pass:{_WORD}"),
    _place(
        "identified ",
        rf"identified\s{{1,4}}(?:with\s{{1,4}}\S{{1,40}}\s{{1,4}})?by\s{{1,4}}(?:password\s{{1,4}})?{_QUOTED}",
    ),
    _place("securestring ", rf"securestring (?:-String )?{_QUOTED}"),
    _place("networkcredential(", rf"networkcredential{_USER_AND}"),
    _place("passwordcredentials(", rf"passwordcredentials{_USER_AND}"),
    _place("passwordauthentication(", rf"passwordauthentication{_USER_AND}"),
    _place("basicauth(|basic_auth(", rf"basic_?auth{_USER_AND}"),
    _place("credentials.basic(", rf"credentials\.basic{_USER_AND}"),
    _place("auth=(|auth = (", rf"auth ?= ?{_USER_AND}"),
    _Place(
        "@tcp(|@unix(",
        re.compile(r"[\w.-]{1,60}:([^\s\"'`@/]{3,120})\Z"),
        strict=False,
        behind=True,
        kind="connection_string_password",
    ),
    _place(":5432:", r":5432:[\w*-]{1,63}:[\w.*-]{1,63}:([^\s:]{4,120})(?=\s|$)"),
)


def _find(place: _Place, text: str, hit: int) -> Iterator[Match]:
    if place.behind:
        found = place.pattern.search(text, max(0, hit - _BACK), hit)
    else:
        found = place.pattern.match(text, hit)
    if found is None or is_stand_in(found[1]) or found[1].isdigit():
        return
    if place.strict and (not is_password(found[1]) or is_no_secret(found[1], quoted=True)):
        return
    yield Match(place.kind, (found.span(1),), Rank.CONTEXT, "high")


COMMAND_FINDERS: tuple[tuple[tuple[str, ...], Finder], ...] = tuple(
    (tuple(place.keywords.split("|")), partial(_find, place)) for place in _PLACES
)
