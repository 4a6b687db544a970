import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from django.db import connection

from indexing.models import Chunk, Content, Embedding
from indexing.posting_models import ChunkList
from repos.models import File, Repository
from search import binary, channels
from search import lexical as bm25
from search import literal as as_it_stands
from search.channels import QueryTooSlow, Ranked, bounded
from search.engine import search_in
from search.query import parse_query
from search.retrieval import scope_of
from search.scope import FileKey, Scope, narrow
from tests import factories


def paths(rows: Sequence[Ranked]) -> list[str]:
    """The distinct files of the rows in order."""
    found = {file.id: file.path for file in File.objects.all()}
    return list(dict.fromkeys(found[row.file_id] for row in rows))


def lexical(text: str, scope: Scope) -> list[str]:
    query = parse_query(text)
    return paths(bm25.lexical(query, narrow(scope, query)))


def test_lexical_finds_words_of_an_identifier(scope: Scope):
    assert lexical("get user by id", scope) == ["src/app/sessions.py"]
    assert lexical("getUserById", scope) == ["src/app/sessions.py"]


def test_lexical_ranks_by_rarity(scope: Scope):
    assert lexical("signed cookie", scope)[:2] == ["docs/guide.md", "src/app/sessions.py"]


def test_lexical_score_is_bm25(index_files: Callable[..., Repository]):
    index_files({"a.txt": "zebra zebra yak\n", "b.txt": "yak\n"}, slug="two")
    scope = scope_of(Repository.objects.filter(slug="two"))
    (row,) = bm25.lexical(parse_query("zebra"), scope)
    lengths = {
        chunk.file_id: chunk.length for chunk in Chunk.objects.filter(repository__slug="two")
    }
    average = sum(lengths.values()) / 2
    norm = channels.K1 * (1 - channels.B + channels.B * lengths[row.file_id] / average)
    assert row.score == pytest.approx(math.log(1 + 1.5 / 1.5) * 2 / (2 + norm))


def test_a_term_said_twice_counts_once(index_files: Callable[..., Repository]):
    index_files({"a.txt": "zebra yak\n", "b.txt": "gnu\n"}, slug="two")
    scope = scope_of(Repository.objects.filter(slug="two"))
    (once,) = bm25.lexical(parse_query("zebra"), scope)
    (twice,) = bm25.lexical(parse_query("zebra zebra"), scope)
    assert twice.score == pytest.approx(once.score)


def test_a_file_covers_what_its_chunks_hold_together(index_files: Callable[..., Repository]):
    """Three words of one rarity: two of them in two chunks of one file, one in the other."""
    long = "\n".join(f"filler {number}" for number in range(160))
    texts = {"a.txt": f"zebra\n\n{long}\n\nyak\n", "b.txt": "gnu\n"}
    index_files(texts, slug="two")
    found = bm25.lexical(
        parse_query("zebra yak gnu"), scope_of(Repository.objects.filter(slug="two"))
    )
    assert [(row.path, round(row.covered, 3)) for row in found] == [
        ("b.txt", 0.333),
        ("a.txt", 0.667),
        ("a.txt", 0.667),
    ]


@pytest.mark.parametrize("summed_from", ["postings", "tsvectors"])
def test_a_chunk_holds_what_a_text_needs_alone(
    index_files: Callable[..., Repository], summed_from: str
):
    """The identifier that the two words would make is not needed: they stand apart in c.txt."""
    long = "\n".join(f"filler {number}" for number in range(160))
    texts = {
        "a.txt": f"zebra\n\n{long}\n\nyak\n",
        "b.txt": "zebra_yak\n",
        "c.txt": "a zebra yak\n",
    }
    mine = index_files(texts, slug="two")
    if summed_from == "tsvectors":
        ChunkList.objects.filter(repository=mine).delete()
    found = bm25.lexical(parse_query("zebra yak"), scope_of(Repository.objects.filter(slug="two")))
    rows = sorted((row.path, round(row.held, 3), round(row.covered, 3)) for row in found)
    assert [path for path, _, _ in rows] == ["a.txt", "a.txt", "b.txt", "c.txt"]
    assert [held < 0.9 for _, held, _ in rows] == [True, True, False, False]
    assert [held for _, held, _ in rows][2:] == [1.0, 1.0]
    assert [covered == 1.0 for _, _, covered in rows] == [False, False, True, False]


