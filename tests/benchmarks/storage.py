"""Size in the database by MB of source, and embeddings a second."""

import os
import time

from django.db import connection

from indexing.local_model import local_model
from indexing.models import EmbedInput
from repos.models import Repository, Snapshot

SIZES = """
SELECT relname, pg_total_relation_size(c.oid) FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r'
  AND (relname LIKE 'indexing_%' OR relname = 'repos_file')
ORDER BY 2 DESC
"""
TEXTS = 640
BATCH = 32


def sizes() -> list[str]:
    published = [
        Snapshot.objects.get(repository=number, number=snapshot)
        for number, snapshot in Repository.objects.values_list("pk", "published_snapshot")
        if snapshot is not None
    ]
    source = sum(one.bytes for one in published) / 1e6
    chunks = sum(one.chunks for one in published)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute(SIZES)
        rows = [(str(name), int(size) / 1e6) for name, size in cursor.fetchall()]
    total = sum(size for _, size in rows)
    lines = ["| table with its indexes | MB | MB for each MB of source |", "|---|---|---|"]
    lines += [f"| {name} | {mb:.1f} | {mb / source:.2f} |" for name, mb in rows if mb >= 0.5]
    lines.append(
        f"| all, for {source:.1f} MB in {chunks:,} chunks | {total:.1f} | {total / source:.2f} |"
    )
    return lines


def embeddings() -> list[str]:
    texts = list(EmbedInput.objects.order_by("id").values_list("text", flat=True)[:TEXTS])
    texts.sort(key=len)
    model = local_model(os.cpu_count() or 1)
    model.embed(texts[:BATCH])
    started = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        model.embed(texts[start : start + BATCH])
    seconds = time.perf_counter() - started
    average = sum(map(len, texts)) / max(len(texts), 1)
    return [
        "| texts | characters on average | texts a second |",
        "|---|---|---|",
        f"| {len(texts)} | {average:.0f} | {len(texts) / seconds:.0f} |",
    ]
