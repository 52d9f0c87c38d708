"""The worker process by itself: its input and its output."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from pentad.game import new
from pentad.jobs.worker import ALIVE, BEAT_EVERY, BEGUN
from pentad.jobs.worker import Worker as JobWorker

COMMAND = [sys.executable, "-P", "-m", "pentad.jobs", "pentad.web.engines.jobs", "0"]


class Worker:
    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, job: str, **given: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"id": 7, "job": job, "given": given}) + "\n")
        self.process.stdin.flush()

    def note(self) -> tuple[str, float | None]:
        """The next line, which must be about compilation."""
        assert self.process.stdout
        while (message := json.loads(self.process.stdout.readline())).get("note") in (ALIVE, BEGUN):
            pass
        return message["what"], message["share"]

    def lines(self) -> list[dict[str, Any]]:
        """The lines up to the end of an answer, without its beginning and the heartbeats of a slow machine."""
        assert self.process.stdout
        messages = []
        while not messages or "end" not in messages[-1]:
            messages.append(json.loads(self.process.stdout.readline()))
            assert messages[-1]["id"] == 7
        return [each for each in messages if each.get("note") not in (ALIVE, BEGUN)]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.process.communicate()


def test_a_simple_bot_answers_without_any_engine(worker):
    worker.ask("move", position=new("pentago").text, who="random", seed=1, limit={})
    answer, end = worker.lines()
    assert answer["answer"]["move"] in map(str, new("pentago").legal_moves)
    assert end["end"] is True
    assert 1 << 20 < end["memory"] < 1 << 30


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["pentago", "pente", "pentagame"])
def test_an_impatient_client_gets_a_warm_up_bots_move(name, tmp_path, monkeypatch):
    monkeypatch.setenv("PENTAD_CACHE", str(tmp_path))  # nothing is compiled in this folder
    cold = Worker()
    here = new(name)
    cold.ask("move", position=here.text, who="5", seed=1, limit={}, impatient=True)
    answer, end = cold.lines()
    assert answer["answer"]["simpler"] is True
    here.play(answer["answer"]["move"])
    assert "error" not in end
    cold.process.communicate()
    assert not list(tmp_path.rglob("*.compiled"))


@pytest.mark.parametrize(
    ("job", "given", "error"),
    [
        ("move", {"position": "ludo", "who": None, "seed": 1, "limit": {}}, "Unknown game 'ludo'"),
        ("move", {"position": "pentago 1", "who": "x", "seed": 1, "limit": {}}, ""),
        (
            "move",
            {"position": new("pente").text, "who": "human", "seed": 1, "limit": {}},
            "human is not a bot.",
        ),
        (
            "move",
            {"position": new("pente").text, "who": "gomocup:./x", "seed": 1, "limit": {}},
            "starts a program",
        ),
        ("values", {"position": new("pente").text, "seconds": 1, "memory": 1}, "Pente has no exact values."),
        ("check", {"position": new("pente").text, "move": "Z99", "seconds": 1}, "Z99 is not on the board"),
        ("review", {"record": "rubbish", "seconds": 1}, "line 1, column 1"),
        ("size", {"record": "rubbish", "seconds": 1}, "line 1, column 1"),
        ("nonsense", {}, "Internal error (a bug in pentad): KeyError"),
    ],
)
def test_an_error_is_one_line_and_the_next_request_is_answered(worker, job, given, error):
    worker.ask(job, **given)
    (end,) = worker.lines()
    assert error in end["error"]
    assert "\n" not in end["error"]


@pytest.mark.slow
def test_compilation_is_announced(other_compiler):
    finish = other_compiler("pentad.games.pente.engine.search_kernels")
    cold = Worker()
    cold.ask("hint", position=new("pente").text, seconds=0.1)
    assert cold.note() == ("pente", None)
    assert cold.note() == ("pente", 0.0)
    finish()
    notes = [(message["what"], message["share"]) for message in cold.lines() if "what" in message]
    assert notes[-1] == ("", None)
    cold.process.communicate()


def test_it_ends_with_its_input_in_the_middle_of_a_search():
    worker = Worker()
    worker.ask("analysis", position=new("pente").text, seconds=60, lines=1)
    assert worker.process.stdout
    while "answer" not in json.loads(worker.process.stdout.readline()):
        pass
    worker.process.communicate()
    assert worker.process.returncode == 0


def test_heartbeats_are_written_while_there_is_a_request():
    messages: list[dict[str, Any]] = []

    def think(**_: object) -> Iterator[dict[str, Any]]:
        beats(2)
        yield {"move": "x"}

    def beats(count: int) -> None:
        """Let the heartbeat thread run so often."""
        left = iter(range(count))

        def wait(seconds: float) -> None:
            assert seconds == BEAT_EVERY
            if next(left, None) is None:
                raise StopIteration

        with contextlib.suppress(StopIteration):
            made.beat(wait)

    made = JobWorker({"move": think}, lambda line: messages.append(json.loads(line)))
    beats(3)
    assert messages == []  # there is no request
    made.answer(json.dumps({"id": 9, "job": "move", "given": {}}))
    beats(3)
    assert [each.get("note") or next(iter(each.keys() - {"id", "memory"})) for each in messages] == [
        "begun", *["alive"] * 2, "answer", "end",
    ]  # fmt: skip
    assert {each["id"] for each in messages} == {9}


def test_work_begins_when_its_job_has_returned_an_iterator():
    seen: list[object] = []

    def load(**_: object) -> Iterator[dict[str, Any]]:
        seen.append("loaded")
        return iter([{"move": "x"}])

    made = JobWorker({"move": load}, lambda line: seen.append(json.loads(line).get("note")))
    made.answer(json.dumps({"id": 9, "job": "move", "given": {}}))
    assert seen[:2] == ["loaded", "begun"]


@pytest.mark.parametrize("early", [True, False])
def test_a_request_can_be_asked_to_end_early(early: bool) -> None:
    """Before its job says what to do then, or after."""
    called: list[str] = []

    def search() -> Iterator[dict[str, Any]]:
        if early:
            made.stop(9)
        made.on_stop(lambda: called.append("stop"))
        made.stop(8)  # that number is another request's
        assert called == ["stop"] * early
        if not early:
            made.stop(9)
        yield {}

    made = JobWorker({"search": search}, lambda _: None)
    made.answer(json.dumps({"id": 9, "job": "search", "given": {}}))
    assert called == ["stop"]
    made.stop(9)  # that request has ended already
    assert called == ["stop"]
