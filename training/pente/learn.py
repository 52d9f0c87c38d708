"""Training of the evaluation and of the order of moves: `python -m training pente --folder DIR --rules pente`.

The engine plays games against itself at a fixed number of nodes a move (see `play_kernels`), from openings spread wide
whose search finds them even. Each quiet position has two labels: the search's score and the game's result; some
positions beside those of games have the score alone. All weights of the evaluation are fitted to both: the linear ones
and the network (see `net_kernels`). The order of moves is fitted to the moves that the search chose (see
`learn_order`). Each round plays its games with the weights of the round before. Everything is in the folder, games and
each epoch of the fit, and a second run continues there: `run.json` tells the settings, the hash of each file of games
and the losses, and `curve.svg` shows them.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import LEAF_ATTACK_NODES, arrays_for, arrays_of
from pentad.games.pente.engine.state import (
    LEARNED,
    LONGEST_IN_CODES,
    NO_NETWORK,
    EngineTables,
    Network,
    Weights,
    file_of,
    row_numbers,
    spread,
    state_of,
    tables,
    values_from,
)
from pentad.games.pente.rules import GAME, PentePosition
from pentad.games.pente.rulesets import RULE_SETS
from pentad.kernels.buffers import Buffer, array, zeros
from pentad.kernels.program import program
from pentad.system.checked_files import read_json, with_check
from pentad.system.files import replacing
from training.common import Moments, play_round, read_arrays
from training.pente.learn_kernels import FARTHEST, STEPS, VECTORS
from training.pente.learn_order import choices, fit_order
from training.pente.play_kernels import DRAWN, LONGEST, Record

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Targets: TypeAlias = tuple[Floats, Floats]  # of positions, and of those beside them
SCALE = 300.0  # points of a score that mean odds of e to 1
COLUMNS = {"points": np.int16, "scores": np.int16, "uses": np.int8, "beside": np.int16, "beside_scores": np.int16}
TRAINED = ("evaluation", "order", "both")
TABLE_ENTRIES, REFUTED_ENTRIES = 1 << 14, 1 << 13  # of the tables of a search of a game
SHARE_OF_RESULT = 0.5  # of a target; the rest is the search's score
GAMES_OF_A_FILE = 200
HELD_OUT = 20  # one game of so many is not fitted to
GAMES_OF_STEP = 16
DECAY = 20  # of the rows' own vectors, by the rate
SLOWER = 0.1  # the rate of the linear weights, by that of the network
LARGEST_VECTOR, LARGEST_WEIGHT = 2.0, 1.9  # bounds of the parameters, so that integers of the search do not overflow
WEIGHT_UNIT = 4096  # 1.0 in a weight of the hidden layer
HIDDEN_UNIT = WEIGHT_UNIT * k.CLIP >> k.HIDDEN_SHIFT  # 1.0 in a hidden unit
OUT_UNIT = SCALE * (1 << k.OUT_SHIFT)  # 1.0 in the output, for each unit of the hidden layer


@dataclass
class Games:
    """Games move by move (see `play_kernels.Record`)."""

    points: NDArray[np.int16]
    scores: NDArray[np.int16]
    uses: NDArray[np.int8]
    beside: NDArray[np.int16]
    beside_scores: NDArray[np.int16]
    ends: NDArray[np.int64]  # where each game's moves end
    results: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.ends)

    @classmethod
    def concatenate(cls, parts: Sequence[Games]) -> Games:
        shifts = np.cumsum([0, *(len(part.points) for part in parts)])
        ends = [part.ends + shift for part, shift in zip(parts, shifts, strict=False)]
        columns = {name: [getattr(part, name) for part in parts] for name in cls.__dataclass_fields__} | {"ends": ends}
        return cls(**{name: np.concatenate(column) for name, column in columns.items()})

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each game's moves begin."""
        return np.append(0, self.ends[:-1])

    def once(self) -> Games:
        """These games, with positions in use only in the first of equal ones."""
        uses, seen = self.uses.copy(), set[bytes]()
        for first, last in zip(self.starts, self.ends, strict=True):
            moves = self.points[first:last].tobytes()
            if moves in seen:
                uses[first:last] = False
            seen.add(moves)
        return replace(self, uses=uses)

    def save(self, path: Path) -> None:
        with replacing(path) as file:
            np.savez_compressed(file, **vars(self))

    @classmethod
    def load(cls, path: Path) -> Games:
        file = read_arrays(path)
        return cls(**{name: file[name] for name in cls.__dataclass_fields__})

    def targets(self) -> Targets:
        """The targets of each position and of that beside it, for the player to move there, from 0 to 1."""
        game_of = np.repeat(np.arange(len(self)), np.diff(self.ends, prepend=0))
        mover = (np.arange(len(self.points)) - self.starts[game_of]) % 2
        result = self.results[game_of]
        came = np.where(result == DRAWN, 0.5, result == mover)
        said, said_beside = (1 / (1 + np.exp(-each / SCALE)) for each in (self.scores, self.beside_scores))
        mixed = SHARE_OF_RESULT * came + (1 - SHARE_OF_RESULT) * said
        return mixed.astype(np.float32), said_beside.astype(np.float32)


