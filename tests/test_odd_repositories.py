"""Odd inputs of the kinds that broke tools like this one, through the whole pipeline."""

import json
from pathlib import Path
from typing import Any

import pytest

from indexing.models import Chunk, Content, Import, Symbol
from repos.importing import create_repository, understand
from repos.models import File, Repository
from tests import factories
from tests.repos.githost import checkout, commit, git, serve

pytestmark = pytest.mark.usefixtures("here")
TICKET = "class Ticket:\n    def pay(self):\n        return 1\n"


def file_of(path: str) -> File:
    return File.objects.get(path=path, last_snapshot=None)


def text_of(path: str) -> str:
    return Content.objects.get(file_id=file_of(path).id).text


def symbols_of(path: str) -> list[tuple[Any, ...]]:
    rows = Symbol.objects.filter(file_id=file_of(path).id).order_by("start_line", "id")
    return list(rows.values_list("name", "start_line", "end_line", "parent"))


def kinds() -> dict[str, str]:
    live = File.objects.filter(last_snapshot=None)
    return dict(live.values_list("path", "classification"))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("srv"), tmp_path_factory.mktemp("keys")) as host:
        yield host


@pytest.fixture
def cloned(served, settings, owner, tmp_path):
    """Index a repository of the host by git; the work tree is made by the test."""
    settings.GIT_HOSTS, settings.GIT_CA_FILE = [served.name], str(served.ca_file)

    def index(work: Path, **options: Any) -> Repository:
        address = served.url(str(work.relative_to(served.root)))
        repository = create_repository(understand(address), owner=owner, **options)
        assert factories.index(repository).state == "done"
        return repository

    return index


@pytest.fixture
def work(served, tmp_path: Path):
    return served.root / "acme" / tmp_path.name


# --- encodings ------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_a_mark_is_text(index_files, encoding):
    source = "\ufeffclass Kasse {\n  int Größe() { return 1; }\n}\n".encode(encoding)
    index_files({"Kasse.cs": source, "bare.txt": "no mark at all\n".encode(encoding)})
    assert symbols_of("Kasse.cs") == [("Kasse", 1, 3, ""), ("Größe", 2, 2, "Kasse")]
    assert kinds()["bare.txt"] in {"binary", "undecodable"}
    assert Content.objects.get().encoding == encoding
    assert text_of("Kasse.cs")[0] == "c"


def test_utf_32_is_not_taken_for_utf_16(index_files):
    index_files({"x.txt": "wide\n".encode("utf-32")})
    assert file_of("x.txt").classification in {"binary", "undecodable"}
    assert file_of("x.txt").reason


def test_a_mark_and_a_stray_byte_keep_a_file_in(index_files):
    index_files(
        {
            "mark.py": "\ufeffdef first():\n    return 1\n",
            "stray.py": b"x = '\xff'\n\n\ndef after():\n    return 1\n",
            "itself.py": "def holds():\n    return '\ufffd'\n",
        }
    )
    assert symbols_of("mark.py") == [("first", 1, 2, "")]
    assert ("after", 4, 5, "") in symbols_of("stray.py")
    remarks = {c.file_id: c.remarks for c in Content.objects.all()}
    assert "1 byte(s)" in remarks[file_of("stray.py").id]
    assert remarks[file_of("itself.py").id] == ""


def test_latin_1_is_read_by_its_cookie(index_files):
    index_files({"alt.py": "# -*- coding: latin-1 -*-\nGRÖSSE = 'ü'\n".encode("latin-1")})
    assert text_of("alt.py").split("\n")[1] == "GRÖSSE = 'ü'"


def test_a_late_nul_costs_no_neighbour(index_files):
    lib = index_files({"a.py": TICKET, "m.py": "# x\n" * 3_000 + "K = '\0'\n", "z.py": TICKET})
    assert lib.runs.get().failures.count() == 0
    assert Symbol.objects.filter(name="pay").count() == 2
    assert "\0" not in text_of("m.py")


# --- lines ----------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("sign", ["\f", "\v", "\x85", "\u2028", "\r "])
def test_only_line_feeds_end_lines(index_files, sign, end):
    source = end.join([f"A = 'x{sign}y'", "", "", "def late():", "    return A", ""])
    index_files({"p.py": source})
    assert file_of("p.py").lines == 5
    assert ("late", 4, 5, "") in symbols_of("p.py")
    chunks = Chunk.objects.order_by("ordinal").values_list("start_line", "end_line")
    assert [n for start, end in chunks for n in range(start, end + 1)] == [1, 2, 3, 4, 5]


# --- names ----------------------------------------------------------------------------------

NAMES = (
    "a b.py", "-dash.py", "q\"uote.py", "ti\tck.py", "new\nline.py", "日本/語.py", "50%#?.py",
    "colon:3.py", "back\\slash.py", "<b>.py", "Case.py", "case.py", "CASE/x.py", "case/x.py",
)  # fmt: skip


def test_every_name_is_listed_as_it_is(cloned, work):
    checkout(work, dict.fromkeys(NAMES, TICKET))
    cloned(work)
    assert set(kinds()) == set(NAMES)
    assert Symbol.objects.filter(name="pay").count() == len(NAMES)


