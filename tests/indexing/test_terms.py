import base64
import re
from struct import unpack_from

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.records import ChunkTerms
from indexing.terms import (
    MAX_TERM,
    chunk_terms,
    guess_language,
    parts,
    query_terms,
    raw_words,
    tokenize,
)


def terms_of(**changed: str) -> ChunkTerms:
    return chunk_terms(**{"path": "", "symbol": "", "doc": "", "body": "", **changed})


def written(vector: bytes) -> str:
    """What COPY sends, in the text form of a tsvector; read to its last byte."""
    (count,), at, lexemes = unpack_from(">i", vector), 4, []
    for _ in range(count):
        end = vector.index(b"\0", at)
        (places,) = unpack_from(">H", vector, end + 1)
        positions = unpack_from(f">{places}H", vector, end + 3)
        shown = ",".join(
            f"{place & 0x3FFF}{'DCBA'[place >> 14]}".rstrip("D") for place in positions
        )
        lexemes.append(f"'{vector[at:end].decode()}':{shown}")
        at = end + 3 + 2 * places
    assert at == len(vector)
    return " ".join(lexemes)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("getUserById", ["get", "user", "by", "id", "getuserbyid"]),
        ("get_user_by_id", ["get", "user", "by", "id", "getuserbyid"]),
        ("get-user-by-id", ["get", "user", "by", "id", "getuserbyid"]),
        ("GET_USER_BY_ID", ["get", "user", "by", "id", "getuserbyid"]),
        ("HTTPServerError", ["http", "server", "error", "httpservererror"]),
        ("parseURLs", ["pars", "url", "parseurl"]),
        ("__init__", ["init"]),
        ("user", ["user"]),
        ("foo.bar()", ["foo", "bar"]),
    ],
)
def test_identifier_gives_parts_and_whole(text, terms):
    assert tokenize(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("sha256", ["sha256", "sha", "256"]),
        ("utf8Decoder", ["utf8", "utf", "decod", "utf8decod"]),
        ("E1120", ["e1120", "1120"]),
        ("x2", ["x2"]),
        ("v1.2.3", ["1.2.3"]),
        ("Python 3.11", ["python", "3.11"]),
        ("port 8080", ["port", "8080"]),
        ("12345678901", []),
    ],
)
def test_numbers_codes_and_versions(text, terms):
    assert tokenize(text) == terms


@pytest.mark.parametrize("question", ["getUserById", "get_user_by_id", "get user by id", "user id"])
def test_every_spelling_finds_the_same_identifier(question):
    for indexed in ("getUserById", "get_user_by_id", "get-user-by-id"):
        assert {"user", "id"} <= set(query_terms(question)) & set(tokenize(indexed))


def test_whole_identifier_is_found_in_lower_case():
    assert set(query_terms("getusersbyid")) <= set(tokenize("getUsersById"))
    assert set(query_terms("httpservers")) <= set(tokenize("HTTPServers"))


def test_parts_are_stemmed():
    assert tokenize("running tests") == ["run", "test"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Crème brûlée", tokenize("creme brulee")),
        ("cafe\u0301", ["cafe"]),
        ("Ｆｕｌｌ", ["full"]),
        ("Straße", ["strass"]),
        ("Привет", ["привет"]),
        ("हिन्दी", ["हिन्दी"]),
    ],
)
def test_accents_and_forms_are_folded(text, terms):
    assert tokenize(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("設定を読む", ["設定", "定を", "を読", "読む"]),
        ("获取User数据", ["获取", "user", "数据"]),
        ("사용자", ["사용", "용자"]),
        ("が", ["が"]),
        ("猫", ["猫"]),
    ],
)
def test_text_without_spaces_gives_bigrams(text, terms):
    assert tokenize(text) == terms


def test_bigrams_of_a_question_are_those_of_a_longer_text():
    assert set(query_terms("設定")) <= set(tokenize("設定を読む" * 100))


@pytest.mark.parametrize(
    "word",
    ["5d41402abc4b2a76b9719d911017c592", "550e8400-e29b-41d4-a716-446655440000"],
)
def test_hashes_stay_whole(word):
    assert tokenize(word) == [word.replace("-", "")]


def test_base64_gives_no_fragments():
    blob = base64.b64encode(bytes(range(5, 128, 7))).decode().rstrip("=")
    assert tokenize(blob) == [blob.lower()]
    assert tokenize(blob * 4) == []
    assert tokenize("word" * 100) == []


