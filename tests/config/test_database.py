from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.database import EmbeddedServer, url_settings


def test_url_with_everything():
    found = url_settings("postgresql://ada:p%40ss%2F@db.example:5433/notes?sslmode=require")
    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "notes",
        "USER": "ada",
        "PASSWORD": "p@ss/",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_url_of_the_local_socket():
    found = url_settings("postgres:///notes")
    assert (found["NAME"], found["HOST"], found["PORT"]) == ("notes", "", "")


@pytest.mark.parametrize(
    "url",
    [
        "mysql://ada:geheim@h/notes",
        "postgresql://ada:geheim@h/",
        "postgresql://ada:geheim@h:port/notes",
        "postgresql://ada:geheim@[::1/notes",
        "postgresql://ada:geheim#x@h/notes",
        "postgresql://ada:geheim/x@h/notes",
        "postgresql://ada:geheim@h/notes?sslmod=require",
    ],
)
def test_url_that_does_not_fit_is_refused_without_its_password(url):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL") as caught:
        url_settings(url)
    assert "geheim" not in str(caught.value)


def test_unknown_option_is_named():
    with pytest.raises(ImproperlyConfigured, match="unknown options: sslmod"):
        url_settings("postgresql://h/notes?sslmod=require")


def test_socket_is_in_the_data_folder():
    assert EmbeddedServer(Path("/srv/notes")).socket_folder == Path("/srv/notes/run")


def test_socket_of_a_folder_with_a_comma_is_elsewhere():
    assert EmbeddedServer(Path("/srv/a,b")).socket_folder.parent == Path("/tmp")


def test_socket_of_a_deep_data_folder_has_a_short_path(monkeypatch):
    server = EmbeddedServer(Path("/srv") / ("deep" * 30))
    monkeypatch.setenv("TMPDIR", "/elsewhere")
    assert server.socket_folder.parent == Path("/tmp")
    assert len(bytes(server.socket_folder / ".s.PGSQL.5432")) < 107
