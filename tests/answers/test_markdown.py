import pytest

from answers.answering import ask
from answers.markdown import as_markdown, code_span, escaped, fenced
from answers.reading import show
from tests.answers.conftest import QUESTION


def test_fence_is_longer_than_what_it_holds():
    assert fenced("a = 1", "python") == "```python\na = 1\n```"
    assert fenced("````\nx\n````") == "`````\n````\nx\n````\n`````"


def test_language_cannot_break_the_fence():
    assert fenced("x", "py`\n# thon") == "```python\nx\n```"


@pytest.mark.parametrize(
    ("text", "span"),
    [("a.py", "`a.py`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a\nb", "`a b`")],
)
def test_code_span_holds_backticks(text, span):
    assert code_span(text) == span


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# not *a* heading", r"\# not \*a\* heading"),
        ("<img src=x>", r"\<img src=x\>"),
        ("[a](b)", r"\[a\](b)"),
        ("- item", r"\- item"),
        ("1. item", r"\1. item"),
    ],
)
def test_text_stays_text(text, shown):
    assert escaped(text) == shown


@pytest.mark.django_db
def test_answer_has_permanent_links(till, owner):
    answer = ask(QUESTION, person=owner, repositories=[till])
    text = as_markdown(show(answer), "https://x/answers/1", lambda path: f"https://x{path}")
    commit = till.snapshots.get().commit
    assert text.startswith(f"> {QUESTION}\n\nExtract, no model configured · till @ {commit[:8]}")
    assert "\n`CookieSessions.open_session` `till/sessions.py`\n" in text
    assert "        return serializer.loads(value, max_age=self.lifetime)\n```\n\n[^1]" in text
    assert (
        f"[^1]: [`till/sessions.py:9-15 @ {commit[:8]}`]"
        f"(<https://x/r/till/file/till/sessions.py?at={commit}#L9-L15>)"
    ) in text
    assert "```python\n" in text


@pytest.mark.django_db
def test_abstention_is_markdown_too(till, owner):
    answer = ask("kubernetes pods", person=owner, repositories=[till])
    text = as_markdown(show(answer), "https://x/answers/1", str)
    assert "These words of the question occur nowhere: kubernetes, pods." in text
