"""The job that makes a report; given an id, safe to run twice or to be killed."""

import logging

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from answers.exports.rendering import RenderFailed
from compliance.reports import making

logger = logging.getLogger(__name__)


def make_report(report_id: int) -> None:
    report = making.claim(report_id)
    if report is None:
        return
    try:
        making.carry_out(report)
    except RenderFailed as error:
        making.fail(report, str(error))
    except (OperationalError, InterfaceError):
        raise  # the database is gone: the claim goes stale, and it can be asked for again
    except BaseException as error:
        name = type(error).__name__
        logger.error("report %s failed: %s", report.pk, name)
        making.fail(report, _("Something went wrong inside Footnote (%s).") % name)
        raise