def test_title_terms_count_more_than_body_terms(index_files: Callable[..., Repository]):
    index_files({"zebra.txt": "yak gnu\n", "b.txt": "zebra gnu\n"}, slug="two")
    scope = scope_of(Repository.objects.filter(slug="two"))
    assert lexical("zebra", scope) == ["zebra.txt", "b.txt"]


def test_unknown_words_find_nothing(scope: Scope):
    assert lexical("qqqq", scope) == []


def test_candidates_are_the_rarest_terms(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bm25, "CANDIDATE_POSTINGS", 10)
    counts = {"rare": 2, "some": 7, "many": 90}
    assert bm25._candidate_terms(["rare", "some", "many"], counts) == ["rare", "some"]
    assert bm25._candidate_terms(["many"], counts) == ["many"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("session lang:python path:tests", ["tests/test_sessions.py"]),
        ("session -lang:python", ["docs/guide.md"]),
        ("session lang:python -path:tests", ["src/app/sessions.py", "src/app/server.py"]),
        ("session kind:heading", ["docs/guide.md"]),
        ("session -assert lang:python", ["src/app/sessions.py", "src/app/server.py"]),
        ("session lang:klingon", []),
    ],
)
def test_filters_only_remove(text: str, found: list[str], scope: Scope):
    everything = lexical("session", scope)
    assert sorted(lexical(text, scope)) == sorted(found)
    assert set(found) <= set(everything)


def literal(text: str, scope: Scope, *, any_case: bool = True) -> list[str]:
    return paths(as_it_stands.literal([text], scope, any_case=any_case))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("15%", ["conf/app.ini"]),
        ("case_1", ["conf/app.ini"]),
        ("C:\\temp", ["conf/app.ini"]),
        ("--release", ["docs/guide.md"]),
        ("%_%", []),
        ("' OR 1=1 --", []),
    ],
)
def test_literal_text_has_no_wildcards(text: str, found: list[str], scope: Scope):
    assert literal(text, scope) == found


def test_literal_in_any_case_or_as_it_stands(scope: Scope):
    assert literal("class server", scope) == ["src/app/server.py"]
    assert literal("class server", scope, any_case=False) == []


def test_literal_of_exact_case_comes_first(index_files: Callable[..., Repository]):
    index_files({"a.txt": "ABC\nABC\n", "b.txt": "abc\n"}, slug="two")
    assert literal("abc", scope_of(Repository.objects.filter(slug="two"))) == ["b.txt", "a.txt"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("straße nach süden", ["b.txt", "a.txt"]),
        ("STRASSE", []),
        ("nach s", ["b.txt", "a.txt"]),
        ("15 % _", ["a.txt"]),
        ("%", ["a.txt"]),
        ("日本", ["b.txt"]),
        ("über", ["a.txt"]),
    ],
)
def test_literal_in_any_case_of_any_alphabet(
    text: str, found: list[str], index_files: Callable[..., Repository]
):
    """Both before the texts are in the trigram index and after it."""
    texts = {"a.txt": "Straße Nach Süden\nÜBER 15 % _\n", "b.txt": "straße nach süden 日本\n"}
    index_files(texts, slug="two")
    scope = scope_of(Repository.objects.filter(slug="two"))
    for entered in (True, False):
        Content.objects.update(trigram_indexed=entered)
        assert literal(text, scope) == found


def test_literal_lines_after_other_alphabets(index_files: Callable[..., Repository]):
    """Letters that are longer or shorter in lower case move no line."""
    filler = "\n".join(f"filler {number} İİİ" for number in range(200))
    index_files({"a.txt": f"{filler}\n\nAbc Ünd\n\n{filler}\n"}, slug="two")
    for text in ("abc", "ünd", "Abc Ünd"):
        hit = search_in(Repository.objects.filter(slug="two"), f'"{text}"').hits[0]
        assert hit.matched_lines == (202,)
        assert any(one.start_line <= 202 <= one.end_line for one in hit.hits), text


