"""Saved games: names, order, locks between processes, damaged files and unwritable folders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pentad.game import GameError, Outcome
from pentad.play.saved_games import Busy, SavedGame, listing, resume
from pentad.record import Record
from pentad.system import files as user_files


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def played(*moves: str) -> Record:
    record = Record("pentago")
    for move in moves:
        record.play(move)
    return record


def save(record: Record, age: int = 0) -> str:
    """Save a game last played `age` seconds ago; returns its name."""
    saved = SavedGame.new("pentago")
    saved.save(record)
    saved.release()
    now = saved.path.stat().st_mtime
    os.utime(saved.path, (now - age, now - age))
    return saved.name


def test_a_game_round_trips():
    record = played("a2 1C", "c3 4A")
    name = save(record)
    saved, again, skipped = resume(name)
    assert (again, skipped, saved.name) == (record, [], name)
    saved.release()


def test_names_are_numbered():
    assert [save(played("a2 1C")) for _ in range(3)] == ["pentago-1", "pentago-2", "pentago-3"]
    SavedGame("pentago-2").discard()
    SavedGame("pentago-2").release()  # it is not locked
    assert save(played()) == "pentago-4"


def test_a_name_that_another_process_takes_in_the_meantime_is_left_to_it(monkeypatch: pytest.MonkeyPatch):
    name = save(played("a2 1C"))
    with monkeypatch.context() as meantime:
        meantime.setattr(Path, "glob", lambda *_: iter(()))
        saved = SavedGame.new("pentago")
    assert saved.name == "pentago-2"
    saved.release()
    resume(name)[0].release()  # it is not locked


def test_the_latest_game_is_listed_first():
    save(played("a2 1C"), age=100)
    save(played("b2 1C"), age=10)
    save(played("c2 1C"), age=50)
    assert [each.name for each in listing()] == ["pentago-2", "pentago-3", "pentago-1"]
    assert next(listing()).record == played("b2 1C")


def test_resume_takes_the_latest_unfinished_game():
    save(played("a2 1C"), age=100)
    ended = played("b2 1C")
    ended.ended = Outcome.of((0,), 2, "resigned")
    save(ended, age=10)
    assert [(each.name, each.is_unfinished) for each in listing()] == [("pentago-2", False), ("pentago-1", True)]
    saved, record, _ = resume()
    assert (saved.name, record) == ("pentago-1", played("a2 1C"))
    saved.release()
    saved, record, _ = resume("pentago")
    assert saved.name == "pentago-1"
    saved.release()
    assert resume("pentago-2")[1] == ended
    with pytest.raises(GameError, match="no unfinished game of pente"):
        resume("pente")


@pytest.mark.parametrize(("count", "shown"), [(0, "none"), (5, "pentago-5, .*, pentago-1"), (6, "pentago-6, .*-2, …")])
def test_an_unknown_name_is_answered_with_the_latest_names(count: int, shown: str):
    for number in range(count):
        save(played(), age=10 - number)
    with pytest.raises(GameError, match=rf"Saved games: {shown}\.$"):
        resume("nothing")


def test_resume_skips_locked_and_damaged_games(home: Path):
    save(played("a2 1C"), age=100)
    locked = save(played("b2 1C"), age=50)
    damaged = save(played("c2 1C", "c3 1C"), age=10)
    path = home / "games" / f"{damaged}.pentad"
    path.write_text(path.read_text()[:-3])
    holder = SavedGame(locked)
    saved, record, skipped = resume()
    assert (saved.name, record) == ("pentago-1", played("a2 1C"))
    assert skipped[0].startswith("Cannot read the saved game pentago-3: line 4, column 18: ")
    assert skipped[0].endswith(" It is left unchanged.")
    assert skipped[1:] == ["Another process is playing the game pentago-2."]
    with pytest.raises(GameError, match=r"no unfinished game .* game pentago-3"):
        resume()
    with pytest.raises(GameError, match=r"saved game pentago-3 .*: line 4, column 18"):
        resume("pentago-3")
    saved.release()
    holder.release()


def test_a_game_is_locked_by_one_process_at_a_time(home: Path):
    name = save(played("a2 1C"))
    code = f"from pentad.play.saved_games import SavedGame; SavedGame({name!r}); print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(Busy, match=r"Another process .* pentago-1"):
            resume(name)
        other.kill()
        other.wait()
    saved, _, _ = resume(name)  # a lock ends with its process, though its file is still there
    assert (home / "games" / ".pentago-1.lock").exists()
    saved.release()
    assert not (home / "games" / ".pentago-1.lock").exists()


def test_new_games_get_different_names():
    held = [SavedGame.new("pentago") for _ in range(5)]
    assert len({saved.name for saved in held}) == 5
    for saved in held:
        saved.release()


@pytest.mark.parametrize("name", ["", "../x", ".hidden", "a/b", "nix", "pentago-9", "a" * 200, "a\0b"])
def test_bad_names_are_refused(name: str):
    with pytest.raises(GameError):
        resume(name)


@pytest.mark.parametrize("name", ["a b", ".hidden"])
def test_a_file_with_another_kind_of_name_is_no_saved_game(home: Path, name: str):
    path = home / "games" / f"{save(played())}.pentad"
    path.rename(path.with_name(f"{name}.pentad"))
    with pytest.raises(GameError, match="no saved game"):
        resume(name)


def test_an_unwritable_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PENTAD_HOME", "/dev/null/x")
    assert list(listing()) == []
    with pytest.raises(OSError, match="Not a directory"):
        SavedGame.new("pentago")
    with pytest.raises(GameError, match="no unfinished game"):
        resume()


def test_files_that_are_not_text(home: Path):
    name = save(played())
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


def test_devices_are_written_and_not_replaced():
    user_files.write_safely(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()


def test_home_is_the_users_unless_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PENTAD_HOME", "~/here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_files.games() == tmp_path / "here" / "games"
    monkeypatch.delenv("PENTAD_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert user_files.home().name == "pentad"
