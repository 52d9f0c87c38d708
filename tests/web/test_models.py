"""Models over HTTP and sockets: every one is told, walked through and explored; what cannot be is told in a line."""

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import pentad
from pentad.grammar import Grammar, explore
from pentad.grammar.logic.ctl import check
from pentad.grammar.models import MODELS, new
from pentad.grammar.simulation import Simulation
from pentad.web import exploration_pool, heartbeat, logs
from pentad.web.engines.fair_queue import Owner
from pentad.web.exploration_pool import ExplorationFailed, ExplorationPool
from pentad.web.model_walks import MOST_KEPT, Variant, Walks
from pentad.web.routes import models
from tests.waiting import TIMEOUT
from tests.web.models_app import ModelsServer
from tests.web.scene import Loop

SMALL = {"rows": "1", "cols": "1", "block": "2", "line": "2", "rules": "classic"}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with ModelsServer() as server, httpx.Client(base_url=server.url, timeout=TIMEOUT) as running:
        yield running


class Line:
    """A line to explorations."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.socket.recv(TIMEOUT))
        return said

    def until_done(self) -> list[dict[str, Any]]:
        heard: list[dict[str, Any]] = []
        while not heard or heard[-1]["type"] not in ("done", "error"):
            heard.append(self.hear())
        return heard


@contextlib.contextmanager
def line_to(client: httpx.Client, name: str) -> Iterator[Line]:
    url = str(client.base_url.copy_with(scheme="ws", path=f"/api/models/{name}/explore"))
    with connect(url, open_timeout=TIMEOUT, max_size=None, max_queue=None) as socket:
        yield Line(socket)


def step(client: httpx.Client, name: str, path: list[int] | None = None, **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/models/{name}/step", json={"path": path or [], **more})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def refusal(answer: httpx.Response) -> str:
    assert answer.status_code == 422, answer.text
    line = answer.json()["error"]
    assert isinstance(line, str)
    assert "\n" not in line
    return line


def test_every_model_is_listed_with_its_options_and_its_name(client: httpx.Client) -> None:
    listed = client.get("/api/models").json()
    assert [each["name"] for each in listed["models"]] == list(MODELS) == list(models.TITLES)
    for each in listed["models"]:
        assert [option["name"] for option in each["options"]] == list(MODELS[each["name"]].options)
        assert not {"tab", "path", "show"} & {option["name"] for option in each["options"]}  # the page's own words
    assert {each["game"] for each in listed["models"]} == {None, *pentad.games()}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_told_with_all_its_parts(client: httpx.Client, name: str) -> None:
    told = client.get(f"/api/models/{name}").json()
    grammar = new(name)
    assert [each["name"] for each in told["rules"]] == list(grammar.rules)
    assert told["nodes"] == len(grammar.start.nodes)
    assert [each["told"] for each in told["programs"]] == list(grammar.controls.values())
    for svg in (told["start"], told["control"], *(each["svg"] for each in told["rules"])):
        assert svg.startswith("<svg")
        assert "<style" not in svg
        assert "style=" not in svg
    assert told["options"].keys() == MODELS[name].options.keys()


def test_options_are_the_querys_and_the_grammar_can_be_taken_home(client: httpx.Client, tmp_path: Path) -> None:
    told = client.get("/api/models/pentago", params=SMALL).json()
    assert (told["grammar"], told["nodes"]) == ("classic-flags-plain-1x1of2-win2-p2", 7)
    answer = client.get("/api/models/pentago/grammar.zip", params=SMALL)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="classic-flags-plain-1x1of2-win2-p2.gps.zip"'
    file = tmp_path / "taken.zip"
    file.write_bytes(answer.content)
    loaded = Grammar.load(file)
    assert explore(loaded).states == explore(new("pentago", rows=1, cols=1, block=2, line=2, rules="classic")).states


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_walked_through_as_a_simulation_does(client: httpx.Client, name: str) -> None:
    chance, simulation = random.Random(5), Simulation(new(name))
    path: list[int] = []
    for _ in range(8):
        told = step(client, name, path)
        assert told["path"] == path
        assert told["count"] == len(told["enabled"]) == len(simulation.options)
        assert [each["action"] for each in told["enabled"]] == [each.action for each in simulation.options]
        assert told["final"] == simulation.final
        assert len(told["trace"]) == len(path)
        assert bool(told["came"] or told["went"]) == bool(told["changed"])
        for each in told["enabled"]:
            assert each["words"].startswith(each["action"])
            drawn = [node for node in each["nodes"] if f'data-node="{node}"' in told["graph"]]
            assert drawn or not each["nodes"]
        if not simulation.options:
            break
        path.append(chance.randrange(len(simulation.options)))
        simulation.take(path[-1])


@pytest.mark.parametrize("name", [name for name, (_, game) in models.TITLES.items() if game])
def test_a_games_model_has_its_board_and_choices_that_can_be_touched(client: httpx.Client, name: str) -> None:
    told = step(client, name, chance=10, seed=3)
    assert pentad.load(told["position"]).game == models.TITLES[name][1]
    seen = 0
    for length in range(len(told["path"]) + 1):
        here = step(client, name, told["path"][:length])
        for choice in here["choices"]:
            assert all(f'data-target="{target}"' in here["board"] for target in choice["targets"])
            assert here["enabled"][int(choice["step"])]["words"] == choice["label"]
        assert len({tuple(choice["targets"]) for choice in here["choices"]}) == len(here["choices"])
        seen += len(here["choices"])
    assert seen > 10


def test_steps_by_chance_go_to_the_end_and_the_same_seed_goes_the_same_way(client: httpx.Client) -> None:
    ended = step(client, "pentago", options=SMALL, chance=400, seed=7)
    assert ended == step(client, "pentago", options=SMALL, chance=400, seed=7)
    assert ended["count"] == 0
    assert ended["path"]
    again = step(client, "pentago", ended["path"], options=SMALL)
    assert again["graph"] == ended["graph"]
    assert len(step(client, "ferry", chance=400, seed=1)["path"]) == 400  # it has no end


def test_a_way_means_the_same_whoever_else_walks_there() -> None:
    walks, variant = Walks(), Variant("append", {})
    ways = [[0, 0, 0], [1, 1], [0, 1, 0], [1, 0, 1, 0], [0]]
    fresh = [[option.words for option in Walks().take(variant, way).options] for way in ways]
    for _ in range(3):
        for way, told in zip(ways, fresh, strict=True):
            walk = walks.take(variant, way)
            assert [option.words for option in walk.options] == told
            walks.give_back(walk)
    assert len(walks._kept) <= MOST_KEPT
    one, other = walks.take(variant, [0]), walks.take(variant, [0])
    assert one is not other


def test_recipes_are_told_by_what_they_do(client: httpx.Client) -> None:
    told = step(client, "pentago", options={**SMALL, "control": "recipe"})
    words = [each["words"] for each in told["enabled"]]
    assert len(set(words)) > 1
    assert all(each.startswith("move + ") for each in words)
    assert "marble" in words[0]


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ({"path": [99]}, "step 1 cannot be option 99"),
        ({"path": [0, 0, 0, 0, 99]}, "step 5 cannot be option 99"),
        ({"options": {"rows": "x"}}, "rows must be a whole number"),
        ({"options": {"nothing": "1"}}, "there is no option"),
        ({"options": {"rows": "9", "cols": "9"}}, "at most"),
        ({"options": {"rows": "6", "cols": "6", "block": "3"}}, "the start graph has"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(client: httpx.Client, query: dict[str, Any], line: str) -> None:
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
def test_rubbish_is_refused(client: httpx.Client, query: Any) -> None:
    assert client.post("/api/models/pentago/step", json=query).status_code == 422


def test_an_unknown_model_is_refused_by_name(client: httpx.Client) -> None:
    assert "there is no model 'nothing'" in refusal(client.get("/api/models/nothing"))
    assert "there is no model" in refusal(client.post("/api/models/nothing/step", json={}))
    assert "there is no model" in refusal(client.get("/api/models/nothing/grammar.zip"))
    assert "more options" in refusal(client.get("/api/models/pentago", params={"rows": "1" * 50}))
    assert "there is no option" in refusal(client.get("/api/models/pentago?tab=step"))


# ── explorations ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["ferry", "append", "election", "maze", "tictactoe"])
def test_an_exploration_counts_as_the_library_does(client: httpx.Client, name: str) -> None:
    with line_to(client, name) as line:
        line.say(type="explore", seconds=10, states=20_000)
        first, *_, done = line.until_done()
    known = explore(new(name))
    assert first == {"type": "waiting", "place": 0}
    assert done["type"] == "done"
    assert (done["states"], done["transitions"], done["final"]) == (known.states, known.transitions, known.final)
    assert done["stopped"] == ""
    assert sum(done["depths"]) == known.states
    assert sum(done["actions"].values()) == known.transitions
    assert (done["svg"] is not None) == (known.states <= 40)


def test_what_is_large_is_compiled(client: httpx.Client) -> None:
    options = {"rows": "1", "cols": "2", "block": "2", "line": "3", "iso": "false"}
    with line_to(client, "pentago") as line:
        line.say(type="explore", seconds=10, options=options)
        heard = line.until_done()
    done = heard[-1]
    assert {"type": "preparing"} in heard
    assert (done["engine"], done["states"], done["transitions"], done["stopped"]) == ("compiled", 6505, 16171, "")
    general = explore(new("pentago", rows=1, cols=2, block=2, line=3, iso=False), engine="general").lts
    stuck = set(range(general.states)) - set(general.sources)
    assert done["stuck"] == len(stuck)
    assert done["depths"] == [list(general.depths).count(depth) for depth in range(max(general.depths) + 1)]
    assert done["actions"] == Counter(general.labels[number][0] for number in general.actions)


def test_a_property_is_looked_at_in_the_end(client: httpx.Client) -> None:
    with line_to(client, "ferry") as line:
        for text in ("E(!eat U allAcross)", "AG EF allAcross", "AF allAcross"):
            line.say(type="explore", property=text)
            told = line.until_done()[-1]["property"]
            assert told == check(text, explore(new("ferry")).lts).json()
        line.say(type="explore", depth=2, property="EF allAcross")
        told = line.until_done()[-1]["property"]
        assert (told["holds"], told["certain"], told["complete"], told["witness"]) == (False, False, False, None)
        line.say(type="explore", property=" ")
        assert line.until_done()[-1]["property"] is None
        for text, words in (
            ("AG (", "formula"),
            ("EF allacross", "allAcross"),
            ("!" * 400, "wanted"),
            ("x" * 401, "400"),
        ):
            line.say(type="explore", property=text)
            error = line.until_done()[-1]
            assert error["type"] == "error"
            assert words in error["error"]
            assert "\n" not in error["error"]


def test_bounds_end_an_exploration_and_another_follows_on_the_same_line(client: httpx.Client) -> None:
    with line_to(client, "pentago") as line:
        line.say(type="explore", states=100, seconds=10)
        done = line.until_done()[-1]
        assert (done["stopped"], done["states"] >= 100, done["open"] > 0) == ("states", True, True)
        line.say(type="explore", depth=1, seconds=10)
        done = line.until_done()[-1]
        assert (done["stopped"], len(done["depths"])) == ("depth", 3)
        line.say(type="explore", seconds=0.1, states=2_000_000)
        done = line.until_done()[-1]
        assert (done["stopped"], done["states"] > 1) == ("seconds", True)


def test_an_exploration_is_stopped_with_what_it_has(client: httpx.Client) -> None:
    with line_to(client, "pentago") as line:
        line.say(type="explore", seconds=10, states=2_000_000)
        while line.hear()["type"] != "progress":
            pass
        line.say(type="explore")
        line.say(type="stop")
        heard = line.until_done()
        assert heard[-1] == {"type": "error", "error": "one exploration at a time: stop the other first"}
        done = line.until_done()[-1]
        assert done["stopped"] == "stopped"
        assert done["states"] > 100


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"type": "dance"}',
        '{"type": "explore", "states": 2000001}',
        '{"type": "explore", "seconds": 10.5}',
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
def test_rubbish_on_the_line_is_told_and_changes_nothing(client: httpx.Client, text: str) -> None:
    with line_to(client, "pentago") as line:
        line.socket.send(text)
        told = line.hear()
        assert told["type"] == "error"
        assert "\n" not in told["error"]
        line.say(type="explore", depth=0, seconds=10)
        assert line.until_done()[-1]["type"] == "done"


def test_no_model_no_exploration(client: httpx.Client) -> None:
    with line_to(client, "nothing") as line:
        line.say(type="explore")
        assert "there is no model 'nothing'" in line.hear()["error"]
        line.socket.send(b"\0")
        with pytest.raises(ConnectionClosed):
            line.hear()


JOB = {"model": "pentago", "options": {}, "states": 2_000_000, "seconds": 10, "depth": None, "property": ""}


def explored(job: dict[str, Any], stop_at: str) -> list[dict[str, Any]]:
    """What an exploration says that is stopped when it has said something, or at once."""

    async def scene() -> list[dict[str, Any]]:
        stop = asyncio.Event()
        heard: list[dict[str, Any]] = []
        if not stop_at:
            stop.set()
        async for said in ExplorationPool(1).explore(job, stop, owner="me"):
            heard.append(said)
            if stop_at in said:
                stop.set()
        return heard

    return asyncio.run(scene())


@pytest.mark.parametrize("stop_at", ["", "preparing", "states"])
def test_what_is_stopped_ends_with_what_it_has(stop_at: str, caplog: pytest.LogCaptureFixture) -> None:
    """While the process starts, while kernels are loaded, and in the midst of it."""
    done = explored({**JOB, "seconds": 60, "property": "EF $final"}, stop_at)[-1]["done"]
    assert (done["stopped"], 1 <= done["states"] < JOB["states"]) == ("stopped", True)
    assert done["property"]["certain"] is False
    assert caplog.text == ""


def test_what_is_stopped_at_any_moment_ends_with_what_it_has(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> list[dict[str, Any]]:
        async def one(delay: float) -> dict[str, Any]:
            stop = asyncio.Event()
            asyncio.get_running_loop().call_later(delay, stop.set)
            return [said async for said in exploration_pool.explore(JOB, stop, owner=delay)][-1]

        exploration_pool = ExplorationPool(2)
        return await asyncio.gather(*(one(0.25 * number) for number in range(8)))

    ends = asyncio.run(scene())
    assert [end["done"]["stopped"] for end in ends] == ["stopped"] * 8, ends
    assert caplog.text == ""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_an_exploration_that_was_stopped_by_the_system_is_found(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    started: list[asyncio.subprocess.Process] = []

    async def relay(process: asyncio.subprocess.Process, name: str) -> None:
        started.append(process)
        await logs.relay(process, name)

    monkeypatch.setattr(exploration_pool, "relay", relay)
    loop = Loop()

    async def scene() -> None:
        found = ExplorationPool(1).explore({**JOB, "seconds": 1e6}, asyncio.Event(), owner="me")
        async with contextlib.aclosing(found):
            await anext(found)
            os.kill(started[0].pid, signal.SIGSTOP)

            async def rest() -> None:
                async for _ in found:
                    pass

            hearing = asyncio.create_task(rest())
            for _ in range(1000):  # looks that come late on a busy machine do not count
                loop.ahead += heartbeat.CHECK_EVERY
                await asyncio.sleep(0.02)
                if hearing.done():
                    break
            else:
                hearing.cancel()
            with pytest.raises(ExplorationFailed, match="the exploration does not answer"):
                await hearing

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(scene())
    assert f"the exploration process {started[0].pid} is frozen and is ended" in caplog.text
    assert started[0].returncode == -signal.SIGKILL


def test_an_exploration_tells_that_it_is_alive() -> None:
    quick = "import pentad.web.heartbeat as v; v.BEAT = 0.001; import pentad.web.exploration_process as e; e.main()"
    with subprocess.Popen(
        [sys.executable, "-c", quick], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(JOB).encode() + b"\n")
        process.stdin.flush()
        assert any(json.loads(line) == {"alive": True} for line in process.stdout)
        process.kill()


def test_whoever_leaves_ends_the_process_and_lets_the_next_one_in() -> None:
    async def scene() -> None:
        exploration_pool, stop = ExplorationPool(1), asyncio.Event()
        places: list[int] = []
        first = exploration_pool.explore(JOB, stop, owner="first")
        assert "done" not in await anext(first)
        small = {**JOB, "model": "ferry"}

        async def second() -> dict[str, Any]:
            found = exploration_pool.explore(small, asyncio.Event(), owner="second", on_place=places.append)
            return [said async for said in found][-1]

        next_one = asyncio.create_task(second())
        while not places:
            await asyncio.sleep(0)
        assert places == [1]
        await first.aclose()
        assert (await next_one)["done"]["states"] == 36
        assert places[-1] == 0
        assert not exploration_pool.queue.running
        assert not exploration_pool.queue.waiting

    asyncio.run(scene())


def test_the_queue_of_explorations_is_fair_by_address_and_bounded() -> None:
    async def scene() -> None:
        exploration_pool = ExplorationPool(1)
        begun: list[str] = []

        async def run(owner: Owner) -> None:
            def told(place: int) -> None:
                if not place:
                    begun.append(owner.address)

            async for _ in exploration_pool.explore(JOB, asyncio.Event(), owner=owner, on_place=told):
                pass

        tasks = [asyncio.create_task(run(Owner(number, "203.0.113.1"))) for number in range(61)]
        while exploration_pool.queue.waiting < 60:
            await asyncio.sleep(0.01)
        with pytest.raises(ExplorationFailed, match="too many explorations are waiting; try again in a minute"):
            await run(Owner("one more", "203.0.113.1"))
        tasks.append(asyncio.create_task(run(Owner("honest", "198.51.100.1"))))
        while exploration_pool.queue.waiting < 61:
            await asyncio.sleep(0)
        tasks[0].cancel()
        while len(begun) < 2:
            await asyncio.sleep(0.01)
        assert begun == ["203.0.113.1", "198.51.100.1"]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert not exploration_pool.queue.running
        assert not exploration_pool.queue.waiting

    asyncio.run(scene())


def test_what_is_stopped_in_the_queue_never_begins(client: httpx.Client) -> None:
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(line_to(client, "pentago")) for _ in range(4)]
        for line in lines:
            line.say(type="explore", seconds=10, states=2_000_000)
        waiting = next(line for line in reversed(lines) if line.hear()["place"])
        waiting.say(type="stop")
        assert waiting.until_done()[-1] == {"type": "error", "error": "the exploration was cancelled before it started"}
        waiting.say(type="explore", model="")  # it can be asked again; this is no message
        assert waiting.until_done()[-1]["type"] == "error"
