"""One pass over a text: keywords first, then each rule only where its keyword stands."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain

from indexing.scrubbing import (
    assigned,
    context,
    emails,
    joined,
    keyblock,
    longruns,
    manifests,
    personal,
)
from indexing.scrubbing.candidates import Candidates
from indexing.scrubbing.commands import COMMAND_FINDERS
from indexing.scrubbing.custom import custom_matches
from indexing.scrubbing.formats import FORMATS, Format
from indexing.scrubbing.marks import mark
from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.placeholders import is_documented
from indexing.scrubbing.policy import EMAILS, SOCIAL_SECURITY_NUMBERS, Policy
from indexing.scrubbing.prefilter import Prefilter, Trigger, word
from indexing.scrubbing.shapes import Places, places
from indexing.scrubbing.structure import decode_text
from indexing.scrubbing.traces import Traces, Windows

_LINE_ENDS = 3
_LONGEST_BASE64 = 40_000
# What stands between two lines of one block: ends of literals, escapes, line ends in XML.
_BETWEEN_LINES = re.compile(
    r"(?:\n[ \t]{0,80}\||[ \t\r\n\"'+\\]|\\[nr]|&#x[AaDd];|&#1[03];|%0[AaDd])*"
)
_BETWEEN_ITEMS = re.compile(r"(?:\\n)?[\"'],[ \t]*\r?\n[ \t]*[\"']")
_WIDTHS = (60, 64, 72, 76, 80)
_FARTHEST_LINE = 200
_LEAST_ITEMS = 6
_LONGEST_MARK = 70
_JOINED_SHAPES = ("runs", "discord", "airtable", "mailgun")
Finder = Callable[[str, int], Iterator[Match]]
RegionFinder = Callable[[str, int], Region]
ValueFinder = Callable[[str, int, Candidates], Region]


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
    values: tuple[tuple[ValueFinder, ...], ...]


FINDERS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    *((rule.keywords, _format_finder(rule)) for rule in FORMATS),
    *context.CONTEXT_FINDERS,
    *COMMAND_FINDERS,
    (personal.SSN_WORDS, personal.bare_ssn),
    (("private key", "private%20key", "private+key"), keyblock.key_blocks),
    (("private-lines:",), keyblock.putty_key),
)
REGIONS: tuple[tuple[tuple[str, ...], RegionFinder], ...] = (
    (emails.OBFUSCATED_KEYWORDS, emails.obfuscated),
    (("kind: secret", "kind:secret", '"kind": "secret"'), manifests.kubernetes_secret),
    (("kty",), manifests.jwk_private),
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
    values: dict[Trigger, tuple[ValueFinder, ...]] = {
        **dict.fromkeys(assigned.NAMES, (assigned.assigned,)),
        assigned.STRONG_KEY: (partial(assigned.assigned, weak=True),),
        assigned.SHORT_PASSWORD: (assigned.short_password,),
    }
    triggers = list({**finders, **regions, **values})
    return Rules(
        Prefilter(triggers, any_case=True),
        tuple(tuple(finders.get(one, ())) for one in triggers),
        tuple(tuple(regions.get(one, ())) for one in triggers),
        tuple(values.get(one, ()) for one in triggers),
    )


RULES = _build()


def keyword_matches(
    text: str, raw: bytes, *, changed: Windows | None = None, hits: list[int] | None = None
) -> Iterator[Match]:
    """Adds to `hits` where keywords stand; with `changed`, names are looked at only in there."""
    finders, regions, values = RULES.finders, RULES.regions, RULES.values
    done: dict[RegionFinder | ValueFinder, int] = {}
    candidates = Candidates(raw)
    for number, hit in RULES.prefilter.hits(raw):
        if hits is not None:
            hits.append(hit)
        for find_value in values[number]:
            if hit >= done.get(find_value, 0) and (changed is None or hit in changed):
                done[find_value], matches = find_value(text, hit, candidates)
                yield from matches
        for finder in finders[number]:
            yield from finder(text, hit)
        for search in regions[number]:
            if hit >= done.get(search, 0):
                done[search], matches = search(text, hit)
                yield from matches


def scan(
    path: str,
    text: str,
    policy: Policy,
    *,
    changed: Windows | None = None,
    traces: Traces | None = None,
) -> list[Match]:
    """All matches of all rules, overlaps included.

    `changed` is where a text that was scanned before has changed since; `traces` takes up where
    rules have looked, to tell whether a change can matter.
    """
    # One byte a code point, so that offsets into it are offsets into the text.
    raw = text.encode("ascii", "replace")
    off = _switched_off(policy)
    hits = traces.hits if traces else None
    matches = [
        match
        for match in keyword_matches(text, raw, changed=changed, hits=hits)
        if match.kind not in off
    ]
    at = places(raw)
    if traces:
        traces.shapes = at
    matches += joined.joined_matches(
        text, at["joints"], partial(_in_joined, policy=policy), _worth_joining
    )
    matches += longruns.shaped(text, at)
    matches += _runs(path, text, at)
    if policy.emails:
        matches += emails.emails(text, raw)
    matches += personal.numbers(text, at, policy)
    for custom in policy.custom:
        matches += custom_matches(custom, text, raw)
    return matches


def leave_no_trace(kind: str) -> bool:
    """No keyword stands in the mark of this kind."""
    return not list(RULES.prefilter.hits(mark(kind, _LONGEST_MARK).encode()))


def _in_joined(text: str, raw: bytes, *, policy: Policy) -> Iterator[Match]:
    """What is looked for in literals that were put together."""
    off = _switched_off(policy)
    yield from (match for match in keyword_matches(text, raw) if match.kind not in off)
    if policy.emails:
        yield from emails.emails(text, raw)
    at = places(raw)
    yield from longruns.shaped(text, at)
    yield from longruns.seeds(text, at["runs"])


def _worth_joining(texts: list[str]) -> set[int]:
    """The numbers of those that hold a keyword or shape."""
    raw = "\n".join(texts).encode("ascii", "replace")
    ends = list(accumulate(len(text) + 1 for text in texts))
    at = places(raw)
    shaped = (end - 1 for name in _JOINED_SHAPES for end in at[name])
    hits = (hit for _, hit in RULES.prefilter.hits(raw))
    named = (found.start() for found in re.finditer(b"@", raw))
    return {bisect_right(ends, place) for place in chain(hits, shaped, named)}


def _switched_off(policy: Policy) -> tuple[str, ...]:
    """Kinds of personal data that are found by words and that nobody wants to hear of."""
    return (*(() if policy.emails else EMAILS),
            *(() if policy.social_security_numbers else SOCIAL_SECURITY_NUMBERS))  # fmt: skip


def _runs(path: str, text: str, at: Places) -> Iterator[Match]:
    listing = longruns.is_listing(path)
    by_chance: list[Match] = []
    public: set[str] = set()
    for block in _blocks(text, at["runs"]):
        match = longruns.private_der(text, block)
        if match is None and len(block) == 1:
            match = longruns.seed(text, block[0])
            if match is None and not listing:
                match = longruns.judge(text, block[0], public)
        if match is None or match.rank is Rank.ENTROPY:
            yield from _inside_base64(text, block)
            by_chance += [match] if match else []
        else:
            yield match
    yield from (m for m in by_chance if text[m.start : m.end].strip("-") not in public)
    for block in longruns.narrow_blocks(text, at["narrow"]):
        yield from _inside_base64(text, block)


def _blocks(text: str, ends: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Long runs by the block of lines that they make up: several lines of base64 are data."""
    block: list[tuple[int, int]] = []
    items = False
    for span in longruns.long_runs(text, ends):
        if block:
            joint = _joint(text, block[-1], span)
            if joint is None:
                yield from _as_data(block, items=items)
                block, items = [], False
            else:
                items = items or joint is _BETWEEN_ITEMS
        block.append(span)
    if block:
        yield from _as_data(block, items=items)


