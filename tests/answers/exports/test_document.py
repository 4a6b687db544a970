"""What an exported answer says on paper, as words in reading order."""

import re
from itertools import pairwise

import pytest

from answers.answering import ask
from answers.exports import document
from answers.exports.paper import MOST_ROWS
from answers.exports.rendering import render
from answers.models import Answer, Citation, Conversation, Evidence, Statement
from repos.models import Repository
from tests.answers.exports.conftest import (
    LONG,
    QUESTION,
    needs_poppler,
    structure_of,
    text_of,
)

pytestmark = pytest.mark.django_db


def html_of(answer):
    return document.as_html(document.of_answer(answer))


def words_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html_of(answer).partition("</style>")[2]))


def test_the_cover_line(answer):
    commit = answer.evidence.first().commit[:8]
    day = f"{answer.created:%Y-%m-%d %H:%M} UTC"
    assert f"coins @ {commit}" in words_of(answer)
    assert f"{day} · asked by member · Extract, no model configured" in words_of(answer)


def test_footnotes_lead_to_their_lines_and_back(answer):
    html = html_of(answer)
    numbers = re.findall(r'id="a1-r(\d+)"', html)
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)]
    assert sorted(re.findall(r'id="a1-n(\d+)"', html), key=int) == numbers
    assert sorted(set(re.findall(r'href="#a1-n(\d+)"', html)), key=int) == numbers


def test_cited_lines_have_their_real_numbers(answer):
    assert re.search(r">7</span>.*def.*coin_table", html_of(answer))


def test_text_of_a_repository_is_text(answer):
    html = html_of(answer).partition("</style>")[2]
    assert "&lt;b&gt;never&lt;/b&gt; by &amp;number;" in html
    assert "<img" not in html
    assert "<b>never" not in html


@needs_poppler
def test_a_long_line_is_there_to_its_last_character(answer):
    text = text_of(render(html_of(answer)).pdf)
    assert "cointableend" in re.sub(r"[\s↪]", "", text)
    assert text.count("↪") > 50
    assert len(LONG) > 4_900


@needs_poppler
def test_odd_characters_are_real_glyphs_or_shown_by_number(answer):
    text = text_of(render(html_of(answer)).pdf)
    assert "硬貨の一覧" in text
    assert "동전 목록" in text
    assert "🚀" in text
    assert "U+202Edrow" in text.replace(" ", "")


def test_the_code_host_is_linked_at_the_commit(answer):
    Repository.objects.filter(slug="coins").update(
        source="git", address="https://code.example/o/coins", provider="github"
    )
    commit = answer.evidence.first().commit
    link = f"https://code.example/o/coins/blob/{commit}/coins/table.py#L"
    assert f'<a href="{link}' in html_of(answer)


def test_an_abstention_says_why_and_shows_the_nearest_lines(coins, member):
    answer = ask("Which zebra juggles quantum bananas?", person=member, repositories=[coins])
    words = words_of(answer)
    assert answer.state == Answer.State.ABSTAINED
    assert "Nothing found that answers this" in words
    assert "So nothing is claimed." in words
    assert "The cited lines" not in words


def with_statement(answer, kind, text, *, cited=True, place=90):
    row = Statement.objects.create(answer=answer, ordinal=place, kind=kind, text=text)
    if cited:
        piece = answer.evidence.first()
        Citation.objects.create(
            statement=row, evidence=piece, start_line=piece.start_line, end_line=piece.start_line,
            quote=piece.text.split("\n")[0], verdict="reanchored",
        )  # fmt: skip
    return row


def test_prose_of_a_model_has_code_marks_and_nothing_else(answer):
    with_statement(
        answer,
        "prose",
        "Calls `coin_table(<x>)`, see [here](http://evil.example) <img src=x> **now**.",
    )
    html = html_of(answer)
    assert "<code>coin_table(&lt;x&gt;)</code>" in html
    assert "[here](http://evil.example) &lt;img src=x&gt;" in html
    assert 'href="http://evil' not in html
    assert "re-anchored" in words_of(answer)


