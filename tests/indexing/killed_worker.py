"""A worker in a process of its own that kills itself at a given point of a run.

Started by worker_process.py: `python -m tests.indexing.killed_worker RUN POINT SETTINGS`.
Without a point it lives, and prints its largest resident size in kilobytes.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any


def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying_after(function: Callable[..., Any], times: int = 1) -> Callable[..., Any]:
    """Does its work `times` times, and ends the process before its caller can go on."""
    done = 0

    def wrapped(*arguments: Any, **options: Any) -> Any:
        nonlocal done
        result = function(*arguments, **options)
        done += 1
        if done == times:
            die()
        return result

    return wrapped


def dying_second(function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """A generator that ends the process before its third item."""

    def wrapped(*arguments: Any, **options: Any) -> Iterator[Any]:
        for count, item in enumerate(function(*arguments, **options)):
            if count == 2:
                die()
            yield item

    return wrapped


def patch(point: str) -> None:
    from indexing import (  # noqa: PLC0415
        embed,
        import_targets,
        jobs,
        pipeline,
        publish,
        runs,
        store,
        trigrams,
        workers,
    )

    workers.BATCH_FILES = 1
    embed.BATCH = 2
    trigrams.BATCH = 1
    points: dict[str, tuple[Any, str, Callable[..., Any]]] = {
        "claimed": (jobs, "run_stages", lambda _: die),
        "fetched": (pipeline, "fetch", dying_after),
        "walking": (pipeline, "walk", dying_second),
        "walk written": (pipeline, "_name_commit", dying_after),
        "walked": (pipeline, "walk_files", dying_after),
        "batch stored": (store, "write_derived", lambda f: dying_after(f, 2)),
        "batch committed": (pipeline, "store_outcomes", lambda f: dying_after(f, 2)),
        "derived": (pipeline, "derive_files", dying_after),
        "imports resolved": (import_targets, "resolve_imports", dying_after),
        "resolved": (pipeline, "resolve", dying_after),
        "publishing": (publish, "publish", dying_after),
        "published": (pipeline, "forget_trees", dying_after),
        "text entered": (trigrams, "_enter_some", dying_after),
        "embedding": (embed, "_insert", lambda f: dying_after(f, 2)),
        "embedded": (pipeline, "embed", dying_after),
        "finishing": (runs, "finish", lambda _: die),
    }
    module, name, wrap = points[point]
    setattr(module, name, wrap(getattr(module, name)))


def main(run: str, point: str, given: str) -> None:
    import django  # noqa: PLC0415
    from django.conf import settings  # noqa: PLC0415

    values = json.loads(given)
    settings.DATABASES["default"]["NAME"] = values.pop("database")
    for name, value in values.items():
        setattr(settings, name, value)
    django.setup()
    if point:
        patch(point)
    from indexing.jobs import index_repository  # noqa: PLC0415

    index_repository(int(run))
    sys.stdout.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


if __name__ == "__main__":
    main(*sys.argv[1:])
