from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import Environment


def env(**values: str) -> Environment:
    return Environment(values)


def refusal(call, *args, **kwargs) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        call(*args, **kwargs)
    return str(caught.value)


def test_text_takes_the_default_where_the_value_is_empty():
    assert env(FOOTNOTE_DATA="  ").text("FOOTNOTE_DATA", "./var") == "./var"


def test_text_loses_the_blanks_around_it():
    assert env(FOOTNOTE_BIND=" ::1\n").text("FOOTNOTE_BIND", "127.0.0.1") == "::1"


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("Off", False), ("", True)])
def test_flag_reads_words(value, expected):
    assert env(FOOTNOTE_HTTPS=value).flag("FOOTNOTE_HTTPS", default=True) is expected


def test_flag_refuses_other_words():
    message = refusal(env(FOOTNOTE_HTTPS="ja").flag, "FOOTNOTE_HTTPS", default=False)
    assert message == "FOOTNOTE_HTTPS is 'ja'; write one of: true, false."


@pytest.mark.parametrize("value", ["0", "65536", "-1", "8e3", "²", "0x50", "8_000"])
def test_number_refuses_what_is_no_number_or_out_of_range(value):
    message = refusal(env(FOOTNOTE_PORT=value).number, "FOOTNOTE_PORT", 8000, least=1, most=65535)
    assert message == f"FOOTNOTE_PORT is {value!r}; write a whole number from 1 to 65535."


def test_number_reads_a_number():
    assert env(FOOTNOTE_PORT="80").number("FOOTNOTE_PORT", 8000) == 80


def test_words_are_separated_by_commas():
    assert env(FOOTNOTE_HOSTS="a.example, b.example ,").words("FOOTNOTE_HOSTS") == (
        "a.example",
        "b.example",
    )


def test_words_take_the_default():
    assert env().words("FOOTNOTE_HOSTS", ("x",)) == ("x",)


def test_choice_refuses_another_word():
    message = refusal(env(MODEL="gpt").choice, "MODEL", "local", ("local", "none"))
    assert message == "MODEL is 'gpt'; write one of: local, none."


def test_folders_must_exist(tmp_path):
    message = refusal(env(ROOTS=f"{tmp_path}:/no/such").folders, "ROOTS")
    assert message == "ROOTS names /no/such, which is not an existing absolute folder."


def test_folders_must_be_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)
    message = refusal(env(ROOTS=tmp_path.name).folders, "ROOTS")
    assert message.endswith("which is not an existing absolute folder.")


def test_folder_knows_the_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert env(DATA="~/notes").folder("DATA", Path("/x")) == Path("/home/ada/notes")


def test_folder_of_an_unknown_user():
    message = refusal(env(DATA="~nosuchuser0/x").folder, "DATA", Path("/x"))
    assert message == "DATA begins with an unknown user's home."


def test_secret_from_a_file(tmp_path):
    (tmp_path / "key").write_text("s3cret\n")
    assert env(KEY_FILE=str(tmp_path / "key")).secret("KEY") == "s3cret"


def test_secret_file_that_is_missing_is_named_without_the_secret():
    assert refusal(env(KEY_FILE="/no/such").secret, "KEY") == (
        "KEY_FILE names /no/such, which cannot be read: No such file or directory."
    )


@pytest.mark.parametrize(("content", "reason"), [(b"\n", "is empty"), (b"\xff", "is not UTF-8")])
def test_secret_file_that_holds_none(tmp_path, content, reason):
    (tmp_path / "key").write_bytes(content)
    assert reason in refusal(env(KEY_FILE=str(tmp_path / "key")).secret, "KEY")


def test_secret_given_twice():
    message = refusal(env(KEY="a", KEY_FILE="/b").secret, "KEY")
    assert message == "KEY and KEY_FILE are both set; unset one of them."


def test_unknown_names_are_refused():
    source = env(FOOTNOTE_PORTS="1", FOOTNOTE_PORT="8000", OTHER="x")
    source.number("FOOTNOTE_PORT", 8000)
    message = refusal(source.refuse_unknown)
    assert message == "FOOTNOTE_PORTS is set, but there is no such setting. See README.md."


def test_both_names_of_a_secret_are_known(tmp_path):
    (tmp_path / "key").write_text("x")
    source = env(FOOTNOTE_KEY_FILE=str(tmp_path / "key"))
    source.secret("FOOTNOTE_KEY")
    source.refuse_unknown()
    assert source.known == {"FOOTNOTE_KEY", "FOOTNOTE_KEY_FILE"}
