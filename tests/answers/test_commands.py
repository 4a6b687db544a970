import json
import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from answers.models import Answer, Citation
from outbound.models import ModelCall
from repos.models import Repository
from tests.answers.conftest import QUESTION
from tests.answers.scripted import MODEL, block, cite, prose, reply
from tests.outbound.modelhost import Step

pytestmark = pytest.mark.django_db


def run(*arguments, command="ask"):
    out, err = StringIO(), StringIO()
    call_command(command, *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_every_line_ends_in_its_place(till):
    out, err = run(QUESTION, "--repository", "till")
    commit = till.snapshots.get().commit[:8]
    lines = out.rstrip("\n").split("\n")
    assert re.sub(" +@", "  @", lines[0]) == (
        f"    def open_session(self, request):  @ {commit} till/sessions.py:9-9"
    )
    place = re.compile(rf"\S.*  @ {commit} [^\s].*:\d+-\d+")
    assert all(place.fullmatch(line.lstrip()) for line in lines)
    assert len({line.index("  @ ") for line in lines if len(line.split("  @ ")[0]) <= 80}) == 1
    assert err.startswith("Extract, no model configured. Searched ")
    assert f"till @ {commit}" in err
    assert f"/answers/{Answer.objects.get().pk}" in err


def test_a_line_of_an_extract_has_its_own_place(till):
    lines = [line for line in run(QUESTION, "--repository", "till")[0].split("\n") if line]
    stored = Citation.objects.filter(statement__text="")[0]
    first, second = stored.quote.split("\n")[:2]
    found = [line.rsplit(":", 1)[1] for line in lines if line.rstrip().startswith((first, second))]
    start = stored.start_line
    assert found[:2] == [f"{start}-{start}", f"{start + 1}-{start + 1}"]


def test_json_has_every_field(till):
    out, _ = run(QUESTION, "--repository", "till", "--json")
    said = json.loads(out)
    assert said["question"] == QUESTION
    assert said["state"] == "done"
    assert said["milliseconds"] >= 0
    first = said["statements"][0]
    assert first["text"].startswith("    def open_session(self, request):\n")
    citation = first["citations"][0]
    assert (citation["path"], citation["start"], citation["end"], citation["verdict"]) == (
        "till/sessions.py",
        9,
        15,
        "ok",
    )
    assert citation["commit"] == till.snapshots.get().commit
    assert said["evidence"][0]["path"] == "till/sessions.py"
    assert said["searched"]["terms"] == ["session", "load", "sign", "cooki"]


def test_an_extract_without_a_sentence_is_its_lines(till):
    said = json.loads(run(QUESTION, "--repository", "till", "--json")[0])
    plain = said["statements"][1]
    assert plain["text"] == plain["citations"][0]["quote"]


def test_abstention_says_so_and_is_no_failure(till):
    out, err = run("How are kubernetes pods evicted?", "--repository", "till")
    assert err.startswith("No model was asked. Searched")
    assert out.startswith("Nothing found that answers this. These words of the question occur")
    assert "Searched for: kubernetes pods evicted" in out
    said = json.loads(run("kubernetes pods", "--json")[0])
    assert (said["state"], said["statements"]) == ("abstained", [])


def test_without_a_name_all_repositories_are_asked(till, shop):
    said = json.loads(run("shipping basket weight", "--json")[0])
    assert [one["slug"] for one in said["searched"]["repositories"]] == ["shop", "till"]
    assert said["evidence"][0]["repository"] == "shop"


def test_a_slug_is_that_repository_even_where_another_has_it_as_its_name(till, shop):
    Repository.objects.filter(pk=shop.pk).update(name="till")
    said = json.loads(run("total", "--repository", "till", "--json")[0])
    assert [one["slug"] for one in said["searched"]["repositories"]] == ["till"]


def test_several_names_are_asked_together(till, shop):
    said = json.loads(run("total", "--repository", "till", "--repository", "shop", "--json")[0])
    assert len(said["searched"]["repositories"]) == 2


def test_what_cannot_be_asked_is_named(till):
    with pytest.raises(CommandError, match="no repository named nope"):
        run(QUESTION, "--repository", "nope")
    with pytest.raises(CommandError, match="There is no word in this"):
        run("??", "--repository", "till")


def test_control_characters_do_not_reach_the_terminal(index_files):
    index_files({"a.py": "def clear_screen():\n    return '\x1b[2J clear the screen'\n"})
    out, _ = run("clear the screen")
    assert "\x1b" not in out
    assert "\ufffd[2J clear the screen" in out


def test_abstention_shares_are_counted(till, tmp_path):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text(json.dumps({"question": QUESTION, "repository": "us/till"}) + "\n")
    bad.write_text(json.dumps({"question": "kubernetes pods", "kind": "far"}) + "\n")
    arguments = ["--answerable", str(good), "--unanswerable", str(bad), "--json"]
    shares = json.loads(run(*arguments, command="abstention")[0])
    assert shares["answerable"]["0.46"] == 0
    assert shares["far"]["0.46"] == 1


def two_places(body):
    seen = block(body, "till/sessions.py")
    heading = {"type": "heading", "text": "How the session is loaded", "citations": []}
    marks = [cite(seen, "value = request.cookies.get"), cite(seen, "return serializer.loads")]
    return reply(heading, prose("The session is loaded from `value`.", *marks))


def test_the_configured_model_answers_with_its_places(till, host):
    host.reply = two_places
    out, err = run(QUESTION)
    commit = till.snapshots.get().commit[:8]
    places = f"{commit} till/sessions.py:12-12, {commit} till/sessions.py:15-15"
    assert out == f"The session is loaded from `value`.  @ {places}\n"
    assert err.startswith(f"{MODEL}. Searched")


def test_extracts_ask_no_model(till, host):
    out, err = run(QUESTION, "--extracts")
    assert out.lstrip().startswith("def open_session(self, request):")
    assert err.startswith("Extract, no model configured. ")
    assert not ModelCall.objects.exists()


def test_a_model_that_fails_is_said_beside_the_extracts(till, host):
    host.script(*[Step(status=401)] * 4)
    out, err = run(QUESTION)
    assert out.lstrip().startswith("def open_session(self, request):")
    assert "does not accept the key" in err


def test_a_model_that_finds_no_answer_is_believed(till, host):
    host.reply = reply(answerable=False)
    out, _ = run(QUESTION)
    assert out.startswith(
        "Nothing found that answers this. The model read these lines and found no answer in them."
    )
