"""Folders: where they may lie, what is listed, and reading without following links."""

import os
import socket
from pathlib import Path

import pytest

from repos import folders
from repos.folders import (
    FileUnreadable,
    FolderReader,
    FolderRefused,
    resolve_folder,
    walk_folder,
)


def read_file(folder: Path, path: bytes, max_bytes: int) -> bytes:
    with FolderReader(folder) as reader:
        return reader.read(path, max_bytes)


def _tree(top, files):
    for name, content in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return top


def _kept(top):
    return [entry.path.decode() for entry in walk_folder(top) if not entry.ignored]


def _ignored(top):
    return {entry.path.decode(): entry.ignored_by for entry in walk_folder(top) if entry.ignored}


def test_a_folder_inside_a_root(tmp_path):
    (tmp_path / "code").mkdir()
    assert resolve_folder(f"{tmp_path}/x/../code/", [tmp_path]) == tmp_path / "code"


def test_without_roots_the_message_says_how_to_configure():
    with pytest.raises(FolderRefused, match="FOOTNOTE_FOLDER_ROOTS"):
        resolve_folder("/srv", [])


@pytest.mark.parametrize("text", ["", "code", "../code", "~/code", "/a\x00b"])
def test_only_full_paths(text):
    with pytest.raises(FolderRefused, match="full path"):
        resolve_folder(text, [Path("/srv")])


