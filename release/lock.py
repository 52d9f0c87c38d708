"""The versions that a server is installed with: `deploy/requirements.txt`, with the hashes of their files.

`python -m release.lock` writes the file by uv. It keeps each version that still fits pyproject.toml; with `--upgrade`
it takes the newest ones.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from release.tools import PYTHON, ReleaseError, run

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "deploy" / "requirements.txt"
EXTRAS = ("web", "postgres")  # what a server may need
COMMAND = "python -m release.lock"
PINNED = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)==(?P<version>[0-9][\w.!+]*)(?: ; (?P<marker>[^#]+?))?")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


class Pinned(NamedTuple):
    """A package in one version."""

    name: str
    version: str
    marker: str  # where it is needed; nothing stands for everywhere
    hashes: tuple[str, ...]  # SHA-256 of each of its files
    needed_by: tuple[str, ...]


def read(text: str) -> list[Pinned]:
    """The packages of a lock file; raises ReleaseError where a line is anything else."""
    found: list[Pinned] = []
    for block in _blocks(text):
        requirement, *rest = block
        match = PINNED.fullmatch(requirement)
        hashes = [HASH.fullmatch(each) for each in rest if not each.startswith("#")]
        if match is None or not hashes or not all(hashes):
            raise ReleaseError(f"Expected a version with its hashes, got: {' '.join(block)[:100]}")
        needed_by = [each.removeprefix("#").strip().removeprefix("via").strip() for each in rest if each[0] == "#"]
        marker = match["marker"] or ""
        codes = tuple(each[1] for each in hashes if each)
        found.append(Pinned(match["name"], match["version"], marker, codes, tuple(filter(None, needed_by))))
    if not found:
        raise ReleaseError("There are no packages.")
    return found


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of each requirement, without the backslashes between them, and of the comments that follow it."""
    block: list[str] = []
    for line in text.splitlines():
        if not line.startswith((" ", "#")) and line:
            if block:
                yield block
            block = []
        if line.strip() and (block or not line.startswith("#")):
            block.append(line.removesuffix("\\").strip())
    if block:
        yield block


def wanted(project: Mapping[str, Any]) -> list[str]:
    """The requirements of a server."""
    return [*project["dependencies"], *(each for extra in EXTRAS for each in project["optional-dependencies"][extra])]


def check(text: str, project: Mapping[str, Any]) -> list[Pinned]:
    """The packages of a lock file; refuses one that does not fit the project any more."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found = read(text)
    pinned = {each.name: each for each in found}
    requirements = [Requirement(each) for each in wanted(project)]
    for each in requirements:
        name = canonicalize_name(each.name)
        if name not in pinned:
            raise ReleaseError(f"{name} is missing. Run: {COMMAND}")
        if not each.specifier.contains(pinned[name].version):
            raise ReleaseError(f"{name} {pinned[name].version} does not fit {each}. Run: {COMMAND}")
    direct = {each.name for each in found if f"{project['name']} (pyproject.toml)" in each.needed_by}
    if extra := sorted(direct - {canonicalize_name(each.name) for each in requirements}):
        raise ReleaseError(f"Nothing needs {', '.join(extra)} any more. Run: {COMMAND}")
    return found


def project() -> dict[str, Any]:
    """The table `project` of pyproject.toml."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def checked() -> list[Pinned]:
    """The packages of this checkout's lock file; refuses one that does not fit its pyproject.toml."""
    try:
        return check(LOCK.read_text(encoding="utf-8"), project())
    except ReleaseError as error:
        raise ReleaseError(f"{LOCK.relative_to(ROOT)}: {error}") from None


def write(upgrade: bool) -> None:
    """Writes the lock file, for every system and every Python that pentad runs on."""
    LOCK.parent.mkdir(exist_ok=True)
    extras = [word for each in EXTRAS for word in ("--extra", each)]
    oldest = project()["requires-python"].removeprefix(">=")
    command = [
        *(*PYTHON, "uv", "pip", "compile", "pyproject.toml", *extras, "--universal", "--python-version", oldest),
        *("--generate-hashes", "--custom-compile-command", COMMAND),
        *("--quiet", "--output-file", str(LOCK.relative_to(ROOT)), *(["--upgrade"] if upgrade else [])),
    ]
    run("The versions cannot be chosen", command, ROOT)


def main(words: Sequence[str]) -> int:
    """Writes the lock file and checks it; returns the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Writes the versions that a server is installed with.")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    given = parser.parse_args(words)
    try:
        write(given.upgrade)
        print(f"{LOCK.relative_to(ROOT)}: {len(checked())} packages")
    except (ReleaseError, OSError) as error:
        print(f"lock: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
