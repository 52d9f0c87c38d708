"""`python -m pentad.pentago` and the example: what the class's document shows, then a game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOWN = """\
True
True
False
□   □   □   □   □   □
□   □   □   □   □   □
●   □   ○   □   □   □
□   □   □   □   □   □
□   □   □   □   □   □
□   □   □   □   □   □
UNFINISHED
"""


@pytest.mark.slow
@pytest.mark.parametrize("program", [["-m", "pentad.pentago"], [str(ROOT / "examples" / "pentago_class.py")]])
def test_the_class_then_a_game_between_bots(program: list[str], home: Path):
    done = subprocess.run([sys.executable, *program], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    shown, game = done.stdout[: len(SHOWN)], done.stdout[len(SHOWN) :].splitlines()
    assert shown == SHOWN
    assert game[0] == "pentago. black: random, white: greedy"
    assert game[1].startswith("1. black ")
    assert game[-1].endswith("Result: 0-1.")
    assert not list((home / "games").glob("*"))
