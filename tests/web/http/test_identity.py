"""Identity: a cookie without access for scripts, and a visible name."""

import asyncio
import sys
import unicodedata
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.jobs.fair_queue import Owner
from pentad.store import Store
from pentad.store.rows import SeatRow
from pentad.web.api_types import MAX_NAME_LENGTH
from pentad.web.http import identity
from pentad.web.http.exchange import Caller
from pentad.web.http.identity import COOKIE, clean
from pentad.web.http.socket_pool import ClientKind
from pentad.web.http.visible_text import visible
from tests.cases import together
from tests.properties import properties
from tests.store import rows
from tests.web.app import app_with, browser


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("\nAda\u3000Lovelace\xa0!\t", "Ada Lovelace !"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("Ада 🤔", "Ада 🤔"),
        ("", ""),
    ],
)
def test_a_name_is_one_visible_line(name: str, shown: str) -> None:
    assert clean(name) == shown


@together(
    ("text", "shown"),
    [
        ("Ada\nLovelace\t\0!", "Ada Lovelace !"),
        ("A\u200dd\u200ca\ufe0f\u034f\u00ad\u2060", "Ada"),  # characters without effect there
        ("Ada\u202e\u2066!\u200f", "Ada!"),
        ("\u0301Ada \u0301!", "Ada !"),
        ("\U0001f3f4\U000e0067 x\U000e0061", "\U0001f3f4 x"),
        ("a\ud800b\ue000c\uffffd", "a b c d"),
        ("Ada\u3164\u2800\u115fLovelace", "Ada Lovelace"),
        ("Ada\u2028Lovelace\x85!", "Ada Lovelace !"),
    ],
)
def test_invisible_characters_are_removed_from_texts_and_refused_in_names(text: str, shown: str) -> None:
    assert visible(text) == shown
    with pytest.raises(GameError, match="invisible characters") as error:
        clean(text)
    assert "\n" not in str(error.value)


@together(
    "name",
    ["Computer", "computer", "Cornputer", "\u0421omputer", "Ｃｏｍｐｕｔｅｒ", "COMPUTER (best)", "Perfect play."],
)
def test_a_name_like_that_of_a_bot_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(GameError) as error:
        clean(name)
    assert "\n" not in str(error.value)


def test_a_name_of_nobody_is_no_bots() -> None:
    assert clean("") == ""


INTACT = [
    "Zoe\u0308",
    "\u2764\ufe0f",  # a heart, which its selector makes red
    "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # a family of four, joined
    "\U0001f469\U0001f3fd\u200d\U0001f680",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0001f3f4\u200d\u2620\ufe0f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # the flag of Scotland, by tags
    "\U0001f1e9\U0001f1ea",
    "\U0001fae8",  # an emoji since Unicode 15
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Alireza, with a joiner
    "\u0915\u094d\u200d\u0937",
    "\u0915\u094d\u200c\u0937",
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # the word Sri, with a joiner
    "\u845b\U000e0100",  # a kanji in one of its forms
    "\u05e9\u05bc\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
    "\u0600\u0661",
    "\uac00\u1100\u1161",
]


@together("name", INTACT)
def test_correct_writing_is_preserved(name: str) -> None:
    assert clean(name) == name


def hidden() -> list[str]:
    """Every invisible character."""
    ignorable = [*"\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\u180e", *map(chr, range(0xFE00, 0xFE10))]
    ignorable += map(chr, (*range(0x180B, 0x1810), *range(0x2060, 0x2070), *range(0xE0000, 0xE1000)))
    kinds = {"Cc", "Cs", "Zs", "Zl", "Zp", "Mn", "Me", "Mc"}
    found = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in kinds]
    numbers = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    controls = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf"]
    return ignorable + found + [each for each in controls if ord(each) not in numbers]


@pytest.mark.slow
def test_an_invisible_character_is_no_name() -> None:
    assert [each for each in hidden() if visible(each) or visible(each * 3) or visible(f" {each} ")] == []
    assert visible("".join(hidden())) == ""


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from([*"a \u200d\u200c\ufe0f\u0301\U0001f468\u0915"]))))
@properties()
def test_cleaning_a_text_twice_changes_nothing(text: str) -> None:
    once = visible(text)
    assert visible(once) == once
    assert "\n" not in once


@pytest.mark.parametrize("name", [" ", "\0", "\u200b\u200e", "\n\n", "\ufe0f", "\u034f", "\u200d\u0301"])
def test_an_invisible_name_is_refused(name: str) -> None:
    with pytest.raises(GameError, match="no visible characters"):
        clean(name)


