"""The jobs of models in a worker, and the time limit of an exploration: a clock that the search looks at."""

import json
import threading
from array import array
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from pentad.grammar.exploration import explore
from pentad.grammar.logic.bisimulation import minimise
from pentad.grammar.logic.ctl import check
from pentad.grammar.models import new
from pentad.jobs import worker as workers
from pentad.jobs.worker import BEGUN, Worker
from pentad.kernels import cache
from pentad.web import exploration_job
from pentad.web.exploration_job import JOBS, EarlyStop, counts, film_of, paused_while_loading
from tests.waiting import FakeClock

SMALL = {"rows": "1", "cols": "1", "block": "2", "line": "2", "rules": "classic"}  # this Pentago has 73 states
REQUEST_NUMBER = 7

Line = dict[str, Any]
Ask = Callable[..., list[Line]]


class Left(Exception):
    """The process has ended."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    made = FakeClock(0.0)
    monkeypatch.setattr(exploration_job, "time", made)
    return made


def leave(found: Any, why: str) -> NoReturn:
    raise Left(found.stopped, why)


def test_a_search_that_polls_ends_in_time_without_a_thread(clock: FakeClock) -> None:
    before = threading.active_count()
    stop = EarlyStop(2.0, leave)
    assert threading.active_count() == before
    clock.now = 1.9
    assert (stop.is_asked(), stop.why) == (False, "")
    clock.now = 2.0
    assert (stop.is_asked(), stop.why) == (True, "seconds")
    stop.request("stopped")
    assert stop.why == "seconds"


def test_the_clock_is_paused_while_kernels_load(clock: FakeClock) -> None:
    stop = EarlyStop(2.0, leave)
    clock.now = 1.0
    stop.pause()
    clock.now = 50.0
    assert stop.spent == 1.0
    stop.resume()
    clock.now = 50.5
    assert (stop.is_asked(), stop.spent) == (False, 1.5)
    clock.now = 51.0
    assert stop.is_asked()


@pytest.mark.parametrize("why", ["seconds", "stopped"])
def test_a_search_that_should_end_while_kernels_load_sends_its_results_once(clock: FakeClock, why: str) -> None:
    stop, found = EarlyStop(2.0, leave), SimpleNamespace(stopped="")
    stop.keep_results(found)  # type: ignore[arg-type]
    if why == "seconds":  # the time was over before
        clock.now = 3.0
        with pytest.raises(Left, match="seconds"):
            stop.pause()
    else:
        stop.pause()
        with pytest.raises(Left, match="stopped"):
            stop.request("stopped")
    assert found.stopped == "interrupted"
    stop.pause()  # kernels that the check of a property needs
    stop.request("stopped")


def test_a_search_that_has_ended_is_not_asked_to_end(clock: FakeClock) -> None:
    stop = EarlyStop(2.0, leave)
    stop.finish()
    stop.request("stopped")
    assert stop.why == ""


def test_kernels_that_load_pause_the_clock_and_are_announced(clock: FakeClock) -> None:
    stop, sent = EarlyStop(2.0, leave), list[Line]()
    with paused_while_loading(stop, sent.append):
        clock.now = 1.0
        with cache._reporter("pentad.grammar.compiled.narrow_kernels") as report:
            clock.now = 50.0
            report(0.5)
            assert stop.spent == 1.0
        clock.now = 50.5
        assert stop.spent == 1.5
    assert sent == [{"preparing": True}]


# ── jobs ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def lines() -> list[Line]:
    return []


@pytest.fixture
def worker(lines: list[Line]) -> Iterator[Worker]:
    """The worker of this process, which writes to a list."""
    before = list(workers._running)
    made = Worker(JOBS, lambda line: lines.append(json.loads(line)))
    workers.set_current(made)
    yield made
    workers._running[:] = before
    exploration_job.adviser_of.cache_clear()


@pytest.fixture
def ask(worker: Worker, lines: list[Line]) -> Ask:
    """Asks for a job, and returns the lines after the note of its beginning."""

    def asked(job: str, **given: Any) -> list[Line]:
        lines.clear()
        worker.answer(json.dumps({"id": REQUEST_NUMBER, "job": job, "given": given}))
        assert lines[-1]["end"]
        return [line for line in lines if line.get("note") != BEGUN]

    return asked


@pytest.fixture
def explored(ask: Ask) -> Callable[..., Line]:
    """Explores a model, and returns the results."""

    def done(model: str, options: dict[str, str] | None = None, **given: Any) -> Line:
        whole: Line = {"depth": None, "states": 10_000, "seconds": 1e6, "property": ""}
        *_, last, end = ask("explore", model=model, options=options or {}, **(whole | given))
        assert "error" not in end
        found: Line = last["answer"]["done"]
        return found

    return done


def test_the_results_are_those_of_an_exploration(explored: Callable[..., Line]) -> None:
    done, found = explored("ferry"), explore(new("ferry"))
    assert (done["states"], done["transitions"], done["final"]) == (found.states, found.transitions, found.final)
    assert (done["open"], done["broken"], done["stopped"], done["property"]) == (0, 0, "", None)
    assert done["depths"] == [list(found.lts.depths).count(depth) for depth in range(len(done["depths"]))]
    assert sum(done["depths"]) == found.states
    assert sum(done["actions"].values()) == found.transitions
    assert done["actions"].keys() == {name for name, _ in found.lts.labels}
    assert done["stuck"] == len(set(range(found.states)) - set(found.lts.sources))
    assert "<title>All states</title>" in done["svg"]


def test_many_states_are_drawn_as_classes(explored: Callable[..., Line], monkeypatch: pytest.MonkeyPatch) -> None:
    done = explored("pentago", SMALL)
    classes = minimise(explore(new("pentago", rows=1, cols=1, block=2, line=2, rules="classic")).lts).states
    assert (done["states"], done["classes"]) == (73, classes)
    assert "73 states and 100 transitions, merged by strong bisimulation" in done["svg"]
    monkeypatch.setattr(exploration_job, "MAX_DRAWN_CLASSES", classes - 1)
    done = explored("pentago", SMALL)
    assert (done["svg"], done["classes"]) == (None, classes)
    monkeypatch.setattr(exploration_job, "MAX_MINIMISED_STATES", 72)
    done = explored("pentago", SMALL)
    assert (done["svg"], done["classes"]) == (None, None)


def test_an_exploration_ends_at_its_bounds(explored: Callable[..., Line]) -> None:
    done = explored("ferry", states=10)
    assert done["stopped"] == "states"
    assert 10 <= done["states"] < 36
    assert done["open"] > 0
    assert "<title>States found</title>" in done["svg"]
    done = explored("ferry", depth=2)
    assert done["stopped"] == "depth"
    assert len(done["depths"]) == 4  # states one step farther are found, too
    assert done["open"] == done["depths"][3]


def test_an_exploration_without_time_has_the_results_so_far(explored: Callable[..., Line]) -> None:
    done = explored("ferry", seconds=0)
    assert done["stopped"] == "seconds"
    assert done["states"] < 36
    assert done["open"] > 0


def test_a_request_that_was_stopped_before_it_began_ends_at_once(worker: Worker, explored: Callable[..., Line]) -> None:
    worker.stop(REQUEST_NUMBER + 1)  # that is another request
    assert explored("ferry")["stopped"] == ""
    worker.stop(REQUEST_NUMBER)
    done = explored("ferry")
    assert done["stopped"] == "stopped"
    assert done["open"] > 0


def test_the_progress_is_reported(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration_job, "REPORT_SECONDS", 0.0)
    *before, last, _ = ask("explore", model="maze", options={}, depth=None, states=10_000, seconds=1e6, property="")
    states = [line["answer"]["states"] for line in before]
    assert states
    assert states == sorted(states)
    assert states[-1] <= last["answer"]["done"]["states"]
    assert all(
        line["id"] == REQUEST_NUMBER and line["answer"].keys() >= {"transitions", "open", "seconds"} for line in before
    )


def test_a_property_is_checked_and_its_witness_shown_as_a_film(
    explored: Callable[..., Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    lts = explore(new("ferry")).lts
    for text in ("EF allAcross", "AF allAcross", "AG !allAcross"):
        answered, verdict = explored("ferry", property=text)["property"], check(text, lts)
        film = answered.pop("film")
        assert answered == verdict.json()
        assert (film is not None) == bool(verdict.witness)
        assert film is None or film.startswith("<svg")
    monkeypatch.setattr(exploration_job, "MAX_TRACE_STEPS", 2)
    cut = explored("ferry", property="EF allAcross")["property"]["witness"]["steps"]
    assert cut == check("EF allAcross", lts).json()["witness"]["steps"][:2]


def test_long_and_large_films_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    found = explore(new("ferry"))
    witness = check("EF allAcross", found.lts).witness
    assert witness is not None
    assert film_of(found, None) is None
    assert (film_of(found, witness) or "").startswith("<svg")
    with monkeypatch.context() as changed:
        changed.setattr(exploration_job, "MAX_FILM_STEPS", len(witness) - 1)
        assert film_of(found, witness) is None
    monkeypatch.setattr(exploration_job, "MAX_FILM_LENGTH", 100)
    assert film_of(found, witness) is None


def test_an_invalid_property_is_an_error_before_the_exploration(ask: Ask) -> None:
    (end,) = ask("explore", model="ferry", options={}, depth=None, states=100, seconds=1e6, property="EF allacross")
    assert end["error"].startswith("A formula names 'allacross', which is not an action or a mark.")


def test_the_second_mark_of_the_first_player_wins_on_a_small_board(ask: Ask) -> None:
    """Any two fields of 2 × 2 are in a line of 2; a mark and what follows it (a turn, or the end) are two steps."""
    path: list[int] = []
    given = {"model": "tictactoe", "options": {"rows": "2", "cols": "2", "line": "2"}, "seconds": 1e6}
    for distance, value in zip(range(6, 0, -1), (1, 1, -1, -1, 1, 1), strict=True):  # values are of the player to move
        answered = ask("values", path=path, **given)[0]["answer"]
        assert (answered["value"], answered["distance"], answered["complete"]) == (value, distance, True)
        assert [(each["value"], each["best"]) for each in answered["moves"]] == [(value, True)] * len(answered["moves"])
        path.append(answered["moves"][-1]["number"])
    answered = ask("values", path=path, **given)[0]["answer"]
    assert (answered["distance"], answered["moves"]) == (0, [])


def test_without_players_there_are_no_values(ask: Ask) -> None:
    (end,) = ask("values", model="ferry", options={}, path=[], seconds=1e6)
    assert "does not say who the players are" in end["error"]


def test_a_state_that_was_not_reached_in_time_has_no_values(ask: Ask) -> None:
    (end,) = ask("values", model="tictactoe", options={"rows": "2", "cols": "3"}, path=[0, 0], seconds=0)
    assert end["error"].startswith("This state is not among the ")


def test_a_column_is_counted_by_number() -> None:
    assert counts(array("i", [2, 0, 2])) == [1, 0, 2]
    assert counts(array("i")) == []
