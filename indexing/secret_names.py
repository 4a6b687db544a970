"""Credentials in names, of files, folders and branches: a name is stored with a placeholder.

A path is what names a file, so a file whose path is not kept as it is cannot be opened later: it
is listed as secret, and left out of the index. A branch that a person asks for is fetched by its
name, so such a name is refused (`kinds_in`); one that the host chose is only shown.
"""

from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate

from django.utils.translation import gettext as _

from indexing.scrubbing.marks import mark
from indexing.scrubbing.matches import merge
from indexing.scrubbing.scanner import keyword_matches
from repos.classify import Classification
from repos.walk import WalkedFile

Span = tuple[int, int, str]


def without_secret_names(walked: list[WalkedFile]) -> list[WalkedFile]:
    """The same files in the same order; names of published credential formats covered.

    A name that merely looks random is no reason to leave a file out.
    """
    spans = _spans([file.path for file in walked])
    taken: set[str] = set()
    return [
        _covered(file, spans[number], taken) if number in spans else file
        for number, file in enumerate(walked)
    ]


def kinds_in(name: str) -> list[str]:
    """The published credential formats that stand in a name."""
    return sorted({kind for _start, _end, kind in _spans([name]).get(0, [])})


def without_secrets(name: str) -> str:
    return _without(name, _spans([name]).get(0, []))


def _without(name: str, spans: list[Span]) -> str:
    for start, end, kind in spans:
        name = name[:start] + mark(kind, end - start) + name[end:]
    return name


def _spans(paths: list[str]) -> dict[int, list[Span]]:
    """By place in the list. All paths are read as one text: far faster than one by one."""
    text = "\n".join(path.replace("\n", " ") for path in paths)
    starts = [0, *accumulate(len(path) + 1 for path in paths)]
    raw = text.encode("ascii", "replace")
    matches = (one for one in keyword_matches(text, raw) if one.published)
    found: dict[int, list[Span]] = {}
    for one in merge(matches):
        number = bisect_right(starts, one.start) - 1
        if one.end < starts[number + 1]:
            first = starts[number]
            found.setdefault(number, []).append(
                (one.start - first, one.end - first, one.match.kind)
            )
    return found


def _covered(file: WalkedFile, spans: list[Span], taken: set[str]) -> WalkedFile:
    path = _without(file.path, spans)
    name, number = path, 2
    while name in taken:  # two that differ in the secret alone
        name, number = f"{path} ({number})", number + 1
    taken.add(name)
    kinds = ", ".join(sorted({kind for _start, _end, kind in spans}))
    return replace(
        file,
        path=name,
        raw_path=None,
        classification=Classification.SECRET,
        reason=_("its name holds a credential: %(kinds)s") % {"kinds": kinds},
        lines=0,
        language="",
    )
