"""The games of tests/data/pente/games.txt, whose ends the referee has counted."""

import pytest

import pentad
from tests.games.pente.make_data import GAMES, TOO_CLOSE
from tests.games.pente.random_games import games_played, new
from tests.games.pente.referee import table_for


def replay(game):
    """Plays a game as far as it counts, and checks its end against the file."""
    winner, captures, length, moves = game
    position = new()
    for move in moves[:length]:
        assert position.outcome is None, moves
        position = position.play(move)
    won = "-" if position.outcome is None else str(position.outcome.winners[0] + 1)
    assert (won, position.captures, position.ply) == (winner, captures, length), moves
    if position.outcome:
        assert position.outcome.reason in ("five", "captures")
        assert position.outcome.reason == "five" or max(captures) >= 10
        assert not position.legal_moves
    for move in moves[length : length + 1]:  # the file continues after the end
        with pytest.raises(pentad.IllegalMove, match=r"is over|outside the 5×5 square"):
            position.play(move)


def test_a_sample_of_the_games():
    assert len(games_played()) == GAMES
    for game in games_played()[::4]:
        replay(game)


@pytest.mark.slow
def test_all_the_games():
    for game in games_played():
        replay(game)


def test_games_that_broke_the_tournament_rule():
    """The file counts their first two moves; without the rule they continue."""
    broken = [moves for _, _, length, moves in games_played() if length == 2 < len(moves)]
    assert len(broken) == len(TOO_CLOSE)
    for moves in broken:
        with pytest.raises(pentad.IllegalMove, match=r"5×5 square .* centre, K10"):
            new().play(moves[0]).play(moves[1]).play(moves[2])
        position = new(tournament_rule=False)
        for move in moves:
            if position.outcome is None:
                position = position.play(move)
        assert position.ply > 3


@pytest.mark.slow
def test_the_referee_counts_the_same():
    for winner, captures, length, moves in games_played():
        table = table_for("pente", tournament_rule=False)
        for move in moves[:length]:
            table.put(move)
        assert table.captures() == captures
        assert [str(seat + 1) for seat in table.winners] == [winner] * (winner != "-")


def test_the_file_has_both_ends_and_every_winner():
    by_captures = sum(max(captures) >= 10 for _, captures, _, _ in games_played())
    winners = [winner for winner, *_ in games_played()]
    assert by_captures > 5
    assert min(winners.count("1"), winners.count("2")) > 80
