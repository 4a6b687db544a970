"""Kept evaluations: the job, its end states, and the pages for administrators."""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from repos.models import File, Repository
from repos.removal import remove
from search import evaluations, jobs
from search.evaluate import QuestionsUnreadable
from search.models import EvaluationRun
from search.preparing import SourceMissing
from search.results import Result

pytestmark = pytest.mark.urls("tests.search.addresses")
State = EvaluationRun.State
ROW = {
    "id": "store",
    "repository": "lib",
    "question": "Which class keeps sessions in signed cookies?",
    "gold_files": ["src/app/sessions.py"],
    "gold_lines": [["src/app/sessions.py", 4, 11]],
}
HARD = {**ROW, "id": "hard", "question": "zebra <b>stripes</b>", "language": "en"}
NOBODY = {"id": "none", "repository": "lib", "question": "tax?", "answerable": False}


def lines(*rows: Mapping[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


TEXT = lines(ROW, HARD, NOBODY)


@pytest.fixture
def queued(lib: Repository) -> EvaluationRun:
    return evaluations.new_run(name="first", source="q.jsonl", text=TEXT)


@pytest.fixture
def done(queued: EvaluationRun) -> EvaluationRun:
    jobs.run_evaluation(queued.pk)
    queued.refresh_from_db()
    return queued


@pytest.fixture
def admin(client_of: Callable[[User], Client], administrator: User) -> Client:
    return client_of(administrator)


def upload(text: str | bytes, name: str = "q.jsonl") -> dict[str, object]:
    data = text if isinstance(text, bytes) else text.encode()
    return {"name": "mine", "questions": SimpleUploadedFile(name, data)}


def test_a_run_keeps_figures_and_every_question(done: EvaluationRun):
    assert (done.state, done.asked, done.total, done.error) == (State.DONE, 3, 3, "")
    assert done.figures["questions"] == 2
    assert done.figures["abstention"] == {
        "unanswerable": 1,
        "correct": 1.0,
        "answerable": 2,
        "false": 0.5,
    }
    assert done.fused["recall_at_10"] == 0.5
    store = done.results.get(question_id="store", channel="fused")
    assert (store.ranks, store.line_hit) == ({"src/app/sessions.py": 1}, 1.0)


def test_a_run_names_what_it_was_measured_with(done: EvaluationRun):
    assert done.measured_with["embedding_model"] == ""
    assert done.measured_with["bm25"]["k1"] == 1.5
    assert len(done.questions_sha256) == 64


def test_results_come_back_as_they_were_measured(done: EvaluationRun):
    (store, hard) = evaluations.results_of(done, "fused")
    assert (store.id, store.recall, store.top[0]) == ("store", 1.0, "src/app/sessions.py")
    assert (hard.question, hard.hit, hard.language) == ("zebra <b>stripes</b>", 0.0, "en")


def test_a_finished_run_is_not_run_again(done: EvaluationRun):
    jobs.run_evaluation(done.pk)
    assert done.results.count() == 9
    jobs.run_evaluation(0)


def test_a_stalled_run_begins_anew(done: EvaluationRun):
    old = timezone.now() - timedelta(minutes=3)
    EvaluationRun.objects.filter(pk=done.pk).update(state=State.RUNNING, heartbeat=old)
    done.refresh_from_db()
    assert done.is_stalled
    jobs.run_evaluation(done.pk)
    assert done.results.count() == 9


def test_one_that_waits_long_may_be_queued_again(queued: EvaluationRun):
    assert not queued.may_start_again
    queued.heartbeat = timezone.now() - timedelta(minutes=3)
    assert (queued.may_start_again, queued.is_stalled) == (True, False)


def test_a_running_one_is_left_to_its_worker(queued: EvaluationRun):
    EvaluationRun.objects.filter(pk=queued.pk).update(state=State.RUNNING)
    jobs.run_evaluation(queued.pk)
    assert queued.results.count() == 0


def test_a_repository_that_is_not_here_ends_the_run_in_words(db):
    row = {**ROW, "repository": "us/gone", "commit": "c" * 40}
    run = evaluations.new_run(name="", source="q.jsonl", text=lines(row))
    jobs.run_evaluation(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (State.FAILED, "us/gone is not indexed here.")
    assert run.name == "q.jsonl"


def test_a_commit_that_is_not_indexed_is_named(lib: Repository):
    with pytest.raises(SourceMissing, match="lib is not indexed at the commit cccccccc"):
        evaluations.scope_at("lib", "c" * 40)


def test_a_fault_of_ours_is_a_state_too(queued: EvaluationRun, monkeypatch: pytest.MonkeyPatch):
    def broken(_run: EvaluationRun) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(evaluations, "carry_out", broken)
    with pytest.raises(ZeroDivisionError):
        jobs.run_evaluation(queued.pk)
    queued.refresh_from_db()
    assert (queued.state, queued.error) == (
        State.FAILED,
        "Something went wrong (ZeroDivisionError).",
    )


def test_unreadable_questions_make_no_run(db):
    with pytest.raises(QuestionsUnreadable):
        evaluations.new_run(name="x", source="q.jsonl", text="{}")
    assert not EvaluationRun.objects.exists()


def addresses(run: EvaluationRun) -> list[str]:
    compare = reverse("search:comparison") + f"?before={run.pk}&after={run.pk}"
    return [reverse("search:evaluations"), reverse("search:evaluation", args=[run.pk]), compare]


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
def test_others_may_not_look(queued: EvaluationRun, client_of, who: str, request):
    client = client_of(request.getfixturevalue(who))
    assert [client.get(address).status_code for address in addresses(queued)] == [404] * 3


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
def test_others_may_not_change_anything(queued: EvaluationRun, client_of, who: str, request):
    client = client_of(request.getfixturevalue(who))
    for name in ("search:start_again", "search:delete_evaluation"):
        assert client.post(reverse(name, args=[queued.pk])).status_code == 404
    assert client.post(reverse("search:evaluations"), upload(TEXT)).status_code == 404
    assert EvaluationRun.objects.count() == 1


def test_who_is_not_signed_in_is_asked_to(queued: EvaluationRun, client: Client):
    answers = [client.get(address) for address in addresses(queued)]
    assert [one.headers["Location"].partition("?")[0] for one in answers] == ["/sign-in"] * 3


def test_administrators_see_runs_and_a_chart_with_words(admin: Client, done: EvaluationRun):
    page = admin.get(reverse("search:evaluations")).content.decode()
    assert 'role="img"' in page
    assert "first: recall 0.500. " in page
    assert 'style="' not in page


def test_without_runs_the_page_says_how_to_begin(admin: Client):
    page = admin.get(reverse("search:evaluations"), {"questions": "nonsense"}).content.decode()
    assert "Upload questions whose files you know." in page


def test_an_upload_is_queued_for_a_worker(admin: Client, administrator: User, monkeypatch):
    jobs_given: list[tuple[object, ...]] = []
    monkeypatch.setattr(evaluations, "async_task", lambda *job, **_: jobs_given.append(job))
    answer = admin.post(reverse("search:evaluations"), upload(TEXT))
    run = EvaluationRun.objects.get()
    assert answer.headers["Location"] == reverse("search:evaluation", args=[run.pk])
    assert jobs_given == [("search.jobs.run_evaluation", run.pk)]
    assert (run.name, run.person, run.state) == ("mine", administrator, State.QUEUED)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff\xfe", "not UTF-8"),
        ("{}", "line 1: not a question"),
        (lines(NOBODY), "no question with a known file"),
        (lines(ROW, ROW), "the same id"),
        (lines({**ROW, "question": "\0"}), "NUL character"),
        (b" " * 4_200_000, "larger than 4 MiB"),
        ("\n".join([json.dumps(ROW)] * 2_001), "more than 2,000"),
    ],
)
def test_files_that_are_refused_say_why(admin: Client, text: str | bytes, message: str):
    answer = admin.post(reverse("search:evaluations"), upload(text))
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not EvaluationRun.objects.exists()


def test_the_questions_of_a_run_the_worst_first(admin: Client, done: EvaluationRun):
    page = admin.get(reverse("search:evaluation", args=[done.pk])).content.decode()
    hard, store = page.index("zebra &lt;b&gt;stripes"), page.index("Which class keeps")
    assert hard < store
    assert "<b>stripes" not in page


def test_the_page_says_what_was_measured_with(admin: Client, done: EvaluationRun):
    page = admin.get(reverse("search:evaluation", args=[done.pk])).content.decode()
    assert "k1 1.5, b 0.75" in page.replace("b 0.75, k1 1.5", "k1 1.5, b 0.75")


def test_an_unknown_channel_shows_the_fused_one(admin: Client, done: EvaluationRun):
    page = admin.get(reverse("search:evaluation", args=[done.pk]), {"channel": "x"})
    assert page.context["channel"] == "fused"


def test_a_queued_run_tells_how_far_it_is(admin: Client, queued: EvaluationRun):
    page = admin.get(reverse("search:evaluation", args=[queued.pk])).content.decode()
    assert "0 of 3 questions asked." in page


def test_two_runs_side_by_side(admin: Client, done: EvaluationRun):
    second = evaluations.new_run(name="second", source="q.jsonl", text=TEXT)
    jobs.run_evaluation(second.pk)
    second.results.filter(question_id="store").update(reciprocal_rank=0.5, line_hit=0.0)
    query = {"before": done.pk, "after": second.pk}
    page = admin.get(reverse("search:comparison"), query).content.decode()
    assert "MRR fell by 0.250, from 0.500 to 0.250" in page
    assert 'Worse <span class="quiet">1</span>' in page


def test_runs_without_a_common_question_say_so(admin: Client, done: EvaluationRun):
    empty = evaluations.new_run(name="", source="other", text=lines({**ROW, "id": "other"}))
    page = admin.get(reverse("search:comparison"), {"before": done.pk, "after": empty.pk})
    assert "no question in common" in page.content.decode()
    assert "different files of questions" in page.content.decode()


@pytest.mark.parametrize("query", [{}, {"before": "1"}, {"before": "x", "after": "9" * 30}])
def test_comparing_needs_two(admin: Client, query: dict[str, str]):
    page = admin.get(reverse("search:comparison"), query, follow=True)
    assert "Choose two evaluations." in page.content.decode()


def test_a_failed_run_can_be_started_again(admin: Client, queued: EvaluationRun, monkeypatch):
    monkeypatch.setattr(evaluations, "async_task", lambda *_, **__: None)
    evaluations.fail(queued, "no")
    admin.post(reverse("search:start_again", args=[queued.pk]))
    queued.refresh_from_db()
    assert (queued.state, queued.error) == (State.QUEUED, "")


def test_a_run_is_deleted_with_its_results(admin: Client, done: EvaluationRun):
    admin.post(reverse("search:delete_evaluation", args=[done.pk]))
    assert not EvaluationRun.objects.exists()
    assert admin.get(reverse("search:evaluation", args=[done.pk])).status_code == 404


def test_the_page_shows_right_and_wrong_abstentions_together(admin: Client, done: EvaluationRun):
    page = admin.get(reverse("search:evaluation", args=[done.pk])).content.decode()
    assert "Without an answer: abstaining is right" in page
    assert (
        page.index("abstaining is right")
        < page.index("1.000</td>")
        < page.index("abstaining is wrong")
        < page.index("0.500</td>")
    )
    assert "1 question judged wrongly" in page
    assert "zebra &lt;b&gt;stripes&lt;/b&gt;" in page
    assert "abstained, and has an answer" in page


def test_the_history_shows_abstentions(admin: Client, done: EvaluationRun):
    page = admin.get(reverse("search:evaluations")).content.decode()
    assert "1.000, 0.500" in page
    assert "rightly silent 1.000" in page


def test_without_questions_that_have_no_answer_there_is_no_such_table(
    admin: Client, lib: Repository
):
    run = evaluations.new_run(name="plain", source="q.jsonl", text=lines(ROW))
    jobs.run_evaluation(run.pk)
    page = admin.get(reverse("search:evaluation", args=[run.pk])).content.decode()
    assert "Abstaining" not in page


def test_a_removed_repository_is_forgotten_by_the_first_ten(lib: Repository, index_files):
    other = index_files({"other.py": "def other():\n    return 1\n"}, slug="other")
    questions = [
        {"id": "named", "repository": "lib", "question": "?", "gold_files": ["a.py"]},
        {"id": "all", "repository": "", "question": "?", "gold_files": ["a.py"]},
        {"id": "other", "repository": "other", "question": "?", "gold_files": ["other.py"]},
    ]
    text = "\n".join(json.dumps(one) for one in questions)
    run = evaluations.new_run(name="first", source="q.jsonl", text=text)
    path = File.objects.filter(repository=lib).values_list("path", flat=True)[0]
    for one in questions:
        found = Result(
            id=str(one["id"]), channel="fused", question="?", language="", ranks={}, recall=0,
            hit=0, reciprocal_rank=0, precision=0, line_hit=None, milliseconds=1,
            top=(path, "other.py"),
        )  # fmt: skip
        evaluations.save_results(run, [found])
    remove(lib)
    assert {one.id: one.top for one in evaluations.results_of(run)} == {
        "named": (),
        "all": ("other.py",),
        "other": (path, "other.py"),
    }
    assert other.files.exists()
