"""Sixty packages that define the same name: every one is reached, none twice."""

import re
from collections.abc import Iterator

import pytest
from django.test import override_settings
from django.urls import reverse

from accounts.models import User
from repos.models import Repository
from search.engine import search_in
from tests import factories
from tests.search.conftest import remove_all

pytestmark = pytest.mark.urls("tests.search.addresses")
FILES = {
    f"packages/pkg-{number:02}/index.ts": (
        f"export function createClient() {{\n  return {number};\n}}\n"
    )
    for number in range(60)
}


@pytest.fixture(scope="module")
def packages(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup, django_db_blocker
) -> Iterator[int]:
    top = tmp_path_factory.mktemp("packages")
    options = {"EMBEDDING_MODEL": "none", "PARSER_PROCESSES": 1, "FOLDER_ROOTS": (top,)}
    with django_db_blocker.unblock(), override_settings(**options, CLONES=top / "clones"):
        folder = factories.write_files(top / "mono", FILES)
        repository = factories.repository_for(None, slug="mono", address=str(folder))
        try:
            factories.index(repository)
            yield repository.pk
        finally:
            remove_all()


def test_pages_reach_every_equal_name_once(packages: int, administrator: User, client_of):
    client = client_of(administrator)
    seen: list[str] = []
    for number in (1, 2, 3):
        page = client.get(reverse("search:search"), {"q": "createClient", "page": number})
        seen += re.findall(r'hit-path"\s+href="[^"]*/(packages/[^"#]+)', page.content.decode())
    assert (len(seen), len(set(seen))) == (60, 60)


def test_equal_names_come_in_order_of_path(packages: int, administrator: User):
    result = search_in(Repository.objects.all(), "createClient", channels=["symbol"], limit=60)
    assert [hit.path for hit in result.hits] == sorted(FILES)
    assert {hit.line for hit in result.hits} == {1}


def test_a_path_filter_narrows_to_one_package(packages: int, administrator: User):
    result = search_in(Repository.objects.all(), "createClient path:packages/pkg-37")
    assert [hit.path for hit in result.hits] == ["packages/pkg-37/index.ts"]
