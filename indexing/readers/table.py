"""Which languages are read line by line instead of with a grammar."""

from collections.abc import Callable

from indexing.readers import json_keys, markdown, rst, sql, toml_keys, yaml_keys
from indexing.records import ParsedFile

READERS: dict[str, Callable[[str], ParsedFile]] = {
    "json": json_keys.read,
    "markdown": markdown.read,
    "rst": rst.read,
    "sql": sql.read,
    "toml": toml_keys.read,
    "yaml": yaml_keys.read,
}
