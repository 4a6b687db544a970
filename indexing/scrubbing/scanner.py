"""One pass over a text: keywords first, then each rule only where its keyword stands."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from indexing.scrubbing import assigned, context, joined, keyblock, longruns, manifests, personal
from indexing.scrubbing.custom import custom_matches
from indexing.scrubbing.formats import FORMATS, Format
from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.placeholders import is_documented
from indexing.scrubbing.policy import Policy
from indexing.scrubbing.prefilter import Prefilter, Trigger, word
from indexing.scrubbing.shapes import Places, places
from indexing.scrubbing.structure import decode_text

_LINE_ENDS = 3
_LONGEST_BASE64 = 40_000
# What stands between two lines of one block: ends of literals, escapes, line ends in XML.
_BETWEEN_LINES = re.compile(r"(?:[ \t\r\n\"'+\\]|&#x[AaDd];|&#1[03];)*")
Finder = Callable[[str, int], Iterator[Match]]
RegionFinder = Callable[[str, int], Region]


def _format_finder(rule: Format) -> Finder:
    if rule.reach:
        return partial(_behind, rule)
    return partial(_within, rule) if rule.back else partial(_at, rule)


def _at(rule: Format, text: str, hit: int) -> Iterator[Match]:
    found = rule.pattern.match(text, hit)
    if found:
        yield from _accept(rule, found)


def _within(rule: Format, text: str, hit: int) -> Iterator[Match]:
    found = rule.pattern.match(text, max(0, hit - rule.back))
    if found:
        yield from _accept(rule, found)


def _behind(rule: Format, text: str, hit: int) -> Iterator[Match]:
    stop = hit
    for _ in range(_LINE_ENDS):
        stop = text.find("\n", stop + 1, hit + rule.reach)
        if stop < 0:
            stop = hit + rule.reach
            break
    found = rule.pattern.match(text, hit)
    if found and found.start(1) < stop:
        yield from _accept(rule, found)


def _accept(rule: Format, found: re.Match[str]) -> Iterator[Match]:
    value = found[1]
    if not is_documented(value) and (rule.check is None or rule.check(value)):
        yield Match(rule.kind, (found.span(1),), Rank.FORMAT, "high", rule.published)


@dataclass(frozen=True, slots=True)
class Rules:
    """The filter of keywords and, for each of them, what to try where it stands."""

    prefilter: Prefilter
    finders: tuple[tuple[Finder, ...], ...]
    regions: tuple[tuple[RegionFinder, ...], ...]


FINDERS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    *((rule.keywords, _format_finder(rule)) for rule in FORMATS),
    *context.CONTEXT_FINDERS,
    ((" private key", "-----begin private key"), keyblock.key_blocks),
    (("private-lines:",), keyblock.putty_key),
)
REGIONS: tuple[tuple[tuple[str, ...], RegionFinder], ...] = (
    (assigned.PASSWORD_WORDS + assigned.SECRET_WORDS, assigned.assigned),
    (personal.OBFUSCATED_KEYWORDS, personal.obfuscated),
    (("kind: secret", "kind:secret", '"kind": "secret"'), manifests.kubernetes_secret),
    (('"kty"',), manifests.jwk_private),
)


def _build() -> Rules:
    finders: dict[Trigger, list[Finder]] = {}
    regions: dict[Trigger, list[RegionFinder]] = {}
    for words, find in FINDERS:
        for one in words:
            finders.setdefault(word(one), []).append(find)
    finders[context.USER_INFO] = [context.url_credentials]
    for words, search in REGIONS:
        for one in words:
            regions.setdefault(word(one), []).append(search)
    regions[assigned.STRONG_KEY] = [partial(assigned.assigned, weak=True)]
    triggers = list({**finders, **regions})
    return Rules(
        Prefilter(triggers, any_case=True),
        tuple(tuple(finders.get(one, ())) for one in triggers),
        tuple(tuple(regions.get(one, ())) for one in triggers),
    )


RULES = _build()


def keyword_matches(text: str, raw: bytes) -> Iterator[Match]:
    done: dict[RegionFinder, int] = {}
    for number, hit in RULES.prefilter.hits(raw):
        for finder in RULES.finders[number]:
            yield from finder(text, hit)
        for search in RULES.regions[number]:
            if hit >= done.get(search, 0):
                done[search], matches = search(text, hit)
                yield from matches


def scan(path: str, text: str, policy: Policy) -> list[Match]:
    """All matches of all rules, overlaps included."""
    # One byte a code point, so that offsets into it are offsets into the text.
    raw = text.encode("ascii", "replace")
    matches = [
        match
        for match in keyword_matches(text, raw)
        if policy.emails or match.kind != "email_obfuscated"
    ]
    at = places(raw)
    matches += joined.joined_matches(text, at["joints"], keyword_matches)
    matches += longruns.shaped(text, at)
    matches += _runs(path, text, at)
    if policy.emails:
        matches += personal.emails(text, raw)
    matches += personal.numbers(text, at, policy)
    for custom in policy.custom:
        matches += custom_matches(custom, text, raw)
    return matches


def _runs(path: str, text: str, at: Places) -> Iterator[Match]:
    for block in _blocks(text, at["runs"]):
        match = longruns.judge(path, text, block[0]) if len(block) == 1 else None
        if match:
            yield match
        else:
            yield from _inside_base64(text, block)
    for block in longruns.narrow_blocks(text, at["narrow"]):
        yield from _inside_base64(text, block)


def _blocks(text: str, ends: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Long runs by the block of lines that they make up: several lines of base64 are data."""
    block: list[tuple[int, int]] = []
    for span in longruns.long_runs(text, ends):
        if block and not _BETWEEN_LINES.fullmatch(text, block[-1][1], span[0]):
            yield block
            block = []
        block.append(span)
    if block:
        yield block


def _inside_base64(text: str, spans: list[tuple[int, int]]) -> Iterator[Match]:
    """A published format inside base64 text, in one or several lines, is reported for review.

    All of the base64 text is the finding: what is next to the credential is of no use alone.
    """
    if sum(end - start for start, end in spans) > _LONGEST_BASE64:
        return
    inner = decode_text("".join(text[start:end] for start, end in spans))
    if inner is None:
        return
    found = [m for m in keyword_matches(inner, inner.encode("ascii", "replace")) if m.published]
    if found:
        yield Match(found[0].kind, tuple(spans), Rank.FORMAT, "low")
