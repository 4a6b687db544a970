"""C and C++: constants, constructors, typedefs around a named struct, file-local names."""

import re

from indexing.parsing.hooks import VALUES, Draft, Hooks
from indexing.parsing.wording import signature
from indexing.records import SymbolKind

EXPORT_MACRO = re.compile(
    rb"(?<=\bclass )[A-Z][A-Z0-9_]{2,}(?= +\w+\s*(?:final\s*)?[:{])"
    rb"|(?<=\bstruct )[A-Z][A-Z0-9_]{2,}(?= +\w+\s*(?:final\s*)?[:{])"
)
MACRO = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
MACRO_LINE = rb"^[ \t]*" + MACRO + rb"(?:[ \t]+" + MACRO + rb")*[ \t\r]*$"
# `LIB_API int f(`, `static LIB_INLINE int f(`; `LIB_TYPE x = 1` declares x.
MACRO_BEFORE = rb"(?<![^\s>*&])" + MACRO + rb"[ \t]+(?=[A-Za-z_~:])(?!\w+[ \t]*[;=,)\[])"
MACRO_BEHIND = rb"(?:(?<=\))|(?<=\)[ ]const))[ \t]+" + MACRO + rb"(?:\([^()\n]*\))?(?=\s*[;{:])"
MACROS = re.compile(rb"|".join((MACRO_LINE, MACRO_BEHIND, MACRO_BEFORE)), re.MULTILINE)
BLANKED = re.compile(rb"[ \t]*((?:" + MACRO + rb"[ \t]+)+)")
BODY = re.compile(rb"\s*[{;]")
MARGIN = re.compile(rb"\n(?:\}|[A-Za-z_](?!\w*:))")  # a label at the margin is inside
CONSTANT = ("const ", "constexpr ", "static const ", "static constexpr ", "inline constexpr ")


def mask(source: bytes) -> bytes:
    """`class EXPORT_MACRO Name {` would read as a function: the macro becomes blanks."""
    return EXPORT_MACRO.sub(lambda found: b" " * len(found.group()), source)


def mend(source: bytes) -> bytes:
    """Blank the macros that stand where a specifier would, or on a line of their own."""
    return MACROS.sub(lambda found: b" " * len(found.group()), source)


def adjust(draft: Draft, source: bytes) -> bool:
    if draft.node.type == "function_declarator":
        return _torn_function(draft, source)
    _with_macros(draft, source)
    if draft.kind in VALUES or draft.node.type == "type_definition":
        _beside_its_struct(draft, source)
    if draft.kind is SymbolKind.VARIABLE:
        if draft.name.startswith("__"):  # a macro behind a prototype reads as a declaration
            return False
        head = source[draft.start : draft.start + 30].decode("utf-8", "replace")
        if head.startswith(CONSTANT):
            draft.kind = SymbolKind.CONSTANT
    return True


def _with_macros(draft: Draft, source: bytes) -> None:
    """A definition begins with the macros in front of it, which `mend` took from the grammar."""
    line = source.rfind(b"\n", 0, draft.start) + 1
    if found := BLANKED.fullmatch(source, line, draft.start):
        draft.start = found.start(1)


def _torn_function(draft: Draft, source: bytes) -> bool:
    """A head at the margin that the grammar could not place; answers False for anything else.

    Behind it: a body whose braces preprocessor branches tore, which ends at the `}` at the
    margin or before what starts there; or, after unknown macros, the end of a prototype.
    """
    opening = BODY.match(source, draft.end)
    line = source.rfind(b"\n", 0, draft.start) + 1
    if opening is None or not source[line : line + 1].strip():
        return False
    draft.wording = signature(source[line : draft.end])
    draft.start = line
    if opening.group().endswith(b"{"):
        stop = MARGIN.search(source, opening.end())
        end = len(source) if stop is None else stop.start() + (2 if stop.group() == b"\n}" else 0)
        draft.end = len(source[:end].rstrip())
        draft.end_row = draft.start_row + source.count(b"\n", line, draft.end)
    return True


def _beside_its_struct(draft: Draft, source: bytes) -> None:
    """`struct a {...} b;`: b stands beside a, it is not the parent of it."""
    inner = draft.node.child_by_field_name("type")
    body = inner.child_by_field_name("body") if inner is not None else None
    if inner is None or body is None:
        return
    if inner.child_by_field_name("name") is not None:
        head = source[inner.start_byte : body.start_byte].decode("utf-8", "replace")
        draft.wording = f"{'' if draft.kind in VALUES else 'typedef '}{head.strip()} {draft.name}"
        draft.start, draft.start_row = draft.name_start, draft.name_row
        draft.end = draft.name_start + len(draft.name.encode())
    elif draft.kind not in VALUES:
        draft.wording = f"typedef {inner.type.split('_')[0]} {draft.name}"


def keep(draft: Draft, role: str) -> bool:
    """`Foo x(y);` in a body reads as a prototype; it is a local variable."""
    prototype = draft.body is None and draft.kind is SymbolKind.FUNCTION
    return not (prototype and role in {"function", "scope.local"})


def kind(draft: Draft, names: tuple[str, ...]) -> SymbolKind:
    if draft.kind is SymbolKind.METHOD and names and draft.name == names[-1]:
        return SymbolKind.CONSTRUCTOR
    return draft.kind


def exported(draft: Draft, _names: tuple[str, ...]) -> bool:
    if draft.kind in {SymbolKind.FIELD, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR}:
        return True  # `static` is about the class there, not about the file
    return "static" not in draft.wording.split(draft.name, 1)[0].split()


HOOKS = Hooks(mask=mask, mend=mend, adjust=adjust, kind=kind, keep=keep, exported=exported)
