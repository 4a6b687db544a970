"""Exact and regular-expression search over all repositories: the first results, and all of them."""

import time
from statistics import median

from repos.models import Repository
from search.exact import Slice, Stopped, slices
from search.exact_query import ExactQuery, parse_exact

ROUNDS = 3
TYPED = (
    r"/raise ValueError/", r"/def \w+_id\(/", r"/^class \w+Adapter/", r"/TODO|FIXME/i", r"/self/",
    r"/->\s*None:$/ lang:py", r"/[a-f0-9]{40}/", r"/(a+)+$/", r"/zzzzq+x/", '"HTTPAdapter"',
    '"session cookie" case:yes', r"/(?:\w+\s*)*\(\)\{$/",
)  # fmt: skip


def report() -> list[str]:
    lines = [
        "| query | first results ms | files in them | all ms | found |",
        "|---|---|---|---|---|",
    ]
    for text in TYPED:
        asked = parse_exact(text)
        if asked is None:
            raise ValueError(f"{text} is no exact query")
        lines.append(_row(text, asked))
    return lines


def _row(text: str, asked: ExactQuery) -> str:
    firsts, alls = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        found = []
        for one in slices(Repository.objects.all(), asked):
            found.append(one)
            if len(found) == 1:
                firsts.append((time.perf_counter() - started) * 1000)
        alls.append((time.perf_counter() - started) * 1000)
    shown = text.replace("|", r"\|")
    return (
        f"| `{shown}` | {median(firsts):.0f} | {len(found[0].hits)} | {median(alls):.0f} "
        f"| {_counted(found[-1])} |"
    )


BEFORE: dict[Stopped | None, str] = {
    None: "",
    Stopped.LINES: "more than ",
    Stopped.TIME: "in time ",
}


def _counted(last: Slice) -> str:
    return f"{BEFORE[last.stopped]}{last.lines:,} lines in {last.files:,} files"
