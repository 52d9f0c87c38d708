"""Security: cookies, policies, other sites' pages, limits, programs, and texts by users."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

import pentad
from pentad.web.http import pages, security
from pentad.web.http.assets import STATIC
from pentad.web.http.identity import COOKIE, SECURE_COOKIE
from pentad.web.http.lan import qr_svg
from pentad.web.http.ratelimit import Rate
from pentad.web.http.security import MAX_BODY_BYTES, SecurityMiddleware
from tests.web.app import app_with, browser
from tests.web.server_process import TIMEOUT, Server

EVIL = "<img src=x onerror=alert(1)>"  # 28 characters, as long as a name may be


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecurityMiddleware]:
    folder: Path = tmp_path_factory.mktemp("security")
    with app_with(folder) as running:
        yield running


def ask(app: SecurityMiddleware, method: str, path: str, **more: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        async with browser(app) as guest:
            return await guest.request(method, path, **more)

    return asyncio.run(asked())


# ── how long a request is ────────────────────────────────────────────────────────────────────────

CHUNKED = "Transfer-Encoding: chunked"
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + "A" * 22 + "=="
)


def raw(server: Server, request: str, *headers: str, body: str = "") -> bytes:
    """The response over a bare socket until it closes."""
    lines = (request, f"Host: 127.0.0.1:{server.port}", *headers, "", body)
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as line:
        line.sendall("\r\n".join(lines).encode())
        received = b""
        while more := line.recv(1 << 16):
            received += more
        return received


@pytest.mark.parametrize(
    "headers",
    [
        ("Content-Length: 4", CHUNKED),
        (CHUNKED, "Content-Length: 4"),
        ("Content-Length: 4", "transfer-encoding: identity"),
        ("Content-Length: 4", "Content-Length: 5"),
        ("Content-Length: 4, 5",),
        ("Content-Length: +4",),
        ("Content-Length: 4\x00",),
        ("Content-Length: 4", "Transfer-Encoding : chunked"),
        ("Content-Length: 4", "Transfer-Encoding: xchunked"),
    ],
)
def test_a_request_with_two_lengths_is_refused_and_closed(server: Server, headers: tuple[str, ...]) -> None:
    hidden = "0\r\n\r\nGET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for request in ("POST /api/rooms HTTP/1.1", "GET /api/games HTTP/1.1"):
        received = raw(server, request, "Content-Type: application/json", *headers, body=hidden)
        assert received.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 501 ")), received[:200]  # 501: an unknown encoding
        assert received.count(b"HTTP/1.1") == 1
    received = raw(server, "GET /api/rooms/none HTTP/1.1", UPGRADE, *headers, body=hidden)
    assert received.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 501 ")), received[:200]
    assert received.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("header", [CHUNKED, "Content-Length: 5", "X: " + "y" * 20_000])
def test_an_invalid_handshake_is_answered(server: Server, header: str) -> None:
    received = raw(server, "GET /api/rooms/none HTTP/1.1", UPGRADE, header)
    assert re.match(rb"HTTP/1.1 4\d\d ", received), received[:200]


def test_a_request_with_one_length_is_answered(server: Server) -> None:
    body = '{"name": "Ada"}'
    for headers, sent in (
        ((f"Content-Length: {len(body)}",), body),
        ((f"Content-Length: {len(body)}", f"Content-Length: {len(body)}"), body),
        ((CHUNKED,), f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"),
    ):
        received = raw(
            server, "PUT /api/me HTTP/1.1", "Content-Type: application/json", "Connection: close", *headers, body=sent
        )
        assert received.startswith(b"HTTP/1.1 200 "), received[:200]


# ── who somebody is ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("POST", "/api/rooms", {"game": "pentago"}), ("PUT", "/api/me", {"name": "Ada"})],
)
def test_the_cookie_is_http_only_and_same_site(app: SecurityMiddleware, method: str, path: str, body: Any) -> None:
    answer = ask(app, method, path, json=body)
    (cookie,) = answer.headers.get_list("set-cookie")
    name, _, rest = cookie.partition("=")
    key, *parts = rest.split("; ")
    assert name == COOKIE
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(parts)
    assert len(key) >= 32
    assert key not in answer.text
    assert not [value for name, value in answer.headers.items() if key in value and name != "set-cookie"]


def test_over_https_the_cookie_is_secure_and_of_this_host_alone(app: SecurityMiddleware) -> None:
    async def asked() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="https://localhost") as guest:
            (cookie,) = (await guest.put("/api/me", json={"name": "Ada"})).headers.get_list("set-cookie")
            name, _, rest = cookie.partition("=")
            key, *parts = rest.split("; ")
            assert name == "__Host-pentad"  # browsers then insist on the next two, and on the absence of a domain
            assert {"Secure", "Path=/", "HttpOnly", "SameSite=strict"} <= set(parts)
            assert not [part for part in parts if part.startswith("Domain")]
            assert (await guest.get("/api/me")).json() == {"name": "Ada"}
            # Another host of the domain, or anybody in between without TLS, could have set the plain one.
            planted = {"Cookie": f"{COOKIE}={key}"}
            assert (await guest.get("/api/me", headers=planted)).json() == {"name": ""}
            assert (await guest.get("http://localhost/api/me", headers=planted)).json() == {"name": "Ada"}
            both = {"Cookie": f"{COOKIE}=planted; {SECURE_COOKIE}={key}"}
            assert (await guest.get("/api/me", headers=both)).json() == {"name": "Ada"}
            assert (await guest.get("http://localhost/api/me", headers=both)).json() == {"name": ""}

    asyncio.run(asked())


@pytest.mark.slow
def test_a_secret_is_in_no_page_response_message_or_log() -> None:
    with Server() as server:
        room, ada = server.make(seats=["human", "open"], name="Ada")
        bea = server.sit(room, name="Bea")
        keys = [cookies[COOKIE] for cookies in (ada, bea)]
        received: list[str] = []
        with server.join(room, ada) as black, server.join(room, bea) as white:
            received += [json.dumps(player.receive("state")) for player in (black, white)]
            received += [json.dumps(black.play("a2 1C")), json.dumps(white.receive("played"))]
            received.append(json.dumps(black.ask("resign")))
        for cookies in (ada, bea):
            for path in ("/", f"/play/{room}", f"/api/rooms/{room}/record", "/api/mine", "/api/me", "/api/none"):
                answer = httpx.get(server.url + path, cookies=cookies, timeout=TIMEOUT)
                received.append(answer.text + str(answer.headers))
        received.append(httpx.post(f"{server.url}/api/rooms/{room}/again", cookies=ada, timeout=TIMEOUT).text)
        received += map(str, server.stop())
        assert not [key for key in keys for text in received if key in text]


def test_another_persons_id_gives_no_seat(server: Server) -> None:
    room, _ = server.make(seats=["human", "human"])
    for key in ("1", "0", "None", "' OR 1=1 --", "%27"):
        with server.join(room, {COOKIE: key}) as stranger:
            assert not any(seat["yours"] for seat in stranger.receive("state")["seats"])


# ── pages ────────────────────────────────────────────────────────────────────────────────────────

ANYWHERE = [
    *(page.path for page in pages.PAGES.values() if not page.embedded),
    "/embed/none",
    "/play/none",
]
ANYWHERE += ["/api/games", "/openapi.json", "/none", "/favicon.ico", "/worker.js"]
FILES = ["style.css", "dom.js", "icon.svg", "pictures/pentago.svg", "manifest.webmanifest", "none", ""]


@pytest.mark.fast_cases(13)
@pytest.mark.parametrize("path", ANYWHERE)
def test_every_response_has_a_strict_policy(app: SecurityMiddleware, path: str) -> None:
    headers = ask(app, "GET", path).headers
    policy = headers["Content-Security-Policy"]
    modules = " 'wasm-unsafe-eval'" if path.startswith("/play") else ""  # the rules of the game
    assert policy.startswith(f"default-src 'none'; script-src 'self'{modules}; style-src 'self';")
    assert {"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} <= set(policy.split("; "))
    assert "unsafe" not in policy.replace(modules, "")
    connections = "ws://localhost:* ws://127.0.0.1:*" if path == "/analyse" else ""  # an engine of the user's own
    assert f"; connect-src 'self'{' ' * bool(connections)}{connections};" in policy
    assert "*" not in policy.replace(connections, "")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("name", FILES)
def test_files_of_pages_have_few_headers_and_are_inert(app: SecurityMiddleware, name: str) -> None:
    headers = ask(app, "GET", f"/static/{name}").headers
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert len(headers) < 10
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_other_sites_may_show_the_page_for_frames(app: SecurityMiddleware) -> None:
    for method in ("GET", "HEAD"):
        headers = ask(app, method, "/embed?position=pentago").headers
        assert headers["Content-Security-Policy"] == security.CONTENT_SECURITY_POLICY.replace(
            "frame-ancestors 'none'", "frame-ancestors *"
        )
        assert "X-Frame-Options" not in headers
        assert "access-control-allow-origin" not in headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "set-cookie" not in headers


def test_other_sites_may_load_the_script_for_boards(app: SecurityMiddleware) -> None:
    answer = ask(app, "GET", "/embed.js", headers={"Origin": "https://example.org"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "import " not in answer.text


def test_a_frame_of_another_site_changes_nothing(app: SecurityMiddleware) -> None:
    """Such a frame's own requests come from the server's page, but without the cookie."""
    answer = ask(app, "POST", "/api/board", json={"position": pentad.new("pentago").text})
    assert (answer.status_code, "set-cookie" in answer.headers) == (200, False)


class Checker(HTMLParser):
    """Finds what a strict policy would refuse, and other hosts."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag not in ("style", "iframe", "object", "embed", "base")
        assert "src" in given or tag != "script"
        assert not [name for name in given if name == "style" or name.startswith("on")], given
        for name in ("src", "href", "action"):
            assert (given.get(name) or "/").startswith(("/", "#")), given
            assert not (given.get(name) or "/").startswith("//"), given


