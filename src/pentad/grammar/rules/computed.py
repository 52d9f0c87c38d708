"""Attribute computations of a rule: values, fields in expressions, `let:`, `test:`, operator nodes.

Every value must be determined, except in symbolic algebra families.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from pentad.game import shown
from pentad.grammar.graph import GrammarError, Problems
from pentad.grammar.language import expressions
from pentad.grammar.language.expressions import Apply, Constant, Expression, Field, Name, Variable
from pentad.grammar.language.labels import EMBARGO, ERASER, READER, is_type
from pentad.grammar.language.values import Family, Operator, Value
from pentad.grammar.rules.drawing import ARGUMENT, COUNT, FIELD, LABEL, LET, OPERATOR, TEST, Drawing, Edge, Node
from pentad.grammar.rules.quantifier_levels import Embargoes, Levels
from pentad.grammar.rules.rule import (
    Aggregate,
    Computed,
    Counted,
    EdgeEffect,
    Level,
    Pattern,
    PatternEdge,
    Rule,
    Tested,
)
from pentad.grammar.rules.types import Types


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


Operands = tuple[tuple[Hashable, int], ...]
NEEDS_MATCH = ("bigmin", "bigmax")  # collective operators without a value if there is no match


class Values:
    """Reads the values and computations of a rule graph."""

    def __init__(
        self,
        drawing: Drawing,
        levels: Levels,
        embargoes: Embargoes,
        types: Types | None,
        algebra: Family,
        copy: Callable[[], int | None],
    ) -> None:
        self.drawing, self.levels, self.embargoes, self.types, self.algebra = drawing, levels, embargoes, types, algebra
        self.rule: Rule = levels.rule
        self.copy = copy  # a variable for a matched edge, if parallel edges are distinguished
        self._fields: dict[tuple[int, str, str], tuple[int, int | None]] = {}  # variables of values and of edges
        self._counts: dict[Node, int] = {}

    def read(self) -> None:
        """Reads everything; errors are collected."""
        self._check_cycles()
        for node in self.drawing.nodes.values():
            if node.value and node.variable >= 0:
                with self.drawing.problems.collect():
                    self._read_value(node)
        readers = {LET: self._read_let, TEST: self._read_test, FIELD: self._read_field, OPERATOR: self._read_operator}
        for kind, read in readers.items():
            for edge in list(self.drawing.edges):
                if edge.kind == kind:
                    with self.drawing.problems.collect():
                        read(edge)
        for node in self.drawing.quantifiers:
            if COUNT in node.nesting:
                with self.drawing.problems.collect():
                    self._count(node)

    # ── names and their types ────────────────────────────────────────────────────────────────────

    def _type_of(self, node: Node) -> str:
        """The drawn type of a node; empty if there are none or several."""
        found = [
            edge.label for edge in self.drawing.from_node(node) if edge.kind == LABEL and isinstance(edge.label, str)
        ]
        typed = [each for each in found if is_type(each)]
        return typed[0].replace("#", "") if len(typed) == 1 else ""

    def _known(self, self_node: Node) -> Callable[[Name], str | None]:
        """A function from names in an expression on a node to their types."""

        def known(name: Name) -> str | None:
            owner = name.owner if isinstance(name, Field) else None
            if owner is None and (value := self._named_value(name.name)) is not None:
                return value.sort
            node = self_node if owner is None else self._named_node(owner)
            if node.quantifier:
                return "int" if name.name == COUNT else None
            kind = self._type_of(node) if self.types is not None else ""
            return self.types.sort_of(kind, name.name) if kind and self.types is not None else None

        return known

    def _named_node(self, name: str) -> Node:
        if name not in self.drawing.by_name:
            raise GrammarError(f"No node has the name {shown(name, 30)}.")
        return self.drawing.by_name[name]

    def _named_value(self, name: str) -> Node | None:
        node = self.drawing.by_name.get(name)
        return node if node is not None and node.sort else None

    def _typed(self, text: str, node: Node, at: Node | Edge, kind: str | None = None) -> Expression:
        return self._with_place(at, lambda: expressions.typed(self._parsed(text, at), self._known(node), kind))

    def _parsed(self, text: str, at: Node | Edge) -> Expression:
        return self._with_place(at, lambda: expressions.parse(text, "", self.algebra))

    def _with_place(self, at: Node | Edge, work: Callable[[], Expression]) -> Expression:
        """Runs `work` and adds the place to its errors."""
        try:
            return work()
        except GrammarError as error:
            raise self.drawing.error(error.what, at) from None

    def _check_cycles(self) -> None:
        """Reports values that are defined by each other."""
        needs: dict[Node, set[Node]] = {}
        for node in self.drawing.nodes.values():
            if node.value and node.alias:
                with self.drawing.problems.collect():
                    names = {each.name for each in expressions.fields(self._parsed(node.value, node))}
                    needs[node] = {other for name in names if (other := self._named_value(name)) is not None}
        for node in needs:
            reached, todo = set[Node](), [node]
            while todo:
                fresh = needs.get(todo.pop(), set()) - reached
                reached |= fresh
                todo += fresh
            if node in reached:
                self.drawing.problems.errors.append(self.drawing.error("This value is defined by itself.", node))

    # ── expressions ──────────────────────────────────────────────────────────────────────────────

    def _pattern(self, level: int, forbidden: list[int] | None, at: Node | Edge) -> Pattern:
        """The pattern to add to: a level's, or the embargo of some forbidden variables."""
        if forbidden is None:
            return self.rule.levels[level].pattern
        return self.embargoes.pattern_of(level, forbidden, at)

    def _operands(
        self, expression: Expression, holder: Node, level: int, at: Node | Edge, forbidden: list[int] | None
    ) -> tuple[Expression, Operands]:
        """The expression without collective operators, and the variables of its names."""
        expression = self._without_collective(expression, holder, level, at)
        found: list[tuple[Hashable, int]] = []
        for name in expressions.fields(expression):
            if name.name.startswith("·"):
                found.append((name, int(name.name[1:])))
                continue
            variable, where = self._variable(name, holder, level, at, forbidden)
            if not self.levels.is_within(level, where):
                raise self.drawing.error(f"{expressions.text(name)} is only matched on a deeper level.", at)
            found.append((name, variable))
        return expression, tuple(found)

    def _variable(
        self, name: Name, holder: Node, level: int, at: Node | Edge, forbidden: list[int] | None
    ) -> tuple[int, int]:
        """The variable that a name in an expression stands for, and its level."""
        owner = name.owner if isinstance(name, Field) else None
        if owner is None and (value := self._named_value(name.name)) is not None:
            if value.parameter == "ask":
                raise self.drawing.error("A value of an ask: parameter cannot be used in a computation.", at)
            return value.variable, self.levels.of(value)
        node = holder if owner is None else self._named_node(owner)
        if node.quantifier:
            if name.name != COUNT:
                raise self.drawing.error(f"The only field of a quantifier is {COUNT}.", at)
            return self._count(node), self.rule.levels[self.levels.of(node)].parent
        if node.sort:
            raise self.drawing.error(f"A value has no field {shown(name.name, 30)}.", at)
        if node.creates:
            raise self.drawing.error("A created node has no values to read.", at)
        assert name.type is not None
        return self._field(node, name.name, name.type, at, forbidden), self.levels.of(node)

    def _without_collective(self, expression: Expression, holder: Node, level: int, at: Node | Edge) -> Expression:
        """The expression with its collective operators replaced by variables."""
        if not isinstance(expression, Apply):
            return expression
        operator = expression.operators[0]
        if not operator.collective:
            arguments = tuple(self._without_collective(each, holder, level, at) for each in expression.arguments)
            return Apply(expression.name, arguments, expression.type, expression.operators, expression.depth)
        self._check_one(operator, len(expression.arguments), at)
        inner = self._level_of(expression.arguments[0], at)
        if self.rule.levels[inner].parent != self.levels.of(holder) or inner == 0:
            raise self.drawing.error(f"{operator.name} needs values exactly one level deeper.", at)
        operand = self._computed(expression.arguments[0], holder, inner, at, None, operator.arguments[0])
        variable = self.rule.variable(f"·{operator.name}{len(self.rule.names)}")
        self.rule.sorts[variable] = operator.result
        self._add_aggregate(Aggregate(variable, operator, inner, operand), at)
        return Variable(f"·{variable}", operator.result)

    def _check_one(self, operator: Operator, count: int, at: Node | Edge) -> None:
        if count != 1:
            raise self.drawing.error(f"{operator.name} over all matches takes one argument, not {count}.", at)

    def _add_aggregate(self, aggregate: Aggregate, at: Node | Edge) -> None:
        level = self.rule.levels[aggregate.level]
        name = aggregate.operator.name
        if not self.levels.is_universal(aggregate.level):
            raise self.drawing.error(f"{name} needs values matched by a forall: quantifier.", at)
        if name in NEEDS_MATCH and level.may_be_empty:
            raise self.drawing.error(f"{name} has no value without a match. Use forallx:.", at)
        self.rule.levels[level.parent].pattern.aggregates.append(aggregate)

    def _level_of(self, expression: Expression, at: Node | Edge) -> int:
        """The deepest level of the nodes that an expression names."""
        levels = [0]
        for name in expressions.fields(expression):
            node = self.drawing.by_name.get(str(name.owner if isinstance(name, Field) and name.owner else name.name))
            if node is not None:
                levels.append(self.levels.of(node))
        return self.levels.deepest(levels, at)

    def _computed(
        self, expression: Expression, holder: Node, level: int, at: Node | Edge, forbidden: list[int] | None, kind: str
    ) -> int:
        """A variable with the value of an expression."""
        expression, operands = self._operands(expression, holder, level, at, forbidden)
        if not isinstance(expression, Apply | Constant) and len(operands) == 1:
            return operands[0][1]
        variable = self.rule.variable(f"·{len(self.rule.names)}")
        self.rule.sorts[variable] = kind
        if isinstance(expression, Constant):
            self.rule.constants[variable] = expression.value
            self._pattern(level, forbidden, at).nodes.append(variable)
        else:
            self._pattern(level, forbidden, at).computed.append(Computed(variable, expression, operands))
        return variable

    # ── fields ───────────────────────────────────────────────────────────────────────────────────

    def _field(self, node: Node, name: str, kind: str, at: Node | Edge, forbidden: list[int] | None) -> int:
        """The variable for a field of a node, matched on the node's level."""
        known = self._fields.get((node.variable, name, kind)) or self._drawn_field(node, name, kind)
        if known is not None:
            return known[0]
        level = self.levels.of(node)
        variable = self.rule.variable(f"{node.alias or node.name}.{name}")
        self.rule.sorts[variable] = kind
        ends = [node.variable] if node.forbids else []
        if forbidden is not None or ends:
            pattern = self.embargoes.pattern_of(level, [*(forbidden or []), *ends, variable], at)
            pattern.nodes.append(variable)
            self._add(pattern, PatternEdge(node.variable, name, variable), at)
            return variable
        pattern = self.rule.levels[level].pattern
        pattern.nodes.append(variable)
        copy = self.copy()
        self._add(pattern, PatternEdge(node.variable, name, variable, copy), at)
        self._fields[node.variable, name, kind] = (variable, copy)
        return variable

    def _add(self, pattern: Pattern, found: PatternEdge, at: Node | Edge) -> None:
        pattern.edges.append(found)
        self.levels.add_place(found, at)

    def _drawn_field(self, node: Node, name: str, kind: str) -> tuple[int, int | None] | None:
        """The value at the target of a drawn edge with a field's name."""
        for edge in self.drawing.from_node(node):
            found = edge.kind == LABEL and edge.label == name and edge.role in (READER, ERASER) and not edge.level
            plain = not edge.target.value or self._is_constant(edge.target)
            if found and edge.target.sort == kind and plain:
                return edge.target.variable, edge.copy
        return None

    def _is_constant(self, node: Node) -> bool:
        return node.variable in self.rule.constants

    def _read_field(self, edge: Edge) -> None:
        """Reads a field of any value, `use=q:int:n`, which may be deleted or forbidden."""
        node, level = edge.source, self.levels.of_edge(edge)
        variable = self.rule.variable(f"{node.alias or node.name}.{edge.text}")
        self.rule.sorts[variable] = edge.sort
        if edge.role == EMBARGO:
            ends = [node.variable] if node.forbids else []
            pattern = self.embargoes.pattern_of(level, [*ends, variable], edge)
            pattern.nodes.append(variable)
            self._add(pattern, PatternEdge(node.variable, edge.text, variable), edge)
            return
        pattern, copy = self.rule.levels[level].pattern, self.copy()
        pattern.nodes.append(variable)
        self._add(pattern, PatternEdge(node.variable, edge.text, variable, copy), edge)
        if edge.role == ERASER:
            self.rule.levels[level].erased.append(EdgeEffect(node.variable, edge.text, variable, None, copy))

    # ── values, let, test ────────────────────────────────────────────────────────────────────────

    def _read_value(self, node: Node) -> None:
        """Reads the value of a node: a constant or an expression."""
        if node.variable in self.rule.constants:
            return
        expression = self._typed(node.value, node, node, node.sort)
        if isinstance(expression, Constant):
            self.rule.constants[node.variable] = expression.value
            return
        level = self.levels.of(node)
        forbidden = [node.variable] if node.forbids else None
        expression, operands = self._operands(expression, node, level, node, forbidden)
        self._pattern(level, forbidden, node).computed.append(Computed(node.variable, expression, operands))

    def constants(self) -> None:
        """Collects the constants, before fields are read."""
        for node in self.drawing.nodes.values():
            if not node.value or node.variable < 0:
                continue
            with self.drawing.problems.collect():
                parsed = self._parsed(node.value, node)
                if expressions.is_constant(parsed):
                    typed = self._typed(node.value, node, node, node.sort)
                    self.rule.constants[node.variable] = expressions.evaluate(typed, _no_name)

    def _read_test(self, edge: Edge) -> None:
        expression = self._with_place(
            edge,
            lambda: expressions.typed(
                expressions.parse_test(edge.text, "", self.algebra), self._known(edge.source), "bool"
            ),
        )
        if isinstance(expression, Field | Variable):
            raise self.drawing.error("A field alone is not a test. Compare it with a value.", edge)
        level = self.levels.of_holder(edge)
        inside = edge.source.forbids
        forbidden = [edge.source.variable] if inside else [self.embargoes.new_member()] if edge.forbids else None
        expression, operands = self._operands(expression, edge.source, level, edge, forbidden)
        if edge.forbids and not inside:  # as in GROOVE: no such fields for which the test is false
            expression = expressions.applied("bool", "not", [expression], "", self.algebra)
        self._pattern(level, forbidden, edge).tests.append(
            Tested(expression, operands, self.algebra.read("bool", "true"))
        )

    def _read_let(self, edge: Edge) -> None:
        name, parsed = self._assignment(edge)
        known, node = self._known(edge.source), edge.source
        wanted = known(Field(None, name)) if self._named_value(name) is None else None
        expression = self._with_place(edge, lambda: expressions.typed(parsed, known, wanted))
        (kind,) = expression.types
        level = self.levels.of_holder(edge)
        variable = self._computed(expression, node, level, edge, None, kind)
        at = self.rule.levels[level]
        if edge.role == ERASER:  # only if the field has this value
            copy = self.copy()
            self._add(at.pattern, PatternEdge(node.variable, name, variable, copy), edge)
            at.erased.append(EdgeEffect(node.variable, name, variable, None, copy))
            return
        if edge.role == READER:
            self._delete_old_value(node, name, kind, level, edge)
        elif edge.forbids:
            ends = [node.variable] if node.forbids else []
            pattern = self.embargoes.pattern_of(level, ends, edge) if ends else self.embargoes.new_pattern(level, edge)
            self._add(pattern, PatternEdge(node.variable, name, variable), edge)
        effect = EdgeEffect(node.variable, name, variable)
        at.created.append(effect)
        self.levels.add_place(effect, edge)

    def _assignment(self, edge: Edge) -> tuple[str, Expression]:
        try:
            name, expression = expressions.parse_let(edge.text, "", self.algebra)
        except GrammarError as error:
            raise self.drawing.error(error.what, edge) from None
        if name in ("true", "false"):
            raise self.drawing.error(f"{name} is not a valid name of a field.", edge)
        return name, expression

    def _delete_old_value(self, node: Node, name: str, kind: str, level: int, edge: Edge) -> None:
        """Deletes the old value of a field."""
        before = self._field(node, name, kind, edge, None)
        known = self._fields.get((node.variable, name, kind)) or self._drawn_field(node, name, kind)
        self.rule.levels[level].erased.append(
            EdgeEffect(node.variable, name, before, None, known[1] if known else None)
        )

    def _count(self, node: Node) -> int:
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

    def _read_operator(self, edge: Edge) -> None:
        """Reads an operator node, GROOVE's older syntax: numbered edges to arguments, and edges to results."""
        product, result = edge.source, edge.target
        given = {int(each.text): each.target for each in self._arguments(product)}
        arguments = [given[number] for number in sorted(given)]
        level = self.levels.of_edge(edge)
        names = [Variable(f"arg{number}", each.sort) for number, each in enumerate(arguments)]
        applied = self._with_place(
            edge, lambda: expressions.applied(edge.sort, edge.text.strip(), names, "", self.algebra)
        )
        assert isinstance(applied, Apply)
        operator = applied.operators[0]
        if operator.result != result.sort:
            raise self.drawing.error(f"The operator's result is of type {operator.result}, not {result.sort}.", edge)
        if operator.collective:
            self._check_one(operator, len(arguments), edge)
            inner = self.levels.of(product)
            if self.levels.of(result) != self.rule.levels[inner].parent:
                raise self.drawing.error(f"The result of {operator.name} must be on the level above.", edge)
            self._add_aggregate(Aggregate(result.variable, operator, inner, arguments[0].variable), edge)
            return
        for each in arguments:
            if each.parameter == "ask":
                raise self.drawing.error("A value of an ask: parameter cannot be used in a computation.", edge)
            if not self.levels.is_within(level, self.levels.of(each)):
                raise self.drawing.error("An argument is only matched on a deeper level.", edge)
        operands: Operands = tuple((name, each.variable) for name, each in zip(names, arguments, strict=True))
        forbidden = [each.variable for each in (result, *arguments) if each.forbids]
        pattern = self._pattern(level, forbidden if forbidden or product.forbids else None, edge)
        pattern.computed.append(Computed(result.variable, applied, operands))

    def _arguments(self, product: Node) -> Iterator[Edge]:
        return (edge for edge in self.drawing.from_node(product) if edge.kind == ARGUMENT and edge.text.isdecimal())


def _no_name(_: Name) -> Value:
    raise GrammarError("Expected a value, got a name.")
