"""Questions in Portuguese, and what is looked for in English code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.terms import tokenize
from search.portuguese import (
    COGNATE,
    FIRST,
    FURTHER,
    GLOSSARY,
    cognate,
    glossary,
    in_english,
    is_portuguese,
    singular,
)
from search.query import parse_query


@pytest.mark.parametrize(
    ("portuguese", "english"),
    [
        ("Onde o usuário e a senha são lidos do arquivo?", "user password read file"),
        ("Onde o utilizador e a palavra-passe são lidos do ficheiro?", "user password read file"),
        ("Como as exceções são lançadas?", "exception raise"),
        ("Como as excepções são lançadas?", "exception raise"),
        ("Como as excecoes sao lancadas?", "exception raise"),
        ("o tempo limite da ligação", "timeout connection"),
        ("variáveis de ambiente do processo", "environ process"),
        ("Como a SessionStore fecha?", "SessionStore close"),
        ("a simulação da migração", "simulação migration"),
    ],
)
def test_word_by_word(portuguese: str, english: str):
    assert in_english(portuguese).text == english


def test_the_likeliest_word_weighs_most():
    assert dict(in_english("a requisição").terms) == {"request": FIRST}
    assert dict(in_english("a pasta").terms) == {"directori": FIRST, "folder": FIRST * FURTHER}


def test_a_cognate_weighs_less_than_a_known_word():
    assert dict(in_english("a indexação").terms) == {"index": COGNATE}


def test_names_weigh_nothing_beside_what_was_said():
    assert in_english("onde fica a classe SessionStore").terms == (("class", FIRST),)


@pytest.mark.parametrize(
    "text",
    [
        "Onde fica a sessão?",
        "configurações de cache",
        "funcoes",
        "enviar ficheiro",
        "comprimento da linha",
        "diretório temporário",
        "mensagem HTTP",
        "nível",
    ],
)
def test_portuguese_is_known(text: str):
    assert is_portuguese(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "where is the session?",
        "do_request",
        "a São Paulo fixture in the tests",
        "façade",
        "dependency resolver",
        "media data",
        "interface",
        "parse mensagem tag list",
    ],
)
def test_what_is_not_portuguese(text: str):
    assert not is_portuguese(text)


@pytest.mark.parametrize(
    ("plural", "one"),
    [("Funções", "funcao"), ("canais", "canal"), ("níveis", "nivel"), ("ordens", "ordem")],
)
def test_singular(plural: str, one: str):
    assert singular(plural) == one


def test_cognates_need_an_ending_and_some_letters():
    assert cognate("capacidade") == "capacity"
    assert (cognate("idade"), cognate("a.b"), cognate("json-schema")) == ("", "", "")


def test_every_line_of_the_glossary_is_an_entry():
    lines = GLOSSARY.read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in entries if line.count(" = ") != 1] == []
    exact, stemmed = glossary()
    assert len(exact) >= len(stemmed) > 600


def test_the_glossary_says_terms_that_are_indexed():
    english = {word for words in glossary()[0].values() for word in words}
    assert [word for word in english if not tokenize(word)] == []


@given(st.text(max_size=200))
def test_any_text_is_taken(text: str):
    english = in_english(text)
    assert all(0 < weight <= FIRST for _, weight in english.terms)
    is_portuguese(text)


def test_a_query_in_portuguese_asks_in_both_languages():
    query = parse_query("Onde o arquivo é carregado?")
    assert query.english == "file load"
    weights = query.weights
    assert (weights["arquiv"], weights["file"], weights["loader"]) == (1, FIRST, FIRST * FURTHER)


def test_a_query_in_english_is_left_alone():
    query = parse_query("where is the file loaded?")
    assert (query.english, query.translated) == ("", ())
    assert query.weights == dict.fromkeys(query.terms, 1)


def test_a_repeated_word_weighs_as_often_as_it_is_said():
    assert parse_query("zebra zebra stripes").weights["zebra"] == 2
