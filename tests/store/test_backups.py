"""Backups: a copy made under load is a moment of the database; whatever fails, no file changes."""

from __future__ import annotations

import asyncio
import errno
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.store import Claim, Claimed, Store, sqlite_files
from pentad.store.backups import back_up, inspected, restore
from pentad.system.files import Busy, Lock
from tests.properties import some_of
from tests.store import real_games
from tests.store.postgres import Cluster
from tests.store.real_games import contents, tables
from tests.waiting import wait_until


def ignore(done: int, pages: int) -> None:
    """No progress is shown."""


@pytest.fixture
def url(file: Path) -> str:
    """A database with two games."""
    real_games.make(f"sqlite:///{file}")
    return f"sqlite:///{file}"


@pytest.fixture
def backup(url: str, tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return back_up(url, tmp_path / "backups" / "sunday.db", ignore).path


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises(GameError) as refused:
        work()
    assert "\n" not in str(refused.value)
    return str(refused.value)


# ── backups ──────────────────────────────────────────────────────────────────────────────────────


def test_a_backup_under_load_is_a_moment_of_every_game(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Four threads play while it is made page by page, and each page waits for another move."""
    monkeypatch.setattr(sqlite_files, "_PAGES", 5)
    url, copy, restored = f"sqlite:///{file}", tmp_path / "copy.db", f"sqlite:///{tmp_path / 'second.db'}"
    real_games.make(url)
    store, end = Store.open(url), threading.Event()
    played: dict[str, int] = {}

    async def play_on(thread: int) -> None:
        while not end.is_set():
            name = f"t{thread}-{len(played)}"
            await real_games.play(store, name)
            played[name] = real_games.MOVES

    threads = [threading.Thread(target=asyncio.run, args=(play_on(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: len(played) > 4)
        before = {**played}

        def progress(done: int, pages: int) -> None:
            games = len(played)
            wait_until(lambda: len(played) > games)

        assert back_up(url, copy, progress).games >= len(before) + 2
        during = {**played}
    finally:
        end.set()
        for thread in threads:
            thread.join()
    store.close()
    assert len(during) > len(before) + 3
    assert restore(restored, copy, ignore).replaced is None
    now, then = tables(url), tables(restored)
    names = {row[0] for row in then["games"]}
    assert before.keys() <= names
    assert not during.keys() <= names, "it has games that began after it"
    for name in names:
        events = [row for row in then["events"] if row[0] == name]
        assert events == [row for row in now["events"] if row[0] == name][: len(events)]
        assert next(row for row in then["games"] if row[0] == name).events == len(events)
    assert then["studies"] == now["studies"]


def test_a_backup_is_one_file_for_its_owner_alone(backup: Path) -> None:
    assert [each.name for each in backup.parent.iterdir()] == ["sunday.db"]
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_read_only_backup_can_be_read(backup: Path, tmp_path: Path) -> None:
    backup.chmod(0o400)
    assert restore(f"sqlite:///{tmp_path / 'new.db'}", backup, ignore).games == 2


def test_a_replaced_file_keeps_its_permissions(url: str, backup: Path) -> None:
    backup.chmod(0o640)
    back_up(url, backup, ignore)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o640


def test_what_a_killed_backup_has_left_is_removed_by_the_next_one(url: str, backup: Path) -> None:
    for name in (".sunday.db.part", ".sunday.db.part-journal"):
        backup.with_name(name).write_bytes(b"half a page")
    back_up(url, backup, ignore)
    assert [each.name for each in backup.parent.iterdir()] == ["sunday.db"]


def test_a_log_of_an_earlier_file_is_not_applied_to_a_backup(url: str, backup: Path) -> None:
    """As of a server that was started with the earlier file, and killed."""
    store = Store.open(f"sqlite:///{backup}")
    asyncio.run(real_games.play(store, "later"))
    log = backup.with_name("sunday.db-wal").read_bytes()
    store.close()
    backup.with_name("sunday.db-wal").write_bytes(log)
    back_up(url, backup, ignore)
    assert tables(f"sqlite:///{backup}") == tables(url)


def test_two_backups_to_one_file_do_not_mix(url: str, backup: Path) -> None:
    before = backup.read_bytes()
    with Lock(backup.with_name(".sunday.db.lock"), ""), pytest.raises(Busy):
        back_up(url, backup, ignore)
    assert backup.read_bytes() == before


@pytest.mark.parametrize("name", ["pentad.db", "pentad.db-wal", "link.db"])
def test_the_database_is_no_place_for_its_backup(url: str, file: Path, name: str) -> None:
    file.with_name("link.db").hardlink_to(file)
    before = contents(file.parent)
    assert "is the database itself" in refusal(lambda: back_up(url, file.with_name(name), ignore))
    assert contents(file.parent) == before


def test_a_missing_database_is_not_made(file: Path, tmp_path: Path) -> None:
    assert "There is no database" in refusal(lambda: back_up(f"sqlite:///{file}", tmp_path / "copy.db", ignore))
    assert [*tmp_path.iterdir()] == []


def test_a_missing_folder_is_not_made(url: str, tmp_path: Path) -> None:
    assert "There is no folder" in refusal(lambda: back_up(url, tmp_path / "none" / "copy.db", ignore))
    assert not (tmp_path / "none").exists()


def test_a_device_is_not_replaced(url: str, tmp_path: Path) -> None:
    (tmp_path / "null").symlink_to("/dev/null")
    assert "is not a regular file" in refusal(lambda: back_up(url, tmp_path / "null", ignore))
    assert Path("/dev/null").is_char_device()


# ── failures in the middle ───────────────────────────────────────────────────────────────────────


def state(backup: Path) -> list[dict[str, bytes]]:
    """The files beside the database, and those beside the backup."""
    return [contents(folder) for folder in (backup.parent.parent, backup.parent)]


@pytest.mark.skipif(sys.platform == "win32", reason="processes have no such limit there")
@pytest.mark.parametrize("work", [back_up, restore])
def test_a_full_disk_changes_nothing(url: str, backup: Path, work: Callable[..., object]) -> None:
    import resource

    before = state(backup)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
    try:
        assert "Cannot copy " in refusal(lambda: work(url, backup, ignore))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert state(backup) == before


@pytest.mark.parametrize("work", [back_up, restore])
def test_without_the_right_to_write_nothing_changes(
    url: str, backup: Path, work: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:  # root may write anywhere
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    before = state(backup)
    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(PermissionError):
        work(url, backup, ignore)
    assert state(backup) == before


@pytest.mark.parametrize("work", [back_up, restore])
def test_ctrl_c_changes_nothing(url: str, backup: Path, work: Callable[..., object]) -> None:
    def stop(done: int, pages: int) -> None:
        raise KeyboardInterrupt

    before = state(backup)
    with pytest.raises(KeyboardInterrupt):
        work(url, backup, stop)
    assert state(backup) == before


KILLED = """
import os, signal, sys
from pathlib import Path
from pentad.store import backups, sqlite_files
work, url, path, left = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
sqlite_files._PAGES = 8

def trace(frame, event, _):
    global left
    if Path(frame.f_code.co_filename).stem not in ("backups", "sqlite_files"):
        return None
    left -= event == "line"
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return trace

sys.settrace(trace)
getattr(backups, work)(url, path, lambda *_: None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("work", ["back_up", "restore"])
def test_a_killed_process_leaves_whole_files(work: str, file: Path, tmp_path: Path) -> None:
    """It is killed after every seventh line of the modules that copy."""
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    for path, games in ((old, 1), (new, 3)):
        real_games.make(f"sqlite:///{path}", games)
    codes = []
    for line in range(3, 1000, 7):
        if work == "back_up":
            url, target, copy = f"sqlite:///{new}", tmp_path / "copy.db", tmp_path / "copy.db"
        else:
            shutil.copy(old, file)
            url, target, copy = (
                f"sqlite:///{file}",
                file,
                back_up(f"sqlite:///{new}", tmp_path / "copy.db", ignore).path,
            )
        done = subprocess.run([sys.executable, "-c", KILLED, work, url, str(copy), str(line)], check=False)
        codes.append(done.returncode)
        if target.exists():
            games = [row[0] for row in tables(f"sqlite:///{target}")["games"]]
            assert games in ([["g0", "g1", "g2"]] if work == "back_up" else [["g0"], ["g0", "g1", "g2"]])
        else:
            assert work == "back_up"
        kept = [*tmp_path.glob("pentad-replaced-*.db")]
        assert [len(tables(f"sqlite:///{each}")["games"]) for each in kept] in ([], [1])
        for each in (*kept, *tmp_path.glob("copy.db")):
            each.unlink()
        if done.returncode == 0:
            break
    assert {*codes[:-1]} == {-signal.SIGKILL}
    assert codes[-1] == 0
    assert len(codes) > 8
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


# ── restored databases ───────────────────────────────────────────────────────────────────────────


def test_the_replaced_database_is_kept(url: str, backup: Path, file: Path) -> None:
    store = Store.open(url)
    asyncio.run(real_games.play(store, "later"))
    later = tables(url)
    made = restore_of_killed(url, backup, store)
    assert made.replaced is not None
    assert made.replaced.name.startswith("pentad-replaced-20")
    assert tables(f"sqlite:///{made.replaced}") == later
    assert [row[0] for row in tables(url)["games"]] == ["g0", "g1"]
    Store.open(url).close()


def restore_of_killed(url: str, backup: Path, store: Store):
    """Restores while the write-ahead log is still there, as after a crash."""
    assert Path(f"{url.removeprefix('sqlite:///')}-wal").stat().st_size
    try:
        return restore(url, backup, ignore)
    finally:
        store.close()


def test_a_damaged_database_is_replaced_and_kept_with_its_log(url: str, backup: Path, file: Path) -> None:
    file.write_bytes(b"garbage" * 1000)
    file.with_name("pentad.db-wal").write_bytes(b"its log")
    made = restore(url, backup, ignore)
    assert made.replaced is not None
    assert made.replaced.read_bytes() == b"garbage" * 1000
    assert made.replaced.with_name(f"{made.replaced.name}-wal").read_bytes() == b"its log"
    assert len(tables(url)["games"]) == 2


def test_without_links_the_replaced_database_is_copied(url: str, backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(self: Path, target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    made = restore(url, backup, ignore)
    assert tables(f"sqlite:///{made.replaced}") == tables(url)


def test_a_database_in_use_is_not_replaced(url: str, backup: Path) -> None:
    claim = Claim(url)
    claim.announce("http://127.0.0.1:5005/")
    before = state(backup)
    with pytest.raises(Claimed, match=r"already being served at http://127\.0\.0\.1:5005/"):
        restore(url, backup, ignore)
    assert state(backup) == before
    claim.release()


def test_a_claim_during_a_restore_says_so(url: str, backup: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked.db"
    linked.symlink_to(url.removeprefix("sqlite:///"))
    refusals: list[Claimed] = []

    def claim(done: int, pages: int) -> None:
        for each in (url, f"sqlite:///{linked}"):
            with pytest.raises(Claimed) as refused:
                Claim(each)
            refusals.append(refused.value)

    restore(url, backup, claim)
    assert len(refusals) > 1
    for each in refusals:
        assert str(each).endswith(" is being restored from a backup. Try again when that is done.")
        assert each.where == ""
    Claim(url).release()


def test_a_refused_restore_makes_no_database(backup: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as raw:
        raw.execute("CREATE TABLE recipes (name TEXT)")
    raw.close()
    refusal(lambda: restore(f"sqlite:///{tmp_path / 'new.db'}", foreign, ignore))
    assert not (tmp_path / "new.db").exists()


def in_sql(statement: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with sqlite3.connect(file) as raw:
            raw.execute("PRAGMA foreign_keys = OFF")
            raw.execute(statement)
            raw.execute("PRAGMA user_version = 0")
        raw.close()

    return change


def cut(share: float) -> Callable[[Path], None]:
    return lambda file: file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)]) and None


UNUSABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "half": (cut(0.5), "is damaged: its checksum is wrong"),
    "without its last byte": (
        lambda file: file.write_bytes(file.read_bytes()[:-1]),
        "is damaged: its checksum is wrong",
    ),
    "a part of a page": (lambda file: file.write_bytes(file.read_bytes()[:50]), "Cannot copy "),
    "empty": (lambda file: file.write_bytes(b""), "is not a pentad database"),
    "text": (lambda file: file.write_text("games " * 1000), "file is not a database"),
    "another program's": (in_sql("DROP TABLE pentad_version"), "is not a pentad database"),
    "newer": (in_sql("UPDATE pentad_version SET version_num = '9999'"), "was written by a newer pentad (schema 9999"),
    "unreleased": (in_sql("UPDATE pentad_version SET version_num = '0003'"), "before the first release"),
    "games without events' games": (in_sql("DELETE FROM games"), "of events refers to a row that games lacks"),
    "a folder": (lambda file: (file.unlink(), file.mkdir()), "There is no file"),
    "missing": (Path.unlink, "There is no file"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_an_unusable_file_is_not_restored(url: str, backup: Path, file: Path, kind: str) -> None:
    spoil, why = UNUSABLE[kind]
    spoil(backup)
    before = contents(file.parent)
    message = refusal(lambda: restore(url, backup, ignore))
    assert why in message
    assert str(backup) in message
    assert contents(file.parent) == before


def test_a_flipped_bit_is_noticed(url: str, backup: Path) -> None:
    """Wherever it is; SQLite alone would not notice one in a text."""
    whole, chance = backup.read_bytes(), random.Random(7)
    places = [0, 18, 19, 24, 60, 63, 99, *(chance.randrange(len(whole)) for _ in range(some_of(200)))]
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        backup.write_bytes(changed)
        refusal(lambda: restore(url, backup, ignore))
    backup.write_bytes(whole)
    assert restore(url, backup, ignore).games == 2


def test_a_database_in_use_has_no_checksum(url: str, backup: Path) -> None:
    """Also if it is a backup that a server was started with."""
    store = Store.open(f"sqlite:///{backup}")
    asyncio.run(real_games.play(store, "later"))
    store.close()
    assert restore(url, backup, ignore).games == 3


# ── checks ───────────────────────────────────────────────────────────────────────────────────────


def test_a_check_leaves_a_file_as_it_is(backup: Path) -> None:
    before = contents(backup.parent)
    with inspected(f"sqlite:///{backup}") as database:
        assert database.faults == []
    assert contents(backup.parent) == before


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_a_log_of_another_file_beside_a_backup_is_refused(url: str, backup: Path, suffix: str) -> None:
    """SQLite would write it into the backup."""
    backup.with_name(f"sunday.db{suffix}").write_bytes(b"pages of another file")
    before = state(backup)
    for use in (lambda: restore(url, backup, ignore), lambda: inspected(f"sqlite:///{backup}").__enter__()):
        assert f"sunday.db{suffix} does not belong to" in refusal(use)
    assert state(backup) == before


def test_a_changed_backup_has_a_fault(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes().replace(b"Ada", b"Eva"))
    with inspected(f"sqlite:///{backup}") as database:
        assert database.faults == ["the checksum of the file is wrong"]


def test_ctrl_c_ends_a_long_check_of_a_file(file: Path, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    class Future:
        def result(self) -> None:
            raise KeyboardInterrupt

    begun: list[object] = []
    monkeypatch.setattr(sqlite_files, "run_detached", lambda work, name: begun.append(work) or Future())
    monkeypatch.setattr(sqlite_files, "wait", begun.append)
    with pytest.raises(KeyboardInterrupt):
        sqlite_files.faults(file)
    assert len(begun) == 2


# ── PostgreSQL ───────────────────────────────────────────────────────────────────────────────────


def test_postgresql_is_left_to_its_own_programs(cluster: Cluster, tmp_path: Path) -> None:
    """The lines that are printed back the database up, and restore it."""
    url = cluster.database_url("kept")
    real_games.make(url)
    before = tables(url)
    lines = [refusal(lambda work=work: work(url, tmp_path / "kept dump", ignore)) for work in (back_up, restore)]
    cluster.run_shell(lines[0].partition("Run: ")[2])
    store = Store.open(url)
    asyncio.run(real_games.play(store, "later"))
    store.close()
    assert tables(url) != before
    cluster.run_shell(lines[1].partition("run: ")[2])
    assert tables(url) == before


def test_the_lines_for_postgresql_have_no_password(tmp_path: Path) -> None:
    url = "postgresql://ada:hunter2@host/games?sslpassword=hunter2&sslmode=require"
    for work in (back_up, restore):
        line = refusal(lambda work=work: work(url, tmp_path / "x", ignore))
        assert "postgresql://ada@host/games?sslmode=require" in line
        assert "hunter2" not in line
