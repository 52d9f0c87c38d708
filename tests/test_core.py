"""The core, which needs no package: what runs with the standard library alone, and what says which extra is missing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from fnmatch import fnmatchcase
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pentad.system.extras import EXTRAS
from release.wheels import build

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
PROGRAM = Path(__file__).with_name("core_program.py")
FOR_DEVELOPERS = {"all", "dev", "docs", "release", "site"}

# Runs commands in one process: the exit code of each, and what it prints.
COMMANDS = """
import contextlib, io, json, sys
from pentad.terminal import main
answers = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words.split())
    answers.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(answers))
"""


def bare(*words: str, folder: Path) -> str:
    """The output of a program of Python that finds no package but pentad."""
    paths = {
        "PYTHONPATH": str(ROOT / "src"),
        "PENTAD_HOME": str(folder / "home"),
        "PENTAD_CACHE": str(folder / "cache"),
    }
    command = [sys.executable, "-S", "-B", *words]
    return subprocess.run(
        command, cwd=folder, env=os.environ | paths, capture_output=True, text=True, check=True
    ).stdout


def test_rules_drawings_records_and_grammars_need_no_package(tmp_path: Path):
    assert bare(str(PROGRAM), folder=tmp_path) == "complete\n"


def test_services_and_the_site_need_no_package(tmp_path: Path):
    code = "import pentad.web.service.routes, pentad.web.settings, pentad.web.site.build; print('complete')"
    assert bare("-c", code, folder=tmp_path) == "complete\n"


PLAYED = {
    "--help": "usage: pentad COMMAND",
    "--version": "pentad ",
    "games": "pentago",
    "play --help": "usage: pentad play",
    "play pentago --black random --white greedy --seed 1 --record game.pentad": "1. black ",
    "play pente --size 9 --black random --white random --seed 1 --json": '{"event": "start"',
    "show game.pentad": '[Game "pentago"]',
    "convert game.pentad game.svg": "",
    "validate pentago a2 1C": "Allowed: ",
    "perft pentago 1": "288",
    "match pentago random random --games 2 --workers 1": "of 2 games",
    "grammar new tictactoe board.gps": "",
    "grammar explore board.gps --depth 2": "states",
}


# The extra that a command lacks.
REFUSED = {
    "web --no-browser": "web",
    "engine --serve --allow https://pentad.example": "web",
    "data games pentago --count 1 --out games": "data",
    "tournament pentago random greedy --report report.html": "data",
    "match pentago random greedy --games 2 --cluster local": "farm",
}


def missing(extra: str) -> list[str]:
    """The lines about a missing extra, one for each of its packages."""
    purpose, packages = EXTRAS[extra]
    command = f"uv pip install --python {sys.executable} -e '{ROOT}[{extra}]'"  # in this checkout pip is hidden
    return [f"{each} is not installed. For {purpose}, run: {command}" for each in packages]


def test_commands_run_without_packages_or_name_the_missing_extra_in_one_line(tmp_path: Path):
    words = [*PLAYED, *REFUSED]
    answers = json.loads(bare("-c", COMMANDS, json.dumps(words), folder=tmp_path))
    for command, (code, out, err) in zip(words, answers, strict=True):
        if command in PLAYED:
            assert (command, code, err) == (command, 0, "")
            assert PLAYED[command] in out
        else:
            assert (command, code, out) == (command, 1, "")
            assert err.removeprefix("pentad: ").removesuffix("\n") in missing(REFUSED[command])


IMPORTED = {
    "pentad.bridges.gymnasium import env": "gym",
    "pentad.bridges.pettingzoo import env": "pettingzoo",
    "pentad.bridges.openspiel import register": "openspiel",
    "pentad.bridges.pentagraph.lib.graph import Board": "pentagraph",
    "pentad.web.notebook import BoardWidget": "notebook",
}


def test_modules_name_the_missing_extra_in_one_line(tmp_path: Path):
    program = "".join(f"try:\n from {each}\nexcept ImportError as error: print(error)\n" for each in IMPORTED)
    lines = bare("-c", program, folder=tmp_path).splitlines()
    for found, extra in zip(lines, IMPORTED.values(), strict=True):
        assert found in missing(extra)


# The modules that need a package when they are imported, with its extra; all others need none.
NEED = {
    "pentad.*kernels": "compile",
    "pentad.kernels.*": "compile",
    "pentad.bridges.pettingzoo": "pettingzoo",
    "pentad.bridges.openspiel": "openspiel",
    "pentad.bridges.pentagraph*": "pentagraph",
    "pentad.bridges.*": "gym",
    "pentad.games.pentago.labels": "data",
    "pentad.jobs.local_cluster": "farm",
    "pentad.play.data.*": "data",
    "pentad.store.*": "web",
    "pentad.terminal.*": "terminal",
    "pentad.web.notebook.*": "notebook",
    "pentad.web.*": "web",
}
WALK = """
import importlib, json, pkgutil
import pentad
failed = {}
for module in pkgutil.walk_packages(pentad.__path__, "pentad.", onerror=lambda name: None):
    if not module.name.endswith("__main__") and ".site.packages" not in module.name:
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            failed[module.name] = error.name or str(error).partition(" ")[0]
print(json.dumps(failed))
"""


def test_modules_need_the_packages_of_their_extra(tmp_path: Path):
    failed = json.loads(bare("-c", WALK, folder=tmp_path))
    assert len(failed) > 50
    for module, package in failed.items():
        extra = next((extra for pattern, extra in NEED.items() if fnmatchcase(module, pattern)), "")
        assert extra, f"{module} needs {package}"
        assert package.partition(".")[0] in EXTRAS[extra].packages, module


# ── extras ───────────────────────────────────────────────────────────────────────────────────────


def names(requirements: list[str]) -> set[str]:
    """The names of required distributions."""
    return {re.split(r"[\[><=;\s]", each, maxsplit=1)[0].lower().replace("_", "-") for each in requirements}


def test_the_core_has_no_dependencies():
    assert PROJECT["dependencies"] == []


def test_the_table_of_extras_is_that_of_the_project():
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"]) - FOR_DEVELOPERS


def test_the_page_about_installing_lists_every_extra():
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page.partition("| extra | brings |")[2].partition("\n\n")[0], re.MULTILINE)
    assert sorted(listed) == sorted([*EXTRAS, "all"])


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_the_packages_of_the_table(extra: str):
    brought = names(PROJECT["optional-dependencies"][extra])
    distributions = {
        package: {each.lower().replace("_", "-") for each in found}
        for package, found in packages_distributions().items()
    }
    of_others = {"llvmlite": "numba", "traitlets": "anywidget"}
    distributions |= {package: {owner} for package, owner in of_others.items()}
    needed = {package: distributions.get(package, set()) for package in EXTRAS[extra].packages}
    assert {package: found for package, found in needed.items() if not found & brought} == {}


def test_rules_records_and_drawings_import_no_package_of_any_extra():
    name = "rules, records and drawings need the standard library alone"
    contracts = SETTINGS["tool"]["importlinter"]["contracts"]
    (forbidden,) = (each["forbidden_modules"] for each in contracts if each["name"] == name)
    assert set(forbidden) == {package for extra in EXTRAS.values() for package in extra.packages}


def test_all_has_every_extra_but_openspiel():
    """OpenSpiel has no wheel for Windows."""
    (requirement,) = PROJECT["optional-dependencies"]["all"]
    assert requirement == f"pentad[{','.join(sorted(set(EXTRAS) - {'openspiel'}))}]"


# ── an installation ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_an_installation_of_the_wheel_is_one_package(tmp_path: Path):
    wheel = build("wheel", tmp_path)
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-index", wheel], check=True)
    listed = subprocess.run([*pip, "list", "--format=json"], check=True, capture_output=True, text=True).stdout
    assert {each["name"] for each in json.loads(listed)} - {"pip", "setuptools"} == {"pentad"}
    done = subprocess.run([python, PROGRAM], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "complete\n"
