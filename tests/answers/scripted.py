"""Roles that a scripted model plays over real HTTP: it reads the prompt and replies as told."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from answers import claims
from answers.models import Answer
from answers.reading import show

# What the model of the host is called in settings.
MODEL = "openai/scripted"
# What there is to say of conftest.SESSIONS, and the line that says it.
PATH = "till/sessions.py"
VALUE = "value = request.cookies.get"
READ = "The `value` is read from `request.cookies`."


@dataclass(frozen=True)
class Seen:
    """A block of evidence as the model got it: numbered lines under a label."""

    label: str
    path: str
    lines: Mapping[int, str]

    def line(self, wanted: str) -> tuple[int, str]:
        return next((n, text) for n, text in self.lines.items() if wanted in text)


def seen_in(body: Mapping[str, Any]) -> list[Seen]:
    text = body["messages"][1]["content"]
    (nonce,) = re.findall(r"The key of this request is ([0-9a-f]{32})\.", text)
    found = []
    pattern = rf"<<<{nonce} block (\w+)>>>\n(.*?)\n<<<{nonce} end \1>>>"
    for label, inside in re.findall(pattern, text, re.DOTALL):
        path = json.loads(re.findall(r"^path: (.*)$", inside, re.MULTILINE)[0])
        lines = re.findall(r"^(\d+)\| (.*)$", inside, re.MULTILINE)
        found.append(Seen(label, path, {int(number): line for number, line in lines}))
    return found


def block(body, path) -> Seen:
    return next(one for one in seen_in(body) if one.path == path)


def cite(seen: Seen, wanted: str, **change: Any) -> dict[str, Any]:
    """A citation of the line that holds `wanted`, as a faithful model writes it."""
    number, text = seen.line(wanted)
    return {"label": seen.label, "start": number, "end": number, "quote": text.strip(), **change}


def prose(text: str, *citations: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "prose", "text": text, "citations": list(citations)}


def reply(*statements: Mapping[str, Any], answerable: bool = True) -> str:
    return json.dumps({"answerable": answerable, "statements": list(statements)})


def claimed(answer: Answer) -> Answer:
    """The answer as a worker holds it."""
    found = claims.claim(answer.pk)
    assert found is not None
    return found


def perfect(body):
    seen = block(body, PATH)
    return reply(prose(READ, cite(seen, VALUE)))


def said(answer):
    """[(text, [(path:start-end, verdict)])] as the page shows it, in order."""
    return [
        (one.text, [(mark.place, mark.row.verdict) for mark in one.citations])
        for one in show(answer).statements
    ]
