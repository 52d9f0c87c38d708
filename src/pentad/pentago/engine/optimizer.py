"""Parameters of the evaluation, and their optimizer."""

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
WEIGHT_DECAY = 0.02  # weight decay of the patterns' own parts, in favour of the shared parts
RATES = {"own": 0.5, "shared": 1.0, "layer": 1.0, "head": 1.0, "heads": 0.3}  # factors of the learning rate


class Learner:
    """An evaluation in training."""

    def __init__(self, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.values: dict[str, Floats] = {
            "own": np.zeros((4, tables.PATTERNS, WIDTH), np.float32),
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
        whole = np.empty((4, tables.PATTERNS, WIDTH), np.float32)
        k.sum_features(self.values["own"], self.values["shared"], k.FEATURES, whole)
        return whole

    def heads(self) -> Floats:
        heads: Floats = self.values["heads"] + self.values["head"]
        return heads

    def net(self) -> Net:
        """The current net."""
        return net_of(self.whole(), self.values["layer"], self.heads())

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
                patterns, marbles, targets, chosen, whole, self.values["layer"], self.heads(), tables.CORNER,
                tables.IMAGES, of_whole, of["layer"], of["heads"],
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
        for g in range(tables.SYMMETRIES):
            view = sum(whole[tables.CORNER[g, q], tables.IMAGES[g, patterns[:, q]]] for q in range(4))
            units += np.maximum(view, 0) / tables.SYMMETRIES
        head = heads[marbles]
        deep = np.maximum(units @ self.values["layer"] + head[:, :DEEP], 0)
        logit = (deep * head[:, DEEP : 2 * DEEP]).sum(1) + head[:, 2 * DEEP] + (units * head[:, 2 * DEEP + 1 :]).sum(1)
        predictions: Floats = np.tanh(logit / 2)
        return predictions

    def loss(self, keys: NDArray[np.int64], marbles: NDArray[np.int8], targets: Floats) -> float:
        """The cross entropy of targets and predictions."""
        odds, share = (self.predict(keys, marbles) + 1) / 2, (targets + 1) / 2
        return float(-(share * np.log(odds + 1e-9) + (1 - share) * np.log(1 - odds + 1e-9)).mean())

    def save(self, path: Path) -> None:
        """Saves the state of training."""
        arrays_by_name = {
            f"{kind}-{name}": array
            for kind, arrays in (("values", self.values), ("mean", self.mean), ("square", self.square))
            for name, array in arrays.items()
        }
        with replacing(path) as file:
            np.savez(file, step=self.step, **arrays_by_name)  # type: ignore[arg-type]

    def load(self, path: Path) -> None:
        """Loads a saved state."""
        with np.load(path) as file:
            self.step = int(file["step"])
            for kind, arrays in (("values", self.values), ("mean", self.mean), ("square", self.square)):
                for name in arrays:
                    arrays[name] = np.ascontiguousarray(file[f"{kind}-{name}"])
