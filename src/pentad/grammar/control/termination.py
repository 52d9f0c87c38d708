"""What must hold of functions and recipes: that they begin, and that recipes end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from pentad.grammar.control.calls import RECIPE
from pentad.grammar.control.syntax_tree import Procedure
from pentad.grammar.control.terms import Term, Terms

Judge: TypeAlias = Callable[[Term, list[bool], set[str]], bool]


def check(terms: Terms, procedures: Iterable[Procedure]) -> None:
    """Refuse procedures that do nothing, that call themselves before anything else, and recipes that cannot end."""
    declared = {each.name: each for each in procedures}
    callees, at_once = _beginnings(terms)
    endless = set(declared) - _ending(terms)
    for name, procedure in declared.items():
        told = f"the {procedure.kind} {name}"
        if name in _reached(callees, name):
            procedure.place.wrong(f"{told} calls itself before any rule")
        if terms.bodies[name].is_final:
            procedure.place.wrong(f"{told} does nothing")
        if procedure.kind == RECIPE and name in at_once:
            procedure.place.wrong(f"{told} may end without a step")
        if procedure.kind == RECIPE and name in endless:
            procedure.place.wrong(f"{told} may never end")


# ── beginnings ───────────────────────────────────────────────────────────────────────────────────


def _beginnings(terms: Terms) -> tuple[dict[str, set[str]], set[str]]:
    """The procedures that each may call before any rule; and those that may end before any rule."""
    callees: dict[str, set[str]] = {}
    at_once: set[str] = set()
    grows = True
    while grows:
        grows = False
        for name, body in terms.bodies.items():
            callees[name], ends = _beginning(terms, body, at_once)
            if ends and name not in at_once:
                at_once.add(name)
                grows = True
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
    """The procedures that can end from wherever they are: of those that may end, those that need not get stuck."""
    ending: set[str] = set()
    grows = True
    while grows:
        fresh = {name for name in terms.bodies if name not in ending and _judged(terms.bodies[name], _MAY_END, ending)}
        ending |= fresh
        grows = bool(fresh)
    shrinks = True
    while shrinks:
        stuck = {name for name in ending if not _judged(terms.bodies[name], _WILL_END, ending)}
        ending -= stuck
        shrinks = bool(stuck)
    return ending


def _judged(term: Term, judges: Mapping[str, Judge], ending: set[str]) -> bool:
    """What a term's judge says of it, where it knows what was said of its parts."""
    said: dict[Term, bool] = {}
    todo = [term]
    while todo:
        now = todo[-1]
        missing = [part for part in now.parts if part not in said]
        if missing:
            todo += missing
            continue
        todo.pop()
        said[now] = judges[now.operator](now, [said[part] for part in now.parts], ending)
    return said[term]


def _dead_or(term: Term, said: bool) -> bool:
    return term.is_dead or said


def _called(term: Term, ending: set[str]) -> bool:
    return term.what.procedure is None or term.what.procedure in ending


def _whole_if(term: Term, said: list[bool]) -> bool:
    condition, then, also, other = said
    return condition and then and _dead_or(term.parts[2], also) and _dead_or(term.parts[3], other)


_MAY_END: Mapping[str, Judge] = {
    "epsilon": lambda term, said, ending: True,
    "delta": lambda term, said, ending: False,
    "call": lambda term, said, ending: _called(term, ending),
    "seq": lambda term, said, ending: all(said),
    "or": lambda term, said, ending: any(said),
    "if": lambda term, said, ending: (said[0] and said[1]) or said[2] or said[3],
    "while": lambda term, said, ending: not term.parts[0].is_final,
    "until": lambda term, said, ending: True,
    "star": lambda term, said, ending: True,
    "atom": lambda term, said, ending: said[0],
}
_WILL_END: Mapping[str, Judge] = {
    "epsilon": lambda term, said, ending: True,
    "delta": lambda term, said, ending: False,
    "call": lambda term, said, ending: _called(term, ending),
    "seq": lambda term, said, ending: all(said),
    "or": lambda term, said, ending: all(said),
    "if": lambda term, said, ending: _whole_if(term, said),
    "while": lambda term, said, ending: not term.parts[0].is_final and all(said),
    "until": lambda term, said, ending: all(said),
    "star": lambda term, said, ending: said[0],
    "atom": lambda term, said, ending: said[0],
}
