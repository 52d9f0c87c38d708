"""Quotas, the list and the expiry of studies over HTTP: whose room is used, and who may do what."""

import asyncio
from pathlib import Path

import httpx
import pytest

from pentad.record import Record
from pentad.store import Store, quotas
from pentad.store.quotas import OF_ALL
from pentad.store.studies import DAY, KEPT_UNVISITED_SECONDS, Studies
from pentad.web.http.client_address import DIRECT
from pentad.web.http.exchange import Caller
from pentad.web.service.study_storage import shares_of
from tests.waiting import wait_until
from tests.web.app import app_with, browser
from tests.web.server_thread import InThreads, serving
from tests.web.service.test_studies import GAME, at_server, made, with_key

FROM = {"X-Forwarded-For": "192.0.2.1"}


def test_a_program_on_this_machine_has_no_limits() -> None:
    assert shares_of(Caller(address=DIRECT), None) == []
    assert [each.times for each in shares_of(Caller(address="2001:db8::/64"), None)] == [64, 16, 4, OF_ALL]
    assert [each.times for each in shares_of(Caller(address="192.0.2.1"), None)] == [64, 4, OF_ALL]


def test_a_person_lists_opens_and_removes_their_studies(tmp_path: Path) -> None:
    async def run() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada, browser(app) as eve:
                assert (await ada.get("/api/mine/studies")).json()["studies"] == []
                path, key = await made(ada, GAME, GAME, stay=True)
                name = path.rpartition("/")[2]
                (own,) = (await ada.get("/api/mine/studies")).json()["studies"]
                records = 2 * len(Record.read(GAME).text.encode())
                assert (own["name"], own["title"], own["chapters"]) == (name, "Mine", 2)
                assert own["size"] == records + len("Chapter 1Chapter 2")
                assert own["deleted"] - own["visited"] == KEPT_UNVISITED_SECONDS
                assert (await eve.get("/api/mine/studies")).json()["studies"] == []
                await made(eve, GAME, stay=True)  # now Eve has a cookie

                async def rights(client: httpx.AsyncClient, with_this: str = "") -> tuple[bool, bool, bool]:
                    info = (await client.get(path, headers=with_key(with_this))).json()
                    return info["may_edit"], info["owned"], info["key_fits"]

                assert await rights(ada) == (True, True, False)
                assert await rights(ada, key) == (True, True, True)
                assert await rights(eve, key) == (True, False, True)
                assert await rights(eve) == (False, False, False)
                refused = await eve.post(f"{path}/key", headers=with_key(key))
                expected = "Only whoever made the study can change its link to edit. Nothing was changed."
                assert (refused.status_code, refused.json()) == (403, {"error": expected})
                assert (await eve.post(f"{path}/remove")).status_code == 403
                assert (await ada.post(f"{path}/key")).status_code == 200
                assert await rights(eve, key) == (False, False, False)
                assert (await ada.post(f"{path}/remove")).status_code == 204
                assert (await ada.get("/api/mine/studies")).json()["studies"] == []

    asyncio.run(run())


def test_a_full_quota_is_named_and_room_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MOST_STUDIES", 2)

    async def visit(client: httpx.AsyncClient) -> None:
        client.headers.update(FROM)
        body = {"chapters": [{"record": GAME}]}
        first = [(await client.post("/api/study/new", json=body)).json()["name"] for _ in range(2)]
        refused = await client.post("/api/study/new", json=body)
        text = "You have 2 of 2 studies, and there is no room for more. Delete some on the page Your studies."
        assert (refused.status_code, refused.json()) == (422, {"error": text})
        assert (await client.post(f"/api/study/kept/{first[0]}/remove")).status_code == 204
        assert (await client.post("/api/study/new", json=body)).status_code == 201
        for _ in range(6):  # without a cookie each is another person, at the same address
            client.cookies.clear()
            assert (await client.post("/api/study/new", json=body)).status_code == 201
        client.cookies.clear()
        full = await client.post("/api/study/new", json=body)
        assert full.json()["error"].startswith("People in your network have 8 of 8 studies together")
        elsewhere = {"X-Forwarded-For": "192.0.2.2"}  # of the same /24, which has room for more
        assert (await client.post("/api/study/new", json=body, headers=elsewhere)).status_code == 201

    at_server(tmp_path, visit)


def test_a_visit_is_noted_once_a_day_and_keeps_the_study(tmp_path: Path) -> None:
    """The server removes the studies without one when it starts."""

    def stored(change: float | None = None) -> float | None:
        store = Store.open(f"sqlite:///{tmp_path}/games.db")
        try:
            row = asyncio.run(Studies(store).row(name))
            if row and change:
                asyncio.run(Studies(store).visit(row._replace(visited=change - DAY), change))
            return row and row.visited
        finally:
            store.close()

    name = ""

    async def make(client: httpx.AsyncClient) -> None:
        nonlocal name
        name = (await made(client, GAME))[0].rpartition("/")[2]

    async def visit(client: httpx.AsyncClient) -> None:
        assert (await client.get(f"/api/study/kept/{name}")).status_code == 200

    at_server(tmp_path, make)
    made_at = stored()
    assert made_at
    at_server(tmp_path, visit)
    assert stored() == made_at
    stored(made_at - 2 * DAY)
    at_server(tmp_path, visit)
    noted = stored()
    assert noted
    assert noted >= made_at
    stored(made_at - KEPT_UNVISITED_SECONDS - DAY)
    with serving(InThreads(), tmp_path) as url:
        wait_until(lambda: httpx.get(f"{url}/api/study/kept/{name}/text").status_code == 404)
