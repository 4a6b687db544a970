from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from indexing.models import Content
from repos.models import Repository
from search import exact
from search.channels import QueryTooSlow
from search.exact import Cursor, CursorRefused, Slice, Stopped, cursor_of, look, slices
from search.exact_query import ExactQuery, parse_exact

Found = dict[str, tuple[int, ...]]


def asked(text: str) -> ExactQuery:
    query = parse_exact(text)
    assert query is not None
    return query


def found(one: Slice) -> Found:
    return {f"{hit.repository}:{hit.path}": hit.lines for hit in one.hits}


def search(text: str, user: User) -> Found:
    return found(look(asked(text), user=user))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (r"/class \w+Store/", {"lib:src/app/sessions.py": (4,)}),
        (
            r"/^class /",
            {"lib:src/app/server.py": (4, 10), "lib:src/app/sessions.py": (4,)},
        ),
        (r"/^CLASS worker/i", {"lib:src/app/server.py": (10,)}),
        (r"/^CLASS worker/", {}),
        (r"/^CLASS worker/ case:no", {"lib:src/app/server.py": (10,)}),
        (r"/return \d+$/", {"lib:src/app/server.py": (12,)}),
        (r'"class server"', {"lib:src/app/server.py": (4,)}),
        (r'"class server" case:yes', {}),
        (r'"class Server" case:yes', {"lib:src/app/server.py": (4,)}),
        ('"15%"', {"lib:conf/app.ini": (1,)}),
        (r"/\\temp/", {"lib:conf/app.ini": (5,)}),
        (r"/case_./ /rate/", {"lib:conf/app.ini": (1, 2, 3)}),
        (r"/case_./ /zebra/", {}),
        ("/qqqq/", {}),
    ],
)
def test_lines_by_file_in_order_of_path(text: str, lines: Found, lib: Repository, owner: User):
    assert list(search(text, owner).items()) == list(lines.items())


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ("path:tests", ["lib:tests/test_sessions.py"]),
        ("-path:tests -lang:markdown", ["lib:src/app/server.py", "lib:src/app/sessions.py"]),
        ("lang:markdown", ["lib:docs/guide.md"]),
        ("repo:lib lang:md", ["lib:docs/guide.md"]),
        ("repo:nothing", []),
        ("-repo:lib", []),
        ("-assert lang:python", ["lib:src/app/server.py", "lib:src/app/sessions.py"]),
    ],
)
def test_filters_only_remove(filters: str, paths: list[str], lib: Repository, owner: User):
    whole = search("/[Ss]ession/", owner)
    narrowed = search(f"/[Ss]ession/ {filters}", owner)
    assert list(narrowed) == paths
    assert all(whole[path] == lines for path, lines in narrowed.items())


def test_kind_keeps_the_lines_that_name_one(lib: Repository, owner: User):
    assert search("/session/ kind:heading", owner) == {"lib:docs/guide.md": (7,)}
    assert "lib:docs/guide.md" not in search("/session/ -kind:heading", owner)


def test_owner_member_outsider(lib: Repository, owner: User, member: User, outsider: User):
    for person, paths in ((owner, 1), (member, 1), (outsider, 0)):
        one = look(asked("/SessionStore:/"), user=person)
        assert (one.files, one.repositories) == (paths, ("lib",) * paths)


def test_what_is_not_in_the_trigram_index_yet_is_found(lib: Repository, owner: User):
    assert set(Content.objects.values_list("trigram_indexed", flat=True)) == {True}
    Content.objects.update(trigram_indexed=False)
    assert search("/class SessionStore/", owner) == {"lib:src/app/sessions.py": (4,)}


def test_windows_have_real_numbers_and_marks(lib: Repository, owner: User):
    (hit,) = look(asked(r"/def open_\w+/"), user=owner).hits[:1]
    (window,) = hit.windows
    marked = [(line.number, line.marks) for line in window.lines if line.marks]
    assert (hit.path, marked) == ("src/app/sessions.py", [(7, ((4, 20),))])
    assert window.start <= 7 <= window.end


def many(index_files: Callable[..., Repository], files: int, lines: int) -> None:
    names = [f"f{number:03}.txt" for number in range(files)]
    index_files(dict.fromkeys(names, "needle here\nhay\n" * lines), slug="many")


