"""Expressions of drawings: Python and the page write the same texts."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad import drawing
from pentad.drawing import NOTHING, marble, piece_in_hand, tag, target
from pentad.drawing.looks import (
    LONGEST_KEPT,
    At,
    Coordinate,
    Each,
    Expression,
    LookTables,
    MadeTable,
    Number,
    Pick,
    Place,
    Sheet,
    filled,
    sheet_of,
    written,
)

SCRIPT = Path(__file__).parents[2] / "src/pentad/web/static/instant/looks.js"
COLOURS: tuple[Expression, ...] = ("black", "white", ("blue ", Number(1)))
SPACES: tuple[Place, ...] = (
    {"x": 12.125, "y": -3.0, "name": "A1"},
    {"x": 0.005, "y": 71.3, "name": "B2"},
    {"x": 1, "y": 2, "name": "C3"},
)
MARKS: tuple[Place, ...] = ({"mark": "!"}, {"mark": "?", "x": 7.0})
EXAMPLES: tuple[Expression, ...] = (
    "plain {x}",
    ("one ", Number(0), " ", Pick(0, COLOURS)),
    Each(3, 2, COLOURS, between=", ", last=" and ", none="nothing"),
    At(SPACES, ('<circle cx="{x-1.5}" cy="{y+2:1}"/>{name} ', Pick(2, COLOURS)), index=1),
    At(SPACES, "{y} {x+0.12}"),
    At(SPACES, "{y} {name}", which=1),
    At(SPACES, At(MARKS, "{mark} {name} {x}", which=1), which=1),
    At(SPACES, "{name} ", which=None),
    Each(3, 2, At(SPACES, "{name}"), between=" to "),
    At(MARKS, Each(3, 2, At(SPACES, ("{name}{mark} ", Number(2)))), index=1),
)
NUMBERS = [2, 1, 0, 2, 1, 0]
SIXTEENTHS = st.integers(-16_000, 16_000).map(lambda number: number / 16)


def page_texts(expressions: tuple[Expression, ...], numbers: list[int]) -> list[str]:
    """The texts that the page's script writes."""
    if not (node := shutil.which("node")):
        pytest.skip("node is missing")
    tables = LookTables()
    data = [tables.data(each) for each in expressions]
    code = f"""
        import {{ written }} from {json.dumps(SCRIPT.as_uri())};
        const [data, tables, numbers] = {json.dumps([data, tables.tables, numbers])};
        console.log(JSON.stringify(data.map((each) => written(each, numbers, tables))));
    """
    done = subprocess.run([node, "--input-type=module"], input=code, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_the_page_writes_the_same_texts() -> None:
    texts = [written(each, NUMBERS) for each in EXAMPLES]
    assert texts == [
        "plain {x}",
        "one 2 blue 1",
        "white and black",
        '<circle cx="-1.5" cy="73.3"/>B2 black',
        "-3 12.24",
        "71.3 B2",
        "? B2 7",
        "A1 B2 C3 ",
        "B2 to A1",
        "B2? 0A1? 0",
    ]
    assert page_texts(EXAMPLES, NUMBERS) == texts
    assert Sheet(EXAMPLES).texts(NUMBERS) == texts


def test_a_sheet_keeps_lines_by_all_numbers_that_they_read() -> None:
    sheet = Sheet(EXAMPLES)
    for numbers in (NUMBERS, [0, 0, 1, 1, 2, 0], [0, 1, 1, 0, 2, 2], [2, 0, 0, 2, 2, 1]):
        assert sheet.texts(numbers) == [written(each, numbers) for each in EXAMPLES]


@given(SIXTEENTHS, SIXTEENTHS)
def test_functions_that_draw_take_coordinates_that_are_not_known(x: float, y: float) -> None:
    drawn = marble("red", Coordinate("x"), Coordinate("y"), 18.4)
    place: dict[str, Any] = {"x": x, "y": y}
    again = marble("red", x, y, 18.4)
    assert filled(drawn, place) == again


def test_pages_get_the_first_entries_of_a_made_table() -> None:
    squares: MadeTable[Expression] = MadeTable(3, lambda number: f"{number * number}")
    tables = LookTables()
    assert tables.data(Pick(0, squares)) == {"pick": 0, "of": 0}
    assert tables.tables == [["0", "1", "4"]]
    assert Sheet([Pick(0, squares)]).texts([12]) == ["144"]


def test_a_sheet_without_labels_is_the_board_alone() -> None:
    piece = target("A1", "A1, black", tag("rect", class_="touch"), marble("black", 1, 1, 2))
    place: dict[str, Any] = {"title": "Game", "description": "", "colours": ["black"], "view": (1, 1, 8, 8)}
    for labels in (True, False):
        in_hand = piece_in_hand("<i/>")
        sheet = sheet_of(10, 10, Pick(0, (NOTHING, piece)), NOTHING, **place, labels=labels, in_hand=in_hand)
        for style in (True, False):
            again = drawing.sheet(10, 10, piece, NOTHING, **place, labels=labels, in_hand="<i/>", style=style)
            assert sheet.svg([1], style=style) == again
    assert len(sheet.texts([1])) == len(sheet.texts([0])) + 1


def test_long_texts_of_a_line_are_not_kept() -> None:
    made: list[int] = []

    def text(number: int) -> str:
        made.append(number)
        return "x" * number

    sheet = Sheet([Pick(0, MadeTable(0, text, kept=0))])
    for number in (1, LONGEST_KEPT + 1):
        assert len({tuple(sheet.texts([number])) for _ in range(2)}) == 1
    assert made == [1, LONGEST_KEPT + 1, LONGEST_KEPT + 1]


def test_an_unknown_coordinate_is_not_scaled() -> None:
    with pytest.raises(TypeError):
        Coordinate("x") * 2
