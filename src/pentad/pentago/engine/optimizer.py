"""The numbers that are learned, and steps that make them better."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentad.pentago.engine import learn_kernels as k
from pentad.pentago.engine import tables
from pentad.pentago.engine.net_kernels import BUCKETS, DEEP, HEAD, WIDTH, Floats, Net, net_of
from pentad.pentago.engine.state import patterns_of
from pentad.user_files import replacing

BATCH = 8192
FADE = 0.02  # of what is a pattern's own, so that its parts say what they can
RATES = {"own": 0.5, "shared": 1.0, "layer": 1.0, "head": 1.0, "heads": 0.3}  # of the rate of learning


class Learner:
    """An evaluation in the making."""

    def __init__(self, seed: int = 1) -> None:
        chance = np.random.default_rng(seed)
        self.values: dict[str, Floats] = {
            "own": np.zeros((4, tables.PATTERNS, WIDTH), np.float32),
            "shared": chance.normal(0, 0.05, (4, k.FEATURE_ROWS, WIDTH)).astype(np.float32),
            "layer": chance.normal(0, 0.3, (WIDTH, DEEP)).astype(np.float32),
            "head": np.zeros(HEAD, np.float32),
            "heads": np.zeros((BUCKETS, HEAD), np.float32),
        }
        head = self.values["head"]
        head[DEEP : 2 * DEEP] = chance.normal(0, 0.3, DEEP)
        head[2 * DEEP + 1 :] = chance.normal(0, 0.3, WIDTH)
        self.mean = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.square = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.step = 0
        self.chance = chance

    def whole(self) -> Floats:
        """The tables, added up."""
        whole = np.empty((4, tables.PATTERNS, WIDTH), np.float32)
        k.add_up(self.values["own"], self.values["shared"], k.FEATURES, whole)
        return whole

    def heads(self) -> Floats:
        heads: Floats = self.values["heads"] + self.values["head"]
        return heads

    def net(self) -> Net:
        """The evaluation as it is now."""
        return net_of(self.whole(), self.values["layer"], self.heads())

    def learn(
        self, keys: NDArray[np.int64], marbles: NDArray[np.int8], targets: Floats, steps: int, rate: float, end: float
    ) -> list[float]:
        """So many steps over batches by chance, the rate going down to its `end`; the loss along the way."""
        patterns = patterns_of(keys).astype(np.int16)
        order, at, losses = self.chance.permutation(len(keys)), 0, []
        of = {name: np.zeros_like(value) for name, value in self.values.items()}
        of_whole = np.zeros_like(self.values["own"])
        for step in range(steps):
            if at + BATCH > len(order):
                order, at = self.chance.permutation(len(keys)), 0
            chosen, at = order[at : at + BATCH], at + BATCH
            whole = self.whole()
            loss = k.slopes(
                patterns, marbles, targets, chosen, whole, self.values["layer"], self.heads(), tables.CORNER,
                tables.WAY, of_whole, of["layer"], of["heads"],
            )  # fmt: skip
            k.hand_down(of_whole, k.FEATURES, of["shared"])
            of["head"][:] = of["heads"].sum(axis=0)
            of["own"], of_whole = of_whole, of["own"]
            losses.append(loss / len(chosen))
            self.step += 1
            now = rate * (end / rate) ** (step / steps)
            for name, value in self.values.items():
                of[name] *= np.float32(1 / len(chosen))
                k.descend(
                    value.ravel(), of[name].ravel(), self.mean[name].ravel(), self.square[name].ravel(),
                    now * RATES[name], FADE if name == "own" else 0.0, self.step,
                )  # fmt: skip
        return losses

    def guess(self, keys: NDArray[np.int64], marbles: NDArray[np.int8]) -> Floats:
        """What the evaluation says of boards: the share of the win less that of the loss."""
        whole, heads, patterns = self.whole(), self.heads(), patterns_of(keys)
        units = np.zeros((len(keys), WIDTH), np.float32)
        for g in range(tables.WAYS):
            view = sum(whole[tables.CORNER[g, q], tables.WAY[g, patterns[:, q]]] for q in range(4))
            units += np.maximum(view, 0) / tables.WAYS
        head = heads[marbles]
        deep = np.maximum(units @ self.values["layer"] + head[:, :DEEP], 0)
        worth = (deep * head[:, DEEP : 2 * DEEP]).sum(1) + head[:, 2 * DEEP] + (units * head[:, 2 * DEEP + 1 :]).sum(1)
        guess: Floats = np.tanh(worth / 2)
        return guess

    def loss(self, keys: NDArray[np.int64], marbles: NDArray[np.int8], targets: Floats) -> float:
        """The cross entropy of targets by what the evaluation says."""
        odds, share = (self.guess(keys, marbles) + 1) / 2, (targets + 1) / 2
        return float(-(share * np.log(odds + 1e-9) + (1 - share) * np.log(1 - odds + 1e-9)).mean())

    def keep(self, path: Path) -> None:
        """Write everything, so that learning can go on."""
        every = {
            f"{kind}-{name}": array
            for kind, arrays in (("values", self.values), ("mean", self.mean), ("square", self.square))
            for name, array in arrays.items()
        }
        with replacing(path) as kept:
            np.savez(kept, step=self.step, **every)  # type: ignore[arg-type]

    def fetch(self, path: Path) -> None:
        """Go on from what was kept."""
        with np.load(path) as kept:
            self.step = int(kept["step"])
            for kind, arrays in (("values", self.values), ("mean", self.mean), ("square", self.square)):
                for name in arrays:
                    arrays[name] = np.ascontiguousarray(kept[f"{kind}-{name}"])
