"""Contrast of every text colour on every ground it stands on (WCAG 2.2 AA), both themes."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).parent.parent / "static" / "css" / "tokens.css"
PAIR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS.read_text())}
CODE = [name for name in COLOURS if name.startswith("code-")]
TEXT_ON = [
    *[(text, ground) for text in ("text", "quiet", "accent") for ground in ("ground", "raised")],
    *[("text", f"{tone}-ground") for tone in ("good", "warn", "bad", "mark", "chosen")],
    *[("quiet", ground) for ground in ("pressed", "chosen-ground", "mark-ground")],
    *[
        (tone, ground)
        for tone in ("good", "warn", "bad")
        for ground in ("ground", f"{tone}-ground")
    ],
    *[(name, ground) for name in CODE for ground in ("ground", "mark-ground")],
    ("on-accent", "accent"),
    ("accent", "mark-ground"),
    ("accent", "pressed"),
]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_measured_rightly():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_is_readable(text, ground, theme):
    assert contrast(COLOURS[text][theme], COLOURS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("line", ["edge", "accent"])
def test_controls_and_focus_are_visible(line, theme):
    assert contrast(COLOURS[line][theme], COLOURS["ground"][theme]) >= 3
