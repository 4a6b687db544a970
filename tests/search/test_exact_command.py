import io
import json

import pytest
from django.core.management import CommandError, call_command

from repos.models import Repository


def run(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("search", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_lines_as_text(lib: Repository):
    lines = run(r"/^class \w+:/ path:server")
    assert lines[0] == "lib: src/app/server.py  [2]"
    assert "      4> class Server:" in lines
    assert "     10> class Worker:" in lines
    assert lines[-1].startswith("2 lines in 1 file, ")


def test_limit_is_of_files(lib: Repository):
    lines = run("/[Ss]ession/", "--limit", "1")
    assert [line for line in lines if line.startswith("lib: ")] == ["lib: docs/guide.md  [2]"]
    assert lines[-1].startswith("10 lines in 4 files, ")


def test_lines_as_json(lib: Repository):
    found = json.loads("\n".join(run('"class server"', "--json")))
    (hit,) = found["hits"]
    assert (hit["repository"], hit["path"], hit["lines"]) == ("lib", "src/app/server.py", [4])
    assert (found["lines"], found["files"], found["stopped"]) == (1, 1, None)


def test_in_one_repository(lib: Repository):
    assert run("/^class/", "--repository", "lib")[0].startswith("lib: ")
    with pytest.raises(CommandError, match="no repository named nothing"):
        run("/^class/", "--repository", "nothing")


def test_a_wrong_pattern_is_said(lib: Repository):
    with pytest.raises(CommandError, match="wrong at character 1: there is nothing before"):
        run("/+a/")
