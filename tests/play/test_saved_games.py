"""Kept games: names, order, locks between processes, damage, folders where nothing can be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pentad import user_files
from pentad.game import GameError, Outcome
from pentad.play.saved_games import Busy, SavedGame, listing, resume
from pentad.record import Record


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def played(*moves: str) -> Record:
    record = Record("pentago")
    for move in moves:
        record.play(move)
    return record


def keep(record: Record, age: int = 0) -> str:
    """Keep a game as one last played some seconds ago; its name."""
    kept = SavedGame.new("pentago")
    kept.save(record)
    kept.release()
    now = kept.path.stat().st_mtime
    os.utime(kept.path, (now - age, now - age))
    return kept.name


def test_a_game_comes_back_as_it_was():
    record = played("a2 1C", "c3 4A")
    name = keep(record)
    kept, again, passed = resume(name)
    assert (again, passed, kept.name) == (record, [], name)
    kept.release()


def test_names_count_on():
    assert [keep(played("a2 1C")) for _ in range(3)] == ["pentago-1", "pentago-2", "pentago-3"]
    SavedGame("pentago-2").discard()
    assert keep(played()) == "pentago-4"


def test_listing_has_the_latest_first():
    keep(played("a2 1C"), age=100)
    keep(played("b2 1C"), age=10)
    keep(played("c2 1C"), age=50)
    assert [each.name for each in listing()] == ["pentago-2", "pentago-3", "pentago-1"]
    assert next(listing()).record == played("b2 1C")


def test_resume_takes_the_latest_that_goes_on():
    keep(played("a2 1C"), age=100)
    ended = played("b2 1C")
    ended.ended = Outcome.of((0,), 2, "resigned")
    keep(ended, age=10)
    kept, record, _ = resume()
    assert (kept.name, record) == ("pentago-1", played("a2 1C"))
    kept.release()
    kept, record, _ = resume("pentago")
    assert kept.name == "pentago-1"
    kept.release()
    assert resume("pentago-2")[1] == ended


def test_resume_passes_over_what_is_held_and_what_is_damaged(home: Path):
    keep(played("a2 1C"), age=100)
    held = keep(played("b2 1C"), age=50)
    damaged = keep(played("c2 1C", "c3 1C"), age=10)
    path = home / "games" / f"{damaged}.pentad"
    path.write_text(path.read_text()[:-3])
    holder = SavedGame(held)
    kept, record, passed = resume()
    assert (kept.name, record) == ("pentago-1", played("a2 1C"))
    assert passed[0].startswith("the kept game pentago-3 cannot be read (line 4, column 18: Expected the game's result")
    assert passed[0].endswith(" and is left as it is")
    assert passed[1:] == ["the game pentago-2 is being played by another process"]
    with pytest.raises(GameError, match=r"there is no unfinished game to go on with; the kept game pentago-3"):
        resume()
    with pytest.raises(GameError, match=r"^the kept game pentago-3 cannot be read: line 4, column 18"):
        resume("pentago-3")
    kept.release()
    holder.release()


def test_a_game_is_held_by_one_process_at_a_time(home: Path):
    name = keep(played("a2 1C"))
    code = f"from pentad.play.saved_games import SavedGame; SavedGame({name!r}); print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(Busy, match="pentago-1 is being played by another process"):
            resume(name)
        other.kill()
        other.wait()
    kept, _, _ = resume(name)  # a lock ends with its process, though its file is still there
    assert (home / "games" / ".pentago-1.lock").exists()
    kept.release()
    assert not (home / "games" / ".pentago-1.lock").exists()


def test_two_processes_never_take_one_name():
    held = [SavedGame.new("pentago") for _ in range(5)]
    assert len({kept.name for kept in held}) == 5
    for kept in held:
        kept.release()


@pytest.mark.parametrize("name", ["", "../x", ".hidden", "a/b", "nix", "pentago-9", "a" * 200, "a\0b"])
def test_names_that_are_none(name: str):
    with pytest.raises(GameError):
        resume(name)


def test_a_folder_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PENTAD_HOME", "/dev/null/x")
    assert list(listing()) == []
    with pytest.raises(OSError, match="Not a directory"):
        SavedGame.new("pentago")
    with pytest.raises(GameError, match="no unfinished game"):
        resume()


def test_files_that_are_no_text(home: Path):
    name = keep(played())
    (home / "games" / f"{name}.pentad").write_bytes(b"\x89PNG")
    (only,) = listing()
    assert (only.record, only.is_unfinished) == (None, False)
    assert only.trouble == "line 1, column 1: Invalid UTF-8: unexpected byte 0x89."


# ── writing safely ───────────────────────────────────────────────────────────────────────────────


def test_a_write_that_fails_leaves_the_old_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.txt"
    user_files.write_safely(path, "old")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as error:
        user_files.write_safely(path, "new")
    assert error.value.filename == str(path)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_links_and_modes_stay(tmp_path: Path):
    path, link = tmp_path / "a.txt", tmp_path / "link.txt"
    path.write_text("old")
    path.chmod(0o600)
    link.symlink_to(path)
    user_files.write_safely(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600


def test_devices_are_written_not_replaced():
    user_files.write_safely(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()


def test_home_is_the_users_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PENTAD_HOME", "~/here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_files.games() == tmp_path / "here" / "games"
    monkeypatch.delenv("PENTAD_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert user_files.home().name == "pentad"
