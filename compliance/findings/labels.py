"""Words for the values of findings."""

from django.utils.translation import gettext_lazy as _

LABELS = {
    ("state", "open"): _("open"),
    ("state", "confirmed"): _("confirmed"),
    ("state", "dismissed"): _("dismissed"),
    ("confidence", "high"): _("high"),
    ("confidence", "medium"): _("medium"),
    ("confidence", "low"): _("low"),
    ("action", "redact"): _("redacted"),
    ("action", "flag"): _("flagged"),
    ("action", "allow"): _("left in the text"),
    ("facet", "state"): _("State"),
    ("facet", "repository"): _("Repository"),
    ("facet", "kind"): _("Kind"),
    ("facet", "confidence"): _("Confidence"),
    ("facet", "action"): _("What was done"),
    ("seen", "ever"): _("also what is no longer published"),
}


def label(name: str, value: str) -> str:
    if name == "kind":
        return value.replace("_", " ")
    if name == "review":
        return str(_("values of review %(number)s") % {"number": value})
    if name == "since":
        return str(_("first seen from %(day)s") % {"day": value})
    return str(LABELS.get((name, value), value))
