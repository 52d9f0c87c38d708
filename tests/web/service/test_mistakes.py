"""Moves tried in place of a mistake, over HTTP: verdicts, a busy engine, and invalid requests in one line."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from pentad.game import load
from pentad.store import Store
from pentad.web.app import create_app
from pentad.web.engines import Engines, WorkerFailed
from tests.web.app import browser
from tests.web.server_process import Server

WON = "pentago bbbb../wwww../....../....../....../......"  # Black wins with a4
MISTAKE = {"position": WON, "best": "a4", "played": "f5 4C"}


def tried(server: Server, **query: object) -> httpx.Response:
    return httpx.post(f"{server.url}/api/mistakes/try", json=query, timeout=60)


def test_the_better_move_and_another_win_are_right(server: Server) -> None:
    found = tried(server, **MISTAKE, move="a4").json()
    assert (found["right"], found["words"], found["move"]) == (True, "Good move.", "a4")
    assert found["position"] == load(WON).play("a4").text
    assert found["move_words"] == "Black plays a4."


def test_the_move_of_the_game_and_another_loss_are_wrong(server: Server) -> None:
    again = tried(server, **MISTAKE, move="f5 4C").json()
    assert (again["right"], again["words"][:33]) == (False, "This is the move of the game. You")
    other = tried(server, **MISTAKE, move="f4 4C").json()
    assert not other["right"]
    assert other["words"] == "You can do better, try again. After this move, White wins at once."


@pytest.mark.fast_cases(9)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({**MISTAKE, "move": "a0 1C"}, "a0"),
        ({**MISTAKE, "move": "a5"}, "twist"),
        ({**MISTAKE, "move": ""}, ""),
        ({**MISTAKE, "move": "f5 4C", "best": "zz"}, "zz"),
        ({**MISTAKE, "move": "f5 4C", "best": ""}, "best"),
        ({**MISTAKE, "move": "f5 4C", "played": "a0 1C"}, "a0"),
        ({**MISTAKE, "move": "a" * 500}, "move"),
        ({**MISTAKE}, "move"),
        ({**MISTAKE, "move": "a4", "more": 1}, "more"),
        ({**MISTAKE, "move": "a4", "position": "chess"}, "chess"),
        ({**MISTAKE, "move": "a4", "position": load(WON).play("a4").text}, "over"),
    ],
)
def test_an_invalid_attempt_is_refused(server: Server, query: dict[str, object], expected: str) -> None:
    answer = tried(server, **query)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert expected in error
    assert "\n" not in error


class Busy(Engines):
    """Engines whose queue is full."""

    async def attempt(self, *_: Any, **__: Any) -> dict[str, Any]:
        raise WorkerFailed("The server is busy.")


def test_a_busy_server_says_so(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/games.db")

    async def ask() -> httpx.Response:
        async with browser(create_app(store, engines=Busy(1, 1000))) as guest:
            return await guest.post("/api/mistakes/try", json={**MISTAKE, "move": "a4"})

    try:
        answer = asyncio.run(ask())
    finally:
        store.close()
    assert (answer.status_code, answer.json()) == (503, {"error": "The server is busy."})
