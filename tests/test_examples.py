"""Every example runs to its end as a script."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.console_blocks import blocks

ROOT = Path(__file__).parents[1]
MODULES = {"connect_four_engine", "connect_four_kernels"}  # they belong to `connect_four`, and are no scripts
EXAMPLES = sorted(each for each in (ROOT / "examples").glob("*.py") if each.stem not in MODULES)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example, tmp_path):
    done = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, input="", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


LEARNER = ROOT / "examples" / "q_learning.py"


def learned(*words: str) -> str:
    """What the learner prints."""
    return subprocess.run([sys.executable, str(LEARNER), *words], capture_output=True, text=True, check=True).stdout


def test_a_learner_gets_better_by_a_few_games():
    before, after = map(float, re.findall(r"[-+]\d\.\d\d", learned("200")))
    assert after > before


@pytest.mark.slow
def test_the_page_shows_what_the_learner_prints():
    page = (ROOT / "docs" / "how-to" / "learners.md").read_text(encoding="utf-8")
    assert learned() in [block.text for block in blocks(page)]


def test_the_page_shows_the_learner_s_loop():
    page = (ROOT / "docs" / "how-to" / "learners.md").read_text(encoding="utf-8")
    (shown,) = (block.text for block in blocks(page) if block.language == "python")
    assert "while not is_over" in shown
    assert textwrap.indent(shown, "    ") in LEARNER.read_text(encoding="utf-8")
