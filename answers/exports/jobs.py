"""The job that makes a PDF; given an id, safe to run twice or to be killed."""

from functools import partial

from answers.exports import claims, making
from answers.exports.models import Export
from answers.exports.outcome import outcome


def make_export(export_id: int) -> None:
    export = making.claim(export_id)
    if export is None:
        return
    with outcome(f"export {export.pk}", partial(claims.fail, Export.objects.all(), export)):
        making.carry_out(export)
