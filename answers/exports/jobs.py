"""The job that makes a PDF; given an id, safe to run twice or to be killed."""

import logging

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from answers.exports import making
from answers.exports.rendering import RenderFailed

logger = logging.getLogger(__name__)


def make_export(export_id: int) -> None:
    export = making.claim(export_id)
    if export is None:
        return
    try:
        making.carry_out(export)
    except RenderFailed as error:
        making.fail(export, str(error))
    except (OperationalError, InterfaceError):
        raise  # the database is gone: the claim goes stale, and it can be asked for again
    except BaseException as error:
        name = type(error).__name__
        logger.error("export %s failed: %s", export.pk, name)
        making.fail(export, _("Something went wrong inside Footnote (%s).") % name)
        raise
