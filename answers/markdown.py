"""An answer as Markdown with permanent links, for issues, pull requests and chats. Pure text."""

import re
from collections.abc import Callable

from django.utils.translation import gettext as _

from answers import wording
from answers.models import Answer, Statement
from answers.reading import SHORT_COMMIT, Shown, ShownCitation, ShownStatement

Absolute = Callable[[str], str]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_LINE_START = re.compile(r"^(\s*)([-+=]|\d+(?=[.)]))")


def as_markdown(shown: Shown, address: str, absolute: Absolute) -> str:
    """`address` is that of the answer; `absolute` makes one of a path on this server."""
    blocks = ["\n".join(f"> {escaped(line)}" for line in shown.answer.question.text.split("\n"))]
    blocks.append(f"{escaped(wording.label(shown.answer))} · {_commits(shown)} · <{address}>")
    if shown.abstained:
        blocks.append(escaped(wording.why_abstained(shown.answer)))
    blocks += [escaped(text) for text in _remarks(shown) if text]
    if shown.is_written:
        blocks += [block for one in shown.statements for block in _written(one)]
    for part in [] if shown.is_written else shown.parts:
        head = code_span(part.piece.row.symbol) if part.piece.row.symbol else ""
        blocks.append(f"{head} {code_span(part.piece.row.path)}".strip())
        blocks += [block for one in part.statements for block in _statement(one)]
    blocks += ["\n".join(_note(one, absolute) for one in _citations(shown))]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _remarks(shown: Shown) -> list[str]:
    """What to know before believing it."""
    answer = shown.answer
    if shown.abstained:
        return []
    broken_off = answer.state != Answer.State.DONE
    words = _("This answer is not complete: %s") % answer.get_state_display()
    return [words if broken_off else "", wording.reason(answer), answer.warning]


def _written(statement: ShownStatement) -> list[str]:
    """A statement of a model: plain text with code marks, a heading, or lines of code."""
    marks = "".join(f"[^{one.number}]" for one in statement.citations)
    if statement.row.kind == Statement.Kind.CODE:
        return [fenced(statement.text, statement.citations[0].piece.row.language), marks]
    if statement.row.kind == Statement.Kind.HEADING:
        return [f"### {escaped(statement.row.text)}"]
    text = "".join(
        code_span(one.text) if one.is_code else escaped(one.text) for one in statement.spans
    )
    return [f"{text}{marks}"]


def _statement(statement: ShownStatement) -> list[str]:
    marks = "".join(f"[^{one.number}]" for one in statement.citations)
    if statement.is_sentence:
        return [f"{escaped(statement.text)}{marks}"]
    language = statement.citations[0].piece.row.language
    return [fenced(statement.text, language), marks]


def _note(citation: ShownCitation, absolute: Absolute) -> str:
    place = code_span(f"{citation.place} @ {citation.commit}")
    return f"[^{citation.number}]: [{place}](<{absolute(citation.url)}>)"


def _citations(shown: Shown) -> list[ShownCitation]:
    return [citation for one in shown.statements for citation in one.citations]


def _commits(shown: Shown) -> str:
    return ", ".join(
        f"{escaped(one['slug'])} @ {one['commit'][:SHORT_COMMIT]}"
        for one in shown.answer.searched.get("repositories", [])
    )


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any run of backticks in it."""
    fence = "`" * max(3, longest_run(text) + 1)
    return f"{fence}{re.sub(r'[^a-z0-9+-]', '', language)}\n{text}\n{fence}"


def code_span(text: str) -> str:
    one_line = " ".join(re.split(r"[\r\n]+", text))
    ticks = "`" * (longest_run(one_line) + 1)
    pad = " " if one_line.startswith("`") or one_line.endswith("`") else ""
    return f"{ticks}{pad}{one_line}{pad}{ticks}"


def longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))
