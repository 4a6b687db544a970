"""`manage.py scrub --jsonl`: what the scrubber finds, a line of JSON in, a line of JSON out."""

import json
import sys
from argparse import ArgumentParser
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from indexing.scrub import scrub


class Command(BaseCommand):
    help = 'Reads {"id","path","text"} lines, writes {"id","findings"} lines; keeps no value.'
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--jsonl", action="store_true", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        write_findings(sys.stdin, self.stdout)


def write_findings(source: IO[str], target: Any) -> None:
    """Raises CommandError naming the line; never with its content, which may be secret."""
    for number, line in enumerate(source, 1):
        if not line.strip():
            continue
        name, path, text = _case(line, number)
        findings = [
            [found.line, found.start_col, found.end_col, found.kind, found.action]
            for found in scrub(path, text).findings
        ]
        target.write(json.dumps({"id": name, "findings": findings}) + "\n")


def _case(line: str, number: int) -> tuple[str, str, str]:
    problem = CommandError(f"line {number}: not a JSON object with texts id, path and text")
    try:
        case = json.loads(line)
    except ValueError:
        raise problem from None
    if not isinstance(case, dict):
        raise problem
    values = case.get("id"), case.get("path"), case.get("text")
    if not all(isinstance(value, str) for value in values):
        raise problem
    name, path, text = map(str, values)
    return name, path, text
