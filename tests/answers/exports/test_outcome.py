"""A fault while a document is made says nothing of the document: the queue keeps what it says."""

import traceback

import pytest

from answers.exports import making
from answers.exports.jobs import make_export
from answers.exports.models import Export
from answers.exports.outcome import MakingFailed, outcome

pytestmark = pytest.mark.django_db
TEXT = "a line of the document"


def test_a_fault_of_ours_is_named_by_type_and_place_alone(answer, member, monkeypatch, caplog):
    def broken(*_: object, **__: object) -> None:
        raise ValueError(TEXT)

    export = making.ask_for(answer, person=member)
    monkeypatch.setattr("answers.exports.document.as_html", broken)
    with pytest.raises(MakingFailed) as told:
        make_export(export.pk)
    kept = "".join(traceback.format_exception(told.value))
    assert "ValueError at " in kept
    assert TEXT not in kept + caplog.text
    export = Export.objects.get(pk=export.pk)
    assert (export.state, export.error) == (
        "failed", "Something went wrong inside Footnote (ValueError).",
    )  # fmt: skip


@pytest.mark.parametrize("ended", [KeyboardInterrupt, SystemExit])
def test_a_worker_that_is_told_to_stop_leaves_it_to_another(ended):
    told: list[str] = []
    with pytest.raises(ended), outcome("a document", told.append):
        raise ended
    assert told == []
