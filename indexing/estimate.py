"""How long indexing will take, from how long it took here before."""

from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import connection
from django.utils.translation import gettext as _

from indexing.embed import embedding_model

RUNS = 5
LEAST_BYTES = 50_000  # smaller runs measure the start of the processes
# Until there are runs: measured on two cores over four repositories, 24.9 MB in 23.4 s.
BYTES_A_SECOND = 1_060_000.0
BYTES_A_TEXT = 790.0
TEXTS_A_SECOND = 20.0

# Everything between the walk and the publication, over the bytes the run had to read.
READING_RATE = """
/* reading_rate */
SELECT count(*), sum(bytes)::float, sum(seconds)::float FROM (
    SELECT (SELECT sum(f.size) FROM repos_file f
            WHERE f.repository_id = r.repository_id AND f.first_snapshot = r.snapshot
              AND f.classification = 'indexed') AS bytes,
           extract(epoch FROM r.searchable - d.started) AS seconds
    FROM indexing_indexrun r
    JOIN indexing_runstage d ON d.run_id = r.id AND d.stage = 'derive'
    WHERE r.searchable > d.started AND r.attempt <= 2
    ORDER BY r.searchable DESC
    LIMIT %(runs)s
) AS measured
WHERE bytes >= %(least)s
"""
EMBEDDING_RATE = """
/* embedding_rate */
SELECT sum(done)::float, sum(seconds)::float FROM (
    SELECT e.done, extract(epoch FROM e.finished - e.started) AS seconds
    FROM indexing_runstage e
    JOIN indexing_indexrun r ON r.id = e.run_id
    WHERE e.stage = 'embed' AND e.finished > e.started AND r.snapshot = 1 AND r.state = 'done'
    ORDER BY e.finished DESC
    LIMIT %(runs)s
) AS measured
"""
TEXT_SIZE = """
/* text_size */
SELECT sum(s.bytes)::float, sum(s.chunks)::float
FROM repos_snapshot s JOIN repos_repository r
  ON r.id = s.repository_id AND r.published_snapshot = s.number
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds until search is live, and then until the vectors are done; `basis` says whence."""

    search: int
    vectors: int
    basis: str


def estimate(new_bytes: int) -> Estimate:
    parameters = {"runs": RUNS, "least": LEAST_BYTES}
    runs, read, seconds = _row(READING_RATE, parameters)
    rate = read / seconds if read and seconds else BYTES_A_SECOND
    basis = _basis(int(runs), rate)
    if not embedding_model():
        return Estimate(round(new_bytes / rate), 0, basis)
    texts, texts_a_second = _texts(new_bytes)
    shown = {"texts": intcomma(texts), "rate": round(texts_a_second)}
    basis += _("; about %(texts)s texts to embed, %(rate)s a second") % shown
    return Estimate(round(new_bytes / rate), round(texts / texts_a_second), basis)


def _texts(new_bytes: int) -> tuple[int, float]:
    """How many texts there will be to embed, and how many are embedded in a second."""
    done, seconds = _row(EMBEDDING_RATE, {"runs": RUNS})
    size, texts = _row(TEXT_SIZE, {})
    rate = done / seconds if done and seconds else TEXTS_A_SECOND
    return round(new_bytes / (size / texts if size and texts else BYTES_A_TEXT)), rate


def _basis(runs: int, rate: float) -> str:
    shown = {"rate": intcomma(round(rate / 1024)), "n": runs}
    if not runs:
        return _("%(rate)s KiB a second as measured on two cores") % shown
    one = _("%(rate)s KiB a second as in the last run here")
    several = _("%(rate)s KiB a second as in the last %(n)s runs here")
    return (one if runs == 1 else several) % shown


def _row(statement: str, parameters: dict[str, int]) -> tuple[float, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return tuple(value or 0.0 for value in cursor.fetchone())
