"""Games solved with their states in files: the values of one process, whoever does the work, with little memory."""

import errno
import os
import random

import pytest

from pentad.game import GameError
from pentad.grammar import solving
from pentad.grammar.exploration import explore
from pentad.grammar.farm import backward, exploration, partition
from pentad.grammar.farm.solving import solve
from pentad.grammar.models import new
from pentad.grammar.solving import Tally
from pentad.grammar.system import prepare
from pentad.jobs.executors import ExecutorFarm
from tests.grammar.farm.inline import Inline

MEMORY = 16 << 20
SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3, "iso": False}  # this model has 6,505 states
GAMES = [
    ("tictactoe", {}),
    ("tictactoe", {"rows": 2, "cols": 5, "line": 3}),
    ("pentago", SMALL),
    ("pentago", {**SMALL, "style": "sym", "rules": "classic"}),
    ("pentago", {**SMALL, "control": "recipe"}),
]


@pytest.fixture(autouse=True)
def small_units(monkeypatch):
    """Many units, and levels that do not fit into memory at once."""
    monkeypatch.setattr(exploration, "ITEMS_OF_SMALLEST_UNIT", 200)
    monkeypatch.setattr(exploration, "MERGED", 2000)
    monkeypatch.setattr(exploration, "MOST_CHECKED", 0)
    monkeypatch.setattr(backward, "LEAST_SLOTS", 512)
    monkeypatch.setattr(backward, "BLOCK", 0)
    monkeypatch.setattr(backward, "FOLLOWING", 0)


def inline(deaths=()):
    return ExecutorFarm(Inline(deaths), backward.__name__, 3)


def small():
    return prepare(new("pentago", **SMALL))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_values_are_those_of_one_process(tmp_path, name, options):
    found = solve(prepare(new(name, **options)), tmp_path, farm=inline(), memory=MEMORY)
    here = explore(new(name, **options), isomorphism=False)
    solution = solving.solve(here)
    assert (found.explored.states, found.explored.transitions) == (here.states, here.transitions)
    assert (found.tally, found.value, found.mover) == (solution.tally, solution.value(0), solution.mover(0))
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("stuck", ["won", "lost", "draw"])
def test_properties_can_be_replaced(tmp_path, stuck):
    options = {"won": None, "stuck": stuck}
    found = solve(small(), tmp_path, farm=inline(), memory=MEMORY, **options)
    assert found.tally == solving.solve(explore(new("pentago", **SMALL)), **options).tally


@pytest.mark.slow
def test_units_that_are_repeated_count_once(tmp_path):
    whole = solve(small(), tmp_path, farm=inline(), memory=MEMORY)
    again = solve(small(), tmp_path, farm=inline(random.Random(1).sample(range(2000), 300)), memory=MEMORY)
    assert (again.tally, again.value) == (whole.tally, whole.value) == (Tally(2104, 2284, 2117, 0), 1)


@pytest.mark.slow
def test_a_run_that_was_stopped_is_continued(tmp_path):
    def interrupt(solved: int, _states: int) -> None:
        if solved > 3000:
            raise KeyboardInterrupt

    found = solve(small(), tmp_path, farm=inline(), memory=MEMORY, solving=interrupt)
    assert (found.explored.stopped, found.value, found.tally.unknown) == ("interrupted", None, 6505)
    assert found.explored.folder is not None
    written = {each.name for each in found.explored.folder.glob("*.results")}
    assert written
    seen = []
    found = solve(small(), tmp_path, farm=inline(), memory=MEMORY, solving=lambda *each: seen.append(each))
    assert (found.value, found.tally) == (1, Tally(2104, 2284, 2117, 0))
    assert seen[-1] == (6505, 6505)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_processes_solve_a_large_board(tmp_path, monkeypatch):
    """Two workers of a quarter of the memory of one process; the numbers are those of the solution in memory."""
    monkeypatch.undo()
    system = prepare(new("pentago", rows=2, cols=2, block=2, line=2, iso=False))
    found = solve(system, tmp_path, workers=2, memory=MEMORY)
    solution = solving.solve(explore(new("pentago", rows=2, cols=2, block=2, line=2), isomorphism=False))
    assert (found.tally, found.value) == (solution.tally, solution.value(0))


# ── bad input ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "options", "given", "message"),
    [
        ("ferry", {}, {}, "The grammar does not say who"),
        ("ferry", {}, {"players": "x", "turn": "x", "won": "x"}, "neither a rule nor a label"),
        ("pentago", {**SMALL, "players": 3}, {}, "Only games for two players can"),
        ("pentago", {"iso": False}, {}, "States of up to 64 bits can be partitioned; "),
        ("pentago", SMALL, {"memory": 1000}, "at least 16 MB"),
    ],
)
def test_what_cannot_be_solved_is_refused(tmp_path, name, options, given, message):
    with pytest.raises(GameError, match=message):
        solve(prepare(new(name, **options)), tmp_path, farm=inline(), **given)
    assert not list(tmp_path.iterdir())


def test_moves_to_earlier_states_are_refused(tmp_path, monkeypatch):
    """A game in which the same states come again: here the files of a level lack a state."""
    real = backward._Valuation._parts

    def short(self):
        parts = list(real(self))
        return iter(parts[:-1] if len(parts) > 1 else parts)

    monkeypatch.setattr(backward._Valuation, "_parts", short)
    with pytest.raises(GameError, match="reached before"):
        solve(small(), tmp_path, farm=inline(), memory=MEMORY)


def test_a_damaged_file_of_results_is_named(tmp_path):
    def stop(solved: int, _states: int) -> None:
        if solved > 3000:
            raise KeyboardInterrupt

    folder = solve(small(), tmp_path, farm=inline(), memory=MEMORY, solving=stop).explored.folder
    assert folder is not None
    for file in folder.glob("*.results"):
        file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(GameError, match=r"\.results is damaged"):
        solve(small(), tmp_path, farm=inline(), memory=MEMORY)


@pytest.mark.slow
def test_a_full_disk_destroys_nothing(tmp_path, monkeypatch):
    real, written = backward.draft_of, 0

    def full(path):
        nonlocal written
        written += 1
        if written == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(backward, "draft_of", full)
        with pytest.raises(GameError, match=r"The disk with .* is full\."):
            solve(small(), tmp_path, farm=inline(), memory=MEMORY)
    assert solve(small(), tmp_path, farm=inline(), memory=MEMORY).value == 1


def test_the_jobs_of_an_exploration_are_among_them():
    assert partition.JOBS.items() <= backward.JOBS.items()
