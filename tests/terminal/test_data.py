"""`pentad data`: making, questions, bad input."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pentad import new
from pentad.play.data import make as making
from pentad.record import Record
from pentad.system.checked_files import read_json, with_check
from tests.terminal.conftest import Pentad
from tests.waiting import wait_until


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_games_are_made_and_searched(pentad: Pentad) -> None:
    answer = pentad("data", "games", "pentago", "--count", "60", "--shards", "2", "--out", "games")
    assert answer.code == 0
    assert answer.out.startswith("games: 60 games, 1,")
    assert pentad("data", "games", "pentago", "--count", "60", "--shards", "2", "--out", "games").out == answer.out
    numbers = pentad("data", "statistics", "games")
    assert numbers.lines[0] == "games: 60"
    assert json.loads(pentad("data", "statistics", "games", "--json").out)["games"] == 60
    tree = pentad("data", "tree", "games")
    assert tree.lines[0] == "6 moves, up to symmetry"
    moves = json.loads(pentad("data", "tree", "games", "--json").out)
    assert sum(each["times"] for each in moves) == 60
    found = pentad("data", "search", "games", moves[0]["move"], "--limit", "1")
    assert found.lines[0] == f"{moves[0]['times']} occurrences"
    assert found.lines[1].startswith("game ")
    assert len(found.lines) == 2
    text = new("pentago").play(moves[0]["move"]).text
    assert pentad("data", "search", "games", "--position", text, "--limit", "1").out == found.out
    assert json.loads(pentad("data", "search", "games", "--json").out)["count"] == 60


def test_a_set_is_checked(pentad: Pentad, folder: Path) -> None:
    pentad("data", "games", "pentago", "--count", "60", "--shards", "2", "--out", "games")
    answer = pentad("data", "check", "games")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("games: 4 files, ")
    assert json.loads(pentad("data", "check", "games", "--json").out) == {"files": 4, "faults": []}
    files = [folder / "games" / f"{table}-00001.parquet" for table in ("games", "positions")]
    for file in files:
        data = bytearray(file.read_bytes())
        data[99] ^= 1
        file.write_bytes(data)
    answer = pentad("data", "check", "games")
    assert (answer.code, answer.out) == (2, "")
    for line, file in zip(answer.err.splitlines(), files, strict=True):
        assert line.startswith(f"pentad: games/{file.name} is damaged: ")
    assert len(json.loads(pentad("data", "check", "games", "--json").out)["faults"]) == 2
    answer = pentad("data", "statistics", "games")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "games-00001.parquet is damaged" in answer.err
    answer = pentad("data", "games", "pentago", "--count", "60", "--shards", "2", "--out", "games")
    assert (answer.code, "games-00001.parquet is damaged" in answer.err) == (2, True)
    for file in files:
        file.unlink()
    assert pentad("data", "games", "pentago", "--count", "60", "--shards", "2", "--out", "games").code == 0
    assert pentad("data", "check", "games").code == 0


def test_rows_and_columns_are_checked(pentad: Pentad, folder: Path) -> None:
    """A set whose manifest was written by hand, with the right checksums."""
    pentad("data", "games", "pentago", "--count", "9", "--shards", "3", "--out", "games")
    path = folder / "games" / "manifest.json"
    manifest = read_json(path)
    manifest["files"][0]["rows"] = 7
    manifest["files"][1]["rows"] = manifest["files"][4]["rows"]
    for number, name in ((1, "positions-00001.parquet"), (2, "manifest.json")):
        data = (folder / "games" / name).read_bytes()
        (folder / "games" / manifest["files"][number]["name"]).write_bytes(data)
        manifest["files"][number] |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    path.write_text(json.dumps(with_check(manifest)), encoding="utf-8")
    answer = pentad("data", "check", "games")
    assert answer.code == 2
    assert answer.err.splitlines()[:2] == [
        "pentad: games/games-00000.parquet has 3 rows, not 7.",
        "pentad: games/games-00001.parquet has no column number.",
    ]
    assert answer.err.splitlines()[2:] == [
        "pentad: games/games-00002.parquet is not a file of Parquet.",
    ]


def test_labels_are_made(pentad: Pentad) -> None:
    answer = pentad("data", "labels", "pentago", "--count", "500", "--out", "labels", "--json")
    assert json.loads(answer.out)["files"][0]["rows"] == 500
    assert pentad("data", "statistics", "labels").lines[0] == "labels: 500"


@pytest.mark.slow
def test_labels_of_a_bot_are_made(pentad: Pentad) -> None:
    words = ("data", "labels", "pente", "--size", "9", "--count", "40", "--bot", "engine@1", "--out", "labels")
    assert pentad(*words).out.startswith("labels: 40 labels in 1 shard")
    answer = pentad("data", "statistics", "labels")
    assert answer.lines[0] == "labels: 40"
    assert re.fullmatch(r"ply \d+  labels \d+  exact \d+  mean -?[\d.]+", answer.lines[3])


def test_records_are_imported(pentad: Pentad, folder: Path) -> None:
    record = Record(new("pentago"))
    record.play("a1 1C")
    (folder / "one.txt").write_text(record.text, encoding="utf-8")
    assert pentad("data", "import", "one.txt", "--out", "made").out.startswith("made: 1 game, 1 position in 1 shard")
    assert pentad("data", "tree", "made").lines[1].split()[:3] == ["a1", "1C", "1"]


def test_ctrl_c_keeps_what_is_complete(pentad: Pentad, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    range_ = making._range

    def stopped(count: int, shards: int, shard: int) -> range:
        if shard:
            raise KeyboardInterrupt
        return range_(count, shards, shard)

    monkeypatch.setattr(making, "_range", stopped)
    words = ("data", "games", "pentago", "--count", "20", "--shards", "2", "--out", "games")
    answer = pentad(*words)
    assert (answer.code, answer.out) == (130, "")
    assert "are in games. Run the same" in answer.err
    assert pentad("data", "statistics", "games").code == 2
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert pentad(*words).code == 0


@pytest.mark.slow
def test_a_killed_process_is_continued(pentad: Pentad, folder: Path) -> None:
    words = ("games", "pentago", "--count", "4000", "--shards", "40", "--out")
    with subprocess.Popen([sys.executable, "-m", "pentad", "data", *words, "killed"]) as process:
        wait_until(lambda: bool([*folder.glob("killed/positions-*.parquet")]), "the first shard")
        process.kill()
    assert not json.loads((folder / "killed" / "manifest.json").read_text(encoding="utf-8"))["complete"]
    for name in ("killed", "whole"):
        assert pentad("data", *words, name).code == 0
    killed, whole = (
        {file.name: file.read_bytes() for file in (folder / name).iterdir()} for name in ("killed", "whole")
    )
    assert killed == whole


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
def test_a_full_disk_in_the_middle_of_a_shard(pentad: Pentad, folder: Path) -> None:
    import resource

    words = ("games", "pentago", "--count", "600", "--shards", "2", "--out")
    assert pentad("data", *words, "whole").code == 0
    smallest = min(file.stat().st_size for file in (folder / "whole").glob("positions-*.parquet"))
    run = subprocess.run(
        [sys.executable, "-m", "pentad", "data", *words, "full"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (smallest // 2, resource.RLIM_INFINITY)),
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"pentad: {(folder / 'full' / 'positions-00000.parquet').resolve()}: File too large.\n"
    assert sorted(file.name for file in (folder / "full").iterdir()) == ["games-00000.parquet", "manifest.json"]
    assert pentad("data", "statistics", "full").err.startswith("pentad: full is incomplete.")
    assert pentad("data", *words, "full").code == 0
    full, whole = ({file.name: file.read_bytes() for file in (folder / name).iterdir()} for name in ("full", "whole"))
    assert full == whole
