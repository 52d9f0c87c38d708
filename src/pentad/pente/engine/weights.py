"""Weights of the evaluation, trained by `learn`: one file for rule sets with captures, one for those without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentad.pente.engine import search_kernels as k
from pentad.pente.engine.shape_kernels import Codes, Words, fill
from pentad.pente.rulesets import RULE_SETS, RuleSet
from pentad.user_files import replacing

LONGEST_IN_CODES = 5  # stones; longer lines are counted on the board


@dataclass(frozen=True, eq=False)
class Tables:
    """The reach of the codes and their meanings: as `entries`, and as the terms that they add to a point's sum."""

    reach: int
    entries: Codes
    sums: Words


def reach_of(rules: RuleSet) -> int:
    """The reach of the codes; one point more where overlines do not count, to see the end of a line."""
    return LONGEST_IN_CODES if rules.line == LONGEST_IN_CODES and not rules.overline else LONGEST_IN_CODES - 1


def switches(rules: RuleSet) -> tuple[int, int, bool, int]:
    """The properties of a rule set that its tables depend on."""
    return reach_of(rules), rules.line, rules.overline, rules.captures


def tables(rules: RuleSet) -> Tables:
    """The tables for a rule set."""
    return _tables(*switches(rules))


@lru_cache(maxsize=8)
def _tables(reach: int, line: int, overline: bool, captures: int) -> Tables:
    codes = 1 << 4 * reach
    entries, sums = np.zeros(codes, np.int32), np.zeros(codes, np.int64)
    fill(entries, sums, reach, line, int(overline), captures)
    return Tables(reach, entries, sums)


FOLDER = Path(__file__).parent
LEARNED_FROM = {True: "pente", False: "freestyle"}  # by whether the rule set has captures
NAMES = 256  # combinations of the shapes that stones of both colours would make
_MADE = np.array([0, 1, 3, 9, 10, 30, 32, 80, 120] + [0] * 7)  # the value of each shape, nothing first
BY_KIND = _MADE[np.arange(NAMES) & 15] - _MADE[np.arange(NAMES) >> 4]


@dataclass(frozen=True)
class Weights:
    """The values of codes around an empty point, to white, then of shapes; and all other weights."""

    values: Codes
    others: Codes

    def save(self, path: Path) -> None:
        used = np.flatnonzero(self.values).astype(np.int32)
        with replacing(path) as file:
            np.savez_compressed(file, used=used, worths=self.values[used], size=len(self.values), others=self.others)

    @classmethod
    def load(cls, path: Path) -> Weights:
        with np.load(path) as file:
            values = np.zeros(int(file["size"]), np.int32)
            values[file["used"]] = file["worths"]
            return cls(values, file["others"])


def file_of(name: str) -> Path:
    """The file of the weights trained on a rule set."""
    return FOLDER / f"{name}.npz"


def write(name: str, weights: Weights) -> None:
    """Saves weights as those of the package."""
    weights.save(file_of(name))


def by_hand(table: Tables) -> Weights:
    """Weights set by hand, from which training begins."""
    return Weights(np.append(BY_KIND[table.entries & (NAMES - 1)], BY_KIND).astype(np.int32), k.HAND_SET_WEIGHTS)


@lru_cache(maxsize=8)
def default_weights(rules: RuleSet) -> Weights:
    """The trained weights for the codes of a rule set: those of its own lines, or else those of shapes."""
    learned = Weights.load(file_of(LEARNED_FROM[bool(rules.captures)]))
    if switches(rules) in (switches(RULE_SETS[name]) for name in LEARNED_FROM.values()):
        return learned
    table = tables(rules)
    by_kind = learned.values[-NAMES:]
    values = by_kind[table.entries & (NAMES - 1)]
    if rules.line == LONGEST_IN_CODES:
        plain = tables(RULE_SETS["pente"])
        nearer = _nearer(np.arange(len(table.entries)), table.reach, plain.reach)
        same = (table.entries & (NAMES - 1)) == (plain.entries[nearer] & (NAMES - 1))
        values = np.where(same, learned.values[nearer], values)
    return Weights(np.append(values, by_kind).astype(np.int32), learned.others)


def _nearer(codes: NDArray[np.int64], reach: int, nearer: int) -> NDArray[np.int64]:
    """Codes truncated to a shorter reach."""
    side = (1 << nearer) - 1
    found = np.zeros_like(codes)
    for number in range(4):
        found |= (codes >> number * reach & side) << number * nearer
    return found
