"""The server from outside: pages, headers, rooms over HTTP, play over a WebSocket, and all that may come in badly."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import pentad
from pentad import drawing
from pentad.game import GameError, game
from pentad.search.bot import own_bots
from pentad.web.app import STATIC
from pentad.web.serve import FIRST_PORT, listen
from tests.web.serving import PATIENCE, Player, Server

HOT_SEAT = {"seats": ["human", "human"]}


def get(server: Server, path: str, **headers: str) -> httpx.Response:
    return httpx.get(server.url + path, headers=headers)


def one_line(text: str) -> bool:
    return bool(text) and "\n" not in text and len(text) < 300


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_shows_a_board_before_any_script_runs(server: Server) -> None:
    answer = get(server, "/")
    assert answer.status_code == 200
    assert pentad.new("pentago").svg(style=False) in answer.text


def test_a_rooms_page_shows_its_board_and_an_unknown_rooms_is_not_found(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player:
        player.hear()
        player.play("a2 1C")
    board = pentad.new("pentago").play("a2 1C").svg(last="a2 1C", style=False)
    assert board in get(server, f"/play/{room}").text
    assert get(server, "/play/none").status_code == 404


@pytest.mark.parametrize("path", ["/", "/play/none", "/static/page.js", "/static/none", "/api/games", "/openapi.json"])
def test_every_answer_forbids_what_the_page_does_not_need(server: Server, path: str) -> None:
    headers = get(server, path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "server" not in headers


def test_the_page_has_no_script_or_style_within_and_names_no_other_host(server: Server) -> None:
    class Checker(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            assert tag != "style"
            assert "src" in given or tag != "script"
            assert not [name for name in given if name == "style" or name.startswith("on")], given
            for name in ("src", "href"):
                assert (given.get(name) or "/").startswith(("/", "#")), given

    Checker().feed(get(server, "/").text)
    for path in STATIC.iterdir():
        found = re.findall(r"\bhttps?://[^\s\"'`)]+", path.read_text(encoding="utf-8"))
        assert set(found) <= {"http://www.w3.org/2000/svg"}, path


def test_the_scripts_name_no_game() -> None:
    for path in STATIC.glob("*.js"):
        text = path.read_text(encoding="utf-8").lower()
        assert not re.search(r"pentago|pente\b|pentagame|marble|sub-board", text), path


def test_boards_look_as_their_drawing_says(server: Server) -> None:
    answer = get(server, "/static/board.css")
    assert answer.headers["Content-Type"].startswith("text/css")
    assert answer.text == drawing.STYLE


def test_the_interface_describes_itself_and_loads_nothing_to_do_so(server: Server) -> None:
    paths = get(server, "/openapi.json").json()["paths"]
    assert set(paths) == {"/api/games", "/api/rooms"}
    assert get(server, "/docs").status_code == get(server, "/redoc").status_code == 404


def test_the_catalogue_tells_what_the_registry_knows(server: Server) -> None:
    told = {each["name"]: each for each in get(server, "/api/games").json()["games"]}
    assert set(told) == set(pentad.games())
    for name, info in told.items():
        kind = game(name)
        assert info["title"] == kind.title
        assert info["colours"] == list(kind.colours)
        defaults = [None if each.usual else each.default for each in kind.options.values()]
        assert [option["default"] for option in info["options"]] == defaults
        assert [option["several"] for option in info["options"]] == [each.several for each in kind.options.values()]
        assert info["rival"] in own_bots(name)
        assert [each["name"] for each in info["bots"]] == list(own_bots(name))


# ── new rooms ────────────────────────────────────────────────────────────────────────────────────


def test_each_persons_seat_has_a_secret_in_a_cookie_that_scripts_do_not_see(server: Server) -> None:
    answer = httpx.post(f"{server.url}/api/rooms", json={"game": "pentago", "seats": ["human", "random"]})
    cookies = answer.headers.get_list("set-cookie")
    assert len(cookies) == 1
    room = answer.json()["room"]
    for part in ("HttpOnly", "SameSite=strict", f"Path=/api/rooms/{room}"):
        assert part in cookies[0]
    assert cookies[0].split(";")[0].split("=")[1] not in answer.text


BAD_WISHES: list[tuple[Any, str]] = [
    ({"game": "chess"}, "there is no game 'chess'"),
    ({"game": "pentago", "options": {"size": 3}}, "no option size"),
    ({"game": "pentago", "options": {"self": 3}}, "no option self"),
    ({"game": "pentago", "options": {"rows": "2"}}, "option rows must be a whole number"),
    ({"game": "pentago", "options": {"rows": 400, "cols": 400}}, "option rows must be"),
    ({"game": "pentago", "options": {"rows": 20, "block": 3}}, "at most 26"),
    ({"game": "pentago", "options": {"line": 7}}, "no line of 7 fits"),
    ({"game": "pentago", "options": {"rows": 2.5}}, "options.rows"),
    ({"game": "pentago", "seats": ["human"]}, "2 seats"),
    ({"game": "pentago", "seats": ["human", "nobody"]}, "nobody called 'nobody'"),
    ({"game": "pentago", "seats": ["human"] * 99}, "at most 16 items"),
    ({"game": "pentago", "seats": "human"}, "valid list"),
    ({"game": "pentago", "colour": "pink"}, "colour"),
    ({"game": 7}, "game"),
    ({}, "game"),
    ([], "valid dictionary"),
    (None, "required"),
]


@pytest.mark.parametrize(("wish", "reason"), BAD_WISHES)
def test_a_room_that_cannot_be_is_refused_in_one_line(server: Server, wish: Any, reason: str) -> None:
    answer = httpx.post(f"{server.url}/api/rooms", json=wish)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert one_line(error)
    assert reason in error


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b'{"game": "pentago"', b"[" * 5000, b'{"game": "\\ud800"}'])
def test_what_is_no_json_is_refused_in_one_line(server: Server, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = httpx.post(f"{server.url}/api/rooms", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert one_line(answer.json()["error"])


def test_a_body_that_is_too_large_is_refused(server: Server) -> None:
    answer = httpx.post(f"{server.url}/api/rooms", json={"game": "x" * 10_000_000})
    assert answer.status_code == 413
    assert one_line(answer.json()["error"])


# ── who may come in ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "[", "127.0.0.1@evil"]
)
def test_a_foreign_name_is_refused(server: Server, host: str) -> None:
    assert get(server, "/", Host=host).status_code in (400, 421)
    with pytest.raises(InvalidStatus), server.join("any", Host=host):
        pass


@pytest.mark.parametrize("host", ["localhost:{}", "127.0.0.1:{}", "[::1]:{}", "192.168.1.5:{}", "LOCALHOST"])
def test_the_machines_own_names_are_known(server: Server, host: str) -> None:
    assert get(server, "/", Host=host.format(server.port)).status_code == 200


FOREIGN = [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"}]
CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}


@pytest.mark.parametrize("headers", [*FOREIGN, CROSS_SITE])
def test_another_sites_page_can_neither_make_rooms_nor_join_them(server: Server, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{server.url}/api/rooms", json={"game": "pentago"}, headers=headers)
    assert answer.status_code == 403
    room, cookies = server.make()
    with pytest.raises(InvalidStatus), server.join(room, cookies, **headers):
        pass
    with server.join(room, cookies, Origin=server.url) as player:
        assert player.hear()["type"] == "state"


# ── play ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_turn_is_made_step_by_step_and_played_when_it_is_whole(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player:
        player.hear()
        turn = player.play("a2")
        assert turn["type"] == "turn"
        assert turn["prompt"] == "turn a sub-board"
        assert {"step": "1C", "targets": ["1C"], "label": "turn sub-board 1 clockwise"} in turn["choices"]
        assert turn["svg"] == pentad.new("pentago").partial("a2").svg(last="a2", style=False)
        state = player.play("a2 1C")
        assert state["event"] == "played"
        assert [move["text"] for move in state["moves"]] == ["a2 1C"]
        assert state["announce"].startswith("black places at a2 and turns sub-board 1 clockwise. white")


def test_a_choice_comes_once_for_every_way_to_touch_it(server: Server) -> None:
    room, cookies = server.make(game="pentagame", **HOT_SEAT)
    with server.join(room, cookies) as player:
        state = player.hear()
        swap = "[0,0,1,0,0] [0,1,0,0,0]"
        ways = [each["targets"] for each in state["choices"] if each["step"] == swap]
        assert ways == [["piece 0.0", "piece 0.1"], ["piece 0.1", "piece 0.0"]]
        told = [tuple(each["targets"]) for each in state["choices"]]
        assert len(told) == len(set(told))
        assert player.play(swap)["moves"][0]["text"] == swap
        hint = player.ask("hint")
        assert hint["move"] == " ".join(step["step"] for step in hint["steps"])


def test_a_bot_answers_and_a_hint_can_be_followed(server: Server) -> None:
    room, cookies = server.make(seats=["human", "greedy"])
    with server.join(room, cookies) as player:
        player.hear()
        hint = player.ask("hint")
        assert hint["type"] == "hint"
        assert hint["move"] == " ".join(step["step"] for step in hint["steps"])
        assert player.play(hint["move"])["turn"] == 1
        assert player.hear()["turn"] == 0
        assert len(player.state["moves"]) == 2


def test_a_spectator_sees_everything_and_changes_nothing(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player, server.join(room, {"seat0": "guessed"}) as spectator:
        player.hear()
        assert spectator.hear()["choices"] == []
        for message in ("undo", "redo", "hint", "resign"):
            assert "you are watching" in spectator.ask(message)["error"]
        assert "you are watching" in spectator.play("a2 1C")["error"]
        player.play("b3 2A")
        assert [move["text"] for move in spectator.hear()["moves"]] == ["b3 2A"]
        spectator.say("look", flip=True)  # `at` is not asked for here
        assert spectator.hear()["type"] == "error"
        spectator.socket.send('{"type": "look", "flip": true}')
        assert spectator.hear()["flip"] is True


BAD_MESSAGES: list[tuple[str, str]] = [
    ("", "no message"),
    ("{", "no message"),
    ("7", "no message"),
    ("null", "no message"),
    ("[]", "no message"),
    ("{}", "type"),
    ('{"type": "dance"}', "dance"),
    ('{"type": "undo"}', "at"),
    ('{"type": "undo", "at": "0"}', "at"),
    ('{"type": "undo", "at": 0.5}', "at"),
    ('{"type": "undo", "at": 0, "why": 1}', "why"),
    ('{"type": "undo", "at": 0}', "no move of yours"),
    ('{"type": "redo", "at": 0}', "no move to play again"),
    ('{"type": "undo", "at": 7}', "gone on meanwhile"),
    ('{"type": "look", "flip": "yes"}', "flip"),
    ('{"type": "resign", "at": 0, "seat": 1}', "not yours"),
    ('{"type": "resign", "at": 0, "seat": -1}', "not yours"),
    ('{"type": "step", "at": 0, "steps": 3}', "steps"),
    ('{"type": "step", "at": 0, "steps": "k10"}', "no space k10"),
    ('{"type": "step", "at": 0, "steps": "a2 9C"}', "no sub-board 9"),
    ('{"type": "step", "at": 0, "steps": "h8,h9"}', "not a space"),
    ('{"type": "step", "at": 0, "steps": "a2 1C b3"}', "more than a turn"),
    ('{"type": "step", "at": 0, "steps": "a2", "end": true}', "cannot end here"),
    ('{"type": "step", "at": 0, "steps": "' + "a" * 401 + '"}', "at most 400"),
    ("x" * 5000, "at most 4096"),
]


@pytest.fixture(scope="module")
def against_random(server: Server) -> tuple[str, dict[str, str]]:
    return server.make(seats=["human", "random"])


@pytest.mark.parametrize(("text", "reason"), BAD_MESSAGES)
def test_a_bad_message_is_answered_in_one_line_and_changes_nothing(
    server: Server, against_random: tuple[str, dict[str, str]], text: str, reason: str
) -> None:
    with server.join(*against_random) as player:
        before = player.hear()
        player.socket.send(text)
        answer = player.hear()
        if answer["type"] == "state":  # whoever comes too late is told how things stand, too
            answer = player.hear()
        assert answer["type"] == "error"
        assert one_line(answer["error"])
        assert reason in answer["error"]
        with server.join(*against_random) as other:
            assert other.hear() == before


def test_a_taken_space_and_a_turn_that_is_not_yours_are_refused_with_the_reason(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as both, server.join(room, {"seat0": cookies["seat0"]}) as black:
        both.hear()
        black.hear()
        black.play("c3 1C")
        both.hear()
        assert "not your turn: white is to move" in black.play("a0 1C")["error"]
        assert "not your turn" in black.ask("hint")["error"]
        assert "c3 is taken by a black marble" in both.play("c3 1C")["error"]


def test_a_message_that_comes_twice_is_done_once(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player:
        player.hear()
        player.say("step", steps="a2 1C")
        player.say("step", steps="a2 1C")
        assert player.hear()["at"] == 1
        assert player.hear()["at"] == 1
        assert "gone on meanwhile" in player.hear()["error"]


def test_ten_megabytes_close_the_line_and_disturb_nobody(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player, server.join(room, cookies) as other:
        player.hear()
        other.hear()
        with contextlib.suppress(ConnectionClosed):
            player.socket.send("x" * 10_000_000)
        assert close_code(player) in (1009, None)  # the line may break before the reason is through
        assert other.play("a2 1C")["at"] == 1


def close_code(player: Player) -> int | None:
    """The code with which the line is closed, after whatever is still said."""
    try:
        while True:
            player.hear()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_bytes_close_the_line(server: Server) -> None:
    room, cookies = server.make()
    with server.join(room, cookies) as player:
        player.hear()
        player.socket.send(b"{}")
        assert close_code(player) == 1003


def test_a_room_that_is_gone_says_so(server: Server) -> None:
    with server.join("none") as player:
        assert "not kept here" in player.hear()["error"]
        assert close_code(player) == 4404


# ── from start to stop ───────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_in_good_order(number: int) -> None:
    with Server() as server:
        room, cookies = server.make(seats=["random", "random"])
        with server.join(room, cookies) as player:
            player.hear()
            server.process.send_signal(number)
            assert close_code(player) == 1012
        out, err = server.process.communicate(timeout=PATIENCE)
        assert (server.process.returncode, out, err) == (0, "", "")


def test_a_port_that_is_taken_is_named_and_another_is_offered() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(GameError, match=rf"^port {port} is taken; try --port \d+, or leave it out"):
            listen("127.0.0.1", port)


def test_without_a_port_the_next_free_one_is_taken() -> None:
    with listen("127.0.0.1", None) as one, listen("127.0.0.1", None) as two:
        assert FIRST_PORT <= one.getsockname()[1] < two.getsockname()[1]


def test_a_host_that_is_not_here_is_named() -> None:
    with pytest.raises(GameError, match=r"^cannot listen on 192\.0\.2\.1: "):
        listen("192.0.2.1", None)


@pytest.mark.parametrize("port", ["0", "65536", "-1", "x", "80.5", "٣"])
def test_what_is_no_port_is_refused_in_one_line(port: str) -> None:
    code = "import sys; from pentad.terminal import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "web", "--no-browser", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert one_line(done.stderr.strip())
    assert "65535" in done.stderr


def test_the_library_loads_no_server() -> None:
    code = "import sys, json, pentad; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", code]))
    assert not {"fastapi", "starlette", "uvicorn", "pydantic", "pentad.web"} & set(loaded)
