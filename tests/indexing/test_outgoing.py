"""The last look at what is sent knows what people let stand in the repositories it comes from."""

import pytest

from indexing.outgoing import scan_for
from indexing.policy_models import FindingReview
from indexing.scrubbing.reviews import path_pattern

pytestmark = pytest.mark.django_db
LET_STAND = "olga.brandt" + "@quillstack.com"
OTHER = "jonas.varga" + "@quillstack.com"


def _dismiss_in_docs() -> None:
    FindingReview.objects.create(
        decision=FindingReview.Decision.DISMISSED,
        scope=FindingReview.Scope.PATH,
        kind="email",
        glob="docs/**",
        path_regex=path_pattern("docs/**"),
        reason="public",
    )


def test_what_a_review_of_a_path_let_stand_may_be_sent_and_nothing_else_of_its_kind(index_files):
    _dismiss_in_docs()
    one = index_files({"docs/a.md": f"Ask {LET_STAND}\n"})
    scan = scan_for([one.pk])
    assert scan(f"1  Ask {LET_STAND}") == []
    assert [(hit.kind, hit.line) for hit in scan(f"{LET_STAND}\n{OTHER}")] == [("email", 2)]


def test_a_value_that_stands_in_another_repository_is_a_hit(index_files):
    _dismiss_in_docs()
    index_files({"docs/a.md": f"Ask {LET_STAND}\n"}, slug="first")
    second = index_files({"docs/b.md": "Ask nobody\n"}, slug="second")
    assert [hit.kind for hit in scan_for([second.pk])(LET_STAND)] == ["email"]


def test_without_a_review_the_value_is_a_hit(index_files):
    one = index_files({"docs/a.md": f"Ask {LET_STAND}\n"})
    assert [hit.kind for hit in scan_for([one.pk])(LET_STAND)] == ["email"]