# ── games ────────────────────────────────────────────────────────────────────────────────────────


class Player:
    """Plays games of a rule set against itself, each by its seed, with weights."""

    def __init__(self, rules: str, nodes: int, weights: Weights) -> None:
        weights = spread(weights, RULE_SETS[rules])
        state = state_of(cast(PentePosition, GAME.new(rules=rules, opening="free")), weights.values)
        table = zeros(2 * TABLE_ENTRIES, k.Words)
        run = arrays_of(state.parts, arrays_for(weights, state.tables.reach), table)
        run.control.effort = LEAF_ATTACK_NODES
        self._run = run._replace(refuted=zeros(REFUTED_ENTRIES, k.Words))
        self._nodes, self._columns = nodes, {name: np.zeros(LONGEST, kind) for name, kind in COLUMNS.items()}
        self._record = Record(*cast(Any, _views(*self._columns.values())))
        self._play = program("training.pente.play_kernels").bind("play", self._run)

    def game(self, seed: int) -> Games:
        """A game of self-play; it ends where the search proves a win."""
        length, result = divmod(self._play(seed, self._nodes, self._record), 4)
        columns = {name: column[:length].copy() for name, column in self._columns.items()}
        return Games(**columns, ends=np.array([length]), results=np.array([result], np.int8))


def games(rules: str, seeds: range, nodes: int, weights: Weights, path: Path) -> Path:
    """Plays games into a file."""
    player = Player(rules, nodes, weights)
    Games.concatenate([player.game(seed) for seed in seeds]).save(path)
    return path


# ── fitting ──────────────────────────────────────────────────────────────────────────────────────

_STEPS = np.arange(-FARTHEST * STEPS, FARTHEST * STEPS + 1) / STEPS
LOGISTIC, SOFTPLUS = 1 / (1 + np.exp(-_STEPS)), np.log1p(np.exp(_STEPS))
NO_SLOPES = np.zeros(0, np.float32)


def plain_tables() -> EngineTables:
    """The tables of the codes that have values of their own; the rule sets of other codes find theirs by them."""
    return tables(RULE_SETS["pente"])


def rows_of(reach: int) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """The row of each code, and the row of each row with the colours exchanged, as arrays of numpy."""
    rows, swapped = (np.asarray(each) for each in row_numbers(reach))
    return rows, swapped


