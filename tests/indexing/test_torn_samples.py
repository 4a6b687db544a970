"""Half-written files: the golden samples, torn in ways that are the same on every run."""

import random

import pytest

from indexing.languages import language_of
from indexing.parse import parse
from tests.indexing.golden_files import sample_of

LANGUAGES = ("kotlin", "ruby", "php", "swift", "scala", "bash", "lua", "elixir", "powershell")
READ = ("sql", "markdown", "rst", "yaml", "toml", "json")
MARKS = "(){}[]\"'`\n#;:<|"


def torn(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(text))
        to = at + chance.randint(1, 40)
        middle = chance.choice(["", chance.choice(MARKS) * 2 + text[at:to], text[at:to] * 2])
        text = text[:at] + middle + text[to:]
    return text


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("language", LANGUAGES + READ)
def test_torn_samples_give_sound_records(language, seed):
    sample = sample_of(language)
    text = torn(sample.read_text("utf-8"), random.Random(f"{language} {seed}"))
    row = language_of(sample.name)
    assert row is not None
    parsed = parse(row, text)
    last = text.count("\n") + (not text.endswith("\n"))
    for one in parsed.symbols:
        assert 1 <= one.lead_line <= one.start_line <= one.name_line <= one.end_line <= last
        assert one.name
        assert "\n" not in one.signature + one.doc
    lines = [line for line, _ in parsed.breaks]
    assert lines == sorted(set(lines))
