"""Forfeits as the standings tell them; the tests of tournaments have the rest."""

from __future__ import annotations

from pentad.play.contest import GameResult
from pentad.play.pairings import Pairing
from pentad.play.standings import forfeits

PLAYERS = ("ann", "bob", "cleo")


def lost(number: int, seating: tuple[int, ...], seat: int, reason: str = "forfeit") -> GameResult:
    """A game that a seat has lost, with a comment."""
    winners = tuple(each for each in range(len(seating)) if each != seat)
    returns = tuple(-1.0 if each == seat else 1 / len(winners) for each in range(len(seating)))
    return GameResult(Pairing(number, 0, seating), returns, winners, reason, 4, comment=f"seat {seat} fails")


def test_the_first_forfeit_of_each_player_has_its_reason_in_the_order_of_games():
    results = [lost(7, (0, 2), 1), lost(2, (2, 0), 1), lost(3, (1, 2), 1), lost(0, (1, 0), 0, reason="five")]
    assert forfeits(PLAYERS, results) == ["Game 3: seat 1 fails", "Game 4: seat 1 fails", "cleo forfeited 1 more game."]


def test_of_three_seats_the_one_that_does_not_win_has_forfeited():
    results = [lost(number, (2, 0, 1), 2) for number in range(3)]
    assert forfeits(PLAYERS, results) == ["Game 1: seat 2 fails", "bob forfeited 2 more games."]
