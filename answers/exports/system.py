"""Whether this host has the libraries that PDFs need."""

from ctypes.util import find_library
from functools import cache

LIBRARIES = ("pango-1.0", "pangoft2-1.0", "harfbuzz", "fontconfig", "gobject-2.0")


@cache
def has_pango() -> bool:
    return all(find_library(name) for name in LIBRARIES)