def row_groups(table: EngineTables, rows: NDArray[np.int16]) -> list[NDArray[np.int64]]:
    """Groups of rows that are alike, as the number of each row's group: by their shapes, then by the nearest points."""
    codes = np.zeros(int(rows.max()) + 1, np.int64)
    codes[rows] = np.arange(len(rows))
    codes[0] = 0
    names = np.asarray(table.entries)[codes] & (k.NAMES - 1)
    found = [names]
    for near in range(1, table.reach):
        right, left, short = np.zeros_like(codes), np.zeros_like(codes), (1 << near) - 1
        for colour in range(2):
            side = codes >> 2 * table.reach * colour
            right |= (side & short) << near * colour
            left |= (side >> table.reach & short) << near * colour
        found.append(np.minimum(right, left) << 2 * near | np.maximum(right, left))
    return [np.unique(each, return_inverse=True)[1] for each in found]


class Fit:
    """The parameters of an evaluation in training, and the moments of their descent.

    The weights go on from those of the start; without a network there, one begins with small random numbers, unless
    only linear weights are fitted. The vector of a row is a sum: of that of the start, of a vector for all rows with
    the same shapes, for all with the same nearest points, one to three on each side, and of its own, which decays. So
    a code that is rarely seen changes as those that are like it.
    """

    def __init__(self, rules: str, start: Weights, linear_only: bool = False) -> None:
        state = state_of(cast(PentePosition, GAME.new(rules=rules, opening="free")))
        self.start, self._state, self._linear_only = start, state, linear_only
        self.rows, self.swapped = rows_of(state.tables.reach)
        self._nearer, _ = rows_of(LONGEST_IN_CODES - 1)  # of the codes that have values of their own
        linear = k.WIDTH * len(self.swapped)
        self.vectors, self.linear = slice(0, linear), slice(linear, linear + len(self.swapped))
        self.others = slice(self.linear.stop, self.linear.stop + k.WEIGHTS)
        self.head = slice(self.others.stop, self.others.stop + k.HEAD)
        self.groups = row_groups(plain_tables(), self._nearer)
        orders = [np.argsort(group, kind="stable") for group in self.groups]
        self._sorted = [
            (order, np.searchsorted(group[order], np.arange(group.max() + 1)))
            for order, group in zip(orders, self.groups, strict=True)
        ]
        sizes = [k.WIDTH * (int(group.max()) + 1) for group in self.groups]
        ends = np.cumsum([self.head.stop, *sizes])
        self.shared = [slice(*each) for each in itertools.pairwise(ends)]
        self._before = np.zeros(linear, np.float32)  # the vectors of the start
        self.learned = self._first(int(ends[-1]))
        self.moments = Moments.of(self.learned)
        self._rates, self._decay = np.ones_like(self.learned), np.zeros_like(self.learned)
        self._rates[self.linear.start : self.others.stop] = SLOWER
        self._decay[self.vectors] = DECAY
        if linear_only:
            self._rates[self.vectors] = self._rates[self.head.start :] = 0
        self.parameters = np.zeros(self.head.stop, np.float32)
        self._slopes, self._seen = np.zeros_like(self.parameters), np.zeros(k.AXES * k.POINTS, np.int32)
        self._scratch = np.zeros(VECTORS + k.ROW * k.LARGEST**2, np.float32)
        self._add_up()

    def _first(self, count: int) -> Floats:
        """The parameters to begin with."""
        found, rng = np.zeros(count, np.float32), np.random.default_rng(1)
        values = np.zeros(len(self.swapped))
        values[self._nearer] = np.asarray(self.start.values)[: len(self._nearer)]
        found[self.linear] = values / SCALE / 2  # a row counts against the one with the colours exchanged
        found[self.linear.start] = 0
        found[self.others] = np.asarray(self.start.others) / SCALE
        if self._linear_only:
            return found
        layers = found[self.head]
        if len(self.start.network.head):
            self._before[:] = np.asarray(self.start.network.own) / k.CLIP
            layers[:] = np.asarray(self.start.network.head) / _head_units()
        else:
            for shared in self.shared:
                found[shared] = rng.normal(0, 0.05, shared.stop - shared.start)
            layers[: k.BIASES] = rng.normal(0, 0.02, k.BIASES)
            layers[k.OUT : k.OUT + k.HIDDEN] = rng.normal(0, 0.1, k.HIDDEN)
        return found

    def _add_up(self) -> None:
        """Writes the parameters that the kernels read: each row's vector as the sum of its parts."""
        self.parameters[:] = self.learned[: self.head.stop]
        self.parameters[self.vectors] += self._before
        vectors = self.parameters[self.vectors].reshape(-1, k.WIDTH)
        for shared, group in zip(self.shared, self.groups, strict=True):
            vectors += self.learned[shared].reshape(-1, k.WIDTH)[group]
        np.clip(vectors, -LARGEST_VECTOR, LARGEST_VECTOR, out=vectors)
        vectors[0] = 0  # the row of codes without stones
        layer = self.parameters[self.head][: k.BIASES]
        np.clip(layer, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=layer)

    def weights(self) -> Weights:
        """The parameters as the search wants them. The values of shapes are those of the start."""
        linear = self.parameters[self.linear]
        values = SCALE * (linear[self._nearer] - linear[self.swapped[self._nearer]])
        layers = self.parameters[self.head] * _head_units()
        numbers = (
            np.append(values, np.asarray(self.start.values)[len(self._nearer) :]),
            self.parameters[self.others] * SCALE,
            self.parameters[self.vectors] * k.CLIP,
            layers,
        )
        whole, others, own, head = (array(np.rint(each).astype(int).tolist(), "int32") for each in numbers)
        network = NO_NETWORK if self._linear_only else Network(own, head)
        return Weights(whole, others, network, self.start.order)

    def loss(self, played: Games, targets: Targets, chosen: NDArray[np.int64], slopes: Floats = NO_SLOPES) -> Doubles:
        """The sum of the losses of some games, and the number of their positions."""
        found = np.zeros(2)
        games = tuple(_views(played.points, targets[0], played.uses, played.beside, targets[1], played.ends))
        fit = (self.rows, self.swapped, LOGISTIC, SOFTPLUS, self.parameters, slopes, self._scratch, self._seen, found)
        program("training.pente.learn_kernels")(
            "descend", self._state.parts, games, tuple(_views(*fit)), *_views(chosen), 0, len(chosen)
        )
        return found

    def epoch(self, played: Games, targets: Targets, order: NDArray[np.int64], rates: Iterable[float]) -> float:
        """Fits to the games in this order, in batches, each with its rate; returns the mean loss."""
        total = np.zeros(2)
        for first, rate in zip(range(0, len(order), GAMES_OF_STEP), rates, strict=True):
            self._slopes[:] = 0
            found = self.loss(played, targets, order[first : first + GAMES_OF_STEP], self._slopes)
            total += found
            self._step(self._slopes / max(found[1], 1), rate)
        return float(total[0] / max(total[1], 1))

    def _step(self, slopes: Floats, rate: float) -> None:
        slopes[: k.WIDTH] = slopes[self.linear.start] = 0
        vectors = slopes[self.vectors].reshape(-1, k.WIDTH)
        shared = [np.add.reduceat(vectors[order], starts, axis=0).ravel() for order, starts in self._sorted]
        whole = np.concatenate([slopes, *shared])
        self.learned -= rate * (self._rates * self.moments.direction(whole) + self._decay * self.learned)
        self._add_up()

    def keep(self, path: Path, epochs: int) -> None:
        """Writes the state of the descent after so many epochs."""
        with replacing(path) as file:
            np.savez(file, learned=self.learned, epochs=epochs, **vars(self.moments))

    def restore(self, path: Path) -> int:
        """Reads the state of the descent; returns the epochs done."""
        file = read_arrays(path)
        self.learned, epochs = file["learned"], int(file["epochs"])
        self.moments = Moments(file["mean"], file["square"], int(file["steps"]))
        self._add_up()
        return epochs


