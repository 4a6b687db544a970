"""Access tokens: unreadable at rest, readable with the key, a clear word without it."""

import pytest

from repos.tokens import TokenUnreadable, decrypt, derive_key, encrypt, rotate

OLD = derive_key("an old secret of some length")
NEW = derive_key("a newer secret of some length")
TOKEN = "ghp_exampleexampleexample"


def test_a_token_comes_back_as_it_was():
    assert decrypt(encrypt(TOKEN, [NEW]), [NEW]) == TOKEN


def test_what_is_stored_does_not_show_the_token():
    assert TOKEN.encode() not in encrypt(TOKEN, [NEW])


def test_the_same_token_is_never_stored_twice_alike():
    assert encrypt(TOKEN, [NEW]) != encrypt(TOKEN, [NEW])


def test_an_older_key_still_reads():
    assert decrypt(encrypt(TOKEN, [OLD]), [NEW, OLD]) == TOKEN


def test_rotation_moves_to_the_first_key():
    stored = rotate(encrypt(TOKEN, [OLD]), [NEW, OLD])
    assert decrypt(stored, [NEW]) == TOKEN


@pytest.mark.parametrize("action", [decrypt, rotate])
def test_a_key_that_no_longer_fits_is_named(action):
    with pytest.raises(TokenUnreadable, match="enter the token again"):
        action(encrypt(TOKEN, [OLD]), [NEW])


def test_tampering_is_noticed():
    stored = bytearray(encrypt(TOKEN, [NEW]))
    stored[20] ^= 1
    with pytest.raises(TokenUnreadable):
        decrypt(bytes(stored), [NEW])


def test_the_key_depends_on_the_whole_secret():
    assert derive_key("a secret of some length 1") != derive_key("a secret of some length 2")
    assert derive_key("a secret of some length 1") == derive_key("a secret of some length 1")


def test_short_secrets_are_refused():
    with pytest.raises(ValueError, match="16 characters"):
        derive_key("short")


def test_no_key_at_all_is_refused():
    with pytest.raises(ValueError, match="No key is configured"):
        encrypt(TOKEN, [])


def test_memoryviews_from_the_database_are_read():
    assert decrypt(memoryview(encrypt(TOKEN, [NEW])), [NEW]) == TOKEN  # type: ignore[arg-type]
