"""Lines of a repository that speak to a language model instead of to people. Pure.

They are sent like all others, fenced and numbered, but they carry no statement: what a model
says because a README told it to would otherwise stand there with a footnote that is correct. The
list of signs cannot be complete; it is one layer of several (docs/security.md).
"""

import re
from collections.abc import Sequence

AROUND = 2  # lines before and behind in the same paragraph, which may hold the words to repeat

_VERB = r"(?:ignore|disregard|forget|override|bypass|ignor[ea]|desconsider[ea]|esque[çc]a)"
_RULES = r"(?:instructions|prompts?|guidelines|rules|instru[çc][õo]es|regras)"
_MINE = r"(?:your|previous|prior|above|earlier|these|all|any|other|suas|as|todas|anteriores)"
_MODEL = (
    r"(?:ai|a\.i\.|llms?|language models?|chat ?bots?|assistants?|gpt|copilot|claude|gemini|"
    r"modelos? de linguagem|assistentes?)"
)
_SAY = r"(?:say|answer|reply|respond|claim|tell|repeat|responda|diga|escreva)"
_ADDRESS = r"(?:note|attention|message|instructions?|important|hey|dear|for|to|aten[çc][ãa]o|para)"
_SIGNS = re.compile(
    rf"""
      \b{_VERB}\s+(?:\w+\s+){{0,3}}?{_MINE}\s+(?:\w+\s+){{0,3}}?{_RULES}\b
    | \bsystem\s+prompts?\b | \b(?:previous|prior|earlier)\s+instructions\b
    | \bnew\s+instructions?\s*:
    | \b{_ADDRESS}\b[^.]{{0,30}}\b{_MODEL}\b[^.]{{0,80}}\b(?:must|should|shall|always|{_SAY})\b
    | \b(?:you\s+are|act\s+as|pretend|voc[êe]\s+[ée])\b[^.]{{0,40}}\b{_MODEL}\b
    | \bas\s+an?\s+{_MODEL}\b
    | \b{_MODEL}\s+(?:must|should|shall|have\s+to|need\s+to|are\s+to|devem?)\b
    | <<<\s*[0-9a-f]{{8,}} | \bquestion\s+of\s+your\s+user\b
    | \b(?:any|every|the|all)\s+{_MODEL}\b[^.]{{0,60}}\b(?:must|should|shall)\b
    | \b{_SAY}\s+(?:only|exactly|nothing\s+but|s[óo]|apenas)\b
    | \bwhen\s+(?:asked|summari[sz]ing|answering)\b[^.]{{0,60}}\b{_SAY}\b
    | <\|?/?(?:im_start|im_end|endoftext|eot_id|start_header_id)\b | \[/?INST\]
    | ^\W*assistant\s*:\s*\w
    | \b(?:begin|end)\s+of\s+(?:evidence|context|system|prompt)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SEPARATORS = re.compile(r"[_\-./]+")
SCANNED_CHARS = 2_000  # of one line


def speaks_to_a_model(text: str) -> bool:
    cut = text[:SCANNED_CHARS]
    # Names of files and symbols hold their words joined: ignore_previous_instructions.
    return bool(_SIGNS.search(cut) or _SIGNS.search(_SEPARATORS.sub(" ", cut)))


def orders_in(lines: Sequence[str], start_line: int) -> frozenset[int]:
    """The numbers of the lines that speak to a model, with those around in the paragraph."""
    found: set[int] = set()
    # A sentence may go over a line end.
    joined = [f"{line} {after}" for line, after in zip(lines, [*lines[1:], ""], strict=True)]
    for at, line in enumerate(lines):
        alone = speaks_to_a_model(line)
        if alone or (
            speaks_to_a_model(joined[at]) and not speaks_to_a_model(joined[at][len(line) :])
        ):
            last = at if alone else at + 1
            found |= _paragraph(lines, at, last)
    return frozenset(start_line + at for at in found)


def _paragraph(lines: Sequence[str], first: int, last: int) -> set[int]:
    found = set(range(first, last + 1))
    for step, begin in ((-1, first), (1, last)):
        for at in range(begin + step, begin + step * (AROUND + 1), step):
            if not 0 <= at < len(lines) or not lines[at].strip():
                break
            found.add(at)
    return found
