"""What may stand to the left and right of a value, shared by all patterns."""

# The end of an escape is an edge that a look at the character before would miss: \n, \u003d,
# \x22, %3D and terminal colours.
_ESCAPED = (
    r"(?<=\\[nrt\"'])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\x[0-9A-Fa-f]{2})"
    r"|(?<=\[[0-9]m)|(?<=\[[0-9]{2}m)"
)


def left(characters: str) -> str:
    """None of the characters before the value, unless they belong to an escape."""
    return rf"(?:(?<![{characters}])|{_ESCAPED})"


LEFT = left("A-Za-z0-9_")
# For values without a prefix of their own: no base64 character before it, save in `${NAME:-`.
LEFT_BARE = rf"(?:(?<![A-Za-z0-9+/_-])|(?<=:-)|{_ESCAPED})"
WORD_END = r"(?![A-Za-z0-9_])"
DASH_END = r"(?![A-Za-z0-9_-])"
BASE64_END = r"(?![A-Za-z0-9+/=_-])"
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
