"""Encodings: the numbers of steps, the planes of positions, and the general encoding of games without one."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pentad import new
from pentad.game import Choice, Choices, GameError, IllegalMove, bit_numbers, read_start
from pentad.games.encoding import MAX_ACTIONS, MAX_TEXT_BYTES, TextEncoding, chosen, encoding, play, steps
from pentad.games.pentagame.board import FIELDS
from pentad.games.pentago.rules import PentagoPosition
from tests.properties import some_of

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "learners.md"
PLACED = "pentago b...../....../....../....../....../...... placed"
SWAP2 = "pente opening=swap2 size=9 9/9/9/9/9/9/9/9/wbw6 0,0 1 choose"
THREE_PLAYERS = "pentagame players=3"
DUE = (
    f"{THREE_PLAYERS} 0 33 120,110,---,533,410/830,300,600,542,553/400,512,921,840,614 500,860,---,800,900 "
    "---,---,---,---,--- 2:000>700/1:961>300/2:962>921 - black+gray"
)
WAITING = (
    f"{THREE_PLAYERS} 1 349 827,211,---,543,724/720,---,821,938,900/522,760,716,---,634 700,332,654,811,623 "
    "600,---,---,---,--- 3:900>543x14/0:841>720/1:653>760 -"
)
W = 5 * 3 + 1


@pytest.mark.parametrize(
    ("start", "move", "number"),
    [
        ("pentago", "a0 1C", 0),
        ("pentago", "b1 1C", 7),
        (PLACED, "1C", 36),
        (PLACED, "4A", 43),
        ("pentago rows=1 cols=3", "c8 1C", 26),
        ("pente opening=free", "A1", 0),
        ("pente opening=free size=13", "B3", 27),
        ("pente opening=free size=13", "N13", 168),
        (SWAP2, "white", 81),
        (SWAP2, "black", 82),
        (SWAP2, "more A2 B2", 83),
        ("pentagame", "[0,3,6,2,3]", (3 * 100 + FIELDS.index((6, 2, 3))) * 11),
        ("pentagame", "[0,3,4,0,0] [0,4,3,0,0]", (3 * 100 + 4) * 11 + 1 + 4),
        (THREE_PLAYERS, "[0,3,2,0,0] [2,2,3,0,0]", (3 * 100 + 2) * W + 1 + 5 * 2 + 2),
        # Seat 2 is the seat after seat 1.
        (
            (
                f"{THREE_PLAYERS} 1 1 740,100,200,300,400/000,100,200,300,400/000,100,200,300,400 500,600,700,800,900 "
                "---,---,---,---,--- 0:000>740/-/- -"
            ),
            "[1,3,2,0,0] [2,2,3,0,0]",
            (3 * 100 + 2) * W + 1 + 5 * 1 + 2,
        ),
        (WAITING, "[1,4,-1,-1,-1] [1,7,1,0,0]", 500 * W + 4),
        (DUE, "[0,13,1,0,0] [0,6,2,0,0]", 500 * W + 5 + 1),
        (DUE.replace("860,---,", "860,100,").replace("black+", ""), "[0,6,2,0,0]", 500 * W + 105 + 2),
    ],
)
def test_numbers_of_steps(start, move, number):
    here = read_start(start)
    step = here.parse(move)[0]
    assert encoding(here).number(here, step) == number
    assert steps(here)[number] == step


def test_the_page_has_the_sizes():
    rows = re.findall(
        r"^\| `(\w+)`(?:, `(.+?)`)? \| (\d+) \| (\d+) \| (\d+) × (\d+) \|$", PAGE.read_text(), re.MULTILINE
    )
    assert {name for name, *_ in rows} == {"pentago", "pente", "pentagame"}
    for name, options, *sizes in rows:
        first = new(name, **eval(f"dict({options})"))
        kind = encoding(first)
        assert [kind.actions(first), len(kind.planes(first, 0)), *kind.shape(first)] == [*map(int, sizes)]


def planes_of(start, seat):
    """The planes that are not empty, as lists of places; a flag is `True`."""
    here = read_start(start)
    kind = encoding(here)
    height, width = kind.shape(here)
    full = (1 << height * width) - 1
    found = kind.planes(here, seat).items()
    return {name: plane == full or [*bit_numbers(plane)] for name, plane in found if plane}


@pytest.mark.parametrize(
    ("start", "seat", "planes"),
    [
        (PLACED, 0, {"marbles +0": [0], "to move +0": True, "twist": True}),
        (PLACED, 1, {"marbles +1": [0], "to move +1": True, "twist": True}),
        (
            "pentago players=3 bw..../....../....../....../....../.....r",
            1,
            {"marbles +0": [1], "marbles +1": [35], "marbles +2": [0], "to move +2": True},
        ),
        (
            "pente size=9 9/9/9/9/4w4/9/9/9/b8 1,2",
            0,
            {"own stones": [40], "other stones": [0], "own captures 1": True}
            | {f"other captures {count}": True for count in (1, 2)},
        ),
        (SWAP2, 0, {"own stones": [0, 2], "other stones": [1], "choose": True}),
        (
            SWAP2,
            1,
            {"own stones": [1], "other stones": [0, 2], "to move": True, "own stone": True, "choose": True},
        ),
        (
            SWAP2.replace("1 choose", "2 - swapped"),
            0,
            {"own stones": [1], "other stones": [0, 2], "to move": True, "own stone": True},
        ),
    ],
)
def test_planes(start, seat, planes):
    assert planes_of(start, seat) == planes


def test_planes_of_pentagame():
    found = planes_of(DUE, 1)
    assert (found["piece +0.1"], found["piece +2.0"], found["black blocks"]) == ([3], [11], [5, 8, 9, 51])
    assert "piece +2.2" not in found  # this piece is home already
    flags = {name for name, places in found.items() if places is True}
    assert flags == {"to move +2", "black due", "gray due"}
    assert (found["last from +2"], found["last to +2"]) == ([0], [7])
    swapped = new("pentagame", no_swap_back=True).play("[0,0,1,0,0] [1,1,0,0,0]")
    assert planes_of(swapped.text, 0)["swapped"] == [0, 1]


@pytest.mark.parametrize("start", ["pentago", "pentago players=3", "pente size=9", "pente opening=swap2 size=5 line=4"])
def test_different_positions_have_different_planes(start):
    rng, seen = random.Random(1), {}
    for _ in range(some_of(40)):
        here = read_start(start)
        while here.outcome is None:
            planes = tuple(encoding(here).planes(here, 0).values())
            assert seen.setdefault(planes, here) == here
            here = play(here, rng.choice([*steps(here).values()]))
    assert len(seen) > 30


@pytest.mark.parametrize("number", [-1, 36, 44, 10**30, 2.0, "2", None])
def test_an_action_that_is_not_legal(number):
    with pytest.raises(IllegalMove, match=r"not legal here.* 0, 1, .*, 7\.$"):
        chosen(steps(new("pentago")), number)


def test_no_action_is_legal_after_the_end():
    here = read_start("pentago bbbbb./wwww../....../....../....../......")
    with pytest.raises(IllegalMove, match=r"Action 7 .* over\.$"):
        chosen(steps(here), 7)


# ── a game without an encoding ───────────────────────────────────────────────────────────────────


def test_the_general_encoding():
    here, general = new("pentago").partial("c3"), TextEncoding()
    assert [general.number(here, choice.step) for choice in here.choices()] == [*range(8)]
    assert (general.actions(here), general.shape(here)) == (MAX_ACTIONS, (1, MAX_TEXT_BYTES))
    *bits, mine, theirs = general.planes(here, 1).values()
    text = bytes(sum((bit >> at & 1) << n for n, bit in enumerate(bits)) for at in range(MAX_TEXT_BYTES))
    assert text.rstrip(b"\0").decode() == here.text
    assert (mine, theirs) == (0, (1 << MAX_TEXT_BYTES) - 1)


def test_a_game_that_needs_an_encoding_of_its_own():
    points = new("pente", opening="free", size=25)
    with pytest.raises(GameError, match="more than 512 steps"):
        TextEncoding().number(points, points.board.stones[-1])
    row = "/".join(["wb" * 12 + "w"] * 13 + ["bw" * 12 + "b"] * 12)
    with pytest.raises(GameError, match=r"has 6\d\d bytes"):
        TextEncoding().planes(read_start(f"pente opening=free size=25 {row} 0,0"), 0)


def test_turns_that_may_end_early_are_refused(monkeypatch):
    choices = Choices([Choice("a", ("a",), "A")], "Place or pass.", may_end=True)
    monkeypatch.setattr(PentagoPosition, "choices", lambda self, steps="": choices)
    with pytest.raises(GameError, match="pentago may end before its last"):
        steps(new("pentago"))
