"""What stands between a name and its value, in configuration, code, markup and prose.

`gap` answers where the value begins. Its patterns are chosen by the first sign behind the name,
because most names in code are followed by none of them.
"""

import re

# What may end a name: its quote, plain or escaped or as an entity, brackets, bold type.
_CLOSE = r"(?:\\{0,3}[\"'`]|&quot;|&\#34;|\\u0022|\*\*)?[\]})]?\)?"
# What may begin a literal.
_QUOTE = r"(?:(?:@|[bBrRuUfF]{1,2}|[NL$])?(?:\\{0,3}[\"'`]){1,3}|&quot;|&\#34;|\\u0022)"
_MAYBE_QUOTE = rf"(?:{_QUOTE})?"
# `q(…)`, `%q{…}`, `[[…]]`, `<<"…">>`.
_BRACKET = r"(?:%?[qQ]{1,2}[({\[]|\[\[|<<[\"'])"
_VALUE_NAME = r"(?:\\?[\"'])?(?:[vV]alue|[dD]efault(?:Value)?|defaultvalue|content)(?:\\?[\"'])?"
_OPERATOR = r"(?:%3[Dd]|:=|:-?(?!:)|=>|->|<-|~>|\?\??=|\|\|=|[!=]={1,2}|=|\uff1a|\uff1d)"
# A function around the literal, with one argument before it at most.
_CALL = (
    r"(?:(?:\[\])?[\w.:]{1,40}!?\(\s{0,20}(?:[\"'][\w.-]{1,60}[\"']\s{0,2},\s{0,4}"
    r"|\w{1,20}\s?[=:]\s?)?){1,2}"
)
_NEXT_LINE = r"[^\S\n]{0,4}\r?\n\s{0,80}"

