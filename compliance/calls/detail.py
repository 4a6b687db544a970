"""One model call: the lines it sent and whether they are still kept, and the answer it was for."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Q, QuerySet

from accounts.models import User
from answers import queries, wording
from answers.models import Answer, Citation, Reply
from compliance.findings.detail import stored_lines
from outbound.ledger import CallFilter, calls, of_subject
from outbound.models import ModelCall
from repos.models import DeletionRecord, Repository

RANGES = 50
MOST_LINES = 1_000
ANSWER = "answer:"

SENT = """
/* lines_of_call */
SELECT s.ordinal, s.repository_id, s.repository, s.commit, s.path, s.start_line, s.end_line,
       s.what, r.slug, n.state, f.id,
       (SELECT count(*) FROM indexing_finding AS x
        WHERE x.repository_id = s.repository_id AND x.file_id = f.id AND x.leads
          AND x.action = 'redact' AND x.line BETWEEN s.start_line AND s.end_line)
FROM outbound_sentlines AS s
LEFT JOIN repos_repository AS r ON r.id = s.repository_id
LEFT JOIN LATERAL (
    SELECT m.number, m.state FROM repos_snapshot AS m
    WHERE m.repository_id = s.repository_id AND m.commit = s.commit
    ORDER BY m.state = 'published' DESC, m.number DESC LIMIT 1
) AS n ON true
LEFT JOIN LATERAL (
    SELECT g.id FROM repos_file AS g
    WHERE g.repository_id = s.repository_id AND g.path = s.path AND n.state = 'published'
      AND g.first_snapshot <= n.number
      AND (g.last_snapshot IS NULL OR g.last_snapshot >= n.number)
      AND EXISTS (SELECT FROM indexing_content AS c
                  WHERE c.repository_id = g.repository_id AND c.file_id = g.id)
    LIMIT 1
) AS f ON true
WHERE s.model_call_id = %(call)s AND s.ordinal >= %(first)s
ORDER BY s.ordinal
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class SentRange:
    """Lines of a file at a commit. `file_id` is None where they are no longer kept; `redactions`
    are the placeholders that stand in them now."""

    ordinal: int
    repository_id: int
    was: str  # the repository's slug then
    commit: str
    path: str
    start: int
    end: int
    what: str
    slug: str | None  # as it is now; None: removed
    snapshot_state: str | None
    file_id: int | None
    redactions: int

    @property
    def is_kept(self) -> bool:
        return self.file_id is not None


@dataclass(frozen=True, slots=True)
class ForAnswer:
    """The answer that a call was made for. `readable`: by who looks, now.

    `citations` are those that are kept of what this call gave; of answers from before calls were
    noted with their statements, all.
    """

    answer: Answer
    readable: bool
    reply: "CameBack | None"
    citations: list[Citation]
    verdicts: list[tuple[str, str, int]]  # verdict, its words, how many


@dataclass(frozen=True, slots=True)
class CameBack:
    """What a call gave, in numbers, with why statements of it were left out."""

    row: Reply
    left_out: list[tuple[str, int]]


def sent_ranges(call: ModelCall, first: int = 0, limit: int = RANGES) -> list[SentRange]:
    """In the order in which they were sent, from the ordinal `first` on."""
    with connection.cursor() as cursor:
        cursor.execute(SENT, {"call": call.pk, "first": first, "limit": limit})
        return [SentRange(*row) for row in cursor.fetchall()]


def sent_range(call: ModelCall, ordinal: int) -> SentRange | None:
    found = sent_ranges(call, ordinal, 1)
    return found[0] if found and found[0].ordinal == ordinal else None


def lines_of(one: SentRange) -> list[tuple[int, str]]:
    """Number and text as stored now; what is only flagged there is covered. [] if not kept."""
    if one.file_id is None:
        return []
    last = min(one.end, one.start + MOST_LINES - 1)
    return stored_lines(one.repository_id, one.file_id, one.start, last)


def may_open(user: User | AnonymousUser, found: list[SentRange]) -> set[int]:
    """The repositories among them whose own pages this person may open."""
    wanted = {one.repository_id for one in found if one.is_kept}
    rows = Repository.objects.visible_to(user).filter(pk__in=wanted)
    return set(rows.values_list("pk", flat=True))


def deletions_of(found: list[SentRange]) -> dict[int, DeletionRecord]:
    gone = {one.repository_id for one in found if one.slug is None}
    records = DeletionRecord.objects.filter(repository_number__in=gone)
    return {record.repository_number: record for record in records}


def family(call: ModelCall) -> QuerySet[ModelCall]:
    """What it repaired or replaced, and what repaired or replaced it."""
    near = Q(parent=call) | Q(pk=call.parent_id or 0)
    return calls(CallFilter()).filter(near).order_by("created", "pk")


def answer_of(call: ModelCall, user: User | AnonymousUser) -> ForAnswer | None:
    """None where it was for something else, or the answer is gone."""
    answer = _answer(call.subject)
    if answer is None:
        return None
    rows = Citation.objects.filter(statement__answer=answer)
    if answer.statements.filter(call__isnull=False).exists() or answer.replies.exists():
        rows = rows.filter(statement__call=call)
    citations = list(
        rows.select_related("statement", "evidence__repository").order_by(
            "statement__ordinal", "pk"
        )
    )
    counted = [
        (str(verdict), str(verdict.label), sum(one.verdict == verdict for one in citations))
        for verdict in Citation.Verdict
    ]
    readable = readable_answer(call.subject, user) is not None
    counts = [one for one in counted if one[2]]
    return ForAnswer(answer, readable, came_back(call), citations, counts)


def came_back(call: ModelCall) -> CameBack | None:
    """None where nothing came, or where it was not judged as an answer."""
    row = Reply.objects.filter(call=call).first()
    return CameBack(row, wording.left_out(row)) if row else None


def readable_answer(subject: str, user: User | AnonymousUser) -> Answer | None:
    """The answer that calls were made for, where this person may read it now."""
    number = _number(subject)
    return queries.readable_by(user).filter(pk=number).first() if number else None


def _answer(subject: str) -> Answer | None:
    number = _number(subject)
    rows = Answer.objects.select_related("question__conversation__person")
    return rows.filter(pk=number).first() if number else None


def _number(subject: str) -> UUID | None:
    if not subject.startswith(ANSWER):
        return None
    try:
        return UUID(subject.removeprefix(ANSWER))
    except ValueError:
        return None


def calls_of(answer: Answer) -> QuerySet[ModelCall]:
    """In the order in which they were made."""
    return of_subject(answer.subject).select_related("person", "parent")


def position(found: list[SentRange]) -> dict[str, Any]:
    """Where the next page of ranges begins, if there is one."""
    more = len(found) > RANGES
    return {"ranges": found[:RANGES], "next": str(found[RANGES].ordinal) if more else ""}
