"""Does a value look random, or does it look like words, a path, a hash or a stand-in?"""

import math
import re
from collections import Counter
from itertools import pairwise

# Letter pairs that make up about two thirds of English text and of the names in code; in random
# letters they are one pair in six.
_PAIR_LIST = (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le "
    "ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec "
    "pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na "
    "ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab "
    "gh ty op wo sa ay ex ke ui ag ap up ue bu cl cr da do du ef eg ep ey gr ib if ob od ok "
    "ov pi qu ru sc sp sw ub uc ud um va vo ys"
)
_PAIRS = frozenset(_PAIR_LIST.split())
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
_CASE_TURN = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[0-9][A-Za-z]|[A-Za-z][0-9]")
_DIGIT = re.compile(r"[0-9]")
HEX = re.compile(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)")
UUID = re.compile(r"\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?")


# n * log2(n) for the counts that values of usual length have.
_WEIGHTS = tuple(n * math.log2(n) if n else 0.0 for n in range(4096))


def entropy(value: str) -> float:
    """Shannon entropy in bits a character; of a longer value, that of its beginning."""
    value = value[: len(_WEIGHTS) - 1]
    total = len(value)
    if not total:
        return 0.0
    return math.log2(total) - sum(map(_WEIGHTS.__getitem__, Counter(value).values())) / total


def floor_for(length: int) -> float:
    """About the 1 % quantile of the entropy of random base62 text of this length, less a little."""
    if length < 12:
        return math.log2(max(length, 2)) - 0.9
    return min(4.75, 0.944 * math.log2(length) - 0.009 * length - 0.25)


def word_share(value: str) -> float:
    """Share of letter pairs that are common in words, 0 to 1."""
    seen = common = 0
    for run in _LETTERS.findall(value):
        low = run.lower()
        seen += len(low) - 1
        common += sum(low[i : i + 2] in _PAIRS for i in range(len(low) - 1))
    return common / seen if seen else 0.0


def in_words(value: str) -> bool:
    """Most letters stand in word-like runs: `order_line_item_id`, `DropColumnStatement`."""
    inside = sum(len(run) for run in _WORD.findall(value))
    letters = sum(map(str.isalpha, value))
    if letters < 6:
        return False
    if inside < 0.45 * letters:
        return False
    return word_share(value) >= (0.52 if inside >= 0.6 * letters else 0.62)


def classes(value: str) -> int:
    """How many of lower case, upper case, digits and other characters occur."""
    return (
        (value != value.upper())
        + (value != value.lower())
        + (_DIGIT.search(value) is not None)
        + (not value.isalnum())
    )


def is_sequence(value: str) -> bool:
    """Holds ten characters in a row that count up, or six times the same character, or is made
    for the most part of such runs of four and more (`abcdefg12345-`)."""
    return _may_count(value) and _counts(value)


def _may_count(value: str) -> bool:
    """A run of four has three at a place divisible by two: only those are looked at."""
    codes = value.encode("ascii", "replace")
    for a, b, c in zip(codes[::2], codes[1::2], codes[2::2], strict=False):
        if b - a == c - b and 0 <= b - a <= 1:
            return True
    return False


def _counts(value: str) -> bool:
    ups = same = inside = 0
    for left, right in pairwise(value):
        step = ord(right) - ord(left)
        ups = ups + 1 if step == 1 else 0
        same = same + 1 if step == 0 else 0
        if ups >= 9 or same >= 5:
            return True
        # The fourth of a run brings the three before it.
        inside += 4 if 3 in (ups, same) else max(ups, same) > 3
    return inside * 2 >= len(value)


def is_random(value: str, *, minimum: int = 16) -> bool:
    """Mixed characters with high entropy and no words; hexadecimal is for `is_random_hex`."""
    core = value.rstrip("=")
    if len(value) < minimum or len(_CASE_TURN.findall(core)) * 12 < len(core):
        return False
    if HEX.fullmatch(value) or UUID.fullmatch(value) or classes(core) < 2:
        return False
    if entropy(core) < floor_for(len(core)) - 0.45:
        return False
    return not in_words(core) and not is_sequence(core)


def is_random_hex(value: str, *, minimum: int = 32) -> bool:
    body = value.removeprefix("0x")
    if len(body) < minimum or not HEX.fullmatch(value) or is_sequence(body):
        return False
    return entropy(body.lower()) >= 3.0 and any(map(str.isalpha, body))
