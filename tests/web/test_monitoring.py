"""Metrics of a server: its state and its counts, on a port of their own."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from pentad.game import GameError, load
from pentad.system import metrics
from pentad.web.backend import Backend
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.http.refusal_reasons import Reason
from pentad.web.monitoring import Monitoring
from pentad.web.page_workers import BackgroundThreads
from pentad.web.serve import serve
from pentad.web.settings import Settings
from tests.waiting import TIMEOUT
from tests.web.room_fixtures import Guest, Scene, run_pending, scene
from tests.web.server_process import Server

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(text: str | bytes) -> Samples:
    """The numbers in the text of metrics, by their names and labels."""
    text = text.decode() if isinstance(text, bytes) else text
    families = text_string_to_metric_families(text)
    return {(each.name, frozenset(each.labels.items())): each.value for found in families for each in found.samples}


def number(found: Samples, name: str, **labels: str) -> float:
    """One of the numbers; 0 if it is not there yet."""
    return found.get((name, frozenset(labels.items())), 0.0)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0))) as opened:
        yield opened


def monitoring(here: Scene, listener: socket.socket) -> Monitoring:
    found = Monitoring(lambda: listener)
    found.listen()
    found.watch(Backend(here.store, cast(Engines, here.engines), here.rooms, workers=BackgroundThreads()))
    return found


def first_move(guest: Guest) -> str:
    return str(guest.room.game.position.legal_moves[0])


@scene
async def test_rooms_sockets_persons_and_moves_are_counted(here: Scene, listener: socket.socket) -> None:
    watched = monitoring(here, listener)
    before = samples(await watched.text())
    ada, _ = await here.friends("Ada", "Bob", game="pente")
    Guest(ada.room, None)
    await here.room(by=await here.person("Carol"))
    await ada.play(first_move(ada))
    await here.settle()
    found = samples(await watched.text())
    assert number(found, "pentad_rooms") == 2
    assert number(found, "pentad_games_open", game="pente") == 1
    assert number(found, "pentad_room_sockets", kind="player") == 2
    assert number(found, "pentad_room_sockets", kind="watcher") == 1
    assert number(found, "pentad_persons") == 2

    def more(name: str, **labels: str) -> float:
        return number(found, name, **labels) - number(before, name, **labels)

    assert more("pentad_moves_total", game="pente", player="human") == 1
    assert more("pentad_move_commit_seconds_count") == 1
    assert more("pentad_move_shown_seconds_count") == 2  # to the opponent and the watcher
    assert more("pentad_database_commit_seconds_count") > 0
    assert more("pentad_database_commit_writes_sum") >= more("pentad_database_commit_seconds_count")


@scene
async def test_moves_of_bots_are_counted_with_their_seconds(here: Scene, listener: socket.socket) -> None:
    watched = monitoring(here, listener)
    before = samples(await watched.text())
    guest = await here.alone("human", "engine@3")
    await guest.play(first_move(guest))
    here.loop.ahead += 3.0  # the bot thinks meanwhile
    await here.engines.answers.put(first_move(guest))
    await here.settle()
    found = samples(await watched.text())
    labels = {"game": "pentago", "bot": "engine"}
    for name, expected in (("count", 1.0), ("sum", 3.0)):
        metric = f"pentad_bot_move_seconds_{name}"
        assert number(found, metric, **labels) - number(before, metric, **labels) == pytest.approx(expected, abs=0.01)
    of_bots = {"game": "pentago", "player": "bot"}
    assert number(found, "pentad_moves_total", **of_bots) == number(before, "pentad_moves_total", **of_bots) + 1
    await guest.play(first_move(guest))
    await here.engines.answers.put(WorkerFailed("No."))
    await run_pending()
    await here.settle()
    failures = number(samples(await watched.text()), "pentad_bot_failures_total", **labels)
    assert failures == number(before, "pentad_bot_failures_total", **labels) + 1


@scene
async def test_what_is_stored_is_counted_once_a_minute(here: Scene, listener: socket.socket) -> None:
    watched = monitoring(here, listener)
    await here.person("Ada")
    assert number(samples(await watched.text()), "pentad_stored_rows", table="persons") == 1
    await here.person("Bob")
    assert number(samples(await watched.text()), "pentad_stored_rows", table="persons") == 1
    watched._counted -= 60.0
    assert number(samples(await watched.text()), "pentad_stored_rows", table="persons") == 2


@scene
async def test_a_database_that_fails_holds_up_no_other_metric(
    here: Scene, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = monitoring(here, listener)
    monkeypatch.setattr("pentad.web.monitoring.STORED_WAIT", 0.01)
    never: asyncio.Event = asyncio.Event()

    async def waits() -> Any:
        await never.wait()

    async def fails() -> Any:
        raise GameError("Cannot read the games.")

    for read in (waits, fails):
        monkeypatch.setattr(here.store, "counts", read)
        watched._counting, watched._counted = None, -60.0
        found = samples(await watched.text())
        assert number(found, "pentad_info", version=__import__("pentad").__version__) == 1
        assert ("pentad_stored_rows", frozenset({("table", "games")})) not in found


@scene
async def test_waiting_requests_have_a_number_and_an_age(here: Scene, listener: socket.socket) -> None:
    watched = monitoring(here, listener)
    assert watched._backend
    queue = watched._backend.background.queue
    turn = asyncio.Event()

    async def hold() -> None:
        async with queue.turn("holder", 1):
            await turn.wait()

    tasks = [asyncio.create_task(hold()) for _ in range(queue.size + 3)]
    await run_pending()
    for request in queue.quick._in_order:
        request.entered -= 7.0
    found = samples(await watched.text())
    labels = {"queue": "background", "kind": "quick"}
    assert number(found, "pentad_queue_waiting", **labels) == 3
    assert number(found, "pentad_queue_running", **labels) == queue.size
    assert number(found, "pentad_queue_oldest_seconds", **labels) >= 7.0
    turn.set()
    await asyncio.gather(*tasks)
    after = samples(await watched.text())
    assert number(after, "pentad_queue_oldest_seconds", **labels) == 0
    waits = "pentad_queue_wait_seconds_count"
    assert number(after, waits, **labels) - number(found, waits, **labels) == 3


@scene
async def test_metrics_are_read_at_their_path_only(here: Scene, listener: socket.socket) -> None:
    app = monitoring(here, listener).app
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:9464") as client:
        answer = await client.get("/metrics")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/plain; version=")
        assert (await client.get("/metrics", headers={"host": "localhost:9464"})).status_code == 200
        assert (await client.get("/metrics", headers={"host": "[::1]:9464"})).status_code == 200
        for host in ("evil.example", "[", ""):
            refused = await client.get("/metrics", headers={"host": host})
            assert (refused.status_code, refused.text.count("\n")) == (421, 1)
        assert (await client.get("/")).status_code == 404
        assert (await client.post("/metrics")).status_code == 405


@scene
async def test_a_listener_for_other_machines_answers_by_any_name(here: Scene) -> None:
    with closing(socket.create_server(("0.0.0.0", 0))) as opened:
        app = monitoring(here, opened).app
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://pentad:9464") as client:
            assert (await client.get("/metrics")).status_code == 200


def test_names_and_labels_are_as_prometheus_expects_them() -> None:
    endings = {"counter": "_total", "histogram": ("_seconds", "_writes")}
    for name, each in metrics.ALL.items():
        assert name.startswith("pentad_")
        assert name.endswith(endings.get(each.kind, "")), name
        assert name == "pentad_event_loop_delay_seconds" or "le" not in each.labels


def test_a_server_has_its_metrics_on_a_port_of_their_own() -> None:
    with Server(metrics_port=0) as server:
        assert server.metrics.startswith("http://127.0.0.1:")
        assert f":{server.port}/" not in server.metrics
        room, cookies = server.make(seats=["human", "human"])
        with server.join(room, cookies) as player:
            player.receive("state")
            player.play(str(load(player.state["position"]).legal_moves[0]))
            found = samples(httpx.get(server.metrics, timeout=TIMEOUT).text)
        httpx.get(server.url, headers={"host": "evil.example"}, timeout=TIMEOUT)
        after = samples(httpx.get(server.metrics, timeout=TIMEOUT).text)
        assert httpx.get(f"{server.url}/metrics", timeout=TIMEOUT).status_code == 404
        server.stop()
    assert number(found, "pentad_moves_total", game="pentago", player="human") == 1
    assert number(found, "pentad_move_commit_seconds_count") == 1
    assert number(found, "pentad_sockets_open", route="/api/rooms/{name}") == 1
    assert number(found, "pentad_http_requests_total", method="POST", route="/api/rooms", status="201") == 1
    assert number(found, "pentad_http_request_seconds_count", route="/api/rooms") == 1
    assert number(found, "pentad_stored_rows", table="games") == 1
    assert number(found, "process_resident_memory_bytes") > 10**7
    assert number(found, "pentad_refusals_total", reason=Reason.HOST) == 0
    assert number(after, "pentad_refusals_total", reason=Reason.HOST) == 1
    secrets = {room, *cookies.values(), "127.0.0.1", "evil"}
    assert not [key for key in (*found, *after) if any(secret in str(key) for secret in secrets)]


def test_a_port_of_metrics_that_is_taken_is_refused_in_one_line(listener: socket.socket, tmp_path: Path) -> None:
    port = listener.getsockname()[1]
    with pytest.raises(GameError) as refused:
        serve(Settings(port=0, database=f"sqlite:///{tmp_path}/games.db", browser=False, metrics_port=port))
    assert f"port {port} for metrics" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_package_of_prometheus_is_imported_for_metrics_alone() -> None:
    code = "import sys, pentad.web.serve, pentad.web.site.browser.server; sys.exit('prometheus_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=TIMEOUT, check=False).returncode == 0
