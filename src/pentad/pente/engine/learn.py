"""Training of the evaluation's weights: `python -m pentad.pente.engine.learn --folder DIR --rules pente`.

The engine plays games against itself from a few random stones, with a shallow search, and records each quiet position
with the search's score and the game's result. The weights are then fitted to both: the value of each code around an
empty point, first by the shapes that stones there would make and then for each code that is frequent enough; the values
of captured stones, threats and points that capture; the value of the right to move. All files are in the folder, and a
second run continues: each round plays its games with the weights of the round before.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pentad.game import GameError, Move
from pentad.jit.buffers import Buffer, array, zeros
from pentad.jit.program import Program, program
from pentad.pente.board import points_of
from pentad.pente.engine import constants as k
from pentad.pente.engine.search import Engine, TranspositionTable
from pentad.pente.engine.state import LEARNED_FROM, Tables, Weights, file_of, kernels, state_of, tables, values_from
from pentad.pente.rules import GAME, PentePosition
from pentad.user_files import replacing

Floats = NDArray[np.float64]
SCALE = 300.0  # points of score for odds of e to 1
MOST_CODES = 4 * 625
LONGEST_GAME = 220  # moves
SHARE_OF_RESULT = 0.5  # of a target; the rest is the search's score
AT_ONCE = 10  # games of one task of a worker
OTHERS = k.WEIGHTS  # parameters besides those of codes
FILE_KEYS = ("codes", "ends", "signs", "others", "said", "came")  # names of the fields of `Samples` in a file


@dataclass
class Samples:
    """Quiet positions: their codes, the other features, and the search's score and the result for the mover."""

    codes: NDArray[np.uint32]
    ends: NDArray[np.int64]  # where each position's codes end
    signs: Floats  # 1 where white is on the move, else -1
    others: NDArray[np.float32]
    search_scores: Floats
    results: Floats

    @classmethod
    def none(cls) -> Samples:
        empty = np.zeros(0)
        return cls(
            np.zeros(0, np.uint32), np.zeros(0, np.int64), empty, np.zeros((0, OTHERS), np.float32), empty, empty
        )

    def __len__(self) -> int:
        return len(self.ends)

    @classmethod
    def concatenate(cls, parts: list[Samples]) -> Samples:
        shifts = np.cumsum([0, *(len(part.codes) for part in parts)])
        return cls(
            np.concatenate([part.codes for part in parts]),
            np.concatenate([part.ends + shift for part, shift in zip(parts, shifts, strict=False)]),
            *(np.concatenate([getattr(part, name) for part in parts]) for name in BY_POSITION),
        )

    def save(self, path: Path) -> None:
        with replacing(path) as file:
            np.savez_compressed(file, **dict(zip(FILE_KEYS, vars(self).values(), strict=True)))

    @classmethod
    def load(cls, path: Path) -> Samples:
        with np.load(path) as file:
            return cls(*(file[key] for key in FILE_KEYS))


BY_POSITION = ("signs", "others", "search_scores", "results")  # the fields with one row for each position


# ── files of weights ─────────────────────────────────────────────────────────────────────────────

_MADE = (0, 1, 3, 9, 10, 30, 32, 80, 120, *(0,) * 7)  # the value of each shape, nothing first


def by_hand(table: Tables) -> Weights:
    """Weights set by hand, from which training begins."""
    by_shape = array([_MADE[name & 15] - _MADE[name >> 4] for name in range(k.NAMES)], "int32")
    return Weights(values_from(by_shape, table), array(k.HAND_SET_WEIGHTS, "int32"))


def save(path: Path, weights: Weights) -> None:
    """Writes weights to a file, without the many codes that are worth nothing."""
    values = np.asarray(weights.values)
    used = np.flatnonzero(values).astype(np.int32)
    with replacing(path) as file:
        np.savez_compressed(file, used=used, worths=values[used], size=len(values), others=np.asarray(weights.others))


def write(name: str, weights: Weights) -> None:
    """Saves weights as those of the package."""
    save(file_of(name), weights)


