"""Reviews and settings on indexed repositories: the next run derives what they touch, no more."""

import re

import pytest
from django.conf import settings as django_settings

from indexing.models import Chunk, Content, Finding
from indexing.policy_changes import Reach, record_change
from indexing.policy_models import FindingReview, ReviewedValue, ScrubPattern, ScrubSettings
from indexing.reviews import Value, Verdict, review_kind, review_path, review_values, undo_review
from indexing.scrubbing.policy import fingerprint, key_id
from repos.models import File
from tests import factories
from tests.indexing.scrub_samples import ALNUM, chars
from tests.rows import snapshot_rows

ANN, BOB = "ann.lee" + "@kitehouse.net", "bob.ray" + "@kitehouse.net"
SECRET = chars(ALNUM, 32)
FILES = {
    "a.md": f"{ANN}\n",
    "docs/b.md": f"{ANN}\n{BOB}\n",
    "c.py": "x = 1\n",
    "tests/test_d.py": f'app_secret = "{SECRET}"\n',
}
DISMISSED, CONFIRMED = FindingReview.Decision.DISMISSED, FindingReview.Decision.CONFIRMED


@pytest.fixture
def lib(here, index_files):
    repository = index_files(FILES)
    here.derived.clear()
    return repository


def text_of(repository, path: str) -> str:
    number = repository.published_snapshot
    file = File.objects.in_snapshot(repository.pk, number).get(path=path)
    return Content.objects.get(repository=repository, file_id=file.id).text


def terms_of(repository, path: str) -> set[str]:
    (file,) = File.objects.in_snapshot(repository.pk, repository.published_snapshot).filter(
        path=path
    )
    return set(re.findall(r"'([^']+)'", Chunk.objects.get(file_id=file.id).terms))


def value(text: str, kind: str = "email") -> Value:
    found = Finding.objects.filter(kind=kind)
    for one in found:
        if bytes(one.fingerprint) == fingerprint(text, _key()):
            return Value(one.kind, bytes(one.fingerprint), one.key_id)
    raise AssertionError(text)


def _key() -> bytes:
    return django_settings.FINGERPRINT_KEYS[0].encode()


def verdict(person, decision=DISMISSED, repository=None) -> Verdict:
    return Verdict(decision, "known", person, repository)


def test_a_dismissed_value_comes_back_at_the_next_run_and_only_its_files_are_read(
    lib, here, administrator
):
    review_values(verdict(administrator), [value(ANN)])
    assert text_of(lib, "a.md") == "[REDACTED:EMAIL]_____\n"
    factories.index(lib)
    assert here.derived == ["a.md", "docs/b.md"]
    assert text_of(lib, "a.md") == f"{ANN}\n"
    assert text_of(lib, "docs/b.md") == f"{ANN}\n[REDACTED:EMAIL]_____\n"
    here.derived.clear()
    factories.index(lib)
    assert here.derived == []


def test_undone_it_is_redacted_again(lib, here, administrator):
    review = review_values(verdict(administrator), [value(ANN)])
    before = snapshot_rows(lib)
    factories.index(lib)
    assert undo_review(review, administrator)
    assert not undo_review(review, administrator)
    here.derived.clear()
    factories.index(lib)
    assert here.derived == ["a.md", "docs/b.md"]
    assert snapshot_rows(lib) == before


def test_a_review_of_one_repository_says_nothing_of_another(lib, index_files, administrator):
    other = index_files({"a.md": f"{ANN}\n"}, "other")
    review_values(verdict(administrator, repository=lib), [value(ANN)])
    factories.index(lib)
    factories.index(other)
    assert ANN in text_of(lib, "a.md")
    assert ANN not in text_of(other, "a.md")


def test_a_dismissed_path_reaches_its_files(lib, here, administrator):
    review_path(verdict(administrator), kind="email", glob="docs/*.md")
    factories.index(lib)
    assert here.derived == ["docs/b.md"]
    assert text_of(lib, "docs/b.md") == f"{ANN}\n{BOB}\n"


