"""Training of the evaluation's weights: `python -m training.pentago.learn --folder DIR`.

The search plays games against itself from boards with a few random marbles, one or more turns ahead. Each board gets a
target: the result of the game, mixed with the score of the search. In the last stages, boards a few turns beside the
games are added, with the score of a deeper search. Boards within the solver's reach get their exact values. Training
runs while the next games are played, so knowledge of late positions moves towards the beginning of the game.

A run begins with the package's weights and the last stages, or with random weights and all stages. Everything is saved
in the folder after each round, and a later run continues from there. At the end the command writes the package's file
and reports the accuracy of the evaluation.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pentad.games.pentago.engine import constants, search, state
from pentad.games.pentago.engine.board_kernels import can_win
from pentad.games.pentago.engine.constants import (
    BITS,
    BUCKETS,
    DEEP,
    HEAD,
    MOST_TURNS,
    PATTERN,
    PATTERNS,
    ROW,
    SPACES,
    STEP,
    SYMMETRIES,
    WHOLE_HEAD,
    WIDTH,
    Net,
    SearchArrays,
)
from pentad.games.pentago.engine.net_kernels import fill_heads
from pentad.games.pentago.engine.state import CORNERS, four, key_of, net, position_of, tables
from pentad.games.pentago.solver import solve
from pentad.kernels.types import Int16s, Rows
from pentad.system.files import replacing
from training.common import read_arrays
from training.pentago import learn_kernels as k

BATCH = 8192
FINEST = 127  # numbers of the tables in the file are from -127 to 127, times their unit's step
WEIGHT_DECAY = 0.02  # weight decay of the patterns' own parts, in favour of the shared parts
RATES = {"own": 0.5, "shared": 1.0, "layer": 1.0, "head": 1.0, "heads": 0.3}  # factors of the learning rate


CORNER = np.array(CORNERS)
Floats = NDArray[np.float32]


def images() -> NDArray[np.int16]:
    """The images of the patterns by each symmetry."""
    return np.asarray(tables().symmetries.images).reshape(SYMMETRIES, PATTERNS)


def net_of(parts: Floats, layer: Floats, heads: Floats) -> Net:
    """Makes a net from the contributions of each pattern in each corner: `parts[corner, pattern, unit]`."""
    whole = np.clip(np.rint(parts * STEP), -8000, 8000).astype(np.int16)
    rows = np.empty((4, PATTERNS, ROW), dtype=np.int16)
    for q in range(4):
        for g in range(SYMMETRIES):
            rows[q, :, WIDTH * g : WIDTH * (g + 1)] = whole[CORNER[g, q]][images()[g]]
    in_integers = (
        np.empty((WIDTH // 2, 2 * DEEP), np.int16),
        np.empty((len(heads), WHOLE_HEAD), np.int32),
        np.empty((len(heads), WIDTH), np.int16),
    )
    values: Any = (np.ascontiguousarray(layer, np.float32), np.ascontiguousarray(heads, np.float32))
    arrays: Any = in_integers
    fill_heads(*values, *arrays)
    return Net(cast("Rows[Rows[Int16s]]", rows), *arrays)


def patterns_of(key: NDArray[np.int64]) -> NDArray[np.int64]:
    """The four patterns of each key."""
    patterns = np.stack([key >> (BITS * q) & PATTERN for q in range(4)], axis=-1)
    assert int(patterns.max(initial=0)) < PATTERNS
    return patterns


def arrays_of(net: Net, slots: int) -> SearchArrays:
    """The arrays of a search."""
    arrays = search.arrays_of(tables().rules, net, search.table_of(slots))
    control = arrays.control
    control.placement, control.extended, control.broad = 1, constants.MOST_FORCED, constants.MOST_TURNS
    return arrays


def write(whole: Floats, layer: Floats, heads: Floats, file: Path = state.FILE) -> None:
    """Writes the tables, the layer and the heads; each unit of the tables has its own step."""
    step = np.maximum(np.abs(whole).max(axis=(0, 1)) / FINEST, 1e-9).astype(np.float32)
    tables = np.rint(whole / step).astype(np.int8)
    others = {"step": step, "layer": layer, "heads": heads.astype(np.float32)}
    for path, (least, most) in zip(state.files_of(file), state.PARTS, strict=True):
        with replacing(path) as archive:  # not compressed: pages read the arrays at their places in the file
            np.savez(archive, tables=tables[:, patterns_with(least, most)], **others)
        others = {}


def patterns_with(least: int, most: int) -> NDArray[np.bool_]:
    """Which patterns have so many marbles."""
    marbles = sum(np.arange(PATTERNS) // 3**i % 3 > 0 for i in range(constants.CELLS))
    return np.asarray((least <= marbles) & (marbles <= most))


def tables_of(file: Path) -> Floats:
    """The contributions of a package's files."""
    whole = np.empty((4, PATTERNS, WIDTH), np.float32)
    step = read_arrays(file)["step"]
    for path, (least, most) in zip(state.files_of(file), state.PARTS, strict=True):
        whole[:, patterns_with(least, most)] = read_arrays(path)["tables"] * step
    return whole


