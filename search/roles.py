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
    OLD_DOC = "old_doc"  # of a version that is kept beside the manual of today
    CHANGES = "changes"
    EXAMPLE = "example"
    BUILT = "built"  # made of the source beside it, and kept: bundles, single headers
    DATA = "data"  # configuration, manifests, lock files


WEIGHTS = {
    Role.SOURCE: 1.0,
    Role.TEST: 0.7,
    Role.FIXTURE: 0.5,
    Role.DOC: 0.6,
    Role.OLD_DOC: 0.4,
    Role.CHANGES: 0.4,
    Role.EXAMPLE: 0.6,
    Role.BUILT: 0.4,
    Role.DATA: 0.6,
}
NAMED_WORDS = 5  # up to here a query names things rather than asking about them


def _finder(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(pattern, re.VERBOSE | re.IGNORECASE).search


_TEST = _finder(
    r"""
    (?:^|/)(?:
        (?:unit|integration|e2e|acceptance|functional|smoke)?[-_]?(?:tests?|specs?)
        | __(?:tests|mocks|fixtures|snapshots)__ | e2e | cypress | fixtures? | golden | mocks
        | tests?[-_]?(?:data|cases?|suites?|utils?|helpers?|support|fixtures?|common|resources)
        | [\w.-]+[-_.]tests? | test[-_][\w.-]+
        | (?-i:[\w.+-]*[a-z0-9](?:UI)?(?:Tests?|TestFixtures|Specs))
    )/
    | ^testing/ | ^x?t/
    | (?:^|/)(?:test_[^/]*|conftest\.py|tests?\.\w+)$
    | [._-](?:tests?|specs?|test-d|bench|benchmark|cy|e2e)\.\w+$
    | [._-](?:bench|benchmark)$
    | (?-i:[a-z0-9](?:Tests?|TestCase|TestSuite|TestBase|Specs?|IT|Benchmark))\.\w+$
    | (?-i:[a-z0-9]Suite)\.scala$
    | \.(?:\w*test|phpt|bats|feature)$
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
# SECURITY.md and LICENSE-MIT are prose; Security.php and LicenseCheck.java are not.
_PROSE = _finder(
    r"""
    \.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|org|pod|rdoc|html?|aml|[1-9])$
    | (?:^|/)(?:readme|(?:un)?licen[cs]e|contributing|copying|notice|security|code_of_conduct)
        (?:[-_][^/.]*)?$
    | (?-i:(?:^|/)(?:README|LICEN[CS]E|COPYING|NOTICE)[-._][^/]*$)
    """
)
_DATA = _finder(
    r"""
    \.(?:ya?ml|json[c5]?|jsonl|toml|lock|ini|cfg|conf|config|xml|csv|tsv|svg|snap|properties|plist
        |env|sum|mod|po|pot|log|diff|patch|am|ac|m4|in|cmake|pro|api|service|resx|strings|xlf|arb
        |xib|storyboard|pbxproj|xcscheme|xcworkspacedata|xcconfig|xctestplan|xcprivacy|entitlements|neon
        |[cfv]sproj|vbproj|vcxproj|filters|slnx?|props|targets|ruleset|nuspec|asc|sig|pem|crt|cer
        |der|key|snk|jks|supp|gitkeep|keep)$
    | (?:^|/)(?:\.[^/]*|[^/.]*|dockerfile[^/]*)$
    """
)
_MANIFEST = _finder(r"(?:^|/)(?:cmakelists|(?:[\w-]+[-_])?requirements(?:[-_][\w-]+)?)\.txt$")
_QUERIES = _finder(r"\.(?:sql|graphql|html?|css)$")  # code, but data among tests
_EXAMPLE = _finder(
    r"""
    (?:^|/)(?:examples?|samples?|demos?|[\w-]*playgrounds?|benchmarks?|bench(?:es)?|jmh|sandbox
        |tutorials?|docs?[-_]src|[\w-]+\.docc|[\w.\ -]+[-_.\ ](?:examples?|samples|demos?))/
    | \.stories\.\w+$
    """
)
# A copy in one file holds every word of its source, and would stand before it. Only suffixes of the
# web: in other languages a folder `dist` is about distributions.
_BUILT = _finder(
    r"""
    (?:^|/)(?:dist|umd|priv/static)/(?:[^/]+/)*[^/]+\.(?:[cm]?[jt]sx?|css|html?)$
    | (?:^|/)(?:single[-_](?:include|header)|amalgamat(?:ed|ion))/ | [-_.]amalgamat(?:ed|ion)\.\w+$
    | [.-](?:bundle|umd|iife)\.[cm]?js$
    """
)
_MANUAL = _finder(r"(?:^|/)(?:docs?|documentation|website|man|wiki)/")
_VERSIONED = _finder(
    r"(?:^|/)(?:versioned[-_]docs/|(?:docs?|documentation|website|manual)/(?:[^/]+/)*"
    r"(?:version-)?v?\d+(?:\.(?:\d+|x))+(?:/|\.\w+$))"
)
# Code that generates manuals, or an application named like one, is not the manual.
_MANUAL_OF_CODE = _finder(r"^(?:[\w.@-]+/){0,2}(?:docs?|documentation|website)/")
_CODE_ROOT = _finder(r"(?:^|/)(?:src|lib|source|sources|app|pkg|internal|crates/\w+)/")
_PROGRAM = _finder(r"(?:^|/)(?:s?bin|exe|libexec|scripts?|tools|cmd)/[^/.]+$")
_TEMPLATE = _finder(r"\.html?$")


@lru_cache(maxsize=65_536)
def role_of(path: str) -> Role:
    manifest = bool(_MANIFEST(path))
    prose = bool(_PROSE(path)) and not manifest
    data = manifest or (bool(_DATA(path)) and not prose and not _PROGRAM(path))
    if (prose or "." not in path.rpartition("/")[2]) and _CHANGES(path):
        return Role.CHANGES
    if _BUILT(path):
        return Role.BUILT
    if _TEST(path):
        return Role.FIXTURE if prose or data or _QUERIES(path) else Role.TEST
    if _is_manual(path, code=not (prose or data)) or (prose and not _TEMPLATE(path)):
        return Role.OLD_DOC if _VERSIONED(path) else Role.DOC
    if _EXAMPLE(path):
        return Role.EXAMPLE
    return Role.DATA if data else Role.SOURCE


def _is_manual(path: str, *, code: bool) -> bool:
    found = _MANUAL_OF_CODE(path) if code else _MANUAL(path)
    return found is not None and not (code and _CODE_ROOT(path[: found.end()]))


_ASKED = {
    (Role.TEST, Role.FIXTURE): _finder(
        r"""
        \b(?:which|what|find|show|list|any|there)\ (?:\w+\ ){0,2}tests?\b
        | \btests?\ (?:for|of|that\ cover|cover|covering|exercising)\b
        | \b(?:is|are)\ (?:\w+\ ){0,3}tested\b
        """
    ),
    (Role.DOC, Role.OLD_DOC): _finder(r"\b(?:documentation|docs|readme|manual|documented)\b"),
    (Role.CHANGES,): _finder(r"\b(?:change\ ?log|release\ notes|which\ (?:release|version))\b"),
    (Role.EXAMPLE,): _finder(r"\bexamples?\ (?:of|for|that)\b"),
}
_NAMED = {
    (Role.TEST, Role.FIXTURE): _finder(r"\b(?:tests?|specs?|fixtures?)\b"),
    (Role.EXAMPLE,): _finder(r"\bexamples?\b"),
    (Role.BUILT,): _finder(r"\b(?:dist|bundles?|umd|amalgamation)\b"),
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
