"""Exclusive claim of a database: a second server gets the first one's address, and a killed one frees it."""

import contextlib
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from pentad.store import Claim, Claimed, Store, server_lock
from tests.store.conftest import NewUrl
from tests.store.postgres import Cluster
from tests.waiting import TIMEOUT, wait_until

HOLD = """
import sys
from pentad.store import Claim
claim = Claim(sys.argv[1])
claim.announce("http://127.0.0.1:5005/")
print("here", flush=True)
sys.stdin.read()
"""


def claimed_soon(url: str) -> Claim:
    """Waits for a claim: PostgreSQL notices the end of a process a moment later."""
    claims: list[Claim] = []

    def is_free() -> bool:
        with contextlib.suppress(Claimed):
            claims.append(Claim(url))
        return bool(claims)

    wait_until(is_free, "the end of the claim")
    return claims[0]


@pytest.mark.fast_cases(1)
def test_a_second_server_gets_the_address_of_the_first(url: str, new_url: NewUrl) -> None:
    Store.open(url).close()
    first = Claim(url)
    first.announce("http://127.0.0.1:5005/")
    with pytest.raises(Claimed, match=r"already being served at http://127\.0\.0\.1:5005/\.$") as refused:
        Claim(url)
    assert refused.value.where == "http://127.0.0.1:5005/"
    Claim(new_url()).release()
    first.release()
    second = Claim(url)
    second.announce("b")
    with pytest.raises(Claimed, match=r"at b\.$"):
        Claim(url)
    second.release()


def test_a_claim_waits_for_the_address_of_the_first_server(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Claim(url)
    monkeypatch.setattr(server_lock, "_ANNOUNCE_SECONDS", 0.0)
    with pytest.raises(Claimed, match=r"at an unknown address\.$"):
        Claim(url)
    monkeypatch.setattr(server_lock, "_ANNOUNCE_SECONDS", TIMEOUT)
    monkeypatch.setattr(server_lock.time, "sleep", lambda _: first.announce("http://127.0.0.1:1/"))
    with pytest.raises(Claimed, match=r"at http://127\.0\.0\.1:1/\.$"):
        Claim(url)
    first.release()


def test_another_machine_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Claim(url)
    monkeypatch.setattr(server_lock.socket, "gethostname", lambda: "elsewhere")
    first.announce("http://127.0.0.1:5005/")
    monkeypatch.undo()
    with pytest.raises(Claimed, match=r"at http://127\.0\.0\.1:5005/ on elsewhere\.$") as refused:
        Claim(url)
    assert refused.value.where == ""
    first.release()


@pytest.mark.slow
def test_a_killed_server_frees_its_claim(url: str) -> None:
    Claim(url).release()
    command = [sys.executable, "-c", HOLD, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "here\n"
        with pytest.raises(Claimed):
            Claim(url)
        holder.kill()
        holder.wait()
    claimed_soon(url).release()


# ── SQLite ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators there")
def test_a_link_leads_to_the_same_games(tmp_path: Path) -> None:
    (tmp_path / "real.db").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    first = Claim(f"sqlite:///{tmp_path}/real.db")
    first.announce("a")
    with pytest.raises(Claimed):
        Claim(f"sqlite:///{tmp_path}/link.db")
    first.release()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def inode_lock(file: Path) -> Path:
    about = file.stat()
    return Path(tempfile.gettempdir()) / f"pentad-{about.st_dev:x}-{about.st_ino:x}.lock"


def test_a_hard_link_leads_to_the_same_games(tmp_path: Path) -> None:
    real, other = tmp_path / "real.db", tmp_path / "elsewhere" / "other.db"
    real.touch()
    other.parent.mkdir()
    other.hardlink_to(real)
    first = Claim(f"sqlite:///{real}")
    first.announce("a")
    with pytest.raises(Claimed, match=r"at a\.$"):
        Claim(f"sqlite:///{other}")
    first.check()
    first.release()
    assert not inode_lock(real).exists()
    second = Claim(f"sqlite:///{other}")
    second.announce("b")
    with pytest.raises(Claimed, match=r"at b\.$"):
        Claim(f"sqlite:///{real}")
    second.release()
    assert list(tmp_path.rglob(".*")) == []


def test_a_relative_path_leads_to_the_same_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Claim(f"sqlite:///{tmp_path}/games.db")
    first.announce("a")
    monkeypatch.chdir(tmp_path)
    for name in ("games.db", "./games.db", f"../{tmp_path.name}/games.db"):
        with pytest.raises(Claimed, match=r"at a\.$"):
            Claim(f"sqlite:///{name}")
    first.release()


def test_a_recreated_file_is_still_claimed_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    first = Claim(f"sqlite:///{file}")
    first.announce("a")
    file.unlink()
    with pytest.raises(Claimed, match=r"at a\.$"):
        Claim(f"sqlite:///{file}")
    first.release()


@pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators there")
def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    file, bait = tmp_path / "games.db", tmp_path / "bait"
    file.touch()
    bait.write_text("something of value")
    lock = inode_lock(file)
    lock.symlink_to(bait)
    try:
        first = Claim(f"sqlite:///{file}")
        first.announce("a")
        assert bait.read_text() == "something of value"
        with pytest.raises(Claimed, match=r"at a\.$"):
            Claim(f"sqlite:///{file}")
        first.release()
    finally:
        lock.unlink()


def test_a_claim_whose_lock_file_was_removed_is_renewed(tmp_path: Path) -> None:
    url, lock = f"sqlite:///{tmp_path}/games.db", tmp_path / ".games.db.lock"
    first = Claim(url)
    first.announce("a")
    first.check()
    lock.unlink()
    first.check()
    with pytest.raises(Claimed, match=r"at a\.$"):
        Claim(url)
    lock.unlink()
    with pytest.raises(Claimed, match=r"at a\.$"):
        Claim(url)
    inode_lock(tmp_path / "games.db").unlink()
    second = Claim(url)
    second.announce("b")
    with pytest.raises(Claimed, match=r"at b\.$"):
        first.check()
    first.release()
    with pytest.raises(Claimed, match=r"at b\.$"):
        Claim(url)
    second.release()


def test_an_unresponsive_database_is_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = threading.Event()
    first = Claim(f"sqlite:///{tmp_path}/games.db")
    release = first._lock.release
    monkeypatch.setattr(first._lock, "release", frozen.wait)
    monkeypatch.setattr(server_lock, "_RELEASE_SECONDS", 0.01)
    first.release()
    frozen.set()
    release()


# ── PostgreSQL ───────────────────────────────────────────────────────────────────────────────────


def test_a_claim_is_renewed_after_a_restart_of_postgresql(cluster: Cluster) -> None:
    url = cluster.url()
    first = Claim(url)
    first.announce("a")
    for quicker in (False, True):
        cluster.stop("immediate")
        try:
            with pytest.raises(Exception, match="Cannot open the database") as failed:
                first.check()
            assert "\n" not in str(failed.value)
        finally:
            cluster.start()
        if quicker:
            second = Claim(url)
            second.announce("b")
            with pytest.raises(Claimed, match=r"at b\.$"):
                first.check()
            second.release()
        else:
            first.check()
            with pytest.raises(Claimed, match=r"at a\.$"):
                Claim(url)
    first.release()
