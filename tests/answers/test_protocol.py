import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.drafts import Claim, Draft, Kind
from answers.protocol import MOST_STATEMENTS, Fault, ReplyParser, what_is_wrong

CITATION = {"label": "k7x2p", "start": 3, "end": 4, "quote": 'say("{hi}")'}
FIRST = {"type": "prose", "text": "It says `hi`.", "citations": [CITATION]}
SECOND = {"type": "heading", "text": "Where", "citations": []}
DRAFT = Draft(Kind.PROSE, "It says `hi`.", (Claim("k7x2p", 3, 4, 'say("{hi}")'),))
WHERE = Draft(Kind.HEADING, "Where", ())


def reply(*statements, **more):
    return json.dumps({"answerable": True, "statements": list(statements), **more})


def read(*pieces):
    """(what was proposed, the parser when finished)."""
    parser = ReplyParser()
    found = [one for piece in pieces for one in parser.feed(piece)]
    return [*found, *parser.finish()], parser


def drafts(*pieces):
    return [one.draft or one.fault for one in read(*pieces)[0]]


def test_statements_in_their_order():
    assert drafts(reply(FIRST, SECOND)) == [DRAFT, WHERE]
    assert [one.number for one in read(reply(FIRST, SECOND))[0]] == [1, 2]


def test_a_statement_is_given_out_with_its_last_brace():
    parser = ReplyParser()
    text = reply(FIRST, SECOND)
    end = text.index("}]}") + 3
    assert list(parser.feed(text[: end - 1])) == []
    assert [one.draft for one in parser.feed(text[end - 1 : end])] == [DRAFT]


@given(st.lists(st.integers(0, 400), max_size=12))
def test_it_does_not_matter_where_the_pieces_are_cut(cuts):
    text = reply(FIRST, SECOND, FIRST)
    edges = sorted({0, len(text), *(cut % len(text) for cut in cuts)})
    pieces = [text[a:b] for a, b in pairwise(edges)]
    assert drafts(*pieces) == [DRAFT, WHERE, DRAFT]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("```json\n", "\n```"),
        ('Sure! Here is what the "code" says:\n\n', "\n\nLet me know."),
        ('<think>the {brace and the "quote</think>', ""),
        ('{"note": "an envelope", "reply": ', "}"),
    ],
)
def test_what_surrounds_the_json_is_passed_over(before, after):
    assert drafts(before + reply(FIRST, SECOND) + after) == [DRAFT, WHERE]


def test_a_bare_list_and_objects_below_each_other_are_read():
    assert drafts(json.dumps([FIRST, SECOND])) == [DRAFT, WHERE]
    assert drafts(f"{json.dumps(FIRST)}\n{json.dumps(SECOND)}") == [DRAFT, WHERE]


def test_a_reply_that_breaks_off_keeps_what_was_complete():
    text = reply(FIRST, SECOND)
    found, parser = read(text[: text.index('"heading"') + 3])
    assert [one.draft for one in found] == [DRAFT]
    assert parser.is_broken


def test_lone_backslashes_are_taken_as_they_are_meant():
    text = r'{"type": "prose", "text": "It is `\d+`.", "citations": []}'
    assert drafts(text) == [Draft(Kind.PROSE, r"It is `\d+`.", ())]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"type": "html"}, Fault.SHAPE),
        ({"type": "extract"}, Fault.SHAPE),
        ({"type": None}, Fault.SHAPE),
        ({"text": ["a"]}, Fault.SHAPE),
        ({"text": " `` "}, Fault.EMPTY),
        ({"text": "x" * 2_001}, Fault.TOO_LONG),
        ({"type": "heading", "text": "y" * 81}, Fault.TOO_LONG),
        ({"citations": {}}, Fault.SHAPE),
        ({"citations": ["k7x2p:3"]}, Fault.SHAPE),
        ({"citations": [{**CITATION, "start": "3"}]}, Fault.SHAPE),
        ({"citations": [{**CITATION, "start": True}]}, Fault.SHAPE),
        ({"citations": [{**CITATION, "end": 1e3}]}, Fault.SHAPE),
        ({"citations": [{**CITATION, "end": 10**30}]}, Fault.SHAPE),
        ({"citations": [{**CITATION, "label": None}]}, Fault.SHAPE),
        ({"citations": [CITATION] * 13}, Fault.SHAPE),
    ],
)
def test_the_shape_is_strict(change, fault):
    assert drafts(reply({**FIRST, **change}, SECOND)) == [fault, WHERE]


