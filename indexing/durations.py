"""Lengths of time in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def about(seconds: int) -> str:
    """`a few seconds`, `about 40 seconds`, `about 3 minutes`, `about 2 hours`."""
    if seconds < 5:
        return _("a few seconds")
    if seconds < 90:
        return _("about %(n)d seconds") % {"n": seconds if seconds < 20 else round(seconds, -1)}
    minutes = round(seconds / 60)
    if minutes < 90:
        return ngettext("about %(n)d minute", "about %(n)d minutes", minutes) % {"n": minutes}
    hours = round(seconds / 3600)
    return ngettext("about %(n)d hour", "about %(n)d hours", hours) % {"n": hours}


def took(seconds: float) -> str:
    """`0.4 s`, `12 s`, `3 min 5 s`, `1 h 2 min`."""
    if seconds < 10:
        return _("%(n)s s") % {"n": f"{seconds:.1f}"}
    whole = round(seconds)
    if whole < 60:
        return _("%(n)s s") % {"n": whole}
    if whole < 3600:
        return _("%(minutes)d min %(seconds)d s") % {"minutes": whole // 60, "seconds": whole % 60}
    return _("%(hours)d h %(minutes)d min") % {"hours": whole // 3600, "minutes": whole // 60 % 60}
