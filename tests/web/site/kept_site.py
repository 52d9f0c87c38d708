"""The site of the browser tests, made by `pentad site` and kept in the user's cache as long as no source changes."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.kernels import cache
from pentad.kernels.backends import PACKAGE
from pentad.system.files import Busy, Lock
from pentad.web.instant import engines
from pentad.web.site import pyodide
from tests.web.site.host import FOLDER

MOST_KEPT = 3
WHOLE = "whole"  # the file that is written last


def check_tools() -> None:
    """Skips the test if this machine lacks what makes a site; in CI it fails."""
    kept = cache.folder()
    has_engines = kept is not None and engines.is_whole(kept / engines.IN_CACHE)
    try:
        if not has_engines and find_spec("ziglang") is None:
            raise GameError("ziglang is not installed. `./pentad test` installs it.")
        pyodide.files()
    except GameError as error:
        reason = f"The site cannot be made: {error}"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


def make_site(folder: Path, *more: str) -> None:
    """Makes the site by the command, in a process of its own: a browser's event loop may run in this one."""
    command = [sys.executable, "-P", "-m", "pentad", "site", str(folder), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def kept_site() -> Path:
    """A folder with the site in its folder `FOLDER`; only one of the processes that test makes it."""
    check_tools()
    place = _sites() / _hash_of_sources()
    place.parent.mkdir(parents=True, exist_ok=True)
    while not (place / WHOLE).exists():
        try:
            with Lock(place.with_suffix(".lock"), "Another process makes the site."):
                if not (place / WHOLE).exists():
                    make_site(place / FOLDER)
                    (place / WHOLE).touch()
        except Busy:
            time.sleep(0.2)
    os.utime(place)
    for old in sorted(_sites().glob("*/"), key=lambda each: each.stat().st_mtime)[:-MOST_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return place


def _sites() -> Path:
    folder = cache.folder()
    assert folder is not None
    return folder.parent / "sites-of-tests"


def _hash_of_sources() -> str:
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(PACKAGE)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
