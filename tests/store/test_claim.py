"""One server for a database: the second is told where the first one is, and a killed one leaves it free."""

import subprocess
import sys

import pytest

from pentad.store import Claimed, Store
from tests.store.conftest import NewUrl

HOLD = """
import sys
from pentad.store import Store
with Store.open(sys.argv[1]).alone("http://127.0.0.1:5005/"):
    print("here", flush=True)
    sys.stdin.read()
"""


def test_a_second_server_is_told_where_the_first_one_is(url: str, new_url: NewUrl) -> None:
    first, second, other = Store.open(url), Store.open(url), Store.open(new_url())
    with first.alone("http://127.0.0.1:5005/"):
        with pytest.raises(Claimed, match=r"served already, at http://127\.0\.0\.1:5005/$") as told, second.alone("b"):
            pass
        assert told.value.where == "http://127.0.0.1:5005/"
        assert "secret" not in str(told.value)
        with other.alone("another database"):
            pass
    with second.alone("b"), pytest.raises(Claimed, match=r"at b$"), first.alone("a"):
        pass
    for each in (first, second, other):
        each.close()


def test_a_killed_server_leaves_it_free(url: str) -> None:
    command = [sys.executable, "-c", HOLD, url]
    with Store.open(url).alone("a"):
        pass
    store = Store.open(url)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "here\n"
        with pytest.raises(Claimed), store.alone("b"):
            pass
        holder.kill()
        holder.wait()
    for _ in range(100):  # PostgreSQL notices a moment later
        try:
            with store.alone("b"):
                break
        except Claimed:
            pass
    else:
        pytest.fail("it is claimed still")
    store.close()
