"""Guess the encoding of text that is not UTF-8 and does not say what it is.

The common ones are told apart by what their text looks like when decoded; charset-normalizer,
which is slow, is asked last and about a bounded sample only.
"""

import re
from collections.abc import Callable
from functools import partial

from charset_normalizer import from_bytes

MAX_SAMPLE = 64 * 1024
_SLOW_SAMPLE = 8 * 1024
_HIGH = re.compile(rb"[\x80-\xff]")


def detect_legacy(data: bytes) -> str | None:
    """Python's name of the encoding that fits the whole of `data`, or None."""
    sample = _telling_lines(data)
    for guess in (_japanese, _western, _korean, _chinese, _alphabetic, _by_statistics):
        encoding = guess(sample)
        if encoding is not None and _decodes(data, encoding):
            return encoding
    return None


def _telling_lines(data: bytes) -> bytes:
    """Lines with high bytes, up to MAX_SAMPLE: only they tell encodings apart."""
    lines = [line for line in data.split(b"\n") if _HIGH.search(line)]
    return b"\n".join(lines)[:MAX_SAMPLE]


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


_WORD = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0160-\u017e]+")
_LONE_WORDS = frozenset("àèéòóôÀÈÉÒÓÔªº")
_HIGH_CHAR = re.compile(r"[^\x00-\x7f]")
# Signs that Western text puts between letters: apostrophes, hyphens, dashes, soft hyphen, dot.
_INSIDE_WORDS = frozenset(
    "\u2018\u2019\u00ad\u2013\u2014\u00b7\u00b4\u2026\u2122\u00ae\u00a9\u00a0"
)
_MIN_WESTERN_SHARE = 0.75


def _western(sample: bytes) -> str | None:
    """Windows-1252, the superset of Latin-1, when most high bytes make sense in it.

    A single byte from 0x80-0x9f is no evidence: it may as well be a stray byte.
    """
    text = sample.decode("cp1252", "replace")
    total = len(_HIGH_CHAR.findall(text))
    good = _good_letters(text) + _good_signs(text)
    lone_control = len(_HIGH.findall(sample)) == 1 and re.search(rb"[\x80-\x9f]", sample)
    if lone_control or good < _MIN_WESTERN_SHARE * total:
        return None
    return "cp1252" if re.search(rb"[\x80-\x9f]", sample) else "iso8859-1"


def _good_letters(text: str) -> int:
    good = 0
    for word in _WORD.findall(text):
        high = len(_HIGH_CHAR.findall(word))
        plausible = word in _LONE_WORDS or (high <= 2 * (len(word) - high) and _cased(word))
        good += high if plausible else 0
    return good


def _cased(word: str) -> bool:
    """Not an accented capital after a small letter: that is the first byte of a cut sequence."""
    return not re.search(r"[a-z][\u00c0-\u00de]", word)


def _good_signs(text: str) -> int:
    good = 0
    for match in _HIGH_CHAR.finditer(text):
        sign = match[0]
        if sign.isalpha() or sign == "\ufffd":
            continue
        before, after = text[max(match.start() - 1, 0)], text[match.end() : match.end() + 1]
        inside = before.isalpha() and after.isalpha()
        good += not inside or sign in _INSIDE_WORDS
    return good


def _share(text: str, belongs: Callable[[str], bool]) -> float:
    high = _HIGH_CHAR.findall(text)
    return sum(map(belongs, high)) / len(high) if high else 0.0


def _is_kana(char: str) -> bool:
    return "\u3041" <= char <= "\u30fc"


def _is_japanese(char: str) -> bool:
    return (
        "\u3000" <= char <= "\u30fc" or "\u4e00" <= char <= "\u9fff" or "\uff01" <= char <= "\uff5e"
    )


def _is_hangul(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"


def _is_common_chinese(char: str, encoding: str, leads: range, trails: range) -> bool:
    """Ideographs ordered by use come first in GB 2312 and Big5; signs lie before them."""
    encoded = char.encode(encoding)
    return len(encoded) == 2 and encoded[0] in leads and encoded[1] in trails


def _japanese(sample: bytes) -> str | None:
    for encoding in ("euc_jp", "cp932"):
        text = _whole_characters(sample, encoding)
        if text and _share(text, _is_kana) > 0.2 and _share(text, _is_japanese) > 0.9:
            return encoding
    return None


def _korean(sample: bytes) -> str | None:
    text = _whole_characters(sample, "cp949")
    return "cp949" if text and _share(text, _is_hangul) > 0.85 else None


_CHINESE = (
    ("gb18030", range(0xA1, 0xD8), range(0xA1, 0xFF), 0.75),
    ("big5", range(0xA1, 0xC7), range(0x40, 0xFF), 0.85),
)


def _chinese(sample: bytes) -> str | None:
    for encoding, leads, trails, least in _CHINESE:
        text = _whole_characters(sample, encoding)
        known = partial(_is_common_chinese, encoding=encoding, leads=leads, trails=trails)
        if text and _share(text, known) > least:
            return encoding
    return None


def _whole_characters(sample: bytes, encoding: str) -> str | None:
    """None when it does not decode; the cut at the end of the sample is forgiven."""
    for cut in range(4):
        try:
            return sample[: len(sample) - cut].decode(encoding)
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 4:
                return None
    return None


_CYRILLIC = frozenset("оеаинтсрвлкмдпуяыьгзб")
_GREEK = frozenset("αοειντσηρκλπυμδςάόίέήύώθγω")
_HEBREW = frozenset("אבגדהוזחטיכךלמםנןסעפצקרשת")
_CENTRAL = frozenset("ąćęłńóśźżáčďéěíňřšťúůýžőűăâîäöüÓŚŻŁČŠŽ")
_TURKISH = frozenset("ığşöüçİŞâ")
_ALPHABETS = (
    ("koi8-r", _CYRILLIC),
    ("cp1251", _CYRILLIC),
    ("cp866", _CYRILLIC),
    ("iso8859-5", _CYRILLIC),
    ("mac_cyrillic", _CYRILLIC),
    ("cp1250", _CENTRAL),
    ("iso8859-2", _CENTRAL),
    ("cp1254", _TURKISH),
    ("cp1253", _GREEK),
    ("iso8859-7", _GREEK),
    ("cp1255", _HEBREW),
)
_MIN_LETTERS = 4


def _alphabetic(sample: bytes) -> str | None:
    """The encoding in which most high bytes are letters that its languages use often."""
    if len(_HIGH.findall(sample)) < _MIN_LETTERS:
        return None
    scores = {
        name: _share(sample.decode(name, "replace"), letters.__contains__)
        for name, letters in _ALPHABETS
    }
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > 0.6 else None


def _by_statistics(sample: bytes) -> str | None:
    if len(_HIGH.findall(sample)) < 8:
        return None  # too little to tell an encoding from a few stray bytes
    best = from_bytes(sample[:_SLOW_SAMPLE], steps=3, chunk_size=1_024).best()
    return None if best is None or best.encoding.startswith(("utf", "ascii")) else best.encoding
