"""Speed of many games at once: random games to their end, next to OpenSpiel's, and games stepped together as arrays.

python -m benchmarks batch [--games 1000000] [--together 2048] [--rounds 5]

Random games in batches, each legal whole move equally likely, in CPU time on one core: the best round. Games together
begin again when they are over; a step is one step of a turn of one game, with its mask and planes, by an action that is
chosen before the clock runs. The tree bot of Pentago plays random games in which wins are taken at once; only the
number of games is known.
OpenSpiel's Pentago, if `open_spiel` is installed, is played through its Python interface in the same process: a loop
over `legal_actions` and `apply_action`. It looks for five only after the twist, as `win_on_placement=False` does.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import cast

from benchmarks.figures import Figure, machine
from pentad.game import new
from pentad.games.batch import Games, playouts
from pentad.games.pentago.playouts.constants import TAKE_WINS
from pentad.games.pentago.playouts.tree_bot import BoardExpander
from pentad.games.pentago.rules import PentagoPosition

OPENSPIEL_GAMES = 3_000  # OpenSpiel plays so many in a round
STEPS_OF_GAME = 60  # each game has so many in a round
# A game, its options, and the share of the games in a batch.
SETUPS: tuple[tuple[str, dict[str, object], float], ...] = (
    ("pentago", {}, 1),
    ("pentago", {"win_on_placement": False}, 1),
    ("pentago", {"rows": 3, "cols": 3, "players": 4}, 0.02),
    ("pente", {}, 0.01),
    ("pente", {"rules": "ninuki42"}, 0.01),
    ("pentagame", {}, 0.01),
)
TREE: tuple[tuple[dict[str, object], float], ...] = (({}, 1), ({"rows": 3, "cols": 3, "players": 4}, 0.01))
TOGETHER: tuple[tuple[str, dict[str, object]], ...] = (
    ("pentago", {}),
    ("pente", {}),
    ("pente", {"rules": "freestyle"}),
    ("pentagame", {}),
)


def openspiel_games() -> Callable[[int], tuple[int, int]] | None:
    """A function that plays random games of OpenSpiel's Pentago; returns the moves and games. None if it is missing."""
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        return None
    game, rng = pyspiel.load_game("pentago"), random.Random(1)

    def play(games: int) -> tuple[int, int]:
        moves = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
                moves += 1
        return moves, games

    return play


def own_games(name: str, options: dict[str, object]) -> Callable[[int], tuple[int, int]]:
    """A function that plays random games; returns the moves and games."""
    seeds = iter(range(1_000_000))

    def play(games: int) -> tuple[int, int]:
        found = playouts(name, games=games, seed=next(seeds), **options)
        return found.moves, games

    return play


def steps_together(name: str, options: dict[str, object], count: int, rounds: int) -> float:
    """Steps per second of CPU time of so many games together, in the best round."""
    games = Games(name, count, seed=1, auto_reset=True, **options)
    found = []
    for _ in range(rounds):
        spent = 0.0
        for _ in range(STEPS_OF_GAME):
            actions = games.sample()
            begun = time.process_time()
            games.step(actions)
            spent += time.process_time() - begun
        found.append(STEPS_OF_GAME * count / spent)
    return max(found)


def tree_games(options: dict[str, object]) -> Callable[[int], tuple[int, int]]:
    """A function that plays the random games of Pentago's tree bot; it does not count their moves."""
    here = cast(PentagoPosition, new("pentago", **options))
    expander = BoardExpander(here.setup, 1, TAKE_WINS)
    seeds = iter(range(1, 1_000_000))

    def play(games: int) -> tuple[int, int]:
        expander.control.games = games
        return 0, expander(expander.state(here), None, next(seeds)).playouts

    return play


def label_of(name: str, options: dict[str, object]) -> str:
    return " ".join([name, *(f"{key}={value}" for key, value in options.items())])


def best(play: Callable[[int], tuple[int, int]], games: int, rounds: int) -> tuple[float, float]:
    """Moves and games per second of CPU time in the best round."""
    play(1)  # the first call loads the kernels
    found = []
    for _ in range(rounds):
        begun = time.process_time()
        moves, done = play(games)
        spent = time.process_time() - begun
        found.append((moves / spent, done / spent))
    return max(found)


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=1_000_000, help="games in a batch")
    parser.add_argument("--together", type=int, default=2048, help="games that are stepped together")
    parser.add_argument("--rounds", type=int, default=5, help="batches for each figure")
    given = parser.parse_args(words)
    print(machine())
    print(f"{'random games':<48}{'moves per second':>18}{'games per second':>18}")
    rates, figures = {}, []
    for name, options, share in SETUPS:
        label = label_of(name, options)
        rates[label] = best(own_games(name, options), max(1, round(given.games * share)), given.rounds)
        print(f"{label:<48}{rates[label][0]:>18,.0f}{rates[label][1]:>18,.0f}")
        figures += [
            Figure(f"random games, {label}", rate, f"{unit} per second")
            for rate, unit in zip(rates[label], ("moves", "games"), strict=True)
        ]
    for options, share in TREE:
        games = best(tree_games(options), max(1, round(given.games * share)), given.rounds)[1]
        label = label_of("tree bot of pentago", options)
        print(f"{label:<48}{'':>18}{games:>18,.0f}")
        figures.append(Figure(f"random games, {label}", games, "games per second"))
    outside = openspiel_games()
    if outside is None:
        print("open_spiel is not installed, so there is no comparison.")
    else:
        moves, games = best(outside, OPENSPIEL_GAMES, given.rounds)
        print(f"{'pentago, OpenSpiel through Python':<48}{moves:>18,.0f}{games:>18,.0f}")
        times = rates["pentago"][0] / moves
        print(f"Moves per second, times OpenSpiel's: {times:,.0f}")
        what = "random games, pentago, against OpenSpiel through Python"
        figures.append(Figure(what, times, "times as many moves", f"{moves:,.0f} moves per second"))
    print(f"{f'{given.together:,} games together':<48}{'steps per second':>18}")
    for name, options in TOGETHER:
        rate = steps_together(name, options, given.together, given.rounds)
        print(f"{label_of(name, options):<48}{rate:>18,.0f}")
        figures.append(
            Figure(f"{given.together:,} games together, {label_of(name, options)}", rate, "steps per second")
        )
    return figures


if __name__ == "__main__":
    main()
