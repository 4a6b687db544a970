"""How many tokens a text is: exactly for models whose tokenizer comes with litellm's files, else
by a rule that is rather too high than too low."""

import importlib.util
import os
from functools import lru_cache
from pathlib import Path

import tiktoken

# tiktoken keeps its tables under these names; it would fetch one that is missing.
TABLES = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}
BYTES_A_TOKEN = 3  # of code, measured with cl100k_base: 3.2 to 3.9
SLICE = 20_000  # characters counted at once: a very long word takes time out of proportion
MESSAGE_TOKENS = 4  # around each message


def litellm_folder() -> Path | None:
    """Where its data files are; finding it does not import it."""
    spec = importlib.util.find_spec("litellm")
    folder = next(iter(spec.submodule_search_locations or []), None) if spec else None
    return Path(folder) if folder else None


@lru_cache(maxsize=64)
def _encoding(model: str) -> tiktoken.Encoding | None:
    try:
        name = tiktoken.encoding_name_for_model(model.rpartition("/")[2])
    except KeyError:
        return None
    folder = litellm_folder()
    tables = folder / "litellm_core_utils" / "tokenizers" if folder else None
    if name not in TABLES or tables is None or not (tables / TABLES[name]).is_file():
        return None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(tables)
    return tiktoken.get_encoding(name)


def is_exact(model: str) -> bool:
    return _encoding(model) is not None


def count(model: str, text: str) -> int:
    encoding = _encoding(model)
    if encoding is None:
        return -(-len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN)
    parts = (text[start : start + SLICE] for start in range(0, len(text), SLICE))
    return sum(len(encoding.encode_ordinary(part)) for part in parts)
