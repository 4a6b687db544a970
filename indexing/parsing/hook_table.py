"""Which language has which hooks."""

from indexing.parsing import (
    elixir,
    kotlin,
    lua,
    php,
    powershell,
    python,
    ruby,
    scala,
    swift,
)
from indexing.parsing.hooks import NO_HOOKS, Hooks

HOOKS: dict[str, Hooks] = {
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
