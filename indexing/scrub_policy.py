"""The scrubbing policy in force for a repository, put together from what people stored."""

from django.conf import settings
from django.db.models import Q

from indexing.policy_changes import current_version
from indexing.policy_models import FindingReview, ReviewedValue, ScrubPattern, ScrubSettings
from indexing.scrubbing import policy as groups
from indexing.scrubbing.custom import CustomPattern
from indexing.scrubbing.policy import Policy, fingerprint, key_id
from indexing.scrubbing.reviews import Decision, PathReview, Reviews
from repos.models import Repository

OFF, FLAG = ScrubSettings.Choice.OFF, ScrubSettings.Choice.FLAG
GROUPS = {
    "emails": groups.EMAILS,
    "phones": groups.PHONES,
    "social_security_numbers": groups.SOCIAL_SECURITY_NUMBERS,
    "payment_numbers": groups.PAYMENT_NUMBERS,
}


def fingerprint_keys() -> list[bytes]:
    """The present key first."""
    return [key.encode() for key in settings.FINGERPRINT_KEYS]


def fingerprints_of(value: str) -> dict[str, bytes]:
    """Key id to fingerprint, for every key that is still known."""
    return {key_id(key): fingerprint(value, key) for key in fingerprint_keys()}


def policy_for(repository: Repository) -> Policy:
    """The version is read first: a change that comes meanwhile is seen as later than the rows."""
    version = current_version()
    key, *earlier = fingerprint_keys()
    reviews, used = _reviews(repository)
    chosen = settings_of(repository)
    return Policy(
        key=key,
        earlier_keys=tuple(one for one in earlier if key_id(one) in used),
        emails=chosen.emails != OFF,
        phones=chosen.phones != OFF,
        social_security_numbers=chosen.social_security_numbers != OFF,
        payment_numbers=chosen.payment_numbers != OFF,
        flagged_kinds=frozenset(
            kind for name, kinds in GROUPS.items() if getattr(chosen, name) == FLAG
            for kind in kinds
        ),
        cover_flagged=chosen.cover_flagged,
        custom=_patterns(repository),
        reviews=reviews,
        version=version,
    )  # fmt: skip


def settings_of(repository: Repository) -> ScrubSettings:
    stored = ScrubSettings.objects.filter(repository=repository).first()
    return stored or ScrubSettings(repository=repository)


def _applies_to(repository: Repository) -> Q:
    return Q(repository=repository) | Q(repository__isnull=True)


def _patterns(repository: Repository) -> tuple[CustomPattern, ...]:
    rows = ScrubPattern.objects.filter(_applies_to(repository), enabled=True).order_by("pk")
    return tuple(custom_pattern(row) for row in rows)


def custom_pattern(row: ScrubPattern) -> CustomPattern:
    words = tuple(word.lower() for word in row.keywords)
    return CustomPattern(row.kind, row.pattern, words, row.confidence)


def _reviews(repository: Repository) -> tuple[Reviews, frozenset[str]]:
    """The reviews in force, and the ids of the keys that they were made under."""
    rows = FindingReview.objects.filter(_applies_to(repository), undone__isnull=True)
    rows = rows.order_by("pk")  # so that the newer one overwrites the older one
    paths = [
        PathReview(row.kind, row.path_regex, Decision(row.decision))
        for row in rows.filter(scope=FindingReview.Scope.PATH).reverse()
    ]
    kinds = {
        row.kind: Decision(row.decision) for row in rows.filter(scope=FindingReview.Scope.KIND)
    }
    values = ReviewedValue.objects.filter(review__in=rows).order_by("review_id")
    decided, used = {}, set()
    for value in values.select_related("review"):
        found = Decision(value.review.decision)
        decided[value.kind, bytes(value.fingerprint)] = found
        used.add(value.key_id)
    return Reviews(decided, tuple(paths), kinds), frozenset(used)
