"""Search at size: latency by channel, and the size of the database, over large sets.

`ONLY=scale make bench`. The sets are made (large_sets.py) from the repositories that are
published in the data folder; where there are none, three are indexed first. BENCH_SIZES are numbers
of chunks, each with `/repositories` or not: "10000,100000,300000,300000/100" unless told otherwise;
1000000 takes about four times as long as 300000. A database of its own is made and dropped.
Plans of every statement go into BENCH_PLANS (var/bench-plans.txt).
"""

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg
from django.core.cache import cache
from django.db import connection

from indexing import postings, vectors
from indexing.local_model import MODEL_NAME, local_model
from indexing.models import Symbol, VectorSet
from repos.models import Repository
from search.evaluate import percentile
from search.postings import forget
from search.preparing import prepare
from search.query import parse_query
from search.retrieval import retrieve_all, scope_of
from search.scope import Scope
from tests.benchmarks.large_sets import Base, Shape, make, published_repositories, read_base
from tests.benchmarks.machine import ROOT
from tests.benchmarks.search_speed import TYPED
from tests.benchmarks.sources import SOURCES, folder

SIZES = os.environ.get("BENCH_SIZES", "10000,100000,300000,300000/100")
PLANS = Path(os.environ.get("BENCH_PLANS", ROOT / "var" / "bench-plans.txt"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
DATABASE = "footnote_scale"
FEWEST_BASE = 3
SYMBOLS = 60
SEED = 11
ASKED = (
    "How are sessions signed and kept in cookies?",
    "Where is the configuration loaded from a file or an environment variable?",
    "Why does a redirect drop the authorization header?",
    "How does a fixture decide in which scope it is torn down?",
    "What happens when an error handler itself raises an exception?",
    "Which class collects test items from a module?",
    "How are timeouts passed down to the connection pool?",
    "Where does the command line parse options from the ini file?",
    "How is assertion rewriting cached between runs?",
    "What decides the order in which before request functions are called?",
    "How are templates found and rendered for a blueprint?",
    "Why are proxies read from the environment and how can that be turned off?",
    "How is a warning captured and shown at the end of a session?",
    "Where are response bodies streamed in chunks and decoded?",
    "How is a plugin registered and which hooks may it implement?",
)
SIZE = """
/* bench: size */
SELECT pg_database_size(current_database()), (SELECT count(*) FROM indexing_chunk),
    (SELECT count(*) FROM indexing_symbol), (SELECT sum(size) FROM repos_file)"""
COLUMNS = (
    "chunks", "repositories", "symbols", "database MB", "for each MB of source", "postings s",
    "channel", "p50 ms", "p95 ms", "queries", "load",
)  # fmt: skip
CHANNELS = ("symbol", "lexical", "path", "semantic", None)


def report() -> list[str]:
    base = _base()
    PLANS.parent.mkdir(parents=True, exist_ok=True)
    PLANS.write_text("", encoding="utf-8")
    lines = [
        f"| {' | '.join(COLUMNS)} |",
        "|---" * len(COLUMNS) + "|",
    ]
    for text in SIZES.split(","):
        chunks, _, repositories = text.partition("/")
        lines += _set(Shape(int(chunks), int(repositories or 1)), base)
    lines += ["", *_embedding(), "", f"Plans: {PLANS}"]
    return lines


def _base() -> Base:
    if published_repositories() < FEWEST_BASE:
        for source in SOURCES[:FEWEST_BASE]:
            prepare(source.name, source.commit, folder())
    return read_base(MODEL_NAME)


def _set(shape: Shape, base: Base) -> list[str]:
    with database(DATABASE, ("repos_", "indexing_")):
        make(shape, base)
        posted = _post()
        _index_vectors()
        head = f"| {_numbers(shape, posted)}"
        scope = scope_of(Repository.objects.all())
        lines = []
        for channel in CHANNELS:
            texts = _names() if channel == "symbol" else [*TYPED, *ASKED]
            times = _times(partial(_ask, scope, {channel} if channel else None), texts)
            lines.append(
                f"{head} | {channel or 'fused'} | {percentile(times, 0.5):.1f} "
                f"| {percentile(times, 0.95):.1f} | {len(times)} | {os.getloadavg()[0]:.1f} |"
            )
        _write_plans(shape, scope)
    return lines


def _ask(scope: Scope, only: set[str] | None, text: str) -> None:
    retrieve_all(parse_query(text), scope, only=only)


@contextmanager
def database(name: str, emptied: tuple[str, ...]) -> Iterator[None]:
    """A database with the tables of this one, of which those that begin so are emptied; dropped
    at the end."""
    settings = connection.settings_dict
    origin = settings["NAME"]
    _in_postgres(
        f"DROP DATABASE IF EXISTS {name} WITH (FORCE)",
        f"CREATE DATABASE {name} TEMPLATE {origin}",
    )
    try:
        _use(name)
        with connection.cursor() as cursor:
            for table in connection.introspection.table_names(cursor):
                if table.startswith(emptied):
                    cursor.execute(f'TRUNCATE "{table}" CASCADE')
        yield
    finally:
        _in_postgres(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        _use(origin)


def _in_postgres(*statements: str) -> None:
    _use("postgres")
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    connection.close()


def _use(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name
    cache.clear()
    forget()


def _post() -> float:
    started = time.perf_counter()
    for number in Repository.objects.values_list("pk", flat=True):
        postings.post(number, 1)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE indexing_posting, indexing_chunklist")
    return time.perf_counter() - started


def _index_vectors() -> None:
    """As after a run: a set of vectors for each repository, and the index where they are many."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT repository_id, count(*) FROM indexing_embedding GROUP BY 1")
        counts = cursor.fetchall()
    VectorSet.objects.bulk_create(
        VectorSet(
            repository_id=repository, model=MODEL_NAME, dimension=384, texts=count,
            embedded=count, serving=True,
        )
        for repository, count in counts
    )  # fmt: skip
    vectors.ensure_index(MODEL_NAME)


def _numbers(shape: Shape, posted: float) -> str:
    with connection.cursor() as cursor:
        cursor.execute(SIZE)
        size, chunks, symbols, source = cursor.fetchone()
    return (
        f"{chunks:,} | {shape.repositories} | {symbols:,} | {size / 1e6:,.0f} "
        f"| {size / float(source):.1f} | {posted:.0f}"
    )


def _names() -> list[str]:
    """Names as people type them: whole, by their beginning, in another spelling, with a slip."""
    chance = random.Random(SEED)
    names = Symbol.objects.exclude(kind__in=("heading", "key")).values_list("name", flat=True)
    total = names.count()
    picked = [names.order_by("id")[chance.randrange(total)] for _ in range(SYMBOLS)]
    changed = (lambda n: n, lambda n: n[:6], lambda n: n.replace("_", "").lower(), _slip)
    return [changed[at % len(changed)](name) for at, name in enumerate(picked)]


def _slip(name: str) -> str:
    middle = len(name) // 2
    return name[:middle] + name[middle + 1 :] if len(name) > 4 else name


def _times(ask: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    for text in texts:  # warm
        ask(text)
    found = []
    for _ in range(ROUNDS):
        for text in texts:
            started = time.perf_counter()
            ask(text)
            found.append((time.perf_counter() - started) * 1000)
    return found


def _write_plans(shape: Shape, scope: Scope) -> None:
    """EXPLAIN (ANALYZE, BUFFERS) of each tagged statement of some queries."""
    seen: dict[str, str] = {}

    # At the driver, since some statements do not go through Django's cursors.
    def explaining(ask: Callable[..., Any]) -> Callable[..., Any]:
        def explain(cursor: Any, sql: Any, parameters: Any = None, **more: Any) -> Any:
            tag = str(sql).strip().partition("*/")[0]
            if tag.startswith("/* search") and tag not in seen:
                seen[tag] = ""
                with connection.cursor() as other:
                    other.execute("EXPLAIN (ANALYZE, BUFFERS) " + sql, parameters)
                    seen[tag] = "\n".join(row[0] for row in other.fetchall())
            return ask(cursor, sql, parameters, **more)

        return explain

    with (
        patch.object(psycopg.Cursor, "execute", explaining(psycopg.Cursor.execute)),
        patch.object(psycopg.Cursor, "stream", explaining(psycopg.Cursor.stream)),
    ):
        for text in ("register_blueprnt", "json provider", "conftest.py", ASKED[0]):
            retrieve_all(parse_query(text), scope)
    with PLANS.open("a", encoding="utf-8") as file:
        file.write(f"==== {shape.chunks:,} chunks, {shape.repositories} repositories\n")
        for tag, plan in seen.items():
            file.write(f"\n{tag} */\n{plan}\n")


def _embedding() -> list[str]:
    """What the model itself takes for a question; it is part of no figure above."""
    model = local_model(1)
    times = _times(lambda text: model.embed([text]), ASKED)
    p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
    return [f"The vector of a question: p50 {p50:.1f} ms, p95 {p95:.1f} ms; kept for a while."]
