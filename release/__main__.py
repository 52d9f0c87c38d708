"""`./pentad wheels DIR` makes the wheels; `./pentad release DIR` makes and checks all files of a release."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from release import checks, wheels
from release.commands import ReleaseError
from release.platforms import PLATFORMS


def parser() -> argparse.ArgumentParser:
    """The commands of this module."""
    made = argparse.ArgumentParser(prog="pentad")
    commands = made.add_subparsers(dest="command", required=True)
    for name, summary in (
        ("wheels", "Makes the pure wheel, and a wheel with machine code for each platform."),
        ("release", "Makes the source distribution and the wheels of a release, and checks them."),
    ):
        command = commands.add_parser(name, help=summary, description=summary)
        command.add_argument("folder", metavar="DIR", type=Path, help="the folder for the files")
        if name == "wheels":
            command.add_argument(
                "--only", action="append", choices=PLATFORMS, help="one platform; can be given several times"
            )
    return made


def make_wheels(folder: Path, names: Sequence[str]) -> list[Path]:
    """Makes the wheels and prints their sizes."""
    paths = wheels.make(folder, names)
    for path in paths:
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB", flush=True)
    return paths


def make_release(folder: Path) -> None:
    """Makes and checks all files of a release; uploading them is left to the maintainer."""
    version = checks.version()
    checks.check_sources()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ReleaseError(f"{folder} is not empty.")
    paths = [wheels.build("sdist", folder), *make_wheels(folder, list(PLATFORMS))]
    checks.check_metadata(paths)
    for path in paths:
        if checks.runs_here(path):
            print(f"{path.name}: installed and tried, the kernels ran as {checks.try_installation(path)}", flush=True)
        else:
            print(f"{path.name}: not tried, it is for another platform", flush=True)
    sums = checks.write_checksums(paths, folder)
    print(f"\nVersion {version} is ready. {sums} has the checksums. To publish it:")
    print(f"  git tag v{version} && git push origin v{version}")
    print("  twine upload " + " ".join(str(path) for path in paths))


def main(args: Sequence[str]) -> int:
    """Runs a command; returns the exit code."""
    given = parser().parse_args(args)
    try:
        if given.command == "wheels":
            make_wheels(given.folder, given.only or list(PLATFORMS))
        else:
            make_release(given.folder)
    except (ReleaseError, OSError) as error:
        print(f"pentad: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
