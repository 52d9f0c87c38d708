"""Transition systems as Markov chains for PRISM: transitions with probabilities (.tra) and labels of states (.lab).

The probabilities of the transitions that leave a state are in proportion to the weights of their rules, which are 1
unless a rule's graph has the attribute `weight`. Transitions to the same state are one. A state without transitions
gets one to itself, since a chain has no deadlocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from pentad.game import shown
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.lts import Lts
from pentad.system.words import phrase

WEIGHT = "weight"  # the attribute of a rule
LABELS = ("init", "deadlock", "final", "open", "broken")


def weights_of(grammar: Grammar) -> dict[str, float]:
    """The weights of a grammar's rules that have some."""
    found = {}
    for name, rule in grammar.rules.items():
        if text := rule.attributes.get(WEIGHT, "").strip():
            try:
                found[name] = float(text)
            except ValueError:
                found[name] = math.nan
            if not 0 < found[name] < math.inf:
                raise GrammarError(phrase("The weight {text} is not a positive number.", text=shown(text)), name)
    return found


def transitions(lts: Lts) -> Iterator[str]:
    """The lines of a `.tra` file: the numbers of states and transitions, then source, target and probability."""
    lts.sort()
    weights = [lts.weights.get(action, 1.0) for action, _ in lts.labels]
    yield f"{lts.states} {sum(len(row) for row in _rows(lts, weights))}\n"
    for state, row in enumerate(_rows(lts, weights)):
        whole = math.fsum(row.values())
        for target in sorted(row):
            yield f"{state} {target} {row[target] / whole!r}\n"


def _rows(lts: Lts, weights: list[float]) -> Iterator[Mapping[int, float]]:
    """For each state, the weight of each of its targets."""
    place, count = 0, lts.transitions
    for state in range(lts.states):
        row: dict[int, float] = {}
        while place < count and lts.sources[place] == state:
            target = lts.targets[place]
            row[target] = row.get(target, 0.0) + weights[lts.actions[place]]
            place += 1
        yield row or {state: 1.0}


def labels(lts: Lts) -> Iterator[str]:
    """The lines of a `.lab` file: the names of the labels, then the labels of each state that has some."""
    yield " ".join(f'{number}="{name}"' for number, name in enumerate(LABELS)) + "\n"
    leaving = bytearray(lts.states)
    for source in lts.sources:
        leaving[source] = 1
    for state in range(lts.states):
        holds = (state == 0, not leaving[state], state in lts.final, state in lts.open, state in lts.broken)
        if any(holds):
            yield f"{state}: {' '.join(str(number) for number, each in enumerate(holds) if each)}\n"
