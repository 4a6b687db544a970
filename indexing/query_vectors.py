"""The vector of a question, by each model that serves a repository in question."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import lru_cache

from django.utils.translation import gettext as _

from accounts.models import User
from indexing import vectors
from indexing.embed import embedding_model
from indexing.local_model import MODEL_NAME as LOCAL_MODEL
from indexing.local_model import ModelUnavailable, local_model
from outbound import embedding
from outbound.failures import ModelFailed

logger = logging.getLogger(__name__)

PROVIDER_SECONDS = 4.0
# A provider that fails is left alone for a while: every search would wait for it.
LEFT_ALONE_SECONDS = 30.0
_failed: dict[str, float] = {}
THREADS = 2  # searches that embed at once; the others wait


@dataclass(frozen=True, slots=True)
class QueryVector:
    """`repositories` are those that are searched by this model."""

    model: str
    vector: list[float]
    repositories: tuple[int, ...] = ()


@dataclass(slots=True)
class Asker:
    """Who asks, and what they should be told of how it went."""

    person: User | None = None
    remarks: list[str] = field(default_factory=list)

    def tell(self, remark: str) -> None:
        if remark not in self.remarks:
            self.remarks.append(remark)


Vectors = Callable[[], list[QueryVector]]  # waits for them
_beside = ThreadPoolExecutor(THREADS, thread_name_prefix="query-vector")


def begin_query_vectors(
    text: str, repositories: Iterable[int], asker: Asker | None = None
) -> Vectors:
    """Where the local model alone serves, it works in a thread beside the caller's statements.

    That thread only fills what `_here` keeps; what went wrong there is said by whoever waits.
    Providers are asked at once, since they may take seconds and the caller has no transaction yet.
    """
    by_model = _serving(text, repositories)
    if set(by_model) != {LOCAL_MODEL}:
        found = _embedded(text, by_model, asker)
        return lambda: found
    begun = _beside.submit(_here, text)

    def embedded() -> list[QueryVector]:
        wait([begun])
        return _embedded(text, by_model, asker)

    return embedded


def query_vectors(
    text: str, repositories: Iterable[int], asker: Asker | None = None
) -> list[QueryVector]:
    """One for each model that serves one of the repositories; none where embeddings are off."""
    return _embedded(text, _serving(text, repositories), asker)


def _serving(text: str, repositories: Iterable[int]) -> dict[str, list[int]]:
    """The repositories by the model that serves them."""
    by_model: dict[str, list[int]] = {}
    if embedding_model() and text.strip():
        for repository, model in vectors.serving_models(repositories).items():
            by_model.setdefault(model, []).append(repository)
    return by_model


def _embedded(
    text: str, by_model: Mapping[str, list[int]], asker: Asker | None
) -> list[QueryVector]:
    found = []
    for model, numbers in sorted(by_model.items()):
        vector = embed_query(text, model=model, asker=asker)
        if vector is not None:
            found.append(QueryVector(model, vector, tuple(numbers)))
    return found


def embed_query(text: str, *, model: str = "", asker: Asker | None = None) -> list[float] | None:
    """The unit vector of a question, None where there is none; `asker` is told why."""
    model, asker = model or embedding_model(), asker or Asker()
    if not model or not text.strip():
        return None
    try:
        return list(_here(text) if model == LOCAL_MODEL else _there(model, text, asker.person))
    except (ModelUnavailable, ModelFailed) as error:
        logger.warning("search goes on without vectors: %s", error)
        asker.tell(_("Searched without vectors: %s") % error)
        return None


@lru_cache(maxsize=256)
def _here(text: str) -> tuple[float, ...]:
    """Kept for a while: one question is searched several times, and paged through."""
    return tuple(float(number) for number in local_model(1).embed([text])[0])


_kept: dict[tuple[str, str], tuple[float, ...]] = {}
KEPT = 1_024


def _there(model: str, text: str, person: User | None) -> tuple[float, ...]:
    """By a provider: what it gave once is not paid again."""
    known = _kept.get((model, text))
    if known is None:
        _leave_alone(model)
        try:
            known = tuple(
                embedding.embed_query(text, model=model, person=person, timeout=PROVIDER_SECONDS)
            )
        except ModelFailed as failure:
            if failure.retried:
                _failed[model] = time.monotonic()
            raise
        while len(_kept) >= KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[model, text] = known
    return known


def _leave_alone(model: str) -> None:
    if time.monotonic() - _failed.get(model, -LEFT_ALONE_SECONDS) < LEFT_ALONE_SECONDS:
        raise ModelFailed(_("the provider has just failed; it is asked again in a moment."))
