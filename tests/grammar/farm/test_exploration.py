"""Partitioned exploration: the counts of one process, whoever does the work, with little memory, after any end."""

import errno
import os
import random
import signal
from itertools import pairwise

import pytest

from pentad.game import GameError
from pentad.grammar.compiled.counting import run_compiled
from pentad.grammar.exploration import explore as explore_here
from pentad.grammar.farm import exploration, partition
from pentad.grammar.farm.exploration import Partitioned, Run, explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.models import new
from pentad.grammar.system import System, prepare
from pentad.jobs.executors import ExecutorFarm
from pentad.system.files import Lock
from tests.grammar.compiled.test_engine import compiled_grammars
from tests.grammar.farm.inline import Inline
from tests.properties import some_of

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3, "iso": False}  # this model has 6,505 states
MEMORY = 16 << 20


@pytest.fixture
def small_units(monkeypatch):
    """Many units, buckets that are full soon, and known files that are united soon."""
    monkeypatch.setattr(partition, "MIN_BUCKET_STATES", 3)
    monkeypatch.setattr(partition, "SUCCESSORS_OF_STATE", 0)
    monkeypatch.setattr(exploration, "ITEMS_OF_SMALLEST_UNIT", 200)
    monkeypatch.setattr(exploration, "EXPANDED", 500)
    monkeypatch.setattr(exploration, "MERGED", 2000)
    monkeypatch.setattr(exploration, "MOST_CHECKED", 2)


def pentago() -> System:
    return prepare(new("pentago", **SMALL))


def inline(deaths=()):
    return ExecutorFarm(Inline(deaths), partition.__name__, 3)


def counts(found: Partitioned) -> tuple[object, ...]:
    return found.states, found.transitions, found.final, found.expanded, found.stopped


def counted(system: System, iso: bool, depth: int | None = None) -> tuple[object, ...]:
    run = run_compiled(system, iso, Limits(depth=depth), Acceptor(None, system.names), None, True)
    run.run()
    return run.states, run.transitions, run.final, run.expanded, run.stopped


def test_random_grammars_have_the_same_counts(tmp_path, small_units):
    """Most of them have transitions to states of earlier levels."""
    compared = 0
    for seed, system, is_narrow in compiled_grammars(range(some_of(60))):
        for iso in (False, True) if is_narrow else ():
            found = explore(system, tmp_path / f"{seed} {iso}", farm=inline(), memory=MEMORY, isomorphism=iso, depth=4)
            assert counts(found) == counted(system, iso, 4), seed
        compared += 1
    assert compared >= some_of(60) // 2


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "options", "depth"),
    [
        ("pentago", {**SMALL, "control": "recipe"}, None),
        ("pentago", {**SMALL, "block": 3, "players": 3}, 4),
        ("tictactoe", {"rows": 1, "cols": 9, "line": 9, "iso": False}, None),
    ],
)
def test_models_have_the_same_counts_and_levels(tmp_path, small_units, name, options, depth):
    """The second one has states that need slots of 64 bits."""
    grammar = new(name, **options)
    system = prepare(grammar)
    found = explore(system, tmp_path, farm=inline(), memory=MEMORY, depth=depth)
    assert counts(found) == counted(system, system.isomorphism, depth)
    here = explore_here(grammar, engine="compiled", depth=depth)
    assert found.levels == [here.lts.depths.count(level) for level in range(max(here.lts.depths) + 1)]


def test_a_walk_returns_to_known_states(tmp_path, small_units, monkeypatch):
    """Tokens walk around a ring both ways; the known files are united again and again."""
    start, walk = Graph("start"), Graph("walk", "rule")
    cells = [start.node("type:Cell") for _ in range(9)]
    for one, other in pairwise([*cells, cells[0]]):
        start.edge(one, "next", other)
        start.edge(other, "next", one)
    for number in range(4):
        start.edge(start.node("type:Token", f"flag:t{number}"), "at", cells[0])
    token, here, there = walk.node("type:Token"), walk.node("type:Cell"), walk.node("type:Cell")
    walk.edge(token, "del:at", here)
    walk.edge(here, "next", there)
    walk.edge(token, "new:at", there)
    system = prepare(Grammar("ring", {"start": start}, {"walk": walk}))
    united, unite = [], Run._unite
    monkeypatch.setattr(Run, "_unite", lambda *given: united.append(0) or unite(*given))
    found = explore(system, tmp_path, farm=inline(), memory=MEMORY, isomorphism=False)
    assert counts(found) == counted(system, False) == (9**4, 8 * 9**4, 0, 9**4, "")
    assert len(found.levels) == 17
    assert len(united) > 3


