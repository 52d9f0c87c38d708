"""Tables of code meanings for each rule set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pentad.pente.engine.shape_kernels import Codes, Words, fill
from pentad.pente.rulesets import RuleSet

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
