"""Training of the evaluation's weights by games: `python -m pentad.learn pentagame --folder DIR`.

Weights that predict results well may play badly: a search compares positions that games never reach. So the measure is
the result of games (simultaneous perturbation, SPSA). In each pair of games the tree with all parameters moved by a
step in random directions plays against the tree with the opposite steps, from one random opening, once from either
seat, or from every second seat. The parameters then move towards the winner's. They are saved in the folder
after every batch, and a later run continues from there; the number of threads changes nothing. At the end the command
prints the weights.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from operator import mul
from pathlib import Path

import pentad
from pentad.game import GameError, Position
from pentad.pentagame.engine import constants as k
from pentad.pentagame.engine.search import ENGINE
from pentad.search.constants import MAX_CHILDREN
from pentad.search.engine import Engine, Tree
from pentad.user_files import write_safely

# The parameters: their values at first, those of the weights made by hand, and their steps. A number of turns has a
# cost, each of at most two choke points adds to it, and the second one has a factor.
SIDES, TURNS = ("mover", "other"), range(1, k.FARTHEST + 1)
PARAMETERS = {
    **{f"{side} {turns}": (float(turns), (0.12, 0.12, 0.15, 0.2)[turns - 1]) for side in SIDES for turns in TURNS},
    **{f"{side} choke {turns}": (0.07, (0.05, 0.05, 0.06, 0.08)[turns - 1]) for side in SIDES for turns in TURNS},
    **{f"{side} second choke": (1.0, 0.4) for side in SIDES},
    "others": (0.25, 0.06),
    "tempo": (0.45, 0.08),
    "black in hand": (-0.2, 0.12),
    "gray in hand": (-0.2, 0.12),
    "race": (0.9, 0.1),
}
FIXED = "other 1"  # the unit of all costs
BATCH = 8  # pairs of games with the same parameters
RATE, SLOWER_FROM, SLOWER = 0.015, 1500, 0.4  # steps for a point more, which get shorter after some pairs
PLAYERS = range(2, k.SEATS + 1)
OPENING = 2  # random turns of each seat


def weights_of(values: Mapping[str, float]) -> tuple[float, ...]:
    """The weights of the evaluation, by the parameters."""
    costs = [
        values[f"{side} {turns}"]
        + values[f"{side} choke {turns}"] * (0.0, 1.0, 1.0 + values[f"{side} second choke"])[chokes]
        for side in SIDES
        for turns in TURNS
        for chokes in range(k.MAX_CHOKES + 1)
    ]
    return (*costs, *(values[name] for name in list(PARAMETERS)[-5:]))


def parameters_of(weights: Sequence[float]) -> dict[str, float]:
    """The parameters of the evaluation, by the weights; the factors of the second choke points by least squares."""
    costs = iter(weights)
    values: dict[str, float] = {}
    for side in SIDES:
        rows = [(next(costs), next(costs), next(costs)) for _ in TURNS]
        first = [one - none for none, one, _ in rows]
        both = [two - none for none, _, two in rows]
        for turns, (none, _, _), more in zip(TURNS, rows, first, strict=True):
            values[f"{side} {turns}"], values[f"{side} choke {turns}"] = none, more
        values[f"{side} second choke"] = sum(map(mul, first, both)) / sum(map(mul, first, first)) - 1
    return values | dict(zip(list(PARAMETERS)[-5:], costs, strict=True))


def opening(players: int, chance: random.Random) -> Position:
    """A position after some random turns."""
    here = pentad.new("pentagame", players=players)
    for _ in range(OPENING * players):
        moves = here.legal_moves
        here = here.play(moves[chance.randrange(len(moves))])
        if here.outcome:
            return opening(players, chance)
    return here


def result(here: Position, engines: Sequence[Engine], visits: int, chance: random.Random) -> float:
    """The result of a game for the first of two engines in alternate seats, from -1 to 1; so many visits a turn."""
    seen = [ENGINE.signature(here)]
    while here.outcome is None:
        engine, ply = engines[here.turn % 2], here.ply
        while here.ply == ply and here.outcome is None:
            tree = Tree(engine, here, visits * MAX_CHILDREN, seed=chance.getrandbits(60) + 1, seen=seen)
            tree.grow(visits)
            here = tree.best[1]
        seen.append(ENGINE.signature(here))
    return 2 * (here.players - 1) / here.players * sum(here.outcome.returns[::2])


def pair(weights: Sequence[Sequence[float]], players: int, visits: int, seed: str) -> float:
    """The points of the first weights against the second in two games from one opening, from -2 to 2."""
    chance = random.Random(seed)
    first, second = (replace(ENGINE, weights=(*each, *each)) for each in weights)  # for any number of players
    start = opening(players, chance)
    one = result(start, (first, second), visits, chance)
    return one - result(start, (second, first), visits, chance)


class TrainingRun:
    """A training run, saved in a folder."""

    def __init__(self, folder: Path, players: int, visits: int, start: str = "hand") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file, self.players, self.visits = folder / "parameters.json", players, visits
        self.pairs, self.values = 0, {name: value for name, (value, _) in PARAMETERS.items()}
        if start == "package":
            self.values = parameters_of(k.OF_TWO if players == 2 else k.OF_MORE)
        if self.file.exists():
            self._restore()

    def _restore(self) -> None:
        try:
            saved = json.loads(self.file.read_text())
            self.pairs, self.players, self.visits = (int(saved[name]) for name in ("pairs", "players", "visits"))
            self.values = {name: float(saved["values"][name]) for name in PARAMETERS}
            is_finite = all(map(math.isfinite, self.values.values()))
            if self.players not in PLAYERS or self.pairs < 0 or self.visits < 1 or not is_finite:
                raise ValueError
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            raise GameError(f"{self.file} is not the state of a training run.") from None

    def go(self, pairs: int, threads: int) -> Iterator[str]:
        """Plays until there are so many pairs of games; yields a report of each batch."""
        with ThreadPoolExecutor(threads) as pool:
            while self.pairs < pairs:
                signs = [directions(number) for number in range(self.pairs, self.pairs + BATCH)]
                points = list(pool.map(self._points, range(self.pairs, self.pairs + BATCH), signs))
                rate = RATE * (1 + self.pairs / SLOWER_FROM) ** -SLOWER
                for name, (_, step) in PARAMETERS.items():
                    self.values[name] += (
                        rate * step * sum(won * each[name] for won, each in zip(points, signs, strict=True))
                    )
                self.pairs += BATCH
                saved = {"pairs": self.pairs, "players": self.players, "visits": self.visits, "values": self.values}
                write_safely(self.file, json.dumps(saved, indent=1))
                yield f"{self.pairs} pairs: " + ", ".join(f"{name} {value:.2f}" for name, value in self.values.items())

    def _points(self, number: int, signs: Mapping[str, int]) -> float:
        """The points in a pair of games of the parameters moved in some directions."""
        both = [
            weights_of({name: value + side * signs[name] * PARAMETERS[name][1] for name, value in self.values.items()})
            for side in (1, -1)
        ]
        return pair(both, self.players, self.visits, f"games {number}")


def directions(number: int) -> dict[str, int]:
    """The directions of all steps in a pair of games."""
    chance = random.Random(f"directions {number}")
    return {name: 0 if name == FIXED else chance.choice((-1, 1)) for name in PARAMETERS}


def count(text: str) -> int:
    """A whole number from 1 on, as an argument of the command."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, required=True, help="folder for the state of the training run")
    parser.add_argument("--pairs", type=count, default=5000, help="pairs of games (default: 5000, some hours)")
    parser.add_argument("--players", type=int, choices=PLAYERS, default=2, help="players of a game (default: 2)")
    parser.add_argument("--start", choices=("hand", "package"), default="hand", help="the weights to begin with")
    parser.add_argument("--visits", type=count, default=100, help="visits of the tree for a turn (default: 100)")
    parser.add_argument("--threads", type=count, default=2, help="games at the same time (default: 2)")
    args = parser.parse_args()
    try:
        run = TrainingRun(args.folder, args.players, args.visits, args.start)
    except (GameError, OSError) as error:
        parser.error(str(error))
    try:
        for line in run.go(args.pairs, args.threads):
            print(line, flush=True)
    except KeyboardInterrupt:
        parser.exit(130, "Interrupted. The same command continues the run.\n")
    print(f"{run.players} players:", tuple(round(weight, 3) for weight in weights_of(run.values)))


if __name__ == "__main__":
    main()
