"""Analysis sessions: reports, stopping, replacing, disconnecting, and invalid messages."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

import pentad
from pentad.game import GameError, Position
from pentad.web import view
from pentad.web.engines import WorkerFailed
from pentad.web.service import analyse
from tests import event_loop
from tests.waiting import TIMEOUT
from tests.web.server_thread import Answers, InThreads, PlaceCallback, serving

SHORT = 0.5  # seconds of an analysis that ends by itself
PENTAGO = pentad.new("pentago").text
ONE, TWO = (pentad.new("pentago").play("a2 1C").text, pentad.new("pentago").play("a2 1C").play("b3 2A").text)


class Scripted(InThreads):
    """Endless engines that record which requests ended."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.some_ended = threading.Condition()

    async def _forever(self, kind: str, on_place: PlaceCallback) -> Answers:
        if on_place:
            on_place(2)
            on_place(0)
        depth = 0
        try:
            while True:
                depth += 1
                yield {"kind": kind, "depth": depth}
                await asyncio.sleep(0.005)
        finally:
            with self.some_ended:
                self.ended.append(kind)
                self.some_ended.notify_all()

    async def _once(self, lines: int) -> Answers:
        yield {"kind": f"once {lines}"}

    def wait_for(self, *kinds: str) -> None:
        with self.some_ended:
            assert self.some_ended.wait_for(lambda: sorted(self.ended) == sorted(kinds), TIMEOUT), self.ended

    def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: object, on_place: PlaceCallback = None
    ) -> Answers:
        if position.game == "pentagame":
            raise RuntimeError("a bug")
        if seconds == SHORT:
            return self._once(lines)
        return self._forever(f"{position.game} {lines}", on_place)

    async def values(self, position: Position, *, owner: object, on_place: PlaceCallback = None) -> dict[str, Any]:
        if position.game != "pentago":
            raise WorkerFailed("It has no exact values.")
        first = str(position.legal_moves[0])
        return {"value": -1, "moves": {first: -1, str(position.legal_moves[1]): 0}, "unknown": 286}

    async def solved(self, position: Position, *, lines: int, owner: object, on_place: PlaceCallback = None) -> Answers:
        """Boards with marbles are solved; the empty one is not."""
        if not position.ply:
            raise WorkerFailed("too much")
        yield await self.values(position, owner=owner)
        yield {"kind": f"solved {lines}", "lines": []}

    def solves_at_once(self, position: Position) -> bool:
        return position.ply != 1

    def review(self, record_text: str, *, seconds: float, owner: object, on_place: PlaceCallback = None) -> Answers:
        if "pente" in record_text:
            raise GameError("line 1, column 1: this is no record")
        return self._forever("review", on_place)


@pytest.fixture(scope="module")
def engines() -> Scripted:
    return Scripted()


@pytest.fixture(scope="module")
def address(engines: Scripted, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(engines, tmp_path_factory.mktemp("desk")) as url:
        yield url.replace("http", "ws") + "/api/study/engine"


class Reader:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, type_: str, **more: Any) -> None:
        self.socket.send(json.dumps({"type": type_, **more}))

    def receive(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(TIMEOUT))
            if message["type"] in types:
                return message


@contextmanager
def reading(address: str, engines: Scripted) -> Iterator[Reader]:
    engines.ended.clear()
    with connect(address, open_timeout=TIMEOUT, max_queue=None) as socket:
        yield Reader(socket)


@pytest.mark.slow
def test_reports_come_with_their_number_after_the_places_in_the_queue(address: str, engines: Scripted) -> None:
    with reading(address, engines) as reader:
        reader.send("analyse", number=7, position=PENTAGO, seconds=2.5, lines=4)
        places = [reader.receive("waiting")["place"] for _ in range(2)]
        assert places == [2, 0]
        report = reader.receive("report")
        assert (report["number"], report["what"], report["kind"]) == (7, "analyse", "pentago 4")
    engines.wait_for("pentago 4")  # its client has left


def test_a_stop_ends_one_kind_or_all(address: str, engines: Scripted) -> None:
    with reading(address, engines) as reader:
        reader.send("analyse", number=1, position=PENTAGO)
        reader.send("review", number=2, record="[…]")
        reader.receive("report")
        reader.receive("ply")
        reader.send("stop", what="analyse")
        engines.wait_for("pentago 3")
        assert reader.receive("ply")["number"] == 2
        reader.send("stop")
        engines.wait_for("pentago 3", "review")


def test_a_new_request_replaces_the_one_before(address: str, engines: Scripted) -> None:
    with reading(address, engines) as reader:
        reader.send("analyse", number=1, position=PENTAGO)
        reader.receive("report")
        reader.send("analyse", number=2, position=pentad.new("pente").text)
        engines.wait_for("pentago 3")
        while (report := reader.receive("report"))["number"] == 1:
            pass
        assert report["kind"] == "pente 3"


