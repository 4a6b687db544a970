"""Which characters of a text no font of this host has: said in the document, not left as boxes."""

import shutil
import subprocess
import unicodedata
from collections.abc import Iterable

LAST_LATIN = 0x2FF  # what every font has
ASKED = 24  # scripts, each by one character: a look takes some milliseconds
SECONDS = 10
FONT_PACKAGES = "fonts-dejavu-core fonts-wqy-microhei fonts-noto-color-emoji"


def missing(text: str) -> list[str]:
    """The first character of each script (block of 256) that has no font; [] where fc-list is
    missing too."""
    if shutil.which("fc-list") is None:
        return []
    return [one for one in _samples(text)[:ASKED] if not _has_font(one)]


def _samples(text: Iterable[str]) -> list[str]:
    found: dict[int, str] = {}
    for char in sorted(set(text)):
        if ord(char) > LAST_LATIN and unicodedata.category(char)[0] in "LNPS":
            found.setdefault(ord(char) >> 8, char)
    return list(found.values())


def _has_font(char: str) -> bool:
    # Emoji and CJK fonts are asked for by what they draw, never by name.
    found = subprocess.run(
        ["fc-list", f":charset={ord(char):x}", "family"],
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    return bool(found.stdout.strip())


def named(chars: Iterable[str]) -> str:
    """`U+6F22, U+1F680`: as the characters themselves would not show."""
    return ", ".join(f"U+{ord(char):04X}" for char in chars)
