"""Whole runs that go on from files in which a bit was flipped: the right result, or one line that says what helps.

A random byte of a random file is changed. What the line says to remove is removed, and the same command then has the
right result.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pentad.games.pentago.solver import level_files, scratch
from pentad.games.pentago.solver.retrograde import WHOLE, PassLimits, PassRoot
from pentad.grammar.farm import backward, exploration
from pentad.grammar.farm.solving import solve
from pentad.grammar.models import new
from pentad.grammar.system import prepare
from pentad.jobs.executors import ExecutorFarm
from pentad.play.data import make_games
from pentad.terminal import main
from tests.games.pentago.solver.sample_positions import random_position
from tests.games.pentago.solver.test_scratch import memory_for, stopped
from tests.grammar.farm.inline import Inline

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3, "iso": False}  # this model has 6,505 states
BOARD = random_position(random.Random(7), 11)
GAMES = ("data", "games", "pentago", "--count", "60", "--seed", "5", "--shards", "3", "--out", "files", "--json")
Command = tuple[str, ...]


def begin_exploration(seed: int) -> Command:
    new("pentago", **SMALL).save(Path("small.gps"))
    words = ("grammar", "explore", "small.gps", "--scratch", "files", "--memory", "20MB", "--json")
    assert main([*words, "--depth", str(3 + 2 * seed % 9)]) == 0
    return words


def begin_solution(seed: int) -> Command:
    new("pentago", **SMALL).save(Path("small.gps"))

    def stop(solved: int, _states: int) -> None:
        if solved > 1000 + 1500 * (seed % 4):
            raise KeyboardInterrupt

    farm = ExecutorFarm(Inline(), backward.__name__, 3)
    found = solve(prepare(new("pentago", **SMALL)), Path("files"), farm=farm, memory=20_000_000, solving=stop)
    assert found.explored.stopped == "interrupted"
    return ("grammar", "solve", "small.gps", "--scratch", "files", "--memory", "20MB", "--json")


def begin_board(seed: int) -> Command:
    root = PassRoot.of(BOARD)
    memory = memory_for(root, 11, WHOLE, 3000) // 1000 * 1000
    stopped(root, 11, PassLimits(memory, scratch=Path("files")), share=(0.3, 0.6, 0.9)[seed % 3])
    return ("solve", BOARD.text, "--scratch", "files", "--memory", f"{memory / 1e9:.6f}G", "--json")


def begin_data(seed: int) -> Command:
    make_games("files", "pentago", count=60, seed=5, shards=3)
    return [("data", "statistics", "files", "--json"), ("data", "tree", "files", "--json"), GAMES][seed % 3]


RUNS: dict[str, tuple[Callable[[int], Command], int]] = {
    "grammar explore --scratch": (begin_exploration, 16),
    "grammar solve --scratch": (begin_solution, 14),
    "solve --scratch": (begin_board, 10),
    "data": (begin_data, 10),
}
CASES = [(name, seed) for seed in range(16) for name, (_, runs) in RUNS.items() if seed < runs]


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many units of work, few pages in memory, many files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exploration, "ITEMS_OF_SMALLEST_UNIT", 400)
    monkeypatch.setattr(scratch, "FRAMES", 60)
    monkeypatch.setattr(level_files, "FILE_BYTES", 8000)


def result(text: str) -> dict[str, Any]:
    """What a command has printed, without what depends on the time and on how far a run had come."""
    found = json.loads(text)
    return {
        name: value for name, value in (found if isinstance(found, dict) else {"rows": found}).items()
        if name not in ("seconds", "nodes", "folder", "scratch", "processes", "solution")
    } | ({"solution": {**found["solution"], "seconds": 0}} if "solution" in found else {})  # fmt: skip


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize(("name", "seed"), CASES)
def test_a_flipped_bit_changes_no_result(
    name: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin, _ = RUNS[name]
    words = begin(seed)
    shutil.copytree("files", "sound")
    capsys.readouterr()
    assert main([*words]) == 0
    expected = result(capsys.readouterr().out)
    shutil.rmtree("files", ignore_errors=True)
    shutil.copytree("sound", "files")

    chance = random.Random(f"{name} {seed}")
    files = sorted(path for path in Path("files").rglob("*") if path.is_file() and path.stat().st_size)
    file = chance.choice(files)
    data, place = bytearray(file.read_bytes()), chance.randrange(file.stat().st_size)
    data[place] ^= 1 << chance.randrange(8)
    file.write_bytes(data)

    code = main([*words])
    out, err = capsys.readouterr()
    if code == 0:
        assert result(out) == expected
        return
    assert code == 2, (file, place, err)
    line = re.fullmatch(r"pentad: ([^\n]*)\n", err)
    assert line, err
    assert "Internal error" not in line[1]
    assert "worker" not in line[1]
    assert file.name in line[1]
    for name_of_it in re.findall(r"(?:Remove|Delete) (\S+?)(?:;| to begin again| and run)", line[1]):
        removed = file if name_of_it == "it" else Path(name_of_it)
        shutil.rmtree(removed) if removed.is_dir() else removed.unlink()
    if "in another folder" in line[1]:
        shutil.rmtree("files")
    if name == "data":
        assert main([*GAMES]) == 0
        capsys.readouterr()
    assert main([*words]) == 0
    assert result(capsys.readouterr().out) == expected


def test_fifty_runs_are_sampled() -> None:
    assert len(CASES) == 50
