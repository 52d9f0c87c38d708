"""The tables that a rule set is searched with: what codes mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pentad.pente.engine.shape_kernels import Codes, Words, fill
from pentad.pente.rulesets import RuleSet

LONGEST_IN_CODES = 5  # stones; longer lines are looked at on the board


@dataclass(frozen=True, eq=False)
class Tables:
    """How far codes reach, and what they mean: as `entries`, and as what they add to a point's sum."""

    reach: int
    entries: Codes
    sums: Words


def reach_of(rules: RuleSet) -> int:
    """How far the codes reach: to see that a line ends, one point further than to see that it is one."""
    return LONGEST_IN_CODES if rules.line == LONGEST_IN_CODES and not rules.overline else LONGEST_IN_CODES - 1


def switches(rules: RuleSet) -> tuple[int, int, bool, int]:
    """What the tables of a rule set depend on."""
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
