"""Go: the receiver's type name and export by capital letter."""

import re

from indexing.parsing.hooks import Draft, Hooks

TYPE_NAME = re.compile(r"\w+")


def adjust(draft: Draft, _source: bytes) -> bool:
    if draft.outer:  # `*Stack[T]`: the type parameter is no part of the name
        found = TYPE_NAME.search(draft.outer[-1])
        draft.outer = (found.group(),) if found else ()
    return draft.name != "_"


def exported(draft: Draft, _names: tuple[str, ...]) -> bool:
    return draft.name[:1].isupper()


HOOKS = Hooks(adjust=adjust, exported=exported)
