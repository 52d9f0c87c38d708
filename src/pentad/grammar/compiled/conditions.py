"""Conditions on nodes, tested in all states of the compiled engine at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.engine import Compiled, CompiledRun
from pentad.grammar.compiled.grounding import GroundRule, Instance, check_rule
from pentad.grammar.compiled.tables import WORD, LabelNumbers, RuleRows, rows_in
from pentad.grammar.host import Host
from pentad.grammar.rules.rule import Rule
from pentad.kernels.buffers import Buffer, array, flat, zeros


def instances_of(compiled: Compiled, rules: Sequence[Rule]) -> list[Instance]:
    """The ground instances of rules without effects; may raise CannotCompile."""
    grounding = compiled.grounding
    for rule in rules:
        check_rule(rule)
        grounding.check_labels(rule)
    host = Host(grounding.world, grounding.nodes, grounding.fixed | grounding.possible)
    found = [each for rule in rules for each in GroundRule(grounding, rule, host).instances()]
    return list(map(compiled.layout.packed, found))


def rows_of(compiled: Compiled, rules: Mapping[int, Sequence[Rule]], nodes: Sequence[int]) -> tuple[k.Rules, k.Ints]:
    """The rows of several conditions, and by label which one it is and of which node; may raise CannotCompile.

    `rules` has the conditions by their first bit; the label of a match stands for this bit shifted by the node's index.
    """
    rows, labels, bits = RuleRows(), LabelNumbers(compiled.system.world, False), dict[str, int]()
    for first, these in rules.items():
        instances = [each._replace(event=0) for each in instances_of(compiled, these)]
        for number, node in enumerate(nodes):
            bits[name := f"{first} {node}"] = first << number
            rows.add_rule(name, (each for each in instances if node in each.arguments), labels)
    found = [bits[name] for name, _ in labels.found]
    return rows.arrays(compiled.layout.width), array(found, k.Ints)


def matched(run: CompiledRun, rules: Sequence[Rule], nodes: Sequence[int], among: Buffer) -> Buffer:
    """For each state of a set the nodes that are parameters of a match, as bits; may raise CannotCompile."""
    compiled, found = run.compiled, zeros(run.states, "uint8", huge=True)
    instances = [each._replace(event=0) for each in instances_of(compiled, rules)]
    for number, node in enumerate(nodes):
        rows = RuleRows()
        rows.add_rule(
            "", (each for each in instances if node in each.arguments), LabelNumbers(compiled.system.world, False)
        )
        if rows.numbers:
            compiled.call("mark", run.table.states, rows.arrays(compiled.layout.width), among, 1 << number, found)
    return found


def moving_labels(run: CompiledRun, rules: Sequence[Rule], nodes: Sequence[int]) -> list[bool] | None:
    """For each label whether its transitions move the one edge on which a condition depends to another node.

    None if the condition is not one edge to a node, or if this depends on the match.
    """
    compiled = run.compiled
    width, rows, control = compiled.layout.width, compiled.grammar.rules, compiled.grammar.control
    edges = {each.guard.need: each.arguments for each in instances_of(compiled, rules)}
    node_at = {edge: next((node for node in nodes if node in there), -1) for edge, there in edges.items()}
    everywhere = sum(edges)
    if any(enters >= 0 for enters in flat(control.calls)[k.ENTERS :: k.CALL]):
        return None  # steps within recipes have no labels
    if any(edge.bit_count() != 1 for edge in edges) or len(edges) != len({*node_at.values()}):
        return None

    def mask(masks: k.Words, row: int, of: int, which: int) -> int:
        first = (row * of + which) * width
        return sum(int(masks[first + word]) << (WORD * word) for word in range(width)) & everywhere

    found: list[bool | None] = [None] * len(compiled.labels)
    for row in range(rows_in(rows)):
        numbers, after = (flat(rows.numbers)[k.ROW * each : k.ROW * (each + 1)] for each in (row, row + 1))
        label = int(numbers[k.LABEL])
        if label == k.GATE:
            continue
        need, clear, made = (mask(rows.masks, row, k.EFFECT, which) for which in (k.NEED, k.CLEAR, k.SET))
        others = [
            mask(rows.changes, change, k.EFFECT, which)
            for change in range(numbers[k.CHANGES], after[k.CHANGES])
            for which in (k.CLEAR, k.SET)
        ]
        for move in range(numbers[k.MOVES], after[k.MOVES]):
            word, moved = (flat(rows.moves)[k.MOVE * move + column] for column in (k.FROM_WORD, k.MOVED))
            others.append(moved << (WORD * word) & everywhere)
        moves = made not in (0, need)
        is_known = not (clear or made) or (clear == need and {need, made} <= node_at.keys())
        if any(others) or not is_known or found[label] not in (None, moves):
            return None
        found[label] = moves
    return [bool(each) for each in found]
