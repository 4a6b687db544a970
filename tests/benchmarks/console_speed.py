"""The console at size: what each page costs the server, and how large it is.

`ONLY=console make bench`. A database of its own is made with BENCH_CONSOLE rows (1,000,000) of
findings, events and model calls each, and dropped at the end; making it takes some minutes. Pages
are asked in this process, as a compliance officer. `first` of an export is its first piece. The
counts and sums that the worker makes beforehand are made first; how long that took is told.
"""

import os
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client

from accounts.models import AuditEvent, User
from compliance.calls import daily
from compliance.findings import tallies
from outbound.models import ModelCall
from search.evaluate import percentile
from tests.benchmarks import console_rows
from tests.benchmarks.search_scale import database

ROWS = int(os.environ.get("BENCH_CONSOLE", "1000000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "10"))
DATABASE = "footnote_console"
FINDINGS = (
    "", "?after={half}", "?repository=service-1", "?kind=email", "?kind=kind_7", "?state=open",
    "?state=dismissed", "?action=flag&state=open", "?confidence=low&action=redact",
    "?path=module_777", "?path=nothing-is-called-so", "?seen=ever", "?since={month}",
    "?path=tests&kind=password&state=dismissed",
)  # fmt: skip
CALLS = (
    "", "?before={half_call}", "?person=person-9", "?repository=service-3", "?model=provider/rare",
    "?state=blocked", "?since={month}",
)  # fmt: skip
SPEND = ("", "?by=person", "?by=repository", "?by=person&since={year}&until={today}")
ACTIVITY = (
    "", "?before={half_event}", "?person=person-150", "?action=policy", "?text=module_777",
    "?text=zzz", "?until={year_end}&person=person-9&action=console",
)  # fmt: skip
OTHERS = (
    "", "findings/{rows}", "findings/trend?repository=service-1", "findings.csv", "reviews",
    "lookup", "patterns", "calls/{last_call}", "calls.csv", "activity/people/{person}",
    "activity.csv", "reports", "deletions", "rows/accounts/auditevent/",
)  # fmt: skip


def report() -> list[str]:
    call_command("collectstatic", interactive=False, verbosity=0)
    with database(DATABASE, ("repos_", "indexing_", "outbound_", "compliance_")):
        console_rows.make(ROWS)
        counted, summed = _seconds(tallies.recount), _seconds(daily.add_up)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        client = _signed_in()
        table = [_row(client, page) for page in _pages()]
    made = f"counting all findings took {counted:.0f} s, adding up a year of days {summed:.0f} s"
    return [
        f"{ROWS:,} findings, events and calls. For the worker {made}.",
        "",
        "| page | p50 ms | p95 ms | kB |",
        "|---|---|---|---|",
        *table,
    ]


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _signed_in() -> Client:
    settings.ALLOWED_HOSTS = ["*"]
    user, _ = User.objects.get_or_create(username="bench-officer", defaults={"role": "officer"})
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _pages() -> Iterator[str]:
    half = ROWS // 2
    last_call = ModelCall.objects.latest("pk")
    today = last_call.created.date()
    words = {
        "half": half, "rows": ROWS, "last_call": last_call.pk, "half_call": last_call.pk - half,
        "half_event": AuditEvent.objects.order_by("-id")[half].id, "today": today,
        "person": User.objects.get(username="person-9").pk, "month": today.replace(day=1),
        "year": today - timedelta(days=364),
        "year_end": f"{today.year}-01-01",
    }  # fmt: skip
    for place, queries in (
        ("findings", FINDINGS), ("calls", CALLS), ("calls/spend", SPEND), ("activity", ACTIVITY),
        ("", OTHERS),
    ):  # fmt: skip
        yield from (f"/console/{place}{query}".format(**words) for query in queries)


def _row(client: Client, page: str) -> str:
    _ask(client, page)  # templates are read, and caches filled, once
    asked = [_ask(client, page) for _ in range(ROUNDS)]
    times = [milliseconds for milliseconds, _ in asked]
    p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
    first = " (first)" if page.endswith(".csv") else ""
    return f"| `{page}`{first} | {p50:.0f} | {p95:.0f} | {asked[-1][1] / 1000:.0f} |"


def _ask(client: Client, page: str) -> tuple[float, int]:
    """Milliseconds and bytes; of an export up to its second piece, which holds the first rows."""
    started = time.perf_counter()
    response = client.get(page)
    if response.status_code != 200:
        raise SystemExit(f"{page} was answered with status {response.status_code}.")
    if response.streaming:
        pieces = iter(response)
        size = sum(len(next(pieces, b"")) for _ in range(2))
    else:
        size = len(response.content)
    return (time.perf_counter() - started) * 1000, size
