"""Which snapshots must stay because answers cite lines of them (indexing/retention.py asks)."""

from answers.models import Evidence
from repos.models import Repository


def cited_snapshots(repository: Repository) -> set[int]:
    cited = Evidence.objects.filter(repository=repository, citations__isnull=False)
    return set(cited.values_list("snapshot", flat=True).distinct())
