"""Rust: `use` trees, and where an item inside a macro call ends."""

import re

from tree_sitter import Node

from indexing.parsing.hooks import Draft, Hooks, text_of

MAX_TOKENS = 200  # between `fn` and its body inside a macro call
MODIFIERS = re.compile(rb"[ \t]*(?:(?:pub(?:\([\w :]*\))?|async|unsafe|const)[ \t]+)*")
MAX_USES = 500


def adjust(draft: Draft, source: bytes) -> bool:
    if draft.node.type == "fn":
        _find_body(draft, source)
        draft.marked = source.startswith(b"pub", draft.start)
    return draft.name != "_"


def _find_body(draft: Draft, source: bytes) -> None:
    line = source.rfind(b"\n", 0, draft.start) + 1
    if MODIFIERS.fullmatch(source, line, draft.start):
        draft.start = (
            line + len(source[line : draft.start]) - len(source[line : draft.start].lstrip())
        )
    token: Node | None = draft.node
    for _ in range(MAX_TOKENS):
        token = token.next_sibling if token else None
        if token is None or token.type == ";":
            return
        if token.type == "token_tree" and source[token.start_byte : token.start_byte + 1] == b"{":
            draft.body, draft.end, draft.end_row = token, token.end_byte, token.end_point[0]
            return


def imports(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    """`use a::{b, c::{self, D as E}};` as (path, names) pairs, one a path."""
    argument = node.child_by_field_name("argument")
    paths = _expanded("".join(_words(text_of(argument)))) if argument else []
    grouped: dict[str, list[str]] = {}
    for path in paths:
        module, _, name = path.rpartition("::")
        grouped.setdefault(module or name, []).extend([name] if module else [])
    return [(module, tuple(names)) for module, names in grouped.items()]


def _words(text: str) -> list[str]:
    """The text without white space and without `as` names."""
    words = text.replace("{", " { ").replace("}", " } ").replace(",", " , ").split()
    return [word for place, word in enumerate(words) if "as" not in {word, words[place - 1]}]


def _expanded(tree: str) -> list[str]:
    """Every path of a use tree; an explicit stack, since trees nest as deep as their author."""
    paths: list[str] = []
    prefixes: list[str] = []
    current = ""
    for mark in tree:
        if mark == "{":
            prefixes.append(current)
            current = ""
        elif mark in ",}":
            paths += [f"{''.join(prefixes)}{current}"] if current else []
            current = ""
            if mark == "}" and prefixes:
                prefixes.pop()
        else:
            current += mark
    paths += [current] if current else []
    return paths[:MAX_USES]


HOOKS = Hooks(adjust=adjust, imports=imports)
