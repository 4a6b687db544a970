"""What each tagged statement of the console is asked with in test_plans.py, and what it then uses.

On the rows of tests/benchmarks/console_rows.py: files 1 to 4,000, ten findings in each.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from compliance.findings.filters import Filter
from compliance.findings.listing import COUNTED, COUNTED_STATE, NARROWED, PAGE_ROWS

TODAY = timezone.now().date()
FILES = list(range(3_001, 3_041))
PRINTS = [b"x" * 32]
SENT_BY_CALL = "outbound_sentlines_model_call_id_9caba5a8"  # Django made its name
TALLY_OF = "compliance_findingtally_repository_id_ff8c3563"
EVERYTHING: dict[str, Any] = Filter().parameters() | {
    "after": 0, "number": 0, "limit": PAGE_ROWS + 1, "path_regex": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """`uses` are names of indexes, `whole` tables that it may read from end to end; `fill` goes
    into the statement's text."""

    parameters: dict[str, Any] = field(default_factory=dict)
    uses: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    fill: dict[str, str] = field(default_factory=dict)


def _found(narrowed: str = "", shown: str = "s.state", **parameters: Any) -> dict[str, Any]:
    condition = NARROWED[narrowed] if narrowed else ""
    return {
        "parameters": EVERYTHING | parameters,
        "fill": {"{narrowed}": condition, "{state}": shown},
    }


FINDINGS = {
    "list_findings": [
        Case(**_found(), uses=("finding_in_order", "repos_file_pkey")),
        Case(**_found(kind="kind_7"), uses=("finding_kind",)),
        Case(**_found(action="allow"), uses=("finding_action",), whole=("repos_file",)),
        Case(
            **_found("decided", state="confirmed"),
            uses=("decided_in_order",),
            whole=("repos_file",),
        ),
        Case(**_found("review", review=7), uses=("finding_fingerprint",)),
        Case(**_found(path="x", path_pattern="%module_777%"), uses=("file_path_trgm",)),
    ],
    "findings_by_number": [
        Case({"numbers": FILES}, uses=("finding_in_order", "repos_file_pkey")),
    ],
    "look_at_findings": [
        Case(
            **_found(path="x", path_pattern="%module_777%", limit=COUNTED + 1),
            uses=("file_path_trgm", "finding_file"),
        ),
        Case(
            **_found("", COUNTED_STATE, path="x", path_pattern="%module_777%", limit=COUNTED + 1),
            uses=("file_path_trgm", "finding_file", "compliance_decidedfinding_pkey"),
        ),
    ],
    "reached_findings": [
        Case(
            **_found(kind="kind_7", path_regex="^src/", limit=COUNTED + 1), uses=("finding_kind",)
        ),
    ],
    "selected_findings": [
        Case(**_found(every=False, numbers=FILES), uses=("finding_in_order",)),
        Case(**_found(kind="kind_7", every=True, numbers=[]), uses=("finding_kind",)),
    ],
    "spans_of_lines": [
        Case(
            {"files": FILES, "lines": [1] * len(FILES), "repositories": [2, 3]},
            uses=("finding_file",),
        ),
    ],
    "places_of_value": [
        Case(
            {"prints": PRINTS, "read": 1_000, "limit": 200},
            uses=("finding_fingerprint", "repos_file_pkey"),
        ),
    ],
    "twins_of_values": [
        Case({"prints": PRINTS, "limit": 200}, uses=("finding_fingerprint", "repos_file_pkey")),
    ],
    "files_that_hold": [
        Case(
            {
                "repositories": [2] * len(FILES),
                "files": FILES,
                "lines": [1] * len(FILES),
                "lasts": [1] * len(FILES),
            }
        ),
    ],
    "size_for_tallies": [Case({"repository": 9, "limit": 2_001}, uses=("finding_file",))],
    "count_tallies": [Case({"repository": 9, "marks": "1"}, uses=("finding_file",))],
    "tallies": [
        Case(Filter(kind="email").parameters(), whole=("compliance_findingtally",)),
        Case(Filter(since=f"{TODAY}").parameters(), whole=("compliance_findingtally",)),
    ],
    "findings_by_snapshot": [
        Case({"repository": 9, "limit": 24}, uses=(TALLY_OF,), fill={"{by}": "kind"}),
    ],
}

CALLS = {
    "commits_of_calls": [Case({"calls": [1, 2, 3]}, uses=(SENT_BY_CALL,))],
    "lines_of_call": [
        Case(
            {"call": 1, "first": 0, "limit": 51},
            uses=(SENT_BY_CALL, "file_path_first", "finding_file"),
        ),
    ],
    "days_to_add_up": [
        Case({"today": TODAY}, uses=("model_call_created", "model_call_running")),
    ],
    "add_up_day": [
        Case({"day": TODAY - timedelta(days=100)}, uses=("model_call_created",)),
    ],
    "sums_by_period": [
        Case(
            {"kind": "own", "person": 7, "unit": "day", "since": date(2026, 1, 1), "until": TODAY},
            uses=("spend_of_a_day",),
        ),
    ],
    "shares_of_keys": [
        Case(
            {
                "kind": "person", "person": 0, "unit": "day", "keys": ["2", "3"],
                "since": TODAY - timedelta(days=30), "until": TODAY,
            },
            uses=("spend_of_a_day",),
        ),
    ],
}  # fmt: skip

CASES: dict[str, list[Case]] = FINDINGS | CALLS

# Statements without a plan of interest, and why.
NO_INDEX = {
    "marks_of_tallies": "reads the repositories, each with its snapshots and its policy",
    "hold_for_tallies": "reads the row of one repository",
    "forget_tallies": "three statements in one, of what count_tallies has written",
    "report_findings": "counts all findings, for a report that a worker makes",
}
