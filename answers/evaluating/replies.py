"""Replies of models, written down and played back: the same evaluation without a provider.

A reply is found by the hash of its prompt. Every prompt holds a nonce and labels that are random,
so these are numbered before the hash is made and wherever they stand in a reply.
"""

import hashlib
import json
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import IO, Any

from answers.voice import Voice
from outbound import failures
from outbound.asking import Completion, CompletionRequest, Piece, Usage
from outbound.failures import ModelFailed
from outbound.models import ModelCall

PIECE_CHARS = 24  # of a reply that is played back as a stream

_KEY = re.compile(r"The key of this request is ([0-9a-f]{32})\.")
_NUMBERED = re.compile(r"@block-(\d+)@")
_KEY_MARK = "@key@"


class RepliesUnreadable(Exception):
    """The file holds no replies; the message says which line and why."""


class ReplyMissing(Exception):
    """The evaluation sent a prompt that the file has no reply to."""


@dataclass(frozen=True, slots=True)
class Names:
    """What is random in a prompt."""

    key: str = ""
    labels: tuple[str, ...] = ()

    def hidden(self, text: str) -> str:
        if self.key:
            text = text.replace(self.key, _KEY_MARK)
        if not self.labels:
            return text
        places = {label: place for place, label in enumerate(self.labels, 1)}
        pattern = rf"\b(?:{'|'.join(map(re.escape, self.labels))})\b"
        return re.sub(pattern, lambda match: f"@block-{places[match[0]]}@", text)

    def shown(self, text: str) -> str:
        def label(match: re.Match[str]) -> str:
            place = int(match[1])
            return self.labels[place - 1] if 0 < place <= len(self.labels) else match[0]

        return _NUMBERED.sub(label, text.replace(_KEY_MARK, self.key or _KEY_MARK))


def names_in(request: CompletionRequest) -> Names:
    text = request.messages[0].content if request.messages else ""
    found = _KEY.match(text)
    if found is None:
        return Names()
    labels = re.findall(rf"^<<<{found[1]} block (\w+)>>>$", text, re.MULTILINE)
    return Names(found[1], tuple(labels))


def hash_of(request: CompletionRequest, names: Names) -> str:
    """The same for the same model, purpose and words, whatever is random in them."""
    said = [[one.role, names.hidden(one.content)] for one in request.messages]
    text = json.dumps([request.model, request.purpose, request.system, said])
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    """`failed` is the class of the failure that came after `text`; "" where none did."""

    prompt: str
    text: str
    usage: Usage
    stopped_by: str = "stop"
    failed: str = ""
    message: str = ""

    def as_json(self) -> str:
        usage = self.usage
        row = {
            "prompt": self.prompt,
            "text": self.text,
            "stopped_by": self.stopped_by,
            "tokens": [usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens],
            "estimated": usage.estimated,
            "cost": None if usage.cost is None else str(usage.cost),
        }
        if self.failed:
            row |= {"failed": self.failed, "message": self.message}
        return json.dumps(row, ensure_ascii=False)


@dataclass(slots=True)
class Heard:
    """What was asked and said since it was emptied last; an evaluation looks for leaks in it."""

    keys: set[str] = field(default_factory=set)
    usages: list[Usage] = field(default_factory=list)


@dataclass(slots=True)
class Listening:
    """Passes on what another voice says; each reply is a line of `file`, if there is one."""

    voice: Voice
    file: IO[str] | None = None
    heard: Heard = field(default_factory=Heard)

    def complete(self, request: CompletionRequest) -> Completion:
        names = self._names(request)
        try:
            found = self.voice.complete(request)
        except ModelFailed as failure:
            self._keep(request, names, "", None, failure)
            raise
        self._keep(request, names, found.text, found)
        return found

    def stream(self, request: CompletionRequest) -> Generator[Piece]:
        names, said = self._names(request), list[str]()
        found: Completion | None = None
        failed: ModelFailed | None = None
        try:
            with closing(self.voice.stream(request)) as pieces:
                for piece in pieces:
                    said.append(piece.text)
                    found = piece.completion or found
                    yield piece
        except ModelFailed as failure:
            failed = failure
            raise
        finally:
            # Also where its reader has had enough: what it read is what counts.
            self._keep(request, names, "".join(said), found, failed)

    def _names(self, request: CompletionRequest) -> Names:
        names = names_in(request)
        if names.key:
            self.heard.keys.add(names.key)
        return names

    def _keep(
        self,
        request: CompletionRequest,
        names: Names,
        text: str,
        found: Completion | None,
        failed: ModelFailed | None = None,
    ) -> None:
        usage = found.usage if found else _used(failed)
        self.heard.usages.append(usage)
        if self.file is None:
            return
        reply = Reply(
            hash_of(request, names),
            names.hidden(text),
            usage,
            found.stopped_by if found else "stop",
            type(failed).__name__ if failed else "",
            str(failed) if failed else "",
        )
        self.file.write(reply.as_json() + "\n")
        self.file.flush()


