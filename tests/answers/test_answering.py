import pytest

from answers import extracting
from answers.answering import QUESTION_CHARS, QuestionRefused, ask
from answers.drafts import Claim, Draft, Kind
from answers.extracting import Written
from answers.gathering import gather
from answers.models import Answer, Citation, Evidence, Question, Statement
from indexing.decode import split_lines
from indexing.models import Content
from repos.models import Repository
from tests.answers.conftest import QUESTION, SESSIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer(till, owner):
    return ask(QUESTION, person=owner, repositories=[till])


def test_answer_is_done_and_says_what_was_searched(answer, till):
    assert answer.state == Answer.State.DONE
    assert answer.model == ""
    assert answer.searched["terms"] == ["session", "load", "sign", "cooki"]
    assert answer.searched["unknown"] == []
    assert answer.searched["channels"]["lexical"] >= 1
    commit = till.snapshots.get().commit
    assert answer.searched["repositories"] == [{"slug": "till", "snapshot": 1, "commit": commit}]


def test_best_evidence_names_the_symbol_of_its_best_lines(answer):
    best = answer.evidence.get(ordinal=1)
    assert (best.path, best.start_line, best.end_line) == ("till/sessions.py", 6, 19)
    assert best.symbol == "CookieSessions.open_session"
    assert best.text == "\n".join(SESSIONS.split("\n")[5:19])
    assert "lexical" in best.channels.split(",")
    assert best.language == "python"


def test_a_short_function_is_quoted_whole_with_its_place(answer):
    first = answer.statements.order_by("ordinal")[0]
    quote = first.citations.get()
    assert (first.text, quote.start_line, quote.end_line) == ("", 9, 15)
    assert quote.quote == "\n".join(SESSIONS.split("\n")[8:15])


def test_every_citation_is_checked_and_stands_in_the_stored_text(answer):
    assert Citation.objects.count() >= 2
    for one in Citation.objects.select_related("evidence"):
        content = Content.objects.get(
            repository=one.evidence.repository, text__startswith='"""Sessions'
        )
        stored = split_lines(content.text)[one.start_line - 1 : one.end_line]
        assert (one.verdict, one.quote) == ("ok", "\n".join(stored))


def test_corrupted_extract_is_never_saved(till, owner, monkeypatch):
    def corrupt(gathered, labels):
        start = gathered.pieces[0].start_line
        claim = Claim(labels[0], start, start, "def open_sesame():")
        return Written(gathered.pieces, (Draft(Kind.EXTRACT, "", [claim]),))

    monkeypatch.setattr(extracting, "write", corrupt)
    answer = ask(QUESTION, person=owner, repositories=[till])
    assert answer.state == Answer.State.ABSTAINED
    assert not Statement.objects.exists()
    assert not Citation.objects.exists()


def test_what_no_line_answers_is_abstained_from(till, owner):
    answer = ask("How are kubernetes pods evicted by kubelet?", person=owner, repositories=[till])
    assert answer.state == Answer.State.ABSTAINED
    assert answer.searched["unknown"] == ["kubernetes", "pods", "evicted", "kubelet"]
    assert not answer.statements.exists()


def test_abstention_shows_the_nearest_lines(till, owner):
    answer = ask(
        "How does kubernetes replicate etcd cookie quorum leases?",
        person=owner,
        repositories=[till],
    )
    assert answer.state == Answer.State.ABSTAINED
    assert 1 <= answer.evidence.count() <= 3
    assert answer.evidence.get(ordinal=1).path == "till/sessions.py"


def test_only_repositories_that_the_person_may_see_are_asked(till, outsider):
    with pytest.raises(QuestionRefused, match="Nothing that you may ask about"):
        ask(QUESTION, person=outsider, repositories=Repository.objects.all())
    assert not Evidence.objects.exists()


def test_several_repositories_are_asked_together(till, shop, member):
    answer = ask("shipping weight of the basket", person=member, repositories=[till, shop])
    assert set(answer.question.repositories.all()) == {till, shop}
    assert answer.evidence.get(ordinal=1).repository == shop


def test_follow_up_joins_its_conversation(answer, till, owner):
    conversation = answer.question.conversation
    ask("coins total", person=owner, repositories=[till], conversation=conversation)
    assert [q.text for q in conversation.questions.all()] == [QUESTION, "coins total"]
    assert conversation.title == QUESTION
    assert conversation.person == owner


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "Type a question"),
        (" \n\t ", "Type a question"),
        ("\x00\x00", "Type a question"),
        ("???", "There is no word"),
        ("🦄🦄 🦄", "There is no word"),
        ("repo:nothing session", "Nothing that you may ask about"),
        ("x" * (QUESTION_CHARS + 1), "10001 characters; 10000 are the most"),
    ],
)
def test_what_is_no_question_is_refused_with_a_reason(till, owner, question, message):
    with pytest.raises(QuestionRefused, match=message):
        ask(question, person=owner, repositories=[till])
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    "question",
    [
        "x " * 5_000,
        "セッションはどう読み込まれますか",
        "Como é que a sessão é lida do cookie assinado?",
        "100% _ ' \" \\ ; DROP TABLE x; --",
        '"no such phrase in here" session',
        "session\x00cookie \ud800",
        "-session -cookie",
        "lang:python",
    ],
)
def test_odd_questions_give_an_answer_or_a_reason(till, owner, question):
    answer = ask(question, person=owner, repositories=[till])
    assert answer.state in {Answer.State.DONE, Answer.State.ABSTAINED}
    assert answer.question.text


def test_quotation_marks_are_emphasis_where_nothing_holds_the_phrase(till, owner):
    question = 'How is the "loaded session" read from the signed cookie?'
    assert ask(question, person=owner, repositories=[till]).state == Answer.State.DONE


def test_long_question_says_that_it_was_cut(till, owner):
    answer = ask(QUESTION + " really" * 400, person=owner, repositories=[till])
    assert answer.searched["notes"] == ["cut"]


def test_answer_in_portuguese_finds_what_is_named(till, owner):
    answer = ask("O que faz open_session?", person=owner, repositories=[till])
    assert answer.evidence.get(ordinal=1).symbol == "CookieSessions.open_session"


def test_words_of_several_repositories_do_not_add_up(till, shop):
    question = "What is the shipping weight of a basket in the signed cookie of a session?"
    together = gather(Repository.objects.all(), question).relevance
    assert together.unknown == ()
    assert 0 < together.known < 1
    assert together.is_enough is False
