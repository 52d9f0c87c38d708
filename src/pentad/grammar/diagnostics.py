"""Diagnostics of a grammar: the errors of all its parts, enabled or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pentad.grammar.control.automaton import compile_program
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.host import World
from pentad.grammar.rules.types import types_of
from pentad.grammar.system import Parts, actions_of


def problems_of(grammar: Grammar, operations: Iterable[Callable[..., Any]] = ()) -> list[GrammarError]:
    """Returns the errors in type graphs, rules, graphs and control programs; an empty list if there are none.

    `operations` are the caller's, as in `explore`.

    >>> from pentad.grammar.models import new
    >>> problems_of(new("ferry"))
    []
    """
    try:
        return problems_in(Parts(grammar, operations))
    except GrammarError as error:
        return list(error.errors)


def problems_in(parts: Parts) -> list[GrammarError]:
    """Returns the errors of a grammar whose rules have not been read yet; without errors, `parts` can be prepared."""
    grammar, problems = parts.grammar, parts.problems
    for graph in grammar.types.values():
        with problems.collect():
            types_of([graph], whole=False)
    parts.read_rules(disabled=True)
    for name, graph in grammar.graphs.items():
        found = parts.read_host(graph, name)
        if found is not None:
            with problems.collect():
                parts.add_host(World(), found)
    if not problems.errors:
        for name in grammar.controls:
            with problems.collect():
                compile_program(grammar.controls, [name], actions_of(parts.rules), parts.algebra)
    return problems.distinct
