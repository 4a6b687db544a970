"""Write a question, its answer and all that carries it: everything, or nothing."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from answers.drafts import Checked
from answers.evidence import Piece
from answers.gathering import Gathered
from answers.models import Answer, Citation, Conversation, Evidence, Question, Statement
from answers.relevance import FLOOR

TITLE_CHARS = 200


@transaction.atomic
def save(
    gathered: Gathered,
    *,
    question: str,
    person: User | None,
    conversation: Conversation | None,
    labels: Sequence[str],
    checked: Sequence[Checked],
    milliseconds: int,
) -> Answer:
    """`labels` are those of the pieces, in their order."""
    answer = Answer.objects.create(
        question=_question(gathered, question, person, conversation),
        state=Answer.State.DONE if checked else Answer.State.ABSTAINED,
        searched=searched(gathered),
        milliseconds=milliseconds,
    )
    evidence = Evidence.objects.bulk_create(
        _evidence(answer, gathered, piece, label, place)
        for place, (piece, label) in enumerate(zip(gathered.pieces, labels, strict=True), 1)
    )
    _save_statements(answer, checked, {one.label: one for one in evidence})
    return answer


def _question(
    gathered: Gathered, text: str, person: User | None, conversation: Conversation | None
) -> Question:
    title = " ".join(text.split())[:TITLE_CHARS]
    asked_in = conversation or Conversation.objects.create(person=person, title=title)
    question = Question.objects.create(conversation=asked_in, text=text)
    question.repositories.set(list(gathered.places))
    return question


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


def _save_statements(
    answer: Answer, checked: Sequence[Checked], evidence: dict[str, Evidence]
) -> None:
    statements = Statement.objects.bulk_create(
        Statement(answer=answer, ordinal=place, kind=one.kind, text=one.text)
        for place, one in enumerate(checked, 1)
    )
    Citation.objects.bulk_create(
        Citation(
            statement=statement,
            evidence=evidence[citation.label],
            start_line=citation.judged.start_line,
            end_line=citation.judged.end_line,
            quote=citation.judged.text,
            verdict=citation.judged.verdict,
        )
        for statement, one in zip(statements, checked, strict=True)
        for citation in one.citations
    )


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
