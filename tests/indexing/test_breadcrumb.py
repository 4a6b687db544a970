import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.breadcrumb import MAX_CHARS, embed_text


def text_of(**changed):
    fields = {"path": "a.py", "symbol": "", "kind": "", "signature": "", "doc": "", "body": ""}
    return embed_text(**{**fields, "imports": [], **changed})


def test_begins_with_path_and_enclosing_names():
    text = text_of(path="src/shop/cart.py", symbol="Cart.total", kind="method")
    assert text == "src/shop/cart.py > Cart > total."


def test_loose_lines_have_only_their_path():
    assert text_of(path="setup.cfg") == "setup.cfg."


def test_heading_keeps_its_dots_and_its_sentences():
    text = text_of(symbol="2.1 Limits", kind="heading", body="2.1 Limits\n\nThe limit is the sum.")
    assert text == "a.py > 2.1 Limits. 2.1 Limits The limit is the sum."


def test_order_is_doc_signature_imports_body():
    text = text_of(
        symbol="total",
        kind="function",
        doc="Sum of the lines.",
        signature="def total(taxRate)",
        imports=["money.roundCents", "os.path"],
        body="def total(taxRate):\n    return roundCents(lines) * taxRate",
    )
    assert text == "a.py > total. Sum of the lines. total tax rate money round cents"


def test_body_words_come_once_in_order_of_appearance():
    text = text_of(body="getUser(user_id)\nuser = load_user(x, 12)")
    assert text == "a.py. get user id load"


def test_stop_words_and_keywords_are_left_out():
    assert text_of(body="def is_in(self): return not the_end") == "a.py."


def test_import_counts_only_where_its_name_occurs():
    text = text_of(imports=["flask.json", "lib/queue", ""], body="json.dumps()")
    assert text == "a.py. flask json dumps"


@pytest.mark.parametrize(("limit", "cut"), [(16, "a.py. alpha"), (17, "a.py. alpha gamma")])
def test_cut_at_a_word_boundary(limit, cut):
    assert text_of(body="alpha gamma delta", max_chars=limit) == cut


def test_one_word_longer_than_the_limit_is_cut_inside():
    assert text_of(path="p" * 500) == "p" * MAX_CHARS


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=600), st.integers(1, 500))
def test_never_longer_than_asked_and_the_same_twice(path, symbol, body, limit):
    texts = [text_of(path=path, symbol=symbol, body=body, max_chars=limit) for _ in range(2)]
    assert len(texts[0]) <= limit
    assert texts[0] == texts[1]