def test_code_of_a_model_is_a_block(answer):
    with_statement(answer, "code", "a = `b`\n</pre><script>")
    assert '<pre class="code">a = `b`\n&lt;/pre&gt;&lt;script&gt;</pre>' in html_of(answer)


def test_an_answer_that_broke_off_says_so(answer):
    Answer.objects.filter(pk=answer.pk).update(state="failed", error="The provider did not answer.")
    answer.refresh_from_db()
    assert "This answer is not complete: failed . The provider did not answer." in words_of(
        answer
    ).replace("failed.", "failed .")


def test_an_abstention_of_a_model_has_its_own_reason_once(answer):
    words = "The model read these lines and found no answer in them."
    answer.statements.all().delete()
    Answer.objects.filter(pk=answer.pk).update(state="abstained", warning=words)
    answer.refresh_from_db()
    said = words_of(answer)
    assert said.count(words) == 1
    assert f"Nothing found that answers this. {words} So nothing is claimed." in said


def test_extracts_after_a_model_failed_say_why(answer):
    Answer.objects.filter(pk=answer.pk).update(error="The provider did not answer.")
    answer.refresh_from_db()
    assert (
        "These are the lines that fit best, as they are. The provider did not answer."
        in words_of(answer)
    )


def test_a_citation_that_is_still_compared_says_so(answer):
    with_statement(answer, "prose", "So it is.").citations.update(verdict="pending")
    assert "being checked" in words_of(answer)


def test_a_heading_has_no_footnote(answer):
    with_statement(answer, "heading", "How it works", cited=False)
    with_statement(answer, "prose", "So it is.", place=91)
    assert '<h2 class="inner">How it works</h2>' in html_of(answer)


def test_too_many_lines_stay_out_and_are_counted(answer, monkeypatch):
    piece = answer.evidence.first()
    Evidence.objects.filter(pk=piece.pk).update(
        text="\n".join(f"line {n}" for n in range(MOST_ROWS * 2)),
        start_line=1,
        end_line=MOST_ROWS * 2,
    )
    Citation.objects.filter(evidence=piece).update(start_line=1, end_line=MOST_ROWS * 2)
    laid_out = document.of_answer(answer)
    assert sum(len(one.rows) for one in laid_out.answers[0].statements) <= MOST_ROWS
    assert laid_out.lines_out > MOST_ROWS
    assert "lines of code had no room" in document.as_html(laid_out)


def test_a_conversation_has_contents_and_one_part_an_answer(coins, member, answer):
    conversation = answer.question.conversation
    second = ask(
        "What does the README say of coin tables?",
        person=member,
        repositories=[coins],
        conversation=conversation,
    )
    laid_out = document.of_conversation(
        Conversation.objects.get(pk=conversation.pk), [answer, second]
    )
    html = document.as_html(laid_out)
    assert re.findall(r'<a href="#(a\d)">', html) == ["a1", "a2"]
    assert re.findall(r'<section class="answer" id="(a\d)"', html) == ["a1", "a2"]
    assert QUESTION in html


def test_nothing_in_it_depends_on_when_or_where_it_is_made(answer):
    assert html_of(answer) == html_of(Answer.objects.get(pk=answer.pk))


@needs_poppler
@pytest.mark.parametrize("whole", [False, True])
def test_headings_leave_no_level_out(answer, whole):
    Statement.objects.create(answer=answer, ordinal=0, kind="heading", text="How it is looked up")
    conversation = answer.question.conversation
    made = document.of_conversation(conversation, [answer]) if whole else document.of_answer(answer)
    kinds = structure_of(render(document.as_html(made)).pdf)
    levels = [int(one[1]) for one in kinds if re.fullmatch(r"H[1-6]", one)]
    assert levels[:2] == [1, 2]
    assert all(after <= before + 1 for before, after in pairwise(levels))