@pytest.mark.parametrize("name", pages.PAGES)
def test_no_page_has_inline_scripts_styles_or_other_hosts(app: SecurityMiddleware, name: str) -> None:
    answer = ask(app, "GET", pages.PAGES[name].path)
    assert answer.status_code == 200
    Checker().feed(answer.text)


def test_scripts_write_no_html_and_name_no_other_host() -> None:
    for path in STATIC.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        found = re.findall(r"\bhttps?://[^\s\"'`)]+", text)
        assert set(found) <= {"http://www.w3.org/2000/svg"}, path
        for word in ("document.write", "eval(", "new Function", "insertAdjacentHTML", "outerHTML", "srcdoc"):
            assert word not in text, (path, word)


# ── people's texts ───────────────────────────────────────────────────────────────────────────────


def test_texts_by_users_never_become_html(app: SecurityMiddleware) -> None:
    async def visit() -> None:
        async with browser(app) as guest:
            wish = {"game": "pentago", "seats": ["human", "open"], "name": EVIL, "listed": True}
            room = (await guest.post("/api/rooms", json=wish)).json()["room"]
            for page in ("/", f"/play/{room}", f"/play/{EVIL}", f"/puzzles/{EVIL}", f"/analyse?start={EVIL}"):
                answer = await guest.get(page)
                assert answer.headers["Content-Type"].startswith(("text/html", "application/json"))
                if answer.headers["Content-Type"].startswith("text/html"):
                    assert EVIL not in answer.text
            for path in (f"/api/rooms/{room}/record", "/api/lobby", "/api/mine", "/api/me"):
                answer = await guest.get(path)
                assert answer.status_code == 200
                assert not answer.headers["Content-Type"].startswith("text/html")
                assert EVIL in answer.text
            record = await guest.get(f"/api/rooms/{room}/record")
            assert record.headers["Content-Type"].startswith("text/plain")
            assert record.headers["Content-Disposition"] == f'attachment; filename="{room}.pentad"'

    asyncio.run(visit())


