"""The last look at what goes to a model, and the first at what comes back: the scrubber again.

Registered with outbound/scanning.py when Django is ready. What was scrubbed before gives no hits;
what a person typed, or what slipped through, does.
"""

from collections.abc import Sequence

from indexing.scrub import scrub
from indexing.scrub_policy import policy_for
from indexing.scrubbing.policy import Policy
from outbound.scanning import Hit, Scan
from repos.models import Repository

NONE = 0  # the number of no repository: the rules that hold for all
# Where flagged values are let through (Policy.cover_flagged), they must not become certain here
# for want of a path.
OPEN_PATH = "tests/sent.txt"


def scan_for(repositories: Sequence[int]) -> Scan:
    """By the rules of these repositories: what all of them would redact is a hit, since what one
    of them lets through may stand in its lines."""
    rows = Repository.objects.filter(pk__in=repositories)
    policies = [policy_for(one) for one in rows] or [policy_for(Repository(pk=NONE))]

    def scan(text: str) -> Sequence[Hit]:
        first, *others = [_spans(text, policy) for policy in policies]
        common = [span for span in first if all(span[:2] in _places(found) for found in others)]
        return [Hit(kind=kind, line=line) for line, _start, kind in common]

    return scan


def _spans(text: str, policy: Policy) -> list[tuple[int, int, str]]:
    path = "" if policy.cover_flagged else OPEN_PATH
    found = scrub(path, text, policy=policy).findings
    return [(one.line, one.start_col, one.kind) for one in found if one.action == "redact"]


def _places(spans: list[tuple[int, int, str]]) -> set[tuple[int, int]]:
    return {(line, start) for line, start, _kind in spans}
