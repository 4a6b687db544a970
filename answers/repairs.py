"""Whether a model that wrote no readable reply is told so: not where that has not helped lately.

A weak model on a CPU takes minutes for a second reply that is like the first. What came back of
each call is kept (answers.models.Reply), so it is known.
"""

from answers.models import Reply
from outbound.models import ModelCall

LOOKED = 50  # replies, the newest: when those that did not help are older, it is tried again
USELESS = 3  # repairs in a row that held no statement


def have_helped(model: str) -> bool:
    """False where the last repairs of this model gave nothing at all."""
    rows = Reply.objects.order_by("-pk").values_list("call__purpose", "call__model", "proposed")
    repaired = [
        proposed
        for purpose, name, proposed in rows[:LOOKED]
        if (purpose, name) == (ModelCall.Purpose.REPAIR, model)
    ]
    return len(repaired) < USELESS or any(repaired[:USELESS])
