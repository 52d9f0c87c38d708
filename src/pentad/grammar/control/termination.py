"""Checks that functions and recipes begin with a rule, and that recipes terminate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from pentad.grammar.control.calls import RECIPE
from pentad.grammar.control.parser import Procedure
from pentad.grammar.control.terms import Term, Terms

Evaluator: TypeAlias = Callable[[Term, list[bool], set[str]], bool]


def check(terms: Terms, procedures: Iterable[Procedure]) -> None:
    """Refuses procedures that do nothing or begin with a call of themselves, and recipes that may not end."""
    declared = {each.name: each for each in procedures}
    callees, at_once = _beginnings(terms)
    endless = set(declared) - _ending(terms)
    for name, procedure in declared.items():
        subject = f"The {procedure.kind} {name}"
        if name in _reached(callees, name):
            procedure.place.fail(f"{subject} calls itself before any rule.")
        if terms.bodies[name].is_final:
            procedure.place.fail(f"{subject} does nothing.")
        if procedure.kind == RECIPE and name in at_once:
            procedure.place.fail(f"{subject} may end without a step.")
        if procedure.kind == RECIPE and name in endless:
            procedure.place.fail(f"{subject} may never end.")


# ── beginnings ───────────────────────────────────────────────────────────────────────────────────


def _beginnings(terms: Terms) -> tuple[dict[str, set[str]], set[str]]:
    """Returns the procedures that each may call before any rule, and those that may end before any rule."""
    callees: dict[str, set[str]] = {}
    at_once: set[str] = set()
    changed = True
    while changed:
        changed = False
        for name, body in terms.bodies.items():
            callees[name], ends = _beginning(terms, body, at_once)
            if ends and name not in at_once:
                at_once.add(name)
                changed = True
    return callees, at_once


def _beginning(terms: Terms, body: Term, at_once: set[str]) -> tuple[set[str], bool]:
    callees: set[str] = set()
    seen, todo, ends = {body}, [body], False
    while todo:
        term = todo.pop()
        ends = ends or term.is_final
        if not term.is_trial:
            continue
        attempt = terms.attempt(term, nested=False)
        ahead = [attempt.success, attempt.failure]
        for each in attempt.derivations:
            name = each.call.procedure
            if name is not None:
                callees.add(name)
                ahead += [each.target] if name in at_once else []
        fresh = [each for each in ahead if each not in seen]
        seen.update(fresh)
        todo += fresh
    return callees, ends


def _reached(callees: Mapping[str, set[str]], name: str) -> set[str]:
    reached: set[str] = set()
    todo = [name]
    while todo:
        fresh = callees[todo.pop()] - reached
        reached |= fresh
        todo += fresh
    return reached


# ── endings ──────────────────────────────────────────────────────────────────────────────────────


def _ending(terms: Terms) -> set[str]:
    """The procedures that can end from every reachable point: they may end and never get stuck."""
    ending: set[str] = set()
    changed = True
    while changed:
        fresh = {name for name in terms.bodies if name not in ending and _holds(terms.bodies[name], _MAY_END, ending)}
        ending |= fresh
        changed = bool(fresh)
    changed = True
    while changed:
        stuck = {name for name in ending if not _holds(terms.bodies[name], _WILL_END, ending)}
        ending -= stuck
        changed = bool(stuck)
    return ending


def _holds(term: Term, evaluators: Mapping[str, Evaluator], ending: set[str]) -> bool:
    """Evaluates a term bottom up: the rule of its operator gets the values of its parts."""
    values: dict[Term, bool] = {}
    todo = [term]
    while todo:
        now = todo[-1]
        missing = [part for part in now.parts if part not in values]
        if missing:
            todo += missing
            continue
        todo.pop()
        values[now] = evaluators[now.operator](now, [values[part] for part in now.parts], ending)
    return values[term]


def _dead_or(term: Term, value: bool) -> bool:
    return term.is_dead or value


def _called(term: Term, ending: set[str]) -> bool:
    return term.payload.procedure is None or term.payload.procedure in ending


def _whole_if(term: Term, values: list[bool]) -> bool:
    condition, then, also, other = values
    return condition and then and _dead_or(term.parts[2], also) and _dead_or(term.parts[3], other)


_MAY_END: Mapping[str, Evaluator] = {
    "epsilon": lambda term, values, ending: True,
    "delta": lambda term, values, ending: False,
    "call": lambda term, values, ending: _called(term, ending),
    "seq": lambda term, values, ending: all(values),
    "or": lambda term, values, ending: any(values),
    "if": lambda term, values, ending: (values[0] and values[1]) or values[2] or values[3],
    "while": lambda term, values, ending: not term.parts[0].is_final,
    "until": lambda term, values, ending: True,
    "star": lambda term, values, ending: True,
    "atom": lambda term, values, ending: values[0],
}
_WILL_END: Mapping[str, Evaluator] = {
    "epsilon": lambda term, values, ending: True,
    "delta": lambda term, values, ending: False,
    "call": lambda term, values, ending: _called(term, ending),
    "seq": lambda term, values, ending: all(values),
    "or": lambda term, values, ending: all(values),
    "if": lambda term, values, ending: _whole_if(term, values),
    "while": lambda term, values, ending: not term.parts[0].is_final and all(values),
    "until": lambda term, values, ending: all(values),
    "star": lambda term, values, ending: values[0],
    "atom": lambda term, values, ending: values[0],
}
