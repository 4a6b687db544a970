"""Which language has which hooks."""

from indexing.parsing import (
    c,
    elixir,
    go,
    java,
    javascript,
    kotlin,
    lua,
    php,
    powershell,
    python,
    ruby,
    rust,
    scala,
    swift,
)
from indexing.parsing.hooks import NO_HOOKS, Hooks

HOOKS: dict[str, Hooks] = {
    "c": c.HOOKS,
    "cpp": c.HOOKS,
    "csharp": java.CSHARP,
    "go": go.HOOKS,
    "java": java.JAVA,
    "javascript": javascript.HOOKS,
    "rust": rust.HOOKS,
    "tsx": javascript.HOOKS,
    "typescript": javascript.HOOKS,
    "elixir": elixir.HOOKS,
    "kotlin": kotlin.HOOKS,
    "lua": lua.HOOKS,
    "php": php.HOOKS,
    "powershell": powershell.HOOKS,
    "ruby": ruby.HOOKS,
    "scala": scala.HOOKS,
    "swift": swift.HOOKS,
    "python": python.HOOKS,
}


def hooks_of(language: str) -> Hooks:
    return HOOKS.get(language, NO_HOOKS)
