"""Training of the evaluation by games: `python -m training pentagame --folder DIR --players 3`.

The tree plays games against itself with a fixed number of visits a turn; now and then it plays a random move. Positions
of a game have two labels: the value of the tree, and the game's result. Games hardly ever reach the positions after bad
moves, which a search must tell from those after good ones. So positions a few random steps away are taken, too; their
label is the value of a larger tree. The net is fitted to both. Each round plays with the net of the round before.
Everything is in the folder, and a second run continues there.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import pentad
from pentad.game import GameError, Position
from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.search import ENGINE, read, state_of, weights_of
from pentad.games.pentagame.rules import PentagamePosition
from pentad.kernels.buffers import Buffer, array, zeros
from pentad.search.constants import MAX_CHILDREN
from pentad.search.engine import Engine, GameTree
from pentad.system.files import replacing
from training.common import Moments, play_round, read_arrays

Floats = NDArray[np.float32]

FIRST_TO_THREE = 0.15  # the share of games that end with the third piece
STRAY = (0.03, 0.1, 0.2)  # the rates of steps that are not the best ones; a game has one of them
ANY_TURN = 0.25  # the share of these that are any legal turn
STEPS_AWAY, AMONG = 4, (4, 12, MAX_CHILDREN)  # of a position beside the game: steps, each among the best children
BESIDE = 0.25  # positions beside the game for each step
MORE_VISITS = 4  # times the visits of a game's tree, for their values
GAMES_OF_A_FILE = 50
HELD_OUT = 20  # one file of so many is not fitted to
BATCH, DECAY = 512, 1e-3  # positions of a step; of the weights, by the rate


@dataclass
class Samples:
    """Positions: the rows of the net; the values of a tree and the results of the games, by turns from the mover on."""

    rows: list[Sequence[int]] = field(default_factory=list)
    values: list[Sequence[float]] = field(default_factory=list)
    results: list[Sequence[float]] = field(default_factory=list)

    def add(self, here: Position, value: Sequence[float], result: Sequence[float]) -> None:
        rows = zeros(5 * k.SEATS + 4, "int64")
        count = ENGINE.kernels("input_rows", state_of(cast(PentagamePosition, here)), zeros(k.WORK, "int64"), rows)
        self.rows.append(rows[:count].tolist())
        self.values.append(from_mover(value, here.turn))
        self.results.append(from_mover(result, here.turn))


def from_mover(shares: Sequence[float], mover: int) -> list[float]:
    """The seats' shares by the turns until each moves."""
    return [*shares[mover:], *shares[:mover]]


# ── games ────────────────────────────────────────────────────────────────────────────────────────


def tree_of(engine: Engine, here: Position, visits: int, chance: random.Random, seen: Sequence[int]) -> GameTree:
    tree = GameTree(engine, here, visits * MAX_CHILDREN, seed=chance.getrandbits(60) + 1, seen=seen)
    tree.grow(visits)
    return tree


def any_turn(here: Position, chance: random.Random) -> Position:
    """The position after a random turn."""
    moves = here.legal_moves
    return here.play(moves[chance.randrange(len(moves))])


def beside(engine: Engine, tree: GameTree, chance: random.Random) -> Position:
    """A position a few random steps from the tree's."""
    here, node = tree.position, 0
    for _ in range(chance.randint(1, STEPS_AWAY)):
        children = tree.children(node)
        if here.outcome or not children:
            break
        if chance.random() < ANY_TURN / 2:
            return any_turn(here, chance)
        node = chance.choice(children[: chance.choice(AMONG)])
        here = engine.after(here, tree.step(node, here))
    return here


def add_game(samples: Samples, engine: Engine, players: int, visits: int, chance: random.Random) -> None:
    """Plays a game and adds its positions, and some beside it."""
    here = pentad.new("pentagame", players=players, first_to_three=chance.random() < FIRST_TO_THREE)
    seen, stray, met = [engine.signature(here)], chance.choice(STRAY), list[tuple[Position, Sequence[float]]]()
    while here.outcome is None:
        ply = here.ply
        while here.ply == ply and here.outcome is None:
            if chance.random() < stray * ANY_TURN:
                here = any_turn(here, chance)
                continue
            tree = tree_of(engine, here, round(visits * chance.uniform(0.7, 1.3)), chance, seen)
            met.append((here, tree.value()))
            if chance.random() < BESIDE and (other := beside(engine, tree, chance)).outcome is None:
                far = tree_of(engine, other, MORE_VISITS * visits, chance, ()).value()
                samples.add(other, far, far)
            children = tree.children()
            node = chance.choice(children[: AMONG[1]]) if chance.random() < stray else tree.best_child(0, here.turn)
            here = engine.after(here, tree.step(node, here))
        seen.append(engine.signature(here))
    shares = [(each * (players - 1) + 1) / players for each in here.outcome.returns]
    for position, value in met:
        samples.add(position, value, shares)


