"""Keys planted in a repository are found nowhere after a run but in the clone itself.

The keys are put together while the test runs, so that no scanner finds them in this file.
"""

import io
import json
import random
import string

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from indexing.models import Finding
from repos.importing import create_repository, understand_archive
from repos.models import File
from tests import factories

TABLES = """
SELECT table_name FROM information_schema.tables
WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'
"""


def letters(count: int, seed: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=count))


def planted() -> dict[str, str]:
    """A value of each of some published key formats."""
    body = "\n".join(letters(64, seed) for seed in range(20, 26))
    return {
        "github": "gh" + "p_" + letters(36, 1),
        "aws": "AK" + "IA" + letters(16, 2, string.ascii_uppercase + "234567"),
        "slack": "xo" + f"xb-{letters(12, 3, string.digits)}-{letters(12, 4, string.digits)}-"
        + letters(24, 5),
        "stripe": "sk_" + "live_" + letters(24, 6),
        "password": letters(18, 7),
        "key": "-----BEGIN RSA " + f"PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----",
    }  # fmt: skip


def files(keys: dict[str, str]) -> dict[str, str]:
    notebook = {
        "nbformat": 4,
        "metadata": {"language_info": {"name": "python"}},
        "cells": [{"cell_type": "code", "source": [f"token = '{keys['github']}'\n"]}],
    }
    return {
        ".env": f"SLACK={keys['slack']}\nAWS={keys['aws']}\n",
        "app.py": f'"""Uses {keys["github"]}."""\n\n\ndef login(token="{keys["stripe"]}"):\n'
        f'    """Signs in with {keys["slack"]}."""\n    return token\n',
        "conf.yaml": f"aws: {keys['aws']}\ndatabase:\n  password: {keys['password']}\n",
        "key.txt": f"The key:\n{keys['key']}\nend\n",
        "README.md": f"# Use {keys['stripe']}\n\nSend `Authorization: Bearer {keys['github']}`\n",
        "keys.json": json.dumps({keys["github"]: 1, "password": keys["password"]}, indent=1),
        "run.ipynb": json.dumps(notebook, indent=1),
        "wide.cs": f'class A {{ string k = "{keys["aws"]}"; }}\n',
    }


def needles(keys: dict[str, str]) -> list[str]:
    """The values, and each line of the long one, as they would stand in any column."""
    values = [value for name, value in keys.items() if name != "key"]
    return [*values, *keys["key"].split("\n")[1:-1]]


def stored_text() -> dict[str, str]:
    """All that the database holds, by table: text, lexemes, numbers, whatever."""
    found = {}
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            found[table] = "\n".join(row[0] for row in cursor.fetchall()).lower()
    return found


@pytest.fixture
def keys() -> dict[str, str]:
    return planted()


@pytest.fixture
def lib(here, index_files, keys, settings):
    settings.EMBEDDING_MODEL = "local"
    return index_files(files(keys))


def test_no_table_holds_a_planted_value(lib, keys):
    tables = stored_text()
    assert "def login" in tables["indexing_content"]
    held = [(name, one) for name, text in tables.items() for one in needles(keys)
            if one.lower() in text]  # fmt: skip
    assert held == []


def test_where_a_link_leads_is_scrubbed_too(here, index_files, keys, tmp_path):
    folder = tmp_path / "sources" / "lib"
    folder.mkdir(parents=True)
    (folder / "link").symlink_to(keys["github"])
    index_files({"a.py": "x = 1\n"})
    reason = File.objects.get(path="link").reason
    assert "leads to [REDACTED" in reason
    assert keys["github"].lower() not in stored_text()["repos_file"]


def test_no_log_and_no_export_holds_a_planted_value(lib, keys, caplog):
    out = io.StringIO()
    call_command("export_index", "lib", stdout=out)
    assert '"login"' in out.getvalue()
    said = caplog.text + out.getvalue()
    assert [one for one in needles(keys) if one in said] == []


@pytest.mark.parametrize("form", ["csv", "json"])
def test_no_export_and_no_page_of_the_console_holds_a_planted_value(
    lib, keys, form, client_of, officer
):
    client = client_of(officer)
    url = reverse("compliance:findings_export", args=[form])
    said = b"".join(client.get(url).streaming_content).decode()
    assert "github_pat" in said
    numbers = Finding.objects.filter(leads=True).values_list("id", flat=True)
    pages = ["/console/findings", *(f"/console/findings/{number}" for number in numbers)]
    said += "".join(client.get(page).content.decode() for page in pages)
    assert [one for one in needles(keys) if one in said] == []


def test_what_was_looked_at_and_asked_for_leaves_no_planted_value(
    lib, keys, client_of, officer, caplog
):
    client = client_of(officer)
    for value in keys.values():
        client.post(reverse("compliance:lookup"), {"value": value})
    held = [(name, one) for name, text in stored_text().items() for one in needles(keys)
            if one.lower() in text or one in caplog.text]  # fmt: skip
    assert held == []


def test_lines_and_columns_stay_where_they_were(lib, keys):
    with connection.cursor() as cursor:
        cursor.execute("SELECT text FROM indexing_content WHERE text LIKE '%%def login%%'")
        (text,) = cursor.fetchone()
    assert [len(line) for line in text.split("\n")] == [
        len(line) for line in files(keys)["app.py"].split("\n")
    ]


def test_no_file_but_the_unpacked_one_holds_a_planted_value(here, owner, keys, settings, tmp_path):
    packed = factories.zip_of(files(keys))
    lib = create_repository(understand_archive("lib.zip"), owner=owner, archive=packed)
    factories.index(lib)
    others = [
        path
        for path in settings.DATA.rglob("*")
        if path.is_file() and settings.CLONES not in path.parents
    ]
    held = [path for path in others for one in needles(keys) if one.encode() in path.read_bytes()]
    assert held == []
