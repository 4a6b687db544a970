"""E-mail addresses, written plainly or so that a harvester would miss them.

An address is a person's unless it says otherwise: reserved domains (RFC 2606), the mailboxes of an
office (RFC 2142), mailing lists, robots, and what merely has the form of an address
(docs/decisions/0019-addresses-of-persons.md).
"""

import html
import re
from collections.abc import Iterator

from indexing.scrubbing.matches import Match, Rank, Region

_DOMAIN = re.compile(
    r"((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}([A-Za-z]{2,24}))(?![A-Za-z0-9_@(\[-]|\.[A-Za-z0-9(])"
)
# The address is the userinfo of a URL, or a path or package name goes on before it.
_USER_INFO = re.compile(r"://[^\s/@\"'<>]{0,90}\Z|[@/]\Z")
_TOP_LEVEL_LIST = (
    "com org net edu gov mil int info biz name pro io dev app ai co me tv cc xyz online "
    "site tech store cloud blog email team tools systems solutions software network studio "
    "design agency digital group company global world works space zone life live news media "
    "house services consulting engineering technology science academy university health "
    "care bank finance law legal aero coop museum jobs mobi travel cat asia tel eu uk us ca "
    "de fr it es pt nl be ch at se no fi dk is ie pl cz sk hu ro bg gr hr si rs ua ru by lt "
    "lv ee tr il ae sa eg za ng ke ma in pk bd lk np cn jp kr tw hk sg my th vn ph id au nz "
    "br ar mx cl pe uy ve ec bo cr pa do pr gt lu li mc mt cy ge am az kz uz mn ir iq jo lb "
    "qa kw om ly tn dz gh sn ci cm ug tz zw mz ao gg je im fm to ws nu la sh st gl fo gal "
    "scot wales london berlin ba mk bh kh mu rw sv hn ni tt jm ac bz kg tj af na bw zm mg "
    "pf fj pg bt mv vc gi social chat art shop market codes website club vip foundation "
    "community rocks ninja guru expert moe solar energy capital ventures partners eco farm green "
    "ltd llc gmbh swiss paris tokyo nyc vegas amsterdam koeln hamburg wien bayern brussels quebec "
    "kiwi africa lat bzh cymru eus wiki games photos press"
)
_TOP_LEVEL = frozenset(_TOP_LEVEL_LIST.split())
_ROBOTS = (
    "noreply no-reply donotreply do-not-reply no_reply git user username sample example test foo "
    "bar my_mail mymail my.mail my_email myemail my.email your_email youremail your.email nobody "
    "john.doe jane.doe johndoe janedoe john_doe jane_doe action github-actions dependabot renovate"
)
# Mailboxes of an office, not of a person: RFC 2142, and what companies and projects add to it.
_OFFICES = (
    "info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster "
    "www uucp ftp mailer-daemon root admin administrator contact contacts help helpdesk hello "
    "office team feedback bugs bug-report press privacy legal dpo gdpr compliance billing accounts "
    "jobs careers hr conduct coc code-of-conduct codeofconduct developers maintainers core "
    "committers opensource open-source oss community licensing license copyright trademark secure "
    "psirt cert"
)
_NO_PERSON = frozenset((_ROBOTS + " " + _OFFICES).split())
_NO_PERSON_FORM = re.compile(
    r"your[-_.].*|my[-_.](?:e-?mail|mail|user|name|account|address).*"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|.*(?:\[bot\]|[-_.]bot)"
    r"|.*-(?:announce|announce-list|discuss|devel|commits|bugs|users|subscribe|unsubscribe|request)"
)
# Ciphers and the like of SSH: `chacha20-poly1305@openssh.com`.
_LISTS = re.compile(
    r"(?:.*\.)?lists?\..*\..*|(?:.*\.)?(?:googlegroups\.com|groups\.io|librelist\.(?:com|org))|openssh\.com"
)
_SSH_NAME = re.compile(r".*[-0-9].*@libssh\.org|.*-.*@lysator\.liu\.se")
_EXAMPLE_DOMAIN = re.compile(
    r"(?:.*\.)?(?:example|test|invalid|localhost|local|localdomain|internal)(?:\.[a-z]{2,6}){0,2}"
    r"|(?:.*\.)?(?:domain|email(?!\.(?:cz|it)$)|company|yourdomain|mydomain|foo|bar|blah|acme|host|server|site|sample"
    r"|somewhere|corp|my-?company|your-?company|xyz|abc|doe|b|c|x|y|z|users\.noreply\.github)\.[a-z]{2,6}|li\.org"
    r"|(?:.*\.)?your-[a-z-]+\.[a-z]{2,6}|.*\.gserviceaccount\.com"
)
# Names of messages, programs that sign in elsewhere, and variables before an `@`.
_OTHER_ADDRESS = re.compile(
    r"^(?:message-id|in-reply-to|content-id)\s{0,2}:[^\n]{0,200}$"
    r"|^references\s{0,2}:[^\n]{0,200}<$"
    r"|\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)\b"
    r"(?:\s+-{1,2}[\w-]+(?:[= ][\w./:~-]+)?){0,6}\s+[\"']?$",
    re.IGNORECASE | re.MULTILINE,
)
_REMOTE_FOLDER = re.compile(r":(?:[/~]|[\w.-]{1,60}/)|/[\w.-]{1,60}/")
_AT = (
    r"(?:\s{0,3}(?:\[ ?at ?\]|\( ?at ?\)|\{ ?at ?\}|<at>|\[@\]|\(@\)"
    r"|&#0{0,3}64;|&#x0{0,2}40;|&commat;)\s{0,3}"
    r"|%40|\\u0040|\\x40)"
)
_DOT = r"(?:\.|\s{0,3}(?:\[ ?dot ?\]|\( ?dot ?\)|\{ ?dot ?\}|<dot>|&#0{0,3}46;|&period;)\s{0,3})"
_SOME_DOT = re.compile(_DOT, re.IGNORECASE)
_OBFUSCATED = re.compile(
    rf"(?<![A-Za-z0-9._%+-])([A-Za-z0-9_+][A-Za-z0-9._+-]{{0,63}}){_AT}"
    rf"((?:[A-Za-z0-9][A-Za-z0-9-]{{0,61}}{_DOT}){{1,5}}([A-Za-z]{{2,24}}))(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
# In words: `ann at domain dot com`.
_SPELLED = re.compile(
    r"(?<![A-Za-z0-9._%+-])([A-Za-z0-9_+][A-Za-z0-9._+-]{0,63})\s{1,3}at\s{1,3}"
    r"((?:[A-Za-z0-9][A-Za-z0-9-]{0,61}\s{1,3}dot\s{1,3}){1,5}([A-Za-z]{2,24}))(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
_SPELLED_DOT = re.compile(r"\s+dot\s+", re.IGNORECASE)
# Every character as an entity of HTML: `&#97;&#110;&#110;&#64;…`.
_ENTITIES = re.compile(r"(?:&#(?:[0-9]{2,3}|[xX][0-9a-fA-F]{2});){6,120}")
_ENTITIES_REACH = 480
_ADDRESS = re.compile(r"([A-Za-z0-9._%+'-]{1,64})@((?:[A-Za-z0-9-]{1,63}\.){1,6}([A-Za-z]{2,24}))")
OBFUSCATED_KEYWORDS = (
    *("[at]", "(at)", "{at}", "<at>", "[ at ]", "( at )", "{ at }", "[@]", "(@)"),
    *("64;", "40;", "%40", "&commat;", "\\u0040", "\\x40", " dot "),
)


def _personal(kind: str, span: tuple[int, int]) -> Match:
    return Match(kind, (span,), Rank.PERSONAL, "medium")


def emails(text: str, raw: bytes) -> Iterator[Match]:
    at = raw.find(b"@")
    while at >= 0:
        domain = _DOMAIN.match(text, at + 1)
        if domain and domain[2].lower() in _TOP_LEVEL:
            start = _local_start(text, at)
            if (
                start < at
                and is_personal(text[start:at], domain[1])
                and not _stands_elsewhere(text, start, domain.end())
            ):
                yield _personal("email", (start, domain.end()))
        at = raw.find(b"@", at + 1)


_ESCAPED = re.compile(r"[nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}")
_LITERAL = re.compile(r"[bBrRuUfF]{1,2}'")
_FORMAT = re.compile(r"%(?:[sdvn](?![A-Za-z])|\()")
_LOCAL_CHARACTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+'-"
)


def _local_start(text: str, at: int) -> int:
    """Where the local part of an address begins; `at` itself when there is none."""
    start = at
    while start > 0 and at - start < 64 and text[start - 1] in _LOCAL_CHARACTERS:
        start -= 1
    if start and text[start - 1] == "\\":
        start = _behind(_ESCAPED, text, start, at)
    elif start and text[start - 1] in "$%":
        return at  # a variable, or a format
    if _FORMAT.match(text, start):
        return at
    # `b'git@…` is a literal, `o'brien@…` is a name.
    start = _behind(_LITERAL, text, start, at)
    while start < at and text[start] in "'.%-":
        start += 1
    return at if _USER_INFO.search(text, max(0, start - 100), start) else start


def _behind(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    found = pattern.match(text, start, stop)
    return found.end() if found else start


def _stands_elsewhere(text: str, start: int, end: int) -> bool:
    """The account on a machine, or the name of a message."""
    before = text[max(0, start - 100) : start]
    return (
        _OTHER_ADDRESS.search(before[before.rfind("\n") + 1 :]) is not None
        or _REMOTE_FOLDER.match(text, end) is not None
    )


def is_personal(local: str, domain: str) -> bool:
    """Not a reserved or stand-in domain (RFC 2606), not the mailbox of a robot or an office."""
    low, name = domain.lower(), local.lower()
    if _EXAMPLE_DOMAIN.fullmatch(low) or _LISTS.fullmatch(low):
        return False
    if name.split("+")[0] in _NO_PERSON or _NO_PERSON_FORM.fullmatch(name):
        return False
    return _SSH_NAME.fullmatch(f"{name}@{low}") is None


def obfuscated(text: str, hit: int) -> Region:
    """`name [at] domain [dot] com` with the `at` near offset `hit`."""
    matches: list[Match] = []
    for pattern, dot in ((_OBFUSCATED, _SOME_DOT), (_SPELLED, _SPELLED_DOT)):
        matches += [
            _personal("email_obfuscated", found.span())
            for found in pattern.finditer(text, max(0, hit - 72), hit + 120)
            if found[3].lower() in _TOP_LEVEL and is_personal(found[1], dot.sub(".", found[2]))
        ]
    if text[hit : hit + 3] in ("64;", "40;"):
        matches += _in_entities(text, hit)
    return hit + 32, matches


def _in_entities(text: str, hit: int) -> Iterator[Match]:
    reach = max(0, hit - _ENTITIES_REACH), hit + _ENTITIES_REACH
    for found in _ENTITIES.finditer(text, *reach):
        address = _ADDRESS.fullmatch(html.unescape(found[0]))
        if address and address[3].lower() in _TOP_LEVEL and is_personal(address[1], address[2]):
            yield _personal("email_obfuscated", found.span())
