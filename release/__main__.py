"""The commands that need a checkout: `./pentad test`, and `wheels`, `package` and `release` with a folder.

The launcher reads their arguments before anything is installed, so a command imports what it runs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pentad.game import GameError
from pentad.terminal.arguments import CommandParser, help_last, unknown_command
from release.platforms import PLATFORMS
from release.tools import ReleaseError

COMMANDS = {
    "test": "Runs ruff, mypy, import-linter, the checks of the scripts (tsc, eslint, node) and pytest; with pytest "
    "arguments (a path, -k NAME, …) pytest alone.",
    "wheels": "Makes the pure wheel, and a wheel with machine code for each platform.",
    "package": "Makes the npm package of the board, the rules and the bots.",
    "release": "Makes the source distribution, the wheels and the npm package of a release, and checks them.",
}


def read(words: Sequence[str]) -> tuple[str, argparse.Namespace, list[str]]:
    """The command, its arguments, and those for pytest."""
    name, *rest = help_last(words)
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    parser = CommandParser(name, COMMANDS[name], rest)
    parser.prog = f"./pentad {name}"
    if name == "test":
        parser.usage = "./pentad test [--slow [--resume]] [pytest arguments]"
        parser.add_argument("--slow", action="store_true", help="add the tests that take minutes")
        parser.epilog = "With --resume, pytest goes on with the last run of all tests, with those that have not passed."
        return name, *parser.parse_known_args(rest)
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder for the files")
    if name == "wheels":
        parser.add_argument(
            "--only", action="append", choices=PLATFORMS, help="one platform; can be given several times"
        )
    return name, parser.parse(), []


def runs_a_command(words: Sequence[str]) -> bool:
    """Whether these words run a command, which may import any package; help and errors import none."""
    try:
        return not {"-h", "--help"} & {*help_last(words)} and bool(read(words))
    except GameError:
        return False


def make_wheels(folder: Path, names: Sequence[str]) -> list[Path]:
    """Makes the wheels and prints their sizes."""
    from release import wheels

    paths = wheels.make(folder, names)
    for path in paths:
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB", flush=True)
    return paths


def make_package(folder: Path) -> Path:
    """Makes the npm package and prints its size."""
    from release import board_package

    path = board_package.make(folder)
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB", flush=True)
    return path


def make_release(folder: Path) -> None:
    """Makes and checks all files of a release; the workflow `publish.yml` uploads those that it has made of a tag."""
    from release import checks, sbom, wheels

    version = checks.version()
    checks.check_addresses()
    checks.check_sources()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ReleaseError(f"{folder} is not empty.")
    package = make_package(folder)
    paths = [wheels.build("sdist", folder), *make_wheels(folder, list(PLATFORMS))]
    checks.check_metadata(paths)
    for path in paths:
        if checks.runs_here(path):
            print(f"{path.name}: installed and tried, the kernels ran as {checks.try_installation(path)}", flush=True)
        else:
            print(f"{path.name}: not tried, it is for another platform", flush=True)
    wheel = next(path for path in paths if path.suffix == ".whl" and checks.runs_here(path))
    with tempfile.TemporaryDirectory() as place:
        packages = checks.try_server(wheel, Path(place))
        bill = sbom.write(folder, version, checks.date(), paths, packages)
    print(f"{wheel.name}: installed as a server. {bill.name} has the bill of materials.", flush=True)
    sums = checks.write_checksums([*paths, package, bill], folder)
    print(f"\nVersion {version} is ready. {sums} has the checksums. To publish it:")
    print(f"  git tag v{version} && git push origin v{version}")


def main(words: Sequence[str]) -> int:
    """Runs a command; returns the exit code."""
    try:
        name, given, pytest_arguments = read(words)
        if name == "test":
            from release import all_checks

            return all_checks.run(pytest_arguments, is_slow=given.slow)
        if name == "wheels":
            make_wheels(given.folder, given.only or list(PLATFORMS))
        elif name == "package":
            make_package(given.folder)
        else:
            make_release(given.folder)
    except (GameError, ReleaseError, OSError) as error:
        print(f"pentad: {error}", file=sys.stderr)
        return 2 if isinstance(error, GameError) else 1
    except SystemExit:  # argparse exits after the help
        return 0
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