def test_long_identifier_keeps_parts_and_a_cut_whole():
    name = "test_" + "_".join(["alpha", "beta"] * 7)
    assert len(name) > MAX_TERM
    assert tokenize(name)[:3] == ["test", "alpha", "beta"]
    assert tokenize(name)[-1] == name.replace("_", "")[:MAX_TERM]


def test_words_and_parts_keep_their_spelling():
    assert raw_words("x = loadUsers(é)") == ["x", "loadUsers", "e"]
    assert parts("loadUsers") == ["load", "users"]


def test_question_leaves_stop_and_question_words_out():
    assert query_terms("Where does the loader read it?") == ["loader", "read", "loaderread"]


def test_question_of_stop_words_only_keeps_them():
    assert query_terms("what is this") == ["what", "is", "this"]


def test_question_repeats_what_it_says_twice():
    assert query_terms("cache, and the Cache").count("cach") == 2


def test_words_side_by_side_ask_for_their_identifier():
    assert query_terms("the json provider") == ["json", "provid", "jsonprovid"]
    assert set(query_terms("json provider")) <= set(tokenize("JSONProvider"))


def test_stop_words_between_do_not_make_identifiers():
    assert query_terms("read from file") == ["read", "file"]


def test_empty_and_symbol_only_questions_have_no_terms():
    assert query_terms("") == query_terms("?! -- _ %") == []


def test_portuguese_question_drops_its_own_stop_words():
    terms = query_terms("Onde fica a função de configuração?", language="pt")
    assert terms == ["funcao", "configuracao", "funca", "configur"]


def test_portuguese_words_meet_in_their_stem():
    comment = terms_of(body="# validações que não são feitas para o usuário")
    assert "valid" in comment.terms
    assert "valid" in query_terms("onde está a validação", language="pt")


def test_english_chunks_get_no_portuguese_stems():
    assert terms_of(body="validations for the user").terms == ("valid", "for", "the", "user")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Onde fica a função que valida o token?", "pt"),
        ("Como o servidor lida com erros", "pt"),
        ("quais testes cobrem a sessao", "pt"),
        ("Where is the token validated?", "en"),
        ("parse_config", "en"),
        ("What does `como` mean in the os module?", "en"),
        ("", "en"),
    ],
)
def test_language_is_guessed_from_function_words(text, language):
    assert guess_language(text) == language


def test_weights_are_a_for_names_b_for_doc_d_for_body():
    terms = terms_of(path="shop/cart.py", symbol="Cart", doc="Adds tax", body="tax tax item")
    assert written(terms.vector) == "'shop':1A 'cart':1A,2A 'py':1A 'add':1B 'tax':1B,2,3 'item':1"
    assert terms.terms == ("shop", "cart", "py", "add", "tax", "item")
    assert terms.length == 9


def test_frequency_stops_at_what_postgres_keeps():
    terms = terms_of(symbol="loop", body="loop " * 20_000)
    positions = written(terms.vector).removeprefix("'loop':").split(",")
    assert positions[0] == "1A"
    assert positions[-1] == "255"
    assert len(positions) == 255
    assert terms.length == 20_001


def test_huge_line_stays_below_the_size_of_a_tsvector():
    line = " ".join(chr(0x4E00 + n % 9000) + chr(0x4E00 + n * 7 % 8999) for n in range(120_000))
    terms = terms_of(symbol="first", body=line)
    assert terms.terms[0] == "first"
    assert sum(len(term.encode()) + 6 for term in terms.terms) < 1_000_000


LEXEME = re.compile(r"'(?:[^'\\]|''|\\\\)+':\d{1,3}[AB]?(?:,\d{1,3}[AB]?)*")


@given(st.text(max_size=300), st.text(max_size=40), st.sampled_from(["en", "pt"]))
def test_any_text_gives_a_readable_vector(body, symbol, language):
    terms = terms_of(symbol=symbol, body=body)
    lexemes = written(terms.vector).split()
    assert all(LEXEME.fullmatch(lexeme) for lexeme in lexemes)
    assert len(lexemes) == len(terms.terms) == len(set(terms.terms))
    query_terms(body, language=language)


@given(st.text(max_size=200))
def test_questions_use_the_terms_of_the_index(text):
    kept = [term for term in query_terms(text) if term in set(tokenize(text))]
    assert set(kept) <= set(terms_of(body=text).terms)
