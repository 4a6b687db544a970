"""README's table of settings and the settings that are read must be the same."""

import re
from pathlib import Path

from config.settings import env

README = Path(__file__).resolve().parent.parent.parent / "README.md"
ROW = re.compile(r"^\| `(\w+)`( †)? \|", re.MULTILINE)


def rows() -> dict[str, bool]:
    """The names in the table, and whether a file may hold the value."""
    table = README.read_text(encoding="utf-8").partition("## Configuration")[2]
    return {name: bool(dagger) for name, dagger in ROW.findall(table)}


def test_every_setting_is_in_the_readme_and_nothing_else():
    files = {name for name in env.known if name.removesuffix("_FILE") in env.known - {name}}
    assert set(rows()) == env.known - files


def test_the_dagger_marks_what_a_file_may_hold():
    from_files = {name for name in env.known if f"{name}_FILE" in env.known}
    assert {name for name, dagger in rows().items() if dagger} == from_files


def test_the_picture_and_the_documents_exist():
    linked = re.findall(r"\]\(([\w./-]+)\)", README.read_text(encoding="utf-8"))
    missing = [link for link in linked if not (README.parent / link).exists()]
    assert missing == []
