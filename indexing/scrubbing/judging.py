"""Applies people's reviews to the matches of one file, before overlapping ones are merged."""

from collections.abc import Iterable
from dataclasses import replace

from indexing.scrubbing.matches import Match, Rank
from indexing.scrubbing.policy import Policy, fingerprint
from indexing.scrubbing.reviews import Decision


class Judge:
    """`recognised` collects values that a review knew under an earlier key."""

    def __init__(self, path: str, policy: Policy) -> None:
        self._policy = policy
        self._by_kind = policy.reviews.of_path(path)
        self._kinds_with_values = policy.reviews.kinds_with_values
        self._recognised: dict[bytes, bytes] = {}

    @property
    def recognised(self) -> tuple[tuple[bytes, bytes], ...]:
        return tuple(self._recognised.items())

    def sort(self, matches: Iterable[Match], text: str) -> tuple[list[Match], list[Match]]:
        """(what the rules still say, what was dismissed). A confirmed match is certain."""
        if not self._by_kind and not self._kinds_with_values:
            return list(matches), []
        kept: list[Match] = []
        dismissed: list[Match] = []
        for match in matches:
            decision = self._decision(match, text)
            if decision is Decision.DISMISSED:
                dismissed.append(match)
            elif decision is Decision.CONFIRMED:
                # Its rank stays, but flags that a repository's settings ask for do not apply.
                rank = max(match.rank, Rank.ASSIGNED)
                kept.append(replace(match, confidence="high", published=True, rank=rank))
            else:
                kept.append(match)
        return kept, dismissed

    def _decision(self, match: Match, text: str) -> Decision | None:
        if match.kind in self._kinds_with_values:
            found = self._of_value(match.kind, "".join(text[a:b] for a, b in match.spans))
            if found is not None:
                return found
        return self._by_kind.get(match.kind)

    def _of_value(self, kind: str, value: str) -> Decision | None:
        present = fingerprint(value, self._policy.key)
        found = self._policy.reviews.values.get((kind, present))
        if found is not None:
            return found
        for key in self._policy.earlier_keys:
            earlier = fingerprint(value, key)
            found = self._policy.reviews.values.get((kind, earlier))
            if found is not None:
                self._recognised[earlier] = present
                return found
        return None
