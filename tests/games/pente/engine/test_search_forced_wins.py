"""Forced wins out of games: the engine finds them, and the referee agrees."""

from functools import cache

import pytest

from pentad.games.pente.engine.bots import PenteBot
from pentad.games.pente.engine.search import RootSearch
from tests.games.pente.engine.claim_referee import Referee
from tests.games.pente.random_games import FORCED_WINS, played

DEPTH = 5  # plies of the search if no attack wins


@cache
def forced(moves):
    """The positions with a win in a number of moves, each with its winning first moves."""
    rows = [line.split("|") for line in FORCED_WINS.read_text(encoding="utf-8").splitlines()]
    return [
        (played({"tournament_rule": False}, path.strip()), wins.split()) for n, wins, path in rows if int(n) == moves
    ]


def finds(position, wins, moves):
    """Whether the engine finds a listed win, or proves another one that holds against every reply."""
    engine = RootSearch(position)
    engine.deepen(DEPTH)
    if str(engine.best.move) in wins:
        return True
    if engine.wins_in is None or engine.wins_in > moves:
        return False
    Referee().check(position, moves, engine.wins_in, position.board.point(*engine.best.move[0]))
    return True


@pytest.mark.slow
@pytest.mark.parametrize("moves", [2, 3, 4, 5])
def test_some_forced_wins(moves):
    assert sum(finds(position, wins, moves) for position, wins in forced(moves)[:8]) >= 7


@pytest.mark.slow
@pytest.mark.parametrize(("moves", "share"), [(2, 0.97), (3, 0.95)])
def test_all_short_forced_wins(moves, share):
    found = [finds(position, wins, moves) for position, wins in forced(moves)]
    print(f"{sum(found)} of {len(found)} wins in {moves}")
    assert sum(found) >= share * len(found)


def test_the_bot_plays_them_and_is_mostly_sure():
    sure = []
    for position, wins in forced(2)[:6]:
        bot = PenteBot(5, 1)
        found = bot.play(position)
        assert str(found.move) in wins
        sure.append(found.exact and found.note == "wins in 2 moves")
    assert sum(sure) >= 4
