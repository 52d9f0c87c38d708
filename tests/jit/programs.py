"""Small programs of the tests that run in processes of their own."""

import os
import subprocess
import sys
import textwrap


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
