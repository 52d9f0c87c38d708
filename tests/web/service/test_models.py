"""Models over HTTP and sockets: descriptions, walks, explorations, and errors in one line."""

import asyncio
import contextlib
import json
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import pentad
from pentad.grammar import Grammar, explore
from pentad.grammar.adviser import Adviser
from pentad.grammar.logic.bisimulation import minimise
from pentad.grammar.logic.ctl import check
from pentad.grammar.models import MODELS, new
from pentad.grammar.simulation import Simulation
from pentad.jobs import process as jobs_process
from pentad.jobs.fair_queue import Owner
from pentad.jobs.process import WorkerFailed
from pentad.jobs.process import relay as log_lines
from pentad.web import exploration_job
from pentad.web.backend import ExplorationPool
from pentad.web.http.client_address import owner_at
from pentad.web.service.models import MAX_CACHED_WALKS, Variant, WalkCache
from tests.cases import slow_but
from tests.conftest import OtherCompiler
from tests.waiting import TIMEOUT
from tests.web.models_app import ModelsServer
from tests.web.room_fixtures import Loop

SMALL = {"rows": "1", "cols": "1", "block": "2", "line": "2", "rules": "classic"}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with ModelsServer() as server, httpx.Client(base_url=server.url, timeout=TIMEOUT) as running:
        yield running


