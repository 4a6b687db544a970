"""The only file that asks a model for answers; what it gives back is not believed here."""

from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from django.conf import settings

from accounts.models import User
from answers import prompting, voice
from answers.models import Answer
from answers.prompting import Block, Prompt
from answers.protocol import SCHEMA
from outbound import pricing, tokens
from outbound.asking import Completion, CompletionRequest, Message, Purpose, SentRange
from outbound.models import ModelCall

# Tokens that a model reads at once where nobody knows: what Ollama starts a model with.
UNKNOWN_WINDOW = 4_096
REWRITE_TOKENS = 400
REWRITE_SECONDS = 10.0
JUDGE_TOKENS = 400
REWRITE_SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "terms": {"type": "array", "items": {"type": "string"}},
        "parts": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["question", "terms", "parts"],
    "additionalProperties": False,
}

JUDGE_SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer"}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}


def is_configured() -> bool:
    return bool(settings.ANSWER_MODEL)


@dataclass(slots=True)
class Asked:
    """One answer that is being asked for; `call` is there once the model speaks, `completion` when
    its stream has ended."""

    answer: Answer
    prompt: Prompt
    sent: Sequence[SentRange]
    call: ModelCall | None = None
    completion: Completion | None = None

    @contextmanager
    def reply(self) -> Generator[Generator[str]]:
        """The text as it comes; leaving the block ends the call. Raises ModelFailed."""
        pieces = self._pieces()
        with closing(pieces):
            yield pieces

    def _pieces(self) -> Generator[str]:
        request = self._request(Purpose.ANSWER, [Message("user", self.prompt.user)])
        with closing(voice.current().stream(request)) as pieces:
            for piece in pieces:
                self.call, self.completion = piece.call, piece.completion
                if piece.text:
                    yield piece.text

    def repair(self, said: str, wrong: str) -> Completion:
        """The reply to the one call that names what was wrong. Raises ModelFailed."""
        messages = [
            Message("user", self.prompt.user),
            Message("assistant", said),
            Message("user", wrong),
        ]
        return voice.current().complete(self._request(Purpose.REPAIR, messages))

    def _request(self, purpose: str, messages: Sequence[Message]) -> CompletionRequest:
        first = self.call
        return CompletionRequest(
            purpose=purpose,
            # A repair goes to the model that wrote the answer, which may be the fallback.
            model=first.model if first else settings.ANSWER_MODEL,
            system=self.prompt.system,
            messages=messages,
            max_tokens=self.prompt.reply_tokens,
            person=self.answer.question.conversation.person,
            subject=self.answer.subject,
            sent=self.sent,
            json_schema=SCHEMA,
            parent=first,
            fallback="" if first else settings.ANSWER_FALLBACK_MODEL,
            prefix_is_stable=True,
        )


def prompt_for(question: str, blocks: Sequence[Block], *, window: int = 0) -> Prompt:
    """Within `window` tokens; 0: as many as the model is believed to read."""
    return prompting.compose(question, blocks, window=window or _window(), count=_count)


def _window() -> int:
    known = settings.MODEL_WINDOW_TOKENS or pricing.window_of(settings.ANSWER_MODEL)
    return known or UNKNOWN_WINDOW


def _count(text: str) -> int:
    return tokens.count(settings.ANSWER_MODEL, text)


def rewrite(question: str, *, person: User | None, subject: str) -> str:
    """The reply of the cheap model to a question that is to be prepared for the search."""
    request = CompletionRequest(
        purpose=Purpose.REWRITE,
        model=settings.REWRITE_MODEL,
        system=prompting.text_of("rewrite"),
        messages=[Message("user", question)],
        max_tokens=REWRITE_TOKENS,
        person=person,
        subject=subject,
        json_schema=REWRITE_SCHEMA,
        timeout=min(REWRITE_SECONDS, settings.MODEL_TIMEOUT_SECONDS),
        prefix_is_stable=True,
    )
    return voice.current().complete(request).text


def judge(text: str, *, subject: str, sent: Sequence[SentRange]) -> str:
    """The reply of the judge of evaluations to an answer beside the one it should be."""
    request = CompletionRequest(
        purpose=Purpose.JUDGE,
        model=settings.JUDGE_MODEL,
        system=prompting.text_of("judge"),
        messages=[Message("user", text)],
        max_tokens=JUDGE_TOKENS,
        person=None,
        subject=subject,
        sent=sent,
        json_schema=JUDGE_SCHEMA,
    )
    return voice.current().complete(request).text
