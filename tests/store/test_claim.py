"""One server for a database: the second is told where the first one is, and a killed one leaves it free."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from pentad.store import Claim, Claimed, Store, claim
from tests.store.conftest import NewUrl
from tests.store.postgres import Cluster

HOLD = """
import sys
from pentad.store import Claim
claim = Claim(sys.argv[1])
claim.tell("http://127.0.0.1:5005/")
print("here", flush=True)
sys.stdin.read()
"""


def claimed_soon(url: str) -> Claim:
    """PostgreSQL notices a moment later that somebody is gone."""
    for _ in range(100):
        try:
            return Claim(url)
        except Claimed:
            time.sleep(0.05)
    pytest.fail("it is claimed still")


def test_a_second_server_is_told_where_the_first_one_is(url: str, new_url: NewUrl) -> None:
    Store.open(url).close()
    first = Claim(url)
    first.tell("http://127.0.0.1:5005/")
    with pytest.raises(Claimed, match=r"served already, at http://127\.0\.0\.1:5005/$") as told:
        Claim(url)
    assert told.value.where == "http://127.0.0.1:5005/"
    Claim(new_url()).release()
    first.release()
    second = Claim(url)
    second.tell("b")
    with pytest.raises(Claimed, match=r"at b$"):
        Claim(url)
    second.release()


def test_who_is_asked_before_it_can_say_where_it_is_is_asked_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Claim(url)
    monkeypatch.setattr(claim, "_SAYS_WITHIN", 0.3)
    with pytest.raises(Claimed, match=r"at another place$"):
        Claim(url)
    monkeypatch.setattr(claim.time, "sleep", lambda _: first.tell("http://127.0.0.1:1/"))
    with pytest.raises(Claimed, match=r"at http://127.0.0.1:1/$"):
        Claim(url)
    first.release()


def test_another_machine_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Claim(url)
    monkeypatch.setattr(claim.socket, "gethostname", lambda: "elsewhere")
    first.tell("http://127.0.0.1:5005/")
    monkeypatch.undo()
    with pytest.raises(Claimed, match=r"at http://127.0.0.1:5005/ on elsewhere$") as told:
        Claim(url)
    assert told.value.where == ""
    first.release()


def test_a_killed_server_leaves_it_free(url: str) -> None:
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
    first.tell("a")
    with pytest.raises(Claimed):
        Claim(f"sqlite:///{tmp_path}/link.db")
    first.release()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_claim_whose_file_was_removed_is_made_again(tmp_path: Path) -> None:
    url, lock = f"sqlite:///{tmp_path}/games.db", tmp_path / ".games.db.lock"
    first = Claim(url)
    first.tell("a")
    first.check()
    lock.unlink()
    first.check()
    with pytest.raises(Claimed, match=r"at a$"):
        Claim(url)
    lock.unlink()
    second = Claim(url)
    second.tell("b")
    with pytest.raises(Claimed, match=r"at b$"):
        first.check()
    first.release()
    with pytest.raises(Claimed, match=r"at b$"):
        Claim(url)
    second.release()


# ── PostgreSQL ───────────────────────────────────────────────────────────────────────────────────


def test_a_claim_is_made_again_when_its_server_was_started_anew(cluster: Cluster) -> None:
    url = cluster.url()
    first = Claim(url)
    first.tell("a")
    for quicker in (False, True):
        cluster.stop("immediate")
        try:
            with pytest.raises(Exception, match="cannot be used") as told:
                first.check()
            assert "\n" not in str(told.value)
        finally:
            cluster.start()
        if quicker:
            second = Claim(url)
            second.tell("b")
            with pytest.raises(Claimed, match=r"at b$"):
                first.check()
            second.release()
        else:
            first.check()
            with pytest.raises(Claimed, match=r"at a$"):
                Claim(url)
    first.release()
