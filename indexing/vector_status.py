"""How far the vectors of a repository are, in words: what is missing, and why."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from indexing.embed import embedding_model
from indexing.vector_models import EmbedRefusal, VectorSet
from repos.models import Repository

REASONS = 3


def vector_lines(repository: Repository) -> list[str]:
    """One sentence a line; none where embeddings are off and there are no vectors."""
    wanted = embedding_model()
    sets = {one.model: one for one in VectorSet.objects.filter(repository=repository)}
    serving = next((one for one in sets.values() if one.serving), None)
    lines = [_counts(serving), *_refusals(serving)] if serving else []
    coming = sets.get(wanted)
    if coming is not None and serving is not None and coming.pk != serving.pk:
        words = {"model": wanted, "percent": int(100 * coming.share)}
        lines.append(_("Re-embedding with %(model)s, %(percent)d %%.") % words)
    elif wanted and coming is None and serving is not None:
        lines.append(_("Waits to be embedded with %s.") % wanted)
    if coming is not None and coming.pk != (serving.pk if serving else None):
        lines += _refusals(coming)
    if coming is not None and coming.problem:
        lines.append(coming.problem)
    return lines


def _counts(one: VectorSet) -> str:
    words = {
        "done": intcomma(one.embedded),
        "texts": intcomma(one.texts),
        "model": one.model,
    }
    return _("%(done)s of %(texts)s pieces have a vector (%(model)s).") % words


def _refusals(one: VectorSet) -> list[str]:
    if not one.refused:
        return []
    rows = EmbedRefusal.objects.filter(repository_id=one.repository_id, model=one.model)
    reasons = rows.values_list("reason").annotate(n=Count("reason")).order_by("-n", "reason")
    return [
        ngettext("%(n)s has none: %(reason)s", "%(n)s have none: %(reason)s", n)
        % {"n": intcomma(n), "reason": reason}
        for reason, n in reasons[:REASONS]
    ]
