"""nginx and Caddy with the shipped files in front of a real server: what players and the server see through them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pentad.web.http.identity import cookie_name
from pentad.web.http.security import MAX_BODY_BYTES, MAX_STUDY_BYTES
from release.programs import PROXIES as TESTS
from tests.deploy.programs import need
from tests.deploy.proxies import PROXIES, Caddy, Proxy
from tests.deploy.shipped import NAME
from tests.web.server_process import Player, Server

pytestmark = pytest.mark.slow

ROOM = {"game": "pentago", "seats": ["human", "open"]}
NEW_ROOMS = 3
COOKIE = cookie_name("https")
# An address may begin few games.
BEFORE = f"import pentad.web.http.security as security; security.BEGIN = security.Rate({NEW_ROOMS}, 1e6)"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    need(TESTS)
    with Server(before=BEFORE, public_name=(NAME,)) as server:
        yield server


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request: pytest.FixtureRequest, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with PROXIES[request.param](tmp_path_factory.mktemp(request.param), server.port) as proxy:
        yield proxy


def local(proxy: Proxy, number: int) -> str:
    """An address of this machine for a client of a proxy."""
    return f"127.{1 + list(PROXIES.values()).index(type(proxy))}.{number}.1"


def new_room(proxy: Proxy, address: str) -> tuple[str, str]:
    """A new room, and the cookie of its maker."""
    with proxy.client(address) as client:
        answer = client.post("/api/rooms", json=ROOM)
        assert answer.status_code == 201, answer.text
        return answer.json()["room"], f"{COOKIE}={answer.cookies[COOKIE]}"


def test_two_people_play_over_websockets(proxy: Proxy) -> None:
    room, first = new_room(proxy, local(proxy, 1))
    with proxy.client(local(proxy, 2)) as client:
        answer = client.post(f"/api/rooms/{room}/seats", json={"name": "Bob"})
        assert answer.status_code == 200, answer.text
        second = f"{COOKIE}={answer.cookies[COOKIE]}"
    path = f"/api/rooms/{room}"
    with proxy.socket(path, first) as one, proxy.socket(path, second) as other:
        ann, bob = Player(one), Player(other)
        ann.receive("state")
        bob.receive("state")
        moves = ["a2 1C", "b2 1C", "c2 1C"]
        for number, move in enumerate(moves):
            mover, watcher = (ann, bob) if number % 2 == 0 else (bob, ann)
            mover.play(move)
            watcher.receive("played")
        assert ann.moves() == bob.moves() == moves


def test_the_cookie_is_for_https_alone(proxy: Proxy) -> None:
    with proxy.client(local(proxy, 3)) as client:
        answer = client.post("/api/rooms", json=ROOM)
    assert "; Secure" in answer.headers["set-cookie"]
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_a_request_without_tls_is_sent_to_the_secure_page(proxy: Proxy) -> None:
    answer = httpx.get(f"http://127.0.0.1:{proxy.http_port}/play", headers={"Host": NAME})
    assert answer.status_code == 308
    assert answer.headers["location"].startswith(f"https://{NAME}")
    assert answer.headers["location"].endswith("/play")


def test_limits_count_the_address_of_the_client(proxy: Proxy) -> None:
    for _ in range(NEW_ROOMS):
        new_room(proxy, local(proxy, 4))
    with proxy.client(local(proxy, 4)) as client:
        assert client.post("/api/rooms", json=ROOM).status_code == 429
        forged = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
        assert client.post("/api/rooms", json=ROOM, headers=forged).status_code == 429
    new_room(proxy, local(proxy, 5))


def test_a_client_cannot_change_the_name_of_the_site(proxy: Proxy) -> None:
    with proxy.client(**{"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}) as client:
        assert "version" in client.get("/api/health").json()
        assert "version" not in client.get("/api/health", headers={"Host": "evil.example"}).text


def test_a_page_of_another_site_is_refused(proxy: Proxy) -> None:
    with proxy.client(Origin="https://evil.example") as client:
        assert client.post("/api/rooms", json=ROOM).status_code == 403


def test_a_large_body_is_refused(proxy: Proxy) -> None:
    with proxy.client(local(proxy, 6)) as client:
        for path, size in (("/api/rooms", MAX_BODY_BYTES), ("/api/study/new", MAX_STUDY_BYTES)):
            answer = client.post(path, content=b" " * (size + 1))
            assert answer.status_code == 413, path
        # As large as a study may be, so that its content is what is wrong.
        assert client.post("/api/study/new", content=b" " * MAX_STUDY_BYTES).status_code == 422


def test_files_are_compressed_once_and_kept_for_good(proxy: Proxy) -> None:
    with proxy.client() as client:
        page = client.get("/play")
        path = page.text.partition('src="/static/')[2].partition('"')[0]
        for headers, coding in (({"Accept-Encoding": "identity"}, ""), ({}, "gzip"), ({}, "gzip")):
            answer = client.get(f"/static/{path}", headers={"Accept-Encoding": "gzip"} | headers)
            assert answer.status_code == 200
            assert answer.headers.get("content-encoding", "") == coding
            assert "immutable" in answer.headers["cache-control"]
        assert page.headers["content-encoding"] == "gzip"


def test_caddy_holds_requests_while_the_server_restarts(tmp_path: Path) -> None:
    need(TESTS)
    with Server(public_name=(NAME,)) as server, Caddy(tmp_path, server.port) as proxy, proxy.client() as client:
        assert client.get("/api/health").status_code == 200
        server.stop()
        answers: list[int] = []
        asking = threading.Thread(target=lambda: answers.append(client.get("/api/health").status_code))
        asking.start()
        with Server(server.port, server.database, public_name=(NAME,)):
            asking.join()
        assert answers == [200]