def _views(*arrays: NDArray[Any]) -> list[Buffer]:
    return [each.data for each in arrays]


def _head_units() -> Floats:
    """The integer that stands for 1.0 in each number of the layers."""
    units = np.full(k.HEAD, WEIGHT_UNIT * k.CLIP, np.float32)  # these are the biases of the units
    units[: k.BIASES] = WEIGHT_UNIT
    units[k.OUT :] = OUT_UNIT / HIDDEN_UNIT
    units[k.OUT + k.HIDDEN] = OUT_UNIT
    return units


# ── files ────────────────────────────────────────────────────────────────────────────────────────

_MADE = (0, 1, 3, 9, 10, 30, 32, 80, 120, *(0,) * 7)  # the value of each shape, nothing first


def by_hand(table: EngineTables) -> Weights:
    """Weights set by hand, from which training can begin."""
    by_shape = array([_MADE[name & 15] - _MADE[name >> 4] for name in range(k.NAMES)], "int32")
    return Weights(values_from(by_shape, table), array(k.HAND_SET_WEIGHTS, "int32"))


def save(path: Path, weights: Weights) -> None:
    """Writes weights to a file, with one value for all codes of a row."""
    rows, swapped = rows_of(LONGEST_IN_CODES - 1)
    values, by_row = np.asarray(weights.values), np.zeros(len(swapped), np.int32)
    by_row[rows] = values[: len(rows)]
    by_row[0] = 0
    parts: dict[str, Any] = {
        "rows": by_row,
        "shapes": values[len(rows) :],
        "others": np.asarray(weights.others),
    }
    if len(weights.order):
        parts["order"] = np.asarray(weights.order)
    if len(weights.network.head):
        parts |= {"vectors": np.asarray(weights.network.own), "head": np.asarray(weights.network.head)}
    with replacing(path) as file:  # not compressed: pages read the arrays at their places in the file
        np.savez(file, **parts)


