"""Jobs of this app; started by name."""

from outbound.recording import close_abandoned


def close_abandoned_calls() -> None:
    """Scheduled every hour: calls whose process died are not running."""
    close_abandoned()
