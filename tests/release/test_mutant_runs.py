"""Runs of mutants: what they collect."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from release import mutants
from release.mutant_runs import CHOSEN, collected

ROOT = Path(__file__).parents[2]
BOARD = "src/pentad/games/pente/board.py"

# Collects files as a run does, and prints how many classes have the name of a step.
COUNT = """
import sys, pytest
pytest.main(["--collect-only", "-p", "no:terminal", *sys.argv[1:]])
print(sum(each.__qualname__ == "Stone" for each in tuple.__subclasses__()))
"""


def test_modules_are_imported_once():
    files = collected({BOARD: [*mutants.tests_of(BOARD), BOARD]})
    command = [sys.executable, "-c", COUNT, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "1"


def test_a_module_has_no_tests_but_its_doctests():
    module = "src/pentad/grammar/matching/search_plans.py"  # it has a function `test`, a class `Tested`, no doctests
    command = [sys.executable, "-m", "pytest", "--collect-only", *CHOSEN, module]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "no tests collected" in done.stdout
