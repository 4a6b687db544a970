"""How the making of a document ends: made, failed with words for people, or to be taken anew."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from answers.exports.rendering import RenderFailed
from indexing.faults import place_of

logger = logging.getLogger(__name__)


class MakingFailed(Exception):
    """A fault of ours; the message names no more than its type and place, since the queue keeps
    it, and the message of the fault may quote the document."""


@contextmanager
def outcome(what: str, fail: Callable[[str], None]) -> Iterator[None]:
    try:
        yield
    except RenderFailed as error:
        fail(str(error))
    except (OperationalError, InterfaceError, KeyboardInterrupt, SystemExit):
        raise  # the claim goes stale, and it can be asked for again
    except BaseException as error:
        name, where = type(error).__name__, place_of(error)
        logger.error("%s failed: %s at %s", what, name, where)
        fail(_("Something went wrong inside Footnote (%s).") % name)
        raise MakingFailed(f"{name} at {where}") from None
