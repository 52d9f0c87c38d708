"""Making the evaluation's weights: `python -m pentad.pentago.engine.learn --folder DIR`.

The search plays games against itself from boards of a few random marbles to the end, one or more turns ahead; every
board on the way gets as a target what came of it, mixed with what the search said there; boards that the solver can
solve get their exact values. The evaluation learns from all of them while the next games are played, so what is known
at the end of the game is handed back to its beginning. Everything is kept in the folder after each round; run again,
it goes on. At the end it writes the package's file and says how often the evaluation is right.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import prepare
from pentad.pentago.engine import learn_kernels as k
from pentad.pentago.engine import search_kernels, weights
from pentad.pentago.engine.kernels import RULES, can_win
from pentad.pentago.engine.net_kernels import Floats, Net
from pentad.pentago.engine.optimizer import BATCH, Learner
from pentad.pentago.engine.state import four, key_of, position_of
from pentad.pentago.solver import solve
from pentad.user_files import replacing

Boards = tuple[NDArray[np.int64], NDArray[np.int8], Floats]  # keys, marbles, targets

KERNELS = "pentad.pentago.engine.learn_kernels"
MEMORY = 6_000_000  # boards that are learned from, the latest ones
ROOM = 1_000_000  # boards of a round, at most
REUSE = 10.0  # times that a board is looked at, on average
CHUNK = 20  # steps between two looks at the clock
SLOTS = 1 << 18
COUNTS_OF_GAMES = (2, 4, 6, 8, 10, 12, 14, 16)
COUNTS_SOLVED = (18, 20, 22, 24, 26)


@dataclass(frozen=True, slots=True)
class Stage:
    """Some rounds of games: how far the search looks and at how many turns, and how many marbles lie there.

    `weight` is that of what came out, beside what the search said; `stray` how often in 1000 a turn is by chance.
    """

    minutes: float
    depth: int
    broad: int
    starts: int  # marbles at the start, fewer than these
    last: int  # marbles at which the search is believed
    weight: float
    stray: int
    rate: float
    solved: int = 60  # boards that the solver solves in each round


STAGES = (
    Stage(8, depth=1, broad=288, starts=22, last=36, weight=0.93, stray=30, rate=2e-3),
    Stage(20, depth=2, broad=40, starts=14, last=36, weight=0.93, stray=15, rate=1e-3),
    Stage(60, depth=2, broad=40, starts=10, last=20, weight=0.8, stray=12, rate=1e-3),
    Stage(60, depth=2, broad=40, starts=10, last=20, weight=0.8, stray=12, rate=5e-4),
    Stage(60, depth=3, broad=24, starts=10, last=20, weight=0.75, stray=12, rate=3e-4),
    Stage(20, depth=3, broad=24, starts=10, last=20, weight=0.75, stray=12, rate=1e-4),
)


def first(boards: Boards, count: int) -> Boards:
    """So many of the boards."""
    return boards[0][:count], boards[1][:count], boards[2][:count]


class Store:
    """The boards that are learned from."""

    def __init__(self) -> None:
        self.boards: Boards = (np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0, np.float32))
        self.added = 0

    def add(self, boards: Boards) -> None:
        """Add boards, and forget the oldest where they are too many."""
        keys, marbles, targets = (
            np.concatenate([old, new])[-MEMORY:] for old, new in zip(self.boards, boards, strict=True)
        )
        self.boards = (keys, marbles, targets)
        self.added += len(boards[0])

    def __len__(self) -> int:
        return len(self.boards[0])

    def keep(self, path: Path) -> None:
        with replacing(path) as kept:
            np.savez(kept, keys=self.boards[0], marbles=self.boards[1], targets=self.boards[2], added=self.added)

    def fetch(self, path: Path) -> None:
        with np.load(path) as kept:
            self.boards = (kept["keys"], kept["marbles"], kept["targets"])
            self.added = int(kept["added"])


class Games:
    """Games that are played in a thread of their own until they are enough."""

    def __init__(self, stage: Stage, net: Net, seed: int) -> None:
        self.stage, self.net = stage, net
        self.boards: Boards = (np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int8), np.zeros(ROOM, np.float32))
        self.filled = 0
        self.seed = np.array([seed * 1_000_003 + 12_345], np.int64)
        self.room = search_kernels.room()
        self.room[2][search_kernels.BROAD] = stage.broad
        self._thread = threading.Thread(target=self._play, daemon=True)

    def _play(self) -> None:
        boards, lists, told, parts, deep = self.room
        memory = np.full((SLOTS, search_kernels.MEMORY), -1, np.int64)
        stage = self.stage
        self.filled = k.play_many(
            stage.starts, stage.last, stage.depth, stage.stray, stage.weight, self.seed, boards, lists, memory, told,
            RULES, self.net, parts, deep, *self.boards,
        )  # fmt: skip

    def __enter__(self) -> Games:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.room[2][search_kernels.STOP] = 1
        self._thread.join()

    @property
    def found(self) -> Boards:
        return first(self.boards, self.filled)


class School:
    """The learning as a whole, kept in a folder."""

    def __init__(self, folder: Path, round_seconds: float, scale: float = 1.0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.learner, self.store = Learner(), Store()
        self.folder, self.round_seconds, self.scale = folder, round_seconds, scale
        self.spent = 0.0  # seconds of learning so far
        self.rounds = 0
        if (folder / "learner.npz").exists():
            self.learner.fetch(folder / "learner.npz")
            self.store.fetch(folder / "boards.npz")
            self.spent, self.rounds = np.loadtxt(folder / "spent.txt").tolist()

    def go(self) -> Iterator[str]:
        """Play and learn through the stages, telling of each round."""
        until = 0.0
        for stage in STAGES:
            until += stage.minutes * 60 * self.scale
            while self.spent < until:
                yield self._round(stage)

    def _round(self, stage: Stage) -> str:
        began, losses, steps = time.monotonic(), [], 0
        with Games(stage, self.learner.net(), int(self.rounds) + 1) as games:
            while (spent := time.monotonic() - began) < self.round_seconds:
                looked_at = (self.learner.step + CHUNK) * BATCH
                if looked_at > REUSE * self.store.added:
                    time.sleep(min(1.0, self.round_seconds - spent))
                    continue
                losses += self.learner.learn(*self.store.boards, CHUNK, stage.rate, stage.rate)
                steps += CHUNK
        fresh = self.learner.loss(*first(games.found, 20_000)) if games.filled else 0.0
        self.store.add(games.found)
        if stage.solved:
            self.store.add(solved(COUNTS_SOLVED[1:4], stage.solved, int(self.rounds) + 1))
        self.spent += time.monotonic() - began
        self.rounds += 1
        self._keep()
        known = f", loss {np.mean(losses[-CHUNK:]):.4f}" if losses else ""
        return (
            f"round {self.rounds:.0f}, {self.spent / 60:.1f} minutes: depth {stage.depth}, {games.filled} boards more,"
            f" {steps} steps{known}, {fresh:.4f} on games not yet seen"
        )

    def _keep(self) -> None:
        self.store.keep(self.folder / "boards.npz")
        self.learner.keep(self.folder / "learner.npz")
        np.savetxt(self.folder / "spent.txt", [self.spent, self.rounds])


def wandered(marbles: int, count: int, seed: int) -> NDArray[np.int64]:
    """Boards by random play on which nobody can win at once."""
    boards, lists, *_ = search_kernels.room()
    state = np.array([seed * 1_000_003 + marbles], np.int64)
    keys = [k.wander(marbles, state, RULES, lists, boards) for _ in range(3 * count)]
    return np.array([key for key in keys if key >= 0][:count], np.int64)


def solved(counts: Sequence[int], count: int, seed: int) -> Boards:
    """Boards one turn after random ones, on which nobody can win at once, with exact values; of so many solutions."""
    keys: list[int] = []
    marbles: list[int] = []
    targets: list[float] = []
    for n in counts:
        for key in wandered(n, max(count // len(counts), 1), seed):
            before = position_of(int(key), n)
            for move, value in solve(before).moves.items():
                after = before.play(move)
                p0, p1, p2, p3 = four(key_after := key_of(after))
                if not after.outcome and not can_win(p0, p1, p2, p3, 1, RULES):
                    keys.append(key_after)
                    marbles.append(n + 1)
                    targets.append(-value)
    return np.array(keys, np.int64), np.array(marbles, np.int8), np.array(targets, np.float32)


# ── how good it is ───────────────────────────────────────────────────────────────────────────────


def accuracy(learner: Learner, seconds: float = 30.0, solutions: int = 30) -> Iterator[str]:
    """By number of marbles: how often the evaluation alone says who wins where somebody does."""
    yield "boards of games, by what came of them with a search two turns ahead:"
    stage = Stage(1, depth=2, broad=40, starts=17, last=36, weight=1.0, stray=0, rate=0)
    with Games(stage, learner.net(), seed=99_991) as games:
        time.sleep(seconds)
    keys, marbles, targets = games.found
    for n in COUNTS_OF_GAMES:
        yield _told(learner, keys[marbles == n], n, targets[marbles == n])
    yield "random boards, by their exact values:"
    for n in COUNTS_SOLVED:
        keys, marbles, targets = solved((n,), solutions, seed=99_991)
        yield _told(learner, keys, n + 1, targets)


def _told(learner: Learner, keys: NDArray[np.int64], marbles: int, targets: Floats) -> str:
    guess = learner.guess(keys, np.full(len(keys), marbles, np.int8))
    decided = np.abs(targets) > 0.5
    right = (np.sign(guess) == np.sign(targets))[decided]
    share = f"{right.mean():.1%} of {decided.sum()}" if len(right) else "none"
    return f"{marbles:3} marbles: {share} that somebody wins; correlation {_correlation(guess, targets):.3f}"


def _correlation(a: Floats, b: Floats) -> float:
    return float(np.corrcoef(a, b)[0, 1]) if len(a) > 2 and a.std() > 0 and b.std() > 0 else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, required=True, help="where everything is kept, and gone on from")
    parser.add_argument("--round", type=float, default=60.0, help="seconds of a round (default: 60)")
    parser.add_argument("--scale", type=float, default=1.0, help="of the times of all stages (default: 1, four hours)")
    parser.add_argument("--only-tell", action="store_true", help="learn nothing; say how good it is")
    args = parser.parse_args()
    prepare(KERNELS)
    school = School(args.folder, args.round, args.scale)
    if not args.only_tell:
        for line in school.go():
            print(line, flush=True)
        weights.write(school.learner.whole(), school.learner.values["layer"], school.learner.heads())
        print(f"{weights.FILE}: {weights.FILE.stat().st_size} bytes")
    for line in accuracy(school.learner):
        print(line, flush=True)


if __name__ == "__main__":
    main()
