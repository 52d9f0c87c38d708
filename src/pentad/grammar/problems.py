"""All that is wrong with a grammar: each of its parts is read, in use or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pentad.grammar.control.automaton import compile_program
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Problems
from pentad.grammar.matching.graphs import add_host
from pentad.grammar.matching.host import Host, World
from pentad.grammar.rules.hosts import check_host, read_host
from pentad.grammar.rules.rule import Rule
from pentad.grammar.rules.types import Types, read_types, types_of
from pentad.grammar.system import OFF, actions_of, algebra_of, is_enabled, parallel_of, rule_of


def problems_of(grammar: Grammar, operations: Iterable[Callable[..., Any]] = ()) -> list[GrammarError]:
    """What is wrong with type graphs, rules, graphs and control programs; nothing, if the grammar can be used.

    `operations` are those of a caller, as `explore` takes them.

    >>> from pentad.grammar.models import new
    >>> problems_of(new("ferry"))
    []
    """
    problems = Problems()
    try:
        algebra = algebra_of(grammar, operations)
    except GrammarError as error:
        return list(error.errors)
    types: Types | None = None
    for graph in grammar.types.values():
        with problems.noted():
            types_of([graph], whole=False)
    with problems.noted():
        types = read_types(grammar)
    rules: dict[str, Rule] = {}
    for name in grammar.rules:
        with problems.noted():
            rule = rule_of(grammar, name, types, algebra)
            if is_enabled(grammar, name, grammar.rules[name]):
                rules[name] = rule
    for name, graph in grammar.graphs.items():
        with problems.noted():
            found = read_host(graph, f"{name}.gst", algebra, parallel_of(grammar))
            if types is not None:
                check_host(types, found)
                if types.counts and grammar.asks("typePolicy") != OFF:
                    world = World()
                    types.check_counts(Host(world, *add_host(world, found)), found.where)
    if not problems.errors:
        for name in grammar.controls:
            with problems.noted():
                compile_program(grammar.controls, [name], actions_of(rules), algebra)
    return list({str(error): error for error in problems.errors}.values())
