"""Attribute computations of a rule: values, fields in expressions, `let:`, `test:`, operator nodes.

Every value must be determined, except in symbolic algebra families.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pentad.game import shown
from pentad.grammar.graph import GrammarError, Problems, reachable
from pentad.grammar.language import expressions
from pentad.grammar.language.expressions import Apply, Attribute, Constant, Expression, Name, Variable
from pentad.grammar.language.labels import EMBARGO, ERASER, READER, is_type
from pentad.grammar.language.values import Family, Operator
from pentad.grammar.rules.drawn_rule import (
    ARGUMENT,
    COUNT,
    FIELD,
    LABEL,
    LET,
    OPERATOR,
    TEST,
    DrawnEdge,
    DrawnNode,
    Embargoes,
)
from pentad.grammar.rules.rule import (
    Aggregate,
    Computed,
    Counted,
    EdgeEffect,
    Pattern,
    PatternEdge,
    Rule,
    Tested,
)
from pentad.grammar.rules.types import Types
from pentad.system.words import phrase


def unresolved(rule: Rule, where: str, problems: Problems) -> None:
    """Collects the value nodes that no edge, expression, count or parameter determines."""
    given = {each.variable for each in rule.parameters if each.from_oracle or (each.is_input and not each.is_output)}
    known = {-1: given}  # the keys are the levels, from -1
    for number, level in enumerate(rule.levels):
        known[number] = _check_pattern(rule, level.pattern, known[level.parent], where, problems)


def _check_pattern(rule: Rule, pattern: Pattern, above: set[int], where: str, problems: Problems) -> set[int]:
    """Collects undetermined values in a pattern and its embargoes; returns the values that are known after it."""
    known = _determined(rule, pattern, above)
    for variable in pattern.nodes:
        if variable in rule.sorts and variable not in known:
            sort = rule.sorts[variable]
            message = phrase(
                "The value of this {sort} is undetermined. Use parin:, ask: or the family `point`.", sort=sort
            )
            problems.add(message, where, rule.names[variable])
    for inner in pattern.embargoes:
        _check_pattern(rule, inner, known, where, problems)
    return known


def _determined(rule: Rule, pattern: Pattern, above: set[int]) -> set[int]:
    """The known values of the outer levels, with those that a pattern determines."""
    known = above | (rule.sorts.keys() & rule.constants.keys())
    known |= {edge.target for edge in pattern.edges if edge.target in rule.sorts}
    known |= {each.variable for each in pattern.counted} | {each.variable for each in pattern.aggregates}
    before = -1
    while len(known) > before:
        before = len(known)
        known |= {each.variable for each in pattern.computed if all(v in known for _, v in each.operands)}
        known |= {v for pair in pattern.equal if not known.isdisjoint(pair) for v in pair}
    return known


Operands = tuple[tuple[Hashable, int], ...]
NEEDS_MATCH = ("bigmin", "bigmax")  # collective operators without a value if there is no match


class Scope(NamedTuple):
    """Where an expression stands: its node, its level, its place, and the forbidden variables of its embargo."""

    holder: DrawnNode
    level: int
    at: DrawnNode | DrawnEdge
    forbidden: list[int] | None = None


class ComputedValues:
    """Reads the values and computations of a rule graph."""

    def __init__(self, embargoes: Embargoes, types: Types | None, algebra: Family) -> None:
        self.embargoes, self.levels, self.types, self.algebra = embargoes, embargoes.levels, types, algebra
        self.drawing, self.rule = self.levels.drawing, self.levels.rule
        self._fields: dict[tuple[int, str, str], tuple[int, int | None]] = {}  # variables of values and of edges
        self._counts: dict[DrawnNode, int] = {}

    def read(self) -> None:
        """Reads everything; errors are collected."""
        self._check_cycles()
        self.drawing.each(self._with_values, self._read_value)
        readers = {LET: self._read_let, TEST: self._read_test, FIELD: self._read_field, OPERATOR: self._read_operator}
        for kind, read in readers.items():
            self.drawing.each((edge for edge in self.drawing.edges if edge.kind == kind), read)
        self.drawing.each((node for node in self.drawing.quantifiers if COUNT in node.nesting), self._count)

    @property
    def _with_values(self) -> Iterator[DrawnNode]:
        return (node for node in self.drawing.nodes.values() if node.value and node.variable >= 0)

    # ── names and their types ────────────────────────────────────────────────────────────────────

    def _type_of(self, node: DrawnNode) -> str:
        """The drawn type of a node; empty if there are none or several."""
        labels = [edge.label for edge in self.drawing.from_node(node) if edge.kind == LABEL]
        typed = [each for each in labels if isinstance(each, str) and is_type(each)]
        return typed[0].replace("#", "") if len(typed) == 1 else ""

    def _known(self, self_node: DrawnNode) -> Callable[[Name], str | None]:
        """A function from names in an expression on a node to their types."""

        def known(name: Name) -> str | None:
            owner = name.owner if isinstance(name, Attribute) else None
            if owner is None and (value := self._named_value(name.name)) is not None:
                return value.sort
            node = self_node if owner is None else self._named_node(owner)
            if node.quantifier:
                return "int" if name.name == COUNT else None
            return self.types.sort_of(self._type_of(node), name.name) if self.types is not None else None

        return known

    def _named_node(self, name: str) -> DrawnNode:
        if name not in self.drawing.by_name:
            raise GrammarError(phrase("No node has the name {name}.", name=shown(name, 30)))
        return self.drawing.by_name[name]

    def _named_value(self, name: str) -> DrawnNode | None:
        node = self.drawing.by_name.get(name)
        return node if node is not None and node.sort else None

    def _typed(self, node: DrawnNode) -> Expression:
        """The expression of a value."""
        return expressions.typed(self._parsed(node), self._known(node), node.sort)

    def _parsed(self, node: DrawnNode) -> Expression:
        return expressions.parse(node.value, "", self.algebra)

    def _check_cycles(self) -> None:
        """Reports values that are defined by each other."""
        needs: dict[DrawnNode, set[DrawnNode]] = {}
        for node in self.drawing.nodes.values():
            if node.value and node.alias:
                with self.drawing.collect(node):
                    names = {each.name for each in expressions.fields(self._parsed(node))}
                    needs[node] = {other for name in names if (other := self._named_value(name)) is not None}
        for node in needs:
            if node in reachable(needs[node], lambda other: needs.get(other, ())):
                self.drawing.report("This value is defined by itself.", node)

    # ── expressions ──────────────────────────────────────────────────────────────────────────────

    def _pattern(self, level: int, forbidden: list[int] | None) -> Pattern:
        """The pattern to add to: a level's, or the embargo of some forbidden variables."""
        if forbidden is None:
            return self.rule.levels[level].pattern
        return self.embargoes.pattern_of(level, forbidden)

    def _operands(self, expression: Expression, scope: Scope) -> tuple[Expression, Operands]:
        """The expression without collective operators, and the variables of its names."""
        expression = self._without_collective(expression, scope)
        found: list[tuple[Hashable, int]] = []
        for name in expressions.fields(expression):
            if name.name.startswith("·"):
                found.append((name, int(name.name[1:])))
                continue
            variable, where = self._variable(name, scope)
            if not self.levels.is_within(scope.level, where):
                raise GrammarError(phrase("{text} is only matched on a deeper level.", text=expressions.text(name)))
            found.append((name, variable))
        return expression, tuple(found)

    def _variable(self, name: Name, scope: Scope) -> tuple[int, int]:
        """The variable that a name in an expression stands for, and its level."""
        owner = name.owner if isinstance(name, Attribute) else None
        if owner is None and (value := self._named_value(name.name)) is not None:
            if value.parameter == "ask":
                raise GrammarError("A value of an ask: parameter cannot be used in a computation.")
            return value.variable, self.levels.of(value)
        node = scope.holder if owner is None else self._named_node(owner)
        if node.quantifier:
            if name.name != COUNT:
                raise GrammarError(phrase("The only field of a quantifier is {count}.", count=COUNT))
            return self._count(node), self.rule.levels[self.levels.of(node)].parent
        if node.sort:
            raise GrammarError(phrase("A value has no field {name}.", name=shown(name.name, 30)))
        if node.creates:
            raise GrammarError("A created node has no values to read.")
        assert name.type is not None
        return self._field(node, name.name, name.type, scope)[0], self.levels.of(node)

    def _without_collective(self, expression: Expression, scope: Scope) -> Expression:
        """The expression with its collective operators replaced by variables."""
        if not isinstance(expression, Apply):
            return expression
        operator = expression.operators[0]
        if not operator.collective:
            arguments = tuple(self._without_collective(each, scope) for each in expression.arguments)
            return replace(expression, arguments=arguments)
        self._check_one(operator, len(expression.arguments))
        inner = self._level_of(expression.arguments[0])
        if self.rule.levels[inner].parent != self.levels.of(scope.holder) or inner == 0:
            raise GrammarError(phrase("{name} needs values exactly one level deeper.", name=operator.name))
        inside = Scope(scope.holder, inner, scope.at)
        operand = self._computed(expression.arguments[0], inside, operator.arguments[0])
        variable = self.rule.variable(f"·{operator.name}{len(self.rule.names)}")
        self.rule.sorts[variable] = operator.result
        self._add_aggregate(Aggregate(variable, operator, inner, operand))
        return Variable(f"·{variable}", operator.result)

    def _check_one(self, operator: Operator, count: int) -> None:
        if count != 1:
            raise GrammarError(
                phrase("{name} over all matches takes one argument, not {count}.", name=operator.name, count=count)
            )

    def _add_aggregate(self, aggregate: Aggregate) -> None:
        level = self.rule.levels[aggregate.level]
        name = aggregate.operator.name
        if not self.levels.is_universal(aggregate.level):
            raise GrammarError(phrase("{name} needs values matched by a forall: quantifier.", name=name))
        if name in NEEDS_MATCH and level.may_be_empty:
            raise GrammarError(phrase("{name} has no value without a match. Use forallx:.", name=name))
        self.rule.levels[level.parent].pattern.aggregates.append(aggregate)

    def _level_of(self, expression: Expression) -> int:
        """The deepest level of the nodes that an expression names."""
        levels = [0]
        for name in expressions.fields(expression):
            node = self.drawing.by_name.get(
                str(name.owner if isinstance(name, Attribute) and name.owner else name.name)
            )
            if node is not None:
                levels.append(self.levels.of(node))
        return self.levels.deepest(levels)

    def _computed(self, expression: Expression, scope: Scope, kind: str) -> int:
        """A variable with the value of an expression."""
        expression, operands = self._operands(expression, scope)
        if not isinstance(expression, Apply | Constant) and len(operands) == 1:
            return operands[0][1]
        variable = self.rule.variable(f"·{len(self.rule.names)}")
        self.rule.sorts[variable] = kind
        pattern = self._pattern(scope.level, scope.forbidden)
        if isinstance(expression, Constant):
            self.rule.constants[variable] = expression.value
            pattern.nodes.append(variable)
        else:
            pattern.computed.append(Computed(variable, expression, operands))
        return variable

    # ── fields ───────────────────────────────────────────────────────────────────────────────────

    def _field(self, node: DrawnNode, name: str, kind: str, scope: Scope) -> tuple[int, int | None]:
        """The variables for a field of a node and for its edge, matched on the node's level."""
        key = (node.variable, name, kind)
        known = self._fields.get(key) or self._drawn_field(node, name, kind)
        if known is not None:
            return known
        level, ends = self.levels.of(node), [node.variable] if node.forbids else []
        if scope.forbidden is not None or ends:
            return self._match_field(node, name, kind, level, scope.at, [*(scope.forbidden or []), *ends])
        self._fields[key] = self._match_field(node, name, kind, level, scope.at)
        return self._fields[key]

    def _match_field(
        self,
        node: DrawnNode,
        name: str,
        kind: str,
        level: int,
        at: DrawnNode | DrawnEdge,
        forbidden: list[int] | None = None,
    ) -> tuple[int, int | None]:
        """Adds a field to the pattern of a level, or to the embargo of some forbidden variables."""
        variable = self.rule.variable(f"{node.alias or node.name}.{name}")
        self.rule.sorts[variable] = kind
        copy = self.rule.copy_variable() if forbidden is None else None
        pattern = self._pattern(level, None if forbidden is None else [*forbidden, variable])
        pattern.nodes.append(variable)
        self._add(pattern, PatternEdge(node.variable, name, variable, copy), at)
        return variable, copy

    def _add(self, pattern: Pattern, found: PatternEdge, at: DrawnNode | DrawnEdge) -> None:
        pattern.edges.append(found)
        self.levels.add_place(found, at)

    def _drawn_field(self, node: DrawnNode, name: str, kind: str) -> tuple[int, int | None] | None:
        """The value at the target of a drawn edge with a field's name."""
        for edge in self.drawing.from_node(node):
            found = edge.kind == LABEL and edge.label == name and edge.role in (READER, ERASER) and not edge.level
            plain = not edge.target.value or edge.target.variable in self.rule.constants
            if found and edge.target.sort == kind and plain:
                return edge.target.variable, edge.copy
        return None

    def _read_field(self, edge: DrawnEdge) -> None:
        """Reads a field of any value, `use=q:int:n`, which may be deleted or forbidden."""
        node, level = edge.source, self.levels.of_edge(edge)
        ends = [node.variable] if node.forbids else []
        forbidden = ends if edge.role == EMBARGO else None
        variable, copy = self._match_field(node, edge.text, edge.sort, level, edge, forbidden)
        if edge.role == ERASER:
            self.rule.levels[level].erased.append(EdgeEffect(node.variable, edge.text, variable, None, copy))

    # ── values, let, test ────────────────────────────────────────────────────────────────────────

    def _read_value(self, node: DrawnNode) -> None:
        """Reads the value of a node: a constant or an expression."""
        if node.variable in self.rule.constants:
            return
        expression = self._typed(node)
        if isinstance(expression, Constant):
            self.rule.constants[node.variable] = expression.value
            return
        scope = Scope(node, self.levels.of(node), node, [node.variable] if node.forbids else None)
        expression, operands = self._operands(expression, scope)
        pattern = self._pattern(scope.level, scope.forbidden)
        pattern.computed.append(Computed(node.variable, expression, operands))

    def constants(self) -> None:
        """Collects the constants, before fields are read."""
        self.drawing.each(self._with_values, self._read_constant)

    def _read_constant(self, node: DrawnNode) -> None:
        if expressions.is_constant(self._parsed(node)):
            self.rule.constants[node.variable] = expressions.evaluate(self._typed(node), expressions.no_name)

    def _read_test(self, edge: DrawnEdge) -> None:
        parsed, node = expressions.parse_test(edge.text, "", self.algebra), edge.source
        expression = expressions.typed(parsed, self._known(node), "bool")
        if isinstance(expression, Attribute | Variable):
            raise GrammarError("A field alone is not a test. Compare it with a value.")
        level = self.levels.of_holder(edge)
        forbidden = [node.variable] if node.forbids else [self.embargoes.new_member()] if edge.forbids else None
        expression, operands = self._operands(expression, Scope(node, level, edge, forbidden))
        if edge.forbids and not node.forbids:  # GROOVE has no such fields for which the test is false, either
            expression = expressions.applied("bool", "not", [expression], self.algebra)
        true = self.algebra.read("bool", "true")
        self._pattern(level, forbidden).tests.append(Tested(expression, operands, true))

    def _read_let(self, edge: DrawnEdge) -> None:
        name, parsed = expressions.parse_let(edge.text, "", self.algebra)
        if name in ("true", "false"):
            raise GrammarError(phrase("{name} is not a valid name of a field.", name=name))
        known, node = self._known(edge.source), edge.source
        wanted = known(Attribute(None, name)) if self._named_value(name) is None else None
        expression = expressions.typed(parsed, known, wanted)
        (kind,) = expression.types
        scope = Scope(node, self.levels.of_holder(edge), edge)
        variable = self._computed(expression, scope, kind)
        level = self.rule.levels[scope.level]
        if edge.role == ERASER:  # only if the field has this value
            copy = self.rule.copy_variable()
            self._add(level.pattern, PatternEdge(node.variable, name, variable, copy), edge)
            level.erased.append(EdgeEffect(node.variable, name, variable, None, copy))
            return
        if edge.role == READER:  # deletes the old value
            before, copy = self._field(node, name, kind, scope)
            level.erased.append(EdgeEffect(node.variable, name, before, None, copy))
        elif edge.forbids:
            members = [node.variable if node.forbids else self.embargoes.new_member()]
            pattern = self.embargoes.pattern_of(scope.level, members)
            self._add(pattern, PatternEdge(node.variable, name, variable), edge)
        effect = EdgeEffect(node.variable, name, variable)
        level.created.append(effect)
        self.levels.add_place(effect, edge)

    def _count(self, node: DrawnNode) -> int:
        """The variable for the number of matches of a quantifier."""
        if not node.quantifier.startswith("forall"):
            raise self.drawing.error("Only the matches of forall: quantifiers can be counted.", node)
        if node not in self._counts:
            inner = self.levels.of(node)
            parent = self.rule.levels[inner].parent
            if COUNT in node.nesting:
                target = node.nesting[COUNT].target
                variable, defined = target.variable, self.levels.of(target)
                if defined == inner or not self.levels.is_within(inner, defined):
                    raise self.drawing.error(
                        "A count must be outside the quantifier that it counts.", node.nesting[COUNT]
                    )
            else:
                variable = self.rule.variable(f"{node.alias or node.name}.{COUNT}")
                self.rule.sorts[variable] = "int"
                self.rule.levels[parent].pattern.nodes.append(variable)
            self._counts[node] = variable
            self.rule.levels[parent].pattern.counted.append(Counted(variable, inner))
        return self._counts[node]

    # ── operator nodes ───────────────────────────────────────────────────────────────────────────

    def _read_operator(self, edge: DrawnEdge) -> None:
        """Reads an operator node, GROOVE's older syntax: numbered edges to arguments, and edges to results."""
        product, result = edge.source, edge.target
        numbered = [each for each in self.drawing.from_node(product) if each.kind == ARGUMENT and each.text.isdecimal()]
        given = {int(each.text): each.target for each in numbered}
        arguments = [given[number] for number in sorted(given)]
        level = self.levels.of_edge(edge)
        names = [Variable(f"arg{number}", each.sort) for number, each in enumerate(arguments)]
        applied = expressions.applied(edge.sort, edge.text.strip(), names, self.algebra)
        operator = applied.operators[0]
        if operator.result != result.sort:
            raise GrammarError(
                phrase(
                    "The operator's result is of type {result}, not {sort}.", result=operator.result, sort=result.sort
                )
            )
        if operator.collective:
            self._check_one(operator, len(arguments))
            inner = self.levels.of(product)
            if self.levels.of(result) != self.rule.levels[inner].parent:
                raise GrammarError(phrase("The result of {name} must be on the level above.", name=operator.name))
            self._add_aggregate(Aggregate(result.variable, operator, inner, arguments[0].variable))
            return
        for each in arguments:
            if each.parameter == "ask":
                raise GrammarError("A value of an ask: parameter cannot be used in a computation.")
            if not self.levels.is_within(level, self.levels.of(each)):
                raise GrammarError("An argument is only matched on a deeper level.")
        operands: Operands = tuple((name, each.variable) for name, each in zip(names, arguments, strict=True))
        forbidden = [each.variable for each in (result, *arguments) if each.forbids]
        pattern = self._pattern(level, forbidden if forbidden or product.forbids else None)
        pattern.computed.append(Computed(result.variable, applied, operands))
