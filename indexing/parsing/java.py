"""Java and C#: constants and visibility from modifiers."""

import re

from indexing.parsing.hooks import Draft, Hooks
from indexing.records import SymbolKind

# Between a head and its `{` the grammar of C# reads no directive.
DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:if|elif|else|endif)\b[^\r\n]*", re.MULTILINE)
HEAD_BYTES = 400  # modifiers stand at the head of a declaration


def java_adjust(draft: Draft, source: bytes) -> bool:
    if draft.kind is SymbolKind.FIELD:
        words = _words(draft, source)
        if b"static" in words and b"final" in words:
            draft.kind = SymbolKind.CONSTANT
    return True


def csharp_adjust(draft: Draft, source: bytes) -> bool:
    if draft.kind is SymbolKind.FIELD and draft.node.type == "field_declaration":
        words = _words(draft, source)
        if b"const" in words or (b"static" in words and b"readonly" in words):
            draft.kind = SymbolKind.CONSTANT
    return True


def csharp_mend(source: bytes) -> bytes:
    return DIRECTIVE.sub(lambda found: b" " * len(found.group()), source)


def _words(draft: Draft, source: bytes) -> list[bytes]:
    head = source[draft.start : min(draft.name_start, draft.start + HEAD_BYTES)]
    return head.split()


def exported(draft: Draft, _names: tuple[str, ...]) -> bool:
    words = draft.wording.split(draft.name, 1)[0].split()
    return "public" in words or "protected" in words


JAVA = Hooks(adjust=java_adjust, exported=exported)
CSHARP = Hooks(mend=csharp_mend, adjust=csharp_adjust, exported=exported)
