"""The judge of evaluations: the floor below which an answer abstains, on a question alone."""

from answers.gathering import gather
from repos.models import Repository
from search.scope import Scope


def abstains(scope: Scope, question: str) -> bool:
    """Over the repositories of the scope as they are published, all at once."""
    repositories = Repository.objects.filter(pk__in=scope.repositories)
    return not gather(repositories, question).relevance.is_enough
