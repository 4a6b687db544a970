"""What a file is for, told from its path, and what that makes its evidence worth. Pure.

Tests, manuals and change logs repeat the words of the code they are about, and would stand
before it. They count less, unless the question asks for them. Measured in
docs/benchmarks-retrieval.md: of all that was tried, this gave most.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    SOURCE = "source"
    TEST = "test"
    FIXTURE = "fixture"  # what tests read: data and prose among tests
    DOC = "doc"
    CHANGES = "changes"
    EXAMPLE = "example"
    DATA = "data"  # configuration, manifests, lock files


WEIGHTS = {
    Role.SOURCE: 1.0,
    Role.TEST: 0.7,
    Role.FIXTURE: 0.5,
    Role.DOC: 0.6,
    Role.CHANGES: 0.4,
    Role.EXAMPLE: 0.6,
    Role.DATA: 0.6,
}
NAMED_WORDS = 5  # up to here a query names things rather than asking about them


def _finder(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(pattern, re.VERBOSE | re.IGNORECASE).search


_TEST = _finder(
    r"""
    (?:^|/)(?:
        (?:unit|integration|e2e|acceptance|functional)?[-_]?(?:tests?|specs?)
        | __(?:tests|mocks|fixtures|snapshots)__ | e2e | fixtures? | golden | test-?data
        | [\w.-]+[-_.]tests? | test[-_][\w.-]+
    )/
    | ^testing/
    | (?:^|/)(?:test_[^/]*|conftest\.py|tests?\.\w+)$
    | [._-](?:tests?|specs?|test-d|bench|benchmark)\.\w+$
    | (?-i:[a-z0-9](?:Tests?|TestCase|Specs?|IT|Benchmark))\.\w+$
    """
)
_CHANGES = _finder(
    r"""
    (?:^|/)(?:changes|change[-_]?log|history|news|release[-_]?notes|what'?s[-_]?new|authors
        |contributors)(?:[-_.][^/]*)?$
    | (?:^|/)(?:change[-_]?logs?|changes|\.?changesets?|announce|release[-_]?notes|releases|news
        |newsfragments|whats-?new)/
    """
)
_PROSE = _finder(
    r"""
    \.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|org|pod|rdoc|html?)$
    | (?:^|/)(?:readme|licen[cs]e|contributing|copying|notice|security|code_of_conduct)[^/]*$
    """
)
_DATA = _finder(
    r"""
    \.(?:ya?ml|json[c5]?|jsonl|toml|lock|ini|cfg|conf|xml|csv|tsv|svg|snap|properties|plist|env
        |sum|mod|po|pot)$
    | (?:^|/)(?:\.[^/]*|[^/.]*|dockerfile[^/]*)$
    """
)
_QUERIES = _finder(r"\.(?:sql|graphql|html?|css)$")  # code, but data among tests
_EXAMPLE = _finder(
    r"(?:^|/)(?:examples?|samples?|demos?|[\w-]*playgrounds?|benchmarks?|bench|sandbox)/"
)
_MANUAL = _finder(r"(?:^|/)(?:docs?|documentation|website|man|wiki)/")
_TEMPLATE = _finder(r"\.html?$")


@lru_cache(maxsize=65_536)
def role_of(path: str) -> Role:
    prose = bool(_PROSE(path))
    data = bool(_DATA(path))
    if (prose or "." not in path.rpartition("/")[2]) and _CHANGES(path):
        return Role.CHANGES
    if _TEST(path):
        return Role.FIXTURE if prose or data or _QUERIES(path) else Role.TEST
    if _MANUAL(path) or (prose and not _TEMPLATE(path)):
        return Role.DOC
    if _EXAMPLE(path):
        return Role.EXAMPLE
    return Role.DATA if data else Role.SOURCE


_ASKED = {
    (Role.TEST, Role.FIXTURE): _finder(
        r"""
        \b(?:which|what|find|show|list|any|there)\ (?:\w+\ ){0,2}tests?\b
        | \btests?\ (?:for|of|that\ cover|cover|covering|exercising)\b
        | \b(?:is|are)\ (?:\w+\ ){0,3}tested\b
        """
    ),
    (Role.DOC,): _finder(r"\b(?:documentation|docs|readme|manual|documented)\b"),
    (Role.CHANGES,): _finder(r"\b(?:change\ ?log|release\ notes|which\ (?:release|version))\b"),
    (Role.EXAMPLE,): _finder(r"\bexamples?\ (?:of|for|that)\b"),
}
_NAMED = {
    (Role.TEST, Role.FIXTURE): _finder(r"\b(?:tests?|specs?|fixtures?)\b"),
    (Role.EXAMPLE,): _finder(r"\bexamples?\b"),
    (Role.DATA,): _finder(r"\b(?:ya?ml|json|toml|ini|config|workflow|makefile|dockerfile)\b"),
}


def asked_roles(words: str) -> frozenset[Role]:
    """The roles that a query asks for; in a few words it is enough to name one."""
    finders = [*_ASKED.items()]
    if len(words.split()) <= NAMED_WORDS:
        finders += _NAMED.items()
    return frozenset(role for roles, finds in finders if finds(words) for role in roles)


def weight_of(path: str, asked: frozenset[Role]) -> float:
    role = role_of(path)
    return 1.0 if role in asked else WEIGHTS[role]
