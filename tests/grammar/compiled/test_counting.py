"""Counting of states by several threads finds as many states and transitions as an exploration that keeps them."""

from __future__ import annotations

import pytest

from pentad.grammar.compiled import counting
from pentad.grammar.compiled.counting import CountingRun, key_of, run_compiled
from pentad.grammar.compiled.engine import CompiledRun
from pentad.grammar.exploration import explore
from pentad.grammar.graph import GrammarError
from pentad.grammar.limits import Acceptor, Limits, Progress
from pentad.grammar.models import new
from pentad.grammar.system import System, prepare
from tests.grammar.compiled.test_engine import compiled_grammars
from tests.properties import some_of

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3, "iso": False}  # this model has 6,505 states


def run_of(
    system: System, keep: bool, iso: bool = False, threads: int = 1, progress: Progress | None = None, **limits: int
):
    run = run_compiled(system, iso, Limits(**limits), Acceptor(None, system.names), progress, keep, threads=threads)
    assert isinstance(run, CompiledRun if keep else CountingRun)
    run.run()
    return run


def counts(run: CompiledRun | CountingRun) -> tuple[object, ...]:
    return run.states, run.transitions, run.final, run.expanded, run.stopped


@pytest.fixture
def small_buffers(monkeypatch):
    """Buckets and segments that are full soon, and no states too few for a second thread."""
    monkeypatch.setattr(counting, "STATES_OF_ONE_THREAD", 0)
    monkeypatch.setattr(counting, "STATES_OF_BUCKET", 4)
    monkeypatch.setattr(counting, "SLOTS_OF_SEGMENT", 32)


def test_random_grammars_have_the_same_counts(small_buffers):
    compared = 0
    for seed, system, is_narrow in compiled_grammars(range(some_of(60))):
        for iso in (False, True) if is_narrow else ():
            kept = counts(run_of(system, True, iso, depth=3))
            for threads in (1, 3):
                assert counts(run_of(system, False, iso, threads, depth=3)) == kept, seed
            compared += 1
    assert compared >= some_of(60) // 2


@pytest.mark.parametrize(
    ("options", "depth"),
    [(SMALL, None), ({**SMALL, "control": "recipe"}, None), ({**SMALL, "block": 3, "players": 3}, 5)],
)
def test_a_model_has_the_same_counts(small_buffers, options, depth):
    """The last one has states of more than 42 bits, which need slots of 64 bits."""
    system = prepare(new("pentago", **options))
    kept = run_of(system, True, depth=depth)
    for threads in (1, 2):
        found = run_of(system, False, threads=threads, depth=depth)
        assert counts(found) == counts(kept)
        assert found.slot == ("uint64" if options["block"] == 3 else "uint32")


@pytest.mark.parametrize("bits", range(1, 65))
def test_slots_of_32_bits_are_used_up_to_42_bits(bits):
    segments, key = key_of(bits)
    assert segments << key.rest == 1 << bits
    assert (key.rest <= counting.SHORT) == (bits <= 42)


def test_an_interrupted_count_goes_on(small_buffers):
    system = prepare(new("pentago", **SMALL))
    calls = []

    def interrupt(states: int, _transitions: int, _open: int) -> None:
        calls.append(states)
        if len(calls) in (5, 20):
            raise KeyboardInterrupt

    run = run_of(system, False, threads=2, progress=interrupt)
    assert run.stopped == "interrupted"
    assert 0 < run.states < 6505
    run.run()
    assert run.stopped == "interrupted"
    assert 0 < run.states < 6505
    run.run()
    assert counts(run) == counts(run_of(system, True))


def test_a_count_stops_at_its_memory_and_when_asked(small_buffers):
    grammar = new("pentago", **SMALL)
    assert explore(grammar, keep=False, engine="compiled", memory=40_000).stopped == "memory"
    found = explore(grammar, keep=False, engine="compiled", stop=lambda: True)
    assert found.stopped == "interrupted"
    assert found.states < 2


def test_states_that_were_only_counted_are_not_known():
    found = explore(new("pentago", **SMALL), keep=False, engine="compiled", threads=2)
    assert (found.states, found.transitions) == (6505, 16171)
    assert isinstance(found.run, CountingRun)
    with pytest.raises(GrammarError, match="only counted"):
        found.run.state(1)
    assert isinstance(explore(new("pentago", **SMALL), keep=False, engine="compiled", states=5000).run, CompiledRun)
