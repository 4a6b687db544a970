"""README files: formats, addresses, and nothing active."""

from html.parser import HTMLParser

import pytest

from indexing.readme import own_address, render

HOSTILE = """
<script>window.PROBE = 1</script>
<img src=x onerror="window.PROBE = 2">
<svg onload=window.PROBE=3></svg>
<iframe srcdoc="<script>parent.PROBE=4</script>"></iframe>
<details ontoggle=window.PROBE=5 open><summary>s</summary></details>
<meta http-equiv=refresh content="0;url=https://evil.example">
<form action=https://evil.example><input name=q></form>
<a href="javascript:window.PROBE=6">a</a> [b](javascript:window.PROBE=7)
<a href="&#106;avascript:alert(1)">c</a> [d](data:text/html,<script>1</script>)
<p style="position:fixed" class="bar" id="main">e</p>
<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></mtext></math>
{{ 7*7 }} {% load x %}
"""
PLAIN = {"a", "p", "h2", "pre", "details", "summary", "em", "code", "blockquote", "table", "tbody"}


class Elements(HTMLParser):
    """What a browser would see: tags, attribute names, addresses."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.addresses = set(), set(), set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attrs}
        self.addresses |= {value for name, value in attrs if name in {"href", "src"}}


@pytest.mark.parametrize("path", ["README.md", "README.rst", "README.txt", "README"])
def test_nothing_active_comes_through(path):
    seen = Elements(render(HOSTILE, path))
    assert seen.tags <= PLAIN
    assert seen.attributes <= {"href", "rel", "open"}
    assert not seen.addresses
    assert "49" not in render(HOSTILE, path)


@pytest.mark.parametrize(
    "text", ["[x](https://e.example/?a=1&b=%22)", '<a href="https://e.example/?a=1&b=%22">x</a>']
)
def test_ampersands_of_an_address_stay_as_they_are(text):
    assert Elements(render(text, "README.md")).addresses == {"https://e.example/?a=1&b=%22"}


def test_a_description_is_text():
    assert Elements(render("![<script>](x) <img alt='<b onclick=x>'>", "README.md")).tags == {"p"}


def test_markdown_with_a_table():
    html = render("# Title\n\n| a |\n|---|\n| *b* |\n", "README.md")
    assert '<h2 id="readme-title">Title</h2>' in html
    assert "<td><em>b</em></td>" in html


def test_restructured_text():
    html = render("Title\n=====\n\n*a* ``b``\n\n.. code-block:: python\n\n   x = 1\n", "README.rst")
    assert 'id="readme-title">Title' in html
    assert "<em>a</em>" in html
    assert "x = 1" in html


@pytest.mark.parametrize("directive", ["include", "literalinclude", "raw", "csv-table"])
def test_restructured_text_reads_no_file(directive, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret itself")
    option = "   :file: " if directive in {"raw", "csv-table"} else " "
    argument = "html\n" if directive == "raw" else "\n" if directive == "csv-table" else ""
    html = render(f".. {directive}:: {argument}{option}{secret}\n", "README.rst")
    assert "the secret itself" not in html


def test_raw_html_of_restructured_text_is_dropped():
    assert "<b>" not in render(".. raw:: html\n\n   <b>x</b>\n", "README.rst")


def test_plain_text_stays_as_it_is():
    assert render("a <b>\n  c", "README") == "<pre>a &lt;b&gt;\n  c</pre>"


def test_headings_of_one_name_get_different_ids():
    html = render("# A b!\n\n# A b!\n", "README.md")
    assert 'id="readme-a-b"' in html
    assert 'id="readme-a-b-1"' in html


def test_an_image_becomes_its_description():
    html = render("![a \"chart\"](docs/x.png) <img src='https://t.example/p.gif'>", "README.md")
    assert "<img" not in html
    assert "t.example" not in html
    assert '[a "chart"]' in html


@pytest.mark.parametrize(
    ("href", "folder", "address"),
    [
        ("docs/a.md", "", "footnote-file:docs/a.md"),
        ("a.md", "docs", "footnote-file:docs/a.md"),
        ("../a%20b.md", "docs/x", "footnote-file:docs/a%20b.md"),
        ("/top.md", "docs", "footnote-file:top.md"),
        ("../../../etc/passwd", "docs", "footnote-file:etc/passwd"),
        ("src/a.py#L10-L20", "", "footnote-file:src/a.py#L10-L20"),
        ("other.md#part", "", "footnote-file:other.md"),
        ("#usage", "", "#readme-usage"),
        ("#", "", ""),
        ("", "", ""),
        ("https://example.org/x", "", "https://example.org/x"),
        ("mailto:a@example.org", "", "mailto:a@example.org"),
        ("//example.org/x", "", "https://example.org/x"),
        ("ftp://example.org/x", "", ""),
        ("javascript:alert(1)", "", ""),
        ("http://[", "", ""),
        ('a"><script>.md', "", "footnote-file:a%22%3E%3Cscript%3E.md"),
    ],
)
def test_addresses(href, folder, address):
    assert own_address(href, folder) == address


def test_links_elsewhere_tell_nothing_about_the_reader():
    html = render("[x](https://example.org)", "README.md")
    assert 'rel="noopener noreferrer nofollow"' in html


def test_a_reader_cannot_forge_our_addresses():
    assert "footnote-file" not in render("[x](footnote-file:../../admin/)", "README.md")


@pytest.mark.parametrize(
    "text", ["[" * 5000, "> " * 5000, "<div>" * 5000, "*a " * 5000, "|a" * 5000]
)
def test_deep_nesting_is_rendered_or_given_up(text):
    assert isinstance(render(text, "README.md"), str)
