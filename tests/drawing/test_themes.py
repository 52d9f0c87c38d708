"""Themes of boards and pieces: pieces, marks and labels can be told from every board; the pages offer all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pentad
from pentad import drawing
from pentad.drawing.colours import COLOURS
from pentad.drawing.themes import BOARDS, PIECES, STYLE, Variables, mixed, shades

SCRIPT = Path(pentad.__file__).parent / "web" / "static" / "settings" / "looks.js"

SIDES = [(name, side) for name in BOARDS for side in ("light", "dark")]


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def board(name: str, side: str) -> Variables:
    return BOARDS[name].light if side == "light" else BOARDS[name].dark


def race(name: str, side: str) -> Variables:
    return BOARDS[name].race_light if side == "light" else BOARDS[name].race_dark


def woods(variables: Variables) -> Iterator[str]:
    """A tile's colours, from its upper to its lower corner."""
    for part in (0, 0.5, 1):
        yield mixed(variables["tile-light"], variables["tile"], part)


def test_there_are_three_of_each_and_the_first_is_in_all_drawings() -> None:
    assert list(BOARDS) == ["wood", "slate", "paper"]
    assert list(PIECES) == ["glass", "stone", "flat"]
    for name, value in BOARDS["wood"].light.items():
        assert f"--{name}: {value};" in drawing.STYLE
    assert len({tuple(theme.light.items()) for theme in BOARDS.values()}) == 3


@pytest.mark.parametrize("pieces", PIECES)
@pytest.mark.parametrize(("name", "side"), SIDES)
def test_white_and_black_differ_from_every_board_and_from_each_other(name: str, side: str, pieces: str) -> None:
    variables = board(name, side)
    white, black = (shades(PIECES[pieces], COLOURS[colour]) for colour in ("white", "black"))
    assert contrast(white.base, black.base) > 7
    for under in woods(variables):
        assert max(contrast(white.base, under), contrast(white.edge, under)) >= 3
        assert max(contrast(black.base, under), contrast(variables["edge-of-black"], under)) >= 3


@pytest.mark.parametrize(("name", "side"), SIDES)
def test_marks_and_labels_can_be_seen_on_every_board(name: str, side: str) -> None:
    variables = board(name, side)
    for under in woods(variables):
        for mark in ("last", "win"):
            assert max(contrast(variables[mark], under), contrast(variables[f"{mark}-edge"], under)) >= 3
        assert contrast(variables["inlay"], under) >= 3
        assert contrast(variables["grid"], under) >= 3
    for mark in ("last", "win"):
        assert contrast(variables[mark], variables[f"{mark}-edge"]) >= 3
    assert contrast(variables["inlay"], variables["frame"]) >= 4.5


@pytest.mark.parametrize(("name", "side"), SIDES)
def test_the_race_can_be_seen_on_every_board(name: str, side: str) -> None:
    variables = race(name, side)
    assert contrast(variables["way"], variables["stop"]) >= 4.5  # the letter in a goal
    for under in woods(variables):
        assert max(contrast(variables["stop"], under), contrast(variables["stop-edge"], under)) >= 3
        assert contrast(variables["course"], under) >= 3
        assert contrast(variables["inlay"], under) >= 4.5
        assert max(contrast(variables["last"], under), contrast(variables["last-edge"], under)) >= 3


@pytest.mark.parametrize("pieces", PIECES)
def test_colours_of_seats_keep_their_marks_visible(pieces: str) -> None:
    for name, colour in COLOURS.items():
        if colour.mark and name not in ("black", "white"):
            assert contrast(colour.mark, shades(PIECES[pieces], colour).base) >= 3, name


def test_the_style_sheet_has_every_theme() -> None:
    for name in BOARDS:
        assert STYLE.count(f':root[data-board="{name}"]') == 2  # the board, and the race
        assert f'.pentad.race:where([data-board="{name}"])' in STYLE
    for name in PIECES:
        assert f':root[data-pieces="{name}"]:not([data-theme="contrast"])' in STYLE
    assert STYLE.count("{") == STYLE.count("}")
    used = set(re.findall(r"var\(--([\w-]+)\)", drawing.STYLE + STYLE))
    set_here = set(re.findall(r"--([\w-]+): ", drawing.STYLE + STYLE))
    assert used <= set_here


def test_the_settings_offer_every_theme() -> None:
    offered = re.findall(r'\{ name: "(\w+)"', SCRIPT.read_text(encoding="utf-8"))
    assert offered == [*BOARDS, *PIECES]


def test_flat_pieces_have_one_colour_and_glass_the_most() -> None:
    for colour in COLOURS.values():
        flat, glass = shades(PIECES["flat"], colour), shades(PIECES["glass"], colour)
        assert flat.shine == flat.base == flat.rim
        assert luminance(glass.shine) > luminance(glass.base) > luminance(glass.rim)
