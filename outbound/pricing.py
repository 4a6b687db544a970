"""Prices of models: the table that comes with litellm, read as a file. Unknown is None."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from outbound.tokens import litellm_folder

TABLE = "model_prices_and_context_window_backup.json"


@dataclass(frozen=True, slots=True)
class Price:
    """USD for one token."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal

    def of(self, prompt: int, completion: int, cached: int = 0) -> Decimal:
        fresh = max(prompt - cached, 0)
        return fresh * self.prompt + cached * self.cached + completion * self.completion


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, Any]]:
    folder = litellm_folder()
    if folder is None:
        return {}
    rows: dict[str, dict[str, Any]] = json.loads((folder / TABLE).read_text(encoding="utf-8"))
    wanted = ("input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost",
              "litellm_provider", "max_input_tokens")  # fmt: skip
    return {name: {k: row[k] for k in wanted if k in row} for name, row in rows.items()}


def row_of(model: str) -> Mapping[str, Any] | None:
    """What the table says of a model: by its whole name, or by the name at that provider."""
    table = _table()
    if model in table:
        return table[model]
    provider, _, name = model.partition("/")
    row = table.get(name)
    return row if row and row.get("litellm_provider") == provider else None


def is_known(model: str) -> bool:
    return row_of(model) is not None


def window_of(model: str) -> int | None:
    """How many tokens the model can read at once, where the table says it."""
    row = row_of(model)
    most = row.get("max_input_tokens") if row else None
    return most if isinstance(most, int) else None


def price_of(model: str) -> Price | None:
    row = row_of(model)
    if row is None or row.get("input_cost_per_token") is None:
        return None
    prompt = Decimal(str(row["input_cost_per_token"]))
    completion = Decimal(str(row.get("output_cost_per_token") or 0))
    cached = row.get("cache_read_input_token_cost")
    return Price(prompt, completion, prompt if cached is None else Decimal(str(cached)))


def cost_of(model: str, prompt: int, completion: int, cached: int = 0) -> Decimal | None:
    price = price_of(model)
    return price.of(prompt, completion, cached) if price else None
