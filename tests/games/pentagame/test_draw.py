"""Pentagame drawings: every target is present, distinguishable and within the picture."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import pentad
from pentad.drawing.colours import COLOURS, hue
from pentad.game import Move
from pentad.games.pentagame import layout
from pentad.games.pentagame.board import FIELDS, LINKS, MAINS, NUMBER, PLAN, Field
from pentad.games.pentagame.draw import LARGE, SIGNS, SMALL, Highlights, Size, letters
from pentad.games.pentagame.layout import BoardLayout
from pentad.games.pentagame.letters import names_of
from pentad.games.pentagame.notation import PALETTE, PieceStep
from pentad.games.pentagame.rules import PentagamePosition
from tests.cases import together
from tests.games.pentagame.random_play import random_rare_turn

PLAYERS = range(2, 6)
SVG = "{http://www.w3.org/2000/svg}"


def start(players: int = 2, **options: object) -> PentagamePosition:
    position = pentad.new("pentagame", players=players, **options)
    assert isinstance(position, PentagamePosition)
    return position


def moments(players: int, count: int = 12) -> Iterator[tuple[PentagamePosition, Move | str | None]]:
    """Positions of a game in which much happens, also in the middle of turns, each with what led there."""
    chance = random.Random(players)
    position, last = start(players), None
    for _ in range(count):
        yield position, last
        if position.outcome:
            return
        move = random_rare_turn(position, chance)
        for steps in range(1, len(move)):
            begun = str(Move(move[:steps]))
            yield position.partial(begun), begun
        position, last = position.play(move), move


def targets(svg: str) -> dict[str, ElementTree.Element]:
    found: dict[str, ElementTree.Element] = {}
    for element in ElementTree.fromstring(svg).iter():
        name = element.get("data-target")
        if name is not None:
            assert name not in found, f"{name} is drawn twice"
            found[name] = element
    return found


def label(element: ElementTree.Element) -> str:
    title = element.find(f"{SVG}title")
    assert title is not None
    return title.text or ""


# ── the picture ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_target_is_drawn_and_labelled(players: int) -> None:
    for position, last in moments(players):
        drawn = targets(position.svg(last=last))
        wanted = {name for choice in position.choices() for way in (choice.targets, *choice.also) for name in way}
        assert wanted <= drawn.keys()
        on_board = {f"piece {s}.{p}" for s, mine in enumerate(position.pieces) for p in range(5) if mine[p] >= 0}
        assert drawn.keys() == {*map(str, FIELDS), *on_board}
        for element in drawn.values():
            assert label(element)
            kinds = [(each.get("class") or "").split() for each in element.iter()]
            assert ["touch"] in kinds


@pytest.mark.parametrize("players", PLAYERS)
def test_names_in_the_picture_are_unique_and_known(players: int) -> None:
    for position, last in moments(players, 4):
        svg = position.svg(last=last)
        ids = re.findall(r' id="([^"]+)"', svg)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= {*ids, "wood"}  # only the others' boards have wood


def test_elements_have_no_inline_style() -> None:
    svg = start().svg(style=False)
    assert "<style" not in svg
    assert " style=" not in svg  # a page's policy would forbid that


def test_labels_name_the_figures_on_a_field() -> None:
    here = start().play("3-5 522").play("2-532")
    drawn = targets(here.svg(last="[1,2,5,3,2]"))
    assert label(drawn["[5,2,2]"]) == "2nd stop from the white junction towards the yellow corner, black block"
    assert label(drawn["[5,1,2]"]) == "1st stop from the white junction towards the yellow corner, empty"
    assert label(drawn["[0,0,0]"]) == "white corner, circle's white piece and square's white piece"
    assert label(drawn["piece 0.3"]) == "circle's red piece on the white junction"
    assert label(drawn["piece 1.2"]).endswith("moved last")
    assert [drawn[name].get("data-short") for name in ("[5,2,2]", "[0,0,0]", "[5,0,0]")] == ["w2Y", "W", "w"]


def test_a_piece_waits_at_its_goal() -> None:
    text = "pentagame 0 4 500,100,200,300,400/000,100,200,300,400 413,600,700,800,900 ---,---,---,---,--- -/- -"
    here = pentad.load(text)
    assert isinstance(here, PentagamePosition)
    assert here.waiting == (0,)
    assert label(targets(here.svg())["piece 0.0"]) == "circle's white piece on the white junction, waits at its goal"
    assert [choice.targets for choice in here.choices()] == [("piece 0.0",)]
    assert ", waiting at its goal" in here.listing()[0]


def test_flipped_the_board_is_upside_down() -> None:
    for field in range(len(FIELDS)):
        (x, y), (u, v) = BoardLayout(False).field(field), BoardLayout(True).field(field)
        assert (x + u, y + v) == pytest.approx((layout.SIDE, layout.SIDE))
    assert targets(start().svg(flip=True)).keys() == targets(start().svg()).keys()


# ── room ─────────────────────────────────────────────────────────────────────────────────────────


def inside(point: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> bool:
    """Whether a point lies in a convex shape whose corners go round anti-clockwise."""
    return all(
        (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) >= -1e-9
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def test_touch_areas_do_not_overlap() -> None:
    rooms = layout.touch_areas()
    for field, room in enumerate(rooms):
        here = PLAN.spots[field]
        holders = [other for other in range(len(FIELDS)) if inside(here[:2], rooms[other])]
        assert holders == [field]
        area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(room, room[1:] + room[:1], strict=True)) / 2
        assert area > 1.8  # the stop has an area of 0.79
    chance = random.Random(0)
    for _ in range(2000):
        point = (chance.uniform(-13, 13), chance.uniform(-13, 13))
        assert sum(inside(point, room) for room in rooms) <= 1


@together("count", range(1, 26))
@together("fan", [layout.fan, layout.spiral])
def test_each_piece_of_a_stack_can_be_touched(fan: object, count: int) -> None:
    assert callable(fan)
    stands = fan(count)
    assert len(stands) == count
    for one, other in itertools.combinations(stands, 2):
        assert math.dist(one[:2], other[:2]) > 1.4 * min(one.radius, other.radius)
    assert all(math.hypot(*each[:2]) < 2 for each in stands)


def test_all_pieces_of_five_players_may_stand_on_one_corner() -> None:
    crowd = "/".join([",".join(["000"] * 5)] * 5)
    here = pentad.load(f"pentagame players=5 0 0 {crowd} 500,600,700,800,900 ---,---,---,---,--- -/-/-/-/- -")
    assert sum(name.startswith("piece") for name in targets(here.svg())) == 25
    assert "(25)" in str(here)


# ── colours and marks ────────────────────────────────────────────────────────────────────────────


def light(colour: str) -> float:
    """How bright a colour is, from 0 to 1, as contrast is reckoned."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_colours_of_the_palette_are_distinguishable() -> None:
    hues = {name: hue(name) for name in PALETTE}
    for one, other in itertools.combinations(PALETTE, 2):
        apart = sum(abs(int(hues[one][i : i + 2], 16) - int(hues[other][i : i + 2], 16)) for i in (1, 3, 5))
        assert apart > 80, (one, other)


