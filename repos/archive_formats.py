"""Read ZIP and tar archives as a stream of entries; every fault is an ArchiveRefused."""

import bz2
import gzip
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO, RawIOBase
from itertools import count
from pathlib import Path
from typing import IO, cast

from repos.archive_entries import ArchiveEntry, ArchiveRefused, shown

MAX_TAR_HEADER_BYTES = 1024 * 1024
_TAR_BLOCK = 512
_DIRECTORY_SIGNATURE = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

_DAMAGED = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    tarfile.TarError,
    EOFError,
    NotImplementedError,
    OverflowError,
    ValueError,  # UnicodeError too: a name that is not what its flag says
    struct.error,
)


def open_archive(archive: Path, max_entries: int, max_bytes: int) -> Iterator[ArchiveEntry]:
    """The entries in order; each must be read before the next is asked for."""
    with archive.open("rb") as stream:
        head = stream.read(_TAR_BLOCK)
        stream.seek(0)
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            yield from _zip_entries(stream, max_entries)
        else:
            yield from _tar_entries(_tar_stream(stream, head), max_entries, max_bytes)


@contextmanager
def named_faults() -> Iterator[None]:
    """Turn whatever the readers raise about damaged input into ArchiveRefused."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and not isinstance(error, gzip.BadGzipFile):
            raise  # the disk or the system; bz2 and gzip report bad data without a number
        raise _damaged(error) from error
    except _DAMAGED as error:
        raise _damaged(error) from error


def _damaged(error: BaseException) -> ArchiveRefused:
    return ArchiveRefused(
        "damaged",
        f"The archive is damaged or cut short ({error}). Upload it again or pack it again.",
    )


def _zip_entries(stream: IO[bytes], max_entries: int) -> Iterator[ArchiveEntry]:
    # zipfile holds all entries in memory, so they are counted before it sees the file.
    if _count(stream, _DIRECTORY_SIGNATURE, max_entries) > max_entries:
        raise ArchiveRefused.too_many(max_entries)
    with zipfile.ZipFile(stream) as archive:
        infos = archive.infolist()
        _refuse_overlaps(infos)
        for info in infos:
            yield ArchiveEntry(_zip_name(info), _zip_kind(info), partial(_open_zip, archive, info))


def _count(stream: IO[bytes], signature: bytes, enough: int) -> int:
    found, tail = 0, b""
    while found <= enough and (block := stream.read(1024 * 1024)):
        found += (tail + block).count(signature)
        tail = block[1 - len(signature) :]
    stream.seek(0)
    return found


def _refuse_overlaps(infos: list[zipfile.ZipInfo]) -> None:
    """Entries that share compressed bytes are how small bombs grow large."""
    end = 0
    for info in sorted(infos, key=lambda each: each.header_offset):
        if info.header_offset < end:
            raise ArchiveRefused(
                "bomb",
                f"Entry {shown(info.filename)} shares its bytes with another. "
                "Pack the folder again with an ordinary tool.",
            )
        end = info.header_offset + 30 + info.compress_size


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The full name: zipfile cuts at NUL. Without the UTF-8 flag many tools write UTF-8 anyway."""
    name = info.orig_filename
    if info.flag_bits & 0x800 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _zip_kind(info: zipfile.ZipInfo) -> str:
    # The upper half holds the Unix mode whatever system the entry claims to come from.
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "link"
    if info.orig_filename.endswith("/") or kind == stat.S_IFDIR:
        return "folder"
    return "file" if kind in {0, stat.S_IFREG} else "special"


def _open_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    name = shown(info.filename)
    if info.flag_bits & 0x1 or info.flag_bits & 0x40:
        raise ArchiveRefused("encrypted", f"Entry {name} is encrypted. Pack without a password.")
    if info.compress_type not in _METHODS:
        raise ArchiveRefused(
            "unsupported",
            f"Entry {name} uses a rare compression. Pack with the usual one, deflate.",
        )
    return archive.open(info)


class _Bounded(RawIOBase):
    """Counts unpacked bytes, those of entries that are left out included."""

    def __init__(self, source: IO[bytes], max_bytes: int) -> None:
        self._source = source
        self._left = max_bytes
        self._limit = max_bytes
        self.last_block = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveRefused.too_large("the archive", self._limit)
        self.last_block = (self.last_block + data)[-_TAR_BLOCK:]
        return data


class _Header(tarfile.TarInfo):
    """Refuses long-name and pax headers that tarfile would read into memory whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_Header":
        header = super().frombuf(buf, encoding, errors)
        ordinary = header.type in tarfile.REGULAR_TYPES or header.type == tarfile.DIRTYPE
        if not ordinary and header.size > MAX_TAR_HEADER_BYTES:
            raise ArchiveRefused(
                "bomb", f"A header of the archive claims {header.size:,} bytes. Pack again."
            )
        return header


def _tar_stream(stream: IO[bytes], head: bytes) -> IO[bytes]:
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=stream))
    if head.startswith(b"BZh"):
        return cast("IO[bytes]", bz2.BZ2File(stream))
    if head[257:262] == b"ustar":
        return stream
    if head.startswith(b"\xfd7zXZ\x00"):
        raise ArchiveRefused("unsupported", "A .tar.xz is not read. Pack as .zip or .tar.gz.")
    raise ArchiveRefused("not_an_archive", "This is no archive. Upload a .zip, .tar.gz or .tar.")


def _tar_entries(source: IO[bytes], max_entries: int, max_bytes: int) -> Iterator[ArchiveEntry]:
    # Headers and padding come on top of the files' own bytes.
    bounded = _Bounded(source, max_bytes + (max_entries + 40) * 2 * _TAR_BLOCK)
    with _open_tar(bounded) as archive:
        for number in count():
            if (member := archive.next()) is None:
                break
            if number >= max_entries:
                raise ArchiveRefused.too_many(max_entries)
            yield ArchiveEntry(
                member.name, _tar_kind(member), partial(_open_tar_file, archive, member)
            )
            archive.members.clear()  # type: ignore[attr-defined]  # tarfile keeps all headers
    while bounded.read(64 * 1024):
        continue  # to the end, where the checksum of the compression is
    if bounded.last_block.strip(b"\x00"):
        raise tarfile.ReadError("no end mark")


def _open_tar(bounded: _Bounded) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=cast("IO[bytes]", bounded), mode="r|", tarinfo=_Header)
    except tarfile.ReadError as error:
        raise ArchiveRefused(
            "not_an_archive", "There is no tar archive inside. Upload a .zip or .tar.gz."
        ) from error


def _tar_kind(member: tarfile.TarInfo) -> str:
    if member.issym() or member.islnk():
        return "link"
    if member.isdir():
        return "folder"
    return "file" if member.isreg() and not member.issparse() else "special"


def _open_tar_file(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    return archive.extractfile(member) or BytesIO()
