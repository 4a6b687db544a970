"""Jobs of the search app; started by name, given ids, safe to run twice or to be killed."""

import logging

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from search import evaluations
from search.channels import QueryTooSlow
from search.evaluate import QuestionsUnreadable
from search.preparing import SourceMissing

logger = logging.getLogger(__name__)


def run_evaluation(run_id: int) -> None:
    """Ask the questions of a kept evaluation; quietly nothing if it is not ours."""
    run = evaluations.claim(run_id)
    if run is None:
        return
    try:
        evaluations.carry_out(run)
    except (SourceMissing, QuestionsUnreadable) as error:
        evaluations.fail(run, str(error))
    except QueryTooSlow:
        evaluations.fail(run, _("A question took too long."))
    except (OperationalError, InterfaceError):
        raise  # the database is gone: the heartbeat stops, and the run can be started again
    except BaseException as error:
        logger.error("evaluation %s failed: %s", run.pk, type(error).__name__)
        evaluations.fail(run, _("Something went wrong (%s).") % type(error).__name__)
        raise
