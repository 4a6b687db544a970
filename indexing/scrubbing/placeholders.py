"""Values that stand where a secret would stand: stand-ins, references, marks."""

import re

from indexing.scrubbing.marks import is_mark
from indexing.scrubbing.randomness import is_sequence

_REFERENCE = re.compile(
    r"\$[A-Za-z_]\w*(?:(?:->|::|[\[./:-]).*)?|\$[({].*|.*\$\{[A-Za-z_].*|\{\{.*|.*\{\{.*\}\}.*|\{%.*|<[^<>]{1,80}>|%[A-Za-z_][\w.]*%"
    r"|#\{.*|@\w+@|\{[\w.!:]*\}|%\(?\w*\)?s?|(?:%(?:\[[0-9]\])?[0-9A-Za-z]){1,4}|\[[^\]]{0,60}\]|\.\.\..*|.*\.\.\.|&[a-z]+;|__[A-Za-z_]+__"
    r"|.*\{[A-Za-z_][\w.]{0,60}\}.*",
    re.ASCII | re.DOTALL,
)
# The whole value (in lower case, joining characters dropped) is one of these.
_WORDS_LIST = (
    "password passwd pass passphrase pwd pw secret token key apikey changeme changeit "
    "changethis change default example sample dummy test testing tests fake foo bar baz "
    "foobar qux none null nil undefined true false todo fixme tbd xxx yyy zzz abc abcd "
    "abc123 123 1234 12345 123456 1234567 12345678 123456789 qwerty letmein admin "
    "administrator root user username guest postgres mysql redis rabbitmq mongo minio "
    "myuser mypass mypassword mysecret mytoken mykey hunter2 secretpassword supersecret "
    "topsecret placeholder redacted removed hidden masked replaceme insert enter string "
    "empty unset required optional wrong right invalid valid bad good expired correct "
    "incorrect hello world demo local localhost development dev prod staging private public "
    "name value host port login p4ssw0rd passw0rd password1 password123 pass123 test123 "
    "testpass testpassword testsecret testtoken testkey user1 usr pwd123 secret123 donotuse "
    "notasecret notarealsecret notreal somepassword sometoken somesecret somekey "
    "thepassword yourpassword yoursecret yourtoken yourkey yourapikey swordfish opensesame"
)
_WORDS = frozenset(_WORDS_LIST.split())
# `p4$$w0rd` is the word it is read as.
_DISGUISED = str.maketrans("043$@", "oaesa")
_PHRASE = re.compile(
    r"(?:^|[-_. <\[{(])(your|my|insert|enter|replace|change|put|add|the|some|any|fake"
    r"|dummy|sample|example|placeholder|redacted|not[-_ ]?a?[-_ ]?real|goes[-_ ]?here|here"
    r"|todo|xxx+|test)"
    r"(?:$|[-_. >\]})])",
    re.IGNORECASE,
)
# Nothing but such words, however many: `secret-value`, `mysuperlongsecret`, `user_password`.
_MADE_OF_WORDS = re.compile(
    r"(?:my|your|the|some|super|very|long|strong|secure|random|new|old|default|test|demo|sample|example"
    r"|dummy|fake|password|passwd|passphrase|pass|pwd|secret|token|key|api|auth|access|value|user|admin"
    r"|root|client|server|database|db|app|data|goes|here|please|change|me|with|real|invalid|wrong|foo"
    r"|bar|baz)+[0-9]{0,3}"
)
_LOUD = re.compile(
    r"example|placeholder|changeme|change[-_]me|redacted|xxxxxx|your[-_]", re.IGNORECASE
)
_COUNTED = re.compile(r"(?:0?123456789|12345678|1234567|123456|12345|1234)0?$")
_YOURS = re.compile(r"your[A-Z]")
_JOINS = re.compile(r"[-_. !?]+")


def is_reference(value: str) -> bool:
    """`${TOKEN}`, `$TOKEN`, `{{ token }}`, `<token>`, `%TOKEN%`, `#{token}`, `...`."""
    return _REFERENCE.fullmatch(value) is not None


def is_stand_in(value: str) -> bool:
    """A reference, a mark of ours, one repeated character or a documented example word."""
    if is_mark(value) or is_reference(value) or len(set(value)) <= 2:
        return True
    low = value.lower()
    plain = _JOINS.sub("", low)
    if (
        plain in _WORDS
        or _MADE_OF_WORDS.fullmatch(_COUNTED.sub("", plain))
        or plain.translate(_DISGUISED) in _WORDS
        or _LOUD.search(low)
        or _YOURS.match(value)
    ):
        return True
    found = _PHRASE.search(value)
    return found is not None and _is_written(found[1]) and not _dense(value)


def is_documented(value: str) -> bool:
    """A published format filled with an example: EXAMPLE, xxxxxx, 00000, counted characters."""
    body = value[4:]
    if len(body) >= 8 and len(set(body.lower())) <= 4:
        return True
    return _LOUD.search(value) is not None or (is_sequence(body) and not value.startswith("AAAA"))


def _is_written(word: str) -> bool:
    """In one case, or as a name begins: chance writes `PUt`."""
    return word in (word.lower(), word.upper(), word.capitalize())


def _dense(value: str) -> bool:
    """Digits between letters: random text that holds a stand-in word by chance."""
    return len(re.findall(r"[A-Za-z][0-9]|[0-9][A-Za-z]", value)) >= 4