@pytest.mark.parametrize("format", ["../../etc/passwd", EVIL, "html", "", "x" * 5000, "svg\r\nSet-Cookie: a=b"])
def test_a_record_in_no_format_is_refused(app: SecurityMiddleware, format: str) -> None:
    async def visit() -> httpx.Response:
        async with browser(app) as guest:
            room = (await guest.post("/api/rooms", json={"game": "pentago"})).json()["room"]
            return await guest.get(f"/api/rooms/{room}/record", params={"format": format})

    answer = asyncio.run(visit())
    assert answer.status_code == 422
    assert list(answer.json()) == ["error"]
    assert len(answer.json()["error"]) < 400
    assert "set-cookie" not in answer.headers


# ── other sites ──────────────────────────────────────────────────────────────────────────────────

FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]
CHANGES = [
    ("POST", "/api/rooms", {"game": "pentago"}),
    ("PUT", "/api/me", {"name": "Eve"}),
    ("POST", "/api/rooms/none/seats", {}),
    ("POST", "/api/rooms/none/again", {}),
    ("POST", "/api/board", {"position": pentad.new("pentago").text}),
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize(("method", "path", "body"), CHANGES, ids=[each[1] for each in CHANGES])
def test_another_sites_page_cannot_change_anything(
    app: SecurityMiddleware, method: str, path: str, body: Any, headers: dict[str, str]
) -> None:
    answer = ask(app, method, path, json=body, headers=headers)
    assert (answer.status_code, answer.json()) == (403, {"error": "This request comes from another site's page."})
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_another_sites_page_cannot_open_a_room(server: Server, headers: dict[str, str]) -> None:
    room, cookies = server.make()
    with pytest.raises(InvalidStatus), server.join(room, cookies, **headers):
        pass
    with server.join(room, cookies, Origin=server.url) as player:
        assert player.receive()["type"] == "state"


@pytest.mark.parametrize("origin", ["http://{}", "ftp://{}", "HTTP://{}", "{}", "https://{}/", "https://x@{}"])
def test_a_page_without_tls_is_another_site_for_a_server_with_it(server: Server, origin: str) -> None:
    room, cookies = server.make()
    host, behind = f"127.0.0.1:{server.port}", {"X-Forwarded-For": "198.51.100.1", "X-Forwarded-Proto": "https"}
    page = origin.format(host)
    with pytest.raises(InvalidStatus), server.join(room, cookies, Origin=page, **behind):
        pass
    refused = httpx.put(f"{server.url}/api/me", json={"name": "Ada"}, headers={"Origin": page, **behind})
    assert (refused.status_code, "set-cookie" in refused.headers) == (403, False)
    with server.join(room, cookies, Origin=f"https://{host}", **behind) as player:
        assert player.receive()["type"] == "state"


def test_a_page_with_tls_is_a_servers_own_behind_a_proxy_that_does_not_say_so(server: Server) -> None:
    room, cookies = server.make()
    with server.join(room, cookies, Origin=server.url.replace("http:", "https:")) as player:
        assert player.receive()["type"] == "state"
    with pytest.raises(InvalidStatus), server.join(room, cookies, Origin=server.url.replace("http:", "ftp:")):
        pass


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil@[::1", ""])
def test_a_foreign_host_name_is_refused(app: SecurityMiddleware, host: str) -> None:
    for method, path in (("GET", "/"), ("GET", "/api/mine"), ("POST", "/api/rooms")):
        assert ask(app, method, path, headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("play.example.org", "play.example.org"),
        ("PLAY.example.org:80", "play.example.org"),
        ("", "NAME"),
        ("evil@[::1", "NAME"),
        ("<script>alert(1)</script>", "NAME"),
        ("a b\tc", "NAME"),
        ("x" * 5000 + ".example", "NAME"),
    ],
)
def test_the_refusal_of_a_host_says_how_to_allow_it(app: SecurityMiddleware, host: str, named: str) -> None:
    error = ask(app, "GET", "/", headers={"Host": host}).json()["error"]
    assert error.endswith(f"Start it with --public-name {named}.")
    assert len(error) < 130


PUBLIC = {"X-Forwarded-Host": "play.example.org", "X-Forwarded-Proto": "https"}


def test_links_have_the_public_name_behind_a_proxy(tmp_path: Path) -> None:
    with app_with(tmp_path) as app:
        app.hosts.add("play.example.org")
        wish = {"game": "pentago", "seats": ["human", "open"], "name": "Ada"}
        made = ask(app, "POST", "/api/rooms", json=wish, headers={**PUBLIC, "Origin": "https://play.example.org"})
        page = f"https://play.example.org{made.json()['page']}"
        assert "Secure" in made.headers["set-cookie"]
        code = ask(app, "GET", f"/api/rooms/{made.json()['room']}/code.svg", headers=PUBLIC)
        assert code.content == qr_svg(page)
        assert f'<meta property="og:url" content="{page}">' in ask(app, "GET", made.json()["page"], headers=PUBLIC).text
        foreign = {**PUBLIC, "Origin": "http://127.0.0.1"}
        assert ask(app, "POST", "/api/rooms", json=wish, headers=foreign).status_code == 403


def test_a_forwarded_host_must_be_allowed_and_allows_no_other(app: SecurityMiddleware) -> None:
    assert ask(app, "GET", "/", headers={"X-Forwarded-Host": "evil.example"}).status_code == 421
    rebound = {"Host": "evil.example", "X-Forwarded-Host": "localhost"}  # what a page can ask its own host for
    assert ask(app, "GET", "/api/mine", headers=rebound).status_code == 421


def test_a_proxy_that_hides_its_clients_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "ASK", Rate(5, 1e6))
    with app_with(tmp_path) as app:
        app.hosts.add("play.example.org")
        public = {"Host": "play.example.org"}
        assert ask(app, "GET", "/api/me", headers={"Host": "evil.example"}).status_code == 421
        assert ask(app, "GET", "/api/health", headers=public).status_code == 200  # of a load balancer
        assert ask(app, "GET", "/api/me").status_code == 200
        assert not caplog.records
        answers = [ask(app, "GET", "/api/me", headers=public).status_code for _ in range(5)]
        assert answers == [200, 200, 200, 200, 429]
        assert [each.getMessage().partition(" does not")[0] for each in caplog.records] == ["The proxy at 127.0.0.1"]


