"""The server from outside: pages, headers, rooms over HTTP, play over a WebSocket, and invalid input."""

import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from websockets.exceptions import InvalidStatus, WebSocketException

import pentad
from pentad import __version__, drawing
from pentad.drawing import themes as board_themes
from pentad.game import GameError, game
from pentad.play.seats import sit
from pentad.search.bot import default_opponent, own_bots, ratings, strengths
from pentad.web.http.assets import STATIC
from pentad.web.http.refusal_reasons import REFUSALS
from pentad.web.http.security import SecurityMiddleware
from pentad.web.serve import FIRST_PORT, WebServer, answers_at, listen
from tests.cases import slow
from tests.web import server_thread
from tests.web.room_fixtures import redrawn
from tests.web.server_process import TIMEOUT, Server

HOT_SEAT = {"seats": ["human", "human"]}


def get(server: Server, path: str, **headers: str) -> httpx.Response:
    return httpx.get(server.url + path, headers=headers)


def one_line(text: str) -> bool:
    return bool(text) and "\n" not in text and len(text) < 300


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_shows_a_board_before_any_script_runs(server: Server) -> None:
    answer = get(server, "/play")
    assert answer.status_code == 200
    assert pentad.new("pentago").svg(style=False) in answer.text


def test_the_start_page_has_a_card_for_each_game(server: Server) -> None:
    text = get(server, "/").text
    for name in pentad.names():
        assert f'href="/play?game={name}"' in text
        picture = re.search(f'"(/static/[0-9a-f]+/pictures/{name}.svg)"', text)
        assert picture
        assert get(server, picture[1]).text.startswith("<svg")
        assert (f'href="/learn/{name}"' in text) is (game(name).data("lesson.toml") is not None)


