"""Walks a source and classifies every path in it; no Django, no database.

Bytes are read only where the path alone does not decide; secret files are never opened.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from repos.classify import Classification, Verdict, classify_content, classify_entry
from repos.excludes import Excludes
from repos.git import blob_sha
from repos.sources import UNREAD_SHA, EntryUnreadable, Reader, Source, SourceEntry

IGNORE_FILE = b".footnoteignore"
IGNORE_FILE_MAX_BYTES = 100_000
ATTRIBUTES_FILE = ".gitattributes"
# Postgres cannot index a path beyond 2,704 bytes; git and Linux allow 4,096 and more.
PATH_MAX_BYTES = 2_000
PATH_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class WalkedFile:
    """One path as it will stand in a snapshot; `raw_path` is None where `path` says it all.

    `lines` and `language` are filled for indexed files only. `failure` is a problem that the
    run should name (the file could not be read), or "".
    """

    path: str
    raw_path: bytes | None
    sha: str
    mode: str
    size: int
    classification: Classification
    reason: str
    lines: int = 0
    language: str = ""
    failure: str = ""


# (path, bytes) -> (verdict, lines, language): what reading the text adds. The indexing app
# knows how to decode; this app must not import it.
TextReader = Callable[[str, bytes], tuple[Verdict | None, int, str]]
Known = Mapping[str, WalkedFile]


def walk(
    source: Source,
    *,
    excludes: str,
    max_bytes: int,
    read_text: TextReader,
    known: Known | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[WalkedFile]:
    """Every path of the source, classified.

    `known` are the files of the snapshot before by path: one that is indexed there and has
    the same blob is not read again. `progress` gets (paths done, paths in all).
    """
    entries = source.entries()
    attributes = source.attributes([entry.path for entry in entries])
    with source.reader() as reader:
        rules = Excludes(excludes, _footnoteignore(entries, reader))
        known = known if known and _same_attributes(entries, known) else {}
        one = _Walker(reader, rules, max_bytes, read_text, known)
        for done, entry in enumerate(entries, 1):
            yield one.file(entry, attributes.get(entry.path, {}))
            if progress is not None:
                progress(done, len(entries))


def _same_attributes(entries: Sequence[SourceEntry], known: Known) -> bool:
    """Whether all attribute files are as before: they decide how content is judged."""
    now = {
        (path, entry.sha)
        for entry in entries
        if (path := _as_text(entry.path)).endswith(ATTRIBUTES_FILE)
    }
    return now == {
        (path, file.sha) for path, file in known.items() if path.endswith(ATTRIBUTES_FILE)
    }


def _footnoteignore(entries: Sequence[SourceEntry], reader: Reader) -> str:
    for entry in entries:
        if entry.path == IGNORE_FILE and entry.mode.startswith("100"):
            try:
                data = reader.read(entry, IGNORE_FILE_MAX_BYTES)
            except EntryUnreadable:
                return ""  # the file itself is listed with the reason
            return data.decode("utf-8", "replace")
    return ""


class _Walker:
    def __init__(
        self,
        reader: Reader,
        excludes: Excludes,
        max_bytes: int,
        read_text: TextReader,
        known: Known,
    ) -> None:
        self._reader = reader
        self._excludes = excludes
        self._max_bytes = max_bytes
        self._read_text = read_text
        self._known = known
        self._taken: set[str] = set()

    def file(self, entry: SourceEntry, attributes: Mapping[str, str]) -> WalkedFile:
        path = self._path(entry.path)
        listed = WalkedFile(
            path=path,
            raw_path=None if path.encode("utf-8", "surrogatepass") == entry.path else entry.path,
            sha=entry.sha or UNREAD_SHA,
            mode=entry.mode,
            size=entry.size,
            classification=Classification.INDEXED,
            reason="",
        )
        if len(entry.path) > PATH_MAX_BYTES:
            return _unreadable(listed, f"its path is longer than {PATH_MAX_BYTES:,} bytes")
        # By the name itself: a mark that keeps two names apart must not hide a secret one.
        verdict = self._without_opening(_as_text(entry.path), entry, attributes)
        if verdict is not None:
            reason = f"{verdict.reason} ({entry.note})" if entry.note else verdict.reason
            return replace(
                listed,
                sha=listed.sha if entry.sha else self._hash(entry, verdict.classification),
                classification=verdict.classification,
                reason=reason,
            )
        return self._opened(listed, entry, attributes)

    def _path(self, raw: bytes) -> str:
        """Shown text of a path; bytes that are not UTF-8 are escaped, and no two are equal.

        A path too long for the database is shown by its beginning and a hash.
        """
        path = _as_text(raw)
        if len(raw) > PATH_MAX_BYTES:
            path = f"{path[:PATH_SHOWN_CHARS]}\u2026{blob_sha(raw)[:12]}"
        while path in self._taken:
            folder, slash, name = path.rpartition("/")
            stem, dot, suffix = name.rpartition(".")  # the suffix stays: it names the language
            path = f"{folder}{slash}{stem}\ufffd{dot}{suffix}"
        self._taken.add(path)
        return path

    def _without_opening(
        self, path: str, entry: SourceEntry, attributes: Mapping[str, str]
    ) -> Verdict | None:
        verdict = classify_entry(
            path=path,
            mode=entry.mode,
            size=entry.size,
            attributes=attributes,
            excludes=self._excludes,
            max_bytes=self._max_bytes,
        )
        if verdict is None and entry.ignored_by:
            return Verdict(Classification.IGNORED, f"ignored by {entry.ignored_by}")
        return verdict

    def _hash(self, entry: SourceEntry, classification: Classification) -> str:
        """git's hash of a file that only its name has judged, as a clone would know it.

        Not of secret files, which stay closed, nor of what no commit would hold, nor where
        hashing would mean to read without limit.
        """
        closed = classification in {Classification.SECRET, Classification.IGNORED}
        if closed or entry.problem or entry.size > self._max_bytes:
            return UNREAD_SHA
        try:
            return blob_sha(self._reader.read(entry, self._max_bytes))
        except EntryUnreadable:
            return UNREAD_SHA

    def _opened(
        self, listed: WalkedFile, entry: SourceEntry, attributes: Mapping[str, str]
    ) -> WalkedFile:
        before = self._known.get(listed.path)
        if before is not None and before.sha == entry.sha and before.size == entry.size:
            return replace(before, mode=entry.mode, raw_path=listed.raw_path)
        if entry.problem:
            return _unreadable(listed, entry.problem)
        try:
            data = self._reader.read(entry, self._max_bytes + 1)
        except EntryUnreadable as error:
            return _unreadable(listed, str(error))
        if len(data) > self._max_bytes:  # it grew since it was listed
            return replace(
                listed, classification=Classification.TOO_LARGE, reason="grew while it was read"
            )
        listed = replace(listed, sha=entry.sha or blob_sha(data), size=len(data))
        return self._by_content(listed, data, attributes)

    def _by_content(
        self, listed: WalkedFile, data: bytes, attributes: Mapping[str, str]
    ) -> WalkedFile:
        verdict = classify_content(path=listed.path, data=data, attributes=attributes)
        lines, language = 0, ""
        if verdict.classification is Classification.INDEXED:
            worse, lines, language = self._read_text(listed.path, data)
            verdict = worse or verdict
        return replace(
            listed,
            classification=verdict.classification,
            reason=verdict.reason,
            lines=lines,
            language=language,
        )


def _as_text(path: bytes) -> str:
    return path.decode("utf-8", "backslashreplace")


def _unreadable(listed: WalkedFile, reason: str) -> WalkedFile:
    return replace(listed, classification=Classification.UNDECODABLE, reason=reason, failure=reason)
