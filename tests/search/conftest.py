"""A small repository with code, prose and look-alikes, indexed by the real pipeline."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import override_settings

from accounts.models import User
from repos.models import Repository
from search.retrieval import scope_of
from search.scope import Scope
from tests import factories

FILES = {
    "src/app/sessions.py": (
        '"""Sessions."""\n\n\nclass SessionStore:\n    """Keeps sessions in signed cookies."""\n\n'
        "    def open_session(self, request):\n        return self.load(request.cookie)\n\n"
        "    def save_session(self, response):\n        response.set_cookie(self.sign())\n\n\n"
        "def get_user_by_id(user_id):\n    return USERS[user_id]\n"
    ),
    "src/app/server.py": (
        "from app.sessions import SessionStore\n\n\nclass Server:\n"
        '    def run(self, port):\n        """Listen on a port until stopped."""\n'
        "        return port\n\n\nclass Worker:\n    def run(self):\n        return 15\n"
    ),
    "src/web/client.ts": (
        "export function createClient(url: string) {\n  return new HttpClient(url);\n}\n\n"
        "export class HttpClient {\n  constructor(readonly url: string) {}\n}\n"
    ),
    "conf/app.ini": "rate = 15%\nrate = 150\ncase_1 = yes\ncaseA1 = no\npath: C:\\temp\\new\n",
    "docs/guide.md": (
        "# Guide\n\nRun `tool --release -n 5`.\n\n## Sessions\n\nThe session cookie is signed.\n"
    ),
    "tests/test_sessions.py": (
        "def test_open_session():\n    assert SessionStore().open_session(None) is None\n"
    ),
}


def remove_all() -> None:
    """Everything that indexing wrote: derived tables have no foreign keys to cascade by."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table.startswith(("repos_", "indexing_", "django_q_ormq")):
                cursor.execute(f'TRUNCATE "{table}" CASCADE')
    Group.objects.all().delete()


@pytest.fixture(scope="module")
def indexed(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup, django_db_blocker
) -> Iterator[int]:
    """Indexed once a module: committed rows, seen by the transactions of all its tests."""
    top = tmp_path_factory.mktemp("search")
    options = {
        "EMBEDDING_MODEL": "none",
        "PARSER_PROCESSES": 1,
        "FOLDER_ROOTS": (top,),
        "CLONES": top / "clones",
    }
    with django_db_blocker.unblock(), override_settings(**options):
        folder = factories.write_files(top / "lib", FILES)
        repository = factories.repository_for(None, slug="lib", address=str(folder))
        try:
            factories.index(repository)
            yield repository.pk
        finally:
            remove_all()


@pytest.fixture
def lib(indexed: int, owner: User, member: User) -> Repository:
    """Owned by one person, readable by another, and by nobody else."""
    repository = Repository.objects.get(pk=indexed)
    repository.owner = owner
    repository.save()
    member.groups.add(repository.groups.get())
    return repository


@pytest.fixture
def scope(lib: Repository) -> Scope:
    return scope_of(Repository.objects.filter(pk=lib.pk))
