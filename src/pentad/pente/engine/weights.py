"""The evaluation's weights, made by `learn`: one file for rule sets with captures, one for those without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentad.pente.engine import search_kernels as k
from pentad.pente.engine.shape_kernels import Codes
from pentad.pente.engine.tables import LONGEST_IN_CODES, Tables, switches, tables
from pentad.pente.rulesets import RULE_SETS, RuleSet
from pentad.user_files import replacing

FOLDER = Path(__file__).parent
LEARNED_FROM = {True: "pente", False: "freestyle"}  # by whether stones are taken
NAMES = 256  # of what stones of both colours would make
_MADE = np.array([0, 1, 3, 9, 10, 30, 32, 80, 120] + [0] * 7)  # of what a stone would make, nothing first
BY_KIND = _MADE[np.arange(NAMES) & 15] - _MADE[np.arange(NAMES) >> 4]


@dataclass(frozen=True)
class Weights:
    """What codes are worth on an empty point, to white, then the same by what stones make; and all other weights."""

    worths: Codes
    others: Codes

    def keep(self, path: Path) -> None:
        used = np.flatnonzero(self.worths).astype(np.int32)
        with replacing(path) as kept:
            np.savez_compressed(kept, used=used, worths=self.worths[used], size=len(self.worths), others=self.others)

    @classmethod
    def fetch(cls, path: Path) -> Weights:
        with np.load(path) as kept:
            worths = np.zeros(int(kept["size"]), np.int32)
            worths[kept["used"]] = kept["worths"]
            return cls(worths, kept["others"])


def file_of(name: str) -> Path:
    """Where the weights learned from a rule set are kept."""
    return FOLDER / f"{name}.npz"


def write(name: str, weights: Weights) -> None:
    """Make weights those of the package."""
    weights.keep(file_of(name))


def by_hand(table: Tables) -> Weights:
    """Weights as a person would set them, from which learning begins."""
    return Weights(np.append(BY_KIND[table.entries & (NAMES - 1)], BY_KIND).astype(np.int32), k.USUAL_WEIGHTS)


@lru_cache(maxsize=8)
def usual_weights(rules: RuleSet) -> Weights:
    """The learned weights, for the codes of a rule set: those of its own lines, or else by what stones make there."""
    learned = Weights.fetch(file_of(LEARNED_FROM[bool(rules.captures)]))
    if switches(rules) in (switches(RULE_SETS[name]) for name in LEARNED_FROM.values()):
        return learned
    table = tables(rules)
    by_kind = learned.worths[-NAMES:]
    worths = by_kind[table.entries & (NAMES - 1)]
    if rules.line == LONGEST_IN_CODES:
        plain = tables(RULE_SETS["pente"])
        nearer = _nearer(np.arange(len(table.entries)), table.reach, plain.reach)
        same = (table.entries & (NAMES - 1)) == (plain.entries[nearer] & (NAMES - 1))
        worths = np.where(same, learned.worths[nearer], worths)
    return Weights(np.append(worths, by_kind).astype(np.int32), learned.others)


def _nearer(codes: NDArray[np.int64], reach: int, nearer: int) -> NDArray[np.int64]:
    """Codes as they are for a shorter reach."""
    side = (1 << nearer) - 1
    found = np.zeros_like(codes)
    for number in range(4):
        found |= (codes >> number * reach & side) << number * nearer
    return found
