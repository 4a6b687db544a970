"""An answer as it is shown: numbered citations, evidence with its lines, addresses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString

from answers import wording
from answers.colouring import coloured
from answers.marks import Span, spans
from answers.models import Answer, Citation, Evidence, Statement
from answers.queries import Changed, changed_since
from repos.models import Snapshot
from repos.paths import file_url

SHORT_COMMIT = 8


@dataclass(frozen=True)
class ShownCitation:
    number: int
    row: Citation
    piece: "ShownPiece"

    @property
    def place(self) -> str:
        return f"{self.row.evidence.path}:{self.row.start_line}-{self.row.end_line}"

    @property
    def commit(self) -> str:
        return self.row.evidence.commit[:SHORT_COMMIT]

    @property
    def url(self) -> str:
        return self.piece.url_of(self.row.start_line, self.row.end_line)

    @property
    def lines(self) -> Sequence["ShownLine"]:
        first = self.row.start_line - self.piece.row.start_line
        return self.piece.lines[first : first + self.row.end_line - self.row.start_line + 1]


@dataclass(frozen=True)
class ShownLine:
    number: int
    html: SafeString
    url: str
    cited: tuple[int, ...] = ()


@dataclass(frozen=True)
class ShownPiece:
    row: Evidence
    citations: list[ShownCitation] = field(default_factory=list)

    def url_of(self, start: int, end: int) -> str:
        return file_url(
            self.row.repository.slug, self.row.path, start=start, end=end, at=self.row.commit
        )

    @property
    def url(self) -> str:
        return self.url_of(self.row.start_line, self.row.end_line)

    @property
    def place(self) -> str:
        return f"{self.row.path}:{self.row.start_line}-{self.row.end_line}"

    @cached_property
    def lines(self) -> list[ShownLine]:
        return [
            ShownLine(number, html, self.url_of(number, number), self._cited(number))
            for number, html in enumerate(coloured(self.row), self.row.start_line)
        ]

    def _cited(self, line: int) -> tuple[int, ...]:
        return tuple(
            one.number for one in self.citations if one.row.start_line <= line <= one.row.end_line
        )


@dataclass(frozen=True)
class ShownStatement:
    row: Statement
    citations: tuple[ShownCitation, ...]

    @property
    def text(self) -> str:
        """An extract without a sentence is its quote."""
        return self.row.text or "\n".join(one.row.quote for one in self.citations)

    @property
    def is_sentence(self) -> bool:
        return bool(self.row.text)

    @property
    def spans(self) -> list[Span]:
        """Prose cut where code marks are; what is left is plain text."""
        return list(spans(self.row.text))


@dataclass(frozen=True)
class Part:
    """The statements about one piece of evidence that follow each other."""

    piece: ShownPiece
    statements: list[ShownStatement]


@dataclass(frozen=True)
class Shown:
    answer: Answer
    statements: tuple[ShownStatement, ...]
    pieces: tuple[ShownPiece, ...]
    snapshots: tuple[Snapshot, ...]
    changed: Changed
    deleted: int  # repositories that were asked and are gone

    @property
    def abstained(self) -> bool:
        return self.answer.state == Answer.State.ABSTAINED

    @property
    def is_broken_off(self) -> bool:
        """Being written, stopped or failed: what is here is not all of it."""
        return self.answer.state not in {Answer.State.DONE, Answer.State.ABSTAINED}

    @property
    def reason(self) -> str:
        return wording.reason(self.answer)

    @property
    def is_written(self) -> bool:
        """By a model, or being written; else extracts, or nothing."""
        if self.answer.is_running or self.answer.state == Answer.State.STOPPED:
            return True
        return any(one.row.kind != Statement.Kind.EXTRACT for one in self.statements)

    @property
    def parts(self) -> list[Part]:
        parts: list[Part] = []
        for statement in self.statements:
            if not statement.citations:
                continue
            piece = statement.citations[0].piece
            if parts and parts[-1].piece is piece:
                parts[-1].statements.append(statement)
            else:
                parts.append(Part(piece, [statement]))
        return parts


def show(answer: Answer) -> Shown:
    evidence = answer.evidence.select_related("repository").order_by("ordinal")
    pieces = {row.pk: ShownPiece(row) for row in evidence}
    statements = _statements(answer, pieces)
    cited = [one.row for statement in statements for one in statement.citations]
    asked = answer.searched.get("repositories", [])
    left = answer.question.repositories.count()
    return Shown(
        answer=answer,
        statements=statements,
        pieces=tuple(pieces.values()),
        snapshots=_snapshots(answer),
        changed=changed_since(cited),
        deleted=max(len(asked) - left, 0),
    )


def _statements(answer: Answer, pieces: dict[int, ShownPiece]) -> tuple[ShownStatement, ...]:
    """Those that a citation carries; the citations of deleted repositories are gone."""
    number = 0
    shown = []
    for row in answer.statements.prefetch_related("citations").order_by("ordinal"):
        citations = []
        for citation in sorted(row.citations.all(), key=lambda one: one.pk):
            if citation.verdict == Citation.Verdict.REJECTED:
                continue
            number += 1
            piece = pieces[citation.evidence_id]
            citation.evidence = piece.row
            citations.append(ShownCitation(number, citation, piece))
            piece.citations.append(citations[-1])
        if citations or row.kind == Statement.Kind.HEADING:
            shown.append(ShownStatement(row, tuple(citations)))
    return _without_lone_headings(shown)


def _without_lone_headings(shown: Sequence[ShownStatement]) -> tuple[ShownStatement, ...]:
    """A heading stays where a statement follows it."""
    return tuple(
        one
        for place, one in enumerate(shown)
        if one.citations or any(behind.citations for behind in shown[place + 1 : place + 2])
    )


def _snapshots(answer: Answer) -> tuple[Snapshot, ...]:
    """What the question was asked of, as far as it is still there."""
    numbers = {one["slug"]: one["snapshot"] for one in answer.searched.get("repositories", [])}
    rows = Snapshot.objects.filter(repository__in=answer.question.repositories.all())
    found = rows.filter(number__in=set(numbers.values())).select_related("repository")
    kept = [row for row in found if numbers.get(row.repository.slug) == row.number]
    return tuple(sorted(kept, key=lambda row: row.repository.slug))


def as_json(shown: Shown) -> dict[str, Any]:
    answer = shown.answer
    return {
        "id": str(answer.pk),
        "question": answer.question.text,
        "understood": answer.question.understood,
        "state": answer.state,
        "warning": answer.warning,
        "error": answer.error,
        "model": answer.model,
        "statements": [_statement_json(one) for one in shown.statements],
        "evidence": [_evidence_json(piece.row) for piece in shown.pieces],
        "searched": answer.searched,
        "milliseconds": answer.milliseconds,
    }


def _statement_json(statement: ShownStatement) -> dict[str, Any]:
    return {
        "kind": statement.row.kind,
        "text": statement.text,
        "citations": [
            {
                "number": one.number,
                "repository": one.piece.row.repository.slug,
                "path": one.piece.row.path,
                "start": one.row.start_line,
                "end": one.row.end_line,
                "commit": one.piece.row.commit,
                "verdict": one.row.verdict,
                "quote": one.row.quote,
            }
            for one in statement.citations
        ],
    }


def _evidence_json(row: Evidence) -> dict[str, Any]:
    return {
        "label": row.label,
        "repository": row.repository.slug,
        "path": row.path,
        "start": row.start_line,
        "end": row.end_line,
        "commit": row.commit,
        "symbol": row.symbol,
        "language": row.language,
        "channels": row.channels.split(","),
        "score": round(row.score, 6),
        "text": row.text,
    }
