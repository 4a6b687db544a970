"""What git printed, told as one of the codes and a plain sentence that holds no secret."""

import base64
import re
from urllib.parse import quote

from repos.gitprocess import Code, GitError, one_line

_ABSENT = (
    "There is no such repository on {host}. Check the address; "
    "a private repository needs an access token."
)
_CERTIFICATE = (
    "The certificate of {host} was not accepted. An administrator can name the file of the "
    "certificate authority that signed it."
)
_CUT_OFF = (
    "{host} cannot be reached: the connection was refused or broke off. "
    "Check host and port, and try again later."
)
_UNSAFE = (
    "The repository that {host} sent is damaged or unsafe and was not taken. Git said: {detail}"
)
_SIGN_IN_AGAIN = (
    "{host} refused the access token: it is wrong, has expired, or may not read this repository. "
    "Enter one that may."
)
_SIGN_IN = (
    "{host} asks for a sign-in: the repository is private or does not exist. "
    "Check the address, or give an access token."
)
# In this order: the first rule that fits decides. Phrases are git's and curl's in LC_ALL=C.
_RULES: tuple[tuple[Code, str, str], ...] = (
    (
        "unknown_host",
        r"could not resolve host",
        "The host {host} cannot be found. Check the spelling and the network.",
    ),
    (
        "no_such_ref",
        r"couldn't find remote ref|not our ref|unadvertised object",
        "There is no such branch, tag or commit on {host}. Check its name.",
    ),
    (
        "auth",
        r"could not read (username|password)|authentication failed|returned error: 40[13]",
        "{sign_in}",
    ),
    (
        "not_found",
        r"returned error: 4(04|10)|not valid: is this a git repository|repository .*not found",
        _ABSENT,
    ),
    (
        "refused",
        r"dumb http",
        "{host} offers the repository only over the old protocol that cannot fetch a part of it.",
    ),
    (
        "timeout",
        r"operation too slow|(operation|connection) timed out",
        "{host} did not answer in time. Try again later.",
    ),
    (
        "unreachable",
        r"failed to connect|couldn't connect|connection (refused|reset)|unreachable|no route",
        _CUT_OFF,
    ),
    ("unreachable", r"certificate|gnutls|openssl|ssl[_: ]|tls ", _CERTIFICATE),
    (
        "broken",
        r"no space left on device|disk quota exceeded",
        "The disk is full. Make room and try again.",
    ),
    ("broken", r"fsck error|error in object|bad object|index-pack (abnormal|failed)", _UNSAFE),
    (
        "unreachable",
        r"returned error: (5\d\d|429)|empty reply|early eof|rpc failed|hung up|disconnect|http/2",
        "{host} broke off or answered with an error of its own. Try again later.",
    ),
)
_QUOTED_URL = re.compile(r"'https://[^']*'|https://\S+")


def failure(err: str, host: str, token: str) -> GitError:
    """`err` is git's standard error; what the server said through it is not trusted."""
    own = "\n".join(line for line in re.split(r"[\r\n]+", err) if not line.startswith("remote:"))
    # A repository may be called "openssl" or "index-pack": its address proves nothing.
    text = _QUOTED_URL.sub("repository", scrub(own, token))
    detail = one_line(text)
    for code, phrases, message in _RULES:
        if re.search(phrases, text, re.IGNORECASE):
            sign_in = (_SIGN_IN_AGAIN if token else _SIGN_IN).format(host=host)
            return GitError(code, message.format(host=host, sign_in=sign_in, detail=detail))
    return GitError("broken", f"Git failed with {host}. Git said: {detail}")


def scrub(text: str, token: str) -> str:
    """The text without the token, as it is, in %-escapes or in base64 of a login."""
    if not token:
        return text
    text = re.sub(r"(?i)(authorization:\s*\w+\s+)\S+", r"\1***", text)
    encoded = base64.b64encode(token.encode()).decode()
    for form in (token, quote(token, safe=""), encoded):
        text = text.replace(form, "***")
    return text
