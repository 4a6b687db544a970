"""The test box of a pattern: what it matches in a text that was pasted, kept nowhere."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from compliance.findings.forms import PatternForm
from indexing.scrubbing.custom import CustomPattern, PatternRefused, check, custom_matches

SAMPLE_CHARS = 50_000
MANY_A_LINE = 0.2
LEAST_LINES = 20


@dataclass(frozen=True, slots=True)
class Tried:
    """`pieces` are (text, matched) in order; `problem` is why there are none."""

    pieces: list[tuple[str, bool]]
    matches: int = 0
    warning: str = ""
    problem: str = ""


def try_pattern(form: PatternForm, sample: str) -> Tried:
    sample = sample.replace("\r\n", "\n")
    text = str(form.data.get("pattern", "")).strip()
    try:
        check(text)
    except PatternRefused as error:
        return Tried([], problem=_("Not a pattern that can be used: %(why)s.") % {"why": error})
    words = tuple(str(form.data.get("words", "")).lower().split())
    raw = sample.encode("ascii", "replace")
    spans = [m.spans[0] for m in custom_matches(CustomPattern("try", text, words), sample, raw)]
    return Tried(_pieces(sample, spans), len(spans), _warning(sample, len(spans)))


def _pieces(sample: str, spans: list[tuple[int, int]]) -> list[tuple[str, bool]]:
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in spans:
        pieces += [(sample[at:start], False), (sample[start:end], True)]
        at = end
    return [one for one in [*pieces, (sample[at:], False)] if one[0]]


def _warning(sample: str, matches: int) -> str:
    lines = sample.count("\n") + 1
    if lines < LEAST_LINES or matches <= lines * MANY_A_LINE:
        return ""
    words = ngettext(
        "It matches %(n)s time in %(lines)s lines: more than a secret would.",
        "It matches %(n)s times in %(lines)s lines: more than secrets would.",
        matches,
    )
    return words % {"n": matches, "lines": lines}
