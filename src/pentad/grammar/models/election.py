"""Leader election on a ring (Chang and Roberts), as a graph grammar.

Every process sends its number around the ring. A process forwards larger numbers and drops smaller ones; one that
receives its own number is the leader. Rules create and delete messages.
"""

from __future__ import annotations

import math

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import grammar, model, rule

ORDERS = ("rising", "falling", "mixed")


def numbers(processes: int, order: str) -> list[int]:
    """Returns the processes' numbers in ring order."""
    rising = list(range(1, processes + 1))
    if order == "mixed":
        return rising[::2] + rising[1::2][::-1]
    return rising if order == "rising" else rising[::-1]


def make(*, processes: int, order: str, iso: bool) -> Grammar:
    """Returns the grammar with these options."""
    rules = [_send(), _pass_on(), _drop(), _elect(), _two_leaders()]
    return grammar("election", _start(numbers(processes, order)), rules, iso=iso)


def _start(ring: list[int]) -> Graph:
    graph = Graph("start")
    radius = max(120, 22 * len(ring))
    turns = (math.tau * i / len(ring) for i in range(len(ring)))
    places = [(round(radius * (1 + math.sin(turn)) + 60), round(radius * (1 - math.cos(turn)) + 60)) for turn in turns]
    nodes = [
        graph.node("type:Process", "flag:idle", f"let:number = {number}", at=place)
        for number, place in zip(ring, places, strict=True)
    ]
    graph.chain("next", [*nodes, nodes[0]])
    return graph


def _send() -> Graph:
    """An idle process sends its number to the next process."""
    graph = rule("send")
    process = graph.node("type:Process", "del:flag:idle", at=(60, 60))
    following = graph.node("type:Process", at=(260, 60))
    message = graph.node("new:", "type:Message", at=(260, 180))
    number = graph.node("int:", at=(60, 180))
    graph.edge(process, "next", following)
    graph.edge(process, "number", number)
    graph.edge(message, "number", number)
    graph.edge(message, "at", following)
    return graph


def _arrived(name: str, operator: str, *labels: str) -> tuple[Graph, str, str]:
    """Returns a rule with a message at a process; the operator compares the message's number with the process's."""
    graph = rule(name)
    message = graph.node(*labels, "type:Message", "id:m", at=(60, 180))
    process = graph.node("type:Process", "id:p", f"test:int:m.number {operator} p.number", at=(60, 60))
    return graph, message, process


def _pass_on() -> Graph:
    graph, message, process = _arrived("passOn", ">")
    following = graph.node("type:Process", at=(260, 60))
    graph.edge(process, "next", following)
    graph.move(message, "at", process, following)
    return graph


def _drop() -> Graph:
    graph, message, process = _arrived("drop", "<", "del:")
    graph.edge(message, "at", process)
    return graph


def _elect() -> Graph:
    graph, message, process = _arrived("elect", "==", "del:")
    graph.edge(message, "at", process)
    graph.edge(process, "new:flag:leader", process)
    return graph


def _two_leaders() -> Graph:
    """A forbidden situation: two leaders."""
    graph = rule("twoLeaders", actionRole="forbidden")
    one, other = (graph.node("type:Process", "flag:leader", at=(60 + 180 * i, 60)) for i in range(2))
    graph.edge(one, "!=", other)
    return graph


ELECTION = model(
    "election",
    "leader election on a ring of processes: messages are created and deleted",
    make,
    Option("processes", 3, "number of processes", 2, 30),
    Option("order", "rising", "order of the processes' numbers on the ring", allowed=ORDERS),
    title="Electing a leader",
)
