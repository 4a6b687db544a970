"""What an answer says about itself: on the page, in Markdown and in a terminal."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from answers.checking import Reason
from answers.chosen import CHANNEL, Chosen
from answers.models import Answer, Question, Reply
from search.channels import IMPORTED
from search.query import MAX_CHARS, Note
from search.wording import CHANNEL_LABELS

NAMED = 12  # terms or repositories that are listed
# Why statements of a model are left out, for people; what the model is told is in prompting.py.
LEFT_OUT = {
    Reason.UNCITED: gettext_lazy("without a citation"),
    Reason.QUOTES: gettext_lazy("quotes that stand nowhere in what was sent"),
    Reason.NAMES: gettext_lazy("names or numbers that the cited lines do not hold"),
    Reason.MARKUP: gettext_lazy("links or HTML"),
    Reason.ORDERS: gettext_lazy("repeats lines that speak to a model"),
    Reason.CODE: gettext_lazy("code that stands nowhere in what was sent"),
    Reason.SHAPE: gettext_lazy("not in the form that was asked for"),
    Reason.EMPTY: gettext_lazy("without words, or no longer stored so"),
    Reason.TOO_LONG: gettext_lazy("too long"),
    Reason.HEADING: gettext_lazy("a heading over nothing"),
}


def label(answer: Answer) -> str:
    if answer.model:
        return answer.model
    if answer.state == Answer.State.ABSTAINED:
        return _("The model gave no answer") if answer.error else _("No model was asked")
    if answer.error:
        return _("Extract, the model gave no answer")
    return _("Extract, no model configured")


def left_out(reply: Reply) -> list[tuple[str, int]]:
    """(why, how many statements), the most frequent first."""
    counted = sorted(reply.left_out.items(), key=lambda one: (-one[1], one[0]))
    return [(str(LEFT_OUT[Reason(why)]), number) for why, number in counted if why in LEFT_OUT]


def reason(answer: Answer) -> str:
    """Why there are extracts although a model is set up."""
    if not answer.error or answer.state == Answer.State.FAILED:
        return answer.error
    words = _("These are the lines that fit best, as they are. %(reason)s")
    return words % {"reason": answer.error}


def why_abstained(answer: Answer) -> str:
    return answer.warning or answer.error or why_nothing(answer.searched)


def took(milliseconds: int) -> str:
    if milliseconds < 1_000:
        return _("%d ms") % milliseconds
    if milliseconds < 60_000:
        return _("%.1f s") % (milliseconds / 1_000)
    minutes, seconds = divmod(round(milliseconds / 1_000), 60)
    return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": seconds}


def narrowed(question: Question) -> str:
    """What the question was limited to, or the lines it began with."""
    lines = [Chosen(**one).place for one in question.chosen]
    return ", ".join([*lines, *([question.narrowing] if question.narrowing else [])])


def channel_labels(channels: str) -> list[str]:
    return [
        _("chosen by you") if one == CHANNEL else str(CHANNEL_LABELS.get(one, one))
        for one in channels.split(",")
        if one
    ]


def steps(searched: dict[str, Any]) -> str:
    """`Searched 4 ways, 38 hits, 8 pieces of evidence in 5 files`."""
    ways = len(searched.get("channels", {}))
    if not searched.get("hits"):
        return _("Searched, nothing found")
    hits, pieces = searched.get("hits", 0), searched.get("pieces", 0)
    files = searched.get("piece_files", 0)
    return ", ".join(
        [
            ngettext("Searched %(n)d way", "Searched %(n)d ways", ways) % {"n": ways},
            ngettext("%(n)d hit", "%(n)d hits", hits) % {"n": hits},
            ngettext("%(n)d piece of evidence", "%(n)d pieces of evidence", pieces) % {"n": pieces}
            + " "
            + ngettext("in %(n)d file", "in %(n)d files", files) % {"n": files},
        ]
    )


def found_by(searched: dict[str, Any]) -> list[tuple[str, int]]:
    """(channel, hits), in the order of the channels."""
    counts = searched.get("channels", {})
    names = {**CHANNEL_LABELS, IMPORTED: _("imports")}  # it follows "By"
    return [(str(name), counts[key]) for key, name in names.items() if counts.get(key)]


def notes(answer: Answer) -> list[str]:
    """What to know of the search. An abstention gives the words that were not found as its reason;
    extracts may be about the others alone."""
    searched = answer.searched
    said = {
        Note.CUT: _("The search used the first %(n)d characters of the question.")
        % {"n": MAX_CHARS},
        Note.CONTROLS: _("Control characters in the question were left out."),
    }
    found = [said[Note(note)] for note in searched.get("notes", []) if note in list(Note)]
    is_extract = answer.state == Answer.State.DONE and not answer.model
    if is_extract and searched.get("unknown"):
        found.append(_unknown(searched))
    return found


def _unknown(searched: dict[str, Any]) -> str:
    return _("These words of the question occur nowhere: %(words)s.") % {
        "words": ", ".join(searched["unknown"][:NAMED])
    }


def why_nothing(searched: dict[str, Any]) -> str:
    """One sentence: what the floor missed."""
    if searched.get("unknown"):
        return _unknown(searched)
    if not searched.get("hits"):
        return _("No lines were found for these words.")
    return _("The words occur, but no lines hold enough of them together.")


def advice(searched: dict[str, Any]) -> list[str]:
    """How to ask better."""
    said = [
        _("Name a symbol, a file or a message as it stands in the code."),
        _("Ask about one thing; split a broad question."),
    ]
    if searched.get("unknown"):
        said.insert(0, _("Use the words of the code, in the language it is written in."))
    return said
