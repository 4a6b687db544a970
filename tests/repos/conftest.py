"""One git host for all tests of this folder; each test starts with its good manners restored."""

from dataclasses import fields
from pathlib import Path

import pytest

from tests.repos.githost import Host, checkout, serve


@pytest.fixture(scope="session")
def shared_host(tmp_path_factory):
    place = tmp_path_factory.mktemp("githost")
    root = place / "srv"
    root.mkdir()
    with serve(root, place) as host:
        yield host


@pytest.fixture
def host(shared_host, tmp_path):
    """The host with an empty folder of repositories and no faults switched on."""
    kept = ("ca_file", "port")
    clean = Host(root=tmp_path / "srv", ca_file=Path(), port=0)
    clean.root.mkdir()
    for each in fields(Host):
        if each.name not in kept:
            setattr(shared_host, each.name, getattr(clean, each.name))
    return shared_host


@pytest.fixture
def target(tmp_path):
    return tmp_path / "clones" / "one"


@pytest.fixture
def app(host):
    """A repository acme/app with one commit."""
    checkout(host.root / "acme/app", {"a.py": "a = 1\n", "src/b.py": "b = 2\n"})
    return host.root / "acme/app"
