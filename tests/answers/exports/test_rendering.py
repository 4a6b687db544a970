"""HTML to PDF: nothing from outside, the same bytes each time, plain failures."""

import re
import shutil
import socket
import threading

import pytest

from answers.exports import rendering
from answers.exports.glyphs import missing, named
from answers.exports.rendering import RenderFailed, render
from tests.answers.exports.conftest import needs_poppler, structure_of, text_of, unpacked

PAGE = '<html lang="en"><head><title>Coins</title></head><body><h1>Coins</h1>{}</body></html>'


@needs_poppler
def test_words_come_out_as_they_went_in():
    made = render(PAGE.format("<p>硬貨 and 🪙 and العملات</p>"))
    assert "硬貨 and 🪙 and" in text_of(made.pdf)
    assert made.pages == 1


def test_the_same_html_gives_the_same_bytes_in_two_processes():
    html = PAGE.format("<p>one 硬貨 🪙</p><pre>two</pre>")
    assert render(html).pdf == render(html).pdf


def test_other_html_is_another_document():
    assert render(PAGE.format("one")).pdf != render(PAGE.format("two")).pdf


def test_what_pdf_ua_asks_for_is_there():
    pdf = unpacked(render(PAGE.format("<p>x</p>")).pdf)
    assert re.search(rb"/MarkInfo\s*<<\s*/Marked true\s*>>", pdf)
    assert re.search(rb"/Lang\s*\(en\)", pdf)
    assert re.search(rb"/ViewerPreferences\s*<<\s*/DisplayDocTitle true", pdf)
    assert b"/StructTreeRoot" in pdf
    assert re.search(rb"/Tabs\s*/S", pdf)
    assert re.search(rb"<pdfuaid:part>1</pdfuaid:part>|pdfuaid:part=.1.", pdf)
    assert re.search(rb"dc:title", pdf)


@needs_poppler
def test_every_part_of_a_page_has_its_place_in_the_structure():
    body = (
        "<h2>Lists</h2><ul><li>one</li></ul><p>See <a href='#t'>the table</a>.</p>"
        "<table id=t><tr><td>硬貨</td></tr></table>"
    )
    kinds = structure_of(render(PAGE.format(body)).pdf)
    assert {"Document", "H1", "H2", "L", "LI", "P", "Link", "Table", "TR", "TD"} <= set(kinds)


@pytest.fixture
def listener():
    """A server on loopback that notes who knocks."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        knocks: list[object] = []
        done = threading.Event()

        def listen() -> None:
            while not done.is_set():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    knocks.append(connection)

        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], knocks
        done.set()
        thread.join()


def test_nothing_is_fetched(listener, tmp_path):
    port, knocks = listener
    secret = tmp_path / "secret.css"
    secret.write_text("body::after { content: 'from the disk' }")
    outside = f"http://127.0.0.1:{port}"
    made = render(
        PAGE.format(
            f'<img src="{outside}/a.png"><img src="file://{secret}">'
            f'<link rel="stylesheet" href="{outside}/a.css">'
            f'<link rel="stylesheet" href="file://{secret}"><link rel="attachment" href="file://{secret}">'
            f"<style>@import url({outside}/b.css); @import url(file://{secret});"
            f"@font-face {{ font-family: x; src: url({outside}/x.ttf) }}"
            f"p {{ background: url({outside}/c.png); font-family: x }}</style>"
            f'<object data="{outside}/d.svg"></object><svg><image href="{outside}/e.png"/></svg>'
        )
    )
    assert knocks == []
    assert made.pages == 1
    if shutil.which("pdftotext"):
        assert "from the disk" not in text_of(made.pdf)
    assert b"from the disk" not in made.pdf


def test_without_pango_the_message_names_the_packages(monkeypatch, tmp_path):
    (tmp_path / "weasyprint").mkdir()
    (tmp_path / "weasyprint" / "__init__.py").write_text("raise OSError('cannot load libpango')")
    environment = rendering._environment()
    monkeypatch.setattr(
        rendering, "_environment", lambda: {**environment, "PYTHONPATH": str(tmp_path)}
    )
    with pytest.raises(RenderFailed, match=r"apt-get install libpango-1.0-0 libpangoft2-1.0-0"):
        render(PAGE.format("x"))


def test_what_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(rendering, "SECONDS", 0.01)
    with pytest.raises(RenderFailed, match="given up"):
        render(PAGE.format("x"))


def test_what_is_too_large_is_not_begun(monkeypatch):
    monkeypatch.setattr(rendering, "MOST_HTML", 10)
    with pytest.raises(RenderFailed, match="too large"):
        render(PAGE.format("x"))


def test_a_renderer_that_dies_is_told_without_quoting_anything(monkeypatch):
    monkeypatch.setattr(rendering, "_environment", lambda: {"PATH": "", "PYTHONHOME": "/nowhere"})
    with pytest.raises(RenderFailed) as told:
        render(PAGE.format("a line of the repository"))
    assert str(told.value) == "The PDF could not be made (the renderer stopped)."


def test_characters_without_a_font_are_named():
    assert missing("plain words") == []
    # The last code point of a private plane: no font draws it.
    assert missing("漢\U0010fffd") in (["\U0010fffd"], ["漢", "\U0010fffd"], [])
    assert named("漢🪙") == "U+6F22, U+1FA99"
