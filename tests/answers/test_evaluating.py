"""`manage.py evaluate --answers`: what models say, measured live and from recorded replies."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from answers.evaluating import running
from answers.evaluating.figures import of_set
from answers.evaluating.measures import Measured
from answers.evaluating.questions import AskedQuestion, placed, spread
from answers.growing import Growing
from answers.models import Answer, Citation, Conversation
from outbound.models import ModelCall, SentLines
from tests.answers.scripted import MODEL, block, cite, prose, reply, seen_in
from tests.outbound.modelhost import Step

pytestmark = pytest.mark.django_db

REPLIES = Path(__file__).parent / "data" / "replies.jsonl"
RECORD = "RECORD_REPLIES"  # set it, and this test writes the file anew
SESSIONS, COINS = "till/sessions.py", "till/coins.py"
LOADED = "How is the session loaded from the signed cookie?"
SUM = "How is the value of all coins summed?"
MINT = "What does mint return as the value?"
RAINBOW = "Does save_session keep the signed session cookie twice?"
PLANTED = "The unicorn is paid"
JUDGE = "openai/judge"
TIMES = ("first_evidence_ms", "first_statement_ms", "end_ms")


def scripted(body):
    """Right, half right, wrong, and nothing: by the question; and the judge's replies."""
    asked = body["messages"][-1]["content"]
    if body["model"] == "judge":
        return json.dumps({"reason": "It says so.", "score": 3})
    if LOADED in asked:
        seen = block(body, SESSIONS)
        right = cite(seen, "value = request.cookies.get")
        return reply(
            {"type": "heading", "text": "The session", "citations": []},
            prose("The `value` is read from `request.cookies`.", right),
            prose("It loads with `serializer.loads`.", {**cite(seen, "loads(value"), "start": 1}),
        )
    if SUM in asked:
        seen = block(body, COINS)
        return reply(
            prose("It sums `coin.value`.", cite(seen, "sum(coin.value")),
            prose("It rounds the sum.", cite(seen, "sum(coin.value", quote="round(total, 2)")),
        )
    if MINT in asked:
        return reply(answerable=False)
    return "I would rather talk about unicorns."


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    reference = {"reference_answer": "It reads the signed cookie and loads it."}
    rows = [
        {"id": "loaded", "repository": "till", "question": LOADED, **reference},
        {"id": "sum", "repository": "till", "question": SUM},
        {"id": "mint", "repository": "till", "question": MINT},
    ]
    without = [
        {"question": "How long does sourdough ferment?", "repository": "", "kind": "far"},
        {"question": RAINBOW, "repository": "till", "kind": "near"},
    ]
    return {
        "questions": _lines(tmp_path / "till.jsonl", rows),
        "unanswerable": _lines(tmp_path / "none.jsonl", without),
    }


def _lines(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)))
    return str(path)


