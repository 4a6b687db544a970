from hypothesis import given, settings
from hypothesis import strategies as st

from answers.citations import Sent, Verdict, judge, judge_exactly
from answers.drafts import Claim, Draft, Kind, check

LINES = [
    "def open_session(self, app):",
    "    value = app.cookies.get(self.name)",
    "    if not value:",
    "        return None",
    "",
    "    return self.load(value)",
]
SENT = Sent(10, LINES)


def judged(quote, start, end, sent=SENT):
    found = judge(quote, start, end, sent)
    return found.verdict, found.start_line, found.end_line


def test_a_quote_that_stands_in_its_range_is_ok():
    assert judged("value = app.cookies.get(self.name)", 11, 11) == (Verdict.OK, 11, 11)


def test_white_space_is_folded_over_lines():
    assert judged("if  not value: return\tNone", 12, 13) == (Verdict.OK, 12, 13)


def test_what_is_kept_are_the_sent_lines():
    assert judge("if not value:", 12, 13, SENT).text == "    if not value:\n        return None"


def test_a_quote_that_stands_elsewhere_moves_the_range():
    assert judged("return self.load(value)", 10, 11) == (Verdict.REANCHORED, 15, 15)


def test_a_quote_over_a_blank_line_is_found():
    assert judged("return None return self.load(value)", 10, 10) == (Verdict.REANCHORED, 13, 15)


def test_of_several_places_the_nearest_is_taken():
    sent = Sent(1, ["return self.value", "x", "x", "x", "return self.value"])
    assert judged("return self.value", 4, 4, sent) == (Verdict.REANCHORED, 5, 5)


def test_a_range_that_leaves_what_was_sent_is_not_ok():
    assert judged("return self.load(value)", 15, 16) == (Verdict.REANCHORED, 15, 15)
    assert judged("return", 15, 16) == (Verdict.REJECTED, 15, 16)
    assert judged("return", 9, 15) == (Verdict.REJECTED, 9, 15)


def test_what_was_never_sent_is_rejected():
    assert judged("return self.save(value)", 15, 15) == (Verdict.REJECTED, 15, 15)


def test_a_quote_without_a_word_is_rejected():
    for quote in ("", "   ", "}", "():"):
        assert judged(quote, 10, 10) == (Verdict.REJECTED, 10, 10)


def test_a_range_upside_down_is_rejected():
    assert judged("value", 12, 11) == (Verdict.REJECTED, 12, 11)


def test_an_extract_keeps_its_white_space():
    good = judge_exactly("    if not value:\n        return None", 12, 13, SENT)
    assert good.verdict == Verdict.OK
    corrupted = judge_exactly("if not value:\n        return None", 12, 13, SENT)
    assert corrupted.verdict == Verdict.REJECTED


def test_an_extract_is_never_moved():
    assert judge_exactly("    if not value:", 11, 11, SENT).verdict == Verdict.REJECTED


def extract(quote, start, end, label="abc"):
    return Draft(Kind.EXTRACT, "", [Claim(label, start, end, quote)])


def test_a_corrupted_extract_is_dropped():
    drafts = [extract("        return None", 13, 13), extract("        return 42", 13, 13)]
    kept = check(drafts, {"abc": SENT})
    assert [one.citations[0].judged.text for one in kept] == ["        return None"]


def test_a_label_that_was_not_sent_carries_nothing():
    assert check([extract("        return None", 13, 13, label="xyz")], {"abc": SENT}) == []


def test_prose_lives_on_while_one_citation_holds():
    claims = [Claim("abc", 1, 2, "made up, all of it"), Claim("abc", 12, 12, "if not value:")]
    (kept,) = check([Draft(Kind.PROSE, "It may be empty.", claims)], {"abc": SENT})
    assert [one.judged.start_line for one in kept.citations] == [12]


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.text(alphabet="ab {}\t", max_size=20), min_size=1, max_size=8),
    st.text(alphabet="ab {}\t\n", max_size=40),
    st.integers(-3, 30),
    st.integers(-3, 30),
)
def test_nothing_accepted_lies_outside_what_was_sent(lines, quote, start, end):
    sent = Sent(5, lines)
    for found in (judge(quote, start, end, sent), judge_exactly(quote, start, end, sent)):
        if found.verdict != Verdict.REJECTED:
            assert 5 <= found.start_line <= found.end_line <= sent.end_line
            assert list(found.lines) == lines[found.start_line - 5 : found.end_line - 4]
            assert " ".join(quote.split()) in " ".join(found.text.split())
