"""A provider's vectors in a run, what it refuses, and a change of the model."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from indexing import embed, query_vectors, reembed, vectors
from indexing.models import Embedding, EmbedRefusal, IndexRun, VectorSet
from indexing.query_vectors import Asker, embed_query
from indexing.reembed import catch_up
from indexing.vector_status import vector_lines
from outbound import embedding
from outbound.models import ModelCall, SentLines
from repos import deletion_proof
from repos.models import DeletionRecord
from repos.removal import remove
from tests import factories
from tests.outbound.conftest import host, waits  # noqa: F401 - fixtures
from tests.outbound.modelhost import Step

FILES = {f"f{n}.py": f"def fun{n}():\n    return {n}\n" for n in range(6)}
OLD, NEW = "openai/old-embed", "openai/new-embed"


@pytest.fixture(autouse=True)
def _quick(monkeypatch, here, settings):
    """Every text is a request of its own; nothing is remembered from test to test."""
    settings.EMBEDDING_MODEL = OLD
    monkeypatch.setattr(embedding, "MOST_TEXTS", 1)
    monkeypatch.setattr(query_vectors, "_kept", {})
    monkeypatch.setattr(query_vectors, "_failed", {})


def counts(lib, model):
    return Embedding.objects.filter(repository=lib, model=model).count()


def serving(lib):
    return vectors.serving_models([lib.pk]).get(lib.pk)


def test_a_run_embeds_with_the_provider_and_records_every_line(host, index_files, owner):  # noqa: F811
    lib = index_files(FILES)
    assert (counts(lib, OLD), serving(lib)) == (6, OLD)
    assert vector_lines(lib) == [f"6 of 6 pieces have a vector ({OLD})."]
    assert {call.subject for call in ModelCall.objects.all()} == {"run:lib/1"}
    commit = lib.snapshots.get().commit
    assert sorted(map(str, SentLines.objects.all())) == [
        f"lib f{n}.py:1-2 @ {commit}" for n in range(6)
    ]


def test_what_is_refused_is_counted_shown_and_not_sent_again(host, index_files, client_of, owner):  # noqa: F811
    host.script(*[Step()] * 2, Step(status=400))
    lib = index_files(FILES)
    reason = f"{host.address} refused the request to {OLD}."
    lines = [f"5 of 6 pieces have a vector ({OLD}).", f"1 has none: {reason}"]
    assert vector_lines(lib) == lines
    for address in ("/r/lib/", "/r/lib/runs/1"):
        page = client_of(owner).get(address, follow=True).content.decode()
        assert all(line in page for line in lines), address
    sent = len(host.requests)
    factories.index(lib)
    assert (catch_up(), len(host.requests)) == (0, sent)
    reembed.ask_again(type(lib).objects.all())
    assert catch_up() == 1
    assert (EmbedRefusal.objects.count(), counts(lib, OLD)) == (0, 6)


def test_a_provider_that_fails_is_told_and_what_was_paid_is_kept(host, index_files, waits):  # noqa: F811
    host.script(*[Step()] * 2, Step(status=401))
    lib = index_files(FILES)
    run = lib.runs.get()
    problem = f"{host.address} does not accept the key for {OLD}."
    assert (run.state, run.error_code) == ("done", "no_vectors")
    assert run.error == f"Searchable, but not all vectors are made: {problem}"
    assert vector_lines(lib) == [f"2 of 6 pieces have a vector ({OLD}).", problem]
    assert catch_up() == 0  # left alone for a while
    VectorSet.objects.update(try_again=None)
    assert catch_up() == 1
    assert (counts(lib, OLD), len(host.requests)) == (6, 7)


def test_the_old_vectors_serve_until_the_new_are_complete(host, index_files, settings, monkeypatch):  # noqa: F811
    lib = index_files(FILES)
    settings.EMBEDDING_MODEL = NEW
    assert vector_lines(lib)[1] == f"Waits to be embedded with {NEW}."
    host.dimension = 12
    monkeypatch.setattr(embed, "FETCH", 3)
    host.script(*[Step()] * 3, Step(status=401))
    assert catch_up() == 0
    assert (serving(lib), counts(lib, NEW), counts(lib, OLD)) == (OLD, 3, 6)
    assert vector_lines(lib)[1] == f"Re-embedding with {NEW}, 50 %."
    host.dimension = 8
    (asked,) = query_vectors.query_vectors("how is it done", [lib.pk])
    assert (asked.model, len(asked.vector)) == (OLD, 8)
    host.dimension = 12
    VectorSet.objects.update(try_again=None)
    assert catch_up() == 1
    assert (serving(lib), counts(lib, NEW), counts(lib, OLD)) == (NEW, 6, 0)
    assert vector_lines(lib) == [f"6 of 6 pieces have a vector ({NEW})."]
    assert {one.subject for one in ModelCall.objects.filter(model=NEW)} == {"reembed:lib"}
    assert (vectors.dimension_of(NEW), catch_up()) == (12, 0)


def test_a_model_that_changes_its_dimension_is_not_mixed(host, index_files, tmp_path):  # noqa: F811
    lib = index_files(FILES)
    factories.write_files(tmp_path / "sources/lib", {"g.py": "def g():\n    return 1\n"})
    host.dimension = 9
    run = factories.index(lib)
    assert run.error.endswith("gives vectors of 9 numbers now, and gave 8 before.")
    assert counts(lib, OLD) == 6


def test_a_turn_that_is_over_goes_on_where_it_stood(host, index_files, settings):  # noqa: F811
    lib = index_files(FILES)
    settings.EMBEDDING_MODEL = NEW
    assert catch_up(0.0) == 0
    done = counts(lib, NEW)
    assert 0 < done < 6
    assert catch_up() == 1
    sent = [text for texts in host.texts()[6:] for text in texts]
    assert len(sent) == len(set(sent)) == 6


def test_a_repository_with_a_run_is_left_to_the_run(host, index_files, settings, owner):  # noqa: F811
    lib = index_files(FILES)
    settings.EMBEDDING_MODEL = NEW
    IndexRun.objects.create(repository=lib, number=9, snapshot=9)
    assert list(reembed.behind(NEW)) == []


def test_a_question_without_the_provider_goes_on_and_says_so(host, index_files, waits, owner):  # noqa: F811
    index_files(FILES)
    host.script(Step(status=503))
    asker = Asker(owner)
    assert embed_query("how is it done", asker=asker) is None
    assert asker.remarks == [
        f"Searched without vectors: {host.address} reports an error of its own; try again later."
    ]
    sent = len(host.requests)
    again = Asker(owner)
    assert embed_query("how is it done", asker=again) is None
    assert len(host.requests) == sent
    assert again.remarks == [
        "Searched without vectors: the provider has just failed; it is asked again in a moment."
    ]


def test_a_question_is_paid_once_and_recorded_with_who_asked(host, index_files, owner):  # noqa: F811
    index_files(FILES)
    first = embed_query("how is it done", asker=Asker(owner))
    assert first == embed_query("how is it done", asker=Asker(owner))
    call = ModelCall.objects.get(subject="search")
    assert (call.person, call.purpose, call.repositories) == (owner, "embed", [])


def test_the_command_names_what_it_does(host, index_files, settings):  # noqa: F811
    lib = index_files(FILES)
    settings.EMBEDDING_MODEL = NEW
    out = StringIO()
    call_command("reembed", "lib", "--now", stdout=out)
    assert out.getvalue() == f"1 repositories done with {NEW}.\n"
    assert serving(lib) == NEW
    with pytest.raises(CommandError, match="No repository that can be searched: nobody"):
        call_command("reembed", "nobody")
    settings.EMBEDDING_MODEL = "none"
    with pytest.raises(CommandError, match="there are no vectors to make"):
        call_command("reembed")


def test_a_repository_that_is_removed_meanwhile_leaves_no_vector(host, index_files, monkeypatch):  # noqa: F811
    lib = index_files(FILES)
    Embedding.objects.all().delete()
    embedded = embed._embedded_there

    def removed_meanwhile(rows, sender, sink):
        found = list(embedded(rows, sender, sink))
        remove(lib)
        yield from found

    monkeypatch.setattr(embed, "_embedded_there", removed_meanwhile)
    VectorSet.objects.update(embedded=0)
    assert catch_up() == 0
    assert not Embedding.objects.exists()
    assert deletion_proof.verify(DeletionRecord.objects.get()).holds
