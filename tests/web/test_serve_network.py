"""Devices in the local network join as long as the person at the server's machine lets them."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed

from pentad.web.http import lan
from pentad.web.http.security import SecurityMiddleware
from tests.waiting import TIMEOUT, wait_until
from tests.web.app import URL, app_with
from tests.web.browser_helpers import NewPage
from tests.web.server_process import Server

# Another address of this machine in the place of that in a network.
DEVICES = "127.0.0.2"
IN_A_NETWORK = f"import pentad.web.http.lan as lan; lan.own_address = lambda: {DEVICES!r}"


@pytest.fixture
def network() -> Iterator[Server]:
    with Server(before=IN_A_NETWORK) as server:
        yield server


def share(server: Server, is_open: object, url: str = "", **headers: str) -> httpx.Response:
    url = url or server.url
    return httpx.put(f"{url}/api/network", json={"open": is_open}, headers=headers, timeout=TIMEOUT)


def for_devices(server: Server) -> str:
    return f"http://{DEVICES}:{server.port}"


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/health", timeout=TIMEOUT).status_code == 200
    except httpx.ConnectError:
        return False


def test_devices_join_until_they_are_shut_out(network: Server) -> None:
    devices = for_devices(network)
    assert not answers(devices)
    for _ in range(2):  # a second time changes nothing
        answer = share(network, True)
        assert (answer.status_code, answer.json()["others"]) == (200, devices)
    assert answers(devices)
    room, cookies = network.make(seats=["human", "open"])
    own = network.url
    network.url = devices
    with network.join(room, network.sit(room, name="Bob")) as bob:
        assert bob.receive("state")["can"]["play"] is False  # the first seat is to move
        network.url = own
        with network.join(room, cookies) as ann:
            ann.receive("state")
            assert share(network, False).json()["others"] == ""
            with pytest.raises(ConnectionClosed):
                bob.receive("never")
            ann.play("a2 1C")  # connections of this machine stay
            assert ann.moves() == ["a2 1C"]
    assert not answers(devices)
    assert share(network, True).json()["others"] == devices
    assert answers(devices)
    code, _, errors = network.stop()
    assert (code, errors) == (0, "")


def test_only_the_person_at_the_machine_decides(network: Server) -> None:
    assert share(network, True).status_code == 200
    answer = share(network, False, for_devices(network))
    assert (answer.status_code, answer.json()["error"]) == (
        403,
        "Only a browser on the server's own machine can do this.",
    )
    assert share(network, False, Host="play.localhost").status_code == 403  # what a proxy passes on
    assert share(network, False, **{"X-Forwarded-For": "203.0.113.9"}).status_code == 403
    assert share(network, False, Origin="https://evil.example").status_code == 403
    assert share(network, "yes").status_code == 422
    assert answers(for_devices(network))


@pytest.fixture
def app(tmp_path: Path) -> Iterator[SecurityMiddleware]:
    with app_with(tmp_path) as app:
        yield app


def test_where_options_decide_the_page_cannot(app: SecurityMiddleware) -> None:
    async def work() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
            assert (await client.get("/api/health")).json()["can_share"] is False
            return await client.put("/api/network", json={"open": True})

    answer = asyncio.run(work())
    assert (answer.status_code, "--lan" in answer.json()["error"]) == (409, True)


def test_without_a_network_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def alone() -> str:
        raise lan.GameError("This machine is not on a local network.")

    async def never(_: str) -> lan.Listener:
        raise AssertionError

    monkeypatch.setattr(lan, "own_address", alone)
    network = lan.LocalNetwork()
    network.control(never)
    with pytest.raises(lan.GameError, match="not on a local network"):
        asyncio.run(network.let_in())
    network.shut_out()
    assert network.address == ""


def test_a_taken_port_is_replaced_by_a_free_one(network: Server) -> None:
    with socket.create_server((DEVICES, network.port)):
        others = share(network, True).json()["others"]
    assert others.startswith(f"http://{DEVICES}:")
    assert others != for_devices(network)
    wait_until(lambda: answers(others), "the listener")


@pytest.mark.browser
def test_the_page_lets_devices_in_and_shows_their_link(new_page: NewPage, network: Server) -> None:
    page = new_page(base_url=network.url)
    page.goto("/play")
    page.locator("[data-against=friend]").click()
    expect(page.locator("#meanwhile")).to_have_attribute("href", re.compile("against=computer"))
    link = page.locator("#link")
    expect(page.locator("#local-only")).to_be_visible()
    expect(link).to_have_value(re.compile(re.escape(network.url)))
    page.get_by_role("button", name="Let devices in this network join").click()
    expect(link).to_have_value(re.compile(re.escape(for_devices(network))))
    expect(page.locator("#local-only")).to_be_hidden()
    assert httpx.get(link.input_value(), timeout=TIMEOUT).status_code == 200
    expect(page.locator("#code-picture")).to_be_visible()  # at once, for a phone
    expect(page.locator("#code-picture")).to_have_attribute("src", re.compile(rf"at={re.escape(DEVICES)}:"))
    page.get_by_role("button", name="Stop letting devices in this network join").click()
    expect(link).to_have_value(re.compile(re.escape(network.url)))
    expect(page.locator("#code-picture")).to_be_hidden()
    assert not answers(for_devices(network))
