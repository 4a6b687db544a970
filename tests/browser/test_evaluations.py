"""The evaluations of the console in Chromium: both themes, wide and narrow."""

import json

import pytest
from playwright.sync_api import Page

from search import evaluations
from search.evaluate import Found, Question
from search.models import EvaluationRun
from search.results import Result, result, verdict
from search.scope import Scope

pytestmark = pytest.mark.browser

LONG = "src/a/very/deep/folder/that/goes/on/and/on/" + "module_with_a_long_name" * 2 + ".py"
QUESTIONS = [
    Question(f"q-{n}", "lib", "", f"Where is the number {n} read? " * 4, (LONG, "y.py"), ())
    for n in range(12)
]


def kept(name: str, best: int) -> EvaluationRun:
    """An evaluation of twelve questions, every `best`th of which is answered at once."""
    rows = [
        {"id": one.id, "repository": "lib", "question": one.text, "gold_files": list(one.files)}
        for one in QUESTIONS
    ]
    text = "\n".join(map(json.dumps, rows))
    run = evaluations.new_run(name=name, source="our-questions.jsonl", text=text)
    found: list[Result] = []
    for at, one in enumerate(QUESTIONS):
        files = (LONG, "y.py") if at % best == 0 else ("other.py", "y.py")
        found += [result(one, channel, Found(files, (), 12.0)) for channel in ("fused", "lexical")]
        found.append(verdict(one, Scope((), ()), lambda *_, at=at: at % best == 0))
    nobody = Question("none", "lib", "", "Who pays the tax? " * 9, (), (), answerable=False)
    found.append(verdict(nobody, Scope((), ()), lambda *_: best == 2))
    evaluations.save_results(run, found)
    evaluations.finish(run, found)
    return run


@pytest.fixture
def pages(db) -> list[str]:
    first, second = kept("before the change", 3), kept("a name that is rather long " * 3, 2)
    kept("third", 4)
    return [
        "/console/evaluations",
        f"/console/evaluations/{first.pk}",
        f"/console/evaluations/compare?before={first.pk}&after={second.pk}",
    ]


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(pages, open_context, administrator, width: int, scheme: str):
    page = open_context(
        administrator, viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    for address in pages:
        page.goto(address)
        assert (address, overflow(page) <= 0) == (address, True)


def test_two_are_chosen_from_the_list_and_compared(pages, open_context, administrator):
    page = open_context(administrator)
    page.goto(pages[0])
    radios = page.get_by_role("radio")
    radios.nth(4).check()
    radios.nth(3).check()
    page.get_by_role("button", name="Compare").click()
    assert page.get_by_role("heading", name="Better").text_content() == "Better 4"
    assert page.get_by_role("heading", name="Worse").text_content() == "Worse 2"


def test_the_chart_is_read_out(pages, open_context, administrator):
    page = open_context(administrator)
    page.goto(pages[0])
    chart = page.get_by_role("img", name="Figures of the fused ranking on our-questions.jsonl")
    assert "third: MRR" in (chart.locator("desc").text_content() or "")
