"""Who somebody is: a cookie that no script sees, a name that shows, and nothing else."""

import asyncio
from pathlib import Path

import httpx
import pytest

from pentad.game import GameError
from pentad.store import Store
from pentad.web.api import LONGEST_NAME
from pentad.web.people import COOKIE, clean
from tests.web.app import app_with, browser


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\nLovelace\t\0!", "Ada Lovelace !"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("Ада 🤔", "Ада 🤔"),
        ("", ""),
    ],
)
def test_a_name_is_one_line_of_what_can_be_seen(name: str, shown: str) -> None:
    assert clean(name) == shown


@pytest.mark.parametrize("name", [" ", "\0", "\u200b\u200e", "\n\n"])
def test_a_name_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(GameError, match="nothing in it that can be seen"):
        clean(name)


def test_whoever_asks_is_known_again_by_their_cookie_alone(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as bea:
                assert (await ada.get("/api/me")).json() == {"name": ""}
                assert COOKIE not in ada.cookies  # nobody is given a cookie for looking on
                assert (await ada.put("/api/me", json={"name": "Ada"})).json() == {"name": "Ada"}
                assert (await ada.get("/api/me")).json() == {"name": "Ada"}
                assert (await bea.get("/api/me")).json() == {"name": ""}
                key = ada.cookies[COOKIE]
                await ada.put("/api/me", json={"name": "Ada L."})
                assert ada.cookies[COOKIE] == key
                bea.cookies.set(COOKIE, key + "x")
                assert (await bea.get("/api/me")).json() == {"name": ""}

    asyncio.run(visit())


@pytest.mark.parametrize("cookie", ["", "x", "x" * 4000, '"', "é", "a=b; c", "%00"])
def test_a_cookie_of_rubbish_is_nobodys(tmp_path: Path, cookie: str) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as guest:
                headers = {"Cookie": f"{COOKIE}={cookie}".encode("latin-1")}
                answer = await guest.get("/api/me", headers=headers)
                assert (answer.status_code, answer.json()) == (200, {"name": ""})
                assert (await guest.get("/api/mine", headers=headers)).json() == []

    asyncio.run(visit())


@pytest.mark.parametrize("name", ["x" * (LONGEST_NAME + 1), 7, None, ["Ada"], " "])
def test_what_is_no_name_is_refused_in_one_line(tmp_path: Path, name: object) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as guest:
                answer = await guest.put("/api/me", json={"name": name})
                assert answer.status_code == 422
                assert "\n" not in answer.json()["error"]

    asyncio.run(visit())


def test_the_database_knows_no_secret(tmp_path: Path) -> None:
    async def visit() -> str:
        with app_with(tmp_path) as app:
            async with browser(app) as ada:
                await ada.put("/api/me", json={"name": "Ada"})
                return ada.cookies[COOKIE]

    key = asyncio.run(visit())
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("games.db*"))
    assert b"Ada" in kept
    assert key.encode() not in kept


def test_ones_games_and_the_lobby_tell_what_there_is(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as bea:
                wish = {"game": "pentago", "seats": ["human", "open"], "name": "Ada"}
                hidden = (await ada.post("/api/rooms", json=wish)).json()["room"]
                shown = (await ada.post("/api/rooms", json=wish | {"listed": True})).json()["room"]
                mine = (await ada.get("/api/mine")).json()
                assert {each["room"] for each in mine} == {hidden, shown}
                assert mine[0]["yours"] == [0]
                assert not any(each["waits"] for each in mine)  # nobody is there who could wait
                (game,) = (await bea.get("/api/lobby")).json()
                assert (game["room"], game["seats"], game["yours"]) == (shown, ["Ada", ""], [])
                assert (await bea.get("/api/mine")).json() == []
                sat = await bea.post(f"/api/rooms/{shown}/seats", json={"name": "Bea"})
                assert sat.json() == {"room": shown, "page": f"/play/{shown}"}
                assert (await bea.get("/api/lobby")).json() == []
                assert [(each["room"], each["waits"]) for each in (await bea.get("/api/mine")).json()] == [
                    (shown, False)
                ]
                waits = {each["room"]: each["waits"] for each in (await ada.get("/api/mine")).json()}
                assert waits == {hidden: False, shown: True}  # who came first begins
                full = await bea.post(f"/api/rooms/{shown}/seats", json={})
                assert (full.status_code, full.json()) == (422, {"error": "every seat is taken"})

    asyncio.run(visit())


def test_a_rematch_is_for_those_who_played(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as bea:
                room = (await ada.post("/api/rooms", json={"game": "pentago"})).json()["room"]
                for guest, why in ((bea, "only those who played"), (ada, "not over yet")):
                    answer = await guest.post(f"/api/rooms/{room}/again")
                    assert answer.status_code == 422
                    assert why in answer.json()["error"]
                assert (await ada.post("/api/rooms/none/again")).status_code == 404

    asyncio.run(visit())


def test_names_are_told_apart_from_the_persons_behind_them(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/games.db")

    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as one, browser(app) as two:
                for guest in (one, two):
                    answer: httpx.Response = await guest.put("/api/me", json={"name": "Ada"})
                    assert answer.status_code == 200
                assert one.cookies[COOKIE] != two.cookies[COOKIE]

    asyncio.run(visit())
    store.close()
