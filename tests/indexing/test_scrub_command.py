import io
import json
from typing import Any

import pytest
from django.core.management.base import CommandError

from indexing.management.commands.scrub import write_findings
from tests.indexing.scrub_samples import FORMATS


def answers(*lines: str) -> list[Any]:
    out = io.StringIO()
    write_findings(io.StringIO("\n".join(lines) + "\n"), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_one_answer_a_case() -> None:
    text = f"a\r\nx = '{FORMATS['github_pat']}'\n"
    case = json.dumps({"id": "7", "path": "a.py", "text": text})
    clean = json.dumps({"id": "8", "path": "a.py", "text": "a"})
    assert answers(case, "", clean) == [
        {"id": "7", "findings": [[2, 5, 45, "github_pat", "redact"]]},
        {"id": "8", "findings": []},
    ]


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "1", "path": "a"}', '{"id": 1}'])
def test_a_bad_line_is_named_by_its_number_and_not_shown(line: str) -> None:
    with pytest.raises(CommandError, match=r"^line 2: not a JSON object with texts id, path"):
        answers('{"id": "1", "path": "a", "text": ""}', line)
