"""Circles and arrows on the board: their text, and comments that contain them in every format that has comments."""

import pytest

import pentad
from pentad.game import GameError
from pentad.record import Record
from pentad.record.formats import FORMATS
from pentad.record.shapes import COLOURS, Shape, commands, commented, take_all
from tests.cases import together

GAMES = ("pentago", "pente rules=freestyle size=15", "pentagame")


def drawn(start: str) -> Record:
    """A record with shapes in all colours on targets of its own drawing."""
    record = Record(pentad.load(start) if " " in start else start)
    targets = [target for choice in record.start.choices() for target in choice.targets][:12:3]
    node = record.root
    for colour, shift in zip("GRBY", range(4), strict=True):
        node.shapes += (Shape(colour, targets[shift]), Shape(colour, targets[shift], targets[shift - 1]))
    record.root.comment = "the start [%csl no command, 2]"
    node = record.play(record.start.legal_moves[0])
    node.shapes, node.comment = (Shape("R", targets[0]),), "[%csl Gtext]"
    record.root.play(record.start.legal_moves[-1]).shapes = (Shape("B", targets[1], targets[0]),)
    return record


@together("start, name", [(start, name) for start in GAMES[::2] for name in ("pentad", "json")])
def test_shapes_survive_writing_and_reading(start: str, name: str) -> None:
    record = drawn(start)
    text = FORMATS[name].write([record])  # type: ignore[misc]
    (again,) = FORMATS[name].read(text, None)  # type: ignore[misc]
    assert again == record
    for one, other in zip(again.nodes(), record.nodes(), strict=True):
        assert (sorted(one.shapes), one.comment) == (sorted(other.shapes), other.comment)
    assert FORMATS[name].write([again]) == text  # type: ignore[misc]


def test_comments_of_sgf_begin_with_shapes() -> None:
    record = Record("pente", rules="freestyle", size=15)
    record.root.shapes = (Shape("G", "H8"), Shape("R", "H8", "K9"))
    node = record.play("H8")
    node.shapes, node.comment = (Shape("Y", "A1"),), "good"
    text = FORMATS["sgf"].write([record])  # type: ignore[misc]
    (again,) = FORMATS["sgf"].read(text, None)  # type: ignore[misc]
    assert [(each.shapes, each.comment) for each in again.nodes()] == [
        (each.shapes, each.comment) for each in record.nodes()
    ]


def test_the_commands_of_a_comment() -> None:
    shapes = (Shape("G", "[8,0,0]"), Shape("R", "[8,0,0]", "[1,2,3]"), Shape("B", "piece 0.0"))
    assert commands(shapes) == ["[%csl G[8,0,0],Bpiece 0.0]", "[%cal R[8,0,0]>[1,2,3]]"]
    found, comment = take_all(f"{' '.join(commands(shapes))} good")
    assert (sorted(found), comment) == (sorted(shapes), "good")


@together("text", [*("", "G", "Xa1", "Ga1>", "G>a1", "Ga1>a1", "Ga1>b1>c1", "Ga1,", "Ga}1", "G[1,2", "G" + "a" * 30)])
def test_no_shape(text: str) -> None:
    with pytest.raises(GameError, match=r"^Expected a circle .* got .*\.$"):
        Shape.read(text)
    assert take_all(f"[%csl {text}] x") == ((), f"[%csl {text}] x")


def test_the_letters_of_colours() -> None:
    assert COLOURS == {"G": "green", "R": "red", "B": "blue", "Y": "yellow"}


@together(
    "comment",
    [
        "[%cal Ga2] x",
        "[%csl Ga2>b3] x",
        "[%csl Ga2,Ga2>b3] x",
        "[%cal Ga2>b3,Ga2] x",
        "x [%csl Ga2]",
        "[%dsl Ga2] x",
        "",
    ],
)
def test_circles_and_arrows_have_commands_of_their_own_at_the_beginning(comment: str) -> None:
    assert take_all(comment) == ((), comment)


def test_a_comment_with_its_shapes() -> None:
    shapes = (Shape("G", "a2"), Shape("R", "a2", "b3"))
    assert commented(shapes, "good") == "[%csl Ga2] [%cal Ra2>b3] good"
    assert commented(shapes, "") == "[%csl Ga2] [%cal Ra2>b3]"
    assert commented((), "good") == "good"
    assert take_all("[%csl Ga2][%cal Ra2>b3] good") == (shapes, "good")
    assert list(map(str, shapes)) == ["Ga2", "Ra2>b3"]


def test_a_hundred_shapes_are_allowed() -> None:
    assert len(Shape.read_all(["Ga2"] * 100)) == 100


def test_json_names_the_place_of_a_bad_shape() -> None:
    text = '{"pentad": 1, "games": [{"game": "pentago", "moves": [{"move": "a2 1C", "shapes": ["Qa1"]}]}]}'
    with pytest.raises(GameError, match=r"^games\[0\].moves\[0\].shapes: Expected a circle"):
        FORMATS["json"].read(text, None)  # type: ignore[misc]
    with pytest.raises(GameError, match=r"shapes: .* 100 .* got 101"):
        FORMATS["json"].read(text.replace('"Qa1"', ", ".join(101 * ['"Ga1"'])), None)  # type: ignore[misc]
