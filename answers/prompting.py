"""What a model is told: the rules, the evidence behind fences, the question. Pure.

A fence holds a nonce of 128 random bits, so text of a repository cannot close it; each line
of the evidence begins with its number, so nothing in it begins a line of the prompt. The parts
are ordered from what is always the same to what never is, for providers that cache prompts.
"""

import json
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template

from answers.checking import Failed, Reason
from answers.drafts import Draft
from answers.evidence import BYTES_A_TOKEN
from answers.marks import visible
from answers.protocol import what_is_wrong

FOLDER = Path(__file__).parent / "prompts"
NONCE_BYTES = 16
MOST_REPLY_TOKENS = 2_000
MOST_EVIDENCE_TOKENS = 6_000
# The share of a small window that the reply may take.
REPLY_SHARE = 4
NAME_CHARS = 300  # of a path or a symbol
MESSAGE_TOKENS = 16  # what a provider puts around each message
REPAIRED = 12  # failed statements that a repair names
SAID_CHARS = 500  # of a reply that could not be read, for its writer to see
QUOTE_CHARS = 60  # of the line that shows what a quote is

_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one file under a label; the first has the number `start_line`."""

    label: str
    path: str
    symbol: str
    start_line: int
    lines: Sequence[str]

    @property
    def end_line(self) -> int:
        return self.start_line + len(self.lines) - 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """`blocks` are those that fit; nothing else may be cited. `tokens` has the reply in it."""

    system: str
    user: str
    blocks: tuple[Block, ...]
    reply_tokens: int
    tokens: int


def compose(question: str, blocks: Sequence[Block], *, window: int, count: Count) -> Prompt:
    """The prompt within `window` tokens, the reply included. Blocks are tried in their order.

    One that does not fit is left out and the next tried; if none fits, the first is cut.
    """
    system = text_of("answer")
    nonce = new_nonce([question, *(line for block in blocks for line in block.lines)])
    reply = min(MOST_REPLY_TOKENS, window // REPLY_SHARE)
    frame = _user(nonce, question, [])
    around = reply + count(system) + 2 * MESSAGE_TOKENS
    room = window - around - count(frame)
    fitting = _fitting(blocks, nonce, min(room, MOST_EVIDENCE_TOKENS), count)
    user = _user(nonce, question, fitting)
    return Prompt(system, user, tuple(fitting), reply, around + count(user))


def _user(nonce: str, question: str, blocks: Sequence[Block]) -> str:
    evidence = "\n\n".join(fenced(block, nonce) for block in blocks)
    text = Template(text_of("question"))
    return text.substitute(nonce=nonce, evidence=evidence, question=visible(question).strip())


def _fitting(blocks: Sequence[Block], nonce: str, room: int, count: Count) -> list[Block]:
    taken: list[Block] = []
    for block in blocks:
        size = count(fenced(block, nonce))
        if size <= room:
            taken.append(block)
            room -= size
    if taken or not blocks:
        return taken
    return _cut(blocks[0], nonce, room, count)


def _cut(block: Block, nonce: str, room: int, count: Count) -> list[Block]:
    """The first lines of a block that is larger than the window; nothing where none fits."""
    low, high = 0, len(block.lines)
    while low < high:
        middle = (low + high + 1) // 2
        if count(fenced(replace(block, lines=block.lines[:middle]), nonce)) <= room:
            low = middle
        else:
            high = middle - 1
    return [replace(block, lines=block.lines[:low])] if low else []


def fenced(block: Block, nonce: str) -> str:
    head = [f"path: {_name(block.path)}"]
    if block.symbol:
        head.append(f"in: {_name(block.symbol)}")
    lines = [
        f"{number}| {_CONTROLS.sub(' ', visible(line))}"
        for number, line in enumerate(block.lines, block.start_line)
    ]
    return "\n".join(
        [f"<<<{nonce} block {block.label}>>>", *head, *lines, f"<<<{nonce} end {block.label}>>>"]
    )


def _name(text: str) -> str:
    """A path or a symbol as a JSON string: on one line, whatever it holds."""
    return json.dumps(visible(text)[:NAME_CHARS], ensure_ascii=False)


def new_nonce(texts: Sequence[str]) -> str:
    """128 random bits as hexadecimal digits, which stand in none of the texts."""
    while True:
        nonce = secrets.token_hex(NONCE_BYTES)
        if not any(nonce in text for text in texts):
            return nonce


def estimate(text: str) -> int:
    """Tokens from above, where the model's own tokenizer is not known."""
    return -(-len(text.encode(errors="replace")) // BYTES_A_TOKEN)


def repair(failures: Sequence[tuple[Draft | None, Failed]]) -> tuple[str, str]:
    """(what the model said, what is wrong with it): only its own words and ours go back."""
    named = failures[:REPAIRED]
    said = {"statements": [{"type": d.kind, "text": d.text} for d, _ in named if d is not None]}
    lines = [
        f"{number}. {_shown(draft)}: {why(failed)}"
        for number, (draft, failed) in enumerate(named, 1)
    ]
    text = Template(text_of("repair")).substitute(failures="\n".join(lines))
    return json.dumps(said, ensure_ascii=False), text


def _shown(draft: Draft | None) -> str:
    return json.dumps(draft.text[:200], ensure_ascii=False) if draft else "a statement"


def why(failed: Failed) -> str:
    """For the model; what people read of a failure is in wording.py."""
    details = ", ".join(json.dumps(one[:80], ensure_ascii=False) for one in failed.details)
    return {
        Reason.UNCITED: "it has no citation.",
        Reason.QUOTES: f"the quote stands in none of the blocks: {details}.",
        Reason.NAMES: f"the lines it cites do not hold these names or numbers: {details}.",
        Reason.MARKUP: "links, images and HTML are not allowed.",
        Reason.ORDERS: "it repeats lines that are addressed to you and say nothing of the code.",
        Reason.CODE: "these lines do not stand in the evidence as they are.",
        Reason.SHAPE: "it does not have the form that was asked for.",
        Reason.EMPTY: "it has no words.",
        Reason.TOO_LONG: "it is too long.",
        Reason.HEADING: "no statement that holds follows this heading.",
    }[failed.reason]


def again(said: str, blocks: Sequence[Block]) -> tuple[str, str]:
    """(the beginning of what could not be read, what is wrong with it and how it should look).

    The form has a label and a quote of the evidence, so that a small model has less to invent;
    copied as it is it has no words, and is no statement.
    """
    words = Template(text_of("again")).substitute(what=what_is_wrong(said), form=_form(blocks[0]))
    return said[:SAID_CHARS] or "{}", words


def _form(block: Block) -> str:
    lines = enumerate(block.lines, block.start_line)
    number, line = max(lines, key=lambda one: len(one[1].strip()[:QUOTE_CHARS]))
    quote = visible(line).strip()[:QUOTE_CHARS]
    citation = {"label": block.label, "start": number, "end": number, "quote": quote}
    statement = {"type": "prose", "text": "...", "citations": [citation]}
    return json.dumps({"answerable": True, "statements": [statement]}, ensure_ascii=False)


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip()
