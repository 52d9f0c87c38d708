"""The example `pentago.py`: what the class's document shows, then a game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "examples"
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


def test_the_class_then_a_game_between_bots(home: Path):
    done = subprocess.run(
        [sys.executable, "pentago.py"], cwd=EXAMPLES, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown, game = done.stdout[: len(SHOWN)], done.stdout[len(SHOWN) :].splitlines()
    assert shown == SHOWN
    assert game[0] == "pentago. black: random, white: greedy"
    assert game[1].startswith("1. black ")
    assert game[-1].endswith("Result: 0-1.")
    assert not list((home / "games").glob("*"))


def test_the_example_shadows_nothing(home: Path):
    """In the folder of `pentago.py` the class can be imported by that name, and pentad's own modules are its own."""
    code = (
        "import pentago, pentad.games.pentago, pentad; from pathlib import Path; "
        "assert pentago.Pentago is pentad.games.pentago.Pentago; "
        "assert Path(pentad.games.pentago.__file__).parents[2] == Path(pentad.__file__).parent; "
        "print(pentad.new('pentago').play('a2 1C').ply)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=EXAMPLES, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")