def test_hidden_characters_are_taken_out():
    text = "It \u202esays\u200b \x00`hi`\ue000.\ud800"
    assert drafts(reply({**FIRST, "text": text}))[0].text == "It says `hi`\ue000."


def test_code_keeps_its_lines_without_the_fence_around_it():
    code = {"type": "code", "text": "```python\ndef a():\n    b\n```", "citations": []}
    assert drafts(reply(code)) == [Draft(Kind.CODE, "def a():\n    b", ())]


def test_not_answerable_is_heard_even_in_a_reply_that_breaks_off():
    assert read('{"answerable": false, "statements": []}')[1].says_unanswerable
    assert read('{"answerable": false, "statements": [')[1].says_unanswerable
    assert not read(reply(FIRST))[1].says_unanswerable
    assert not read(reply(FIRST, answerable=False))[1].says_unanswerable  # it cites lines
    assert read(reply({**FIRST, "citations": []}, answerable=False))[1].says_unanswerable
    quoted = {**FIRST, "text": '"answerable": false'}
    assert not read(reply(quoted)[:-1])[1].says_unanswerable


def test_an_endless_reply_is_not_read_to_its_end():
    parser = ReplyParser()
    for number in range(100):
        list(parser.feed(json.dumps({**SECOND, "text": f"Where {number * number}"})))
    assert parser.is_full
    assert parser.proposed == MOST_STATEMENTS
    empty = ReplyParser()
    list(empty.feed("x" * 1_000_000))
    assert empty.is_full


@settings(max_examples=500)
@given(st.text(alphabet='{}[]",:\\ abtypexclmnost12\n`', max_size=300))
def test_no_text_breaks_it(text):
    found, _parser = read(text)
    assert all(one.draft is not None or one.fault is not None for one in found)


@settings(max_examples=300)
@given(st.text(max_size=60), st.integers(0, 200), st.integers(0, 30))
def test_no_mutation_of_a_reply_breaks_it(noise, at, cut):
    text = reply(FIRST, SECOND)
    found, _parser = read(text[:at] + noise + text[at + cut :])
    assert len(found) <= MOST_STATEMENTS


ZEROS = "    { 0x00, 0x00, 0x00, 0x00, 0x00, 0x00 },\n"
TABLE = "static const table[] = {\n" + ZEROS * 40 + "};\n"


@pytest.mark.parametrize(
    "text",
    [
        TABLE[:1_900],
        "#" + "=" * 600 + "\n# a heading of a comment\n",
        "\n".join(["    pass"] * 60),
        "| a | b |\n" + "|---|---|\n" * 60,
        'x = ["", "", "", "", ""]\n' * 30,
    ],
)
def test_code_that_repeats_itself_in_the_evidence_may_be_copied(text):
    code = {"type": "code", "text": text, "citations": []}
    raw = reply(code, SECOND)
    pieces = [raw[at : at + 3] for at in range(0, len(raw), 3)]
    parser = ReplyParser(sent=[f"before\n{text}\nafter"])
    found = [one.draft for piece in pieces for one in parser.feed(piece)]
    assert [one.kind for one in found if one] == [Kind.CODE, Kind.HEADING]
    assert not parser.is_stuck
    circling = ReplyParser(sent=["def other():\n    return 1\n"])
    for piece in pieces:
        assert list(circling.feed(piece)) == []
        if circling.is_full:
            break
    assert circling.is_stuck


def test_many_statements_and_citations_that_are_alike_are_no_circle():
    alike = [
        {**FIRST, "text": f"It says `{name}`.", "citations": [{**CITATION, "start": n, "end": n}]}
        for n, name in enumerate(["hi", "ho", "ha", "he", "hu", "hy"] * 5)
    ]
    found, parser = read(*[reply(*alike)[at : at + 5] for at in range(0, len(reply(*alike)), 5)])
    assert (len(found), parser.is_stuck) == (30, False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  ", "It was empty."),
        ("I cannot help.", "It holds no JSON object."),
        ('{"answer": "x", "sources": []}', 'the keys "answer", "sources" and no "statements"'),
        ("{}", "has no keys"),
        ('Well: {"statements": "none"}', 'are no list of objects with "type"'),
        ("{'statements': []}", "Its JSON cannot be read (Expecting property name"),
    ],
)
def test_what_is_wrong_with_a_reply_is_told_in_words(text, words):
    assert words in what_is_wrong(text)