def test_a_person_is_known_by_the_cookie_alone(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as bea:
                assert (await ada.get("/api/me")).json() == {"name": ""}
                assert COOKIE not in ada.cookies  # viewers get no cookie
                assert (await ada.put("/api/me", json={"name": "Ada"})).json() == {"name": "Ada"}
                assert (await ada.get("/api/me")).json() == {"name": "Ada"}
                assert (await bea.get("/api/me")).json() == {"name": ""}
                key = ada.cookies[COOKIE]
                await ada.put("/api/me", json={"name": "Ada L."})
                assert ada.cookies[COOKIE] == key
                bea.cookies.set(COOKIE, key + "x")
                assert (await bea.get("/api/me")).json() == {"name": ""}

    asyncio.run(visit())


@pytest.mark.slow
@pytest.mark.parametrize("cookie", ["", "x", "x" * 4000, '"', "é", "a=b; c", "%00"])
def test_an_invalid_cookie_is_nobodys(tmp_path: Path, cookie: str) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as guest:
                headers = {"Cookie": f"{COOKIE}={cookie}".encode("latin-1")}
                answer = await guest.get("/api/me", headers=headers)
                assert (answer.status_code, answer.json()) == (200, {"name": ""})
                assert (await guest.get("/api/mine", headers=headers)).json() == []

    asyncio.run(visit())


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["x" * (MAX_NAME_LENGTH + 1), 7, None, ["Ada"], " "])
def test_an_invalid_name_is_refused_in_one_line(tmp_path: Path, name: object) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as guest:
                answer = await guest.put("/api/me", json={"name": name})
                assert answer.status_code == 422
                assert "\n" not in answer.json()["error"]

    asyncio.run(visit())


def test_the_database_contains_no_secret(tmp_path: Path) -> None:
    async def visit() -> str:
        with app_with(tmp_path) as app:
            async with browser(app) as ada:
                await ada.put("/api/me", json={"name": "Ada"})
                return ada.cookies[COOKIE]

    key = asyncio.run(visit())
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("games.db*"))
    assert b"Ada" in kept
    assert key.encode() not in kept