# --- sizes ----------------------------------------------------------------------------------


def test_bundles_go_out_and_one_long_line_stays(index_files):
    bundle = "!function(){" + "var a=function(b){return b+1};" * 3_000 + "}();\n"
    banner = f"ART = '{'=' * 4_000}'\n\n\ndef shown():\n    return ART\n"
    prose = "A long paragraph of a text that people read. " * 60 + "\n\nAnd one more.\n"
    index_files({"out/all.js": bundle, "banner.py": banner, "essay.md": prose})
    assert kinds() == {"out/all.js": "minified", "banner.py": "indexed", "essay.md": "indexed"}
    assert symbols_of("banner.py")[-1][:2] == ("shown", 4)


def test_empty_and_blank_files_have_no_chunk(index_files):
    lib = index_files({"empty.py": "", "blank.md": "\n \n\t\n", "one.py": "x = 1\n"})
    assert set(kinds().values()) == {"indexed"}
    assert Chunk.objects.count() == 1
    assert lib.snapshots.get().indexed_files == 3


def test_a_folder_of_nothing_is_calm(index_files, tmp_path):
    (tmp_path / "sources/lib").mkdir(parents=True)
    lib = index_files({})
    assert (lib.runs.get().state, lib.snapshots.get().files) == ("done", 0)


# --- git ------------------------------------------------------------------------------------


def test_a_branch_with_slashes_is_one_name(cloned, work):
    checkout(work, {"a.py": "x = 1\n"})
    git(work, "checkout", "-q", "-b", "feature/pay/now")
    commit(work, {"b.py": "y = 1\n"})
    git(work, "checkout", "-q", "main")
    lib = cloned(work, ref="feature/pay/now")
    assert lib.snapshots.get().ref == "feature/pay/now"
    assert set(kinds()) == {"a.py", "b.py"}


def test_a_submodule_is_one_entry(cloned, work):
    checkout(work, {"a.py": TICKET, ".gitmodules": '[submodule "x"]\n\tpath = lib/x\n'})
    git(work, "update-index", "--add", "--cacheinfo", f"160000,{'a1' * 20},lib/x")
    git(work, "commit", "-q", "-m", "submodule")
    cloned(work)
    assert kinds()["lib/x"] == "submodule"
    assert "a1" * 20 in file_of("lib/x").reason
    assert Symbol.objects.filter(name="pay").exists()


def test_links_in_circles_are_listed_once(index_files, tmp_path):
    folder = factories.write_files(tmp_path / "sources/lib", {"in/a.py": TICKET})
    (folder / "in/up").symlink_to("..")
    (folder / "self").symlink_to("self")
    (folder / "out").symlink_to("/etc")
    index_files({})
    links = {"in/up": "symlink", "self": "symlink", "out": "symlink"}
    assert kinds() == {"in/a.py": "indexed", **links}
    assert "leads to .." in file_of("in/up").reason


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 77\n".format("c" * 64)


def test_lfs_pointers_are_told_from_text_about_them(index_files):
    index_files(
        {
            "model.bin": POINTER,
            "table.py": POINTER,
            "about.md": f"# LFS\n\n```\n{POINTER}```\n",
            "empty.bin": "",
        }
    )
    shown = kinds()
    assert (shown["model.bin"], shown["table.py"]) == ("lfs_pointer", "lfs_pointer")
    assert shown["about.md"] == "indexed"
    assert shown["empty.bin"] != "lfs_pointer"
    assert "c" * 64 in file_of("table.py").reason


ATTRIBUTES = "gen/** linguist-generated\ngen/keep.py -linguist-generated\next/ linguist-vendored\n"


def test_attributes_match_as_git_matches_them(cloned, work):
    nested = {"web/.gitattributes": "b.js linguist-vendored=false\n", "web/b.js": "x = 1\n"}
    attributes = f"{ATTRIBUTES}web/*.js linguist-vendored\n"
    named = dict.fromkeys(["gen/a.py", "gen/keep.py", "ext/c.py", "web/a.js"], "x = 1\n")
    checkout(work, {".gitattributes": attributes, **named, **nested})
    cloned(work)
    shown = kinds()
    assert [shown["gen/a.py"], shown["gen/keep.py"]] == ["generated", "indexed"]
    assert shown["ext/c.py"] == "indexed"  # `ext/` matches no file in attribute files
    assert [shown["web/a.js"], shown["web/b.js"]] == ["vendored", "indexed"]


IGNORED = {
    ".gitignore": "*.log\nbuild/\n",
    "build/tool.py": TICKET,
    "web/.gitignore": ".out/\n",
    "web/.out/x.js": "x\n",
    "a.log": "x\n",
    "src/app.py": TICKET,
}


def test_a_clone_holds_whatever_is_tracked(cloned, work):
    checkout(work, IGNORED)
    cloned(work)
    assert set(kinds().values()) == {"indexed"}


