"""What is only flagged stays in the shown text, and goes nowhere else."""

from indexing.deriving import FileInput, derive
from indexing.scrubbing.policy import Policy

VALUE = "".join(["q7Rt", "Zp2m", "Xw9L", "kd3V", "bn8Y", "ch4S"])


def derived(path: str, text: str):
    return derive(FileInput(1, path, text.encode()), Policy(key=b"k" * 32))


def flagged_head():
    text = (
        f'def connect(host, api_token="{VALUE}"):\n    """Open {VALUE} now."""\n    return host\n'
    )
    return derived("tests/test_connect.py", text)


def test_a_value_in_a_test_is_flagged_and_still_shown():
    file = flagged_head()
    assert {one.action for one in file.findings} == {"flag"}
    assert VALUE in file.text


def test_signatures_and_docs_do_not_hold_a_flagged_value():
    symbol = flagged_head().symbols[0]
    assert symbol.name == "connect"
    assert VALUE not in symbol.signature + symbol.doc


def test_terms_and_embedded_texts_do_not_hold_a_flagged_value():
    chunks = flagged_head().chunks
    assert chunks
    said = " ".join(one.embed_text + one.terms.vector.decode("latin-1") for one in chunks)
    assert VALUE.lower() not in said.lower()


def test_lines_are_those_of_the_stored_text():
    file = flagged_head()
    assert (file.line_count, file.chunks[0].record.end_line) == (3, 3)
