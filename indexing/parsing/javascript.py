"""JavaScript and TypeScript: `const x = require(...)` is an import, not a constant."""

from indexing.parsing.hooks import VALUES, Draft, Hooks, text_of


def adjust(draft: Draft, _source: bytes) -> bool:
    if draft.kind not in VALUES or draft.node.type != "variable_declarator":
        return True
    value = draft.node.child_by_field_name("value")
    called = value.child_by_field_name("function") if value is not None else None
    return called is None or text_of(called) != "require"


HOOKS = Hooks(adjust=adjust)
