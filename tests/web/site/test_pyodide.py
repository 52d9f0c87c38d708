"""The pure wheel in Pyodide as npm brings it: what the core does, in a page that is not ours."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.web.site import pyodide
from release.wheels import build

PROGRAM = Path(__file__).parents[2] / "core_program.py"
SCRIPT = Path(__file__).with_name("install_wheel.js")


def unpack_pyodide(folder: Path) -> None:
    """Writes all files of Pyodide into a folder, with micropip of the version that belongs to it."""
    with tarfile.open(fileobj=BytesIO(pyodide.package())) as archive:
        for member in archive.getmembers():
            if member.isfile() and (file := archive.extractfile(member)):
                (folder / Path(member.name).name).write_bytes(file.read())
    version = json.loads((folder / pyodide.LOCK).read_bytes())["packages"]["micropip"]["version"]
    python = ".".join(map(str, pyodide.PYTHON))
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run(
        [*pip, f"--python-version={python}", f"--dest={folder}", f"micropip=={version}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise GameError(f"pip cannot download micropip {version}: {done.stderr.strip().splitlines()[-1]}")


@pytest.mark.slow
def test_the_pure_wheel_is_installed_by_micropip_and_works(tmp_path: Path):
    node, place = shutil.which("node"), tmp_path / "pyodide"
    place.mkdir()
    try:
        unpack_pyodide(place)
        if node is None:
            raise GameError("node is not installed.")
    except GameError as error:
        pytest.fail(str(error)) if os.environ.get("CI") else pytest.skip(str(error))
    wheel = build("wheel", tmp_path)
    done = subprocess.run([node, SCRIPT, place, wheel, PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["complete", "micropip", "pentad"]
