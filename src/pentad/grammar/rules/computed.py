"""What a rule graph computes: fields that expressions name, `let:` and `test:`, and operators drawn as nodes."""

from __future__ import annotations

from collections.abc import Hashable

from pentad.game import whole
from pentad.grammar.graph import GrammarError
from pentad.grammar.language import expressions
from pentad.grammar.language.notation import ADDER, CREATOR, EMBARGO, ERASER, READER, SORTS, Label
from pentad.grammar.rules.drawn import BELONGS, Node, RuleGraph
from pentad.grammar.rules.rule import Binary, Computed, Made, Tested

Operands = tuple[tuple[Hashable, int], ...]


class Values:
    """Reads what a rule graph says of values."""

    def __init__(self, graph: RuleGraph) -> None:
        self.graph = graph
        self._fields: dict[tuple[int, str], int] = {}  # variables for attributes, by the variables of their owners
        self._levels: dict[int, int] = {}

    def _field(self, node: Node, name: str, level: int) -> int:
        """The variable for an attribute of a node, which is looked for where it is first named."""
        for (owner, known), variable in self._fields.items():
            if owner == node.variable and known == name and self.graph.is_within(level, self._levels[variable]):
                return variable
        drawn = self._drawn(node, name)
        if drawn is None:
            return self._new_field(node, name, level, "", False)
        self._fields[node.variable, name], self._levels[drawn.variable] = drawn.variable, drawn.level
        return drawn.variable

    def _drawn(self, node: Node, name: str) -> Node | None:
        """The value node that a plain edge with an attribute's name leads to."""
        for label, edge in self.graph.binary:
            other = self.graph.nodes[edge.target]
            plain = label.role in ("", READER) and label.kind == "" and label.text == name
            if plain and edge.source == node.name and other.sort is not None and other.role == READER:
                return other
        return None

    def _new_field(self, node: Node, name: str, level: int, sort: str, forbids: bool) -> int:
        """A variable for an attribute, and the edge by which it is found."""
        variable = self.graph.rule.variable(f"{node.called or node.name}.{name}")
        self.graph.rule.sorts[variable] = sort
        if node.role == EMBARGO:
            pattern = self.graph.embargo(level, [node.variable])
        elif forbids:
            pattern = self.graph.alone(level)
        else:
            pattern = self.graph.rule.levels[level].pattern
            self._fields[node.variable, name] = variable
            self._levels[variable] = level
        pattern.nodes.append(variable)
        pattern.edges.append(Binary(node.variable, name, variable))
        return variable

    def _by_name(self, name: str, node: str, label: str) -> Node:
        for each in self.graph.nodes.values():
            if each.called == name and each.variable >= 0:
                return each
        raise self.graph.wrong(f"there is no node called {name!r}", node, label)

    def take_field(self, node: Node, label: Label, text: str) -> None:
        """An attribute that a node has, whatever its value: `int:n`; with `del:` it is taken."""
        if label.role in (CREATOR, ADDER) or (node.role in (CREATOR, ADDER) and not label.role):
            raise self.graph.wrong("an attribute that is made has a value: let:name = value", node.name, text)
        forbids = label.role == EMBARGO and node.role != EMBARGO
        variable = self._new_field(node, label.text, node.level, label.kind, forbids)
        if label.role == ERASER or node.role == ERASER:
            self.graph.rule.levels[node.level].erased.append(Made(node.variable, label.text, variable))

    def _gathers(self, expression: expressions.Expression, node: Node) -> bool:
        """Whether it has an operator over all matches of a quantifier, which is not in the language that is read."""
        if not isinstance(expression, expressions.Apply):
            return False
        if expression.operators[0].collective and len(expression.arguments) == 1:
            return True
        return any(self._gathers(each, node) for each in expression.arguments)

    def _operands(
        self, expression: expressions.Expression, node: Node, label: str, quantifier: str
    ) -> tuple[Operands, int]:
        """The variables that an expression needs, and the level where all of them are known."""
        if self._gathers(expression, node):
            raise self.graph.wrong("a value over all matches of a quantifier is not supported", node.name, label)
        found: list[tuple[Hashable, int]] = []
        levels = [node.level]
        if quantifier:
            levels.append(self.graph.quantifier_called(quantifier, node.name, label))
        for name in expressions.fields(expression):
            if isinstance(name, expressions.Field) and (name.owner is not None or not self._is_called(name.name)):
                owner = node if name.owner is None else self._by_name(name.owner, node.name, label)
                if owner.role in (CREATOR, ADDER):
                    raise self.graph.wrong("a new node has no value to read", node.name, label)
                levels.append(owner.level)
                found.append((name, self._field(owner, name.name, owner.level)))
            else:
                other = self._by_name(name.name, node.name, label)
                levels.append(other.level)
                found.append((name, other.variable))
        return tuple(found), self.graph.deepest(levels, node.name, label)

    def _is_called(self, name: str) -> bool:
        """Whether a value node has this name."""
        return any(each.called == name and each.sort is not None for each in self.graph.nodes.values())

    def take_test(self, node: Node, label: Label, text: str) -> None:
        try:
            expression = expressions.parse_test(label.text, self.graph.where, self.graph.algebra)
        except GrammarError as error:
            raise self.graph.wrong(error.what, node.name, text) from None
        operands, number = self._operands(expression, node, text, label.level)
        if node.role == EMBARGO or label.role == EMBARGO:
            pattern = (
                self.graph.embargo(node.level, [node.variable]) if node.role == EMBARGO else self.graph.alone(number)
            )
        else:
            pattern = self.graph.rule.levels[number].pattern
        pattern.tests.append(Tested(expression, operands))

    def take_let(self, node: Node, label: Label, text: str) -> None:
        try:
            name, expression = expressions.parse_let(label.text, self.graph.where, self.graph.algebra)
        except GrammarError as error:
            raise self.graph.wrong(error.what, node.name, text) from None
        if node.role in (EMBARGO, ERASER) or label.role in (EMBARGO, ERASER, ADDER):
            raise self.graph.wrong("nothing is assigned to a node that is taken or forbidden", node.name, text)
        operands, number = self._operands(expression, node, text, label.level)
        variable = self.graph.rule.variable(f"{node.called or node.name}.{name}'")
        self.graph.rule.sorts[variable] = ""
        level = self.graph.rule.levels[number]
        level.pattern.computed.append(Computed(variable, expression, operands))
        if label.kind == "let" and node.role == READER and label.role in ("", READER):
            before = self._field(node, name, number)
            level.erased.append(Made(node.variable, name, before))
        level.created.append(Made(node.variable, name, variable))

    def take_operators(self) -> None:
        """The older way to compute: an operator node, its arguments by number, and edges to its results."""
        for node in self.graph.nodes.values():
            if not node.operator:
                continue
            arguments: dict[int, Node] = {}
            results: list[tuple[Label, Node, str]] = []
            for label, edge in self.graph.binary:
                if edge.source != node.name or label.text in BELONGS:
                    continue
                other = self.graph.nodes[edge.target]
                if label.kind == "arg" and (number := whole(label.text)) is not None:
                    arguments[number] = other
                elif label.kind in SORTS:
                    results.append((label, other, edge.label))
                else:
                    raise self.graph.wrong("an operator has arguments and results", node.name, edge.label)
            if sorted(arguments) != list(range(len(arguments))):
                raise self.graph.wrong("arguments are numbered from 0 without gaps", node.name)
            for label, result, said in results:
                self._take_operator(node, label, [arguments[i] for i in range(len(arguments))], result, said)

    def _take_operator(self, node: Node, label: Label, arguments: list[Node], result: Node, said: str) -> None:
        names = [expressions.Variable(f"arg{i}") for i in range(len(arguments))]
        try:
            expression = expressions.applied(
                label.kind, label.text.strip(), names, self.graph.where, self.graph.algebra
            )
        except GrammarError as error:
            raise self.graph.wrong(error.what, node.name, said) from None
        if result.sort is None or any(each.sort is None for each in arguments):
            raise self.graph.wrong("an operator works on values", node.name, said)
        operands: Operands = tuple((name, each.variable) for name, each in zip(names, arguments, strict=True))
        number = self.graph.deepest([result.level, *(each.level for each in arguments)], node.name, said)
        if EMBARGO in (result.role, *(each.role for each in arguments)):
            ends = [each.variable for each in (result, *arguments) if each.role == EMBARGO]
            self.graph.embargo(number, ends).computed.append(Computed(result.variable, expression, operands))
        else:
            self.graph.rule.levels[number].pattern.computed.append(Computed(result.variable, expression, operands))
