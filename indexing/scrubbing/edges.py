"""What may stand to the left and right of a value, shared by all patterns."""

# A word edge, or the end of an escape (\n, %3D, =, a terminal colour) that a word edge misses.
LEFT = (
    r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt\"'])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})"
    r"|(?<=\[[0-9]m)|(?<=\[[0-9]{2}m))"
)
# For values without a prefix of their own: no base64 character before it.
LEFT_BARE = r"(?:(?<![A-Za-z0-9+/_-])|(?<=\\[nrt])|(?<=:-))"
WORD_END = r"(?![A-Za-z0-9_])"
DASH_END = r"(?![A-Za-z0-9_-])"
BASE64_END = r"(?![A-Za-z0-9+/=_-])"
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
