"""Loads litellm while the web server starts, so that the first search need not wait for it."""

import threading

from django.conf import settings

from outbound import sealing


def is_needed() -> bool:
    """Whether a search may ask a provider; answers are written by the worker."""
    return bool(settings.RERANK_MODEL) or settings.EMBEDDING_MODEL not in {"local", "none"}


def warm() -> None:
    if is_needed():
        threading.Thread(target=sealing.load, name="load-litellm", daemon=True).start()