def games(players: int, seeds: Sequence[int], visits: int, net: Floats, path: Path) -> Path:
    """Plays games with a net and saves their positions."""
    nets = read() | {players: in_integers(net, players)}
    engine, samples = replace(ENGINE, weights=weights_of(nets)), Samples()
    for seed in seeds:
        add_game(samples, engine, players, visits, random.Random(seed))
    with replacing(path) as file:
        np.savez_compressed(
            file,
            rows=np.array(samples.rows, np.int16),
            values=np.array(samples.values, np.float32),
            results=np.array(samples.results, np.float32),
        )
    return path


def play(args: argparse.Namespace, number: int, net: Floats) -> list[Path]:
    """The files of games of a round; those that are missing are played."""
    task = partial(games, args.players, visits=args.visits, net=net)
    stem = args.folder / f"games-{args.players}-{number}"
    return play_round(stem, number, args.games, GAMES_OF_A_FILE, args.workers, task)


# ── the fit ──────────────────────────────────────────────────────────────────────────────────────


def load(paths: Sequence[Path], players: int, share: float) -> tuple[Floats, Floats]:
    """The inputs of the positions in some files, as how often they have each row, and the targets.

    A target is the game's result by its share, and the tree's value by the rest.
    """
    inputs, targets = [], []
    for path in paths:
        found = read_arrays(path)
        try:
            rows, values, results = (found[name] for name in ("rows", "values", "results"))
            counts = np.zeros((len(rows), k.INPUTS[players]), np.float32)
            np.add.at(counts, (np.arange(len(rows))[:, None], rows), 1)
            target = (1 - share) * values + share * results
            if target.shape != (len(rows), players) or not np.isfinite(target).all():
                raise ValueError
        except (ValueError, KeyError, IndexError):
            raise GameError(f"{path} has no games of {players} players.") from None
        inputs.append(counts)
        targets.append(target)
    return np.concatenate(inputs), np.concatenate(targets)


def parts(net: NDArray[Any], players: int) -> list[NDArray[Any]]:
    """The parts of a net: rows, biases of a row, second layer, its biases, chances."""
    shapes = [(k.INPUTS[players], k.ROW), (k.ROW,), (k.HIDDEN, k.HIDDEN), (k.HIDDEN,), (k.HIDDEN, k.CHANCES)]
    ends = np.cumsum([np.prod(shape) for shape in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(net, ends[:-1]), shapes, strict=True)]


def joined(*parts: NDArray[Any]) -> Floats:
    """A net of its parts."""
    return np.concatenate([part.ravel() for part in parts])


def bounded(net: Floats, players: int) -> Floats:
    """The net with weights that integers hold."""
    largest = (k.LARGEST_ROW, k.LARGEST_ROW, k.LARGEST_WEIGHT, k.LARGEST_ROW, k.LARGEST_WEIGHT)
    return joined(*(np.clip(part, -most, most) for part, most in zip(parts(net, players), largest, strict=True)))


