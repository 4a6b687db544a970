"""Scrubbing: secrets and personal data out of a text before anything else sees it.

No Django here: the parser children import it. Lines are 1-based and end at LF only; columns are
0-based half-open code points. The text keeps its length and its line ends.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate

from indexing.records import FindingRecord
from indexing.scrubbing.echoes import repeats
from indexing.scrubbing.judging import Judge
from indexing.scrubbing.kinds import BUILT_IN
from indexing.scrubbing.marks import is_mark, mark, mark_spans
from indexing.scrubbing.matches import Match, Rank, merge
from indexing.scrubbing.policy import DEFAULT_POLICY, Policy
from indexing.scrubbing.policy import fingerprint as keyed
from indexing.scrubbing.scanner import leave_no_trace, scan
from indexing.scrubbing.surroundings import in_string, is_test_path
from indexing.scrubbing.traces import Traces, Windows

# Raise it with every change of the rules: what other versions have found is derived again.
RULES_VERSION = 6

# A redaction may lay open a match that its neighbour hid: two passes are the usual case.
_PASSES = 20
_SILENT = frozenset(filter(leave_no_trace, BUILT_IN))
_LINE_PART = re.compile(r"[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """`text` has the redactions in it; what is only flagged or allowed still stands there.

    `recognised` are (earlier, present) fingerprints of values that a review knew by the earlier.
    """

    text: str = field(repr=False)
    findings: tuple[FindingRecord, ...] = ()
    recognised: tuple[tuple[bytes, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    kind: str
    action: str
    confidence: str
    group: int
    fingerprint: bytes = field(repr=False)


def scrub(path: str, text: str, *, policy: Policy = DEFAULT_POLICY) -> Scrubbed:
    """Redact what is certain, report what is not; `redact_flagged` covers the latter as well.

    What a person has dismissed is reported as allowed, at the place where it stands.
    """
    redacted: list[_Span] = []
    flagged: list[_Span] = []
    allowed: dict[tuple[int, int, str], _Span] = {}
    judge = Judge(path, policy)
    in_tests: bool | None = None  # asked for where there is something to judge
    changed: Windows | None = None
    for _ in range(_PASSES):
        group = 1 + max((s.group for s in [*redacted, *flagged, *allowed.values()]), default=-1)
        traces = Traces()
        found = scan(path, text, policy, changed=changed, traces=traces)
        matches, dismissed = judge.sort(found, text)
        if in_tests is None and matches:
            in_tests = policy.flag_in_tests and is_test_path(path)
        fresh = _find(text, matches, policy, in_tests=bool(in_tests), group=group)
        group = 1 + max((span.group for span in fresh), default=group - 1)
        for span in _allowed(text, dismissed, policy, group):
            allowed.setdefault((span.start, span.end, span.kind), span)
        sure = [span for span in fresh if span.action == "redact"]
        doubtful = _without(
            [span for span in fresh if span.action == "flag"], _places(flagged + sure)
        )
        if not sure and not doubtful:
            break
        group += len(dismissed)
        before, (text, repeated) = text, _redact(text, sure, group)
        redacted += sure + repeated
        flagged = _without(flagged + doubtful, _places(sure + repeated))
        if not sure or _is_settled(before, sure + repeated, traces, policy):
            break
        changed = Windows(_places(sure + repeated))
    if flagged:
        flagged += _repeated_flags(text, flagged, redacted)
    records = tuple(_records(text, [*redacted, *flagged, *allowed.values()]))
    return Scrubbed(text, records, judge.recognised)


def _is_settled(text: str, spans: list[_Span], traces: Traces, policy: Policy) -> bool:
    """Nothing can have been laid open by covering the spans of `text`."""
    if policy.custom or not all(span.kind in _SILENT for span in spans):
        return False
    return not traces.touched_by(text, _places(spans))


def _allowed(text: str, matches: list[Match], policy: Policy, group: int) -> list[_Span]:
    return [
        _Span(start, end, match.kind, "allow", match.confidence, group + number, digest)
        for number, match in enumerate(matches)
        for digest in [_fingerprint(text, match, policy)]
        for start, end in match.spans
        if start < end and not is_mark(text[start:end])
    ]


def _repeated_flags(text: str, flagged: list[_Span], redacted: list[_Span]) -> list[_Span]:
    """A flagged value is flagged wherever else it stands, or what is sent would still hold it."""
    values = {text[span.start : span.end]: span for span in flagged}
    group = 1 + max((span.group for span in redacted + flagged), default=-1)
    found = [
        replace(values[value], start=start, end=end, group=group + number)
        for number, (value, start, end) in enumerate(repeats(text, values))
    ]
    return _without(_without(found, _places(flagged)), mark_spans(text))


def _redact(text: str, spans: list[_Span], group: int) -> tuple[str, list[_Span]]:
    """Covers the spans and every other place where one of their values stands.

    Each repetition is a finding of its own, numbered from `group` on.
    """
    values = {text[span.start : span.end]: span for span in spans}
    text = _cover(text, spans)
    found = [
        replace(values[value], start=start, end=end, group=group + number)
        for number, (value, start, end) in enumerate(repeats(text, values))
    ]
    again = _without(found, mark_spans(text))
    return _cover(text, again), again


def redact_flagged(text: str, findings: Iterable[FindingRecord]) -> str:
    """The text of a scrubbed file for embedding and for models: flagged spans covered too."""
    flagged = [record for record in findings if record.action == "flag"]
    if not flagged:
        return text
    starts = _line_starts(text)
    spans = [
        _Span(
            starts[record.line - 1] + record.start_col,
            starts[record.line - 1] + record.end_col,
            record.kind,
            record.action,
            record.confidence,
            record.group,
            record.fingerprint,
        )
        for record in flagged
    ]
    return _cover(text, spans)


def fingerprint(value: str, policy: Policy = DEFAULT_POLICY) -> bytes:
    return keyed(value, policy.key)


def _find(
    text: str, matches: list[Match], policy: Policy, *, in_tests: bool, group: int
) -> list[_Span]:
    """What the rules find outside of the marks."""
    spans: list[_Span] = []
    groups: dict[int, tuple[int, bytes]] = {}
    for merged in merge(matches):
        match = merged.match
        if id(match) not in groups:
            groups[id(match)] = (group + len(groups), _fingerprint(text, match, policy))
        number, digest = groups[id(match)]
        action, confidence = _verdict(text, match, policy, in_tests=in_tests)
        spans.append(
            _Span(merged.start, merged.end, match.kind, action, confidence, number, digest)
        )
    if not spans:
        return []
    return [s for s in _without(spans, mark_spans(text)) if not is_mark(text[s.start : s.end])]


def _fingerprint(text: str, match: Match, policy: Policy) -> bytes:
    return fingerprint("".join(text[a:b] for a, b in match.spans), policy)


def _verdict(text: str, match: Match, policy: Policy, *, in_tests: bool) -> tuple[str, str]:
    """(action, confidence): only what is low, or only to be flagged, is left in the text."""
    if match.kind in policy.flagged_kinds and match.rank is Rank.PERSONAL:
        return "flag", match.confidence
    doubtful = in_tests and not match.published and in_string(text, match.start, match.end)
    if doubtful or match.confidence == "low":
        return "flag", "low"
    return "redact", match.confidence


def _places(spans: Iterable[_Span]) -> list[tuple[int, int]]:
    return sorted((span.start, span.end) for span in spans)


def _without(spans: list[_Span], holes: list[tuple[int, int]]) -> list[_Span]:
    """What is left of the spans outside the holes, which are in order."""
    if not holes:
        return spans
    ends = list(accumulate((end for _, end in holes), max))
    kept: list[_Span] = []
    for span in spans:
        at = span.start
        index = bisect_right(ends, at)
        while index < len(holes) and holes[index][0] < span.end:
            if at < holes[index][0]:
                kept.append(replace(span, start=at, end=holes[index][0]))
            at = max(at, holes[index][1])
            index += 1
        if at < span.end:
            kept.append(replace(span, start=at))
    return kept


def _cover(text: str, spans: Iterable[_Span]) -> str:
    pieces: list[str] = []
    at = 0
    for span in sorted(spans, key=lambda span: span.start):
        start = max(at, span.start)
        if start >= span.end:
            continue
        pieces.append(text[at:start])
        pieces.append(_masked(text[start : span.end], span.kind))
        at = span.end
    pieces.append(text[at:])
    return "".join(pieces)


def _masked(hidden: str, kind: str) -> str:
    return _LINE_PART.sub(lambda part: mark(kind, len(part[0])), hidden)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _records(text: str, spans: list[_Span]) -> Iterator[FindingRecord]:
    line, first, at = 1, 0, 0
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        for part in _LINE_PART.finditer(text, span.start, span.end):
            if part.start() < at:  # what overlaps the one before
                line, first, at = 1, 0, 0
            line += text.count("\n", at, part.start())
            first = text.rfind("\n", at, part.start()) + 1 or first
            at = part.start()
            yield FindingRecord(
                line,
                part.start() - first,
                part.end() - first,
                span.kind,
                span.action,
                span.confidence,
                span.group,
                span.fingerprint,
            )
