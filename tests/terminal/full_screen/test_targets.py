"""Targets on boards in characters: every choice can be touched, and the arrow keys reach every target."""

from __future__ import annotations

import pytest

import pentad
from pentad.game import Choices, Position
from pentad.terminal.boards import forms
from pentad.terminal.full_screen import targets
from pentad.terminal.full_screen.targets import DOWN, LEFT, RIGHT, UP, Chart

STARTS = {
    "pentago": pentad.new("pentago"),
    "pentago of 3 × 3": pentad.new("pentago", rows=3, cols=3, players=4),
    "pente": pentad.new("pente"),
    "swap2": pentad.new("pente", opening="swap2").play("K10 K11 L12"),
    "pentagame": pentad.new("pentagame"),
    "pentagame of five": pentad.new("pentagame", players=5),
}


def charts(position: Position, flip: bool = False) -> list[Chart]:
    return [Chart(form.lines) for form in forms(position, None, flip)]


def ways(choices: Choices, chart: Chart, touched: tuple[str, ...] = ()) -> set[str]:
    """The choices that touches on the board, or below it, lead to."""
    off = targets.off_board(choices, touched, chart)
    found = set(map(str, off))
    done = targets.complete(choices, touched) if touched else []
    if len(done) == 1:
        found.add(str(done[0]))
    for name in targets.continuing(choices, touched):
        if name in chart.names:
            found |= ways(choices, chart, (*touched, name))
    return found


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", STARTS)
def test_every_choice_can_be_touched(name: str):
    position, bot = STARTS[name], pentad.bot(STARTS[name].game, "random", seed=3)
    for _ in range(4):
        move = bot.choose(position)
        for count in range(len(move)):
            here = position.partial(move[:count]) if count else position
            for chart in charts(here):
                choices = here.choices()
                assert ways(choices, chart) == set(map(str, choices))
        position = position.play(move)


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("name", STARTS)
def test_arrow_keys_reach_every_target(name: str, flip: bool):
    for chart in charts(STARTS[name], flip):
        names = chart.names
        if not names:
            continue
        reached, ahead = {names[0]}, [names[0]]
        while ahead:
            here = ahead.pop()
            new = {chart.next(here, way, names) for way in (UP, DOWN, LEFT, RIGHT)} - reached
            reached |= new
            ahead.extend(new)
        assert reached == set(names)


def test_arrow_keys_stay_in_the_row_and_in_the_column():
    chart = charts(pentad.new("pente"))[0]
    assert chart.next("K10", UP, chart.names) == "K11"
    assert chart.next("K10", RIGHT, chart.names) == "L10"
    assert chart.next("A1", LEFT, chart.names) == "A1"


def test_a_turn_of_two_targets():
    choices = pentad.new("pentagame").choices()
    first = targets.continuing(choices, [])
    assert "piece 0.0" in first
    assert "[7,0,0]" in targets.continuing(choices, ["piece 0.0"])
    (done,) = targets.complete(choices, ["piece 0.0", "[7,0,0]"])
    assert str(done) == "[0,0,7,0,0]"
    assert len(targets.beginning(choices, ["piece 0.0"])) > 1
