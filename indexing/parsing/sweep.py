"""Nest drafts by their byte ranges and turn them into records, in one pass over the file."""

from dataclasses import dataclass

from indexing.languages import Language
from indexing.parsing.found import MAX_NAME, Found, Region
from indexing.parsing.hook_table import hooks_of
from indexing.parsing.hooks import CLASS_LIKE, FUNCTION_LIKE, VALUES, Draft, Hooks, text_of
from indexing.parsing.wording import bare_comment, first_sentence, signature
from indexing.records import SymbolKind, SymbolRecord

MAX_SYMBOLS = 20_000  # a file; generated tables have more and nobody looks for them
MAX_DEPTH = 40  # enclosing symbols; keeps qualified names short
INHERITS = CLASS_LIKE - {SymbolKind.STRUCT}
OPEN_MEMBERS = frozenset({SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.ENUM})
READ_BYTES = 4_000


@dataclass(slots=True)
class Frame:
    """What is open at a place of the file; `names` is the qualified name so far."""

    role: str  # "class", "function", "other", or the role of a region
    end: int
    start_row: int
    names: tuple[str, ...]
    exported: bool = False
    start: int = -1
    kind: SymbolKind | None = None


class Sweep:
    """The state of the pass over one file; call `records` once."""

    def __init__(self, language: Language, found: Found, source: bytes) -> None:
        self.language = language
        self.hooks: Hooks = hooks_of(language.name)
        self.found = found
        self.source = source
        self.stack: list[Frame] = []
        regions = (one for one in found.regions if one.role == "scope")
        self.namespaces = {name for one in regions for name in one.names}

    def records(self) -> list[SymbolRecord]:
        drafts = sorted(self.found.drafts.values(), key=lambda one: (one.start, -one.end))
        if self.hooks.finish:
            self.hooks.finish(drafts, self.source)
        items: list[Draft | Region] = [*self.found.regions, *drafts]
        items.sort(key=_place)
        symbols: list[SymbolRecord] = []
        for item in items:
            while self.stack and self.stack[-1].end <= item.start:
                self.stack.pop()
            if isinstance(item, Region):
                self._open_region(item)
            elif len(symbols) < MAX_SYMBOLS and len(self.stack) < MAX_DEPTH * 2:
                record = self._close(item)
                symbols += [record] if record else []
        return symbols

    def _names(self) -> tuple[str, ...]:
        return self.stack[-1].names if self.stack else ()

    def _open_region(self, region: Region) -> None:
        names = self._names()
        if region.role in {"scope", "scope.type"}:
            names = (*names, *region.names)
        frame = Frame(region.role, region.end, region.start_row, names, start=region.start)
        self.stack.append(frame)

    def _holder(self) -> Frame | None:
        """The nearest open frame that is more than a wrapper."""
        return next((one for one in reversed(self.stack) if one.role not in WRAPPERS), None)

    def _leave_twin(self, draft: Draft) -> None:
        """`int a, b;` gives two definitions of the same bytes: the second is not in the first."""
        top = self.stack[-1] if self.stack else None
        if top and top.kind in VALUES and (top.start, top.end) == (draft.start, draft.end):
            self.stack.pop()

    def _close(self, draft: Draft) -> SymbolRecord | None:
        self._leave_twin(draft)
        holder = self._holder()
        role = holder.role if holder else ""
        local = draft.kind in VALUES and role in {"function", "scope.local"}
        names = (*self._names(), *draft.outer)
        if local or not draft.name or len(draft.name) > MAX_NAME or len(names) > MAX_DEPTH:
            return None
        if self.hooks.keep and not self.hooks.keep(draft, role):
            return None
        draft.kind = self._kind(draft, role, names)
        draft.wording = draft.wording or signature(self._head(draft))
        exported = self._exported(draft, names, holder)
        start_row = self._start_row(draft)
        record = self._record(draft, names, start_row, exported=exported)
        self._push(draft, (*names, draft.name), exported=exported)
        return record

    def _push(self, draft: Draft, names: tuple[str, ...], *, exported: bool) -> None:
        frame = Frame(_role(draft.kind), draft.end, draft.start_row, names, exported)
        frame.start, frame.kind = draft.start, draft.kind
        self.stack.append(frame)

    def _kind(self, draft: Draft, role: str, names: tuple[str, ...]) -> SymbolKind:
        kind = draft.kind
        in_type = role in {"class", "scope.type"}
        if draft.outer and draft.outer[-1] not in self.namespaces:
            in_type = True
        if kind is SymbolKind.FUNCTION and in_type:
            kind = SymbolKind.METHOD
        if kind is SymbolKind.VARIABLE and role in {"class", "scope.type"}:
            kind = SymbolKind.FIELD
        draft.kind = kind
        return self.hooks.kind(draft, names) if self.hooks.kind else kind

    def _exported(self, draft: Draft, names: tuple[str, ...], holder: Frame | None) -> bool:
        if self.language.exports == "finish":
            return draft.marked
        if holder and holder.kind in OPEN_MEMBERS and not draft.marked:
            return holder.exported
        if self.language.exports == "hook" and self.hooks.exported:
            return self.hooks.exported(draft, names)
        if self.language.exports != "marked":
            return True
        return (
            draft.marked
            or (holder is not None and holder.kind in INHERITS and holder.exported)
            or (not names and draft.name in self.found.export_names)
            or any(one.role == "export" for one in self._wrappers())
        )

    def _wrappers(self) -> list[Frame]:
        """The wrapping frames directly around the next definition, innermost first."""
        around: list[Frame] = []
        for frame in reversed(self.stack):
            if frame.role not in WRAPPERS:
                break
            around.append(frame)
        return around

    def _head(self, draft: Draft) -> bytes:
        start, end = self._written_start(draft), draft.end
        if draft.body is not None and start < draft.body.start_byte < end:
            end = draft.body.start_byte
        elif draft.kind in ONE_LINERS or draft.kind in CURLY:
            stop = self.source.find(
                b"\n" if draft.kind in ONE_LINERS else b"{", draft.name_start, end
            )
            end = stop if stop >= 0 else end
        return self.source[start : min(end, start + READ_BYTES)]

    def _around(self, draft: Draft) -> list[Frame]:
        """The wrappers that end with the definition (or one byte later, with its semicolon)."""
        wraps = [one for one in self._wrappers() if one.role == "wrap"]
        return [one for one in wraps if 0 <= one.end - draft.end <= 1]

    def _written_start(self, draft: Draft) -> int:
        """With `export`, `const`, `template <...>` where they stand on the same line."""
        starts = [one.start for one in self._around(draft) if one.start_row == draft.start_row]
        return min([draft.start, *starts])

    def _start_row(self, draft: Draft) -> int:
        return min([draft.start_row, *(one.start_row for one in self._around(draft))])

    def _lead(self, row: int) -> tuple[int, int, list[tuple[int, int]]]:
        """(first attribute row, first row, byte spans of the comments in between)."""
        start = lead = row
        comments: list[tuple[int, int]] = []
        while lead > 0:
            attribute = self.found.attributes.get(lead - 1)
            comment = self.found.comments.get(lead - 1)
            above = attribute or comment
            if above is None:
                break
            lead = above[0]
            if attribute:
                start = lead
            else:
                comments.append(above[1:])
        return start, lead, comments[::-1]

    def _starts_line(self, draft: Draft) -> bool:
        start = min([draft.start, *(one.start for one in self._around(draft))])
        return not self.source[self.source.rfind(b"\n", 0, start) + 1 : start].strip()

    def _doc(self, draft: Draft, comments: list[tuple[int, int]]) -> str:
        written = self.hooks.doc(draft.node) if self.hooks.doc else ""
        if draft.doc is not None:
            written = bare_comment(text_of(draft.doc).strip("\"'").split("\n"))
        if not written:
            spans = b"\n".join(self.source[a : min(b, a + READ_BYTES)] for a, b in comments[-50:])
            written = bare_comment(spans.decode("utf-8", "replace").split("\n"))
        return first_sentence(written)

    def _record(
        self, draft: Draft, names: tuple[str, ...], start_row: int, *, exported: bool
    ) -> SymbolRecord:
        start, lead, comments = self._lead(start_row)
        if not self._starts_line(draft):
            start, lead, comments = start_row, start_row, []
        return SymbolRecord(
            name=draft.name,
            qualified_name=".".join((*names, draft.name)),
            kind=draft.kind,
            signature=draft.wording,
            doc=self._doc(draft, comments),
            lead_line=lead + 1,
            start_line=start + 1,
            name_line=draft.name_row + 1,
            end_line=max(draft.end_row, draft.name_row) + 1,
            parent=".".join(names),
            exported=exported,
        )


WRAPPERS = frozenset({"wrap", "export"})
CURLY = CLASS_LIKE | {SymbolKind.MACRO}
ONE_LINERS = VALUES | {SymbolKind.KEY, SymbolKind.HEADING}


def _place(item: Draft | Region) -> tuple[int, int, int]:
    if isinstance(item, Draft):
        return item.start, -item.end, 1
    return item.start, -item.end, 0 if item.role in WRAPPERS else 2


def _role(kind: SymbolKind) -> str:
    if kind in CLASS_LIKE:
        return "class"
    return "function" if kind in FUNCTION_LIKE else "other"
