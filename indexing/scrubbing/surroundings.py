"""Where a value stands: in a test, fixture or mock path; inside a string literal."""

import re

_TEST_PATH = re.compile(
    r"(?:^|/)(?:tests?|__tests?__|testing|test[-_]?data|specs?|fixtures?|__fixtures__|mocks?|__mocks__"
    r"|e2e|stubs?|fakes?|golden|testlib|[\w.-]*[-_.](?:tests?|spec))/"
    r"|(?:^|/)(?:tests?\.[A-Za-z]+|test_[^/]*|conftest\.py|[^/]*(?:_test|_tests|_spec|[.-](?:test|spec|mock|fixture|stories))"
    r"(?:\.[A-Za-z0-9]+)?|[^/]*[a-z0-9](?:Tests?|Spec|Mock|Fixture)\.[A-Za-z]+)$"
)
_QUOTES = "\"'`"
_REACH = 500


def is_test_path(path: str) -> bool:
    return _TEST_PATH.search(path) is not None


def in_string(text: str, start: int, end: int) -> bool:
    """A quote at one of its ends, or a string left open on the line before it."""
    if text[start - 1 : start] in tuple(_QUOTES) or text[end : end + 1] in tuple(_QUOTES):
        return True
    line = text[max(text.rfind("\n", max(0, start - _REACH), start) + 1, start - _REACH, 0) : start]
    return any(line.count(quote) % 2 for quote in _QUOTES)
