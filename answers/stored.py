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
/* answers: known symbols; uses symbol_folded */
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
    WHERE lower(replace(y.name, '_', '')) = lower(replace(a.last, '_', ''))
        AND (y.name = a.name OR y.qualified_name = a.name
            OR right(y.qualified_name, length(a.name) + 1) = '.' || a.name))
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


def stored_lines(row: Evidence) -> list[str]:
    """The lines of its file, as they are stored at that snapshot; none where they are gone."""
    file = File.objects.in_snapshot(row.repository_id, row.snapshot).filter(path=row.path).first()
    if file is None:
        return []
    texts = Content.objects.filter(repository=row.repository_id, file_id=file.id)
    return split_lines(texts.values_list("text", flat=True).first() or "")


def stands(quote: str, lines: Sequence[str], start: int, end: int) -> bool:
    """Whether the quote is what stands in these lines, counted from 1."""
    return "\n".join(lines[start - 1 : end]) == quote
