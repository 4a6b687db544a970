"""The last look at what goes to a model, and the first at what comes back: the scrubber again.

Registered with outbound/scanning.py when Django is ready. What was scrubbed before gives no hits;
what a person typed, or what slipped through, does.
"""

from collections.abc import Sequence
from dataclasses import replace

from indexing.models import Finding
from indexing.scrub import scrub
from indexing.scrub_policy import policy_for
from indexing.scrubbing.policy import Policy
from indexing.scrubbing.reviews import Decision
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
    policies = [_without_paths(one) for one in rows] or [policy_for(Repository(pk=NONE))]

    def scan(text: str) -> Sequence[Hit]:
        first, *others = [_spans(text, policy) for policy in policies]
        common = [span for span in first if all(span[:2] in _places(found) for found in others)]
        return [Hit(kind=kind, line=line) for line, _start, kind in common]

    return scan


def _without_paths(repository: Repository) -> Policy:
    """What is sent has lines of many files and no path, so what a review of a path has let stand
    in the stored text counts by its value: nothing else of that kind goes through."""
    policy = policy_for(repository)
    reviews = policy.reviews
    kinds = {one.kind for one in reviews.paths if one.decision is Decision.DISMISSED}
    if not kinds:
        return policy
    standing = Finding.objects.filter(
        repository=repository, action=Finding.Action.ALLOW, kind__in=kinds, key_id=policy.key_id
    )
    values = {
        (kind, bytes(digest)): Decision.DISMISSED
        for kind, digest in standing.values_list("kind", "fingerprint").distinct()
    }
    return replace(policy, reviews=replace(reviews, values={**values, **reviews.values}))


def _spans(text: str, policy: Policy) -> list[tuple[int, int, str]]:
    path = "" if policy.cover_flagged else OPEN_PATH
    found = scrub(path, text, policy=policy).findings
    return [(one.line, one.start_col, one.kind) for one in found if one.action == "redact"]


def _places(spans: list[tuple[int, int, str]]) -> set[tuple[int, int]]:
    return {(line, start) for line, start, _kind in spans}
