"""Embeddings over real HTTP: batches, limits, and what must never happen to a vector."""

from collections.abc import Sequence

import pytest

from outbound import embedding, failures
from outbound.asking import SentRange
from outbound.embedding import embed_batches, embed_query
from outbound.models import ModelCall
from tests.outbound.modelhost import Step, vector_of

pytestmark = pytest.mark.django_db
MODEL = "openai/test-embed"


@pytest.fixture
def embed(owner):
    def run(texts, **options):
        given = {"model": MODEL, "person": owner, "subject": "run:lib/1", **options}
        vectors: dict[int, Sequence[float]] = {}
        refused: dict[int, str] = {}
        cut: set[int] = set()
        for batch in embed_batches(texts, **given):
            assert not set(batch.vectors) & set(vectors)
            vectors.update(batch.vectors)
            refused.update(batch.refused)
            cut |= batch.cut
        assert sorted([*vectors, *refused]) == list(range(len(texts)))
        return vectors, refused, cut

    return run


def test_each_text_has_the_vector_of_that_text(host, embed, waits, monkeypatch):
    monkeypatch.setattr(embedding, "MOST_TEXTS", 2)
    texts = ["one", "two", "three"]
    vectors, _refused, _cut = embed(texts)
    for place, text in enumerate(texts):
        assert vectors[place] == pytest.approx(vector_of(text, 8))
    assert host.texts() == [["one", "two"], ["three"]]


def test_a_batch_is_limited_by_tokens_too(host, embed, monkeypatch):
    monkeypatch.setattr(embedding, "MOST_TOKENS", 10)
    embed(["x" * 24, "y" * 24, "z" * 3])
    assert [len(texts) for texts in host.texts()] == [1, 2]


def test_what_is_sent_is_recorded_line_by_line(host, embed, owner):
    lines = [[SentRange(3, "lib", "c0ffee", "a.py", n, n + 1, "embed")] for n in (1, 5)]
    embed(["one two", "three"], sent=lines)
    call = ModelCall.objects.get()
    assert (call.person, call.purpose, call.subject) == (owner, "embed", "run:lib/1")
    assert (call.state, call.prompt_tokens, call.estimated) == ("done", 3, False)
    assert [(str(one), one.what) for one in call.sent.order_by("ordinal")] == [
        ("lib a.py:1-2 @ c0ffee", "embed"),
        ("lib a.py:5-6 @ c0ffee", "embed"),
    ]


def test_blanks_and_secrets_are_counted_and_never_sent(host, embed):
    secret = "ghp_" + "n0tARealOne" + "8Zq3VxT5yUwK2mB7cL4dF6g"
    vectors, refused, _cut = embed(["", "good", " \n", f"token = '{secret}'"])
    assert list(vectors) == [1]
    assert refused[0] == refused[2] == "nothing but blanks"
    assert refused[3].startswith("line 1 of the text looks like a secret")
    assert host.texts() == [["good"]]


def test_a_full_queue_is_waited_for(host, embed, waits):
    host.script(Step(status=429, headers={"Retry-After": "45"}), Step(status=503))
    assert len(embed(["one"])[0]) == 1
    assert waits[0] == 45
    assert ModelCall.objects.get().retries == 2


def test_a_batch_that_is_too_large_is_halved(host, embed):
    host.most_texts = 2
    assert len(embed(["a", "b", "c", "d", "e"])[0]) == 5
    assert [len(texts) for texts in host.texts()] == [5, 2, 3, 1, 2]


def test_a_text_that_is_too_long_is_cut_until_it_fits_and_named(host, embed):
    host.most_words = 10
    long = " ".join(f"word{n}" for n in range(35))
    vectors, refused, cut = embed(["short", long])
    assert (len(vectors), refused, cut) == (2, {}, {1})
    sent = host.texts()[-1][0]
    assert long.startswith(sent)
    assert len(sent.split()) <= 10
    assert vectors[1] == pytest.approx(vector_of(sent, 8))


def test_what_is_refused_alone_does_not_spoil_its_batch(host, embed):
    host.most_words = 1
    vectors, refused, _cut = embed(["good", "a b c d", "fine"])
    assert sorted(vectors) == [0, 2]
    assert refused == {1: "That is more than openai/test-embed can read at once."}


def spoilt(change):
    def apply(body):
        change(body["data"])
        return body

    return Step(change=apply)


WRONG = [
    (lambda data: data.pop(), "sent 1 vectors for 2 texts."),
    (lambda data: data[0].update(index=1), "sent vectors whose order is not told."),
    (lambda data: data[0].update(embedding=[0.0] * 8), "sent a vector that is none"),
    (lambda data: data[0].update(embedding=[float("nan")] * 8), "sent a vector that is none"),
    (lambda data: data[0].update(embedding=[1.0] * 7), "sent vectors of different lengths."),
    (lambda data: data[0].update(embedding=[1.0] * 4001), "at most 4000 can be stored."),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_wrong_vector_is_never_kept(host, embed, change, message):
    host.script(spoilt(change))
    with pytest.raises(failures.BrokenReply, match=message):
        embed(["one", "two"])
    assert ModelCall.objects.get().failure == "broken_reply"


def test_vectors_in_another_order_are_put_right(host, embed):
    host.script(spoilt(lambda data: data.reverse()))
    vectors = embed(["one", "two"])[0]
    assert vectors[0] == pytest.approx(vector_of("one", 8))


def test_vectors_have_length_one_whatever_the_provider_gives(host, embed):
    host.script(spoilt(lambda data: data[0].update(embedding=[3.0, 4.0])))
    assert embed(["one"])[0][0] == [0.6, 0.8]


def test_what_came_before_a_failure_is_kept(host, owner, waits, monkeypatch):
    monkeypatch.setattr(embedding, "MOST_TEXTS", 1)
    host.script(Step(), Step(status=401))
    batches = embed_batches(["one", "two"], model=MODEL, person=owner, subject="run:lib/1")
    assert list(next(batches).vectors) == [0]
    with pytest.raises(failures.KeyRefused):
        next(batches)
    assert [call.state for call in ModelCall.objects.order_by("pk")] == ["done", "failed"]


def test_a_question_is_asked_once(host, owner, waits):
    assert embed_query("how?", model=MODEL, person=owner, timeout=5) == pytest.approx(
        vector_of("how?", 8)
    )
    host.script(Step(status=503))
    with pytest.raises(failures.ProviderDown):
        embed_query("why?", model=MODEL, person=owner, timeout=5)
    assert (len(host.requests), waits) == (2, [])
    assert {call.subject for call in ModelCall.objects.all()} == {"search"}
