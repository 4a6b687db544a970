"""Jobs of model calls; started by name."""

from compliance.calls import daily


def add_up_days() -> None:
    """Scheduled every hour: days that are over."""
    daily.add_up()
