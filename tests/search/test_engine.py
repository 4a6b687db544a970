from collections.abc import Callable

import pytest

from accounts.models import User
from indexing.query_vectors import QueryVector
from repos.models import Repository
from search import channels, retrieval
from search.engine import SearchResult, search, search_in
from search.query import parse_query
from search.scope import Scope


def find(text: str, **options) -> SearchResult:
    return search_in(Repository.objects.all(), text, **options)


def paths(result: SearchResult) -> list[str]:
    return [hit.path for hit in result.hits]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("SessionStroe", "src/app/sessions.py"),
        ("Worker.run", "src/app/server.py"),
        ("server.py", "src/app/server.py"),
        ("get user by id", "src/app/sessions.py"),
        ("which option of the tool makes a release", "docs/guide.md"),
        ("case_1", "conf/app.ini"),
        ("path: C:\\temp", "conf/app.ini"),
        ("class Server", "src/app/server.py"),
    ],
)
def test_first_file(text: str, first: str, lib: Repository):
    assert paths(find(text))[0] == first


def test_marked_line_symbol_commit_and_channels(lib: Repository):
    hit = find("open_session lang:python -path:tests").hits[0]
    shown = [line for window in hit.windows for line in window.lines]
    marked = {line.number: line.html for line in shown if line.marks}
    assert marked[7] == "    def <mark>open_session</mark>(self, request):"
    assert (hit.line, hit.symbol) == (7, "SessionStore.open_session")
    assert hit.channels == ("symbol", "lexical", "literal")
    assert hit.commit == lib.snapshots.get().commit


@pytest.mark.parametrize(
    ("text", "lines"),
    [("15%", [1]), ("case_1", [3]), ("%", [1]), ("_", [3]), ("\\", [5]), ("path:", [5])],
)
def test_literal_finds_exactly_the_lines(text: str, lines: list[int], lib: Repository):
    result = find(f"{text} path:app.ini", channels=["literal"])
    assert [list(hit.matched_lines) for hit in result.hits] == [lines]


def test_words_as_they_stand_are_found_beside_the_identifier_they_make(
    index_files: Callable[..., Repository],
):
    index_files({"a.txt": "a zebra yak\n", "b.txt": "zebra_yak\n"}, slug="two")
    result = search_in(Repository.objects.filter(slug="two"), "zebra yak")
    assert {hit.path: "literal" in hit.channels for hit in result.hits} == {
        "a.txt": True,
        "b.txt": False,
    }


def test_the_beginning_of_a_word_is_found_as_it_stands(index_files: Callable[..., Repository]):
    """The word is in no text, so no chunk can hold all words; the texts themselves are asked."""
    index_files({"a.txt": "zebra yak\n", "b.txt": "zebra_yaks += 1\n"}, slug="two")
    result = search_in(Repository.objects.filter(slug="two"), "zebra_ya")
    assert [hit.path for hit in result.hits if "literal" in hit.channels] == ["b.txt"]


def test_a_phrase_must_be_in_the_file(lib: Repository):
    result = find('session "signed cookies"')
    assert paths(result) == ["src/app/sessions.py"]
    assert result.hits[0].matched_lines == (5,)


def test_a_missing_phrase_finds_nothing(lib: Repository):
    assert find('session "no such words"').total == 0


def test_excluded_phrase(lib: Repository):
    assert "src/app/sessions.py" in paths(find("session"))
    assert "src/app/sessions.py" not in paths(find('session -"signed cookies"'))


def test_one_channel_alone(lib: Repository):
    result = find("Server", channels=["symbol"])
    assert {hit.channels for hit in result.hits} == {("symbol",)}


def test_pages_hold_every_file_once(lib: Repository):
    everything = paths(find("session", limit=99))
    pages = [paths(find("session", limit=1, offset=n)) for n in range(len(everything))]
    assert [path for page in pages for path in page] == everything


def test_nothing_found_names_the_nearest_symbols(lib: Repository):
    result = find("SessionStor lang:go")
    assert (result.total, result.repositories) == (0, ("lib",))
    assert result.nearest[0].qualified_name == "SessionStore"


def test_repository_filters(lib: Repository):
    assert find("session repo:lib").total > 0
    assert find("session repo:LI").total > 0
    assert find("session repo:other").repositories == ()
    assert find("session -repo:lib").total == 0


def test_only_what_the_person_may_see(lib: Repository, owner: User, member: User, outsider: User):
    totals = [search("session", user=user).total for user in (owner, member, outsider)]
    assert totals[0] == totals[1] > 0
    assert totals[2] == 0


def test_asking_for_a_repository_does_not_open_it(lib: Repository, outsider: User):
    result = search("session repo:lib", user=outsider, repositories=["lib"])
    assert (result.total, result.repositories, result.nearest) == (0, (), ())


def test_an_older_snapshot(lib: Repository):
    commit = lib.snapshots.get().commit
    assert find("session", at=commit[:12]).total == find("session").total


def test_an_unpublished_repository_is_not_searched(lib: Repository):
    Repository.objects.update(published_snapshot=None)
    assert find("session").total == 0


def test_nothing_asked(lib: Repository):
    assert (find("").total, find("lang:python").total) == (0, 0)


def test_a_file_shows_its_three_best_passages(index_files: Callable[..., Repository]):
    """Five places in one file, each further from the next than a passage is long."""
    place = "def zebra_{0}():\n    return {0}\n" + "\n".join(f"# filler {n}" for n in range(80))
    text = "\n\n".join(place.format(number) for number in range(5)) + "\n"
    index_files({"a.py": text}, slug="places")
    (hit,) = search_in(Repository.objects.filter(slug="places"), "zebra").hits
    shown = [line.text for window in hit.windows for line in window.lines]
    assert sum(line.startswith("def zebra_") for line in shown) == 3


def test_meaning_is_no_hit_below_the_floor(scope: Scope, monkeypatch: pytest.MonkeyPatch):
    def near(*args: object) -> list[channels.Ranked]:
        return [channels.Ranked(1, 1, 1, 0.9, "a.py"), channels.Ranked(1, 2, 2, 0.1, "b.py")]

    monkeypatch.setattr(channels, "semantic", near)
    query = parse_query("how are things stored")
    found = retrieval.run_channels(query, scope, {"semantic"}, lambda: [QueryVector("m", [0.0])])
    (row,) = found["semantic"]
    assert (row.path, round(row.score, 9)) == ("a.py", 0.65)
