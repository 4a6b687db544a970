"""The words and marks of SQL that matter for where a definition begins and ends."""

import re
from functools import cache

DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)", re.IGNORECASE | re.MULTILINE)
MAX_DELIMITERS = 4

COMMENT = r"(?P<comment>--[^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
# A lone backslash in quotes is a whole string in most dialects (ESCAPE '\').
STRING = r"(?P<string>'\\'(?!')|'(?:[^'\\]|\\[\s\S])*'|\"[^\"\n]*\"|`[^`\n]*`)"
DOLLAR = r"(?P<dollar>(?<![\w$])(?P<tag>\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?(?:(?P=tag)|\Z))"
BATCH = r"(?P<batch>^[ \t]*(?:GO(?:[ \t]+\d+)?|/)[ \t]*\r?$)"
COMMAND = r"(?P<command>^[ \t]*DELIMITER[ \t]+\S+)"
END = r"(?P<end>\bEND\b(?:[ \t]+(?:IF|LOOP|WHILE|REPEAT|FOR|CASE)\b)?)"
WORD = r"(?P<word>\b(?:CREATE|BEGIN|CASE|AS|IS)\b)"
OPEN = r"(?P<open>\()"


@cache
def tokens(delimiters: tuple[str, ...]) -> re.Pattern[str]:
    """With `DELIMITER` commands in a file, `$$` is a delimiter and not a quote."""
    stops = "|".join(re.escape(one) for one in (*delimiters, ";"))
    quotes = [] if delimiters else [DOLLAR]
    parts = [COMMENT, STRING, *quotes, BATCH, COMMAND, END, WORD, OPEN, f"(?P<stop>{stops})"]
    return re.compile("|".join(parts), re.IGNORECASE | re.MULTILINE)


def delimiters_of(text: str) -> tuple[str, ...]:
    found = (match[1] for match in DELIMITER.finditer(text))
    return tuple(dict.fromkeys(one for one in found if one != ";"))[:MAX_DELIMITERS]


NAME_PART = r"(?:\"(?:[^\"\n]|\"\")+\"|`[^`\n]+`|\[[^\]\n]+\]|[\w$#@{}]+)"
PART = re.compile(NAME_PART)
OBJECT = re.compile(
    rf"""CREATE(?:\s+OR\s+(?:REPLACE|ALTER|REFRESH))?
    (?:\s+(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|EXTERNAL|FOREIGN|MATERIALIZED|RECURSIVE|SECURE
      |TRANSIENT|VIRTUAL|EDITIONABLE|NONEDITIONABLE|CONSTRAINT|EVENT(?=\s+T)
      |AGGREGATE(?=\s+FUNCTION)|FORCE|VOLATILE|MULTISET|SET|LIVE|STREAMING|PRIVATE|PUBLIC|HYBRID
      |DYNAMIC|EDITIONING|SNAPSHOT|READABLE|WRITABLE|WEB|INTERACTIVE|NO(?=\s+FORCE)|READ\s+ONLY|PARTITION
      |ICEBERG|SHARED|IF\s+NOT\s+EXISTS|(?:DEFINER|ALGORITHM)\s*=\s*\S+(?=\s)
      |SQL\s+SECURITY\s+\w+)(?!\w))*
    \s+(?P<kind>TABLE\s+FUNCTION|TABLE|VIEW|FUNCTION|PROCEDURE|PROC|AGGREGATE|MACRO|TRIGGER|TYPE
      |DOMAIN|PACKAGE|SCHEMA)\b(?P<body>\s+BODY\b)?
    (?:\s+(?:CONCURRENTLY|IF\s+NOT\s+EXISTS)\b)*
    \s+(?!AUTHORIZATION\b)(?P<name>{NAME_PART}(?:\s*\.\s*{NAME_PART}){{0,4}})""",
    re.IGNORECASE | re.VERBOSE,
)
# What a procedural body goes on with after its declarations.
GOES_ON = re.compile(r"\b(?:CREATE|BEGIN(?!\s*(?:;|TRAN|WORK)))\b", re.IGNORECASE)
TRANSACTION = re.compile(r"\s*(?:TRAN|WORK\b)", re.IGNORECASE)


def name_parts(written: str) -> list[str]:
    """The parts of a dotted name without their quotes."""
    parts: list[str] = []
    for part in PART.findall(written):
        bare = part.strip('"`[]').replace('""', '"')
        parts += bare.split(".") if part[0] == "`" else [bare]
    return [part for part in parts if part] or [written]
