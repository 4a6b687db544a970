"""After a rotation of the fingerprint key a finding still shows every place of its value."""

import pytest
from django.urls import reverse

from indexing import reviews
from indexing.models import Finding
from indexing.policy_models import FindingReview
from indexing.reviews import Value, Verdict
from tests import factories

ANN = "ann.lee" + "@kitehouse.net"
FILES = {"a.md": f"write to {ANN}\n", "b.md": f"# b\n{ANN}\n"}


@pytest.fixture
def rotated(here, index_files, settings):
    """Two repositories hold the value; one of them was indexed again under the new key."""
    lib = index_files(FILES)
    index_files({"o.md": ANN, "a.md": f"write to {ANN}\n"}, slug="other")
    settings.FINGERPRINT_KEYS = ["a new key", *settings.FINGERPRINT_KEYS]
    factories.index(lib)
    return lib


def places(client, finding: Finding) -> set[tuple[str, str, bool]]:
    page = client.get(reverse("compliance:finding", args=[finding.id]))
    return {(one.slug, one.path, one.is_live) for one in page.context["places"]}


def of(slug: str, *, newest: bool) -> Finding:
    rows = Finding.objects.filter(repository__slug=slug).order_by("-id" if newest else "id")
    return rows[0]


@pytest.mark.parametrize("newest", [True, False], ids=["by the new key", "by the old one"])
def test_places_under_both_keys_are_one_value(rotated, client_of, officer, newest):
    found = places(client_of(officer), of("lib", newest=newest))
    assert {one for one in found if one[2]} == {
        ("lib", "a.md", True), ("lib", "b.md", True), ("other", "a.md", True),
        ("other", "o.md", True),
    }  # fmt: skip


def test_a_review_under_the_old_key_is_shown_under_the_new_one(rotated, client_of, officer):
    old = of("lib", newest=False)
    verdict = Verdict(FindingReview.Decision.CONFIRMED, "it is hers", officer, None)
    reviews.review_values(verdict, [Value(old.kind, bytes(old.fingerprint), old.key_id)])
    url = reverse("compliance:finding", args=[of("lib", newest=True).id])
    assert "it is hers" in client_of(officer).get(url).content.decode()


def test_another_value_at_another_place_is_not_taken_for_it(
    rotated, index_files, client_of, officer
):
    index_files({"a.md": "write to bob.ray" + "@kitehouse.net\n"}, slug="third")
    found = places(client_of(officer), of("lib", newest=True))
    assert "third" not in {slug for slug, _, _ in found}
