"""4,834 games that people played online, and the cases of the acceptance test."""

import gzip
import runpy
from functools import cache

import pytest

import pentad
from tests.pente.random_games import DATA, new
from tests.pente.referee import table_for

GAMES_FILE = DATA / "games.txt.gz"
ACCEPT = DATA.parents[1] / "accept/pente_rules.py"


@cache
def games():
    """The winner (1, 2 or -), the captures as text, the number of moves that count, and the moves."""
    if not GAMES_FILE.exists():
        pytest.skip(f"the project's shared data is not here: {GAMES_FILE}")
    found = []
    with gzip.open(GAMES_FILE, "rt") as lines:
        for line in lines:
            winner, captures, length, *moves = line.split()
            found.append((winner, tuple(map(int, captures.split(","))), int(length), moves))
    return found


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
        with pytest.raises(pentad.IllegalMove, match=r"The game is over|at least 3 points away|is taken"):
            position.play(move)


def test_a_sample_of_the_games_that_people_played():
    assert len(games()) == 4834
    sample = games()[::16]
    assert len(sample) > 300
    for game in sample:
        replay(game)


@pytest.mark.slow
def test_all_the_games_that_people_played():
    for game in games():
        replay(game)


def test_games_that_broke_the_tournament_rule():
    """The file counts their first two moves; without the rule they continue."""
    broken = [moves for _, _, length, moves in games() if length == 2 < len(moves)]
    assert len(broken) == 4
    for moves in broken:
        with pytest.raises(pentad.IllegalMove, match="at least 3 points away from the centre, K10"):
            new().play(moves[0]).play(moves[1]).play(moves[2])
        position = new(tournament_rule=False)
        for move in moves:
            if position.outcome is None:
                position = position.play(move)
        assert position.ply > 10


@pytest.mark.slow
def test_the_referee_agrees_with_peoples_games():
    """The referee against the same games."""
    for winner, captures, length, moves in games()[::10]:
        table = table_for("pente", tournament_rule=False)
        for move in moves[:length]:
            table.put(move)
        assert table.captures() == captures
        assert [str(seat + 1) for seat in table.winners] == [winner] * (winner != "-")


@pytest.mark.slow
def test_the_acceptance_test(capsys, monkeypatch):
    if not ACCEPT.exists():
        pytest.skip(f"the project's acceptance tests are not here: {ACCEPT}")
    monkeypatch.syspath_prepend(str(ACCEPT.parent))
    try:
        runpy.run_path(str(ACCEPT), run_name="__main__")
    except SystemExit as end:
        assert not end.code, capsys.readouterr().out  # noqa: PT017