def write(name: str, weights: Weights) -> None:
    """Saves weights as those of the package."""
    save(file_of(name), weights)


def draw(losses: Sequence[tuple[int, int, float, float]], path: Path) -> None:
    """Draws the loss of the fitted and the held-out games after each epoch."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.5), layout="constrained")
    axes = figure.add_subplot()
    for label, column in (("fitted games", 2), ("held-out games", 3)):
        axes.plot([each[column] for each in losses], marker="o", markersize=3, label=label)
    axes.set_xlabel("epochs of all rounds")
    axes.set_ylabel("cross-entropy")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


class TrainingRun:
    """`run.json`: the settings of a training run, the hash of each file of games, and what each epoch reached.

    A row of `losses` or `order` begins with the round and the epoch, both from 0.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "run.json"
        self.parts: dict[str, Any] = {"games": {}, "losses": []}
        if self._file.exists():
            self.parts = read_json(self._file, remedy="Remove it; the losses so far are lost, and the run continues.")

    def begin(self, args: argparse.Namespace, games: Sequence[Path]) -> None:
        """Notes the settings and the files of games."""
        skipped = ("folder", "workers", "rounds")
        self.parts["settings"] = {name: value for name, value in vars(args).items() if name not in skipped}
        self.parts["games"] |= {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in games}

    def add(self, name: str, row: Sequence[float]) -> None:
        """Adds what an epoch reached, instead of what that epoch and later ones had reached before, and saves."""
        self.parts[name] = [each for each in self.parts.get(name, []) if each[:2] < list(row[:2])] + [list(row)]
        with replacing(self._file) as file:
            file.write(json.dumps(with_check(self.parts), indent=1).encode())


def play(folder: Path, args: argparse.Namespace, number: int, weights: Weights) -> list[Path]:
    """The files of games of a round; those that are missing are played."""
    task = partial(games, args.rules, nodes=args.nodes, weights=weights)
    return play_round(folder / f"games-{number}", number, args.games, GAMES_OF_A_FILE, args.workers, task)


