"""The questions of an evaluation of answers: a line of JSON each, with or without an answer."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Any

from search.evaluate import QuestionsUnreadable


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """`repository` "" is all that is published, `commit` "" what is published of it. `reference` is
    the answer it should have; `forbidden` are phrases that no answer may say."""

    group: str  # the name of its file
    id: str
    repository: str
    commit: str
    text: str
    answerable: bool = True
    reference: str = ""
    forbidden: tuple[str, ...] = ()


def read(path: Path, *, answerable: bool) -> list[AskedQuestion]:
    """`answerable` is what rows are that do not say. Raises search.evaluate.QuestionsUnreadable."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsUnreadable(f"{path} cannot be read: {error}") from error
    found: list[AskedQuestion] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(_question(json.loads(line), path.stem, number, answerable=answerable))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            message = f"{path}, line {number}: not a question ({error!r})."
            raise QuestionsUnreadable(message) from error
    if not found:
        raise QuestionsUnreadable(f"{path} holds no question.")
    return found


def _question(
    row: Mapping[str, Any], group: str, number: int, *, answerable: bool
) -> AskedQuestion:
    return AskedQuestion(
        group=group,
        id=str(row.get("id", f"{group}-{number}")),
        repository=str(row.get("repository", "")),
        commit=str(row.get("commit", "")),
        text=str(row["question"]),
        answerable=bool(row.get("answerable", answerable)),
        reference=str(row.get("reference_answer", "")),
        forbidden=tuple(str(one) for one in row.get("forbidden", ())),
    )


def spread(questions: Sequence[AskedQuestion], most: int) -> list[AskedQuestion]:
    """At most so many of them, evenly from first to last: every repository has its share."""
    if not most or len(questions) <= most:
        return list(questions)
    return [questions[place * len(questions) // most] for place in range(most)]


def placed(
    unanswerable: Sequence[AskedQuestion], questions: Sequence[AskedQuestion]
) -> Iterator[AskedQuestion]:
    """Those without a repository are asked of the repositories of the others, in turn; one that
    is named without a commit is asked at the commit of the others."""
    pairs = list(dict.fromkeys((one.repository, one.commit) for one in questions))
    turn, commit_of = cycle(pairs), _commits(pairs)
    for one in unanswerable:
        if one.repository:
            yield replace(one, commit=one.commit or commit_of(one.repository))
        else:
            repository, commit = next(turn)
            yield replace(one, repository=repository, commit=commit)


def _commits(pairs: Sequence[tuple[str, str]]) -> Callable[[str], str]:
    known = dict(pairs)
    return lambda name: known.get(name, "")
