"""Archives: what is unpacked, and what is refused with nothing left behind."""

import bz2
import gzip
import io
import stat
import struct
import tarfile
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repos import archives
from repos.archives import ArchiveLimits, ArchiveRefused, unpack

DEFAULTS = ArchiveLimits()


@pytest.fixture
def refused(tmp_path):
    """Unpack bytes that must be refused; gives the refusal after looking for leftovers."""

    def try_unpack(data, limits=DEFAULTS):
        archive = tmp_path / "upload"
        archive.write_bytes(data)
        with pytest.raises(ArchiveRefused) as caught:
            unpack(archive, tmp_path / "out", limits)
        assert [path.name for path in tmp_path.iterdir()] == ["upload"]
        return caught.value

    return try_unpack


@pytest.fixture
def unpacked(tmp_path):
    """Unpack bytes; gives the summary and {path: content}."""

    def do_unpack(data, limits=DEFAULTS):
        archive, out = tmp_path / "upload", tmp_path / "out"
        archive.write_bytes(data)
        summary = unpack(archive, out, limits)
        files = {p.relative_to(out).as_posix(): p for p in out.rglob("*") if p.is_file()}
        return summary, {name: path.read_bytes() for name, path in files.items()}

    return do_unpack


def _zip(*entries, method=zipfile.ZIP_DEFLATED):
    """entries: (name, content) or (name, content, unix mode)."""
    buffer = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch, zipfile.ZipFile(buffer, "w", method) as archive:
        patch.setattr(archive, "_writecheck", lambda _info: None)  # lets doubles through
        for name, content, *mode in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = (mode[0] if mode else 0o100644) << 16
            archive.writestr(info, content)
    return buffer.getvalue()


