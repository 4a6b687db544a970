"""Search again with what a cheap model made of the question; what is new joins the evidence."""

from dataclasses import replace
from itertools import zip_longest

from accounts.models import User
from answers import claims, extracting, saving, spare
from answers.evidence import MAX_PIECES, Piece, new_labels
from answers.gathering import Gathered, gather
from answers.models import Answer, Evidence
from answers.understanding import Rewritten, rewrite
from repos.models import Repository, RepositoryQuerySet

MOST_PIECES = 2 * MAX_PIECES  # of an answer, those of the first search included

Place = tuple[int, str, int, int]  # repository, path, first and last line


def widen(answer: Answer) -> None:
    """Quietly nothing without a model for it. Raises ClaimLost and channels.QueryTooSlow."""
    rewritten = rewrite(answer)
    if rewritten is None:
        return
    question = answer.question
    repositories = _visible(question.conversation.person).filter(
        pk__in=question.repositories.values("pk")
    )
    found = [
        gather(repositories, f"{question.narrowing} {text}".strip())
        for text in rewritten.searches(question.understood)
    ]
    _save(answer, rewritten, found)


def _visible(person: User | None) -> RepositoryQuerySet:
    """What who asked may see now; the command line sees everything."""
    rows = Repository.objects.all()
    return rows.visible_to(person) if person is not None else rows


def _save(answer: Answer, rewritten: Rewritten, found: list[Gathered]) -> None:
    have = list(answer.evidence.order_by("ordinal"))
    room = MOST_PIECES - len(have)
    # The best of each search first, so that no part of a broad question goes without lines.
    ranked = [one for row in zip_longest(*(_pairs(each) for each in found)) for one in row if one]
    fresh: list[tuple[Gathered, Piece]] = []
    for gathered, piece in ranked:
        taken = [_place(*one) for one in fresh]
        taken += [(row.repository_id, row.path, row.start_line, row.end_line) for row in have]
        place = _place(gathered, piece)
        if len(fresh) < room and not any(_meet(place, one) for one in taken):
            fresh.append((gathered, piece))
    with claims.writing(answer):
        _rows(answer, fresh, len(have))
        _note(answer, rewritten, found)


def _pairs(gathered: Gathered) -> list[tuple[Gathered, Piece]]:
    return [(gathered, piece) for piece in gathered.pieces]


def _place(gathered: Gathered, piece: Piece) -> Place:
    file = piece.file
    return file.repository_id, gathered.paths[file], piece.start_line, piece.end_line


def _meet(one: Place, other: Place) -> bool:
    return one[:2] == other[:2] and one[2] <= other[3] and other[2] <= one[3]


def _rows(answer: Answer, fresh: list[tuple[Gathered, Piece]], after: int) -> None:
    labels = new_labels(len(fresh))
    for place, ((gathered, piece), label) in enumerate(zip(fresh, labels, strict=True), after):
        saving.add_evidence(answer, replace(gathered, pieces=(piece,)), [label], after=place)


def _note(answer: Answer, rewritten: Rewritten, found: list[Gathered]) -> None:
    best = max(found, key=lambda one: one.relevance.score)
    answer.searched["rewritten"] = {
        "question": rewritten.question,
        "terms": list(rewritten.terms),
        "parts": list(rewritten.parts),
    }
    pieces = list(Evidence.objects.filter(answer=answer))
    answer.searched |= {
        "pieces": len(pieces),
        "piece_files": len({(row.repository_id, row.path) for row in pieces}),
        "relevance": max(answer.searched["relevance"], round(best.relevance.score, 3)),
    }
    if not answer.spare and best.relevance.is_enough:
        answer.spare = _spare(answer, best)
    Answer.objects.filter(pk=answer.pk).update(searched=answer.searched, spare=answer.spare)
    if rewritten.question:
        answer.question.standalone = rewritten.question
        answer.question.save(update_fields=["standalone"])


def _spare(answer: Answer, gathered: Gathered) -> list[dict[str, object]]:
    """Extracts of the pieces that became evidence, under the labels they have there."""
    rows = {
        (row.repository_id, row.path, row.start_line): row.label for row in answer.evidence.all()
    }
    labels = [rows.get(_place(gathered, piece)[:3], "") for piece in gathered.pieces]
    drafts = extracting.write(gathered, labels).drafts
    return spare.kept(one for one in drafts if all(claim.label for claim in one.claims))
