"""Premoves: turns entered before they come, and turns held until they are confirmed."""

from typing import Any, cast

import pytest

import pentad
from pentad.game import Choice, Choices, Move
from pentad.web.rooms import premoves
from tests.web.room_fixtures import Scene, scene


@pytest.mark.parametrize(
    ("game", "seat", "touches", "steps", "whole"),
    [
        ("pentago", 1, ["a0"], "a0", False),
        ("pentago", 1, ["a0", "1C"], "a0 1C", True),
        ("pente", 1, ["A1"], "A1", True),
        ("pentagame", 1, ["piece 1.3", "[5,0,0]"], "[1,3,5,0,0]", False),
        ("pentagame", 1, ["piece 1.3", "[5,0,0]", "[5,2,2]"], "[1,3,5,0,0] [1,11,5,2,2]", True),
    ],
)
def test_touches_enter_a_turn(game: str, seat: int, touches: list[str], steps: str, whole: bool) -> None:
    found = premoves.read(pentad.new(game), {seat}, touches)
    assert found
    assert (str(found.steps), found.touches, found.is_whole) == (steps, len(touches), whole)
    assert found.before.turn == seat


def test_touches_after_a_whole_turn_and_of_others_pieces_are_not_used() -> None:
    found = premoves.read(pentad.new("pentago"), {1}, ["a0", "1C", "b3"])
    assert found
    assert (str(found.steps), found.touches) == ("a0 1C", 2)
    found = premoves.read(pentad.new("pentagame"), {1}, ["piece 0.3"])
    assert found
    assert (str(found.steps), found.touches) == ("", 0)


def test_a_begun_step_is_used_but_is_no_step() -> None:
    found = premoves.read(pentad.new("pentagame"), {1}, ["piece 1.3"])
    assert found
    assert (str(found.steps), found.touches, found.is_whole) == ("", 1, False)


def test_a_space_that_is_free_after_some_moves_can_be_entered() -> None:
    here = pentad.new("pentago")
    first = next(premoves.positions(here, {1}))
    (taken,) = {str(each) for each in here.choices()} - {str(each) for each in first.choices()}
    found = premoves.read(here, {1}, [taken])
    assert found
    assert (str(found.steps), found.touches) == (taken, 1)


def test_a_space_that_a_twist_may_free_can_be_entered() -> None:
    here = pentad.new("pentago").play("a0 4C")
    found = premoves.read(here, {0}, ["a0"])
    assert found
    assert found.touches == 1


@pytest.mark.parametrize("players", [3, 4])
def test_all_others_move_first(players: int) -> None:
    here = pentad.new("pentago", rows=3, cols=3, players=players)
    for position in premoves.positions(here, {players - 1}):
        assert (position.turn, position.ply) == (players - 1, players - 1)


def test_the_moves_tried_for_the_others_are_far_apart() -> None:
    here = pentad.new("pente", opening="free")
    rows = {before.stones[0].bit_length() // 19 for before in premoves.positions(here, {1})}
    assert len(rows) > 4


def test_of_equal_positions_the_first_one_counts() -> None:
    here = pentad.new("pentago")
    found = premoves.read(here, {1}, ["a0", "1C", "b3"])
    assert found
    assert found.before == next(premoves.positions(here, {1}))


class ShortAndLong:
    """A position with a choice whose touches begin those of another one."""

    outcome, turn = None, 0

    def choices(self, steps: Move | str = "") -> Choices:
        every = [Choice("long", ("a", "b"), "long"), Choice("short", ("a",), "short"), Choice("other", ("c",), "other")]
        return Choices([] if steps else every, "")


@pytest.mark.parametrize(
    ("touches", "steps", "used"),
    [(["a"], "short", 1), (["a", "b"], "long", 2), (["a", "c"], "short", 1), (["b"], "", 0), (["c", "a"], "other", 1)],
)
def test_the_longest_choice_that_the_touches_complete_is_entered(touches: list[str], steps: str, used: int) -> None:
    found = premoves.entered(cast(Any, ShortAndLong()), touches)
    assert (str(found.steps), found.touches) == (steps, used)


def test_there_is_no_turn_after_the_end() -> None:
    here = pentad.new("pente", size=9, rules="gomoku")
    for move in ["A1", "A9", "B1", "B9", "C1", "C9", "D1", "D9", "E1"]:
        here = here.play(move)
    assert premoves.read(here, {0}, ["J9"]) is None


def test_only_new_targets_are_added_to_the_drawing() -> None:
    here = pentad.new("pentago").play("a2 1C")
    found = premoves.read(here, {0}, ["a0"])
    assert found
    shown = here.svg(style=False)
    lines = premoves.more_targets(shown, found.before.partial(found.steps).svg(style=False), found.choices)
    assert len(lines) == 8
    assert all("data-turns" in text for _, text in lines)
    assert all(shown.split("\n")[number] == "<g/>" for number, _ in lines)
    race = pentad.new("pentagame")
    found = premoves.read(race, {1}, ["piece 1.3", "[5,0,0]"])
    assert found
    assert premoves.more_targets(race.svg(), found.before.partial(found.steps).svg(), found.choices) == []


# ── rooms ──


@scene
async def test_a_player_who_waits_learns_what_a_turn_can_be(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await bea.send("premove", targets=["a0"])
    (answer,) = bea.new("premove")
    assert (answer["steps"], answer["used"], answer["whole"], len(answer["lines"])) == ("a0", 1, False, 8)
    await bea.send("premove", targets=["a0", "1C"])
    (answer,) = bea.new("premove")
    assert (answer["steps"], answer["whole"], answer["lines"]) == ("a0 1C", True, [])
    assert "a0" in answer["prompt"]
    assert ada.state["moves"] == []
    await ada.send("premove", targets=["a0"])  # it is her turn
    assert ada.new("premove") == []


@scene
async def test_a_question_about_an_older_state_has_no_answer(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    old = bea.state["at"]
    await ada.play("a2 1C")
    await bea.play("b3 1C")
    await bea.send("premove", targets=["a0"], at=old)
    assert bea.new("premove") == bea.errors() == []


@scene
async def test_a_turn_is_held_until_it_is_confirmed(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.send("step", steps="a2", hold=True)
    (begun,) = ada.new("turn")
    assert (begun["whole"], len(begun["choices"])) == (False, 8)
    await ada.send("step", steps="a2 1C", hold=True)
    (held,) = ada.new("turn")
    start = pentad.new("pentago")
    assert (held["whole"], held["choices"], held["prompt"]) == (True, [], start.describe(start.parse("a2 1C")))
    assert bea.state["moves"] == []
    await ada.play("a2 1C")
    assert [move["text"] for move in bea.state["moves"]] == ["a2 1C"]


@scene
async def test_a_turn_out_of_turn_or_illegal_is_not_held(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    await ada.send("step", steps="b3 1C", hold=True)
    await bea.send("step", steps="d0 1C", hold=True)
    assert "It is not your turn" in ada.errors()[0]
    assert len(bea.new("turn")) == 1
    await bea.send("step", steps="b3 9C", hold=True)
    assert len(bea.errors()) == 1
    assert bea.new("turn") == []
