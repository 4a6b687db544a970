"""An answer whose files have what is hard on paper, and how a PDF is read back."""

import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Callable

import pytest

from accounts.models import User
from answers.answering import ask
from answers.models import Answer
from repos.models import Repository

LONG = "TABLE = [" + ", ".join(f"{number:04d}" for number in range(830)) + "]  # coin table end"
ODD = f'''"""Coins of all countries. 硬貨の一覧。 동전 목록. قائمة العملات."""

# Emoji of the coins: 🪙 🚀 👩‍👩‍👧, and a word that turns round: \u202edrow\u202c.
{LONG}


def coin_table(country):
    """Look a coin table up by its country: 通貨 by name, <b>never</b> by &number;."""
    return {{"name": "硬貨 🪙", "table": TABLE, "tab":\t"<img src='http://127.0.0.1:9/x.png'>"}}
'''
QUESTION = "How is a coin table looked up by its country? 硬貨 🪙"


@pytest.fixture
def coins(index_files: Callable[..., Repository]) -> Repository:
    return index_files({"coins/table.py": ODD, "README.md": "# Coins\n\nCoin tables.\n"}, "coins")


@pytest.fixture
def answer(coins: Repository, member: User) -> Answer:
    return ask(QUESTION, person=member, repositories=[coins])


def text_of(pdf: bytes) -> str:
    """The words of a PDF in reading order, blanks folded."""
    read = subprocess.run(
        ["pdftotext", "-enc", "UTF-8", "-", "-"], input=pdf, capture_output=True, check=True
    )
    return re.sub(r"\s+", " ", read.stdout.decode())


def structure_of(pdf: bytes) -> list[str]:
    """The kinds of its structure elements, in their order: Document, H1, P, Link…"""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf)
        file.flush()
        read = subprocess.run(
            ["pdfinfo", "-struct", file.name], capture_output=True, text=True, check=True
        )
    return re.findall(r"^\s*(\w+)(?: \(\w+\))?:?$", read.stdout, re.MULTILINE)


def unpacked(pdf: bytes) -> bytes:
    """A PDF with the content of its compressed streams behind it."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return b"\n".join(
        [pdf, *(zlib.decompressobj().decompress(one) for one in streams if one[:1] == b"x")]
    )


needs_poppler = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="poppler-utils is not installed"
)
