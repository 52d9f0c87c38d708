"""Check that every value of a rule is determined, except in symbolic algebra families."""

from __future__ import annotations

from pentad.grammar.graph import GrammarError, Problems
from pentad.grammar.rules.rule import Level, Pattern, Rule


def unresolved(rule: Rule, where: str, problems: Problems) -> None:
    """Note the value nodes that nothing determines: no edge, no expression, no count, no caller."""
    given = {each.variable for each in rule.parameters if each.asks or (each.takes and not each.gives)}
    _look(rule, rule.root, given, where, problems)


def _look(rule: Rule, level: Level, above: set[int], where: str, problems: Problems) -> None:
    known = _look_at(rule, level.pattern, above, where, problems)
    for child in level.children:
        _look(rule, rule.levels[child], known, where, problems)


def _look_at(rule: Rule, pattern: Pattern, above: set[int], where: str, problems: Problems) -> set[int]:
    """Note what is open in a pattern and in what it forbids; the values that are known after it."""
    known = above | _determined(rule, pattern, above)
    _report(rule, pattern, known, where, problems)
    for inner in pattern.embargoes:
        _look_at(rule, inner, known, where, problems)
    return known


def _determined(rule: Rule, pattern: Pattern, above: set[int]) -> set[int]:
    """The values that a pattern determines."""
    known = {v for v in rule.sorts if v in rule.constants}
    known |= {edge.target for edge in pattern.edges if edge.target in rule.sorts}
    known |= {each.variable for each in pattern.counted} | {each.variable for each in pattern.gathered}
    grows = True
    while grows:
        fresh = {
            each.variable
            for each in pattern.computed
            if each.variable not in known and all(v in known or v in above for _, v in each.operands)
        }
        for pair in pattern.equal:
            fresh |= {v for v in pair if v not in known and any(other in known | above for other in pair)}
        grows = bool(fresh)
        known |= fresh
    return known


def _report(rule: Rule, pattern: Pattern, known: set[int], where: str, problems: Problems) -> None:
    for variable in pattern.nodes:
        if variable in rule.sorts and variable not in known:
            what = f"The value of this {rule.sorts[variable]} is undetermined. Use parin:, ask: or the family `point`."
            problems.errors.append(GrammarError(what, where, rule.names[variable]))
