"""Checks of a release: one version everywhere, and each file installed into an empty environment and tried there."""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from release import addresses
from release.lock import LOCK
from release.tools import PYTHON, ReleaseError, run
from release.wheels import ROOT

TRIAL = ROOT / "release" / "trial.py"


def version() -> str:
    """The version of the sources; raises ReleaseError where files disagree, or have no date."""
    found = re.search(r'^__version__ = "(.+)"', _text("src/pentad/system/version.py"), re.MULTILINE)
    assert found
    if f"version: {found[1]}\n" not in _text("CITATION.cff"):
        raise ReleaseError(f"CITATION.cff does not name version {found[1]}.")
    heading = re.search(rf"^## {re.escape(found[1])} \((.+)\)$", _text("CHANGELOG.md"), re.MULTILINE)
    try:
        datetime.date.fromisoformat(heading[1] if heading else "")
    except ValueError:
        raise ReleaseError(f"CHANGELOG.md needs the heading `## {found[1]} (YYYY-MM-DD)` with a date.") from None
    if heading and f"date-released: {heading[1]}\n" not in _text("CITATION.cff"):
        raise ReleaseError(f"CITATION.cff needs the date of CHANGELOG.md: date-released: {heading[1]}")
    return found[1]


def date() -> str:
    """The date of this version."""
    found = re.search(r"^date-released: (\S+)$", _text("CITATION.cff"), re.MULTILINE)
    assert found
    return found[1]


def check_sources() -> None:
    """Refuses a checkout with changes that are not committed, which nobody could build again."""
    if run("The state of the checkout is unknown", ["git", "status", "--porcelain"], ROOT).strip():
        raise ReleaseError("The checkout has changes that are not committed.")


def check_addresses() -> None:
    """Refuses placeholders of the project's addresses, to which all links of the README lead."""
    for name, address in addresses.urls(ROOT).items():
        if (urlsplit(address).hostname or "").endswith(".example"):
            raise ReleaseError(f"pyproject.toml has a placeholder for the address {name}: {address}")


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
            run(what, [python, "-P", TRIAL, kind], Path(place), environment)
    return ", then as ".join(expected.values())


def try_server(wheel: Path, environment: Path) -> Path:
    """Installs a server as the docs say, from the lock file; returns the folder of its packages."""
    what = f"A server cannot be installed from {LOCK.relative_to(ROOT)}"
    run("An empty environment cannot be made", [*PYTHON, "venv", environment])
    python = environment / "bin" / "python"
    pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check"]
    run(what, [*pip, "install", "--quiet", "--require-hashes", "-r", LOCK])
    run(what, [*pip, "install", "--quiet", "--no-deps", wheel.resolve()])
    run(what, [*pip, "check"])
    program = "import pentad.web.serve, psycopg, sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(run(what, [python, "-P", "-c", program], environment).strip())


def write_checksums(paths: Sequence[Path], folder: Path) -> Path:
    """Writes the checksums of the files, as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(paths)]
    file = folder / "SHA256SUMS"
    file.write_text("".join(lines), encoding="utf-8")
    return file


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")
