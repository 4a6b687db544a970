"""Folders with a .git of their own: what is listed, and that nothing in them is obeyed."""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from repos.git import (
    BlobReader,
    GitError,
    check_attributes,
    head_commit,
    list_worktree,
    tree_of_head,
    worktree_attributes,
)
from tests.repos.githost import checkout, git, refusal


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "work"


def test_a_work_tree_is_tracked_plus_untracked_not_ignored(folder):
    checkout(folder, {"build/tool.py": "", ".gitignore": "build/\n*.log\n", "gone.py": ""})
    (folder / "gone.py").unlink()
    for name in ("draft.py", "trace.log", "build/cache.py"):
        (folder / name).write_text("")
    assert list_worktree(folder) == [b".gitignore", b"build/tool.py", b"draft.py"]


def test_a_conflicted_path_is_listed_once(folder):
    checkout(folder, {"a": "1"})
    sha = git(folder, "rev-parse", "HEAD:a")
    stages = "".join(f"100644 {sha} {stage}\ta\n" for stage in (1, 2, 3))
    git(folder, "update-index", "--index-info", data=b"0 " + b"0" * 40 + b"\ta\n" + stages.encode())
    assert list_worktree(folder) == [b"a"]


def test_a_work_tree_without_commits_has_its_files(folder):
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "README.md").write_text("")
    assert list_worktree(folder) == [b"README.md"]
    refusal("empty", tree_of_head, folder)


def test_nested_repositories_are_one_entry(folder):
    checkout(folder, {"a": ""})
    checkout(folder / "nested", {"b": ""})
    assert list_worktree(folder) == [b"a", b"nested"]


def test_the_tree_of_head(folder):
    checkout(folder, {"a": "", "b/c": ""})
    assert [entry.path for entry in tree_of_head(folder)] == [b"a", b"b/c"]


def test_a_folder_of_another_user_can_be_read(folder):
    checkout(folder, {"a": ""})
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    for place, _, files in os.walk(folder):
        for name in ["", *files]:
            os.chown(Path(place, name), 4321, 4321)
    assert list_worktree(folder) == [b"a"]
    assert [entry.path for entry in tree_of_head(folder)] == [b"a"]


# Hostile folders

HOSTILE = """\
[core]
    fsmonitor = {run}
    hooksPath = {hooks}
    sshCommand = {run}
    pager = {run}
    editor = {run}
    askPass = {run}
    worktree = /
    alternateRefsCommand = {run}
    attributesFile = {run}
    excludesFile = {run}
[filter "evil"]
    clean = {run}
    smudge = {run}
    process = {run}
[diff "evil"]
    textconv = {run}
    command = {run}
[alias]
    ls-files = !{run}
    ls-tree = !{run}
[extensions]
    partialClone = evil
[remote "evil"]
    url = ext::{run}
    promisor = true
    uploadpack = {run}
[credential]
    helper = !{run}
[include]
    path = {hooks}/more
"""


@pytest.fixture
def hostile(folder, tmp_path):
    """A checkout whose settings, hooks and attributes all try to make a marker file."""
    checkout(folder, {"a.py": "", ".gitattributes": "* filter=evil diff=evil\n"})
    script = tmp_path / "run"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/marker\n")
    script.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in (
        "post-index-change",
        "post-checkout",
        "reference-transaction",
        "fsmonitor-watchman",
    ):
        shutil.copy(script, hooks / name)
        (folder / ".git/hooks").mkdir(exist_ok=True)
        shutil.copy(script, folder / ".git/hooks" / name)
    (hooks / "more").write_text(f"[core]\n fsmonitor = {script}\n")
    (folder / ".git/config").write_text(HOSTILE.format(run=script, hooks=hooks))
    return folder


def test_nothing_of_a_hostile_git_folder_is_run(hostile, tmp_path):
    git_dir = hostile / ".git"
    assert list_worktree(hostile) == [b".gitattributes", b"a.py"]
    entries = tree_of_head(hostile)
    assert [entry.path for entry in entries] == [b".gitattributes", b"a.py"]
    assert check_attributes(git_dir, head_commit(git_dir), [b"a.py"]) == {}
    assert worktree_attributes(hostile, [b"a.py"]) == {}
    with BlobReader(git_dir) as blobs:
        blobs.read(entries[0].sha, 10)
        with pytest.raises(GitError):
            blobs.read("1" * 40, 10)  # would be asked of the promisor remote
    assert not (tmp_path / "marker").exists()


def test_the_hostile_folder_is_hostile(hostile, tmp_path):
    with suppress(subprocess.CalledProcessError):
        git(hostile, "--git-dir=.git", "--work-tree=.", "status")
    assert (tmp_path / "marker").exists()


def test_a_foreign_index_cannot_name_paths_outside(folder):
    checkout(folder, {"aa/passwd": "", "b": ""})
    index = folder / ".git/index"
    index.write_bytes(index.read_bytes().replace(b"aa/passwd", b"../passwd"))
    (folder.parent / "passwd").write_text("secret")
    assert b"../passwd" in index.read_bytes()
    assert list_worktree(folder) == [b"aa/passwd", b"b"]


def test_a_tracked_folder_that_became_a_link_is_not_entered(folder, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/passwd").write_text("secret")
    checkout(folder, {"etc/passwd": "", "b": ""})
    shutil.rmtree(folder / "etc")
    (folder / "etc").symlink_to(tmp_path / "outside")
    assert list_worktree(folder) == [b"b", b"etc"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("objects/info/alternates", "file"),
        ("commondir", "file"),
        ("objects/pack/x.pack", "link"),
        ("objects/ab/cdef", "link"),
        ("index", "link"),
        ("config", "link"),
        ("HEAD", "pipe"),
    ],
)
def test_a_git_folder_that_leads_elsewhere_is_refused(folder, tmp_path, name, kind):
    checkout(folder, {"a": ""})
    place = folder / ".git" / name
    place.parent.mkdir(exist_ok=True, parents=True)
    place.unlink(missing_ok=True)
    (tmp_path / "other").write_text("x")
    actions: dict[str, Callable[[], object]] = {
        "file": lambda: place.write_text("/elsewhere"),
        "link": lambda: place.symlink_to(tmp_path / "other"),
        "pipe": lambda: os.mkfifo(place),
    }
    actions[kind]()
    assert "leads elsewhere" in refusal("refused", list_worktree, folder)


def test_a_borrowed_git_folder_is_refused(folder, tmp_path):
    checkout(tmp_path / "private", {"secret": "x"})
    folder.mkdir()
    (folder / ".git").write_text(f"gitdir: {tmp_path}/private/.git\n")
    assert "as a plain folder" in refusal("refused", tree_of_head, folder)
    (folder / ".git").unlink()
    (folder / ".git").symlink_to(tmp_path / "private/.git")
    refusal("refused", list_worktree, folder)


def test_a_plain_folder_has_no_git_folder(folder):
    folder.mkdir()
    refusal("refused", list_worktree, folder)