def in_integers(net: Floats, players: int) -> Buffer:
    """A net as the kernels read it: in a layer each two units side by side."""
    rows, biases, layer, more, chances = parts(np.rint(bounded(net, players) * _steps(players)), players)
    sides = [part.reshape(k.HIDDEN // 2, 2, -1).swapaxes(1, 2) for part in (layer, chances)]
    return array([int(weight) for weight in joined(rows, biases, sides[0], more, sides[1])], "int16")


def in_floats(net: Buffer, players: int) -> Floats:
    """A net of integers as the fit reads it."""
    rows, biases, layer, more, chances = parts(np.asarray(net, np.float32), players)
    units = [part.reshape(k.HIDDEN // 2, -1, 2).swapaxes(1, 2) for part in (layer, chances)]
    return joined(rows, biases, units[0], more, units[1]) / _steps(players)


def _steps(players: int) -> Floats:
    """1.0 in each weight of a net."""
    steps = np.full(k.NETS[players], 1 << k.STEP_BITS, np.float32)
    _, _, layer, _, chances = parts(steps, players)
    layer[:] = chances[:] = 1 << k.FRACTION
    return steps


def by_hand(players: int) -> Floats:
    """A net to begin with: chances by the turns of all pieces, and small random weights."""
    net = np.random.default_rng(players).normal(0, 0.1, k.NETS[players]).astype(np.float32)
    rows, biases, _, more, _ = parts(net, players)
    rows[:, k.HIDDEN :] = biases[:] = more[:] = 0
    for turns in range(players):
        for kind in range(k.KINDS):
            rows[k.KINDS * turns + kind, k.HIDDEN + turns] = -0.4 * (-(-kind // (k.MAX_CHOKES + 1)))
    return net


def slopes(net: Floats, players: int, inputs: Floats, targets: Floats) -> tuple[float, Floats]:
    """The cross-entropy of some positions, and its gradient by the weights."""
    gradient = np.zeros_like(net)
    rows, biases, layer, more, chances = parts(net, players)
    of_rows, of_biases, of_layer, of_more, of_chances = parts(gradient, players)
    sums = inputs @ rows + biases
    first = np.maximum(sums[:, : k.HIDDEN], 0)
    second = np.maximum(first @ layer + more, 0)
    logits = (sums[:, k.HIDDEN : k.HIDDEN + k.CHANCES] + second @ chances)[:, :players]
    logits -= logits.max(axis=1, keepdims=True)
    totals = np.exp(logits).sum(axis=1, keepdims=True)
    loss = float((targets * (np.log(totals) - logits)).sum())
    of_logits = np.zeros((len(inputs), k.CHANCES), np.float32)
    of_logits[:, :players] = (np.exp(logits) / totals - targets) / len(inputs)
    of_chances[:] = second.T @ of_logits
    of_second = (of_logits @ chances.T) * (second > 0)
    of_layer[:], of_more[:] = first.T @ of_second, of_second.sum(axis=0)
    of_first = (of_second @ layer.T) * (first > 0)
    unused = np.zeros((len(inputs), k.ROW - k.HIDDEN - k.CHANCES), np.float32)
    of_sums = np.concatenate([of_first, of_logits, unused], axis=1)
    of_rows[:], of_biases[:] = inputs.T @ of_sums, of_sums.sum(axis=0)
    return loss, gradient


def fit(args: argparse.Namespace, number: int, net: Floats, paths: Sequence[Path]) -> Floats:
    """Fits a net to the positions of some files."""
    held = paths[::HELD_OUT]
    inputs, targets = load([path for path in paths if path not in held] or held, args.players, args.result)
    others = load(held, args.players, args.result)
    moments, batches = Moments.of(net), -(-len(inputs) // BATCH)
    for epoch in range(args.epochs):
        order, loss = np.random.default_rng((number, epoch)).permutation(len(inputs)), 0.0
        for batch in range(batches):
            rate = args.rate * (1 - (epoch * batches + batch) / (args.epochs * batches))
            some = order[batch * BATCH : (batch + 1) * BATCH]
            more, gradient = slopes(net, args.players, inputs[some], targets[some])
            net = bounded(net - rate * (moments.direction(gradient) + DECAY * net), args.players)
            loss += more
        held_out = slopes(net, args.players, *others)[0] / len(others[0])
        print(
            f"round {number}, epoch {epoch + 1}: {loss / len(inputs):.4f}, of held-out games {held_out:.4f}", flush=True
        )
    return net


def save(nets: Mapping[int, Buffer], path: Path) -> None:
    """Saves the nets as the package wants them."""
    with replacing(path) as file:
        np.savez_compressed(file, **{f"players{each}": np.asarray(net) for each, net in nets.items()})  # type: ignore[arg-type]


def count(text: str) -> int:
    """A whole number from 1 on, as an argument of the command."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, required=True, help="the folder of all files; a second run continues")
    parser.add_argument("--players", type=int, choices=k.NETS, default=2, help="players of a game (default: 2)")
    parser.add_argument("--start", choices=("package", "hand"), default="package", help="the net to begin with")
    parser.add_argument("--rounds", type=count, default=2, help="rounds of games and training (default: 2)")
    parser.add_argument("--games", type=count, default=3000, help="games of a round (default: 3000)")
    parser.add_argument("--visits", type=count, default=60, help="visits of the tree for a step (default: 60)")
    parser.add_argument("--epochs", type=count, default=20, help="epochs of a round (default: 20)")
    parser.add_argument("--rate", type=float, default=4e-3, help="rate of the first step (default: 0.004)")
    parser.add_argument("--result", type=float, default=0.5, help="the result's share of a label (default: 0.5)")
    parser.add_argument("--recent", type=count, default=2, help="rounds whose games are fitted to (default: 2)")
    parser.add_argument("--workers", type=count, default=2, help="worker processes (default: 2)")
    args = parser.parse_args()
    if not 0 < args.rate < 1:
        parser.error("--rate must be between 0 and 1.")
    if not 0 <= args.result <= 1:
        parser.error("--result must be from 0 to 1.")
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        nets = read()
        net = in_floats(nets[args.players], args.players) if args.start == "package" else by_hand(args.players)
        files = list[list[Path]]()
        for number in range(args.rounds):
            files.append(play(args, number, net))
            newest = args.folder / f"weights-{args.players}-{number}.npz"
            if not newest.exists():
                net = fit(args, number, net, [path for paths in files[-args.recent :] for path in paths])
                save(nets | {args.players: in_integers(net, args.players)}, newest)
            net = in_floats(read(newest)[args.players], args.players)
    except (GameError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "Interrupted. Run the same command again to continue.\n")
    print(newest)


if __name__ == "__main__":
    main()