@together("colour", PALETTE)
def test_letters_are_readable_on_their_colours(colour: str) -> None:
    letter = light(COLOURS[colour].letter)
    ground = light(hue(colour))
    brighter, darker = max(letter, ground), min(letter, ground)
    assert (brighter + 0.05) / (darker + 0.05) > 4.5


def test_any_five_colours_have_different_letters() -> None:
    for five in itertools.combinations(PALETTE, 5):
        found = letters(five)
        assert len(set(found)) == 5
        assert all(letter.lower() in colour for letter, colour in zip(found, five, strict=True))
    assert letters(("white", "green", "yellow", "red", "blue")) == ("W", "G", "Y", "R", "B")


def test_corners_goals_and_pieces_carry_their_colours_letter() -> None:
    here = start(colours="navy,pink,purple,lime,brown")
    words = [element.text for element in ElementTree.fromstring(here.svg()).iter(f"{SVG}text")]
    for letter in "NPULB":
        assert words.count(letter) == 2 + 2  # beside corner and goal, and on both players' pieces
    for number in range(10):
        assert words.count(str(number)) == 1


# ── the last turn ────────────────────────────────────────────────────────────────────────────────


def test_the_path_of_the_last_piece_is_found() -> None:
    for position, last in moments(3, 25):
        highlights = Highlights(position, last)
        if last is None:
            assert not highlights.path
            continue
        if not highlights.moved:
            continue
        assert (highlights.path[0], highlights.path[-1]) == (highlights.start, highlights.end)
        assert all(other in LINKS[one] for one, other in itertools.pairwise(highlights.path))
        between = [field for field in highlights.path[1:-1] if field not in highlights.put]
        assert not any(position.taken >> field & 1 for field in between)
        assert 'class="way"' in position.svg(last=last)


def test_every_notation_of_a_turn_gives_the_same_marks() -> None:
    here = start()
    move = here.parse("3-5 522")
    after = here.play(move)
    for written in (move, str(move), "3-5 522", "3-5 5.2.2", "red-5 522"):
        highlights = Highlights(after, written)
        assert highlights.path == Highlights(after, move).path
        assert (highlights.start, highlights.end, highlights.put) == (3, 5, (NUMBER[Field(5, 2, 2)],))
        assert highlights.moved == {(0, 3, 5)}
    begun = here.partial("3-5")
    assert Highlights(begun, "3-5").path == Highlights(begun, "[0,3,5,0,0]").path == Highlights(after, move).path


def test_a_swap_and_a_leave_are_marked() -> None:
    here = start()
    swap = next(step for step in here.piece_moves if isinstance(step, PieceStep) and step.partner == (1, 1))
    highlights = Highlights(here.play((swap,)), Move((swap,)))
    assert highlights.moved == {(0, swap.piece, 1), (1, 1, NUMBER[swap.start])}
    assert highlights.lasting >= {1, NUMBER[swap.start]}
    text = "pentagame 0 4 500,100,200,300,400/000,100,200,300,400 413,600,700,800,900 ---,---,---,---,--- -/- -"
    waits = pentad.load(text)
    leave = waits.parse("[0,0,-1,-1,-1] [0,6,4,2,3]")
    gone = Highlights(waits.play(leave), leave)  # type: ignore[arg-type]
    assert (gone.left, gone.put, gone.path) == (5, (NUMBER[Field(4, 2, 3)],), ())
    assert "last" in waits.play(leave).svg(last=leave)