@pytest.mark.slow
def test_units_that_are_repeated_count_once(tmp_path, small_units):
    whole = explore(pentago(), tmp_path, farm=inline(), memory=MEMORY)
    again = explore(pentago(), tmp_path, farm=inline(random.Random(1).sample(range(1000), 150)), memory=MEMORY)
    assert (counts(again), again.levels) == (counts(whole), whole.levels)


def test_a_unit_whose_workers_always_die_is_an_error(tmp_path):
    with pytest.raises(GameError, match="A worker failed 4 times in a row: it ended"):
        explore(pentago(), tmp_path, farm=inline(range(1000)), memory=MEMORY)


@pytest.mark.slow
def test_processes_that_are_killed_change_nothing(tmp_path, small_units):
    """Kills two processes in the middle of their work."""
    killed = []

    def kill(*_: int) -> None:
        for each in {each.process.pid for each in processes.pool.busy}.difference(killed) if len(killed) < 2 else ():
            os.kill(each, signal.SIGKILL)  # a process stays among the busy ones until its end is noticed
            killed.append(each)
            return

    from pentad.jobs.executors import ProcessFarm

    with ProcessFarm(partition.__name__, 2, "exploration process") as processes:
        found = explore(pentago(), tmp_path, farm=processes, memory=MEMORY, progress=kill)
    assert len(killed) == 2
    assert counts(found) == counted(pentago(), False)


@pytest.mark.slow
def test_a_run_that_was_stopped_is_continued(tmp_path, small_units):
    (tmp_path / "other").write_text("a file of somebody else")
    whole, ends = counted(pentago(), False), 0

    def interrupt(*_: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt

    while True:
        left = 20 + 30 * ends
        found = explore(pentago(), tmp_path, farm=inline(), memory=MEMORY << (ends % 2), progress=interrupt)
        if not found.stopped:
            break
        ends += 1
        assert found.stopped == "interrupted"
        assert found.folder is not None
        assert found.folder.is_dir()
    assert ends > 1
    assert counts(found) == whole
    assert [each.name for each in tmp_path.iterdir()] == ["other"]


def test_a_run_to_a_depth_goes_on_to_another(tmp_path):
    for depth in (2, 5, None):
        assert counts(explore(pentago(), tmp_path, farm=inline(), depth=depth)) == counted(pentago(), False, depth)
    assert not list(tmp_path.iterdir())


def test_stop_ends_an_exploration(tmp_path):
    assert explore(pentago(), tmp_path, farm=inline(), stop=lambda: True).stopped == "interrupted"


# ── bad input ────────────────────────────────────────────────────────────────────────────────────


def test_two_runs_in_one_folder_are_refused(tmp_path):
    folder = explore(pentago(), tmp_path, farm=inline(), depth=1).folder
    assert folder is not None
    with (
        Lock(folder / ".lock", ""),
        pytest.raises(GameError, match=r"Another run .*pentad-explore-\w+\.$"),
    ):
        explore(pentago(), tmp_path, farm=inline())
    assert explore(pentago(), tmp_path, farm=inline()).states == 6505


@pytest.mark.slow
@pytest.mark.parametrize("number", [3, 20])
def test_a_full_disk_destroys_nothing(tmp_path, small_units, monkeypatch, number):
    real, written = partition.KeyFileWriter.add, 0

    def full(self, *data):
        nonlocal written
        written += 1
        if written == number:
            self._file.write(data[0].cast("B")[:1])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(self, *data)

    monkeypatch.setattr(partition.KeyFileWriter, "add", full)
    with pytest.raises(GameError) as error:
        explore(pentago(), tmp_path, farm=inline(), memory=MEMORY)
    (folder,) = tmp_path.iterdir()
    assert (
        str(error.value)
        == f"The disk with {folder} is full. Free some space and run the same command again to continue."
    )
    assert not list(folder.glob(".*.tmp"))
    assert counts(explore(pentago(), tmp_path, farm=inline(), memory=MEMORY)) == counted(pentago(), False)


def test_a_damaged_file_is_named(tmp_path, small_units):
    folder = explore(pentago(), tmp_path, farm=inline(), memory=MEMORY, depth=3).folder
    assert folder is not None
    for file in folder.glob("4-*.keys"):
        file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(GameError, match=r"4-\d+-\d+\.keys is damaged"):
        explore(pentago(), tmp_path, farm=inline(), memory=MEMORY)


def test_states_of_several_words_are_refused(tmp_path):
    with pytest.raises(GameError, match=r"64 bits .* have 7\d"):
        explore(prepare(new("pentago", iso=False)), tmp_path, farm=inline())


def test_too_little_memory_is_refused(tmp_path):
    with pytest.raises(GameError, match="at least 16 MB"):
        explore(pentago(), tmp_path, farm=inline(), memory=1000)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "scratch").write_text("")
    with pytest.raises(GameError, match=r"Cannot use .*: Not a directory\."):
        explore(pentago(), tmp_path / "scratch", farm=inline())
