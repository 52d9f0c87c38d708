"""Check that every value of a rule is determined; not made in symbolic algebra families."""

from __future__ import annotations

from pentad.grammar.graph import GrammarError, Problems
from pentad.grammar.rules.rule import Level, Pattern, Rule


def unresolved(rule: Rule, where: str, problems: Problems) -> None:
    """Collects the value nodes that no edge, expression, count or parameter determines."""
    given = {each.variable for each in rule.parameters if each.from_oracle or (each.is_input and not each.is_output)}
    _check_level(rule, rule.root, given, where, problems)


def _check_level(rule: Rule, level: Level, above: set[int], where: str, problems: Problems) -> None:
    known = _check_pattern(rule, level.pattern, above, where, problems)
    for child in level.children:
        _check_level(rule, rule.levels[child], known, where, problems)


def _check_pattern(rule: Rule, pattern: Pattern, above: set[int], where: str, problems: Problems) -> set[int]:
    """Collects undetermined values in a pattern and its embargoes; returns the values that are known after it."""
    known = above | _determined(rule, pattern, above)
    _report(rule, pattern, known, where, problems)
    for inner in pattern.embargoes:
        _check_pattern(rule, inner, known, where, problems)
    return known


def _determined(rule: Rule, pattern: Pattern, above: set[int]) -> set[int]:
    """The values that a pattern determines."""
    known = {v for v in rule.sorts if v in rule.constants}
    known |= {edge.target for edge in pattern.edges if edge.target in rule.sorts}
    known |= {each.variable for each in pattern.counted} | {each.variable for each in pattern.aggregates}
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
            message = (
                f"The value of this {rule.sorts[variable]} is undetermined. Use parin:, ask: or the family `point`."
            )
            problems.errors.append(GrammarError(message, where, rule.names[variable]))