def test_a_rooms_page_shows_its_board_and_an_unknown_room_is_not_found(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player:
        player.receive()
        player.play("a2 1C")
    board = pentad.new("pentago").play("a2 1C").svg(last="a2 1C", style=False)
    assert board in get(server, f"/play/{room}").text
    assert get(server, "/play/none").status_code == 404


def test_the_scripts_name_no_game() -> None:
    for path in [*STATIC.glob("*.js"), *STATIC.glob("play/*.js")]:
        text = path.read_text(encoding="utf-8").lower().replace('class: "marble"', "")  # a class of all drawings
        assert not re.search(r"pentago|pente\b|pentagame|marble|sub-board", text), path


@pytest.mark.parametrize("path", ["/none", "/start", "/static/../app.py", "/play/a/b"])
def test_an_unknown_page_is_a_page(server: Server, path: str) -> None:
    answer = get(server, path)
    assert answer.status_code == 404
    assert "Page not found" in answer.text


@pytest.mark.parametrize("path", ["/api/none", "/static/none.js", "/api/rooms/a%0Ab/record"])
def test_an_unknown_path_is_not_found_in_one_line(server: Server, path: str) -> None:
    answer = get(server, path)
    assert answer.status_code == 404
    assert one_line(answer.json()["error"])


def test_a_wrong_method_is_refused_in_one_line(server: Server) -> None:
    answer = httpx.delete(f"{server.url}/api/rooms")
    assert (answer.status_code, one_line(answer.json()["error"])) == (405, True)


def test_the_health_of_the_server(server: Server) -> None:
    health = get(server, "/api/health").json()
    assert health["version"] == __version__
    assert set(health) == {"ready", "compiling", "share", "waiting", "running", "version", "others", "can_share"}
    assert (health["others"], health["can_share"]) == ("", True)  # it listens to this machine only


def test_boards_have_the_style_of_drawings(server: Server) -> None:
    answer = get(server, "/static/board.css")
    assert answer.headers["Content-Type"].startswith("text/css")
    assert answer.text == drawing.STYLE + board_themes.STYLE


@pytest.mark.slow
def test_the_openapi_description_loads_no_other_host(server: Server) -> None:
    paths = get(server, "/openapi.json").json()["paths"]
    assert {"/api/games", "/api/rooms", "/api/board", "/api/me"} <= set(paths)
    assert all(path.startswith("/api/") for path in paths)
    assert get(server, "/docs").status_code == get(server, "/redoc").status_code == 404


def test_the_catalogue_lists_the_registered_games(server: Server) -> None:
    listed = {each["name"]: each for each in get(server, "/api/games").json()["games"]}
    assert set(listed) == set(pentad.names())
    for name, info in listed.items():
        kind = game(name)
        assert info["title"] == kind.title
        assert info["colours"] == list(kind.colours)
        offered = [each for each in kind.options.values() if not each.replaced_by]
        defaults = [None if each.default_text else each.default for each in offered]
        assert [option["default"] for option in info["options"]] == defaults
        assert [option["several"] for option in info["options"]] == [each.several for each in offered]
        about = get(server, f"/api/games/{name}/options").json()
        assert about == {each.name: {"about": each.about, "example": each.example} for each in offered}
        opponent = info["default_opponent"]
        assert sit(kind, opponent, remote=True).who == opponent == default_opponent(name)
        assert [each["name"] for each in info["bots"]] == list(own_bots(name))
        assert info["strengths"] == strengths(name)
        assert info["ratings"] == ratings(name)
        assert info["presets"] == game(name).presets


# ── new rooms ────────────────────────────────────────────────────────────────────────────────────


START = pentad.new("pentago").text
OVER = pentad.new("pentago", line=2).play("a0 4C").play("f0 4C").play("b0").text
BAD_REQUESTS: list[tuple[Any, str]] = [
    ({"game": "chess"}, "Unknown game 'chess'"),
    ({"game": "pentago", "options": {"size": 3}}, "no option size"),
    ({"game": "pentago", "options": {"self": 3}}, "no option self"),
    ({"game": "pentago", "options": {"rows": "2"}}, "Option rows must be a whole number"),
    ({"game": "pentago", "options": {"rows": 400, "cols": 400}}, "Option rows must be"),
    ({"game": "pentago", "options": {"rows": 20, "block": 3}}, "At most 26"),
    ({"game": "pentago", "options": {"line": 7}}, "No line of 7 fits"),
    ({"game": "pentago", "options": {"rows": 2.5}}, "options.rows"),
    ({"game": "pentago", "seats": ["human"]}, "2 seats"),
    ({"game": "pentago", "seats": ["human", "nobody"]}, "Unknown player 'nobody'"),
    ({"game": "pentago", "seats": ["human"] * 99}, "at most 16 items"),
    ({"game": "pentago", "seats": "human"}, "to be a list"),
    ({"game": "pentago", "seats": ["human", "x" * 41]}, "at most 40"),
    ({"game": "pentago", "seats": ["human", "greedy@9"]}, "greedy"),
    ({"game": "pente", "seats": ["human", "engine@99"]}, "99"),
    ({"game": "pentago", "name": "x" * 31}, "at most 30"),
    ({"game": "pentago", "name": "\n"}, "no visible characters"),
    ({"game": "pentago", "time": {"main": 0.5}}, "from 1 second to 24 hours"),
    ({"game": "pentago", "time": {"main": 1e300}}, "from 1 second to 24 hours"),
    ({"game": "pentago", "time": {"main": 60, "increment": -1}}, "from 0 to 3600"),
    ({"game": "pentago", "time": {"main": 60, "days": 1}}, "not both"),
    ({"game": "pentago", "time": {"days": 61}}, "at most 60 days"),
    ({"game": "pentago", "time": {"days": -1}}, "at most 60 days"),
    ({"game": "pentago", "time": {"main": "60"}}, "time.main"),
    ({"game": "pentago", "position": "nonsense"}, "nonsense"),
    ({"game": "pentago", "position": "x" * 4001}, "at most 4,000"),
    ({"game": "pente", "position": START}, "This position already sets the game (pentago)"),
    ({"game": "pentago", "position": START, "options": {"line": 4}}, "already sets the game"),
    ({"game": "pentago", "position": OVER}, "already over in this position"),
    ({"game": "pentago", "colour": "pink"}, "colour"),
    ({"game": 7}, "game"),
    ({}, "game"),
    ([], "to be an object"),
    (None, "JSON"),
]


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize(("wish", "reason"), BAD_REQUESTS)
def test_an_invalid_room_is_refused_in_one_line(server: Server, wish: Any, reason: str) -> None:
    answer = httpx.post(f"{server.url}/api/rooms", json=wish)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert one_line(error)
    assert reason in error


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b'{"game": "pentago"', b"[" * 5000, b'{"game": "\\ud800"}'])
def test_invalid_json_is_refused_in_one_line(server: Server, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = httpx.post(f"{server.url}/api/rooms", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert one_line(answer.json()["error"])


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("body", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_an_invalid_number_is_no_time(server: Server, body: str) -> None:
    for field in ("main", "increment", "days"):
        text = f'{{"game": "pentago", "time": {{"{field}": {body}}}}}'
        answer = httpx.post(f"{server.url}/api/rooms", content=text, headers={"Content-Type": "application/json"})
        assert (answer.status_code, one_line(answer.json()["error"])) == (422, True)


def test_a_game_can_start_from_any_position(server: Server) -> None:
    text = pentad.new("pentago").play("a2 1C").text
    room, cookies = server.make(position=text, **HOT_SEAT)
    with server.join(room, cookies) as player:
        assert player.receive()["position"] == text
        assert player.play("b2 1C")["at"] == 1


def test_a_too_large_body_is_refused(server: Server) -> None:
    answer = httpx.post(f"{server.url}/api/rooms", json={"game": "x" * 10_000_000})
    assert answer.status_code == 413
    assert one_line(answer.json()["error"])


# ── who may come in ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "[", "127.0.0.1@evil"]
)
def test_a_foreign_host_is_refused(server: Server, host: str) -> None:
    assert get(server, "/", Host=host).status_code in (400, 421)
    with pytest.raises(InvalidStatus), server.join("any", Host=host):
        pass


@pytest.mark.parametrize("host", ["localhost:{}", "127.0.0.1:{}", "[::1]:{}", "192.168.1.5:{}", "LOCALHOST"])
def test_the_machines_own_names_are_known(server: Server, host: str) -> None:
    assert get(server, "/", Host=host.format(server.port)).status_code == 200


# ── play ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_turn_is_made_step_by_step_and_played_when_complete(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player:
        player.receive()
        turn = player.play("a2")
        assert turn["type"] == "turn"
        assert turn["prompt"] == "Twist a sub-board."
        assert {"step": "1C", "targets": ["1C"], "label": "Twist sub-board 1 clockwise"} in turn["choices"]
        assert turn["svg"] is None
        drawn = redrawn(player.state["svg"], turn["changes"])
        assert drawn == pentad.new("pentago").partial("a2").svg(last="a2", style=False)
        state = player.play("a2 1C")
        assert state["event"] == "played"
        assert state["move"]["text"] == "a2 1C"
        assert player.state["svg"] == pentad.new("pentago").play("a2 1C").svg(last="a2 1C", style=False)
        assert state["announce"].startswith("Black plays a2 and twists sub-board 1 clockwise. White")


@pytest.mark.slow
def test_a_choice_comes_once_for_every_way_to_touch_it(server: Server) -> None:
    room, cookies = server.make(game="pentagame", **HOT_SEAT)
    with server.join(room, cookies) as player:
        state = player.receive()
        swap = "[0,0,1,0,0] [0,1,0,0,0]"
        ways = [each["targets"] for each in state["choices"] if each["step"] == swap]
        assert ways == [["piece 0.0", "piece 0.1"], ["piece 0.1", "piece 0.0"]]
        targets = [tuple(each["targets"]) for each in state["choices"]]
        assert len(targets) == len(set(targets))
        assert player.play(swap)["move"]["text"] == swap
        hint = player.ask("hint")
        assert hint["move"] == " ".join(step["step"] for step in hint["steps"])


def test_a_bot_answers_and_a_hint_can_be_followed(server: Server) -> None:
    room, cookies = server.make(seats=["human", "greedy"])
    with server.join(room, cookies) as player:
        player.receive()
        hint = player.ask("hint")
        assert hint["type"] == "hint"
        assert hint["move"] == " ".join(step["step"] for step in hint["steps"])
        assert player.play(hint["move"])["turn"] == 1
        assert player.receive("played")["turn"] == 0
        assert len(player.moves()) == 2


@pytest.mark.slow
def test_the_positions_of_a_game_are_read_one_by_one(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    turns = ["a2 1C", "b3 2A"]
    with server.join(room, cookies) as player:
        player.receive()
        for turn in turns:
            player.play(turn)

    def at(moves: object, query: str = "") -> httpx.Response:
        return get(server, f"/api/rooms/{room}/positions/{moves}{query}")

    position, last = pentad.new("pentago"), None
    for count in range(len(turns) + 1):
        for flip in (False, True):
            answer = at(count, f"?flip={str(flip).lower()}").json()
            assert answer == {"svg": position.svg(last=last, flip=flip, style=False), "status": position.status}
        assert at(count).json() == at(count, "?flip=false").json()
        if count < len(turns):
            position, last = position.play(turns[count]), turns[count]
    for count in (-1, 3, 10**30):
        assert (at(count).status_code, at(count).json()["error"]) == (404, "This game has 2 moves."), count
    for count in ("two", "1.5", ""):
        assert at(count).status_code in (404, 422)
        assert one_line(at(count).json()["error"]), count
    assert at(0, "?flip=maybe").status_code == 422
    for name in ("none", "%ff", "a" * 5000):
        answer = get(server, f"/api/rooms/{name}/positions/0")
        assert answer.status_code == 404, name
        assert one_line(answer.json()["error"])
    with server.join(room, cookies) as player:
        player.receive()
        player.ask("undo")
    assert at(2).json()["error"] == "This game has 1 move."


def test_the_positions_of_a_game_from_a_set_up_start_are_those_of_its_moves(server: Server) -> None:
    start = pentad.new("pentago").play("a0 4C").play("f5 1A")
    room, _ = server.make(position=start.text, **HOT_SEAT)
    answer = get(server, f"/api/rooms/{room}/positions/0").json()
    assert answer == {"svg": start.svg(style=False), "status": start.status}


def test_a_spectator_sees_everything_and_changes_nothing(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player, server.join(room, {"pentad": "guessed"}) as spectator:
        player.receive()
        assert spectator.receive()["choices"] == []
        for message in ("undo", "redo", "hint", "resign"):
            assert "You are watching" in spectator.ask(message)["error"]
        assert "You are watching" in spectator.play("a2 1C")["error"]
        player.play("b3 2A")
        spectator.receive("played")
        assert spectator.moves() == ["b3 2A"]
        assert "at" in spectator.ask("look", flip=True)["error"]  # this message needs no `at`
        spectator.socket.send('{"type": "look", "flip": true}')
        assert spectator.receive("state")["flip"] is True


BAD_MESSAGES: list[tuple[str, str]] = [
    ("", "Invalid message"),
    ("{", "Invalid message"),
    ("7", "Invalid message"),
    ("null", "Invalid message"),
    ("[]", "Invalid message"),
    ("{}", "type"),
    ('{"type": "dance"}', "dance"),
    ('{"type": "undo"}', "at"),
    ('{"type": "undo", "at": "0"}', "at"),
    ('{"type": "undo", "at": 0.5}', "at"),
    ('{"type": "undo", "at": 0, "why": 1}', "why"),
    ('{"type": "undo", "at": 0}', "You have no move"),
    ('{"type": "redo", "at": 0}', "no move to redo"),
    ('{"type": "undo", "at": 7}', "The game has changed"),
    ('{"type": "look", "flip": "yes"}', "flip"),
    ('{"type": "resign", "at": 0, "seat": 1}', "not yours"),
    ('{"type": "resign", "at": 0, "seat": -1}', "not yours"),
    ('{"type": "resign", "at": 0, "seat": 1e400}', "seat"),
    ('{"type": "resign", "at": 99999999999999999999999}', "The game has changed"),
    ('{"type": "answer", "at": 0, "yes": true}', "There is no offer"),
    ('{"type": "answer", "at": 0, "yes": 1}', "yes"),
    ('{"type": "draw", "at": 0}', "There is no opponent who could agree"),
    ('{"type": "say", "text": ""}', "text"),
    ('{"type": "say", "text": "\\u0000"}', "no visible characters"),
    ('{"type": "say", "text": "' + "a" * 301 + '"}', "at most 300"),
    ('{"type": "step", "at": 0, "steps": "[0,0,1,0,0] [0,1,0,0,0]"}', "[0,0,1,0,0]"),
    ("[" * 4000, "Invalid message"),
    ('{"type": "step", "at": 0, "steps": 3}', "steps"),
    ('{"type": "step", "at": 0, "steps": "k10"}', "no space k10"),
    ('{"type": "step", "at": 0, "steps": "a2 9C"}', "no sub-board 9"),
    ('{"type": "step", "at": 0, "steps": "h8,h9"}', "not a space"),
    ('{"type": "step", "at": 0, "steps": "a2 1C b3"}', "more than a turn"),
    ('{"type": "step", "at": 0, "steps": "a2", "end": true}', "cannot end here"),
    ('{"type": "step", "at": 0, "steps": "' + "a" * 401 + '"}', "at most 400"),
    ("x" * 5000, "at most 4,096"),
]


@pytest.fixture(scope="module")
def against_random(server: Server) -> tuple[str, dict[str, str]]:
    return server.make(seats=["human", "random"])


@pytest.mark.parametrize(("text", "reason"), BAD_MESSAGES)
def test_a_bad_message_is_answered_in_one_line_and_changes_nothing(
    server: Server, against_random: tuple[str, dict[str, str]], text: str, reason: str
) -> None:
    with server.join(*against_random) as player:
        before = player.receive()
        player.socket.send(text)
        answer = player.receive()
        if answer["type"] == "state":  # a stale message also gets the state
            answer = player.receive()
        assert answer["type"] == "error"
        assert one_line(answer["error"])
        assert reason in answer["error"]
        with server.join(*against_random) as other:
            assert other.receive() == before


def test_a_taken_space_and_a_turn_that_is_not_yours_are_refused_with_the_reason(server: Server) -> None:
    room, ada = server.make(seats=["human", "open"])
    bea = server.sit(room, name="Bea")
    with server.join(room, ada) as black, server.join(room, bea) as white:
        black.receive("state")
        white.receive("state")
        assert "It is not your turn. Black is to move." in white.play("a0 1C")["error"]
        black.play("c3 1C")
        white.receive("played")
        assert "It is not your turn. White is to move." in black.play("a0 1C")["error"]
        assert "not your turn" in black.ask("hint")["error"]
        assert "c3 is taken by a black marble" in white.play("c3 1C")["error"]


def test_a_repeated_message_takes_effect_once(server: Server) -> None:
    room, cookies = server.make(**HOT_SEAT)
    with server.join(room, cookies) as player:
        player.receive()
        player.send("step", steps="a2 1C")
        player.send("step", steps="a2 1C")
        assert player.receive()["type"] == "played"
        assert player.receive()["at"] == 1
        assert "The game has changed" in player.receive()["error"]


def test_binary_messages_close_the_socket(server: Server) -> None:
    room, cookies = server.make()
    with server.join(room, cookies) as player:
        player.receive()
        player.socket.send(b"{}")
        assert player.close_code() == 1003


def test_an_unknown_room_closes_the_socket_with_a_reason(server: Server) -> None:
    with server.join("none") as player:
        assert "does not exist on this server" in player.receive()["error"]
        assert player.close_code() == 4404


# ── from start to stop ───────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [slow(signal.SIGINT), signal.SIGTERM])
def test_it_stops_cleanly(number: int) -> None:
    with Server() as server:
        room, cookies = server.make(seats=["random", "random"])
        with server.join(room, cookies) as player:
            player.receive()
            server.process.send_signal(number)
            assert player.close_code() == 1012
        out, err = server.process.communicate(timeout=TIMEOUT)
        assert (server.process.returncode, out, err) == (0, "", "")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_it_stops_cleanly_despite_repeated_signals_and_open_requests() -> None:
    with Server() as server, socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(b"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        room, cookies = server.make(seats=["random", "random"])
        with server.join(room, cookies) as player:
            player.receive()
            while server.process.poll() is None:
                for number in (signal.SIGINT, signal.SIGTERM):
                    server.process.send_signal(number)
                time.sleep(0.05)
        out, err = server.process.communicate(timeout=TIMEOUT)
        assert (server.process.returncode, out, err) == (0, "", "")
        assert b" 503 " in line.recv(1 << 16)


HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0."
ASKED = b"GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


# From a signal on a second of silence is too long; before it a busy machine has all the time that it wants.
SOON_SILENT = """
import signal
import pentad.web.serve
signal.signal(signal.SIGUSR1, lambda *_: setattr(pentad.web.serve, "SILENCE_SECONDS", 1))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("begun", [slow(b""), slow(HALF), ASKED + HALF])
def test_silent_connections_are_closed(begun: bytes) -> None:
    with (
        Server(before=SOON_SILENT) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as line,
    ):
        line.sendall(begun)
        room, cookies = server.make()
        with server.join(room, cookies) as player:
            player.receive("state")
            server.process.send_signal(signal.SIGUSR1)
            while line.recv(1 << 16):
                pass
            player.play("a2 1C")  # this socket was as silent, and stays
            assert player.moves() == ["a2 1C"]


def test_the_side_of_the_board_is_kept_on_reconnect(server: Server) -> None:
    room, cookies = server.make()
    for flip in (True, False):
        with server.join(room, cookies, f"?flip={flip}") as player:
            assert player.receive("state")["flip"] is flip
    with pytest.raises(WebSocketException), server.join(room, cookies, "?flip=perhaps"):
        pass


@pytest.mark.slow
def test_lan_prints_an_address_and_a_qr_code() -> None:
    code = (
        "from pentad.web import serve; from pentad.web.settings import Settings;"
        "serve.own_address = lambda: '127.0.0.1';"
        "serve.serve(Settings(port=0, database='sqlite:///{}/games.db', browser=False, lan=True))"
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-c", code.replace("{}", folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout
            first, second, empty, *code_lines = [process.stdout.readline() for _ in range(12)]
            process.terminate()
            process.communicate(timeout=TIMEOUT)
    assert re.fullmatch(r"pentad is running: http://127\.0\.0\.1:\d+/ \(press Ctrl-C to stop\)\n", first)
    assert re.fullmatch(r"For others on this network: http://127\.0\.0\.1:\d+/\n", second)
    assert empty == "\n"
    assert all(set(line) & set("█▀▄") for line in code_lines[1:])


def test_a_second_start_asks_the_server_as_a_browser_does(tmp_path: Path) -> None:
    refused = sum(REFUSALS.counts().values())
    with server_thread.serving(server_thread.InThreads(), tmp_path) as url:
        assert answers_at(f"{url}/")
    assert not answers_at(f"{url}/")
    assert sum(REFUSALS.counts().values()) == refused


def test_a_taken_port_is_named_with_a_free_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(GameError, match=rf"^Port {port} is taken\. Try --port \d+, or omit it"):
            listen("127.0.0.1", port)


def test_an_idle_connection_outlives_those_of_proxies() -> None:
    server = WebServer(cast(SecurityMiddleware, None), "")
    assert server.config.timeout_keep_alive > 60


def test_the_default_port_is_the_first_free_one() -> None:
    with listen("127.0.0.1", None) as one, listen("127.0.0.1", None) as two:
        assert FIRST_PORT <= one.getsockname()[1] < two.getsockname()[1]


def test_an_unavailable_host_is_named() -> None:
    with pytest.raises(GameError, match=r"^Cannot listen on 192\.0\.2\.1: "):
        listen("192.0.2.1", None)
