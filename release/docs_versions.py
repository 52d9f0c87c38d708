"""The docs site in several versions, in a folder for a web host.

`python -m release.docs_versions VERSION FOLDER --alias latest` builds the site of this checkout into `FOLDER/VERSION`,
and again into a folder for each alias. The theme reads `versions.json` for its menu of versions, in the format of mike
(https://github.com/jimporter/mike). The page of the whole folder leads to the newest release.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TypedDict

from release.tools import ReleaseError, run

ROOT = Path(__file__).resolve().parents[1]
NAME = re.compile(r"[A-Za-z0-9][\w.+-]*")
INDEX, DEFAULT = "versions.json", "latest"
REDIRECT = """\
<!doctype html>
<meta charset="utf-8">
<title>{folder}</title>
<script>location.replace("{folder}/" + location.search + location.hash)</script>
<meta http-equiv="refresh" content="0; url={folder}/">
<a href="{folder}/">{folder}</a>
"""


class Version(TypedDict):
    """A version of the site, as the theme reads it."""

    version: str
    title: str
    aliases: list[str]


def build(version: str) -> Path:
    """Builds the site of this checkout, where a warning is an error; returns its folder."""
    environment = os.environ | {"MIKE_DOCS_VERSION": version}  # a part of the pages' canonical addresses
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]  # finds docs/extensions in its folder
    run("The docs cannot be built", command, ROOT, environment)
    return ROOT / "site"


def add(site: Path, version: str, folder: Path, aliases: Iterable[str] = ()) -> None:
    """Adds a built site to the folder as a version, or in place of it; an alias moves here from another version."""
    names = [version, *dict.fromkeys(aliases)]
    for name in names:
        if not NAME.fullmatch(name):
            raise ReleaseError(f"{name!r} is no name of a version: it has letters, digits, dots, + and - alone.")
    index = folder / INDEX
    known: list[Version] = json.loads(index.read_text(encoding="utf-8")) if index.exists() else []
    others = [each for each in known if each["version"] != version]
    if taken := {each["version"] for each in others} & {*names}:
        raise ReleaseError(f"{', '.join(taken)} is a version already, and cannot be an alias.")
    (before,) = [each["aliases"] for each in known if each["version"] == version] or [[]]
    for each in others:
        each["aliases"] = [name for name in each["aliases"] if name not in names]
    names += [name for name in before if name not in names]  # a version built again keeps its aliases
    for name in names:
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(site, folder / name)
    versions = sorted([*others, Version(version=version, title=version, aliases=names[1:])], key=_order, reverse=True)
    index.write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")
    start = DEFAULT if any(DEFAULT in each["aliases"] for each in versions) else versions[0]["version"]
    (folder / "index.html").write_text(REDIRECT.format(folder=escape(start)), encoding="utf-8")
    (folder / ".nojekyll").touch()  # GitHub Pages serves the files as they are


def _order(each: Version) -> tuple[bool, list[int], str]:
    """Sorts by the numbers of releases; a version without, such as `dev`, is newer than all."""
    numbers = [int(part) for part in re.findall(r"\d+", each["version"])]
    return not each["version"][0].isdigit(), numbers, each["version"]


def main(words: Sequence[str]) -> int:
    """Builds a version of the site; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m release.docs_versions", description="Adds a version of the docs.")
    parser.add_argument("version", metavar="VERSION", help="such as 0.1.0, or dev for the newest sources")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder of all versions")
    parser.add_argument("--alias", action="append", default=[], help="another name, such as latest; can be repeated")
    given = parser.parse_args(words)
    try:
        given.folder.mkdir(parents=True, exist_ok=True)
        add(build(given.version), given.version, given.folder, given.alias)
    except (ReleaseError, OSError) as error:
        print(f"docs_versions: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