# ── games ────────────────────────────────────────────────────────────────────────────────────────


def opening(chance: random.Random, rules: str) -> PentePosition:
    """A position after a few random moves near the middle."""
    position = cast(PentePosition, GAME.new(rules=rules))
    for _ in range(chance.choice((2, 3, 4, 4, 5, 6))):
        board = position.board
        points = [p for p in points_of(position.points) if board.distance_to_centre(p) <= 9]
        near = [p for p in points if _near_stone(position, p)] or points
        position = position.play(Move((board.stones[chance.choice(near)],)))
    return position


def _near_stone(position: PentePosition, point: int) -> bool:
    size = position.board.size
    row, column = divmod(point, size)
    occupied = position.board.all_points & ~position.empty
    return any(abs(row - p // size) <= 2 and abs(column - p % size) <= 2 for p in points_of(occupied))


def others_of(numbers: Buffer) -> NDArray[np.float32]:
    """The features other than codes, in the order of the search's weights."""
    row = np.zeros(OTHERS, np.float32)
    me = int(numbers[k.MOVER])
    row[k.TEMPO] = 1
    if goal := int(numbers[k.CAPTURE_WIN]):
        for colour, sign in ((me, 1), (1 - me, -1)):
            taken = int(numbers[k.STONES_TAKEN + colour])
            row[k.RACE + min(k.RACE_STEPS - 1, taken * (k.RACE_STEPS - 1) // goal)] += sign
    row[k.MY_KINDS + kernels()("strongest", numbers, me)] = 1
    row[k.THEIR_KINDS + kernels()("strongest", numbers, 1 - me)] = 1
    counts = k.COUNTS + k.TAKING
    row[k.MY_TAKES] = numbers[counts + me * k.KINDS]
    row[k.THEIR_TAKES] = numbers[counts + (1 - me) * k.KINDS]
    return row


def game(rules: str, seed: int, depth: int, weights: Weights) -> Samples:
    """The quiet positions of one game of self-play."""
    chance = random.Random(seed)
    position = opening(chance, rules)
    table = TranspositionTable(1 << 16)
    found: list[tuple[list[int], int, NDArray[np.float32], float]] = []
    buffer = zeros(MOST_CODES, "int32")
    while not position.outcome and position.ply < LONGEST_GAME:
        engine = Engine(position, table=table, weights=weights, effort=10)
        engine.deepen(depth, lines=2 if position.ply < 12 else 1)
        roots = engine.roots
        move = roots[0].move
        if position.ply < 12 and len(roots) > 1 and roots[0].score - roots[1].score < 40 and chance.random() < 0.3:
            move = roots[1].move
        state = state_of(position, weights.values)
        if not engine.wins_in and not kernels()("threatens", *state.position, 1 - position.colour):
            count = training_kernels()("codes_seen", *state.position, state.tables.entries, buffer)
            score = max(-k.LIMIT, min(k.LIMIT, roots[0].score))
            odds = 1 / (1 + np.exp(-score / SCALE))
            found.append((list(buffer[:count]), position.colour, others_of(state.numbers), odds))
        position = position.play(move)
    winners = position.outcome.winners if position.outcome else ()
    drawn, winner = not winners, 1 - position.colour if position.turn not in winners else position.colour
    if not found:
        return Samples.none()
    colours = np.array([colour for _, colour, _, _ in found])
    return Samples(
        np.array([code for codes, *_ in found for code in codes], np.uint32),
        np.cumsum([len(codes) for codes, *_ in found]),
        1.0 - 2.0 * colours,
        np.stack([others for *_, others, _ in found]),
        np.array([search_scores for *_, search_scores in found]),
        np.full(len(found), 0.5) if drawn else (colours == winner).astype(float),
    )


def games(rules: str, seeds: range, depth: int, weights: Weights) -> Samples:
    """The quiet positions of several games."""
    return Samples.concatenate([game(rules, seed, depth, weights) for seed in seeds])


# ── fitting ──────────────────────────────────────────────────────────────────────────────────────


def training_kernels() -> Program:
    return program("pentad.pente.engine.learn_kernels")


def call_training(name: str, *arrays: NDArray[Any]) -> None:
    """Calls a kernel of the training with numpy's arrays."""
    training_kernels()(name, *(memoryview(each) for each in arrays))  # type: ignore[arg-type]


@dataclass
class Model:
    """The parameters to fit: one for each group of codes, and the others."""

    group: NDArray[np.int64]  # of each code
    sign: Floats  # of each code: -1 if its group has it with the colours exchanged
    values: Floats
    others: Floats

    def guess(self, samples: Samples) -> Floats:
        """The predicted score of each position for the mover, in units of the logistic function."""
        own = np.zeros(len(samples))
        call_training("sums_of", self.values[self.group] * self.sign, samples.codes, samples.ends, own)
        return np.asarray(samples.signs * own + samples.others @ self.others)

    def loss(self, samples: Samples, targets: Floats) -> float:
        guess = np.clip(1 / (1 + np.exp(-self.guess(samples))), 1e-6, 1 - 1e-6)
        return float(-(targets * np.log(guess) + (1 - targets) * np.log(1 - guess)).mean())


def targets_of(samples: Samples) -> Floats:
    return SHARE_OF_RESULT * samples.results + (1 - SHARE_OF_RESULT) * samples.search_scores


def group_by_kind(table: Tables) -> tuple[NDArray[np.int64], Floats]:
    """Groups of codes by the shapes that stones of both colours would make; exchanging the colours inverts the sign."""
    name = np.asarray(table.entries).astype(np.int64) & 255
    mine, theirs = name & 15, name >> 4
    low, high = np.minimum(mine, theirs), np.maximum(mine, theirs)
    return high * 16 + low, np.sign(mine - theirs).astype(float)


def group_by_code(table: Tables) -> tuple[NDArray[np.int64], Floats]:
    """Groups of one code, its mirror image, and both with the colours exchanged."""
    codes = np.arange(len(table.entries), dtype=np.int64)
    side = (1 << table.reach) - 1

    def mirrored(each: NDArray[np.int64]) -> NDArray[np.int64]:
        white, black = each & ((1 << 2 * table.reach) - 1), each >> 2 * table.reach
        turned = [(half & side) << table.reach | half >> table.reach for half in (white, black)]
        return turned[0] | turned[1] << 2 * table.reach

    exchanged = (codes & ((1 << 2 * table.reach) - 1)) << 2 * table.reach | codes >> 2 * table.reach
    own, other = np.minimum(codes, mirrored(codes)), np.minimum(exchanged, mirrored(exchanged))
    return np.minimum(own, other), np.sign(other - own).astype(float)


def fit(model: Model, samples: Samples, rounds: int, rate: float, towards: Floats | None, pull: float) -> None:
    """Fits the model by gradient descent (Adam); `pull` regularises the values towards `towards`."""
    targets = targets_of(samples)
    first = [np.zeros_like(model.values), np.zeros_like(model.others)]
    second = [np.zeros_like(model.values), np.zeros_like(model.others)]
    shares = np.zeros(len(model.group))
    for step in range(1, rounds + 1):
        wrong = 1 / (1 + np.exp(-model.guess(samples))) - targets
        call_training("shares_of", wrong * samples.signs, samples.codes, samples.ends, shares)
        change = np.bincount(model.group, shares * model.sign, len(model.values)) / len(samples)
        if towards is not None:
            change += pull * (model.values - towards)
        for number, (values, gradient) in enumerate(
            ((model.values, change), (model.others, samples.others.T @ wrong / len(samples)))
        ):
            first[number] = 0.9 * first[number] + 0.1 * gradient
            second[number] = 0.99 * second[number] + 0.01 * gradient**2
            speed = rate * min(1.0, 3 * (1 - step / (rounds + 1)))
            values -= speed * (first[number] / (1 - 0.9**step)) / (np.sqrt(second[number] / (1 - 0.99**step)) + 1e-9)


def fit_weights(samples: Samples, table: Tables, start: Weights) -> Iterator[str | Weights]:
    """Fits all weights to the samples; yields messages about the loss, and last the weights."""
    held = len(samples) // 10
    train, test = split(samples, held, len(samples)), split(samples, 0, held)
    goal = targets_of(test)
    group, sign = group_by_kind(table)
    model = Model(group, sign, np.zeros(256), np.asarray(start.others) / SCALE)
    yield f"{len(samples)} positions; loss without codes {model.loss(test, goal):.4f}"
    fit(model, train, 400, 0.01, None, 0.0)
    yield f"loss by shapes {model.loss(test, goal):.4f}"
    towards = model.values[group] * sign
    group, sign = group_by_code(table)
    whole = Model(group, sign, np.zeros(len(table.entries)), model.others.copy())
    np.put(whole.values, group, towards * sign)
    before = whole.values.copy()
    fit(whole, train, 60, 0.003, before, 1e-2)
    yield f"loss by codes {whole.loss(test, goal):.4f}"
    if whole.loss(test, goal) > model.loss(test, goal):  # too few samples of each code
        whole = Model(group, sign, before, model.others)
    named = np.zeros(256)
    np.put(named, np.asarray(table.entries) & 255, towards)
    values, others = np.append(whole.values[group] * sign, named), whole.others
    yield Weights(*(array([round(worth) for worth in each * SCALE], "int32") for each in (values, others)))


def split(samples: Samples, first: int, last: int) -> Samples:
    """A range of the positions."""
    start = int(samples.ends[first - 1]) if first else 0
    end = int(samples.ends[last - 1]) if last else 0
    return Samples(
        samples.codes[start:end],
        samples.ends[first:last] - start,
        *(getattr(samples, name)[first:last] for name in BY_POSITION),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, required=True, help="the folder of all files; a second run continues")
    parser.add_argument("--rules", choices=sorted(LEARNED_FROM.values()), default="pente", help="the rule set to play")
    parser.add_argument("--rounds", type=int, default=6, help="rounds of games and fitting (default: 6)")
    parser.add_argument("--games", type=int, default=2000, help="games in a round (default: 2000)")
    parser.add_argument("--depth", type=int, default=4, help="depth of the search in plies (default: 4)")
    parser.add_argument("--workers", type=int, default=2, help="worker processes (default: 2)")
    parser.add_argument("--recent", type=int, default=3, help="rounds whose games are fitted to (default: 3)")
    args = parser.parse_args()
    start = GAME.new(rules=args.rules)
    if not isinstance(start, PentePosition):
        raise GameError("Only Pente's weights can be trained here.")
    table = tables(start.rules)
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(max(1, args.rounds)):
        kept = args.folder / f"games-{number}.npz"
        newest = args.folder / f"weights-{number}.npz"
        if newest.exists():
            continue
        before = args.folder / f"weights-{number - 1}.npz"
        weights = Weights.load(before) if number else by_hand(table)
        began = time.monotonic()
        if not kept.exists():
            every = range(number * 10**6, number * 10**6 + max(1, args.games))
            seeds = [every[first : first + AT_ONCE] for first in range(0, len(every), AT_ONCE)]
            with ProcessPoolExecutor(args.workers) as workers:
                found = workers.map(
                    games, [args.rules] * len(seeds), seeds, [args.depth] * len(seeds), [weights] * len(seeds)
                )
                Samples.concatenate(list(found)).save(kept)
        files = [args.folder / f"games-{each}.npz" for each in range(max(0, number - args.recent + 1), number + 1)]
        samples = Samples.concatenate([Samples.load(file) for file in files])
        for output in fit_weights(samples, table, weights):
            if isinstance(output, Weights):
                save(newest, output)
            else:
                print(f"round {number}, {time.monotonic() - began:.0f} s: {output}", flush=True)
    write(args.rules, Weights.load(args.folder / f"weights-{max(1, args.rounds) - 1}.npz"))


if __name__ == "__main__":
    main()