@dataclass(frozen=True, slots=True)
class Recorded:
    """Plays back; nothing leaves, so nothing is in the record of calls. `missing` says for which
    prompts there was no reply: an answer ends as failed then, whatever is raised."""

    replies: Mapping[str, Reply]
    missing: list[str] = field(default_factory=list)

    def complete(self, request: CompletionRequest) -> Completion:
        names, reply = self._reply(request)
        if reply.failed:
            raise _failure(reply)
        return _completion(request, reply, names.shown(reply.text))

    def stream(self, request: CompletionRequest) -> Generator[Piece]:
        names, reply = self._reply(request)
        text = names.shown(reply.text)
        said = _completion(request, reply, text)
        for start in range(0, len(text), PIECE_CHARS):
            yield Piece(text[start : start + PIECE_CHARS], said.call)
        if reply.failed:
            raise _failure(reply)
        yield Piece("", said.call, said)

    def _reply(self, request: CompletionRequest) -> tuple[Names, Reply]:
        names = names_in(request)
        found = self.replies.get(hash_of(request, names))
        if found is None:
            self.missing.append(
                f"No reply of {request.model} is recorded for a prompt ({request.purpose}): the "
                "evidence or the words around it have changed. Record the replies anew."
            )
            raise ReplyMissing(self.missing[-1])
        return names, found


def _completion(request: CompletionRequest, reply: Reply, text: str) -> Completion:
    call = ModelCall(model=request.model, purpose=request.purpose)
    return Completion(text, call, reply.usage, reply.stopped_by)


def _used(failed: ModelFailed | None) -> Usage:
    """By a call that gave no whole reply; nobody knows where its reader had enough."""
    call = failed.call if failed else None
    if call is None:
        return Usage(0, 0, estimated=True)
    tokens = call.prompt_tokens, call.completion_tokens, call.cached_tokens
    return Usage(*tokens, call.estimated, call.cost)


def _failure(reply: Reply) -> ModelFailed:
    kind = getattr(failures, reply.failed, ModelFailed)
    is_kind = isinstance(kind, type) and issubclass(kind, ModelFailed)
    failure = (kind if is_kind else ModelFailed)(reply.message)
    failure.call = ModelCall(
        prompt_tokens=reply.usage.prompt_tokens,
        completion_tokens=reply.usage.completion_tokens,
        cached_tokens=reply.usage.cached_tokens,
        estimated=reply.usage.estimated,
        cost=reply.usage.cost,
    )
    return failure


def read_replies(path: Path) -> Recorded:
    """Raises RepliesUnreadable."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RepliesUnreadable(f"{path} cannot be read: {error}") from error
    return Recorded({one.prompt: one for one in _replies(lines, path)})


def _replies(lines: Sequence[str], path: Path) -> Iterable[Reply]:
    for number, line in enumerate(lines, 1):
        try:
            yield _reply(json.loads(line))
        except (ValueError, KeyError, TypeError, ArithmeticError) as error:
            message = f"{path}, line {number}: not a reply ({error!r})."
            raise RepliesUnreadable(message) from error


def _reply(row: Mapping[str, Any]) -> Reply:
    prompt, completion, cached = map(int, row["tokens"])
    cost = None if row["cost"] is None else Decimal(row["cost"])
    return Reply(
        str(row["prompt"]),
        str(row["text"]),
        Usage(prompt, completion, cached, bool(row["estimated"]), cost),
        str(row["stopped_by"]),
        str(row.get("failed", "")),
        str(row.get("message", "")),
    )
