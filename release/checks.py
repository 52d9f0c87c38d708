"""Checks of a release: one version everywhere, and each file installed into an empty environment and tried there."""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from release.tools import PYTHON, ReleaseError, run
from release.wheels import ROOT

# What an installation must do, in an empty folder: the conformance kit, an exact value, and a bot's move of each game.
TRIAL = """
import sys
import pentad
from pentad.kernels import backends, libraries, prebuilt
from pentad.games.pentago import from_number, solve
from pentad.games.testing import check_game
tables = libraries.manifest()["modules"]
for game in pentad.names():
    check_game(game, plays=1)
    position = pentad.new(game)
    move = pentad.bot(game, level=2, seed=1).choose(position, seconds=0.5)
    assert move in position.legal_moves
if tables or backends.is_compiling():
    assert solve(from_number(4312211864716913874)).value == 1
assert all(prebuilt.load(each) for each in tables), "machine code that cannot be loaded"
assert not tables or not {"numba", "llvmlite", "numpy"} & set(sys.modules)
print("prebuilt machine code" if tables else "compiled kernels" if backends.is_compiling() else "Python")
"""


def version() -> str:
    """The version of the sources; raises ReleaseError where a file names another one, or the changelog has no date."""
    found = re.search(r'^__version__ = "(.+)"', _text("src/pentad/system/version.py"), re.MULTILINE)
    assert found
    if f"version: {found[1]}\n" not in _text("CITATION.cff"):
        raise ReleaseError(f"CITATION.cff does not name version {found[1]}.")
    heading = re.search(rf"^## {re.escape(found[1])} \((.+)\)$", _text("CHANGELOG.md"), re.MULTILINE)
    try:
        datetime.date.fromisoformat(heading[1] if heading else "")
    except ValueError:
        raise ReleaseError(f"CHANGELOG.md needs the heading `## {found[1]} (YYYY-MM-DD)` with a date.") from None
    return found[1]


def check_sources() -> None:
    """Refuses a checkout with changes that are not committed, which nobody could build again."""
    if run("The state of the checkout is unknown", ["git", "status", "--porcelain"], ROOT).strip():
        raise ReleaseError("The checkout has changes that are not committed.")


def check_address() -> None:
    """Refuses the placeholder of the source's address, to which all links of the README lead."""
    address = tomllib.loads(_text("pyproject.toml"))["project"]["urls"]["Source"]
    if (urlsplit(address).hostname or "").endswith(".example"):
        raise ReleaseError(f"pyproject.toml has a placeholder for the address of the source: {address}")


def check_metadata(paths: Sequence[Path]) -> None:
    """The checks of twine, which the package index makes too."""
    run("twine refuses the files", [*PYTHON, "twine", "--no-color", "check", "--strict", *paths])


def runs_here(path: Path) -> bool:
    """Whether pip installs this file on this machine."""
    from packaging.tags import sys_tags
    from packaging.utils import parse_wheel_filename

    return path.suffix == ".gz" or bool(parse_wheel_filename(path.name)[3] & set(sys_tags()))


def try_installation(path: Path) -> str:
    """Installs a file into an empty environment and plays there; returns what ran the kernels.

    A file without machine code is tried without numba first, then with the extra `compile`.
    """
    has_machine_code = path.suffix == ".whl" and "-py3-none-any" not in path.name
    expected = {"": "prebuilt machine code"} if has_machine_code else {"": "Python", "[compile]": "compiled kernels"}
    with tempfile.TemporaryDirectory() as place:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PENTAD", "PYTHON"))}
        environment |= {"PENTAD_CACHE": f"{place}/cache", "PENTAD_HOME": f"{place}/home"}
        python = f"{place}/venv/bin/python"
        run("An empty environment cannot be made", [*PYTHON, "venv", f"{place}/venv"])
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        what = f"{path.name} does not work in an empty environment"
        for extra, kind in expected.items():
            run(what, [*pip, f"{path.resolve()}{extra}"], Path(place), environment)
            found = run(what, [python, "-c", TRIAL], Path(place), environment).strip()
            if found != kind:
                raise ReleaseError(f"{what}: its kernels run as {found}.")
    return ", then as ".join(expected.values())


def write_checksums(paths: Sequence[Path], folder: Path) -> Path:
    """Writes the checksums of the files, as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(paths)]
    file = folder / "SHA256SUMS"
    file.write_text("".join(lines), encoding="utf-8")
    return file


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")
