"""What a description of a change says of the change rather than of the code. Pure.

"fix(http): remove stale sockets" is about stale sockets in http: "fix" and "remove" stand in files
everywhere, above all in change logs. Measured in docs/benchmarks-retrieval.md.
"""

import re

from indexing.terms import tokenize

LEAST_WORDS = 4  # with the verb; less may be a name in words ("update user profile")

# `http: `, `feat(client)!: `; what stands before the colon may be a place and stays.
_PREFIX = re.compile(r"([\w./*-]+)(?:\([^)]*\))?!?:\s+(?=\S)")


def _stems(words: str) -> frozenset[str]:
    return frozenset(term for word in words.split() for term in tokenize(word))


_KINDS = _stems(
    "fix feat feature chore refactor perf doc docs test tests build ci style bugfix hotfix"
    " improvement"
)
_VERBS = _stems("""
    add allow avoid change clean cleanup convert correct delete disable drop enable ensure fix
    handle implement improve introduce make move prevent refactor remove rename replace simplify
    support update use
""")


def words_of_change(text: str) -> frozenset[str]:
    """The terms of the kind of change and of the verb it begins with, unless said once more."""
    prefix = _PREFIX.match(text)
    kind = frozenset(tokenize(prefix[1])) & _KINDS if prefix else frozenset()
    words = text[prefix.end() if prefix else 0 :].split()
    verb = frozenset(tokenize(words[0])) if len(words) >= LEAST_WORDS else frozenset()
    verb = verb if verb <= _VERBS else frozenset()
    said = tokenize(" ".join(words[1:] if verb else words))
    return (kind | verb).difference(said)
