"""Grammars as small as a test needs: strings are nodes with their labels, triples are edges."""

from __future__ import annotations

from pentad.grammar import Grammar, Graph, explore


def drawn(role, name, *elements) -> Graph:
    """A graph: strings are nodes with labels, spaces between (`_` is one in a label); triples are edges."""
    graph = Graph(name, role)
    for each in elements:
        if isinstance(each, str):
            graph.node(*(label.replace("_", " ") for label in each.split()))
        else:
            graph.edge(*each)
    return graph


def made(start, rules, control="", types=(), **properties) -> Grammar:
    """A grammar of one start graph. A rule whose first element is `!` is a transformer, whatever it does."""
    grammar = Grammar("made", {"start": drawn("graph", "start", *start)}, properties=properties)
    for name, elements in rules.items():
        acts = elements[0] == "!"
        grammar.rules[name] = drawn("rule", name, *elements[acts:])
        if acts:
            grammar.rules[name].attributes["actionRole"] = "transformer"
    if types:
        grammar.types["type"] = drawn("type", "type", *types)
        grammar.properties["typeGraph"] = "type"
    if control:
        grammar.controls["main"] = control
        grammar.properties["controlProgram"] = "main"
    return grammar


def counts(grammar, **options):
    found = explore(grammar, engine="general", **options)
    return found.states, found.transitions