def train(args: argparse.Namespace, number: int, start: Weights, played: Games, run: TrainingRun) -> Weights:
    """Fits the weights to games; begins after the last epoch that is in the folder."""
    fit, kept = Fit(args.rules, start, args.linear), args.folder / f"fit-{number}.npz"
    targets, numbers = played.targets(), np.arange(len(played))
    held, fitted = numbers[numbers % HELD_OUT == 0], numbers[numbers % HELD_OUT != 0]
    first = fit.restore(kept) if kept.exists() else 0
    batches = -(-len(fitted) // GAMES_OF_STEP)
    for epoch in range(first, args.epochs):
        rates = [args.rate * (1 - (epoch * batches + batch) / (args.epochs * batches)) for batch in range(batches)]
        loss = fit.epoch(played, targets, np.random.default_rng((number, epoch)).permutation(fitted), rates)
        total, count = fit.loss(played, targets, held)
        held_out = total / max(count, 1)
        print(f"round {number}, epoch {epoch + 1}: loss {loss:.4f}, of held-out games {held_out:.4f}", flush=True)
        run.add("losses", (number, epoch, round(loss, 5), round(held_out, 5)))
        fit.keep(kept, epoch + 1)  # last: an epoch whose parameters are lost is fitted again, and its loss replaced
    if find_spec("matplotlib"):
        draw(run.parts["losses"], args.folder / "curve.svg")
    return fit.weights()


def train_order(args: argparse.Namespace, number: int, played: Games, run: TrainingRun) -> Buffer:
    """Fits the order of moves to the choices of games, but for decided positions."""
    uses = played.uses * (abs(played.scores) < k.WON_FROM)
    rows, swapped = rows_of(LONGEST_IN_CODES - 1)
    groups = [np.arange(len(swapped)), *row_groups(plain_tables(), rows)]
    found = choices(args.rules, played.points, uses, played.ends)
    return fit_order(found, groups, args.epochs, lambda epoch, *row: run.add("order", (number, epoch, *row)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, required=True, help="the folder of all files; a second run continues")
    parser.add_argument("--rules", choices=LEARNED, default="pente", help="the rule set to play")
    parser.add_argument("--start", choices=("package", "hand"), default="package", help="the weights to begin with")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of games and training (default: 2)")
    parser.add_argument("--games", type=int, default=20_000, help="games of a round (default: 20000)")
    parser.add_argument("--nodes", type=int, default=1500, help="nodes of the search for a move (default: 1500)")
    parser.add_argument("--epochs", type=int, default=8, help="epochs of a round (default: 8)")
    parser.add_argument("--rate", type=float, default=2e-3, help="rate of an evaluation's first step (default: 0.002)")
    parser.add_argument("--linear", action="store_true", help="fit an evaluation without a network")
    parser.add_argument("--recent", type=int, default=2, help="rounds whose games are fitted to (default: 2)")
    parser.add_argument("--train", choices=TRAINED, default="evaluation", help="what to train (default: evaluation)")
    parser.add_argument("--workers", type=int, default=2, help="worker processes (default: 2)")
    args = parser.parse_args()
    for name in ("rounds", "games", "nodes", "epochs", "recent", "workers"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} must be at least 1.")
    if not 0 < args.rate < 1:
        parser.error("--rate must be between 0 and 1.")
    args.folder.mkdir(parents=True, exist_ok=True)
    weights = Weights.load(file_of(args.rules)) if args.start == "package" else by_hand(plain_tables())
    run, files = TrainingRun(args.folder), list[list[Path]]()
    for number in range(args.rounds):
        files.append(play(args.folder, args, number, weights))
        newest = args.folder / f"weights-{number}.npz"
        if not newest.exists():
            recent = [path for paths in files[-args.recent :] for path in paths]
            played = Games.concatenate([Games.load(path) for path in recent]).once()
            run.begin(args, recent)
            if args.train != "order":
                weights = train(args, number, weights, played, run)
            if args.train != "evaluation":
                weights = replace(weights, order=train_order(args, number, played, run))
            save(newest, weights)
        weights = Weights.load(newest)
    write(args.rules, weights)


if __name__ == "__main__":
    main()