def test_no_get_route_changes_anything(app: SecurityMiddleware) -> None:
    for path in ask(app, "GET", "/openapi.json").json()["paths"]:
        answer = ask(app, "GET", path.replace("{name}", "none"))
        assert "set-cookie" not in answer.headers, path


# ── bounds ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [MAX_BODY_BYTES + 1, 10_000_000])
@pytest.mark.parametrize(("method", "path"), [each[:2] for each in CHANGES])
def test_a_body_is_bounded(app: SecurityMiddleware, method: str, path: str, size: int) -> None:
    answer = ask(app, method, path, content=b" " * size, headers={"Content-Type": "application/json"})
    assert (answer.status_code, list(answer.json())) == (413, ["error"])


def test_an_incomplete_body_times_out(app: SecurityMiddleware, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 0.01)

    async def slow() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(TIMEOUT)
        yield b"}"

    answer = ask(app, "POST", "/api/rooms", content=slow(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()) == (408, {"error": "The request did not arrive in time."})


BIG = {
    "pentago": [{"rows": 400, "cols": 400}, {"rows": 10**30}, {"rows": -1}, {"players": 1000}, {"line": 10**9}],
    "pente": [{"size": 400}, {"size": 10**30}, {"players": 10**6}],
    "pentagame": [{"players": 1000}],
}


@pytest.mark.parametrize(("game", "options"), [(game, each) for game, some in BIG.items() for each in some], ids=str)
def test_a_board_is_bounded(app: SecurityMiddleware, game: str, options: dict[str, int]) -> None:
    answer = ask(app, "POST", "/api/rooms", json={"game": game, "options": options})
    assert (answer.status_code, list(answer.json())) == (422, ["error"])
    assert len(answer.json()["error"]) < 300


@pytest.mark.parametrize(
    "wish",
    [
        {"options": {"x" * 10_000: 1}},
        {"options": {"line": "x" * 10_000}},
        {"options": {str(i): i for i in range(1000)}},
        {"options": {"line": int("9" * 4000)}},
        {"seats": ["x" * 5000, "human"]},
        {"game": "x" * 10_000},
        {"name": "x" * 10_000},
    ],
    ids=lambda each: str(each)[:30],
)
def test_errors_about_long_input_are_short(app: SecurityMiddleware, wish: dict[str, Any]) -> None:
    answer = ask(app, "POST", "/api/rooms", json={"game": "pentago", **wish})
    assert (answer.status_code, list(answer.json())) == (422, ["error"])
    assert len(answer.json()["error"]) < 400


PROGRAMS = [
    "ugi:/bin/true",
    "gomocup:/bin/true",
    "gomocup:touch {}",
    "gomocup",
    "gomocup@1",
    "outside:/bin/true",
    "gomocup:",
]


@pytest.mark.parametrize("who", PROGRAMS)
def test_a_seat_cannot_start_a_program(app: SecurityMiddleware, tmp_path: Path, who: str) -> None:
    trace = tmp_path / "started"
    answer = ask(app, "POST", "/api/rooms", json={"game": "pente", "seats": ["human", who.format(trace)[:40]]})
    assert (answer.status_code, list(answer.json())) == (422, ["error"])
    assert not trace.exists()


def test_no_bot_that_starts_programs_is_offered(app: SecurityMiddleware) -> None:
    for game in ask(app, "GET", "/api/games").json()["games"]:
        assert not [bot for bot in game["bots"] if bot["name"] in ("gomocup", "ugi")]
