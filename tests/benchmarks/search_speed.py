"""Latency of each channel and of the fused search, all repositories in; a query after the other."""

import time
from collections.abc import Callable

from repos.models import Repository
from search.evaluate import percentile
from search.query import parse_query
from search.retrieval import retrieve_all, scope_of

ROUNDS = 3
TYPED = (
    "getUserById", "Blueprnt", "register_blueprnt", "json provider", "session cookie signing",
    "HTTPAdapter", "parametrize", "fixture scope", "lint rule L001", "templater jinja",
    "redirect loop", "before_request", "assertion rewriting", "config.from_file", "conftest",
)  # fmt: skip
CHANNELS = ("symbol", "lexical", "path", "semantic", None)


def report() -> list[str]:
    scope = scope_of(Repository.objects.all())
    lines = ["| channel | p50 ms | p95 ms | queries |", "|---|---|---|---|"]
    for channel in CHANNELS:
        only = {channel} if channel else None

        def ask(text: str, only: set[str] | None = only) -> None:
            retrieve_all(parse_query(text), scope, only=only)

        times = _times(ask)
        lines.append(
            f"| {channel or 'fused'} | {percentile(times, 0.5):.1f} "
            f"| {percentile(times, 0.95):.1f} | {len(times)} |"
        )
    return lines


def _times(ask: Callable[[str], None]) -> list[float]:
    for text in TYPED:  # warm
        ask(text)
    found = []
    for _ in range(ROUNDS):
        for text in TYPED:
            started = time.perf_counter()
            ask(text)
            found.append((time.perf_counter() - started) * 1000)
    return found
