"""Pentagame as data for pages: the words of moments and turns, numbers by kernels, the drawing by the page's script."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from pentad.game import Move
from pentad.games.encoding import play
from pentad.games.pentagame import look_constants as k
from pentad.games.pentagame import look_kernels, looks
from pentad.games.pentagame.rules import PentagamePosition
from tests.drawing.test_looks import page_texts
from tests.games.looks_games import Moment, StateBeside, check_words
from tests.games.pentagame.random_play import board, random_rare_turn

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3, "first_to_three": True, "colours": "pink,brown,cyan,lime,navy"},
    {"players": 5, "no_swap_back": True},
)
FULL = "00@522 01@- 02@- 10@- 11@-"  # circle may soon have three pieces home
GRAYS = "6@512 7@523 8@614 9@714 10@811"  # the pool is empty


def moments(start: PentagamePosition, seed: int, turns: int = 60) -> Iterator[Moment]:
    """The moments of a game in which much happens, each step one."""
    chance, here = random.Random(seed), start
    yield Moment(here, Move(), ())
    while here.outcome is None and here.ply < start.ply + turns:
        turn, before, after = random_rare_turn(here, chance), [here], here
        for number, step in enumerate(turn, 1):
            after = play(after, step)  # type: ignore[assignment]
            yield Moment(after, Move(turn[:number]), tuple(before))
            before.append(after)
        here = after


def starts() -> Iterator[PentagamePosition]:
    for options in OPTIONS:
        yield board(ply=0, max_ply=40, **options)
    yield board(FULL, blacks="11@410", ply=40)
    yield board("00@- 01@- 10@- 11@- 20@- 21@-", grays=GRAYS, players=3)
    yield board(
        "00@700 02@500 03@- 04@918", blacks="11@410 12@110 13@420 15@430", grays="6@900"
    )  # a swap brings both home


@pytest.mark.parametrize("start", [*starts()], ids=lambda start: start.text)
def test_words_are_those_of_the_rules(start: PentagamePosition) -> None:
    words = looks.words(start)
    for seed in range(2):
        for moment in moments(start, seed):
            check_words(moment, words)


def test_games_have_every_case_of_a_step() -> None:
    offers = (
        looks.offer(here, choice.step)
        for start in starts()
        for here, *_ in moments(start, 0)
        if isinstance(here, PentagamePosition)
        for choice in here.choices()
    )
    # another player's piece that comes to its goal leaves the board only together with the moving one
    never = k.SWAPS + k.OTHER_HOME
    assert {offer[k.CASE] for offer in offers} == {*range(k.CASES)} - {never}


def test_a_piece_may_wait_where_it_has_just_come() -> None:
    here = board("03@700 12@716", blacks="13@410")
    turn = here.parse("[0,3,7,1,6] [1,2,7,0,0]")
    after = here.play(turn)
    assert "yellow on the yellow junction (y), waiting at its goal, red" in after.listing()[1]
    assert ">square's yellow piece on the yellow junction, waits at its goal, moved last<" in after.svg(last=turn)


@pytest.mark.parametrize("flip", [False, True])
def test_the_page_draws_the_same_lines(flip: bool) -> None:
    *_, moment = moments(board(FULL, blacks="11@410"), 3, 6)
    here = moment.here
    assert isinstance(here, PentagamePosition)
    drawn = here.svg(last=moment.last, flip=flip, style=False).split("\n")
    assert page_texts(looks.sheet(here, flip).lines, looks.numbers(here, moment.last)) == drawn


@pytest.mark.parametrize("start", [*starts()], ids=lambda start: start.text)
def test_kernels_write_the_same_numbers(start: PentagamePosition) -> None:
    for seed in range(2):
        beside = StateBeside(start, look_kernels)
        for moment in moments(start, seed):
            beside.check(moment)
