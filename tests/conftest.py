"""Fixtures for all tests: three people, and repositories indexed by the real pipeline."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test import Client

from accounts.models import User
from config.startup import ensure_database
from repos.models import Repository
from search import postings
from tests import factories
from tests.rows import HerePool

END_OTHERS = """
/* tests: end_other_sessions */
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""


def pytest_sessionstart(session: pytest.Session) -> None:
    ensure_database()
    # WhiteNoise warns where it is missing, and warnings are errors here.
    Path(django_settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> Iterator[None]:
    """Django empties the tables between tests that commit, which the audit trail refuses.

    A thread of a stopped web server may still listen when the database is dropped.
    """
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER IF EXISTS accounts_auditevent_table ON accounts_auditevent")
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(END_OTHERS)


@pytest.fixture(autouse=True)
def _no_lists_of_other_tests() -> None:
    """Numbers of repositories come again in another test; in an installation they never do."""
    postings.forget()


@pytest.fixture(autouse=True)
def _settings_for_tests(settings, tmp_path: Path) -> None:
    """Cheap passwords, no embeddings unless asked for, and nothing outside tmp_path."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.EMBEDDING_MODEL = "none"
    settings.DATA = tmp_path / "data"
    settings.CLONES = settings.DATA / "clones"
    settings.UPLOADS = settings.DATA / "uploads"
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    settings.PARSER_PROCESSES = 1
    settings.FOLDER_ROOTS = (tmp_path,)
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture
def owner(db) -> User:
    return factories.person("owner")


@pytest.fixture
def member(db) -> User:
    return factories.person("member")


@pytest.fixture
def outsider(db) -> User:
    return factories.person("outsider")


@pytest.fixture
def administrator(db) -> User:
    return factories.administrator()


@pytest.fixture
def officer(db) -> User:
    return factories.person("officer", role=User.Role.OFFICER)


@pytest.fixture
def auditor(db) -> User:
    return factories.person("auditor", role=User.Role.AUDITOR)


@pytest.fixture
def client_of() -> Callable[[User], Client]:
    """A browser in which the given person is signed in."""

    def sign_in(user: User) -> Client:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> type[HerePool]:
    """Files are derived in this process: faster, where the child processes are not the matter."""
    monkeypatch.setattr(HerePool, "derived", [])
    monkeypatch.setattr("indexing.pipeline.DerivePool", HerePool)
    return HerePool


@pytest.fixture
def index_files(tmp_path: Path, owner: User, member: User) -> Callable[..., Repository]:
    """Index {path: text} as a folder; owner and member may see the repository."""

    def index(files: Mapping[str, str | bytes], slug: str = "lib", **extra: object) -> Repository:
        folder = factories.write_files(tmp_path / "sources" / slug, files)
        repository = factories.repository_for(
            owner, member, slug=slug, address=str(folder), **extra
        )
        factories.index(repository)
        return repository

    return index
