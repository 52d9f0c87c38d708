"""The routes for lists of games: what is found, page by page, and pictures; wrong requests get one line."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from pentad.store import Store
from pentad.store.rows import EventRow, PendingTurn
from pentad.web.service.games import GAMES_ON_PAGE
from tests.web.app import app_with, browser

Visit = Callable[[httpx.AsyncClient, httpx.AsyncClient], Awaitable[None]]


def with_two(folder: Path, visit: Visit) -> None:
    """Ada and Bea at a server."""

    async def run() -> None:
        with app_with(folder) as app:
            async with browser(app) as ada, browser(app) as bea:
                await visit(ada, bea)

    asyncio.run(run())


async def make(client: httpx.AsyncClient, *seats: str, **wish: Any) -> str:
    answer = await client.post("/api/rooms", json={"game": "pentago", "seats": list(seats), "name": "Ada", **wish})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["room"])


async def found(client: httpx.AsyncClient, **search: str) -> tuple[int, list[str]]:
    answer = (await client.get("/api/mine/found", params=search)).json()
    return answer["count"], [each["room"] for each in answer["games"]]


@pytest.mark.slow
def test_games_are_found_by_opponent_game_and_result(tmp_path: Path) -> None:
    async def visit(ada: httpx.AsyncClient, bea: httpx.AsyncClient) -> None:
        assert await found(ada) == (0, [])
        friends = await make(ada, "human", "open")
        assert (await bea.post(f"/api/rooms/{friends}/seats", json={"name": "Béa"})).status_code == 200
        bot = await make(ada, "human", "engine@3", game="pente")
        assert await found(ada) == (2, [friends, bot])  # it is Béa who has to move
        assert await found(ada, opponent="BÉA") == await found(ada, game="pentago") == (1, [friends])
        assert await found(ada, opponent="level 3", game="pente", result="running") == (1, [bot])
        assert await found(ada, opponent="\u202ebéa\0") == (1, [friends])
        assert await found(bea, opponent="ada") == (1, [friends])
        for search in ({"opponent": "ada"}, {"result": "won"}, {"result": "draw"}, {"game": "pentagame"}):
            assert await found(ada, **search) == (0, [])
        (game,) = (await ada.get("/api/mine/found", params={"game": "pente"})).json()["games"]
        assert (game["standing"], game["seats"], game["bots"], game["cursor"]) == (
            None,
            ["Ada", "Computer (level 3)"],
            [1],
            None,
        )

    with_two(tmp_path, visit)


@pytest.mark.slow
def test_what_is_found_comes_in_pages(tmp_path: Path) -> None:
    async def visit(ada: httpx.AsyncClient, _: httpx.AsyncClient) -> None:
        for number in range(2 * GAMES_ON_PAGE + 6):
            await make(ada, "human", "greedy" if number % 2 else "human")
        names, after = [], ""
        for size in (GAMES_ON_PAGE, 3):
            page = (await ada.get("/api/mine/found", params={"opponent": "greedy", "after": after})).json()
            assert (page["count"], len(page["games"])) == (GAMES_ON_PAGE + 3, size)
            names += [each["room"] for each in page["games"]]
            after = page["games"][-1]["cursor"]
        assert after is None
        assert len(set(names)) == GAMES_ON_PAGE + 3

    with_two(tmp_path, visit)


WRONG = {
    "a long search": ({"opponent": "x" * 81}, 'Expected at most 80 characters in "opponent", got'),
    "a huge search": ({"opponent": "é" * 5000}, 'Expected at most 80 characters in "opponent", got'),
    "an unknown game": ({"game": "chess"}, "chess"),
    "a long game": ({"game": "x" * 41}, 'Expected at most 40 characters in "game", got'),
    "an unknown result": ({"result": "lucky"}, 'Expected "result" to be'),
    "a page number": ({"after": "-1"}, "Invalid cursor."),
    "a negative group": ({"after": "-1:0:0:g"}, "Invalid cursor."),
    "no number": ({"after": "0:nan:0:g"}, "Invalid cursor."),
    "a long cursor": ({"after": "0:0:0:" + "g" * 2000}, "Invalid cursor."),
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("search", "why"), WRONG.values(), ids=WRONG)
def test_a_wrong_search_is_refused_in_one_line(tmp_path: Path, search: dict[str, str], why: str) -> None:
    async def visit(ada: httpx.AsyncClient, stranger: httpx.AsyncClient) -> None:
        await make(ada, "human", "greedy")
        for client in (ada, stranger):
            answer = await client.get("/api/mine/found", params=search)
            error = answer.json()["error"]
            assert (answer.status_code, "\n" in error, len(error) < 300) == (422, False, True)
            assert why in error

    with_two(tmp_path, visit)


def test_every_game_has_a_small_picture_that_browsers_keep(tmp_path: Path) -> None:
    async def visit(ada: httpx.AsyncClient, stranger: httpx.AsyncClient) -> None:
        pictures = set()
        for game, flip in itertools.product(("pentago", "pente", "pentagame"), (False, True)):
            name = await make(ada, *(["human"] * 2), game=game)
            answer = await stranger.get(f"/api/rooms/{name}/picture.svg", params={"flip": flip, "at": "0-1"})
            assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
            assert answer.headers["cache-control"] == "private, max-age=86400"
            pictures.add(answer.text)
        assert len(pictures) >= 3
        for unknown in ("abcdefghjk", "none", "x" * 500, "%00"):
            answer = await ada.get(f"/api/rooms/{unknown}/picture.svg")
            assert (answer.status_code, list(answer.json())) == (404, ["error"])
        assert (await ada.get(f"/api/rooms/{name}/picture.svg?flip=perhaps")).status_code == 422

    with_two(tmp_path, visit)


@pytest.mark.parametrize(
    ("result", "reason", "end"),
    [
        ("0-1", "resigned", {"kind": "resigned", "seats": [0], "words": ""}),
        ("1-0", "out of time", {"kind": "time", "seats": [1], "words": ""}),
        ("1/2-1/2", "agreed", {"kind": "agreed", "seats": [], "words": ""}),
        ("1-0", "five", {"kind": "board", "seats": [0], "words": "with five in a row"}),
        ("1/2-1/2", "five", {"kind": "board", "seats": [], "words": "each has five in a row"}),
        ("1-0", None, None),
    ],
)
def test_a_finished_game_says_how_it_ended(tmp_path: Path, result: str, reason: str | None, end: object) -> None:
    async def visit(ada: httpx.AsyncClient, bea: httpx.AsyncClient) -> None:
        store = Store.open(f"sqlite:///{tmp_path}/games.db")
        room = await make(ada, "human", "random")
        last = EventRow(0, "play", 0, "", 1_800_000_000.0, ())
        await store.add_event(room, last, moves=0, result=result, reason=reason, turn=PendingTurn())
        store.close()
        (game,) = (await ada.get("/api/mine/found")).json()["games"]
        assert (game["end"], game["colours"]) == (end, ["black", "white"])

    with_two(tmp_path, visit)


def test_a_listed_game_has_its_clock(tmp_path: Path) -> None:
    async def visit(ada: httpx.AsyncClient, bea: httpx.AsyncClient) -> None:
        await make(ada, "human", "open", listed=True, time={"main": 300, "increment": 3})
        await make(ada, "human", "open")
        (game,) = (await bea.get("/api/lobby")).json()
        assert game["time"] == {"main": 300, "increment": 3, "days": 0}
        assert [each["time"] for each in (await ada.get("/api/mine")).json()] == [None, game["time"]]

    with_two(tmp_path, visit)


@pytest.mark.slow
def test_a_finished_game_has_its_result_for_each_player(tmp_path: Path) -> None:
    async def visit(ada: httpx.AsyncClient, bea: httpx.AsyncClient) -> None:
        room = await make(ada, "human", "open")
        await bea.post(f"/api/rooms/{room}/seats", json={"name": "Bea"})
        store = Store.open(f"sqlite:///{tmp_path}/games.db")
        end = EventRow(1, "resign", 1, "", 1_800_000_000.0, ())
        await store.add_event(room, end, moves=0, result="1-0", turn=PendingTurn())
        store.close()
        for client, standing, other in ((ada, "won", "lost"), (bea, "lost", "won")):
            for result in ("all", standing):
                (game,) = (await client.get("/api/mine/found", params={"result": result})).json()["games"]
                assert (game["standing"], game["result"], game["turn"]) == (standing, "1-0", None)
                assert game["touched"] == end.at
            assert await found(client, result=other) == await found(client, result="running") == (0, [])

    with_two(tmp_path, visit)
