"""Typed readers of environment variables; a value that does not fit stops the start."""

import os
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?", re.ASCII)
FALSE = frozenset({"0", "false", "no", "off"})


class Environment:
    """Reads `FOOTNOTE_*` variables and remembers which ones exist.

    Every reader raises ImproperlyConfigured with the variable's name, what was found and
    what would fit. `refuse_unknown` does the same for a variable that nobody reads, so that
    a typing error in a name is not silently ignored.
    """

    def __init__(self, source: Mapping[str, str] = os.environ) -> None:
        self._source = source
        self.known: set[str] = set()

    def text(self, name: str, default: str = "") -> str:
        """The value without blanks around it; an empty value is an unset one."""
        self.known.add(name)
        return self._source.get(name, "").strip() or default

    def secret(self, name: str) -> str:
        """The value of NAME, or the content of the file that NAME_FILE names."""
        value, file = self.text(name), self.text(f"{name}_FILE")
        if not file:
            return value
        if value:
            raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; unset one of them.")
        try:
            value = Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            message = f"{name}_FILE names {file}, which cannot be read: {error.strerror}."
            raise ImproperlyConfigured(message) from error
        except UnicodeDecodeError as error:
            message = f"{name}_FILE names {file}, which is not UTF-8 text."
            raise ImproperlyConfigured(message) from error
        if not value:
            raise ImproperlyConfigured(f"{name}_FILE names {file}, which is empty.")
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name).lower()
        if not value:
            return default
        if value in TRUE | FALSE:
            return value in TRUE
        message = f"{name} is {value!r}; write one of: true, false."
        raise ImproperlyConfigured(message)

    def number(self, name: str, default: int, *, least: int = 0, most: int = 2**53) -> int:
        value = self.text(name)
        if not value:
            return default
        if value.isascii() and value.isdigit() and least <= int(value) <= most:
            return int(value)
        message = f"{name} is {value!r}; write a whole number from {least} to {most}."
        raise ImproperlyConfigured(message)

    def amount(self, name: str, *, most: int = 1_000_000) -> Decimal:
        """Money, with a point before the cents; 0 where it is not set."""
        value = self.text(name, "0")
        if AMOUNT.fullmatch(value) and Decimal(value) <= most:
            return Decimal(value)
        message = f"{name} is {value!r}; write an amount like 2.50, at most {most}."
        raise ImproperlyConfigured(message)

    def words(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A comma-separated list; blanks around the commas do not count."""
        value = self.text(name)
        return tuple(w for w in (w.strip() for w in value.split(",")) if w) if value else default

    def folder(self, name: str, default: Path) -> Path:
        """An absolute path; `~` is the user's home. The folder need not exist."""
        try:
            return Path(self.text(name, str(default))).expanduser().absolute()
        except RuntimeError as error:
            raise ImproperlyConfigured(f"{name} begins with an unknown user's home.") from error

    def folders(self, name: str) -> tuple[Path, ...]:
        """Absolute folders separated by ':', each of which must exist."""
        found = tuple(Path(part) for part in self.text(name).split(":") if part)
        for folder in found:
            if not (folder.is_absolute() and folder.is_dir()):
                message = f"{name} names {folder}, which is not an existing absolute folder."
                raise ImproperlyConfigured(message)
        return found

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        value = self.text(name, default)
        if value in choices:
            return value
        message = f"{name} is {value!r}; write one of: {', '.join(choices)}."
        raise ImproperlyConfigured(message)

    def refuse_unknown(self, prefix: str = "FOOTNOTE_") -> None:
        for name in sorted(self._source):
            if name.startswith(prefix) and name not in self.known:
                message = f"{name} is set, but there is no such setting. See README.md."
                raise ImproperlyConfigured(message)
