import pytest

from repos.models import File
from search import names
from search.names import edits, looks_like_path, names_in, path_parts
from search.query import parse_query
from search.scope import Scope, narrow


def found(text: str, scope: Scope) -> list[str]:
    query = parse_query(text)
    rows = names.symbols(names_in(query), narrow(scope, query))
    return [f"{one.path.rpartition('/')[2]}:{one.qualified_name}" for one in rows]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("SessionStore", "sessions.py:SessionStore"),
        ("sessionstore", "sessions.py:SessionStore"),
        ("SessionStroe", "sessions.py:SessionStore"),
        ("SesionStore", "sessions.py:SessionStore"),
        ("Sessions_Store", "sessions.py:SessionStore"),
        ("SessionSt", "sessions.py:SessionStore"),
        ("Servar", "server.py:Server"),
        ("createClinet", "client.ts:createClient"),
        ("get user by id", "sessions.py:get_user_by_id"),
        ("getUserById", "sessions.py:get_user_by_id"),
        ("Worker.run", "server.py:Worker.run"),
        ("Server.run()", "server.py:Server.run"),
        ("Server::run", "server.py:Server.run"),
    ],
)
def test_first_symbol(text: str, first: str, scope: Scope):
    assert found(text, scope)[0] == first


def test_equal_names_by_path_then_line(scope: Scope):
    assert found("run", scope) == ["server.py:Server.run", "server.py:Worker.run"]


def test_similar_names_only_where_nothing_is_named_so(scope: Scope):
    assert found("open_session", scope) == ["sessions.py:SessionStore.open_session"]


def test_kind_and_language_filters(scope: Scope):
    assert found("HttpClient kind:class", scope) == ["client.ts:HttpClient"]
    assert found("HttpClient kind:function", scope) == []
    assert found("HttpClient lang:python", scope) == []


def test_headings_stand_behind_code(scope: Scope):
    assert found("sessions", scope)[-1] == "guide.md:Guide.Sessions"


def test_wildcards_and_marks_are_no_names(scope: Scope):
    assert [found(text, scope) for text in ("%", "_", "a%b", "' OR 1=1 --")] == [[], [], [], []]


def test_a_question_looks_up_its_code_tokens_only():
    query = parse_query("How does the SessionStore class open a new `Server` when it is asked to")
    assert [(name.name, name.fuzzy) for name in names_in(query)] == [
        ("Server", False),
        ("SessionStore", False),
    ]


@pytest.mark.parametrize(
    ("left", "right", "count"),
    [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "xyz", 3)],
)
def test_edits(left: str, right: str, count: int):
    assert edits(left, right) == count


@pytest.mark.parametrize("text", ["src/app.py", "setup.cfg", "a/b", "CHANGES.rst"])
def test_a_path(text: str):
    assert looks_like_path(text) is True


@pytest.mark.parametrize("text", ["/", "Flask.run", "word", "a/b c", "...", ""])
def test_no_path(text: str):
    assert looks_like_path(text) is False


def by_path(text: str, scope: Scope) -> list[int]:
    return [row.file_id for row in names.path(parse_query(text), scope)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("src/app/server.py", "src/app/server.py"),
        ("server.py", "src/app/server.py"),
        ("app/server.py", "src/app/server.py"),
        ("SERVER.PY", "src/app/server.py"),
        ("client", "src/web/client.ts"),
        ("app sessions", "src/app/sessions.py"),
        ("app/sesions.py", "src/app/sessions.py"),
        ("./conf/app.ini", "conf/app.ini"),
    ],
)
def test_first_path(text: str, first: str, scope: Scope, django_assert_max_num_queries):
    file = File.objects.get(path=first)
    with django_assert_max_num_queries(2):
        assert by_path(text, scope)[0] == file.id


def test_words_must_all_be_in_the_path(scope: Scope):
    assert by_path("app zebra", scope) == []


def test_wildcards_in_paths_are_text(scope: Scope):
    assert by_path("a%i/_.py", scope) == []


def test_a_sentence_asks_for_the_paths_it_names():
    query = parse_query("why does the loader in src/app/server.py not stop when it is asked to")
    assert path_parts(query) == (["src/app/server.py"], False)
