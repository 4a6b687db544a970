"""What the index says of an answer: names of the symbol table, lines as they are stored."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from answers.models import Evidence
from indexing.decode import split_lines
from indexing.models import Content
from repos.models import File
from search.channels import run

MOST_NAMES = 100

SYMBOLS = """
/* answers: known symbols */
WITH scope AS (
    SELECT * FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[])
        AS given(repository_id, snapshot)
), asked AS (
    SELECT name, regexp_replace(name, '^.*[.:#>]', '') AS last
    FROM unnest(%(names)s::text[]) AS given(name)
)
SELECT a.name FROM asked a
WHERE EXISTS (
    SELECT 1 FROM scope
    JOIN indexing_symbol y ON y.repository_id = scope.repository_id
    JOIN repos_file f ON f.repository_id = y.repository_id AND f.id = y.file_id
        AND f.first_snapshot <= scope.snapshot
        AND (f.last_snapshot IS NULL OR f.last_snapshot >= scope.snapshot)
    WHERE y.name LIKE replace(replace(replace(a.last, '\\', '\\\\'), '_', '\\_'), '%%', '\\%%')
        AND (y.name = a.name OR y.qualified_name = a.name
            OR y.qualified_name LIKE '%%.' || replace(replace(
                replace(a.name, '\\', '\\\\'), '_', '\\_'), '%%', '\\%%')))
LIMIT 200"""


@dataclass(frozen=True, slots=True)
class SymbolTable:
    """Which names are symbols of these repositories at these snapshots (pair by pair)."""

    repositories: Sequence[int]
    snapshots: Sequence[int]

    def known(self, names: Collection[str]) -> set[str]:
        """Those that are the name or the qualified name of a symbol, or the end of one."""
        parameters = {
            "repositories": list(self.repositories),
            "snapshots": list(self.snapshots),
            "names": [name for name in names if "\x00" not in name][:MOST_NAMES],
        }
        return {name for (name,) in run(SYMBOLS, parameters)}


def table_of(evidence: Iterable[Evidence]) -> SymbolTable:
    pairs = sorted({(row.repository_id, row.snapshot) for row in evidence})
    return SymbolTable([pair[0] for pair in pairs], [pair[1] for pair in pairs])


def stands_stored(row: Evidence, start: int, end: int, quote: str) -> bool:
    """Whether the file, as it is stored at that snapshot, holds the quote in these lines."""
    file = File.objects.in_snapshot(row.repository_id, row.snapshot).filter(path=row.path).first()
    if file is None:
        return False
    texts = Content.objects.filter(repository=row.repository_id, file_id=file.id)
    text = texts.values_list("text", flat=True).first()
    if text is None:
        return False
    return "\n".join(split_lines(text)[start - 1 : end]) == quote
