"""One pass over a text: keywords first, then each rule only where its keyword stands."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ahocorasick_rs import BytesAhoCorasick

from indexing.scrubbing import assigned, context, joined, keyblock, longruns, manifests, personal
from indexing.scrubbing.custom import custom_matches
from indexing.scrubbing.formats import FORMATS, Format
from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.placeholders import is_documented
from indexing.scrubbing.policy import Policy
from indexing.scrubbing.structure import decode_text

# The keyword hits of one slice are in memory at once; a file of nothing but hits stays bounded.
SLICE = 1 << 20
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
    """The keyword automaton and, for each keyword, what to try where it stands."""

    automaton: BytesAhoCorasick
    finders: tuple[tuple[Finder, ...], ...]
    regions: tuple[tuple[RegionFinder, ...], ...]
    longest: int


FINDERS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    *((rule.keywords, _format_finder(rule)) for rule in FORMATS),
    *context.CONTEXT_FINDERS,
    ((" private key", "-----begin private key"), keyblock.key_blocks),
    (("private-lines:",), keyblock.putty_key),
)
REGIONS: tuple[tuple[tuple[str, ...], RegionFinder], ...] = (
    (assigned.PASSWORD_WORDS + assigned.SECRET_WORDS, assigned.assigned),
    (assigned.KEY_WORDS, partial(assigned.assigned, weak=True)),
    (personal.OBFUSCATED_KEYWORDS, personal.obfuscated),
    (("kind: secret", "kind:secret", '"kind": "secret"'), manifests.kubernetes_secret),
    (('"kty"',), manifests.jwk_private),
)


def _build() -> Rules:
    words = sorted({word for words, _ in (*FINDERS, *REGIONS) for word in words})
    return Rules(
        BytesAhoCorasick([word.encode() for word in words]),
        tuple(tuple(find for keys, find in FINDERS if word in keys) for word in words),
        tuple(tuple(find for keys, find in REGIONS if word in keys) for word in words),
        max(map(len, words)),
    )


RULES = _build()


def keyword_matches(text: str, raw: bytes) -> Iterator[Match]:
    low = raw.lower()
    done: dict[RegionFinder, int] = {}
    for start in range(0, len(low), SLICE):
        overlap = min(RULES.longest - 1, start)
        part = low[start - overlap : start + SLICE]
        for index, at, end in RULES.automaton.find_matches_as_indexes(part, overlapping=True):
            if end <= overlap:
                continue
            hit = start - overlap + at
            for finder in RULES.finders[index]:
                yield from finder(text, hit)
            for search in RULES.regions[index]:
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
    matches += joined.joined_matches(text, raw, keyword_matches)
    matches += longruns.shaped(text, raw)
    matches += _runs(path, text, raw)
    if policy.emails:
        matches += personal.emails(text, raw)
    matches += personal.numbers(text, personal.zero_digits(raw), policy)
    for custom in policy.custom:
        matches += custom_matches(custom, text, raw)
    return matches


def _runs(path: str, text: str, raw: bytes) -> Iterator[Match]:
    for block in _blocks(text, raw):
        match = longruns.judge(path, text, block[0]) if len(block) == 1 else None
        if match:
            yield match
        else:
            yield from _inside_base64(text, block)
    for block in longruns.narrow_blocks(raw, text):
        yield from _inside_base64(text, block)


def _blocks(text: str, raw: bytes) -> Iterator[list[tuple[int, int]]]:
    """Long runs by the block of lines that they make up: several lines of base64 are data."""
    block: list[tuple[int, int]] = []
    for span in longruns.long_runs(raw, text):
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