def test_a_dismissed_kind_reaches_all_its_files_and_undone_again(lib, here, administrator):
    review = review_kind(verdict(administrator), kind="email")
    factories.index(lib)
    assert here.derived == ["a.md", "docs/b.md"]
    assert list(Finding.objects.filter(action="allow").values_list("kind", flat=True)) == [
        "email", "email", "email",
    ]  # fmt: skip
    undo_review(review, administrator)
    here.derived.clear()
    factories.index(lib)
    assert here.derived == ["a.md", "docs/b.md"]
    assert ANN not in text_of(lib, "a.md")


def test_a_confirmed_flag_is_redacted_at_the_next_run(lib, here, administrator):
    flagged = Finding.objects.get(action="flag")
    assert SECRET in text_of(lib, "tests/test_d.py")
    one = Value(flagged.kind, bytes(flagged.fingerprint), flagged.key_id)
    review_values(verdict(administrator, CONFIRMED), [one])
    factories.index(lib)
    assert here.derived == ["tests/test_d.py"]
    assert SECRET not in text_of(lib, "tests/test_d.py")


def test_a_new_pattern_looks_at_all_files_and_a_removed_one_at_its_own(lib, here, administrator):
    row = ScrubPattern.objects.create(name="x", kind="house", pattern="x = [0-9]")
    record_change(Reach.FILES, repository=None)
    factories.index(lib)
    assert here.derived == ["a.md", "c.py", "docs/b.md", "tests/test_d.py"]
    assert text_of(lib, "c.py") == "[R__]\n"
    row.delete()
    record_change(Reach.KINDS, repository=None, kinds=["house"])
    here.derived.clear()
    factories.index(lib)
    assert here.derived == ["c.py"]
    assert text_of(lib, "c.py") == "x = 1\n"


def test_personal_data_that_is_left_alone(lib, here):
    ScrubSettings.objects.create(repository=lib, emails="off")
    record_change(Reach.KINDS, repository=lib, kinds=["email", "email_obfuscated"])
    factories.index(lib)
    assert here.derived == ["a.md", "docs/b.md"]
    assert text_of(lib, "a.md") == f"{ANN}\n"
    assert not Finding.objects.filter(kind="email", file_id__in=_live(lib)).exists()


def test_flagged_values_may_go_into_what_is_embedded(lib, here):
    assert "redact" in terms_of(lib, "tests/test_d.py")
    ScrubSettings.objects.create(repository=lib, cover_flagged=False)
    record_change(Reach.FLAGGED, repository=lib)
    factories.index(lib)
    assert here.derived == ["tests/test_d.py"]
    assert "redact" not in terms_of(lib, "tests/test_d.py")


def test_reviews_survive_a_new_key(lib, here, administrator, settings):
    review = review_values(verdict(administrator), [value(ANN)])
    old = settings.FINGERPRINT_KEYS
    settings.FINGERPRINT_KEYS = ["new key", *old]
    factories.index(lib)
    # Files without findings need no new fingerprints.
    assert here.derived == ["a.md", "docs/b.md", "tests/test_d.py"]
    assert text_of(lib, "a.md") == f"{ANN}\n"
    present = Finding.objects.filter(file_id__in=_live(lib))
    assert set(present.values_list("key_id", flat=True)) == {key_id(b"new key")}
    known = ReviewedValue.objects.filter(review=review).order_by("pk")
    assert [row.key_id for row in known] == [key_id(old[0].encode()), key_id(b"new key")]
    # The old key is gone for good: the review is known by the new one.
    settings.FINGERPRINT_KEYS = ["new key"]
    factories.index(lib, full=True)
    assert text_of(lib, "a.md") == f"{ANN}\n"


def _live(repository) -> list[int]:
    number = repository.published_snapshot
    return list(File.objects.in_snapshot(repository.pk, number).values_list("id", flat=True))