class Learner:
    """An evaluation in training."""

    def __init__(self, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.values: dict[str, Floats] = {
            "own": np.zeros((4, PATTERNS, WIDTH), np.float32),
            "shared": rng.normal(0, 0.05, (4, k.FEATURE_ROWS, WIDTH)).astype(np.float32),
            "layer": rng.normal(0, 0.3, (WIDTH, DEEP)).astype(np.float32),
            "head": np.zeros(HEAD, np.float32),
            "heads": np.zeros((BUCKETS, HEAD), np.float32),
        }
        head = self.values["head"]
        head[DEEP : 2 * DEEP] = rng.normal(0, 0.3, DEEP)
        head[2 * DEEP + 1 :] = rng.normal(0, 0.3, WIDTH)
        self.mean = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.square = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.step = 0
        self.rng = rng

    def whole(self) -> Floats:
        """The complete tables."""
        whole = np.empty((4, PATTERNS, WIDTH), np.float32)
        k.sum_features(self.values["own"], self.values["shared"], k.FEATURES, whole)
        return whole

    def heads(self) -> Floats:
        heads: Floats = self.values["heads"] + self.values["head"]
        return heads

    def net(self) -> Net:
        """The current net."""
        return net_of(self.whole(), self.values["layer"], self.heads())

    def begin_with(self, file: Path) -> None:
        """Begins with the weights of a package's file."""
        weights = read_arrays(file)
        known = {"own": tables_of(file), "layer": weights["layer"], "heads": weights["heads"]}
        for name, value in self.values.items():
            value[...] = known.get(name, 0)

    def learn(
        self, keys: NDArray[np.int64], marbles: NDArray[np.int8], targets: Floats, steps: int, rate: float, end: float
    ) -> list[float]:
        """Runs `steps` steps over random batches, with a learning rate that falls to `end`; returns the losses."""
        patterns = patterns_of(keys).astype(np.int16)
        order, at, losses = self.rng.permutation(len(keys)), 0, []
        of = {name: np.zeros_like(value) for name, value in self.values.items()}
        of_whole = np.zeros_like(self.values["own"])
        for step in range(steps):
            if at + BATCH > len(order):
                order, at = self.rng.permutation(len(keys)), 0
            chosen, at = order[at : at + BATCH], at + BATCH
            whole = self.whole()
            loss = k.gradients(
                patterns, marbles, targets, chosen, whole, self.values["layer"], self.heads(), CORNER,
                images(), of_whole, of["layer"], of["heads"],
            )  # fmt: skip
            k.backpropagate_features(of_whole, k.FEATURES, of["shared"])
            of["head"][:] = of["heads"].sum(axis=0)
            of["own"], of_whole = of_whole, of["own"]
            losses.append(loss / len(chosen))
            self.step += 1
            now = rate * (end / rate) ** (step / steps)
            for name, value in self.values.items():
                of[name] *= np.float32(1 / len(chosen))
                k.descend(
                    value.ravel(), of[name].ravel(), self.mean[name].ravel(), self.square[name].ravel(),
                    now * RATES[name], WEIGHT_DECAY if name == "own" else 0.0, self.step,
                )  # fmt: skip
        return losses

    def predict(self, keys: NDArray[np.int64], marbles: NDArray[np.int8]) -> Floats:
        """The predicted values of boards: the probability of a win minus that of a loss."""
        whole, heads, patterns = self.whole(), self.heads(), patterns_of(keys)
        units = np.zeros((len(keys), WIDTH), np.float32)
        for g in range(SYMMETRIES):
            view = sum(whole[CORNER[g, q], images()[g, patterns[:, q]]] for q in range(4))
            units += np.maximum(view, 0) / SYMMETRIES
        head = heads[marbles]
        deep = np.maximum(units @ self.values["layer"] + head[:, :DEEP], 0)
        logit = (deep * head[:, DEEP : 2 * DEEP]).sum(1) + head[:, 2 * DEEP] + (units * head[:, 2 * DEEP + 1 :]).sum(1)
        predictions: Floats = np.tanh(logit / 2)
        return predictions

    def loss(self, keys: NDArray[np.int64], marbles: NDArray[np.int8], targets: Floats) -> float:
        """The cross entropy of targets and predictions."""
        odds, share = (self.predict(keys, marbles) + 1) / 2, (targets + 1) / 2
        return float(-(share * np.log(odds + 1e-9) + (1 - share) * np.log(1 - odds + 1e-9)).mean())

    def _arrays(self) -> dict[str, Floats]:
        """The arrays of the state, by their names in a file."""
        states = {"values": self.values, "mean": self.mean, "square": self.square}
        return {f"{kind}-{name}": array for kind, arrays in states.items() for name, array in arrays.items()}

    def save(self, path: Path) -> None:
        """Saves the state of training."""
        with replacing(path) as file:
            np.savez(file, step=self.step, **self._arrays())  # type: ignore[arg-type]

    def load(self, path: Path) -> None:
        """Loads a saved state."""
        file = read_arrays(path)
        self.step = int(file["step"])
        for name, array in self._arrays().items():
            array[...] = file[name]


Boards = tuple[NDArray[np.int64], NDArray[np.int8], Floats]  # the keys, the marbles and the targets

MOST_BOARDS = 6_000_000  # the most boards in the training set, the latest ones
ROOM = 1_000_000  # the most boards of a round
REUSE = 10.0  # times that a board is used, on average
STEPS_OF_CHUNK = 20  # the time is checked between two of them
SLOTS = 1 << 18
COUNTS_OF_GAMES = (2, 4, 6, 8, 10, 12, 14, 16)
COUNTS_SOLVED = (18, 20, 22, 24, 26)


@dataclass(frozen=True, slots=True)
class Stage:
    """Some rounds of games: the depth and width of the search, and the numbers of marbles.

    `weight` is that of the result relative to the score; `stray` is the number of random turns in 1000. Beside each
    board of a game are `walks` more, searched `beside` turns deep. With them, the search prunes as the bots' does, and
    boards of at least `exact` marbles get their exact values.
    """

    minutes: float
    depth: int
    broad: int
    starts: int  # the games start with fewer marbles than this
    last: int  # games end with this many marbles, at the score of the search
    weight: float
    stray: int
    rate: float
    solved: int = 60  # random boards whose moves are solved in each round
    walks: int = 0
    beside: int = 0
    exact: int = SPACES


BESIDE = Stage(
    30, depth=3, broad=MOST_TURNS, starts=9, last=24, weight=0.75, stray=60, rate=3e-4, solved=0, walks=2, beside=4,
    exact=20,
)  # fmt: skip
STAGES = (
    Stage(8, depth=1, broad=288, starts=22, last=36, weight=0.93, stray=30, rate=2e-3),
    Stage(20, depth=2, broad=40, starts=14, last=36, weight=0.93, stray=15, rate=1e-3),
    Stage(60, depth=2, broad=40, starts=10, last=20, weight=0.8, stray=12, rate=1e-3),
    Stage(60, depth=2, broad=40, starts=10, last=20, weight=0.8, stray=12, rate=5e-4),
    Stage(60, depth=3, broad=24, starts=10, last=20, weight=0.75, stray=12, rate=3e-4),
    Stage(20, depth=3, broad=24, starts=10, last=20, weight=0.75, stray=12, rate=1e-4),
    replace(BESIDE, minutes=30),
    replace(BESIDE, minutes=15, rate=1e-4),
    replace(BESIDE, minutes=5, rate=3e-5),
)


def room(count: int) -> Boards:
    """Room for so many boards."""
    return np.zeros(count, np.int64), np.zeros(count, np.int8), np.zeros(count, np.float32)


def first(boards: Boards, count: int) -> Boards:
    """The first boards of a set."""
    return boards[0][:count], boards[1][:count], boards[2][:count]


class Games:
    """Games played in a background thread until the block ends."""

    def __init__(self, stage: Stage, net: Net, seed: int) -> None:
        self.stage, self.arrays = stage, arrays_of(net, SLOTS)
        self.boards = room(ROOM)
        self.filled = 0
        self.seed = np.array([seed * 1_000_003 + 12_345], np.int64)
        self.arrays.control.broad, self.arrays.control.selective = stage.broad, stage.walks > 0
        self._thread = threading.Thread(target=self._play, daemon=True)

    def _play(self) -> None:
        stage = self.stage
        self.filled = k.play_many(
            stage.starts, stage.last, stage.depth, stage.stray, stage.weight, stage.walks, stage.beside, self.seed,
            self.arrays, self.boards,
        )  # fmt: skip

    def __enter__(self) -> Games:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.arrays.control.stop = 1
        self._thread.join()

    @property
    def found(self) -> Boards:
        return first(self.boards, self.filled)


class TrainingRun:
    """A training run, saved in a folder."""

    def __init__(self, folder: Path, round_seconds: float, scale: float = 1.0, start: str = "package") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.learner = Learner()
        self.boards, self.added = room(0), 0  # the training set, and the number of boards that were ever in it
        self.folder, self.round_seconds, self.scale = folder, round_seconds, scale
        self.spent = 0.0  # seconds of training so far
        self.rounds = 0
        if (folder / "learner.npz").exists():
            self.learner.load(folder / "learner.npz")
            file = read_arrays(folder / "boards.npz")
            self.boards = (file["keys"], file["marbles"], file["targets"])
            self.added, self.spent, self.rounds = int(file["added"]), float(file["spent"]), int(file["rounds"])
        elif start == "package":
            self.learner.begin_with(state.FILE)
            self.spent = 60 * scale * sum(stage.minutes for stage in STAGES if not stage.walks)

    def go(self) -> Iterator[str]:
        """Plays and trains through the stages; yields a report of each round."""
        until = 0.0
        for stage in STAGES:
            until += stage.minutes * 60 * self.scale
            while self.spent < until:
                yield self._round(stage)

    def _round(self, stage: Stage) -> str:
        began, losses, steps = time.monotonic(), [], 0
        with Games(stage, self.learner.net(), int(self.rounds) + 1) as games:
            while (spent := time.monotonic() - began) < self.round_seconds:
                used = (self.learner.step + STEPS_OF_CHUNK) * BATCH
                if used > REUSE * self.added:
                    time.sleep(min(1.0, self.round_seconds - spent))
                    continue
                losses += self.learner.learn(*self.boards, STEPS_OF_CHUNK, stage.rate, stage.rate)
                steps += STEPS_OF_CHUNK
        fresh = self.learner.loss(*first(games.found, 20_000)) if games.filled else 0.0
        self._add(with_exact_values(games.found, stage.exact))
        if stage.solved:
            self._add(solved(COUNTS_SOLVED[1:4], stage.solved, int(self.rounds) + 1))
        self.spent += time.monotonic() - began
        self.rounds += 1
        self._save()
        known = f", loss {np.mean(losses[-STEPS_OF_CHUNK:]):.4f}" if losses else ""
        return (
            f"round {self.rounds:.0f}, {self.spent / 60:.1f} minutes: depth {stage.depth}, {games.filled} new boards,"
            f" {steps} steps{known}, {fresh:.4f} on unseen games"
        )

    def _add(self, boards: Boards) -> None:
        """Adds boards to the training set, and drops the oldest above the limit."""
        keys, marbles, targets = (
            np.concatenate([old, new])[-MOST_BOARDS:] for old, new in zip(self.boards, boards, strict=True)
        )
        self.boards = (keys, marbles, targets)
        self.added += len(boards[0])

    def _save(self) -> None:
        with replacing(self.folder / "boards.npz") as file:
            keys, marbles, targets = self.boards
            about = {"added": self.added, "spent": self.spent, "rounds": self.rounds}
            np.savez(file, keys=keys, marbles=marbles, targets=targets, **about)  # type: ignore[arg-type]
        self.learner.save(self.folder / "learner.npz")


def random_boards(marbles: int, count: int, seed: int) -> NDArray[np.int64]:
    """Boards of random play without an immediate win."""
    arrays = arrays_of(net(), 2)
    state = np.array([seed * 1_000_003 + marbles], np.int64)
    keys = [k.random_board(marbles, state, arrays) for _ in range(3 * count)]
    return np.array([key for key in keys if key >= 0][:count], np.int64)


def with_exact_values(boards: Boards, least: int) -> Boards:
    """The same boards, those of at least so many marbles with their exact values."""
    keys, marbles, targets = boards
    for i in np.flatnonzero((marbles >= least) & (np.abs(targets) < 1)):
        targets[i] = solve(position_of(int(keys[i]), int(marbles[i])), moves=False).value
    return boards


def solved(counts: Sequence[int], count: int, seed: int) -> Boards:
    """Boards one turn after solved random boards, without an immediate win, with exact values."""
    keys: list[int] = []
    marbles: list[int] = []
    targets: list[float] = []
    for n in counts:
        for key in random_boards(n, max(count // len(counts), 1), seed):
            before = position_of(int(key), n)
            for move, value in solve(before).moves.items():
                after = before.play(move)
                p0, p1, p2, p3 = four(key_after := key_of(after))
                if not after.outcome and not can_win(p0, p1, p2, p3, 1, tables().rules):
                    keys.append(key_after)
                    marbles.append(n + 1)
                    targets.append(-value)
    return np.array(keys, np.int64), np.array(marbles, np.int8), np.array(targets, np.float32)


# ── accuracy ───────────────────────────────────────────────────────────────────────────────


def accuracy(learner: Learner, seconds: float = 30.0, solutions: int = 30) -> Iterator[str]:
    """Reports by number of marbles how often the evaluation predicts the winner."""
    yield "Boards of games, by their result with a search two turns deep:"
    stage = Stage(1, depth=2, broad=40, starts=17, last=36, weight=1.0, stray=0, rate=0)
    with Games(stage, learner.net(), seed=99_991) as games:
        time.sleep(seconds)
    keys, marbles, targets = games.found
    for n in COUNTS_OF_GAMES:
        yield _accuracy_line(learner, keys[marbles == n], n, targets[marbles == n])
    yield "Random boards, by their exact values:"
    for n in COUNTS_SOLVED:
        keys, marbles, targets = solved((n,), solutions, seed=99_991)
        yield _accuracy_line(learner, keys, n + 1, targets)


def _accuracy_line(learner: Learner, keys: NDArray[np.int64], marbles: int, targets: Floats) -> str:
    predictions = learner.predict(keys, np.full(len(keys), marbles, np.int8))
    decided = np.abs(targets) > 0.5
    right = (np.sign(predictions) == np.sign(targets))[decided]
    share = f"{right.mean():.1%} of {decided.sum()}" if len(right) else "none"
    return f"{marbles:3} marbles: {share} wins predicted; correlation {_correlation(predictions, targets):.3f}"


def _correlation(a: Floats, b: Floats) -> float:
    return float(np.corrcoef(a, b)[0, 1]) if len(a) > 2 and a.std() > 0 and b.std() > 0 else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, required=True, help="folder for the state of the training run")
    parser.add_argument("--start", choices=("package", "random"), default="package", help="the weights to begin with")
    parser.add_argument("--round", type=float, default=60.0, help="seconds of a round (default: 60)")
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        help="factor for all times (default: 1, about five hours, or one from the package's weights)",
    )
    parser.add_argument("--only-report", action="store_true", help="report the accuracy without training")
    args = parser.parse_args()
    run = TrainingRun(args.folder, args.round, args.scale, args.start)
    if not args.only_report:
        for line in run.go():
            print(line, flush=True)
        write(run.learner.whole(), run.learner.values["layer"], run.learner.heads())
        for file in state.files_of():
            print(f"{file}: {file.stat().st_size} bytes")
    for line in accuracy(run.learner):
        print(line, flush=True)


if __name__ == "__main__":
    main()
