"""Small programs of the tests that run in processes of their own."""

import os
import subprocess
import sys
import textwrap

ABSENT = """
import importlib.util, sys
NAMES = ("numba", "llvmlite", "numpy")
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in NAMES else found(name, *rest)
"""


def bare(folder):
    """A folder on whose path Python finds neither numba nor numpy, in the processes that it starts either."""
    (folder / "sitecustomize.py").write_text(ABSENT)
    return folder


def run(program, *folders, **environment):
    """Runs a program with folders on its path; returns its standard output and error stream."""
    paths = os.pathsep.join([*map(str, folders), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=os.environ | {"PYTHONPATH": paths} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


def failure(program):
    """The last line that a program writes as it fails."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode != 0, done.stdout
    return done.stderr.splitlines()[-1]
