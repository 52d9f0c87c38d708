"""Full lists of a turn's moves: their contents, and that they are read back as the same turn."""

import random

import pytest

import pentad
from pentad.game import IllegalMove, InvalidMove
from pentad.games.pentagame import Field, Shift, turn, turn_list
from pentad.games.pentagame.board import OFF
from tests.games.pentagame.random_play import random_rare_turn, random_turn


def position(words: str):
    return pentad.load(f"pentagame {words}")


# Circle's green piece is one step from its goal, which is junction 6; a gray block stands on that.
GRAY_ON_THE_GOAL = position(
    "0 40 000,613,200,300,---/000,100,200,300,400 500,110,700,800,900 600,---,---,---,--- -/- -"
)
# Circle's red piece on 7, square's yellow beside it on red's goal: a swap brings both home.
BOTH_HOME = position("0 40 000,100,200,700,400/000,100,800,300,400 500,600,110,120,900 ---,---,---,---,--- -/- -")
# Circle's red piece has been brought to its goal.
WAITING = position("0 40 000,100,200,800,400/000,100,200,300,400 500,600,700,110,900 ---,---,---,---,--- -/- -")


def written(here, move) -> list[str]:
    return [str(each) for each in turn_list(here, move)]


@pytest.mark.parametrize(
    ("here", "move", "full"),
    [
        (pentad.new("pentagame"), "3-777", None),
        (pentad.new("pentagame"), "3-5 410", "[0,3,5,0,0] [0,11,4,1,0]"),
        (pentad.new("pentagame"), "0-1x11", "[0,0,1,0,0] [1,1,0,0,0]"),
        (pentad.new("pentagame"), "1-0x00", "[0,0,1,0,0] [0,1,0,0,0]"),
        (GRAY_ON_THE_GOAL, "1-6 410", "[0,1,6,0,0] [0,6,-1,-1,-1] [0,1,-1,-1,-1] [0,6,4,1,0]"),
        (BOTH_HOME, "3-8 7 8", "[0,3,8,0,0] [1,2,7,0,0] [0,3,-1,-1,-1] [1,2,-1,-1,-1] [0,6,7,0,0] [0,7,8,0,0]"),
        (WAITING, "[0,3,-1,-1,-1] [0,6,8,0,0]", "[0,3,-1,-1,-1] [0,6,8,0,0]"),
    ],
)
def test_the_full_list_of_a_turn(here, move, full):
    if full is None:
        with pytest.raises(InvalidMove):
            turn_list(here, move)
        return
    assert " ".join(written(here, move)) == full
    after = here.play(move)
    assert here.play(full) == here.play(turn_list(here, move)) == here.play(list(turn_list(here, move))) == after
    assert here.play([[each.player, each.figure, *each.to] for each in turn(full)]) == after


def test_an_illegal_turn_has_no_list():
    with pytest.raises(IllegalMove, match="not complete"):
        turn_list(pentad.new("pentagame"), "3-5")


def test_within_a_turn():
    here = pentad.new("pentagame").partial("3-5")
    assert written(here, "410") == ["[0,11,4,1,0]"]
    assert here.play(turn_list(here, "410")) == pentad.new("pentagame").play("3-5 410")


def test_one_move_of_the_denomination_may_be_played_by_itself():
    start = pentad.new("pentagame")
    move = Shift(0, 0, Field(1, 1, 0))
    assert start.play(move) == start.play([move]) == start.play("0-110")


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("how", [random_turn, random_rare_turn])
def test_the_list_is_read_back(players, how):
    chance = random.Random(players)
    here = pentad.new("pentagame", players=players, max_ply=150)
    while not here.outcome:
        move = how(here, chance)
        full, after = turn_list(here, move), here.play(move)
        assert here.play(full) == after
        assert here.parse(" ".join(map(str, full))) == here.parse(str(move))
        blocks = {each.figure for each in full if each.figure > 4 and each.to == OFF}
        assert blocks <= {6, 7, 8, 9, 10}, "a black block is never off the board"
        here = after