def test_slices_go_on_where_the_one_before_ended(
    index_files: Callable[..., Repository], owner: User
):
    many(index_files, 45, 2)
    all_slices = list(slices(Repository.objects.all(), asked("/needle/")))
    assert [len(one.hits) for one in all_slices] == [20, 20, 5]
    paths = [hit.path for one in all_slices for hit in one.hits]
    assert paths == [f"f{number:03}.txt" for number in range(45)]
    assert [(one.lines, one.files, one.left) for one in all_slices] == [
        (40, 20, 25), (80, 40, 5), (90, 45, 0)
    ]  # fmt: skip


def test_only_the_first_slice_asks_the_index(index_files: Callable[..., Repository], owner: User):
    many(index_files, 45, 1)
    with CaptureQueriesContext(connection) as captured:
        first = list(slices(Repository.objects.all(), asked("/needle/")))
    assert len(first) == 3
    assert sum("search: sift" in one["sql"] for one in captured) == 1


def test_what_was_kept_is_asked_anew_where_others_may_be_seen(
    index_files: Callable[..., Repository], owner: User, outsider: User
):
    many(index_files, 25, 1)
    one = look(asked("/needle/"), user=owner)
    assert one.more is not None
    assert look(asked("/needle/"), user=outsider, after=one.more).hits == ()
    index_files({"z.txt": "needle\n"}, slug="new")
    later = found(look(asked("/needle/"), user=owner, after=one.more))
    assert (len(later), later["new:z.txt"]) == (6, (1,))


def test_a_slice_ends_in_time(
    index_files: Callable[..., Repository], owner: User, monkeypatch: pytest.MonkeyPatch
):
    many(index_files, 5, 1)
    monkeypatch.setattr(exact, "SLICE_SECONDS", 0)
    one = look(asked("/needle/"), user=owner)
    assert (one.files, one.left, one.stopped) == (1, 4, None)
    assert one.more is not None
    assert list(found(look(asked("/needle/"), user=owner, after=one.more))) == ["many:f001.txt"]


def test_the_whole_search_ends_in_time_with_what_was_found(
    index_files: Callable[..., Repository], owner: User, monkeypatch: pytest.MonkeyPatch
):
    many(index_files, 30, 1)
    monkeypatch.setattr(exact, "TOTAL_SECONDS", 0)
    one = look(asked("/needle/"), user=owner)
    assert (one.files, one.left, one.stopped, one.more) == (20, 10, Stopped.TIME, None)


def test_counting_ends_at_the_cap(
    index_files: Callable[..., Repository], owner: User, monkeypatch: pytest.MonkeyPatch
):
    many(index_files, 3, 6)
    monkeypatch.setattr(exact, "MAX_LINES", 10)
    one = look(asked("/needle/"), user=owner)
    assert (one.lines, one.files, one.stopped, one.more) == (10, 2, Stopped.LINES, None)


def test_a_statement_that_is_too_slow_ends_the_search(
    lib: Repository, owner: User, monkeypatch: pytest.MonkeyPatch
):
    def slow(*_: object) -> None:
        raise QueryTooSlow

    monkeypatch.setattr(exact, "_with_texts", slow)
    one = look(asked("/session/"), user=owner)
    assert (one.files, one.stopped) == (0, Stopped.TIME)


def test_too_many_candidates_are_looked_at_in_order(
    lib: Repository, owner: User, monkeypatch: pytest.MonkeyPatch
):
    before = search("/[Ss]ession/", owner)
    monkeypatch.setattr(exact, "CANDIDATES", 1)
    assert search("/[Ss]ession/", owner) == before
    assert look(asked("/[Ss]ession/"), user=owner).looked == 6


def test_repositories_come_in_order_of_slug(index_files: Callable[..., Repository], owner: User):
    for slug in ("zoo", "ape", "Mid"):
        index_files({"b.txt": "needle\n", "a.txt": "needle\n"}, slug=slug)
    made = Repository.objects.filter(name__in=["zoo", "ape", "Mid"])
    slugs = list(made.order_by("slug").values_list("slug", flat=True))
    paths = [f"{slug}:{name}.txt" for slug in slugs for name in "ab"]
    assert list(search("/needle/", owner)) == paths


def test_a_token_is_signed():
    cursor = Cursor("lib", "a b.txt", 3, 2, 9, 120)
    assert cursor_of(cursor.token()) == cursor
    for wrong in ("", "x", cursor.token()[:-1], cursor.token() + "x"):
        with pytest.raises(CursorRefused):
            cursor_of(wrong)


def test_a_repository_that_is_gone_is_passed_over(lib: Repository, owner: User):
    for slug, files in (("aaa", 3), ("zzz", 0)):
        one = look(asked("/[Ss]ession/ -path:docs"), user=owner, after=Cursor(slug, "x"))
        assert len(one.hits) == files
