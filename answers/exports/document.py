"""An answer or a conversation, laid out for paper, and as HTML without anything from outside."""

import datetime as dt
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from answers import wording
from answers.exports import quoting
from answers.exports.lines import visible
from answers.exports.paper import Document, PrintedAnswer, PrintedStatement, Room, Source
from answers.marks import Span, spans
from answers.models import Answer, Conversation
from answers.reading import SHORT_COMMIT, Shown, ShownStatement, show
from repos.models import Repository, Snapshot

MOST_ANSWERS = 60  # of a conversation
MOST_PROSE = 20_000  # characters of a statement or a question
TITLE_CHARS = 200
TEMPLATE = "exports/document.html"


def of_answer(answer: Answer) -> Document:
    return _document(answer.question.text, answer.created, [answer], 0)


def of_conversation(conversation: Conversation, answers: Sequence[Answer]) -> Document:
    shown = answers[:MOST_ANSWERS]
    return _document(conversation.title, conversation.created, shown, len(answers) - len(shown))


def as_html(document: Document, *, gaps: str = "") -> str:
    """`gaps` names characters without a font. In one language for all who read it."""
    with translation.override(settings.LANGUAGE_CODE):
        return render_to_string(TEMPLATE, {"document": document, "gaps": gaps})


def _document(
    title: str, created: dt.datetime, answers: Sequence[Answer], answers_out: int
) -> Document:
    room = Room()
    with translation.override(settings.LANGUAGE_CODE):
        printed = [_printed(place, show(one), room) for place, one in enumerate(answers, 1)]
    head = _cut(visible(" ".join(title.split())), TITLE_CHARS)
    return Document(head, created, printed, room.lines_out, answers_out)


def _printed(place: int, shown: Shown, room: Room) -> PrintedAnswer:
    answer, searched = shown.answer, shown.answer.searched
    colours = quoting.colours_of(shown)
    person = answer.question.conversation.person
    return PrintedAnswer(
        place=place,
        answer=answer,
        question=_cut(visible(answer.question.text), MOST_PROSE),
        asked_by=visible(person.username) if person else _("the command line"),
        label=wording.label(answer),
        steps=wording.steps(searched),
        words=[visible(str(word)) for word in searched.get("words", [])],
        notes=wording.notes(answer),
        why=visible(wording.why_abstained(answer)) if shown.abstained else "",
        reason="" if shown.abstained else visible(wording.reason(answer)),
        advice=wording.advice(searched) if shown.abstained else (),
        sources=[_source(one) for one in shown.snapshots],
        statements=list(_statements(shown, colours, room)),
        pieces=list(quoting.pieces(shown, colours, room)),
        deleted=shown.deleted,
    )


def _source(snapshot: Snapshot) -> Source:
    repository = snapshot.repository
    is_git = repository.source == Repository.Source.GIT
    return Source(
        name=visible(repository.name),
        commit=snapshot.commit[:SHORT_COMMIT],
        published=snapshot.published,
        url=repository.address if is_git else "",
    )


def _statements(shown: Shown, colours: quoting.Colours, room: Room) -> Iterator[PrintedStatement]:
    last = None
    for one in shown.statements:
        piece = one.citations[0].piece if one.citations else None
        is_new = one.row.kind == "extract" and piece is not None and piece is not last
        last = piece
        yield _statement(one, colours, room, with_head=is_new)


def _statement(
    one: ShownStatement, colours: quoting.Colours, room: Room, *, with_head: bool
) -> PrintedStatement:
    row = one.citations[0].piece.row if with_head else None
    return PrintedStatement(
        kind=one.row.kind,
        spans=_spans(one),
        numbers=[citation.number for citation in one.citations],
        rows=[]
        if one.is_sentence
        else [row for citation in one.citations for row in quoting.quoted(citation, colours, room)],
        head=(visible(row.symbol), visible(row.path)) if row else None,
    )


def _spans(one: ShownStatement) -> list[Span]:
    text = _cut(visible(one.row.text), MOST_PROSE)
    # The marks in code are code.
    return [Span(text)] if one.row.kind == "code" else list(spans(text))


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return text[:most] + " … " + _("%(n)s more characters") % {"n": f"{len(text) - most:,}"}
