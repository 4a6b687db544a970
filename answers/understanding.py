"""A question as it can be understood alone, and what a cheap model adds for the search.

Without a model a follow-up takes along the question before it, and the search uses its own words.
What a model adds is data: a question, a few terms, a few narrower questions, all cut short; names
of code that the person wrote must still be there, or the person's own words stay.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from answers import llm
from answers.marks import one_line
from answers.models import Answer, Conversation, Question
from answers.relevance import said_terms
from indexing.terms import guess_language
from outbound.failures import ModelFailed
from search.query import parse_query

EARLIER = 4  # questions of the conversation that are looked at
MOST_TERMS, TERM_CHARS = 8, 60
MOST_PARTS = 3
MOST_CHARS = 1_000
FEW_TERMS = 3  # a question with fewer leans on the one before it
MANY_TERMS = 10  # with more it is broad

_BACK = re.compile(
    r"^(?:and|but|so|then|also|e|mas|ent[ãa]o|tamb[ée]m)\b"
    r"|\b(?:it|its|this|that|these|those|they|them|their|there|he|she|former|latter|same|above"
    r"|isso|isto|esse|essa|este|esta|ele|ela|eles|elas|deles?|dela|nisso|disso|l[áa]|mesm[oa])\b"
    r"|^what about\b|^e (?:se|quando|como)\b",
    re.IGNORECASE,
)
_BROAD = re.compile(
    r"\b(?:flows?|through|overall|architecture|end to end|layers?|everything|lifecycle|all the"
    r"|fluxo|arquitetura|camadas|tudo|ciclo)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What the search is given instead of the question; `question` is "" where nothing changes."""

    question: str
    terms: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    def searches(self, own: str) -> list[str]:
        first = " ".join([self.question or own, *self.terms])
        return [first, *self.parts]


def standalone(question: str, conversation: Conversation | None) -> str:
    """The question with the one before it where it points back at that; else as it is."""
    before = _last(conversation)
    if not before or not points_back(question) or len(question) >= MOST_CHARS:
        return question
    return f"{question} ({' '.join(_pointed_at(before))})"[:MOST_CHARS]


def _pointed_at(before: Sequence[Question]) -> list[str]:
    """The last question, and those before it down to one that stands alone; each once."""
    said: list[str] = []
    for row in reversed(before):
        is_rewritten = bool(row.standalone) and not row.standalone.startswith(row.text)
        text = row.standalone if is_rewritten else row.text
        if text not in said:
            said.insert(0, text)
        if is_rewritten or not points_back(text):
            break
    return said


def points_back(question: str) -> bool:
    return bool(_BACK.search(question.strip())) or len(said_terms(question)) < FEW_TERMS


def earlier(conversation: Conversation | None, before: Question | None = None) -> list[str]:
    """The last questions of a conversation, the newest last."""
    return [row.understood for row in _last(conversation, before)]


def _last(conversation: Conversation | None, before: Question | None = None) -> list[Question]:
    if conversation is None:
        return []
    rows = conversation.questions.order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before.pk)
    return list(reversed(rows[:EARLIER]))


def may_rewrite() -> bool:
    return bool(settings.REWRITE_MODEL)


def wants_rewrite(answer: Answer) -> bool:
    """Whether a model could help: a follow-up, another language, a broad or an unknown question."""
    question = answer.question
    searched = answer.searched
    return (
        (points_back(question.text) and bool(earlier(question.conversation, question)))
        or guess_language(question.text) != "en"
        or bool(_BROAD.search(question.text))
        or len(said_terms(question.text)) > MANY_TERMS
        or bool(searched.get("unknown"))
        or searched.get("relevance", 1.0) < searched.get("floor", 0.0)
    )


def rewrite(answer: Answer) -> Rewritten | None:
    """What the cheap model says; None where there is none, or it fails or says nothing usable."""
    if not may_rewrite() or not wants_rewrite(answer):
        return None
    question = answer.question
    asked = _asked(question.text, earlier(question.conversation, question))
    try:
        reply = llm.rewrite(asked, person=question.conversation.person, subject=answer.subject)
    except ModelFailed:
        return None
    return read(reply, question.text)


def _asked(question: str, before: Sequence[str]) -> str:
    """Each question as a JSON string, so that none can pose as another part."""
    said = [f"Asked before: {json.dumps(one[:MOST_CHARS], ensure_ascii=False)}" for one in before]
    return "\n".join([*said, f"The question: {json.dumps(question, ensure_ascii=False)}"])


def read(reply: str, question: str) -> Rewritten | None:
    """The reply as far as it has the form; what a person wrote is never lost to it."""
    found = _object(reply)
    if found is None:
        return None
    written = found.get("question")
    text = one_line(written)[:MOST_CHARS] if isinstance(written, str) else ""
    if not _keeps_code(text, question):
        text = ""
    same = " ".join(text.split()).lower() == " ".join(question.split()).lower()
    rewritten = Rewritten(
        "" if same else text,
        tuple(term[:TERM_CHARS] for term in _texts(found.get("terms"))[:MOST_TERMS]),
        tuple(part[:MOST_CHARS] for part in _texts(found.get("parts"))[:MOST_PARTS]),
    )
    return rewritten if rewritten != Rewritten("") else None


def _object(reply: str) -> dict[str, object] | None:
    start, end = reply.find("{"), reply.rfind("}")
    try:
        found = json.loads(reply[start : end + 1], strict=False) if start >= 0 else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _texts(found: object) -> list[str]:
    texts = found if isinstance(found, list) else []
    # Filters are the person's to set: a colon would narrow what is searched.
    cleaned = (one_line(one).replace(":", " ") for one in texts if isinstance(one, str))
    return [one for one in cleaned if re.search(r"\w", one)]


def _keeps_code(text: str, question: str) -> bool:
    return bool(text) and all(token in text for token in parse_query(question).code)
