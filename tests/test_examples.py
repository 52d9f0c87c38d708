"""Every example runs to its end as a script."""

import subprocess
import sys
from pathlib import Path

import pytest

MODULES = {"connect_four_engine", "connect_four_kernels"}  # of `connect_four`, not scripts
EXAMPLES = sorted(each for each in (Path(__file__).parents[1] / "examples").glob("*.py") if each.stem not in MODULES)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example, tmp_path):
    done = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, input="", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