def _joint(text: str, last: tuple[int, int], span: tuple[int, int]) -> re.Pattern[str] | None:
    """What joins two runs: the end of a line, or that of an item of a list as wide as such."""
    if span[0] - last[1] > _FARTHEST_LINE:
        return None
    if _BETWEEN_LINES.fullmatch(text, last[1], span[0]):
        return _BETWEEN_LINES
    wide = last[1] - last[0] in _WIDTHS
    return _BETWEEN_ITEMS if wide and _BETWEEN_ITEMS.fullmatch(text, last[1], span[0]) else None


def _as_data(block: list[tuple[int, int]], *, items: bool) -> Iterator[list[tuple[int, int]]]:
    """A list of a few items is one of values, a long one of equal width is data."""
    if items and len(block) < _LEAST_ITEMS:
        yield from ([span] for span in block)
    else:
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
    last = longruns.last_line(text, spans[-1]) if spans[-1][1] - spans[-1][0] in _WIDTHS else None
    if last:
        whole = decode_text("".join(text[start:end] for start, end in [*spans, last]))
        spans, inner = ([*spans, last], whole) if whole else (spans, inner)
    found = [m for m in keyword_matches(inner, inner.encode("ascii", "replace")) if m.published]
    if found:
        yield Match(found[0].kind, tuple(spans), Rank.FORMAT, "low")
