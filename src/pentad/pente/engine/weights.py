"""Weights of the evaluation, trained by `learn`: one file for rule sets with captures, one for those without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pentad.jit.buffers import Buffer, array, copy, zeros
from pentad.jit.npz import read_npz
from pentad.jit.program import Program, program
from pentad.pente.engine import KERNELS
from pentad.pente.engine.constants import NAMES
from pentad.pente.rulesets import RULE_SETS, RuleSet

LONGEST_IN_CODES = 5  # stones; longer lines are counted on the board


def kernels() -> Program:
    """The kernels of the engine."""
    return program(KERNELS)


@dataclass(frozen=True, eq=False)
class Tables:
    """The reach of the codes and their meanings: as `entries`, and as the terms that they add to a point's sum."""

    reach: int
    entries: Buffer
    sums: Buffer


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
    table = Tables(reach, zeros(codes, "int32"), zeros(codes, "int64"))
    kernels()("fill", table.entries, table.sums, reach, line, overline, captures)
    return table


FOLDER = Path(__file__).parent
LEARNED_FROM = {True: "pente", False: "freestyle"}  # by whether the rule set has captures


@dataclass(frozen=True, eq=False)
class Weights:
    """The values of codes around an empty point, to white, then of shapes; and all other weights."""

    values: Buffer
    others: Buffer

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (bytes(self.values), bytes(self.others))  # a memoryview cannot be pickled

    @classmethod
    def load(cls, path: Path) -> Weights:
        stored = {name: each.values for name, each in read_npz(path).items()}
        values = zeros(stored["size"][0], "int32")
        for code, worth in zip(stored["used"], stored["worths"], strict=True):
            values[code] = worth
        return cls(values, stored["others"])


def _unpickled(values: bytes, others: bytes) -> Weights:
    return Weights(*(copy(memoryview(each).cast("i")) for each in (values, others)))


def file_of(name: str) -> Path:
    """The file of the weights trained on a rule set."""
    return FOLDER / f"{name}.npz"


def values_from(learned: Buffer, table: Tables, plain: Tables | None = None) -> Buffer:
    """The values of a table's codes, and of shapes, by those learned: of shapes, or of the codes of another table."""
    values = zeros(len(table.entries) + NAMES, "int32")
    entries, reach = (plain.entries, plain.reach) if plain else (array((), "int32"), 0)
    kernels()("fill_values", table.entries, table.reach, learned, entries, reach, values)
    return values


@lru_cache(maxsize=8)
def default_weights(rules: RuleSet) -> Weights:
    """The trained weights for the codes of a rule set: those of its own lines, or else those of shapes."""
    learned = Weights.load(file_of(LEARNED_FROM[bool(rules.captures)]))
    if switches(rules) in (switches(RULE_SETS[name]) for name in LEARNED_FROM.values()):
        return learned
    plain = tables(RULE_SETS["pente"]) if rules.line == LONGEST_IN_CODES else None
    return Weights(values_from(learned.values, tables(rules), plain), learned.others)
