"""Rows of a question, its answer and all that carries it.

An answer without a model is saved whole or not at all. One of a model is saved with its evidence
first, then statement by statement while the claim holds (growing.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.models import User
from answers import claims
from answers.counting import Came
from answers.drafts import Checked
from answers.evidence import Piece
from answers.gathering import Gathered
from answers.models import Answer, Citation, Conversation, Evidence, Question, Reply, Statement
from answers.relevance import FLOOR
from outbound.models import ModelCall

TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asked: `narrowing` in the words of the search, `chosen` lines of files."""

    text: str
    person: User | None = None
    conversation: Conversation | None = None
    standalone: str = ""
    narrowing: str = ""
    chosen: Sequence[Mapping[str, Any]] = ()
    question: Question | None = None  # that is asked again


@transaction.atomic
def save(
    gathered: Gathered,
    asked: Asked,
    *,
    labels: Sequence[str],
    checked: Sequence[Checked],
    milliseconds: int,
) -> Answer:
    """An answer that is ready. `labels` are those of the pieces, in their order."""
    answer = Answer.objects.create(
        question=_question(gathered, asked),
        state=Answer.State.DONE if checked else Answer.State.ABSTAINED,
        searched=searched(gathered),
        milliseconds=milliseconds,
    )
    evidence = add_evidence(answer, gathered, labels)
    save_statements(answer, checked, {one.label: one for one in evidence})
    return answer


@transaction.atomic
def save_waiting(
    gathered: Gathered,
    asked: Asked,
    *,
    labels: Sequence[str],
    spare: Sequence[Mapping[str, Any]],
    model: str,
    milliseconds: int,
) -> Answer:
    """An answer with its evidence that a worker is to write; the workers hear of it."""
    answer = Answer.objects.create(
        question=_question(gathered, asked),
        model=model,
        searched=searched(gathered),
        spare=list(spare),
        timings={"evidence": milliseconds},
    )
    add_evidence(answer, gathered, labels)
    claims.wake_workers()
    return answer


def _question(gathered: Gathered, asked: Asked) -> Question:
    if asked.question is not None:
        return asked.question
    title = " ".join(asked.text.split())[:TITLE_CHARS]
    conversation = asked.conversation or Conversation.objects.create(
        person=asked.person, title=title
    )
    question = Question.objects.create(
        conversation=conversation,
        text=asked.text,
        standalone="" if asked.standalone == asked.text else asked.standalone,
        narrowing=asked.narrowing,
        chosen=list(asked.chosen),
    )
    question.repositories.set(list(gathered.places))
    return question


def add_evidence(
    answer: Answer, gathered: Gathered, labels: Sequence[str], *, after: int = 0
) -> list[Evidence]:
    """Rows of the pieces, numbered from `after` + 1."""
    pairs = zip(gathered.pieces, labels, strict=True)
    return Evidence.objects.bulk_create(
        _evidence(answer, gathered, piece, label, place)
        for place, (piece, label) in enumerate(pairs, after + 1)
    )


def _evidence(answer: Answer, gathered: Gathered, piece: Piece, label: str, place: int) -> Evidence:
    where = gathered.places[piece.file.repository_id]
    return Evidence(
        answer=answer,
        ordinal=place,
        label=label,
        repository_id=where.repository_id,
        snapshot=where.snapshot,
        commit=where.commit,
        path=gathered.paths[piece.file],
        start_line=piece.start_line,
        end_line=piece.end_line,
        text="\n".join(gathered.lines(piece)),
        language=gathered.languages.get(piece.file, ""),
        symbol=piece.symbol,
        channels=",".join(piece.channels),
        score=piece.score,
    )


def save_statements(
    answer: Answer,
    checked: Sequence[Checked],
    evidence: Mapping[str, Evidence],
    *,
    after: int = 0,
    verdict: str = "",
    call: ModelCall | None = None,
) -> list[Citation]:
    """Rows of the statements, numbered from `after` + 1; `verdict` instead of what was judged."""
    statements = Statement.objects.bulk_create(
        Statement(answer=answer, ordinal=place, kind=one.kind, text=one.text, call=call)
        for place, one in enumerate(checked, after + 1)
    )
    return Citation.objects.bulk_create(
        Citation(
            statement=statement,
            evidence=evidence[citation.label],
            start_line=citation.judged.start_line,
            end_line=citation.judged.end_line,
            quote=citation.judged.text,
            verdict=verdict or citation.judged.verdict,
        )
        for statement, one in zip(statements, checked, strict=True)
        for citation in one.citations
    )


def add_replies(answer: Answer, replies: Sequence[Came]) -> None:
    """What came back of each call; those of calls without a row have none."""
    recorded = [one for one in replies if one.recorded]
    Reply.objects.bulk_create(Reply(answer=answer, **one.row) for one in recorded)


def mark_sent(answer: Answer, rows: Sequence[Evidence]) -> None:
    with claims.writing(answer):
        Evidence.objects.filter(pk__in=[row.pk for row in rows]).update(sent=True)


def update(answer: Answer, **fields: object) -> None:
    with claims.writing(answer):
        Answer.objects.filter(pk=answer.pk).update(**fields)


def searched(gathered: Gathered) -> dict[str, Any]:
    """What a reader should know of the search; every value is text, a number or a list."""
    pieces = gathered.pieces
    return {
        "terms": list(gathered.terms),
        "words": list(dict.fromkeys(gathered.terms.values())),
        "unknown": list(dict.fromkeys(gathered.terms[one] for one in gathered.relevance.unknown)),
        "channels": dict(gathered.found),
        "hits": gathered.hits,
        "files": gathered.files,
        "pieces": len(pieces),
        "piece_files": len({piece.file for piece in pieces}),
        "tokens": sum(piece.tokens for piece in pieces),
        "relevance": round(gathered.relevance.score, 3),
        "floor": FLOOR,
        "notes": [str(note) for note in gathered.query.notes],
        "repositories": [
            {"slug": place.slug, "snapshot": place.snapshot, "commit": place.commit}
            for place in sorted(gathered.places.values(), key=lambda place: place.slug)
        ],
        "nearest": [
            {
                "symbol": one.qualified_name,
                "path": one.path,
                "line": one.line,
                "repository": gathered.places[one.repository_id].slug,
            }
            for one in gathered.nearest
        ],
    }