# name: value, name = "value", and what may stand around the value.
_ASSIGNED = rf"""
    {_CLOSE}\s{{0,4}}[:=]\s{{0,4}}\{{\s{{0,8}}
        (?:["']?\w{{1,20}}["']?\s?[:=]\s?["'][\w ]{{1,40}}["'],\s{{0,8}})?
        {_VALUE_NAME}\s{{0,4}}[:=]\s{{0,4}}{_MAYBE_QUOTE}                   # name: {{ value: ...
  | {_CLOSE}(?:\\[ ])?\s{{0,40}}{_OPERATOR}[ \t]{{0,40}}(?:
        (?:!!?\w{{1,20}}[ \t]{{1,4}}|&\w{{1,20}}[ \t]{{1,4}})
      | (?:[|>][0-9]?[+-]?[0-9]?)?{_NEXT_LINE}(?![\w."'-]{{1,60}}:)
      | \\{_NEXT_LINE}
      | \(\s{{0,80}}(?={_QUOTE})
      | \{{\s{{0,4}}(?={_QUOTE})
      | <\w{{1,20}}>\s?(?={_QUOTE})
      | (?:lambda|\(\))\s?(?::|=>|->)\s{{0,4}}(?={_QUOTE})
      | \$\{{\w{{1,40}}:-?
      | {_CALL}(?={_QUOTE})
      | (?:["']{{3}}){_NEXT_LINE}
      | {_BRACKET}
    )?{_MAYBE_QUOTE}
"""
_BY_SIGN_SOURCE = {
    ":=-!~%\uff1a\uff1d": rf"""
    \??:\s{{0,4}}[A-Za-z&][\w.<>\[\]|?&' ]{{0,40}}\s?=\s{{0,4}}(?:{_CALL})?{_QUOTE}
      # name: str = "...
  | {_ASSIGNED}
    """,
    "<": rf"""
    </\w{{1,20}}>\s{{0,40}}<\w{{1,20}}>  # <key>name</key><string>...
  | {_ASSIGNED}
    """,
    "?|": rf"""
    {_CLOSE}\s{{0,4}}(?:\|\||\?\?|\?:)\s{{0,4}}{_QUOTE}                     # env.NAME || "...
  | \?:\s{{0,4}}[A-Za-z&][\w.<>\[\]|?&' ]{{0,40}}\s?=\s{{0,4}}{_QUOTE}      # name?: string = "...
  | [`"']?\s{{0,20}}\|\s{{0,20}}`?                                        # | name | ... |
  | {_ASSIGNED}
    """,
    ",": rf"""
    {_CLOSE}\s{{0,4}},\s{{0,20}}{_VALUE_NAME}\s{{0,4}}[:=]\s{{0,4}}{_MAYBE_QUOTE}
  | \\{{0,3}}["'`]\s{{0,4}},\s{{0,8}}(?:{_CALL})?{_QUOTE}                    # 'name', '...
  | ,\s{{0,4}}\w{{1,20}}\s{{0,4}}:?=\s{{0,4}}{_QUOTE}                     # name, err := "...
    """,
    "{": rf"""
    ["']?[^\S\n]{{0,4}}\{{(?:[^\n{{}}]{{0,120}}\n){{1,4}}  # variable "x" {{ default =
        \s{{0,20}}(?:default|value)\s{{0,20}}=\s{{0,4}}["']
  | ["'`]\)\s{{0,4}}\{{\s{{0,4}}{_QUOTE}  # fetch("name") {{ "..." }}
  | \s?\{{[\s\w;]{{1,40}}\}}\s?=\s{{0,4}}{_QUOTE}                          # {{ get; set; }} = "...
  | \s?\{{{_QUOTE}                                                       # name{{"..."}}
    """,
    ">/": r"""
    \\?["']?\s{0,2}/?>\s{0,40}(?:<(?:value|string|val)>\s{0,40})?(?:<!\[CDATA\[)?  # <name>...
    """,
    "(": rf"\(\s{{0,4}}{_QUOTE}",                                           # setName("...
    ".)": rf"""
    {_CLOSE}\)?\s{{0,20}}\.\w{{0,20}}(?:[oO]r|[eE]lse|[dD]efault)\w{{0,20}}
        \((?:\|\w{{0,8}}\|\s?|\(?\w{{0,8}}\)?\s?[=-]>\s?)?{_QUOTE}            # .unwrap_or("...
    """,
    "[": rf"\[[\w +*]{{0,20}}\]\s{{0,4}}=\s{{0,4}}{_QUOTE}",                 # name[] = "...
}  # fmt: skip
# No sign: another word, the value itself, or a line that goes on.
_WORDS_SOURCE = rf"""
    ["'](?:\s{{1,8}}[\w:-]{{1,20}}\s?=\s?["'][^"'<>\n]{{0,60}}["']){{0,3}}
        \s{{1,20}}{_VALUE_NAME}\s{{0,2}}=\s{{0,2}}["']                     # name="x" value="...
  | ["']?\s{{0,4}}\r?\n\s{{0,20}}(?:-\s)?["']?(?:[vV]alue|[dD]efault)["']?
        \s{{0,20}}[:=]\s{{0,4}}["']?
  | {_CLOSE}\s{{0,4}}(?:or)\s{{0,4}}{_QUOTE}                               # env.NAME or "...
  | [`"']\s(?:to|is|as|with|=|set\sto|:)\s[`"']                           # `NAME` to `...`
  | \s{{1,4}}[aA]s\s{{1,4}}String\s{{0,4}}=\s{{0,4}}"                        # Name As String = "...
  | [ \t]{{1,40}}`[^`\n]{{0,80}}\b(?:\w{{0,12}}[dD]efault|value):{_QUOTE}
  | [ \t]{{1,40}}[A-Za-z*&][\w.<>\[\]*&:' ]{{0,30}}(?:\([\w, ]{{1,8}}\))?\s?(?:`[^`\n]{{0,80}}\b
        (?:\w{{0,12}}[dD]efault|value):|=\s{{0,4}}){_QUOTE}                 # name string = "...
  | [ \t]{{1,2}}(?:is|was|are|será|es|é|ist|est|lautet)[ \t:=]{{1,4}}{_MAYBE_QUOTE}  # in prose
  | [ \t]{{1,2}}to[ \t]{{1,4}}{_QUOTE}
  | ["']?\s{{1,4}}--?(?:value|body|secret-string|default)[ =]{_MAYBE_QUOTE}  # --name x --value ...
  | [ \t]{{1,40}}{_MAYBE_QUOTE}                                           # --name value
"""


def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(f"(?:{source})", re.VERBOSE | re.ASCII)


_BY_SIGN = {sign: _compiled(source) for signs, source in _BY_SIGN_SOURCE.items() for sign in signs}
_WORDS = _compiled(_WORDS_SOURCE)
_TO_SIGN = re.compile(rf"{_CLOSE}(?:\\ )?\s{{0,40}}", re.ASCII)


# The first literal on the rest of the line, with one short literal before it at most.
_FARTHER = re.compile(
    rf"{_CLOSE}[^\"'`\n;#]{{0,60}}?(?:[\"'][\w.-]{{1,40}}[\"'][^\"'`\n;#]{{0,40}}?)?{_QUOTE}"
    r"([^\s\"'`<>\\]{8,200})(?=\\?[\"'`])",
    re.ASCII,
)
ENTITIES = ("&quot;", "&#34;", "\\u0022")


def farther(text: str, end: int) -> re.Match[str] | None:
    """Group 1 is the literal that stands behind the name that ends at `end`."""
    return _FARTHER.match(text, end)


def gap(text: str, end: int) -> re.Match[str] | None:
    """What lies between the name that ends at `end` and its value."""
    to_sign = _TO_SIGN.match(text, end)
    at = to_sign.end() if to_sign else end
    pattern = _BY_SIGN.get(text[at : at + 1])
    found = pattern.match(text, end) if pattern else None
    return found or _WORDS.match(text, end)