def _tar(*entries, mode="w:gz"):
    """entries: (name, content) or a ready TarInfo."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for entry in entries:
            info, content = (entry, b"") if isinstance(entry, tarfile.TarInfo) else _file(*entry)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def _file(name, content):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    return info, content


def _special(name, kind, link=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def test_a_single_top_folder_is_stripped(unpacked):
    summary, files = unpacked(_zip(("app-1/", b"", 0o40755), ("app-1/src/a.py", b"x = 1\n")))
    assert files == {"src/a.py": b"x = 1\n"}
    assert (summary.files, summary.bytes, summary.top_folder) == (1, 6, "app-1")


def test_files_beside_a_folder_keep_their_places(unpacked):
    summary, files = unpacked(_zip(("src/a.py", b"a"), ("README.md", b"b")))
    assert set(files) == {"src/a.py", "README.md"}
    assert summary.top_folder == ""


def test_git_and_macos_leftovers_are_left_out(unpacked):
    _, files = unpacked(
        _zip(
            ("app/.git/hooks/post-checkout", b"#!/bin/sh", 0o100755),
            ("__MACOSX/app/._a.py", b"x"),
            ("app/.DS_Store", b"x"),
            ("app/a.py", b"kept"),
        )
    )
    assert files == {"a.py": b"kept"}


def test_written_files_are_private_and_not_executable(tmp_path):
    (tmp_path / "a.zip").write_bytes(_zip(("run.sh", b"x", 0o104755), ("b", b"")))
    unpack(tmp_path / "a.zip", tmp_path / "out", ArchiveLimits())
    assert stat.S_IMODE((tmp_path / "out" / "run.sh").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", ["w:gz", "w", "w:bz2"])
def test_tar_archives(unpacked, mode):
    folder = _special("./app", tarfile.DIRTYPE)
    summary, files = unpacked(_tar(folder, ("./app/a.py", b"1"), ("./app/b/c.py", b"2"), mode=mode))
    assert files == {"a.py": b"1", "b/c.py": b"2"}
    assert summary.top_folder == "app"


@pytest.mark.parametrize("flag", [True, False])
def test_names_in_utf8_with_and_without_the_flag(unpacked, flag):
    data = _zip(("größe.py", b"1"), ("b.py", b"2"), method=zipfile.ZIP_STORED)
    if not flag:
        data = data.replace(b"\x00\x08", b"\x00\x00")
    assert "größe.py" in unpacked(data)[1]


def test_names_in_dos_code_page(unpacked):
    data = _zip(("xQx.py", b"1"), ("b.py", b"2")).replace(b"xQx.py", b"x\x84x.py")
    assert "xäx.py" in unpacked(data)[1]


@pytest.mark.parametrize(
    "name",
    [
        "../out.txt",
        "a/../../out.txt",
        "a/..",
        "/etc/out.txt",
        "C:/out.txt",
        "c:out.txt",
        "..\\out.txt",
        "src\\a.py",
        "a\nb.py",
        "a\x1bb.py",
        "a\x7fb",
        "x" * 256,
        "long/" * 250 + "a",
    ],
)
@pytest.mark.parametrize("pack", [_zip, _tar])
def test_unsafe_names(refused, pack, name):
    refusal = refused(pack(("good.py", b"1"), (name, b"2")))
    assert refusal.code == "unsafe_name"
    assert "Entry" in refusal.message


def test_nul_in_a_name(refused):
    assert refused(_zip(("evilQ.py", b"1")).replace(b"evilQ", b"evil\x00")).code == "unsafe_name"


def test_unsafe_names_are_shown_without_their_control_characters(refused):
    assert '"a\\x1b[2Jb.py"' in refused(_zip(("a\x1b[2Jb.py", b"1"))).message


def test_symbolic_links_in_zip(refused):
    data = _zip(("link", b"/etc", 0o120777), ("link/a.py", b"1"))
    assert refused(data).code == "link"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_links_in_tar(refused, kind):
    assert refused(_tar(("a.py", b"1"), _special("b.py", kind, "a.py"))).code == "link"


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_special_files_in_tar(refused, kind):
    assert refused(_tar(("a.py", b"1"), _special("dev", kind))).code == "special_file"


def test_special_files_in_zip(refused):
    assert refused(_zip(("pipe", b"", 0o010644))).code == "special_file"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a.py", "a.py"),
        ("a.py", "./a.py"),
        ("README.md", "readme.MD"),
        ("Lib/a.py", "lib/b.py"),
        ("caf\u00e9.py", "cafe\u0301.py"),
        ("a", "a/b"),
        ("a/b", "a"),
    ],
)
@pytest.mark.parametrize("pack", [_zip, _tar])
def test_names_that_collide(refused, pack, first, second):
    assert refused(pack((first, b"1"), (second, b"2"))).code == "duplicate_name"


def test_a_repeated_folder_entry_is_harmless(unpacked):
    entries = [_special("s", tarfile.DIRTYPE), _special("s", tarfile.DIRTYPE)]
    assert unpacked(_tar(*entries, ("s/a.py", b"1"), ("b", b"")))[0].files == 2


def test_ratio_of_a_bomb(refused, monkeypatch):
    monkeypatch.setattr(archives, "RATIO_FROM_BYTES", 1_000)
    assert refused(_zip(("zeros", bytes(3_000_000)))).code == "bomb"


def test_small_texts_may_compress_well(unpacked):
    assert unpacked(_zip(("a.txt", b"a" * 500_000)))[0].bytes == 500_000


@pytest.mark.parametrize("pack", [_zip, _tar])
@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (ArchiveLimits(max_entries=2), "too_many_entries"),
        (ArchiveLimits(max_bytes=29), "too_large"),
        (ArchiveLimits(max_file_bytes=19), "too_large"),
        (ArchiveLimits(max_depth=2), "too_deep"),
    ],
)
def test_limits(refused, pack, limits, code):
    data = pack(("a", b"x" * 5), ("b", b"y" * 5), ("c/d/e", b"z" * 20))
    assert refused(data, limits).code == code


def test_sizes_are_counted_not_believed(refused):
    data = _zip(("a.bin", bytes(100_000)))
    lying = data.replace(struct.pack("<I", 100_000), struct.pack("<I", 10))
    assert refused(lying).code in {"damaged", "too_large"}


def test_bytes_of_entries_left_out_count_too(refused):
    data = _tar((".git/huge", bytes(9_000_000)), ("a.py", b"1"))
    assert refused(data, ArchiveLimits(max_entries=10, max_bytes=1_000)).code == "too_large"


def test_entries_that_share_their_bytes(refused):
    data = bytearray(_zip(("a", b"1" * 50), ("b", b"2" * 50), method=zipfile.ZIP_STORED))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 10)
    assert refused(bytes(data)).code == "bomb"


def test_a_tar_header_that_claims_a_gigabyte(refused):
    info = _special("pax", tarfile.XHDTYPE)
    info.size = 1 << 30
    assert refused(gzip.compress(info.tobuf(tarfile.USTAR_FORMAT))).code == "bomb"


def test_encrypted_entries(refused):
    data = bytearray(_zip(("a.py", b"secret")))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refused(bytes(data)).code == "encrypted"


def test_rare_compression(refused):
    assert refused(_zip(("a.py", b"x" * 99), method=zipfile.ZIP_LZMA)).code == "unsupported"


def test_an_archive_without_files(refused):
    assert refused(_zip()).code == "empty"
    assert refused(_zip(("folder/", b"", 0o40755))).code == "empty"


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"%PDF-1.7 " * 200, gzip.compress(b"hi" * 900, mtime=0)]
)
def test_what_is_no_archive(refused, data):
    assert refused(data).code == "not_an_archive"


TEXT = bytes(range(256)) * 40


@pytest.mark.parametrize(
    "whole", [_zip(("a", TEXT)), _tar(("a", TEXT)), _tar(("a", TEXT), mode="w:bz2")]
)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_truncated_archives(refused, whole, share):
    assert refused(whole[: int(len(whole) * share)]).code == "damaged"


@pytest.mark.parametrize("end", [600, 5_000, 512 + len(TEXT)])
def test_truncated_plain_tar(refused, end):
    assert refused(_tar(("a", TEXT), mode="w")[:end]).code == "damaged"


def test_a_flipped_byte_is_noticed(refused):
    data = bytearray(_zip(("a.txt", TEXT), method=zipfile.ZIP_STORED))
    data[200] ^= 1
    assert refused(bytes(data)).code == "damaged"


def test_bad_data_inside_bzip2(refused):
    data = bytearray(bz2.compress(b"x" * 5_000))
    data[20] ^= 0xFF
    assert refused(bytes(data)).code == "damaged"


def test_an_existing_target_is_not_touched(tmp_path):
    (tmp_path / "a.zip").write_bytes(_zip(("a", b"1")))
    (tmp_path / "out").mkdir()
    with pytest.raises(FileExistsError):
        unpack(tmp_path / "a.zip", tmp_path / "out", ArchiveLimits())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_anywhere_is_refused_or_harmless(tmp_path_factory, data):
    whole = bytearray(
        data.draw(st.sampled_from([_zip(("a/b", TEXT)), _tar(("a/b", TEXT), mode="w")]))
    )
    for _ in range(3):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.mktemp("damage")
    (folder / "upload").write_bytes(whole)
    try:
        unpack(folder / "upload", folder / "out", ArchiveLimits())
    except ArchiveRefused:
        assert [path.name for path in folder.iterdir()] == ["upload"]


@pytest.fixture
def checked(tmp_path):
    def check_one(data: bytes) -> ArchiveRefused | None:
        (tmp_path / "archive").write_bytes(data)
        try:
            archives.check(tmp_path / "archive", ArchiveLimits())
        except ArchiveRefused as error:
            return error
        return None

    return check_one


@pytest.mark.parametrize(
    ("name", "code"), [("../out", "unsafe_name"), ("/etc/x", "unsafe_name"), ("a.py", None)]
)
@pytest.mark.parametrize("pack", [_zip, _tar])
def test_the_listing_alone_is_enough_to_refuse(checked, pack, name, code):
    refused = checked(pack((name, b"x = 1\n")))
    assert (refused.code if refused else None) == code


@pytest.mark.parametrize("data", [b"", b"hello", _zip()])
def test_the_check_refuses_what_holds_no_files(checked, data):
    assert checked(data).code in {"not_an_archive", "empty"}
