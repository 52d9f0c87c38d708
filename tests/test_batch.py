"""Random games of any game: by kernels where it has them, else by its rules."""

import importlib
import sys
from pathlib import Path

import pytest

from pentad import batch, load, new
from pentad.batch import playouts
from pentad.game import PACKAGES, GameError
from tests.chance import FAR, apart

OPENED = "pentago bw..../....../....../....../....../......"


def results(found):
    """The results of random games, as a list of winners."""
    return [winners for winners, games in found.results.items() for _ in range(games)]


@pytest.mark.parametrize("games", [0, 1, 2, 1000])
def test_any_number_of_games(games):
    found = playouts("pentago", games=games, seed=3)
    assert found.games == games == sum(found.results.values()) == sum(found.wins) + found.draws
    assert 5 * games <= found.moves <= 36 * games
    assert (found.by, found.seed, found.players) == ("kernels", 3, 2)
    assert found == playouts("pentago", games=games, seed=3)


def test_a_seed_is_drawn_and_reported():
    found = playouts("pentago", games=50)
    assert playouts("pentago", games=50, seed=found.seed) == found
    assert playouts("pentago", games=50).seed != found.seed


def test_games_from_a_position():
    here = load(OPENED)
    assert playouts(here, games=200, seed=1) != playouts("pentago", games=200, seed=1)
    over = load("pentago bbbbb./wwww../....../....../....../......")
    found = playouts(over, games=7, seed=1)
    assert (found.moves, found.results, found.wins, found.draws) == (0, {(0,): 7}, (7, 0), 0)
    assert playouts(over, games=0, seed=1).results == {}


def test_a_game_without_kernels_is_played_by_its_rules(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "examples")
    monkeypatch.setitem(PACKAGES, "connect_four", "connect_four")
    importlib.invalidate_caches()
    found = playouts("connect_four", games=30, seed=2)
    assert found.by == "rules"
    assert found.games == sum(found.wins) + found.draws == 30
    assert 7 * 30 <= found.moves <= 42 * 30
    assert found == playouts("connect_four", games=30, seed=2)
    fewer = playouts("connect_four", games=20, seed=2)
    assert all(games <= found.results[winners] for winners, games in fewer.results.items())
    for name in [each for each in sys.modules if each.startswith("connect_four")]:
        monkeypatch.delitem(sys.modules, name)


def test_kernels_that_cannot_run_leave_the_game_to_the_rules(monkeypatch):
    from pentad.jit.program import NoMachineCode

    def program(module):
        raise NoMachineCode("There is no machine code.")

    by_kernels = playouts("pentago", games=20_000, seed=1, block=2, line=4)
    monkeypatch.setattr("pentad.pentago.batch.program", program)
    by_rules = playouts("pentago", games=1000, seed=1, block=2, line=4)
    assert (by_kernels.by, by_rules.by) == ("kernels", "rules")
    assert apart(results(by_kernels), results(by_rules)) < FAR


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"games": -1}, "games must be a whole number from 0 to 2\\*\\*64 - 1, not -1."),
        ({"games": True}, "games must be a whole number"),
        ({"games": 2.0}, "games must be a whole number"),
        ({"games": 1, "seed": 1 << 64}, "seed must be a whole number"),
        ({"games": 1, "sise": 3}, "Pentago has no option sise"),
    ],
)
def test_refusals(given, message):
    with pytest.raises(GameError, match=message):
        playouts("pentago", **given)


def test_a_position_takes_no_options():
    with pytest.raises(GameError, match="A position has its own options, so line cannot be given"):
        playouts(new("pentago"), games=1, line=4)
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        playouts("chess", games=1)


def test_slices_cover_every_game():
    slices = list(batch._slices(100_000))
    assert [first for first, _ in slices] == [sum(count for _, count in slices[:i]) for i in range(len(slices))]
    assert sum(count for _, count in slices) == 100_000
