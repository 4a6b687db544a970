"""The shapes of values without a word of their own, found in one pass before any rule is tried."""

from indexing.scrubbing.prefilter import Prefilter, Trigger

_RUN = "[A-Za-z0-9+/_-]"
RUN_LEAST = 33
DISCORD_LENGTH = 24 + 1 + 6 + 1 + 27
AIRTABLE_LENGTH = 1 + 64
MAILGUN_LENGTH = 32 + 1 + 8 + 1 + 8


def joint(quote: str, same: str) -> str:
    """Two literals joined by an operator, `' + '`, over several lines as well; or by standing
    on two lines that follow each other, with the prefix that a literal may have."""
    return (
        rf"{quote}[ \t]{{0,8}}(?:\.concat\(|(?:\r?\n[ \t]{{0,80}})?(?:\+\+?|\.\.?|&|<>)"
        rf"[ \t]{{0,8}}(?:[\\_]?\r?\n[ \t]{{0,80}})?|\\?\r?\n[ \t]{{0,80}})[bBrRuUfFL]{{0,2}}{same}"
    )


# A literal that goes on behind the end of a line: a shell, C, JavaScript.
IN_LITERAL = "[A-Za-z0-9+/_=-]"
CONTINUED = r"\\\r?\n[ \t]{0,80}"


# By the name of the places that they give.
_EXPRESSIONS: tuple[tuple[str, str], ...] = (
    ("runs", rf"(?:\A|[^A-Za-z0-9+/_-]){_RUN}{{{RUN_LEAST}}}"),
    ("narrow", r"^ {0,8}[A-Za-z0-9+/]{16,32}\r?\n {0,8}[A-Za-z0-9+/]{16}"),
    ("discord", rf"{_RUN}{{24}}\.{_RUN}{{6}}\.{_RUN}{{27}}"),
    ("airtable", r"\.[0-9a-f]{64}"),
    ("mailgun", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    *(("joints", joint(quote, quote)) for quote in "\"'`"),
    ("joints", IN_LITERAL + CONTINUED + IN_LITERAL),
    ("phones", r"[2-9][0-8][0-9](?:\) ?|[-. ?])[2-9][0-9]{2}[-. ?][0-9]{4}"),
    ("phones", r"\+1[2-9][0-9]{9}"),
    ("bare_phones", r"(?:\A|[^0-9])1?[2-9][0-9]{9}(?:\Z|[^0-9])"),
    ("social", r"[0-9]{3}(?:-[0-9]{2}-| [0-9]{2} )[0-9]{4}"),
    ("cards", r"(?:\A|[^0-9])[2-6][0-9]{14,15}(?:\Z|[^0-9])"),
    ("cards", r"(?:\A|[^0-9])(?:4[0-9]{12}|3[0689][0-9]{12})(?:\Z|[^0-9])"),
    ("cards", r"3[0689][0-9]{2}(?: [0-9]{6} |-[0-9]{6}-)[0-9]{4}"),
    ("cards", r"[2-6][0-9]{3}(?:(?: [0-9]{4}){3}|(?:-[0-9]{4}){3})"),
    ("cards", r"3[47][0-9]{2}(?: [0-9]{6} |-[0-9]{6}-)[0-9]{5}"),
    ("ibans", r"(?:\A|[^A-Za-z0-9])[A-Z]{2}[0-9]{2}[ -]?[A-Z0-9]{4}[ -]?[A-Z0-9]{4}"),
)
# Two filters, because one with the runs in it is slower than both.
_FILTERS = tuple(
    (names, Prefilter([Trigger(expression) for name, expression in _EXPRESSIONS if name in names]))
    for names in (("runs",), tuple(name for name, _ in _EXPRESSIONS if name != "runs"))
)
# By shape, the offsets at which something of it ends, in order.
Places = dict[str, list[int]]


def places(raw: bytes) -> Places:
    """`raw` is the text with one byte a code point."""
    found: Places = {name: [] for name, _ in _EXPRESSIONS}
    for names, prefilter in _FILTERS:
        lists = [found[name] for name in names]
        for number, end in prefilter.hits(raw):
            lists[number].append(end)
    return found
