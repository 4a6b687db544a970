"""What becomes of each path: indexed, or left out with a reason a person understands (pure)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from repos import file_kinds, generated_headers
from repos.excludes import Excludes
from repos.secret_files import is_secret_path

DEFAULT_MAX_BYTES = 1024 * 1024
SNIFFED_BYTES = 8_000  # how far git looks for a NUL
LFS_POINTER_MAX_BYTES = 1024  # "must be less than 1024 bytes": Git LFS specification
MINIFIED_MIN_BYTES = 2_000
LONG_LINE = 500


class Classification(StrEnum):
    """How a path is treated; only `indexed` is read, parsed and searched by content."""

    INDEXED = "indexed"
    SECRET = "secret"  # noqa: S105 - a label
    IGNORED = "ignored"
    VENDORED = "vendored"
    GENERATED = "generated"
    MINIFIED = "minified"
    BINARY = "binary"
    TOO_LARGE = "too_large"
    LFS_POINTER = "lfs_pointer"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    UNDECODABLE = "undecodable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A classification and the sentence shown beside it ("" for an ordinary indexed file)."""

    classification: Classification
    reason: str


def classify_entry(
    *,
    path: str,
    mode: str,
    size: int | None,
    attributes: Mapping[str, str],
    excludes: Excludes,
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Verdict | None:
    """The verdict that needs no look inside; None means: open the file.

    `mode` is git's ("100644", "120000", ...); `attributes` are the values of `git check-attr`
    for linguist-vendored and linguist-generated.
    """
    return (
        _by_mode(mode)
        or _by_people(path, excludes)
        or _by_origin(path, attributes)
        or _by_suffix_and_size(path, size, max_bytes)
    )


def classify_content(
    *, path: str, data: bytes, attributes: Mapping[str, str] | None = None
) -> Verdict:
    """The verdict on the bytes of a file that `classify_entry` let through."""
    if not data.strip():
        blank = "blank: no text to index" if data else "empty"
        return Verdict(Classification.INDEXED, blank)
    return (
        _lfs_pointer(data)
        or _binary(path, data)
        or _minified(path, data)
        or _generated_by_header(path, data, attributes or {})
        or Verdict(Classification.INDEXED, "")
    )


def _by_mode(mode: str) -> Verdict | None:
    if mode == "160000":
        return Verdict(Classification.SUBMODULE, "submodule: another repository, not fetched")
    if mode == "120000":
        return Verdict(Classification.SYMLINK, "symbolic link: listed, not followed")
    return None


def _by_people(path: str, excludes: Excludes) -> Verdict | None:
    if secret := is_secret_path(path):
        return Verdict(Classification.SECRET, secret)
    if pattern := excludes.match(path):
        return Verdict(Classification.IGNORED, f"excluded by {pattern}")
    return None


def _by_origin(path: str, attributes: Mapping[str, str]) -> Verdict | None:
    """An attribute, set or unset, beats what the name suggests."""
    vendored = attribute(attributes, "linguist-vendored")
    generated = attribute(attributes, "linguist-generated")
    if vendored:
        return Verdict(Classification.VENDORED, "linguist-vendored in .gitattributes")
    if generated:
        return Verdict(Classification.GENERATED, "linguist-generated in .gitattributes")
    if vendored is None and (reason := file_kinds.vendored_by_name(path)):
        return Verdict(Classification.VENDORED, reason)
    return _generated_by_name(path) if generated is None else None


def _generated_by_name(path: str) -> Verdict | None:
    if reason := file_kinds.minified_by_name(path):
        return Verdict(Classification.MINIFIED, reason)
    if reason := file_kinds.generated_by_name(path):
        return Verdict(Classification.GENERATED, reason)
    return None


def attribute(attributes: Mapping[str, str], name: str) -> bool | None:
    """True for set and =true, False for unset and =false, None where nothing is said."""
    value = attributes.get(name, "unspecified").lower()
    if value in {"unspecified", ""}:
        return None
    return value not in {"unset", "false", "no", "0"}


def _by_suffix_and_size(path: str, size: int | None, max_bytes: int) -> Verdict | None:
    # A small "binary" may be an LFS pointer or empty: only its content tells.
    may_be_pointer = size is not None and size < LFS_POINTER_MAX_BYTES
    if not may_be_pointer and (reason := file_kinds.binary_by_name(path)):
        return Verdict(Classification.BINARY, reason)
    if size is not None and size > max_bytes:
        return Verdict(
            Classification.TOO_LARGE, f"{size:,} bytes, more than the limit of {max_bytes:,}"
        )
    return None


_LFS_VERSION = re.compile(
    rb"version (https://git-lfs\.github\.com/spec/v1|https://hawser\.github\.com/spec/v1"
    rb"|http://git-media\.io/v/2)"
)
_LFS_EXTENSION = re.compile(rb"ext-\d-[A-Za-z0-9.-]+ sha256:[0-9a-f]{64}")
_LFS_OID = re.compile(rb"oid sha256:([0-9a-f]{64})")
_LFS_SIZE = re.compile(rb"size (\d{1,19})")


def _lfs_pointer(data: bytes) -> Verdict | None:
    """A pointer holds its keys in the order of the specification and nothing else."""
    if len(data) >= LFS_POINTER_MAX_BYTES or not data.startswith(b"version "):
        return None
    version, *middle = data.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
    if len(middle) < 2 or not _LFS_VERSION.fullmatch(version):
        return None
    oid, size = _LFS_OID.fullmatch(middle[-2]), _LFS_SIZE.fullmatch(middle[-1])
    if not oid or not size or not all(_LFS_EXTENSION.fullmatch(line) for line in middle[:-2]):
        return None
    reason = f"Git LFS pointer to sha256:{oid[1].decode()}, {int(size[1]):,} bytes, not fetched"
    return Verdict(Classification.LFS_POINTER, reason)


_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF32_MARKS = (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_NOT_IN_TEXT = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1a\x1b")) + b"\x7f"


def _binary(path: str, data: bytes) -> Verdict | None:
    head = data[:SNIFFED_BYTES]
    if reason := file_kinds.binary_by_name(path) or _binary_reason(head):
        return Verdict(Classification.BINARY, reason)
    return None


def _binary_reason(head: bytes) -> str | None:
    if head.startswith(_UTF32_MARKS):
        return "binary: UTF-32 text, which is not read; save it as UTF-8"
    if head.startswith(_UTF16_MARKS):
        return None
    if b"\x00" in head:
        utf16 = min(head[0::2].count(0), head[1::2].count(0)) == 0 and head.count(0) * 3 > len(head)
        hint = ", perhaps UTF-16 without a byte order mark" if utf16 else ""
        return f"binary: NUL bytes in the first {SNIFFED_BYTES:,}{hint}"
    controls = len(head) - len(head.translate(None, _NOT_IN_TEXT))
    return "binary: many control characters" if controls * 10 > len(head) else None


_SOURCE_MAP = re.compile(rb'\s*\{\s*"version"\s*:\s*3\s*,(?=[\s\S]{0,4000}"(sources|mappings)")')


def _minified(path: str, data: bytes) -> Verdict | None:
    if _SOURCE_MAP.match(data) and b'"mappings"' in data:
        return Verdict(Classification.MINIFIED, "source map")
    if not file_kinds.may_be_minified(path) or len(data) < MINIFIED_MIN_BYTES:
        return None
    dense = [line for line in data.split(b"\n") if len(line) > LONG_LINE and _is_dense(line)]
    if 2 * sum(map(len, dense)) <= len(data):
        return None
    longest = max(map(len, dense))
    return Verdict(Classification.MINIFIED, f"minified: a line of {longest:,} bytes of code")


def _is_dense(line: bytes) -> bool:
    """Code without air: a long string, data or prose has few braces or many spaces."""
    marks = len(line) - len(line.translate(None, b"{};()"))
    spaces = line.count(b" ") + line.count(b"\t")
    return marks * 33 > len(line) and spaces * 8 < len(line)


def _generated_by_header(path: str, data: bytes, attributes: Mapping[str, str]) -> Verdict | None:
    if file_kinds.is_prose(path) or attribute(attributes, "linguist-generated") is False:
        return None
    code = not file_kinds.is_settings(path)
    if (number := generated_headers.line_of(data[:SNIFFED_BYTES], code=code)) is not None:
        return Verdict(Classification.GENERATED, f"line {number} says that it is generated")
    return None
