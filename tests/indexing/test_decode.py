"""Encodings and lines: what is stored for the bytes of a file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.decode import Decoded, Undecodable, decode, line_count, split_lines


def test_plain_utf8_is_taken_as_it_is():
    assert decode("naïve = 'größe'\r\n".encode()) == Decoded("naïve = 'größe'\r\n", "utf-8")


def test_byte_order_mark_is_not_part_of_line_one():
    assert decode(b"\xef\xbb\xbfdef f(): pass\n").text == "def f(): pass\n"


def test_replacement_character_in_the_file_is_ordinary_text():
    assert decode("const MARK = '\ufffd';\n".encode()).replaced == 0


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_with_mark(encoding):
    data = "\ufeffclass Größe {}\r\n".encode(encoding)
    assert decode(data) == Decoded("class Größe {}\r\n", encoding)


def test_utf16_cut_in_the_middle_of_a_character_is_flagged():
    assert decode("\ufeffab".encode("utf-16-le")[:-1]).replaced == 1


def test_utf16_lone_surrogate_is_replaced():
    text = decode(b"\xff\xfea\x00\x00\xd8b\x00" + "plain text".encode("utf-16-le") * 9).text
    assert text.startswith("a\ufffdb")


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
def test_utf32_is_not_taken_for_utf16(encoding):
    with pytest.raises(Undecodable, match="UTF-32"):
        decode("\ufefftiny\n".encode(encoding))


def test_a_picture_that_begins_like_utf16_is_no_text():
    with pytest.raises(Undecodable, match="UTF-16"):
        decode(b"\xff\xfe" + bytes(range(1, 32)) * 40)


@pytest.mark.parametrize("stray", [b"\x80\xfe", b"\xff", b"\xe2\x82", b"\xc3", b"\x80"])
def test_stray_bytes_in_ascii_are_replaced_and_flagged(stray):
    decoded = decode(b"// from 5 " + stray + b" units\nfunc Clamp() {}\n")
    assert decoded.encoding == "utf-8"
    assert decoded.replaced >= 1
    assert split_lines(decoded.text)[1] == "func Clamp() {}"


def test_mostly_utf8_stays_utf8():
    decoded = decode("größe über café\n".encode() + b"x \xff y\n")
    assert (decoded.text, decoded.replaced) == ("größe über café\nx \ufffd y\n", 1)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("latin-1", "Wert ist größer als die Übergabe\n"),
        ("latin-1", "été à la forêt, où ça va\n"),
        ("latin-1", "# Copyright \u00a9 2003 Somebody\n"),
        ("cp1252", "Price: 5 € – “paid” by card\n"),
        ("cp1250", "# Zażółć gęślą jaźń, źródło łódź świętość\n"),
        ("cp1251", "# Это комментарий на русском языке\n"),
        ("koi8-r", "# Это комментарий на русском языке\n"),
        ("cp866", "# Это комментарий на русском языке\n"),
        ("cp1253", "# Αυτό είναι ένα σχόλιο στα ελληνικά\n"),
        ("cp1254", "# Bu Türkçe bir açıklamadır şöyle böyle ığüşöç\n"),
        ("shift_jis", 'puts("設定を保存しました"); // テスト\n'),
        ("shift_jis", "テスト\n"),
        ("euc_jp", "# 日本語のコメントです。テストを行う\n"),
        ("euc_kr", "# 한국어 주석입니다. 인코딩 감지를 시험합니다\n"),
        ("gb18030", "# 这是一个中文注释，用来测试编码的检测\n"),
        ("big5", "# 這是一個中文註釋，用來測試編碼的檢測\n"),
        ("iso2022_jp", "# 日本語のコメント\n"),
    ],
)
def test_legacy_encodings_are_recognised(encoding, text):
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.replaced) == (text, 0)


@pytest.mark.parametrize(
    "cookie",
    [
        "# -*- coding: koi8-r -*-",
        "# vim: set fileencoding=koi8-r :",
        '<?xml version="1.0" encoding="KOI8-R"?>',
        '@charset "x"; /* coding: koi8-r-unix */',
    ],
)
def test_declared_encoding_wins_over_guessing(cookie):
    text = f"{cookie}\nэю\n"
    assert decode(text.encode("koi8-r")).text == text


@pytest.mark.parametrize("cookie", ["rot13", "unicode_escape", "idna", "no-such-thing", "utf-7"])
def test_a_cookie_reaches_character_encodings_only(cookie):
    decoded = decode(f"# coding: {cookie}\n".encode() + b"\\x41 \xff\n")
    assert decoded.text == f"# coding: {cookie}\n\\x41 \ufffd\n"


def test_nul_is_replaced_and_counted():
    assert decode(b"a\x00b\n") == Decoded("a\ufffdb\n", "utf-8", 0, 1)


def test_bytes_that_are_no_text_are_refused_without_holding_them():
    with pytest.raises(Undecodable) as caught:
        decode(bytes(range(0x80, 0x100)) * 50)
    assert caught.value.__context__ is None


@given(st.binary(max_size=400))
def test_whatever_the_bytes_the_text_can_be_stored(data):
    try:
        text = decode(data).text
    except Undecodable:
        return
    assert "\x00" not in text
    text.encode("utf-8")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff\x1b")))
def test_every_utf8_text_comes_back(text):
    assert decode(text.encode()) == Decoded(text, "utf-8")


@pytest.mark.parametrize("mark", ["\f", "\v", "\x85", "\u2028", "\u2029", "\x1c", "\r"])
def test_only_lf_ends_a_line(mark):
    assert split_lines(f"a{mark}b\nc") == [f"a{mark}b", "c"]


def test_cr_lf_is_one_end_and_not_shown():
    assert split_lines("a\r\nb\r\n\r\n") == ["a", "b", ""]


@pytest.mark.parametrize(
    ("text", "lines"), [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\n\n", 2)]
)
def test_line_count_includes_a_last_line_without_end(text, lines):
    assert line_count(text) == lines


@given(st.text(alphabet="ab\r\n\f\u2028"))
def test_counting_and_splitting_agree(text):
    assert len(split_lines(text)) == line_count(text)