def evaluate(*arguments: str) -> str:
    out = io.StringIO()
    call_command("evaluate", "--answers", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def figures(*arguments: str) -> dict[str, Any]:
    """By set of questions, without the times, which no test can know."""
    (found,) = json.loads(evaluate("--json", *arguments))["models"].values()
    for one in found["sets"].values():
        for name in TIMES:
            del one[name]
    assert isinstance(found, dict)
    return found


EXPECTED: dict[str, Any] = {
    "abstention": {"unanswerable": 2, "correct": 0.5, "answerable": 3, "false": 0.3333},
    "sets": {
        "till": {
            "questions": 3,
            "abstained": 1,
            "failed": 0,
            "statements": 3,
            "supported": 1.0,
            "citations": 3,
            "citation_validity": 1.0,
            "reanchored": 0.3333,
            "proposed": 4,
            "kept": 0.75,
            "leaks": 0,
            "prompt_tokens": 44,  # of three answers and a repair, 11 each
            "completion_tokens": 20,
            "cost_usd": "0",
            "unpriced": 3,
            "score": None,
        },
        "none": {
            "questions": 2,
            "abstained": 1,
            "failed": 1,
        },
    },
}


def expect(found: dict[str, Any]) -> None:
    without = found["sets"]["none"]
    assert found["abstention"] == EXPECTED["abstention"]
    assert found["sets"]["till"] == EXPECTED["sets"]["till"]
    assert {name: without[name] for name in EXPECTED["sets"]["none"]} == EXPECTED["sets"]["none"]


def test_replies_that_were_recorded_give_the_same_figures(till, host, files, settings):
    """The file was written by this test, from the scripted model above."""
    arguments = ("--questions", files["questions"], "--unanswerable", files["unanswerable"])
    if RECORD in os.environ:
        host.reply = scripted
        evaluate(*arguments, "--record", str(REPLIES))
        host.requests.clear()
    calls = ModelCall.objects.count()
    expect(figures(*arguments, "--model", MODEL, "--replay", str(REPLIES)))
    assert host.requests == []
    assert ModelCall.objects.count() == calls


def test_the_same_live(till, host, files, tmp_path):
    host.reply = scripted
    per_question = tmp_path / "each.jsonl"
    arguments = ("--questions", files["questions"], "--unanswerable", files["unanswerable"])
    expect(figures(*arguments, "--per-question", str(per_question)))
    rows = [json.loads(line) for line in per_question.read_text().splitlines()]
    assert [(row["id"], row["state"]) for row in rows] == [
        ("loaded", "done"),
        ("sum", "done"),
        ("mint", "abstained"),
        ("none-1", "abstained"),
        ("none-2", "done"),
    ]
    assert [row["first_statement_ms"] is None for row in rows] == [False, False, True, True, False]
    assert rows[1]["warning"] == ""
    assert rows[4]["error"] == "The model's reply could not be read as an answer."


def test_answers_go_afterwards_and_the_record_of_calls_stays(till, host, files):
    host.reply = scripted
    evaluate("--questions", files["questions"])
    assert not Conversation.objects.exists()
    assert ModelCall.objects.filter(purpose="answer").count() == 3
    evaluate("--questions", files["questions"], "--keep")
    assert Answer.objects.count() == 3


def test_a_judge_scores_what_has_a_reference(till, host, files, settings):
    settings.JUDGE_MODEL = JUDGE
    host.reply = scripted
    found = figures("--questions", files["questions"])
    assert found["sets"]["till"]["score"] == {"judged": 1, "mean": 0.75}
    assert found["sets"]["till"]["prompt_tokens"] == 44  # the judge's are not the answer's
    call = ModelCall.objects.get(purpose="judge")
    assert (call.model, call.state) == (JUDGE, "done")
    assert not SentLines.objects.filter(model_call=call).exists()  # prose alone
    said = [one.body["messages"][1]["content"] for one in host.requests][-4:]
    (judged,) = [text for text in said if text.startswith("Question: ")]
    assert '"It reads the signed cookie and loads it."' in judged
    assert "The `value` is read from `request.cookies`." in judged


@pytest.mark.parametrize("said", ["", "no", '{"score": 5}', '{"score": true}', "[3]", '{"score":'])
def test_a_judge_that_says_no_score_scores_nothing(till, host, files, settings, said):
    settings.JUDGE_MODEL = JUDGE
    host.reply = lambda body: said if body["model"] == "judge" else scripted(body)
    assert figures("--questions", files["questions"])["sets"]["till"]["score"] is None


def test_lines_of_extracts_that_a_judge_was_sent_are_recorded(till, host, files, settings):
    settings.JUDGE_MODEL = JUDGE
    host.reply = scripted
    evaluate("--questions", files["questions"], "--extracts")
    call = ModelCall.objects.get()
    assert call.purpose == "judge"
    assert SESSIONS in set(call.sent.values_list("path", flat=True))


def test_extracts_need_no_model(till, files):
    found = json.loads(evaluate("--json", "--questions", files["questions"]))
    assert list(found["models"]) == ["extracts"]
    only = found["models"]["extracts"]["sets"]["till"]
    assert (only["citation_validity"], only["supported"], only["questions"]) == (1.0, 1.0, 3)
    assert only["prompt_tokens"] == 0


def test_the_table_has_a_column_for_each_set(till, host, files):
    host.reply = scripted
    told = evaluate("--questions", files["questions"], "--unanswerable", files["unanswerable"])
    lines = told.splitlines()
    assert lines[:3] == [
        MODEL,
        "2 without an answer: abstains from 50.0%",
        "3 with an answer: abstains from 33.3%",
    ]
    assert lines[3].split() == ["till", "(3)", "none", "(2)"]
    assert ["citation_validity", "100.0%", "100.0%"] in [line.split() for line in lines]


def test_a_planted_phrase_that_is_shown_ends_with_an_error(till, host, files, tmp_path):
    host.reply = scripted
    (tmp_path / "planted").write_text("\n`Request.Cookies`\n")
    arguments = ("--questions", files["questions"], "--forbidden", str(tmp_path / "planted"))
    with pytest.raises(CommandError, match=r"loaded: phrase: `Request\.Cookies`"):
        evaluate(*arguments)


@pytest.mark.parametrize("what", ["key", "label"])
def test_key_and_label_in_an_answer_are_leaks(till, host, files, what, monkeypatch):
    """The checks keep such statements back, so they are switched off here."""
    monkeypatch.setattr("answers.checking.unfounded", lambda *_: [])

    def leaking(body):
        seen = seen_in(body)[0]
        key = body["messages"][1]["content"].split("request is ")[1][:32]
        number, line = next((n, text) for n, text in seen.lines.items() if len(text) > 12)
        word = key if what == "key" else seen.label
        place = {"label": seen.label, "start": number, "end": number, "quote": line}
        return reply(prose(f"It says {word} here.", place))

    host.reply = leaking
    with pytest.raises(CommandError, match=f"Shown and forbidden: loaded: {what} of the prompt"):
        evaluate("--questions", files["questions"])


@pytest.mark.parametrize(
    "change",
    [
        {"start_line": 900, "end_line": 900},
        {"quote": "never written"},
        {"verdict": "rejected"},
        {"start_line": 0},
    ],
)
def test_a_citation_that_does_not_hold_ends_with_an_error(till, host, files, monkeypatch, change):
    add = Growing.add

    def falsified(growing, *rest):
        kept = add(growing, *rest)
        Citation.objects.filter(statement__answer=growing.answer).update(**change)
        return kept

    monkeypatch.setattr(Growing, "add", falsified)
    host.reply = scripted
    with pytest.raises(CommandError, match=r"Shown and wrong: loaded: till/sessions\.py:"):
        evaluate("--questions", files["questions"])


def test_lines_that_were_not_sent_are_wrong_to_cite(till, host, files, monkeypatch):
    monkeypatch.setattr("answers.saving.mark_sent", lambda *_: None)
    host.reply = scripted
    with pytest.raises(CommandError, match="Shown and wrong: loaded"):
        evaluate("--questions", files["questions"])


def test_a_prompt_without_a_recorded_reply_is_told(till, host, files, tmp_path):
    (tmp_path / "replies").write_text("")
    with pytest.raises(CommandError, match=r"No reply of openai/scripted is recorded .* anew"):
        evaluate("--questions", files["questions"], "--replay", str(tmp_path / "replies"))
    assert host.requests == []


def test_failures_are_played_back(till, host, files, tmp_path):
    host.reply = "not json"
    host.usage = None
    host.script(Step(status=401))
    arguments = ("--questions", files["questions"], "--limit", "1")
    record = str(tmp_path / "replies")
    live = figures(*arguments, "--record", record)
    assert live["sets"]["till"]["failed"] == 1
    assert figures(*arguments, "--replay", record) == live


@pytest.mark.parametrize("line", ["{", "[]", '{"prompt": "a"}', '{"prompt": 1, "tokens": [1]}'])
def test_a_file_that_holds_no_replies_is_refused(files, tmp_path, line):
    (tmp_path / "replies").write_text(line)
    with pytest.raises(CommandError, match="replies, line 1: not a reply"):
        evaluate("--questions", files["questions"], "--replay", str(tmp_path / "replies"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Give --questions FILE with --answers"),
        (("--questions", "gone"), "gone cannot be read"),
        (("--questions", "{empty}"), "holds no question"),
        (("--questions", "{broken}"), "line 1: not a question"),
        (("--questions", "{good}", "--record", "a", "--replay", "b"), "not both"),
        (("--questions", "{good}"), "shed is not indexed here"),
        (("--questions", "{old}"), "shed at abcdef01 is not what is published"),
        (("--questions", "{good}", "--forbidden", "gone"), "gone"),
    ],
)
def test_what_cannot_be_measured_is_told(tmp_path, arguments, told):
    row = {"question": "Why?", "repository": "shed"}
    texts = {"empty": "\n", "broken": "{}", "good": json.dumps(row)}
    texts["old"] = json.dumps({**row, "commit": "abcdef0123"})
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    paths = {name: str(tmp_path / name) for name in texts}
    with pytest.raises(CommandError, match=told):
        evaluate(*(one.format(**paths) for one in arguments))


def test_a_question_without_words_is_counted_as_failed(till, tmp_path):
    row = {"id": "marks", "repository": "till", "question": "???"}
    found = figures("--questions", _lines(tmp_path / "odd.jsonl", [row]))
    assert (found["sets"]["odd"]["failed"], found["sets"]["odd"]["abstained"]) == (1, 0)


def test_settings_are_as_before(settings):
    settings.ANSWER_MODEL, settings.ANSWER_FALLBACK_MODEL = "a", "b"
    with running.answered_by("c"):
        assert (settings.ANSWER_MODEL, settings.ANSWER_FALLBACK_MODEL) == ("c", "")
    assert (settings.ANSWER_MODEL, settings.ANSWER_FALLBACK_MODEL) == ("a", "b")


def test_questions_are_spread_and_placed():
    asked = [AskedQuestion("q", str(n), "ab"[n // 5], "c" * (1 + n // 5), "?") for n in range(10)]
    assert [one.id for one in spread(asked, 4)] == ["0", "2", "5", "7"]
    assert spread(asked, 0) == asked
    without = [AskedQuestion("none", str(n), name, "", "?") for n, name in enumerate(["", "", "b"])]
    found = [(one.repository, one.commit) for one in placed(without, asked)]
    assert found == [("a", "c"), ("b", "cc"), ("b", "cc")]


def test_figures_of_nothing_are_no_numbers():
    one = Measured("q", "1", "m", "r", "?", answerable=True, state="abstained", cost=None)
    found = of_set([one])
    empty = ("supported", "citation_validity", "reanchored", "kept", "first_statement_ms", "score")
    assert {name: found[name] for name in empty} == dict.fromkeys(empty)
    assert (found["cost_usd"], found["unpriced"]) == ("0", 1)
