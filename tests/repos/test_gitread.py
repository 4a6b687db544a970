"""Reading what is on the disk: exact paths and bytes, and nothing hostile is obeyed."""

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repos.git import (
    BlobReader,
    GitError,
    TreeEntry,
    blob_sha,
    check_attributes,
    head_commit,
    list_tree,
    list_worktree,
    worktree_attributes,
)
from repos.gitread import init_bare
from tests.repos.githost import checkout, commit, git, refusal

ODD_NAMES = ["a b.py", 'quote"d.py', "tab\there.py", "new\nline.py", "back\\slash.py"]
ODD_NAMES += ["-leading.py", "caf\u00e9.md", "\u65e5\u672c.py", "[x]*.py", "50%.py", "colon:12.py"]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "work"


def test_every_path_comes_back_as_git_stores_it(folder):
    head = checkout(folder, dict.fromkeys(ODD_NAMES, "x\n"))
    found = [entry.path.decode() for entry in list_tree(folder / ".git", head)]
    assert sorted(found) == sorted(ODD_NAMES)


def test_paths_that_are_not_utf8_and_differ_by_case(folder):
    (folder / "Lib").mkdir(parents=True)
    for name in (b"latin\xe9.py", b"Lib/a.py", b"lib.py", b"LIB.py"):
        (folder / os.fsdecode(name)).write_text("")
    head = checkout(folder, {})
    found = {entry.path for entry in list_tree(folder / ".git", head)}
    assert found == {b"latin\xe9.py", b"Lib/a.py", b"lib.py", b"LIB.py"}


def test_an_entry_knows_mode_type_hash_and_size(folder):
    head = checkout(folder, {"a.py": "abc\n"})
    (entry,) = list_tree(folder / ".git", head)
    sha = git(folder, "rev-parse", "HEAD:a.py")
    assert entry == TreeEntry("100644", "blob", sha, 4, b"a.py")


def test_links_are_entries_and_are_not_followed(folder):
    folder.mkdir()
    (folder / "loop").symlink_to(".")
    (folder / "out").symlink_to("/etc")
    head = checkout(folder, {"a": ""})
    modes = {entry.path: entry.mode for entry in list_tree(folder / ".git", head)}
    assert modes == {b"a": "100644", b"loop": "120000", b"out": "120000"}
    assert list_worktree(folder) == [b"a", b"loop", b"out"]


@pytest.mark.parametrize("commit_id", ["HEAD", "--help", "main", "", "g" * 40, "0" * 39])
def test_only_full_hashes_are_listed(folder, commit_id):
    checkout(folder, {"a": ""})
    refusal("refused", list_tree, folder / ".git", commit_id)


def test_a_commit_that_is_not_there(folder):
    checkout(folder, {"a": ""})
    assert "cannot be listed" in refusal("broken", list_tree, folder / ".git", "1" * 40)


def test_no_repository_at_all(tmp_path):
    refusal("broken", list_tree, tmp_path, "1" * 40)
    refusal("broken", list_tree, tmp_path / "absent", "1" * 40)


def test_head_and_names_lead_to_commits(folder):
    head = checkout(folder, {"a": ""})
    git(folder, "tag", "-a", "-m", "x", "v1")
    for name in ("HEAD", "main", "refs/heads/main", "v1", head):
        assert head_commit(folder / ".git", name) == head


def test_a_repository_without_commits_is_empty(tmp_path):
    init_bare(tmp_path)
    assert "no commits yet" in refusal("empty", head_commit, tmp_path)


def test_a_name_without_a_commit(folder):
    checkout(folder, {"a": ""})
    refusal("no_such_ref", head_commit, folder / ".git", "absent")
    refusal("refused", head_commit, folder / ".git", "--all")


@given(st.binary(max_size=200))
def test_the_hash_is_gits_own(data):
    assert blob_sha(data) == git(Path("/"), "hash-object", "--stdin", data=data)


# Blobs


def test_blobs_come_back_byte_for_byte(folder):
    folder.mkdir()
    contents = [b"", b"\n", b"no newline", bytes(range(256)) * 500, b"x" * 300_000]
    for number, data in enumerate(contents):
        (folder / f"{number}").write_bytes(data)
    entries = list_tree(folder / ".git", checkout(folder, {}))
    with BlobReader(folder / ".git") as blobs:
        assert [blobs.read(entry.sha, 10**6) for entry in entries] == contents


def test_the_beginning_of_a_blob_and_the_next_one(folder):
    checkout(folder, {"a": "abcdef", "b": "next"})
    with BlobReader(folder / ".git") as blobs:
        assert blobs.read(git(folder, "rev-parse", "HEAD:a"), 3) == b"abc"
        assert blobs.read(git(folder, "rev-parse", "HEAD:b"), 99) == b"next"


def test_a_huge_blob_is_not_read_to_its_end(folder):
    checkout(folder, {"big": "x" * 20_000_000, "b": "next"})
    with BlobReader(folder / ".git") as blobs:
        assert blobs.read(git(folder, "rev-parse", "HEAD:big"), 3) == b"xxx"
        assert blobs.read(git(folder, "rev-parse", "HEAD:b"), 99) == b"next"


@pytest.mark.parametrize("sha", ["1" * 40, "HEAD", "", "a\nb", "--help"])
def test_a_missing_blob_costs_one_error(folder, sha):
    checkout(folder, {"a": "abc"})
    with BlobReader(folder / ".git") as blobs:
        with pytest.raises(GitError):
            blobs.read(sha, 10)
        assert blobs.read(git(folder, "rev-parse", "HEAD:a"), 10) == b"abc"


