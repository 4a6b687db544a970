"""Jobs of findings; started by name."""

from compliance.findings import tallies


def recount_findings() -> None:
    """Scheduled every minute: counts that are out of date."""
    tallies.recount()