def test_own_games_and_the_lobby_are_listed(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as bea:
                wish = {"game": "pentago", "seats": ["human", "open"], "name": "Ada"}
                hidden = (await ada.post("/api/rooms", json=wish)).json()["room"]
                shown = (await ada.post("/api/rooms", json=wish | {"listed": True})).json()["room"]
                mine = (await ada.get("/api/mine")).json()
                assert {each["room"] for each in mine} == {hidden, shown}
                assert mine[0]["yours"] == [0]
                assert not any(each["waits"] for each in mine)  # none waits for an opponent
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
                assert waits == {hidden: False, shown: True}  # the first person begins
                full = await bea.post(f"/api/rooms/{shown}/seats", json={})
                assert (full.status_code, full.json()) == (422, {"error": "All seats are taken."})

    asyncio.run(visit())


@pytest.mark.slow
def test_own_games_are_listed_by_pages_without_loading_rooms(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada:
                for number in range(120):
                    wish = {"game": "pentago", "seats": ["human", "human"], "name": f"Ada {number}"}
                    assert (await ada.post("/api/rooms", json=wish)).status_code == 201
                found: list[str] = []
                after, sizes = "", []
                while True:
                    page = (await ada.get("/api/mine", params={"after": after} if after else {})).json()
                    assert all(each["turn"] == 0 for each in page)
                    assert [each["cursor"] is None for each in page[:-1]] == [True] * (len(page) - 1)
                    found += [each["room"] for each in page]
                    sizes.append(len(page))
                    after = page[-1]["cursor"]
                    if after is None:
                        break
                assert sizes == [50, 50, 20]
                assert len(set(found)) == 120
                for wrong in ("x", "1:2:3", "1:nan:0:g", "-1:0:0:g", "0:inf:0:g", "0:0:0:" + "g" * 50):
                    answer = await ada.get("/api/mine", params={"after": wrong})
                    assert (answer.status_code, "\n" in answer.json()["error"]) == (422, False)

    asyncio.run(visit())


@pytest.mark.slow
def test_a_preview_creates_no_game(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as guest:
                wish = {"game": "pente", "seats": ["human", "greedy"], "options": {"size": 9}}
                seen = (await guest.post("/api/preview", json=wish)).json()
                assert (seen["type"], seen["at"], seen["can"]["play"]) == ("state", 0, True)
                assert [(seat["yours"], seat["here"]) for seat in seen["seats"]] == [(True, True), (False, True)]
                assert COOKIE not in guest.cookies
                assert (await guest.get("/api/mine")).json() == []
                other = (await guest.post("/api/preview", params={"flip": True}, json=wish)).json()
                assert other["flip"]
                assert other["svg"] != seen["svg"]
                answer = await guest.post("/api/preview", json={"game": "chess"})
                assert (answer.status_code, "\n" in answer.json()["error"]) == (422, False)

    asyncio.run(visit())


def test_only_players_get_a_rematch(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as bea:
                room = (await ada.post("/api/rooms", json={"game": "pentago"})).json()["room"]
                for guest, why in ((bea, "Only players can start"), (ada, "not over yet")):
                    answer = await guest.post(f"/api/rooms/{room}/again")
                    assert answer.status_code == 422
                    assert why in answer.json()["error"]
                assert (await ada.post("/api/rooms/none/again")).status_code == 404

    asyncio.run(visit())


def test_a_name_like_another_players_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async def visit() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as eve:
                wish = {"game": "pentago", "seats": ["human", "open", "open"], "options": {"players": 3}, "name": "Ada"}
                room = (await ada.post("/api/rooms", json=wish)).json()["room"]
                refused = await eve.post(f"/api/rooms/{room}/seats", json={"name": "\u0410d\u0430"})
                assert (refused.status_code, "set-cookie" in refused.headers) == (422, False)
                assert (await eve.put("/api/me", json={"name": "\u0430da"})).json()["error"].endswith("in one script.")
                assert (await eve.post(f"/api/rooms/{room}/seats", json={"name": "Eve"})).status_code == 200
                for name in ("ADA", "Computer", "E\u202eve"):
                    refused = await eve.put("/api/me", json={"name": name})
                    assert (refused.status_code, "\n" in refused.json()["error"]) == (422, False)
                assert (await eve.get("/api/me")).json() == {"name": "Eve"}

    asyncio.run(visit())


def test_equal_names_are_different_persons(tmp_path: Path) -> None:
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


def test_clients_are_strangers_newcomers_or_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/games.db")
    looked = 0

    async def visit() -> None:
        nonlocal looked
        ada = Caller()
        person = await identity.known_or_new(store, ada, "Ada")
        assert ada.new_key
        clients, has_played = identity.Clients(store), store.has_played

        async def counting(key_hash: bytes) -> bool | None:
            nonlocal looked
            looked += 1
            return await has_played(key_hash)

        monkeypatch.setattr(store, "has_played", counting)
        kinds = [await clients.kind(key) for key in (ada.new_key, ada.new_key + "x", "", "\ud800")]
        assert kinds == [ClientKind.NEWCOMER, *[ClientKind.STRANGER] * 3]
        await store.add_game(rows.game("begun", seats=(SeatRow("human", person.id, "Ada"), SeatRow("greedy"))))
        assert await clients.kind(ada.new_key) is ClientKind.NEWCOMER
        assert not await clients.plays_at(ada.new_key, "/api/rooms/begun")
        await store.add_event("begun", rows.event(0), moves=1)
        assert await clients.kind(ada.new_key) is ClientKind.PLAYER
        paths = ("/api/rooms/begun", "/api/rooms/other", "/api/rooms/" + "x" * 1000, "/api/study/engine")
        assert [await clients.plays_at(ada.new_key, path) for path in paths] == [True, False, False, False]
        looked = 0
        assert await clients.kind(ada.new_key) is ClientKind.PLAYER
        assert looked == 0
        monkeypatch.setattr(identity, "MOST_PLAYERS", 0)
        assert await clients.kind(ada.new_key) is ClientKind.PLAYER
        assert await clients.kind(ada.new_key) is ClientKind.PLAYER
        assert looked == 1  # the player was forgotten meanwhile

        async def never(_: bytes) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(identity, "FIND_SECONDS", 0.01)
        monkeypatch.setattr(store, "has_played", never)
        assert await clients.kind("late") is ClientKind.STRANGER

    try:
        asyncio.run(visit())
    finally:
        store.close()


def test_each_client_without_a_cookie_is_an_owner_at_its_address(tmp_path):
    """A class that only analyses has no cookies, but is not one person."""
    store = Store.open(f"sqlite:///{tmp_path}/games.db")
    try:

        async def owner() -> Owner:
            return await identity.owner(store, Caller(address="192.0.2.1"))

        first, second = asyncio.run(owner()), asyncio.run(owner())
        assert first != second
        assert first.group == second.group == ("192.0.2.0/24", "192.0.2.1")
    finally:
        store.close()