def test_outside_is_refused_alike_whether_it_exists_or_not(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    for name in ("root2", "missing", "root/../root2"):
        (tmp_path / "root2").mkdir(exist_ok=True)
        with pytest.raises(FolderRefused, match="outside"):
            resolve_folder(f"{tmp_path}/{name}", [root])


def test_a_link_that_leads_out_is_outside(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(FolderRefused, match="outside"):
        resolve_folder(str(root / "link"), [root])


def test_a_root_may_itself_be_a_link(tmp_path):
    (tmp_path / "real" / "code").mkdir(parents=True)
    (tmp_path / "root").symlink_to("real")
    found = resolve_folder(f"{tmp_path}/root/code", [tmp_path / "root"])
    assert found == tmp_path / "real" / "code"


def test_missing_files_and_circles_are_named(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    for name, message in (("gone", "no such file"), ("file", "is a file"), ("loop", "links")):
        with pytest.raises(FolderRefused, match=message):
            resolve_folder(str(tmp_path / name), [tmp_path])


def test_files_come_in_byte_order_with_size_and_mode(tmp_path):
    _tree(tmp_path, {"b.py": "12", "a/z.py": "1", "a.py": ""})
    (tmp_path / "b.py").chmod(0o755)
    listed = [(entry.path, entry.size, entry.mode) for entry in walk_folder(tmp_path)]
    assert listed == [(b"a.py", 0, "100644"), (b"a/z.py", 1, "100644"), (b"b.py", 2, "100755")]


def test_git_folders_are_skipped_at_every_level(tmp_path):
    _tree(tmp_path, {".git/config": "", "sub/.git": "gitdir: x", "sub/a.py": ""})
    assert _kept(tmp_path) == ["sub/a.py"]


def test_links_are_listed_with_their_target_and_not_followed(tmp_path):
    _tree(tmp_path, {"lib/a.py": "1"})
    for name, target in (("lib/up", ".."), ("self", "self"), ("ping", "pong"), ("pong", "ping")):
        (tmp_path / name).symlink_to(target)
    links = {e.path: e.link_target for e in walk_folder(tmp_path) if e.mode == "120000"}
    assert links == {b"lib/up": b"..", b"self": b"self", b"ping": b"pong", b"pong": b"ping"}
    assert len(walk_folder(tmp_path)) == 5


def test_ignore_files_of_all_levels(tmp_path):
    _tree(
        tmp_path,
        {
            ".gitignore": "*.log\r\n!keep.log\r\nbuild/\r\n",
            "web/.gitignore": "/.output\n!extra.log\n",
            **dict.fromkeys(["a.log", "keep.log", "build/x.py", "build/.gitignore"], "!*"),
            **dict.fromkeys(["web/.output/i.js", "web/extra.log", "web/deep/.output"], ""),
        },
    )
    assert _ignored(tmp_path) == {
        "a.log": ".gitignore: *.log",
        "build/x.py": ".gitignore: build/",
        "build/.gitignore": ".gitignore: build/",
        "web/.output/i.js": "web/.gitignore: /.output",
    }


def test_a_file_in_a_closed_folder_cannot_be_taken_back(tmp_path):
    _tree(tmp_path, {".gitignore": "out\n!out/keep.py\n", "out/keep.py": ""})
    assert _ignored(tmp_path) == {"out/keep.py": ".gitignore: out"}


def test_a_mark_before_the_first_pattern_is_skipped(tmp_path):
    _tree(tmp_path, {".gitignore": "\ufeffdraft/\n", "draft/a.py": ""})
    assert _ignored(tmp_path) == {"draft/a.py": ".gitignore: draft/"}


def test_an_ignore_file_that_is_a_link_has_no_say(tmp_path):
    _tree(tmp_path, {"rules": "*.py\n", "a.py": ""})
    (tmp_path / ".gitignore").symlink_to("rules")
    assert _ignored(tmp_path) == {}


def test_names_that_are_not_utf8(tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_text("x")
    assert [entry.path for entry in walk_folder(tmp_path)] == [b"caf\xe9.py"]
    assert read_file(tmp_path, b"caf\xe9.py", 10) == b"x"


def test_pipes_and_sockets_are_reported_and_never_opened(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        problems = {entry.path: entry.problem for entry in walk_folder(tmp_path)}
    reason = "not a regular file: never opened"
    assert problems == {b"pipe": reason, b"sock": reason}


def test_a_folder_that_may_not_be_opened_is_reported(tmp_path, monkeypatch):
    _tree(tmp_path, {"locked/a.py": "", "b.py": ""})
    real_open = os.open

    def guarded(path, *args, **kwargs):
        if path == "locked":
            raise PermissionError(13, "Permission denied")
        return real_open(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", guarded)
    found = {entry.path: entry.problem for entry in walk_folder(tmp_path)}
    assert found == {b"locked": "permission denied", b"b.py": ""}


def test_depth_is_bounded_and_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MAX_DEPTH", 3)
    _tree(tmp_path, {"a/b/c/d.py": "", "a/b/e.py": ""})
    problems = {entry.path: entry.problem for entry in walk_folder(tmp_path)}
    assert problems == {b"a/b/c": "more than 3 folders deep", b"a/b/e.py": ""}


def test_too_many_files(tmp_path):
    _tree(tmp_path, dict.fromkeys("abc", ""))
    with pytest.raises(FolderRefused, match="More than 2 files"):
        walk_folder(tmp_path, max_entries=2)


def test_reading_a_file(tmp_path):
    _tree(tmp_path, {"a/b.py": "text"})
    assert read_file(tmp_path, b"a/b.py", 4) == b"text"


def test_reading_stops_at_the_limit(tmp_path):
    _tree(tmp_path, {"a.py": "12345"})
    with pytest.raises(FileUnreadable, match="more than 4 bytes"):
        read_file(tmp_path, b"a.py", 4)


@pytest.mark.parametrize("path", [b"../x", b"/etc/hosts", b"a/../../x", b"", b"a//b", b"a\x00b"])
def test_reading_stays_inside(tmp_path, path):
    with pytest.raises(FileUnreadable, match="not a path inside"):
        read_file(tmp_path, path, 10)


def test_a_link_swapped_in_after_the_walk_is_not_followed(tmp_path):
    _tree(tmp_path, {"top/dir/a.py": "mine", "other/a.py": "theirs"})
    (tmp_path / "top/dir/a.py").unlink()
    (tmp_path / "top/dir").rmdir()
    (tmp_path / "top/dir").symlink_to("../other")
    (tmp_path / "top/b.py").symlink_to("../other/a.py")
    for path in (b"dir/a.py", b"b.py"):
        with pytest.raises(FileUnreadable):
            read_file(tmp_path / "top", path, 10)


def test_a_pipe_swapped_in_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "a.py")
    with pytest.raises(FileUnreadable, match="not a regular file"):
        read_file(tmp_path, b"a.py", 10)


def test_a_file_that_is_gone(tmp_path):
    with pytest.raises(FileUnreadable, match="no such file"):
        read_file(tmp_path, b"gone.py", 10)


def test_no_descriptor_is_left_open(tmp_path):
    _tree(tmp_path, {f"d{n}/a.py": "" for n in range(20)})
    before = len(list(Path("/proc/self/fd").iterdir()))
    walk_folder(tmp_path)
    read_file(tmp_path, b"d1/a.py", 10)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_reader_goes_up_and_down_and_stays_inside(tmp_path):
    _tree(tmp_path, {"a/b/c.py": "1", "a/d.py": "2", "a.py": "3", "e/b/c.py": "4"})
    paths = [b"a/b/c.py", b"a/d.py", b"gone/x.py", b"a.py", b"e/b/c.py", b"a/b/c.py"]
    before = len(list(Path("/proc/self/fd").iterdir()))
    with FolderReader(tmp_path) as reader:
        found: list[bytes | str] = []
        for path in paths:
            try:
                found.append(reader.read(path, 10))
            except FileUnreadable as error:
                found.append(str(error))
        with pytest.raises(FileUnreadable, match="not a path inside"):
            reader.read(b"a/../a.py", 10)
    assert found == [b"1", b"2", "no such file or directory", b"3", b"4", b"1"]
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_link_swapped_in_beside_the_last_file_is_not_followed(tmp_path):
    _tree(tmp_path, {"top/dir/a.py": "mine", "top/dir/b.py": "mine", "other/b.py": "theirs"})
    with FolderReader(tmp_path / "top") as reader:
        assert reader.read(b"dir/a.py", 10) == b"mine"
        (tmp_path / "top/dir").rename(tmp_path / "gone")
        (tmp_path / "top/dir").symlink_to("../other")
        assert reader.read(b"dir/b.py", 10) == b"mine"  # of the folder that was walked
    with FolderReader(tmp_path / "top") as reader, pytest.raises(FileUnreadable):
        reader.read(b"dir/b.py", 10)