def test_positions_are_read_beside_the_event_loop(
    address: str, engines: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[tuple[str, bool]] = []

    def check_size(position: Position) -> None:
        checked.append((position.text, event_loop.is_running()))

    monkeypatch.setattr(view, "check_size", check_size)
    with reading(address, engines) as reader:
        reader.send("analyse", number=1, position=PENTAGO, seconds=SHORT)
        assert reader.receive("done", "error")["type"] == "done"
        reader.send("values", number=2, position=TWO)
        assert reader.receive("done", "error")["type"] == "done"
    assert checked == [(PENTAGO, False), (TWO, False)]


def test_values_have_the_targets_of_every_step(address: str, engines: Scripted) -> None:
    with reading(address, engines) as reader:
        reader.send("values", number=1, position=PENTAGO)
        reply = reader.receive("values")
        assert (reply["value"], reply["values"]) == (-1, [-1, 1])
        assert reply["summary"] == "1 of 288 moves draws, 1 loses, the values of the other 286 are not known."
        assert reply["moves"][0] == {
            "move": "a0 1C",
            "steps": [
                {"step": "a0", "targets": ["a0"], "label": "Place at a0"},
                {"step": "1C", "targets": ["1C"], "label": "Twist sub-board 1 clockwise"},
            ],
            "value": -1,
        }
        assert reader.receive("done")["what"] == "values"


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        (TWO, ["solving", "values", "report solved 2"]),  # a quick solution needs no other analysis
        (ONE, ["report once 2", "solving", "values", "report solved 2"]),
        (PENTAGO, ["solving", "unsolved", "report once 2"]),
    ],
)
def test_quick_exact_values_come_first(address: str, engines: Scripted, position: str, answers: list[str]) -> None:
    with reading(address, engines) as reader:
        reader.send("analyse", number=3, position=position, seconds=SHORT, lines=2, values=True)
        received: list[str] = []
        while (reply := reader.receive("values", "report", "solving", "unsolved", "done"))["type"] != "done":
            assert (reply["number"], reply["what"]) == (3, "analyse")
            received.append(f"{reply['type']} {reply.get('kind', '')}".strip())
        assert received == answers


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ({"type": "values", "number": 1, "position": pentad.new("pente").text}, "It has no exact values."),
        ({"type": "review", "number": 1, "record": "pente"}, "line 1, column 1: this is no record"),
        ({"type": "analyse", "number": 1, "position": "chess"}, "Unknown game 'chess'"),
        (
            {"type": "analyse", "number": 1, "position": pentad.new("pentagame").text},
            "Internal error (a bug in pentad): RuntimeError.",
        ),
    ],
)
def test_a_failed_request_gets_one_line(address: str, engines: Scripted, message: dict[str, Any], line: str) -> None:
    with reading(address, engines) as reader:
        reader.socket.send(json.dumps(message))
        reply = reader.receive("error")
        assert reply["error"].startswith(line)
        assert (reply["number"], reply["what"]) == (1, message["type"])


@pytest.mark.fast_cases(9)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"type": "dance"}',
        '{"type": "analyse", "number": 1}',
        json.dumps({"type": "analyse", "number": 1, "position": PENTAGO, "lines": 6}),
        json.dumps({"type": "analyse", "number": 1, "position": PENTAGO, "seconds": 61}),
        json.dumps({"type": "analyse", "number": "1", "position": PENTAGO}),
        json.dumps({"type": "stop", "what": "all"}),
        "x" * (analyse.MAX_MESSAGE_LENGTH + 1),
    ],
)
def test_an_invalid_message_gets_one_line_and_ends_nothing(address: str, engines: Scripted, text: str) -> None:
    with reading(address, engines) as reader:
        reader.send("analyse", number=5, position=PENTAGO)
        reader.receive("report")
        reader.socket.send(text)
        reply = reader.receive("error")
        assert reply["number"] is None
        assert "\n" not in reply["error"]
        assert reader.receive("report")["number"] == 5


@pytest.mark.parametrize(
    ("path", "body", "line"),
    [
        ("read", {"text": "x" * 64_001}, 'Expected at most 64,000 characters in "text", got 64,001.'),
        ("read", {"text": "pentago a2 1C zz"}, "line 1, column 15: 'zz' does not begin a legal move"),
        ("read", {"text": "a2 1C"}, "line 1, column 1: Unknown game."),
        ("read", {"words": "a2 1C"}, 'Missing field "text".'),
        ("line", {"start": "pentago", "moves": ["a2 1C", "a2 1C", "zz"]}, "Move 3: 'zz' is not a space"),
        ("line", {"start": "pente size=99"}, "Option size must be"),
        ("write", {"start": "pentago", "format": "exe"}, "Unknown format 'exe' of Pentago."),
        (
            "write",
            {"start": "pentago", "format": "json", "nodes": [{"parent": -1, "move": ""}]},
            'Expected "nodes.0.parent"',
        ),
        ("edit", {"draft": "pentago", "piece": "dog"}, "Unknown piece 'dog'"),
    ],
)
def test_an_invalid_http_request_gets_one_line(address: str, path: str, body: dict[str, Any], line: str) -> None:
    url = address.replace("ws://", "http://").replace("engine", path)
    answer = httpx.post(url, json=body)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(line)


def test_pieces_and_games_over_http(address: str) -> None:
    url = address.replace("ws://", "http://").replace("engine", "")
    assert httpx.get(f"{url}pieces", params={"position": "pente"}).json()["pieces"][0]["name"] == "white"
    assert httpx.get(f"{url}pieces", params={"position": "chess"}).status_code == 422
    tree = httpx.post(f"{url}read", json={"text": "pentago a2 1C"}).json()
    assert tree["nodes"][1]["words"] == "Black plays a2 and twists sub-board 1 clockwise."
    wish = {"start": tree["start"], "format": "moves", "nodes": [{"parent": 0, "move": "a2 1C"}]}
    assert "a2 1C" in httpx.post(f"{url}write", json=wish).json()["text"]


def test_binary_messages_end_the_session(address: str, engines: Scripted) -> None:
    with reading(address, engines) as reader:
        reader.send("analyse", number=1, position=PENTAGO)
        reader.receive("report")
        reader.socket.send(b"\0")
        engines.wait_for("pentago 3")