# ── as text ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_text_fits_and_shows_every_piece(players: int) -> None:
    for position, last in moments(players, 8):
        for flip in (False, True):
            lines = position.spans(last=last, flip=flip)
            assert len(lines) <= 40
            assert max(sum(len(text) for text, _ in line) for line in lines) <= 80
            assert [kind for line in lines for _, kind in line].count("status") == 1
            text = "\n".join("".join(part for part, _ in line) for line in lines)
            marks = letters(position.colours)
            for seat, mine in enumerate(position.pieces):
                sign = list(SIGNS.values())[seat]
                for piece, field in enumerate(mine):
                    assert text.count(sign + marks[piece]) == (field >= 0)
            put = Highlights(position, last).put
            assert text.count("██") + text.count("▐▌") == 5
            assert text.count("▐▌") + text.count("░░") == len(put)


def test_fields_have_the_coordinates_of_the_board() -> None:
    lines = str(start()).splitlines()
    assert lines[1].strip() == "■W●W  0W"
    assert lines[12].split()[0] == "■G●G"
    assert lines[12].count("·") == 15
    assert lines[-1].strip() == "Circle to move a piece."
    assert sum(line.count("·") for line in lines) == 90


@pytest.mark.parametrize("players", PLAYERS)
def test_the_list_names_everything(players: int) -> None:
    for position, _ in moments(players, 8):
        lines = position.listing()
        seats = lines[:players]
        for seat, mine in enumerate(position.pieces):
            assert seats[seat].startswith(f"{position.colour_of(seat).capitalize()}: ")
            assert seats[seat].count("home") == mine.count(-1) + 1
        text = "\n".join(lines)
        for field in (*position.blacks, *position.grays):
            if field >= 10:
                assert f"{position.place_name(field)} ({names_of(position.colours).fields[field]})" in text
        status = next(text for line in position.spans() for text, kind in line if kind == "status")
        assert status.strip() == lines[-1]


ENDS = {
    "first_to_three=true 1 9 ---,---,---,300,400/000,100,200,300,400 500,600,700,800,900 512,522,532,---,--- -/- -": (
        "Circle wins with three pieces home."
    ),
    "0 9 ---,---,---,300,400/---,---,---,300,400 500,600,700,800,900 ---,---,---,---,--- -/- -": (
        "Draw between circle and square: each has three pieces home."
    ),
    "players=3 0 9 ---,---,---,300,400/---,---,---,300,400/000,100,200,300,400 500,600,700,800,900 "
    "---,---,---,---,--- -/-/- -": "Circle and square share the win, each with three pieces home.",
    "max_ply=9 1 9 000,100,200,300,400/000,100,200,300,400 500,600,700,800,900 ---,---,---,---,--- -/- -": (
        "Draw: the turn limit of 9 is reached."
    ),
}


@pytest.mark.parametrize(("text", "status"), ENDS.items())
def test_the_status_shows_the_result(text: str, status: str) -> None:
    here = pentad.load(f"pentagame {text}")
    assert here.outcome
    assert here.listing()[-1] == status
    assert here.svg()


# ── the two sizes in a terminal ────────────────────────────────────────────────────────────────────────


def cells(size: Size, sign: int) -> Iterator[tuple[int, set[tuple[int, int]]]]:
    """Every field with the cells that it covers."""
    for field in range(len(FIELDS)):
        x, y, _ = PLAN.spots[field]
        row = -round(sign * y / size.row)
        column = round(sign * x / size.column) + sign * size.nudged.get(field, 0)
        wide = range(column - 1, column + 3) if field in MAINS else range(column, column + 2)
        yield field, {(row, each) for each in wide}


@pytest.mark.parametrize("size", [LARGE, SMALL], ids=["large", "small"])
@pytest.mark.parametrize("sign", [1, -1])
def test_no_field_covers_another(size: Size, sign: int):
    taken: dict[tuple[int, int], int] = {}
    for field, where in cells(size, sign):
        assert not taken.keys() & where, f"{FIELDS[field]} covers {FIELDS[taken[next(iter(taken.keys() & where))]]}"
        taken |= dict.fromkeys(where, field)


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_piece_is_visible_on_the_small_board(players: int, flip: bool):
    position = pentad.new("pentagame", players=players)
    shown = "".join(text for line in position.spans(size=-1, flip=flip) for text, _ in line)
    for sign in "●■▲◆★"[:players]:
        for letter in "WGYRB":
            assert f"{sign}{letter}" in shown
    for name in ("0W", "1G", "2Y", "3R", "4B", "5W", "6G", "7Y", "8R", "9B"):
        assert name in shown
    assert shown.count("██") == 5
