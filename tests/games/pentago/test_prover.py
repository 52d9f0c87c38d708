"""Proved hints, compared with the solver and with exhaustive play."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import Move, Position
from pentad.games.pentago import from_number, solve
from pentad.games.pentago.rules import PentagoPosition
from pentad.play.table import HINT_MEMORY_BYTES
from pentad.search.exact import exact_value
from pentad.system.words import count
from tests.games.pentago.solver.sample_positions import random_position

WON, DRAWN, LOST = 5211790935814378765, 3218705911816140614, 3199595687196497322  # each of these has 24 marbles
IMMEDIATE = "pentago bbbb../....../wwww../....../....../......"


def proved(position: Position, seconds: float = 2.0) -> tuple[Move, str] | None:
    """A move with its claim, as hints have it."""
    found = exact_value(position, depth=True, seconds=seconds, memory=HINT_MEMORY_BYTES)
    return (found.best[0], found.claim) if found and found.best else None


def wins_within(position: PentagoPosition, seat: int, turns: int) -> bool:
    """Whether a seat can force a win within some turns of both players, by exhaustive search."""
    if position.outcome:
        return position.outcome.returns[seat] > 0
    if turns == 0:
        return False
    after = (wins_within(position.play(move), seat, turns - 1) for move in position.legal_moves)
    return any(after) if position.turn == seat else all(after)


def claimed(claim: str) -> int:
    return int(claim.split()[2])


def test_a_win_has_its_number_of_moves():
    found = solve(from_number(WON), depth=True)
    assert found.turns
    hint = proved(from_number(WON))
    assert hint is not None
    move, claim = hint
    assert claim == f"wins in {count((found.turns + 1) // 2, 'move')}"
    assert found.moves[move] == 1
    assert found.distances[move] == found.turns


def test_a_loss_is_delayed():
    found = solve(from_number(LOST), depth=True)
    assert found.turns
    hint = proved(from_number(LOST))
    assert hint is not None
    assert hint[1] == f"loses in {count((found.turns + 1) // 2, 'move')} at the latest"
    assert found.distances[hint[0]] == found.turns


def test_a_draw_is_kept():
    hint = proved(from_number(DRAWN))
    assert hint is not None
    assert hint[1] == "keeps the draw"
    assert solve(from_number(DRAWN)).moves[hint[0]] == 0


def test_near_wins_are_found_on_boards_that_cannot_be_solved():
    position = pentad.load(IMMEDIATE)
    hint = proved(position)
    assert hint is not None
    assert (str(hint[0]), hint[1]) == ("a4", "wins in 1 move")
    assert proved(position.partial("f5")) is not None


def test_claims_are_true():
    """On boards of random play, some with so few marbles that only near ends are found."""
    rng, seen = random.Random(4), 0
    while seen < 6:
        position = pentad.new("pentago")
        assert isinstance(position, PentagoPosition)
        for _ in range(rng.randint(12, 17)):
            if not position.outcome:
                position = position.play(rng.choice(position.legal_moves))
        hint = None if position.outcome else proved(position, seconds=0.1)
        if hint is None or claimed(hint[1]) > 1:
            continue
        seen += 1
        move, claim = hint
        after, seat = position.play(move), position.turn
        if claim.startswith("wins"):
            assert wins_within(after, seat, 0)
        else:
            for each in rng.sample(position.legal_moves, 2):
                assert wins_within(position.play(each), 1 - seat, 1)


@pytest.mark.parametrize("text", ["pentago players=3", "pentago rows=3 cols=3", IMMEDIATE.replace(".", "b")])
def test_other_positions_have_no_hint(text: str):
    position = (
        pentad.new("pentago", **{name: int(value) for name, value in (w.split("=") for w in text.split()[1:])})
        if "/" not in text
        else pentad.load("pentago bbbbb./wwww../....../....../....../......")
    )
    assert proved(position, seconds=0.2) is None


def test_the_book_has_the_winner_but_no_distance():
    hint = proved(pentad.new("pentago"))
    assert hint is not None
    assert hint[1] == "wins"
    assert str(hint[0])[:2] not in ("a0", "a5", "f0", "f5")  # the corners only draw


def test_last_twists():
    rng = random.Random(3)
    for _ in range(20):
        position = random_position(rng, 0, placed=True)
        hint = proved(position)
        assert hint is not None
        value = solve(position).value
        assert hint[1] == {1: "wins in 1 move", 0: "keeps the draw", -1: "loses in 1 move at the latest"}[value]
        assert solve(position).moves[hint[0]] == value


def test_small_boards():
    position = pentad.new("pentago", rows=1, cols=2, line=3)
    hint = proved(position)
    assert hint is not None
    found = solve(position, depth=True)  # type: ignore[arg-type]
    assert found.turns
    assert hint[1] == f"wins in {count((found.turns + 1) // 2, 'move')}"
