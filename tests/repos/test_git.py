"""Cloning from a real git host over https: what arrives, and what does not."""

from pathlib import Path

import pytest

from repos.git import Clone, GitError, clone, head_commit, list_refs, list_tree, ls_remote
from tests.repos.githost import checkout, commit, failure, fetch, git


def paths(target: Path, found: Clone) -> list[bytes]:
    return [entry.path for entry in list_tree(target, found.commit)]


def test_the_default_branch_arrives_without_a_work_tree(host, app, target):
    found = fetch(host, target)
    assert found == Clone(git(app, "rev-parse", "HEAD"), "main")
    assert paths(target, found) == [b"a.py", b"src/b.py"]
    assert not (target / "a.py").exists()


def test_only_one_commit_is_fetched(host, app, target):
    commit(app, {"a.py": "a = 2\n"})
    fetch(host, target)
    assert git(target, "rev-list", "--count", "HEAD") == "1"


def test_the_clone_has_no_hooks_and_no_remote(host, app, target):
    fetch(host, target)
    assert not (target / "hooks").exists()
    assert "remote" not in (target / "config").read_text()


@pytest.mark.parametrize(
    "name", ["feature/login", "user/ana/fix#12", "feat+plus/100%", "caf\u00e9"]
)
def test_any_branch(host, app, target, name):
    git(app, "checkout", "-q", "-b", name)
    expected = commit(app, {"only.py": ""})
    assert fetch(host, target, ref=name) == Clone(expected, name)
    assert fetch(host, target, ref=f"refs/heads/{name}") == Clone(expected, name)


@pytest.mark.parametrize("options", [[], ["-a", "-m", "annotated"]])
def test_any_tag(host, app, target, options):
    git(app, "tag", *options, "v1.0")
    expected = git(app, "rev-parse", "HEAD")
    commit(app, {"a.py": "later"})
    assert fetch(host, target, ref="v1.0") == Clone(expected, "v1.0")


def test_a_branch_goes_before_a_tag_of_its_name(host, app, target):
    git(app, "tag", "main")
    expected = commit(app, {"a.py": "later"})
    assert fetch(host, target, ref="main").commit == expected


def test_an_older_commit_by_its_hash(host, app, target):
    older = git(app, "rev-parse", "HEAD")
    commit(app, {"a.py": "later"})
    assert fetch(host, target, ref=older) == Clone(older, older)


def test_fetching_again_brings_what_is_new(host, app, target):
    fetch(host, target)
    expected = commit(app, {"c.py": ""})
    found = fetch(host, target)
    assert found.commit == head_commit(target) == expected
    assert b"c.py" in paths(target, found)


def test_rewritten_history_is_followed(host, app, target):
    commit(app, {"gone.py": ""})
    fetch(host, target)
    git(app, "reset", "-q", "--hard", "HEAD^")
    expected = commit(app, {"other.py": ""})
    assert fetch(host, target).commit == expected


def test_a_failed_fetch_leaves_the_last_one_readable(host, app, target):
    first = fetch(host, target)
    host.status = 500
    with pytest.raises(GitError):
        fetch(host, target)
    assert head_commit(target) == first.commit
    assert paths(target, first) == [b"a.py", b"src/b.py"]


def test_leftovers_of_a_killed_git_do_not_stop_the_next(host, app, target):
    fetch(host, target)
    for name in ("shallow.lock", "HEAD.lock", "objects/pack/tmp_pack_x", "config.lock"):
        (target / name).write_text("")
    expected = commit(app, {"c.py": ""})
    assert fetch(host, target).commit == expected
    assert not (target / "objects/pack/tmp_pack_x").exists()


def test_a_half_made_first_clone_is_taken_up(host, app, target):
    (target / "objects").mkdir(parents=True)
    (target / "HEAD").write_text("ref: refs/heads/main\n")
    assert fetch(host, target).ref == "main"


def test_submodules_are_not_fetched(host, app, target):
    checkout(host.root / "acme/lib", {"x": ""})
    text = f'[submodule "lib"]\n\tpath = lib\n\turl = {host.url("acme/lib")}\n'
    git(app, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},lib")
    (app / ".gitmodules").write_text(text)
    git(app, "add", ".gitmodules")
    git(app, "commit", "-q", "-m", "submodule")
    entries = {entry.path: entry for entry in list_tree(target, fetch(host, target).commit)}
    assert (entries[b"lib"].type, entries[b"lib"].sha) == ("commit", "1" * 40)
    assert not any("acme/lib" in request for request in host.requests)


def test_refs_are_listed_with_annotated_tags_peeled(host, app):
    git(app, "tag", "-a", "-m", "x", "v1")
    head = git(app, "rev-parse", "HEAD")
    refs = ls_remote(host.url("acme/app"), ca_file=host.ca_file)
    assert refs == {"HEAD": head, "refs/heads/main": head, "refs/tags/v1": head}
    names = list_refs(host.url("acme/app"), ca_file=host.ca_file)
    assert names == ["refs/heads/main", "refs/tags/v1"]


def test_progress_is_told_in_numbers(host, app, target):
    commit(app, {f"{n}.txt": str(n) for n in range(300)})
    told: list[tuple[str, int, int]] = []
    fetch(host, target, progress=lambda *step: told.append(step))
    assert told[-1] == ("Receiving objects", 305, 305)


def test_a_server_that_knows_full_names_only(host, target):
    checkout(host.root / "acme/lib.git", {"x": ""})
    host.full_names_only = True
    assert fetch(host, target, "acme/lib").ref == "main"


def test_the_address_that_was_checked_is_the_one_that_is_used(host, app, target):
    url = f"https://pinned.example.test:{host.port}/acme/app"
    assert clone(url, target, ca_file=host.ca_file, addresses=["127.0.0.1"]).ref == "main"


def raw_commit(folder: Path, tree: bytes, author: str = "Ana <ana@example.test> 1700000000 +0000"):
    """A repository whose branch main holds hand-made objects."""
    checkout(folder, {"a": "x"})
    blob = bytes.fromhex(git(folder, "rev-parse", "HEAD:a"))
    store = ["hash-object", "-w", "--stdin", "--literally", "-t"]
    made = git(folder, *store, "tree", data=tree.replace(b"<blob>", blob))
    text = f"tree {made}\nauthor {author}\ncommitter {author}\n\nold\n"
    git(folder, "update-ref", "refs/heads/main", git(folder, *store, "commit", data=text.encode()))


def test_harmless_faults_of_old_histories_are_tolerated(host, target):
    raw_commit(host.root / "old", b"0100644 a\0<blob>")
    assert fetch(host, target, "old").ref == "main"


def test_odd_names_and_dates_of_old_histories_are_tolerated(host, target):
    raw_commit(host.root / "old", b"100644 a\0<blob>", "Ana<ana@example.test>1700000000 +0000")
    assert fetch(host, target, "old").ref == "main"


@pytest.mark.parametrize("name", [b"..", b".git", b".GIT"])
def test_dangerous_names_in_trees_are_refused(host, target, name):
    raw_commit(host.root / "bad", b"100644 " + name + b"\0<blob>")
    error = failure(host, target, "bad")
    assert error.code == "broken"
    assert "damaged or unsafe" in str(error)