class Client:
    """A client of explorations."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(TIMEOUT))
        return message

    def until_done(self) -> list[dict[str, Any]]:
        received: list[dict[str, Any]] = []
        while not received or received[-1]["type"] not in ("done", "error"):
            received.append(self.receive())
        return received


@contextlib.contextmanager
def connected(client: httpx.Client, name: str) -> Iterator[Client]:
    url = str(client.base_url.copy_with(scheme="ws", path=f"/api/models/{name}/explore"))
    with connect(url, open_timeout=TIMEOUT, max_size=None, max_queue=None) as socket:
        yield Client(socket)


def step(client: httpx.Client, name: str, path: list[int] | None = None, **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/models/{name}/step", json={"path": path or [], **more})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def refusal(answer: httpx.Response) -> str:
    assert answer.status_code == 422, answer.text
    line = answer.json()["error"]
    assert isinstance(line, str)
    assert "\n" not in line
    return line


@pytest.mark.slow
def test_every_model_is_listed_with_its_options_and_its_name(client: httpx.Client) -> None:
    listed = client.get("/api/models").json()
    assert [each["name"] for each in listed["models"]] == list(MODELS)
    for each in listed["models"]:
        assert [option["name"] for option in each["options"]] == list(MODELS[each["name"]].options)
        assert not {"tab", "path", "show"} & {
            option["name"] for option in each["options"]
        }  # names that the page uses itself
    assert {each["game"] for each in listed["models"]} == {None, *pentad.names()}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_all_its_parts(client: httpx.Client, name: str) -> None:
    body = client.get(f"/api/models/{name}").json()
    grammar = new(name)
    assert [each["name"] for each in body["rules"]] == list(grammar.rules)
    assert body["nodes"] == len(grammar.start.nodes)
    assert [each["text"] for each in body["programs"]] == list(grammar.controls.values())
    for svg in (body["start"], body["control"], *(each["svg"] for each in body["rules"])):
        assert svg.startswith("<svg")
        assert "<style" not in svg
        assert "style=" not in svg
    assert body["options"].keys() == MODELS[name].options.keys()


def test_options_come_from_the_query_and_the_grammar_can_be_downloaded(client: httpx.Client, tmp_path: Path) -> None:
    body = client.get("/api/models/pentago", params=SMALL).json()
    assert (body["grammar"], body["nodes"]) == ("classic-flags-plain-1x1of2-win2-p2", 7)
    answer = client.get("/api/models/pentago/grammar.zip", params=SMALL)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="classic-flags-plain-1x1of2-win2-p2.gps.zip"'
    file = tmp_path / "taken.zip"
    file.write_bytes(answer.content)
    loaded = Grammar.load(file)
    assert explore(loaded).states == explore(new("pentago", rows=1, cols=1, block=2, line=2, rules="classic")).states


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", MODELS)
def test_a_walk_equals_a_simulation(client: httpx.Client, name: str) -> None:
    chance, simulation = random.Random(5), Simulation(new(name))
    path: list[int] = []
    for _ in range(8):
        body = step(client, name, path)
        assert body["path"] == path
        assert body["count"] == len(body["enabled"]) == len(simulation.options)
        assert [each["action"] for each in body["enabled"]] == [each.action for each in simulation.options]
        assert body["final"] == simulation.final
        assert len(body["trace"]) == len(path)
        assert bool(body["came"] or body["went"]) == bool(body["changed"])
        for each in body["enabled"]:
            assert each["words"] != each["action"]
            drawn = [node for node in each["nodes"] if f'data-node="{node}"' in body["graph"]]
            assert drawn or not each["nodes"]
        if not simulation.options:
            break
        path.append(chance.randrange(len(simulation.options)))
        simulation.take(path[-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but([name for name, model in MODELS.items() if model.game], "pente"))
def test_a_games_model_has_a_board_and_choices(client: httpx.Client, name: str) -> None:
    body = step(client, name, chance=10, seed=3)
    assert pentad.load(body["position"]).game == MODELS[name].game
    seen = 0
    for length in range(len(body["path"]) + 1):
        here = step(client, name, body["path"][:length])
        for choice in here["choices"]:
            assert all(f'data-target="{target}"' in here["board"] for target in choice["targets"])
            assert here["enabled"][int(choice["step"])]["words"] == choice["label"]
        assert len({tuple(choice["targets"]) for choice in here["choices"]}) == len(here["choices"])
        seen += len(here["choices"])
    assert seen > 10


@pytest.mark.slow
def test_random_steps_go_to_the_end_and_a_seed_repeats_them(client: httpx.Client) -> None:
    ended = step(client, "pentago", options=SMALL, chance=400, seed=7)
    assert ended == step(client, "pentago", options=SMALL, chance=400, seed=7)
    assert ended["count"] == 0
    assert ended["path"]
    again = step(client, "pentago", ended["path"], options=SMALL)
    assert again["graph"] == ended["graph"]
    assert len(step(client, "ferry", chance=400, seed=1)["path"]) == 400  # it has no end


@pytest.mark.slow
def test_the_values_of_a_games_moves(client: httpx.Client) -> None:
    options = {"rows": "2", "line": "2"}
    found = client.post("/api/models/tictactoe/values", json={"options": options}).json()
    assert (found["value"], found["distance"], found["states"], found["complete"]) == (1, 6, 257, True)
    adviser = Adviser(Simulation(new("tictactoe", rows=2, line=2)))
    path: list[int] = []
    while True:
        here = adviser.values()
        found = client.post("/api/models/tictactoe/values", json={"options": options, "path": path}).json()
        assert [(each["number"], each["value"], each["distance"]) for each in found["moves"]] == [
            (number, move.value, move.distance) for number, move in here.moves
        ]
        assert [each["best"] for each in found["moves"]] == [place < here.best for place in range(len(here.moves))]
        if not here.moves:
            break
        path.append(here.moves[0][0])
        adviser.simulation.take(path[-1])
    assert (len(path), found["value"], found["distance"]) == (6, 1, 0)  # the winner's turn remains


@pytest.mark.slow
def test_the_values_of_a_large_game_are_partly_known(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(exploration_job, "MAX_SOLVED_STATES", 50)
        (found,) = exploration_job.values("tictactoe", {"rows": "2"}, [0], 60.0)
    assert (found["value"], found["complete"]) == (None, False)
    assert all(each["value"] is None and each["best"] for each in found["moves"])
    refused = client.post("/api/models/ferry/values", json={})
    assert "The grammar does not say who the players are" in refusal(refused)
    refused = client.post("/api/models/tictactoe/values", json={"options": {"rows": "2"}, "path": [99]})
    assert "No option 99. The options are 0 to 5." in refusal(refused)


def test_concurrent_walks_do_not_change_a_path() -> None:
    walks, variant = WalkCache(), Variant("append", ())
    paths = [[0, 0, 0], [1, 1], [0, 1, 0], [1, 0, 1, 0], [0]]
    fresh = [[option.words for option in WalkCache().take(variant, path).options] for path in paths]
    for _ in range(3):
        for path, body in zip(paths, fresh, strict=True):
            walk = walks.take(variant, path)
            assert [option.words for option in walk.options] == body
            walks.give_back(walk)
    assert len(walks._cached) <= MAX_CACHED_WALKS
    one, other = walks.take(variant, [0]), walks.take(variant, [0])
    assert one is not other


def test_recipes_are_described_by_their_effects(client: httpx.Client) -> None:
    body = step(client, "pentago", options={**SMALL, "control": "recipe"})
    words = [each["words"] for each in body["enabled"]]
    assert len(set(words)) > 1
    assert all(each.startswith("+ ") for each in words)
    assert "marble" in words[0]


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ({"path": [99]}, "Step 1 cannot be option 99"),
        ({"path": [0, 0, 0, 0, 99]}, "Step 5 cannot be option 99"),
        ({"options": {"rows": "x"}}, "rows must be a whole number"),
        ({"options": {"nothing": "1"}}, "Unknown option"),
        ({"options": {"rows": "9", "cols": "9"}}, "At most"),
        ({"options": {"rows": "6", "cols": "6", "block": "3"}}, "in the start graph"),
    ],
)
def test_an_invalid_step_is_refused_in_one_line(client: httpx.Client, query: dict[str, Any], line: str) -> None:
    assert line in refusal(client.post("/api/models/pentago/step", json=query))


@pytest.mark.parametrize(
    "query",
    [
        {"path": [-1]},
        {"path": [0] * 401},
        {"path": "0"},
        {"path": [True]},
        {"path": [0.5]},
        {"chance": 401},
        {"chance": -1},
        {"seed": -1},
        {"options": {"a" * 41: "1"}},
        {"options": {str(number): "1" for number in range(21)}},
        {"options": {"rows": 2}},
        {"unknown": 1},
        [],
    ],
)
def test_an_invalid_query_is_refused(client: httpx.Client, query: Any) -> None:
    assert client.post("/api/models/pentago/step", json=query).status_code == 422


def test_an_unknown_model_is_refused_by_name(client: httpx.Client) -> None:
    assert "Unknown model 'nothing'" in refusal(client.get("/api/models/nothing"))
    assert "Unknown model" in refusal(client.post("/api/models/nothing/step", json={}))
    assert "Unknown model" in refusal(client.get("/api/models/nothing/grammar.zip"))
    assert (
        refusal(client.get("/api/models/pentago", params={"rows": "1" * 50}))
        == 'Expected at most 40 characters in "rows", got 50.'
    )
    assert "Unknown option" in refusal(client.get("/api/models/pentago?tab=step"))


# ── explorations ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["ferry", "append", "election", "maze", "tictactoe"])
def test_an_exploration_equals_the_librarys(client: httpx.Client, name: str) -> None:
    with connected(client, name) as line:
        line.send(type="explore", seconds=TIMEOUT, states=20_000)
        first, *_, done = line.until_done()
    known = explore(new(name))
    assert first == {"type": "waiting", "place": 0}
    assert done["type"] == "done"
    assert (done["states"], done["transitions"], done["final"]) == (known.states, known.transitions, known.final)
    assert done["stopped"] == ""
    assert sum(done["depths"]) == known.states
    assert sum(done["actions"].values()) == known.transitions
    classes = None if known.states <= 40 else minimise(known.lts).states
    assert done["classes"] == classes
    assert (done["svg"] is not None) == ((classes or known.states) <= 60)


@pytest.mark.slow
def test_a_large_exploration_is_compiled(client: httpx.Client) -> None:
    options = {"rows": "1", "cols": "2", "block": "2", "line": "3", "iso": "false"}
    with connected(client, "pentago") as line:
        line.send(type="explore", seconds=TIMEOUT, options=options)
        received = line.until_done()
    done = received[-1]
    assert (done["engine"], done["states"], done["transitions"], done["stopped"]) == ("compiled", 6505, 16171, "")
    general = explore(new("pentago", rows=1, cols=2, block=2, line=3, iso=False), engine="general").lts
    stuck = set(range(general.states)) - set(general.sources)
    assert done["stuck"] == len(stuck)
    assert done["depths"] == [list(general.depths).count(depth) for depth in range(max(general.depths) + 1)]
    assert done["actions"] == Counter(general.labels[number][0] for number in general.actions)


@pytest.mark.slow
def test_compilation_is_announced(other_compiler: OtherCompiler) -> None:
    finish = other_compiler("pentad.grammar.compiled.narrow_kernels")
    options = {"rows": "1", "cols": "2", "block": "2", "line": "3", "iso": "false"}
    with ModelsServer() as server, httpx.Client(base_url=server.url) as other, connected(other, "pentago") as line:
        line.send(type="explore", seconds=TIMEOUT, options=options)
        assert line.receive() == {"type": "waiting", "place": 0}
        while (message := line.receive())["type"] == "progress":  # the general engine, which begins, reports first
            pass
        assert message == {"type": "preparing"}
        finish()
        done = line.until_done()[-1]
    assert (done["engine"], done["states"]) == ("compiled", 6505)


@pytest.mark.slow
def test_a_property_is_checked_at_the_end(client: httpx.Client) -> None:
    with connected(client, "ferry") as line:
        for text in ("E(!eat U allAcross)", "AG EF allAcross", "AF allAcross"):
            line.send(type="explore", property=text)
            body = line.until_done()[-1]["property"]
            verdict = check(text, explore(new("ferry")).lts)
            film, has_steps = body.pop("film"), bool(verdict.witness)
            assert body == verdict.json()
            assert has_steps == (film is not None and film.startswith("<svg"))
        line.send(type="explore", depth=2, property="EF allAcross")
        body = line.until_done()[-1]["property"]
        assert (body["holds"], body["certain"], body["complete"], body["witness"]) == (False, False, False, None)
        line.send(type="explore", property=" ")
        assert line.until_done()[-1]["property"] is None
        for text, words in (
            ("AG (", "Formula"),
            ("EF allacross", "allAcross"),
            ("!" * 400, "Expected"),
            ("x" * 401, "400"),
        ):
            line.send(type="explore", property=text)
            error = line.until_done()[-1]
            assert error["type"] == "error"
            assert words in error["error"]
            assert "\n" not in error["error"]


@pytest.mark.slow
def test_bounds_end_an_exploration_and_another_follows_on_the_same_socket(client: httpx.Client) -> None:
    with connected(client, "pentago") as line:
        line.send(type="explore", states=100, seconds=TIMEOUT)
        done = line.until_done()[-1]
        assert (done["stopped"], done["states"] >= 100, done["open"] > 0) == ("states", True, True)
        line.send(type="explore", depth=1, seconds=TIMEOUT)
        done = line.until_done()[-1]
        assert (done["stopped"], len(done["depths"])) == ("depth", 3)
        line.send(type="explore", seconds=0.1, states=2_000_000)
        done = line.until_done()[-1]
        assert (done["stopped"], done["states"] >= 1) == ("seconds", True)


@pytest.mark.slow
def test_a_stopped_exploration_has_its_results_so_far(client: httpx.Client) -> None:
    with connected(client, "pentago") as line:
        line.send(type="explore", seconds=TIMEOUT, states=2_000_000)
        while line.receive()["type"] != "progress":
            pass
        line.send(type="explore")
        line.send(type="stop")
        received = line.until_done()
        assert received[-1] == {"type": "error", "error": "Another exploration is still running. Stop it first."}
        done = line.until_done()[-1]
        assert done["stopped"] == "stopped"
        assert done["states"] > 0


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"type": "dance"}',
        '{"type": "explore", "states": 2000001}',
        '{"type": "explore", "seconds": 300.5}',
        '{"type": "explore", "seconds": 1e999}',
        '{"type": "explore", "seconds": NaN}',
        '{"type": "explore", "depth": -1}',
        '{"type": "explore", "states": true}',
        '{"type": "explore", "options": {"rows": "x"}}',
        '{"type": "explore", "options": {"rows": "26", "cols": "26"}}',
        "x" * 5000,
        "[" * 4000,
    ],
)
def test_an_invalid_message_is_refused_and_changes_nothing(client: httpx.Client, text: str) -> None:
    with connected(client, "pentago") as line:
        line.socket.send(text)
        body = line.receive()
        assert body["type"] == "error"
        assert "\n" not in body["error"]
        line.send(type="explore", depth=0, seconds=TIMEOUT)
        assert line.until_done()[-1]["type"] == "done"


def test_an_unknown_model_has_no_exploration(client: httpx.Client) -> None:
    with connected(client, "nothing") as line:
        line.send(type="explore")
        assert "Unknown model 'nothing'" in line.receive()["error"]
        line.socket.send(b"\0")
        with pytest.raises(ConnectionClosed):
            line.receive()


JOB = {"model": "pentago", "options": {}, "states": 2_000_000, "seconds": 10, "depth": None, "property": ""}


@contextlib.asynccontextmanager
async def explorations(size: int) -> AsyncIterator[ExplorationPool]:
    made = ExplorationPool(size)
    try:
        yield made
    finally:
        await made.close()


def explored(job: dict[str, Any], stop_at: str) -> list[dict[str, Any]]:
    """The messages of an exploration that is stopped after a certain message, or at once."""

    async def scene() -> list[dict[str, Any]]:
        stop = asyncio.Event()
        received: list[dict[str, Any]] = []
        if not stop_at:
            stop.set()
        async with explorations(1) as pool:
            async for message in pool.explore(job, stop, owner="me"):
                received.append(message)
                if stop_at in message:
                    stop.set()
        return received

    return asyncio.run(scene())


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("stop_at", ["", "preparing", "states"])
def test_a_stop_at_each_stage_gives_the_results_so_far(
    stop_at: str, other_compiler: OtherCompiler, caplog: pytest.LogCaptureFixture
) -> None:
    """While the process starts, while kernels are compiled, and during the search."""
    if stop_at == "preparing":
        other_compiler("pentad.grammar.compiled.wide_kernels")
    done = explored({**JOB, "seconds": 60, "property": "EF $final"}, stop_at)[-1]["done"]
    assert (done["stopped"], 1 <= done["states"] < JOB["states"]) == ("stopped", True)
    assert done["property"]["certain"] is False
    assert caplog.text == ""


@pytest.mark.slow
def test_a_stop_at_any_moment_gives_the_results_so_far(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> list[dict[str, Any]]:
        async with explorations(2) as pool:

            async def one(delay: float) -> dict[str, Any]:
                stop = asyncio.Event()
                asyncio.get_running_loop().call_later(delay, stop.set)
                return [message async for message in pool.explore(JOB, stop, owner=delay)][-1]

            return await asyncio.gather(*(one(0.25 * number) for number in range(8)))

    ends = asyncio.run(scene())
    assert [end["done"]["stopped"] for end in ends] == ["stopped"] * 8, ends
    assert caplog.text == ""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_a_stopped_exploration_process_is_detected(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    started: list[asyncio.subprocess.Process] = []

    async def relay(process: asyncio.subprocess.Process, name: str) -> None:
        started.append(process)
        await log_lines(process, name)

    monkeypatch.setattr(jobs_process, "relay", relay)
    loop = Loop()

    async def scene() -> None:
        async with (
            explorations(1) as pool,
            contextlib.aclosing(pool.explore({**JOB, "seconds": 1e6}, asyncio.Event(), owner="me")) as found,
        ):
            await anext(found)
            os.kill(started[0].pid, signal.SIGSTOP)

            async def rest() -> None:
                async for _ in found:
                    pass

            hearing = asyncio.create_task(rest())
            for _ in range(1000):  # late checks on a busy machine do not count
                loop.ahead += jobs_process.CHECK_SECONDS
                await asyncio.sleep(0.02)
                if hearing.done():
                    break
            else:
                hearing.cancel()
            with pytest.raises(WorkerFailed, match="The exploration stopped responding"):
                await hearing

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(scene())
    assert f"Worker process {started[0].pid} is frozen; killing it" in caplog.text
    assert started[0].returncode == -signal.SIGKILL


@pytest.mark.slow
def test_a_disconnect_ends_the_process_and_starts_the_next_one() -> None:
    async def scene() -> None:
        async with explorations(1) as pool:
            stop = asyncio.Event()
            places: list[int] = []
            first = pool.explore(JOB, stop, owner="first")
            assert "done" not in await anext(first)
            small = {**JOB, "model": "ferry"}

            async def second() -> dict[str, Any]:
                found = pool.explore(small, asyncio.Event(), owner="second", on_place=places.append)
                return [message async for message in found][-1]

            next_one = asyncio.create_task(second())
            while not places:
                await asyncio.sleep(0)
            assert places == [1]
            await first.aclose()
            assert (await next_one)["done"]["states"] == 36
            assert places[-1] == 0
            assert not pool.queue.running
            assert not pool.queue.waiting

    asyncio.run(scene())


def test_the_queue_of_explorations_is_fair_by_address_and_bounded() -> None:
    async def scene() -> None:
        async with explorations(1) as pool:
            begun: list[str] = []

            async def run(owner: Owner) -> None:
                def on_place(place: int) -> None:
                    if not place:
                        begun.append(owner.networks[-1])

                async for _ in pool.explore(JOB, asyncio.Event(), owner=owner, on_place=on_place):
                    pass

            tasks = [asyncio.create_task(run(owner_at(number, "203.0.113.1"))) for number in range(61)]
            while pool.queue.waiting < 60:
                await asyncio.sleep(0.01)
            with pytest.raises(WorkerFailed, match="Too many explorations are waiting"):
                await run(owner_at("one more", "203.0.113.1"))
            tasks.append(asyncio.create_task(run(owner_at("honest", "198.51.100.1"))))
            while pool.queue.waiting < 61:
                await asyncio.sleep(0)
            tasks[0].cancel()
            while len(begun) < 2:
                await asyncio.sleep(0.01)
            assert begun == ["203.0.113.1", "198.51.100.1"]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            assert not pool.queue.running
            assert not pool.queue.waiting

    asyncio.run(scene())


@pytest.mark.slow
def test_an_exploration_stopped_in_the_queue_never_begins(client: httpx.Client) -> None:
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connected(client, "pentago")) for _ in range(4)]
        for line in lines:
            line.send(type="explore", seconds=TIMEOUT, states=2_000_000)
        waiting = next(line for line in reversed(lines) if line.receive()["place"])
        waiting.send(type="stop")
        assert waiting.until_done()[-1] == {
            "type": "error",
            "error": "The exploration was cancelled before it started.",
        }
        waiting.send(type="explore", model="")  # another request is possible; this one is invalid
        assert waiting.until_done()[-1]["type"] == "error"