def test_a_plain_folder_obeys_its_ignore_files(index_files):
    index_files(IGNORED)
    left_out = {path for path, kind in kinds().items() if kind == "ignored"}
    indexed = {path for path, kind in kinds().items() if kind == "indexed"}
    assert indexed == {".gitignore", "web/.gitignore", "src/app.py"}
    assert left_out <= {"build/tool.py", "build/", "web/.out/x.js", "web/.out/", "a.log"}


# --- languages ------------------------------------------------------------------------------


def notebook(*cells: dict[str, Any]) -> str:
    about = {"metadata": {"language_info": {"name": "python"}}, "nbformat": 4}
    return json.dumps({"cells": list(cells), **about}, indent=1)


def test_a_notebook_gives_its_code_and_no_pictures(index_files):
    picture = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 50}}
    code = {
        "cell_type": "code",
        "source": ["%load_ext x\n", "def weigh(a):\n", "    return a\n"],
        "outputs": [picture],
    }
    text = notebook({"cell_type": "markdown", "source": ["# About\n"]}, code)
    index_files({"w.ipynb": text, "broken.ipynb": text[:200], "a.py": TICKET})
    _, line, _, _ = next(one for one in symbols_of("w.ipynb") if one[0] == "weigh")
    assert "def weigh" in text.split("\n")[line - 1]
    assert "iVBORw0KGgo" not in text_of("w.ipynb")
    assert symbols_of("a.py")[0][0] == "Ticket"
    assert "notebook" in Content.objects.get(file_id=file_of("broken.ipynb").id).remarks


VUE = """<template>
  <p>{{ sum }}</p>
</template>
<script>
export function plain() {
  return 1
}
</script>
<script setup lang="ts">
import { ref } from 'vue'
function added(): number {
  return 2
}
</script>
"""


def test_lines_in_a_component_count_from_its_top(index_files):
    index_files({"Sum.vue": VUE, "Only.vue": "<template>\n  <b>hi</b>\n</template>\n"})
    assert {("plain", 5, 7, ""), ("added", 11, 13, "")} <= set(symbols_of("Sum.vue"))
    assert list(Import.objects.values_list("module", "line")) == [("vue", 10)]
    assert file_of("Only.vue").classification == "indexed"


SHAPES = """import functools


@functools.total_ordering
class Box:
    @property
    def width(self):
        return 1

    @staticmethod
    @functools.cache
    def of(side):
        return side

    class Lid:
        def open(self):
            return 1
"""


def test_decorated_names_carry_their_decorators(index_files):
    index_files({"box/shapes.py": SHAPES, "box/__init__.py": "from .shapes import Box\n"})
    assert symbols_of("box/shapes.py") == [
        ("Box", 4, 17, ""),
        ("width", 6, 8, "Box"),
        ("of", 10, 13, "Box"),
        ("Lid", 15, 17, "Box"),
        ("open", 16, 17, "Box.Lid"),
    ]
    assert Import.objects.get(module=".shapes").target_path == "box/shapes.py"


def test_an_import_through_a_package_can_be_followed_to_the_definition(index_files):
    files = {"box/shapes.py": SHAPES, "box/__init__.py": "from .shapes import Box\n"}
    index_files({**files, "main.py": "from box import Box\n"})
    targets = dict(Import.objects.values_list("module", "target_path"))
    assert (targets["box"], targets[".shapes"]) == ("box/__init__.py", "box/shapes.py")


def test_old_and_broken_syntax_costs_no_symbol_around_it(index_files):
    old = 'def before():\n    print "old"\n\n\ndef after():\n    exec "1" in {}\n'
    torn = "def whole():\n    return 1\n\n\ndef torn(:\n\n\ndef last():\n    return 3\n"
    index_files({"old.py": old, "torn.py": torn})
    assert [one[:2] for one in symbols_of("old.py")] == [("before", 1), ("after", 5)]
    assert {("whole", 1), ("last", 8)} <= {one[:2] for one in symbols_of("torn.py")}
    torn_content = Content.objects.get(file_id=file_of("torn.py").id)
    assert "syntax errors" in torn_content.remarks


BRANCHES = """int first(void) { return 1; }
#ifdef WIDE
int pick(long n) {
#else
int pick(int n) {
#endif
  return n;
}
int last(void) {
  return 2;
}
"""


def test_functions_behind_odd_branches_are_found(index_files):
    index_files({"pick.c": BRANCHES})
    found = {name: (start, end) for name, start, end, _ in symbols_of("pick.c")}
    assert (found["first"], found["last"]) == ((1, 1), (9, 11))
    assert found["pick"][1] < 9


# --- tokens ---------------------------------------------------------------------------------


def test_a_token_is_in_no_error_and_no_log(served, work, cloned, caplog):
    token = "tok" + "en-" + "z" * 20
    checkout(work, {"a.py": "x = 1\n"})
    served.token = "another"
    try:
        with pytest.raises(AssertionError):
            cloned(work, token=token)
    finally:
        served.token = ""
    run = Repository.objects.get().runs.get()
    assert (run.state, run.error_code) == ("failed", "auth")
    assert token not in caplog.text + run.error
