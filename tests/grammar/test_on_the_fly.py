"""Formulas decided while a grammar is explored: the verdicts of the whole system, with fewer states."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar import Grammar, explore
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl, formulas, ltl
from pentad.grammar.logic.formulas import Atom, Constant, Formula
from pentad.grammar.models import new
from pentad.grammar.on_the_fly import decide, end_early, ended, invariant
from tests.grammar.logic.test_ctl import grown
from tests.properties import properties
from tests.terminal.grammar.test_grammar import counting

GRAMMARS = {"ferry": new("ferry"), "tictactoe": new("tictactoe", rows=2), "election": new("election")}
WHOLE = {name: explore(grammar).lts for name, grammar in GRAMMARS.items()}
ENGINES = ("compiled", "array", "general")


def decided_early(formula: Formula, grammar: Grammar, **options: Any) -> tuple[Any, ctl.Verdict]:
    """The verdict of an exploration that is looked at after 2, 4, 8, … states."""
    with patch.object(sys.modules[explore.__module__], "STATES_OF_FIRST_STAGE", 2):
        return decide(formula, grammar, **options)


def names_of(grammar: str) -> st.SearchStrategy[Formula]:
    atoms = st.sampled_from((*sorted({name for name, _ in WHOLE[grammar].labels}), "$final", "$start", "$broken"))
    # the modalities of `grown` have names of their own, which are no actions here: they hold nowhere
    return st.recursive(st.builds(Atom, atoms) | st.builds(Constant, st.booleans()), grown, max_leaves=5)


@pytest.mark.parametrize("grammar", GRAMMARS)
@properties(60)
@given(data=st.data())
def test_the_verdict_is_that_of_the_whole_system(grammar: str, data: st.DataObject) -> None:
    formula = data.draw(names_of(grammar))
    strategy = data.draw(st.sampled_from(("bfs", "dfs", "random")))
    lts = WHOLE[grammar]
    options = end_early([formula], lambda part: [ctl.check(formula, part, witness=False)])
    with patch.object(sys.modules[explore.__module__], "STATES_OF_FIRST_STAGE", 2):
        found = ended(explore(GRAMMARS[grammar], strategy=strategy, engine="general", **options))
    verdict, whole = ctl.check(formula, found.lts), ctl.check(formula, lts)
    if strategy == "random":  # a single path is not looked at in between
        assert not verdict.certain or verdict.holds == whole.holds
        return
    assert (verdict.holds, verdict.certain) == (whole.holds, True)
    assert found.states <= lts.states
    assert found.stopped in ("", "until")


@pytest.mark.parametrize("engine", ["compiled", pytest.param("general", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("text", "holds", "steps", "states"),
    [
        ("AG !win", False, 9, 3472),
        ("EF win", True, 9, 3472),
        ("!EF win", False, 9, 3472),
        ("AX place", False, 1, 256),
        ("E(!win U nextTurn)", True, 1, 256),
        ("EF EX win", True, 8, 4096),
        ("AG EF win", False, None, 8192),
    ],
)
def test_an_exploration_ends_when_it_is_decided(
    engine: str, text: str, holds: bool, steps: int | None, states: int
) -> None:
    found, verdict = decide(text, new("tictactoe"), engine=engine, isomorphism=False)
    assert (verdict.holds, verdict.certain) == (holds, True)
    assert found.states in range(states, states + 300)
    assert steps is None or (verdict.witness is not None and len(verdict.witness) == steps)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ENGINES)
def test_an_invariant_is_broken_at_the_first_state(engine: str) -> None:
    whole = explore(new("tictactoe"), engine="compiled", isomorphism=False)
    first = min(state for state in range(whole.states) if "win" in whole.lts.enabled(state))
    found, verdict = decide(invariant("!win"), new("tictactoe"), engine=engine, isomorphism=False)
    assert (found.stopped, verdict.witness is not None and verdict.witness.end) == ("until", first)
    assert len(found.lts.open) == found.states - first - 1
    assert verdict.witness is not None
    assert len(verdict.witness) == whole.lts.depths[first]


def test_an_endless_system_is_decided() -> None:
    found, verdict = decide("EF EX EX grow", counting())
    assert (found.states, verdict.holds, found.stopped) == (256, True, "until")
    found, verdict = decide("AG EX grow", counting(), states=1000)
    assert (verdict.holds, verdict.certain, found.stopped) == (False, False, "states")


def test_bounds_remain_in_force_between_looks() -> None:
    found, verdict = decided_early(formulas.parse("AG EF allAcross"), new("ferry"), depth=3, strategy="dfs")
    assert (found.stopped, verdict.certain) == ("depth", False)
    assert found.states == explore(new("ferry"), depth=3, strategy="dfs").states


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_formulas_of_paths_end_early_too(engine: str) -> None:
    looks = []

    def verdicts(lts):  # type: ignore[no-untyped-def]
        looks.append(lts.states)
        yield ltl.check("G !win", lts)

    asked = [formulas.parse("G !win", paths=True)]
    found = explore(new("tictactoe"), engine=engine, isomorphism=False, **end_early(asked, verdicts))
    assert found.stopped == "until"
    assert looks == sorted(looks)
    assert not ltl.check("G !win", found.lts).holds
    assert found.states < 10_955


@pytest.mark.parametrize("text", ["AG win", "EX win", "<place> win", "!E(win U win)", "[place] win"])
def test_an_invariant_is_about_single_states(text: str) -> None:
    with pytest.raises(GrammarError, match=r"^An invariant is about single states"):
        invariant(text)


def test_ctrl_c_while_verdicts_are_computed_keeps_the_states() -> None:
    def until(found: Any) -> bool:
        raise KeyboardInterrupt

    found = explore(counting(), until=until)
    assert (found.stopped, found.states, len(found.lts.open)) == ("interrupted", 256, 1)