def test_a_damaged_blob_costs_one_error(folder):
    checkout(folder, {"a": "abc", "b": "good"})
    bad = git(folder, "rev-parse", "HEAD:a")
    file = folder / ".git/objects" / bad[:2] / bad[2:]
    file.chmod(0o600)
    file.write_bytes(b"rubbish")
    with BlobReader(folder / ".git") as blobs:
        with pytest.raises(GitError, match=r"is missing (or damaged|in the repository)"):
            blobs.read(bad, 10)
        assert blobs.read(git(folder, "rev-parse", "HEAD:b"), 10) == b"good"


def test_a_tree_is_not_a_file(folder):
    checkout(folder, {"a": "abc"})
    with BlobReader(folder / ".git") as blobs, pytest.raises(GitError, match="is not a file"):
        blobs.read(git(folder, "rev-parse", "HEAD^{tree}"), 10)


def test_the_reader_leaves_no_process(folder):
    checkout(folder, {"a": "abc"})
    with BlobReader(folder / ".git") as blobs:
        blobs.read(git(folder, "rev-parse", "HEAD:a"), 10)
        process = blobs._process
        assert process is not None
    assert process.returncode is not None


# Attributes

ATTRIBUTES = """\
[attr]made linguist-generated
*.pb.py made
gen/** linguist-generated
gen/keep.py -linguist-generated
vendor/** linguist-vendored=true
dir/ linguist-vendored
"with space/*" linguist-vendored
"""
FILES = {
    ".gitattributes": ATTRIBUTES,
    "a.pb.py": "",
    "gen/x.py": "",
    "gen/keep.py": "",
    "vendor/v.py": "",
    "vendor/own/.gitattributes": "* linguist-vendored=false\n",
    "vendor/own/o.py": "",
    "dir/d.py": "",
    "with space/s.py": "",
    "plain.py": "",
}
EXPECTED = {
    b"a.pb.py": {"linguist-generated": "set"},
    b"gen/x.py": {"linguist-generated": "set"},
    b"gen/keep.py": {"linguist-generated": "unset"},
    b"vendor/v.py": {"linguist-vendored": "true"},
    b"vendor/own/.gitattributes": {"linguist-vendored": "false"},
    b"vendor/own/o.py": {"linguist-vendored": "false"},
    b"with space/s.py": {"linguist-vendored": "set"},
}


def test_attributes_follow_gits_own_rules(folder, tmp_path):
    head = checkout(folder, FILES)
    git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    names = [name.encode() for name in FILES]
    assert check_attributes(tmp_path / "bare.git", head, names) == EXPECTED
    assert check_attributes(folder / ".git", head, names) == EXPECTED


def test_attributes_are_those_of_the_commit_not_of_the_folder(folder):
    head = checkout(folder, {"a.py": "", ".gitattributes": "*.py linguist-generated\n"})
    (folder / ".gitattributes").write_text("")
    assert check_attributes(folder / ".git", head, [b"a.py"]) != {}
    assert worktree_attributes(folder, [b"a.py"]) == {}


def test_a_plain_folder_has_attributes_too(folder):
    folder.mkdir()
    (folder / ".gitattributes").write_text("*.py linguist-vendored\n")
    assert worktree_attributes(folder, [b"x/a.py"]) == {b"x/a.py": {"linguist-vendored": "set"}}


def test_no_index_is_left_in_the_clone(folder, tmp_path):
    head = checkout(folder, {"a": ""})
    git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    check_attributes(tmp_path / "bare.git", head, [b"a"])
    assert not (tmp_path / "bare.git/index").exists()


def test_many_paths_do_not_block(folder):
    head = checkout(folder, {".gitattributes": "* linguist-vendored\n"})
    names = [b"folder/%d/a-rather-long-file-name.py" % n for n in range(40_000)]
    assert len(check_attributes(folder / ".git", head, names)) == 40_000


def test_a_tree_bomb_ends(folder):
    checkout(folder, {"a": "x"})
    tree = git(folder, "rev-parse", "HEAD^{tree}")
    for _ in range(8):
        lines = "".join(f"040000 tree {tree}\td{n}\n" for n in range(10))
        tree = git(folder, "mktree", data=lines.encode())
    bomb = git(folder, "commit-tree", "-m", "bomb", tree)
    with pytest.raises(GitError, match="larger than 1 MiB") as caught:
        list_tree(folder / ".git", bomb, max_bytes=1024**2)
    assert caught.value.code == "too_large"


def test_two_readers_at_once(folder):
    head = checkout(folder, {f"{n}": str(n) * 100 for n in range(50)})
    entries = list_tree(folder / ".git", head)
    results: list[int] = []

    def read_all() -> None:
        with BlobReader(folder / ".git") as blobs:
            results.append(sum(len(blobs.read(entry.sha, 1000)) for entry in entries))

    threads = [threading.Thread(target=read_all) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [sum(entry.size or 0 for entry in entries)] * 2


def test_a_second_commit_keeps_the_first_readable(folder):
    first = checkout(folder, {"a": "1"})
    second = commit(folder, {"a": "2"})
    shas = [list_tree(folder / ".git", head)[0].sha for head in (first, second)]
    with BlobReader(folder / ".git") as blobs:
        assert [blobs.read(sha, 9) for sha in shas] == [b"1", b"2"]