def test_a_long_literal_is_found_by_its_beginning_and_compared_to_its_end(
    index_files: Callable[..., Repository],
):
    long = "abc def " * 60
    index_files({"a.txt": f"{long}x\n", "b.txt": f"{long}y\n"}, slug="two")
    scope = scope_of(Repository.objects.filter(slug="two"))
    for any_case in (True, False):
        assert literal(f"{long}y", scope, any_case=any_case) == ["b.txt"]


def test_literal_texts_must_all_be_in_the_file(scope: Scope):
    rows = as_it_stands.literal(["rate = 15%", "yes"], scope, any_case=True)
    assert paths(rows) == ["conf/app.ini"]
    assert as_it_stands.literal(["rate = 15%", "Guide"], scope, any_case=True) == []


def test_holding_needs_all_terms(scope: Scope, lib: Repository):
    server = File.objects.get(path="src/app/server.py")
    held = channels.holding(["port", "listen"], scope, rows=9)
    assert held == [FileKey(lib.pk, server.id)]
    assert channels.holding(["port", "cooki"], scope, rows=9) == []


def test_scope_of_chosen_files(scope: Scope, lib: Repository):
    server = File.objects.get(path="src/app/server.py")
    chosen = replace(scope, only=(FileKey(lib.pk, server.id),))
    assert lexical("session", chosen) == ["src/app/server.py"]


def test_semantic_ranks_by_cosine(scope: Scope, lib: Repository):
    chunks = list(Chunk.objects.order_by("id")[:2])
    for chunk, x in zip(chunks, (0.0, 1.0), strict=True):
        vector = [x, 1.0, *[0.0] * 382]
        Embedding.objects.create(
            repository=lib, model="m", embed_hash=bytes(chunk.embed_hash), vector=vector
        )
    rows = channels.semantic([1.0, 0.0, *[0.0] * 382], "m", scope)
    assert [row.chunk_id for row in rows] == [chunks[1].id, chunks[0].id]
    assert rows[0].score == pytest.approx(math.sqrt(0.5), abs=0.001)
    assert channels.semantic([1.0, *[0.0] * 383], "another", scope) == []


def test_vectors_of_texts_that_are_gone_take_nobodys_place(
    scope: Scope, lib: Repository, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(channels, "SPARE", 0)
    chunk = Chunk.objects.order_by("id")[0]
    for number in range(3):
        vector = [1.0, 0.1 * number, *[0.0] * 382]
        Embedding.objects.create(
            repository=lib, model="m", embed_hash=b"gone" + bytes([number]) * 12, vector=vector
        )
    Embedding.objects.create(
        repository=lib, model="m", embed_hash=bytes(chunk.embed_hash), vector=[1.0] * 384
    )
    rows = channels.semantic([1.0, *[0.0] * 383], "m", scope, rows=1)
    assert [row.chunk_id for row in rows] == [chunk.id]


def test_only_the_files_of_the_snapshot(index_files: Callable[..., Repository], tmp_path, owner):
    repository = index_files({"a.txt": "zebra\n"}, slug="two")
    before = scope_of(Repository.objects.filter(pk=repository.pk))
    factories.write_files(tmp_path / "sources" / "two", {"a.txt": "yak\n", "b.txt": "zebra\n"})
    factories.index(repository)
    after = scope_of(Repository.objects.filter(pk=repository.pk))
    assert (lexical("zebra", before), lexical("zebra", after)) == (["a.txt"], ["b.txt"])
    assert (literal("yak", before), literal("yak", after)) == ([], ["a.txt"])


def test_a_slow_statement_is_stopped(db):
    with pytest.raises(QueryTooSlow), bounded(20):
        channels.run("SELECT pg_sleep(5)", {})


def test_a_slow_stream_is_stopped_and_the_connection_goes_on(db):
    with pytest.raises(QueryTooSlow), bounded(20):
        list(binary.stream_bytes("SELECT 'a'::text FROM generate_series(1, 1000000000)", {}))
    assert channels.run("SELECT 1", {}) == [(1,)]


def test_the_time_limit_ends_with_the_block(db):
    with bounded(1234):
        assert channels.run("SHOW statement_timeout", {}) == [("1234ms",)]
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)
