"""What the documents name exists, and what exists is named in its app's README."""

import ast
import re
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "repos", "outbound", "indexing", "search", "answers", "compliance")
# README.md at the top is tests/config/test_readme.py's.
DOCUMENTS = [
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "tests").glob("*.md"),
    *(path for app in APPS for path in (ROOT / app).rglob("*.md")),
]
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(?:#[^)]*)?\)")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
CODE_FILE = re.compile(
    r"`((?:accounts|repos|outbound|indexing|search|answers|compliance|config)/[\w/]+\.py)\b"
)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def text_of(document: Path) -> str:
    return FENCE.sub("", document.read_text(encoding="utf-8"))


def shown(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def python_files(app: str) -> list[str]:
    """Those of the app, by their path inside it; without those that say nothing of their own."""
    found = [path.relative_to(ROOT / app) for path in (ROOT / app).rglob("*.py")]
    kept = [path for path in found if path.name not in {"__init__.py", "apps.py", "urls.py"}]
    return sorted(path.as_posix() for path in kept if "migrations" not in path.parts)


def is_named(path: str, readme: str) -> bool:
    """By its path inside the app; a command by `manage.py NAME` as well."""
    command = f"`manage.py {Path(path).stem}"
    return f"`{path}`" in readme or (path.startswith("management/") and command in readme)


@pytest.mark.parametrize("app", APPS)
def test_every_file_of_an_app_is_named_in_its_readme(app):
    readme = (ROOT / app / "README.md").read_text(encoding="utf-8")
    assert [path for path in python_files(app) if not is_named(path, readme)] == []


@pytest.mark.parametrize("app", APPS)
def test_no_readme_names_a_file_that_is_gone(app):
    readme = (ROOT / app / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w/]+\.py)` \|", readme, re.MULTILINE)
    places = (ROOT / app, ROOT, ROOT / "tests" / app)
    assert [path for path in rows if not any((at / path).is_file() for at in places)] == []


@pytest.mark.parametrize("app", APPS)
def test_every_table_of_an_app_is_named_in_its_readme(app):
    readme = (ROOT / app / "README.md").read_text(encoding="utf-8")
    models = [model.__name__ for model in apps.get_app_config(app).get_models()]
    assert [name for name in models if f"`{name}`" not in readme] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_links_lead_somewhere(document):
    links = LINK.findall(text_of(document))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_files_of_the_code_exist(document):
    named = CODE_FILE.findall(text_of(document))
    places = (ROOT, document.parent)
    assert [path for path in named if not any((at / path).is_file() for at in places)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_tests_that_are_named_exist(document):
    assert [f"{file}::{name}" for file, name in TEST.findall(text_of(document))
            if name not in functions_of(file)] == []  # fmt: skip


def functions_of(file: str) -> set[str]:
    path = ROOT / file
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


def test_decisions_are_numbered_and_dated():
    pages = sorted((ROOT / "docs/decisions").glob("*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    heads = [page.read_text(encoding="utf-8").split("\n")[:3] for page in pages]
    assert [h for n, h in enumerate(heads, 1) if not h[0].startswith(f"# {n}. ")] == []
    assert [h for h in heads if not re.match(r"Date: \d{4}-\d\d-\d\d\. State: ", h[2])] == []
