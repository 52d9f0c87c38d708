"""Pentago's first design in twelve sizes, with the numbers of states and transitions that GROOVE 7.5.4 gave.

A name has the options of `pentad grammar new pentago`. GROOVE loaded the folders that this command writes; three of
them stand in tests/data/grammars.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from pentad.grammar import Grammar
from pentad.grammar.models import new

FOLDER = Path(__file__).parents[1] / "data" / "grammars"
WRITTEN = sorted(FOLDER.glob("*.gps"))
NAME = re.compile(r"(\w+)-(\w+)-(\d)x(\d)of(\d)-win(\d)-p(\d)(-norotate)?(-noiso)?")


class Row(NamedTuple):
    name: str
    states: int
    transitions: int
    draws: int | None = None  # a draw is a final state
    depth: int | None = None  # GROOVE explores by `bfs` with this bound

    def __str__(self) -> str:
        return self.name


ROWS = (
    Row("flags-plain-1x1of2-win2-p2", 97, 136, draws=0),
    Row("flags-plain-1x1of3-win3-p2", 17_374, 33_562, draws=16),
    Row("flags-plain-1x2of2-win3-p2", 6_505, 16_171, draws=43),
    Row("flags-plain-1x1of3-win3-p2-norotate", 11_897, 22_608, draws=16),
    Row("flags-plain-1x1of3-win3-p2-norotate-noiso", 11_897, 22_608, draws=16),
    Row("flags-plain-2x2of3-win5-p2-noiso", 421_579, 915_976, depth=9),
    Row("flags-recipe-1x2of2-win3-p2-noiso", 2_340, 21_802),
    Row("sym-plain-1x1of3-win3-p2-norotate", 1_664, 3_169),
    Row("sym-plain-1x1of3-win3-p2", 4_388, 8_465),
    Row("sym-plain-1x2of2-win3-p2", 3_279, 8_158),
    Row("sym-plain-1x1of2-win2-p2", 25, 37),
    Row("sym-plain-1x1of2-win2-p2-noiso", 97, 136),
)


def made(name: str) -> Grammar:
    """The grammar with the options in a name."""
    found = NAME.fullmatch(name)
    assert found
    style, control, *sizes, norotate, noiso = found.groups()
    options = dict(zip(("rows", "cols", "block", "line", "players"), map(int, sizes), strict=True))
    return new("pentago", style=style, control=control, rotate=not norotate, iso=not noiso, **options)
