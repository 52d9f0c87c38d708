"""Reading a rule graph: from a drawing with prefixed labels to levels of patterns and effects.

What an element is for is told by its own prefix, or by that of a node it hangs on; its level is the deepest among
those of its ends. Elements of one embargo are those that hang together by forbidden nodes.
"""

from __future__ import annotations

from pentad.game import shown, whole
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.language import paths
from pentad.grammar.language.notation import (
    ADDER,
    CREATOR,
    EMBARGO,
    ERASER,
    READER,
    REMARK,
    SORTS,
    Label,
    has_odd_prefix,
)
from pentad.grammar.language.values import DEFAULT, Family
from pentad.grammar.rules.computed import Values
from pentad.grammar.rules.drawn import INNER, Node, RuleGraph, is_field
from pentad.grammar.rules.rule import CONDITION, ROLES, TRANSFORMER, Binary, Counted, Level, Made, Pattern, Rule

OR = "or:"  # between nodes of two embargoes: they become one
OPERATORS = frozenset(".|*+-()'")  # in a label that has one of these it is read as a path


class Reader(RuleGraph):
    """Reads one rule graph."""

    def read(self) -> Rule:
        self.read_nodes()
        self.values = Values(self)
        self._take_loops()
        self._take_edges()
        self.values.take_operators()
        self._finish()
        return self.rule

    def _label(self, label: Label, text: str, node: str, whole: str) -> str | paths.Wildcard | paths.Path:
        """The label of an edge: text, a wildcard, or a path."""
        try:
            if label.literal:
                return text
            if text.startswith("{") and text.endswith("}"):  # an older way to say that it is a path
                text = text[1:-1]
            if label.kind == "path" or (not label.kind and OPERATORS & set(text)):
                path = paths.parse(text, self.where)
                if path.single is None:
                    return path
                text = path.single
            whole_text = text if label.kind in ("", "path") else f"{label.kind}:{text}"
            wildcard = paths.parse_wildcard(whole_text)
        except GrammarError as error:
            raise self.wrong(error.what, node, whole) from None
        if wildcard is None:
            return whole_text
        if wildcard.variable is not None:
            name = f"?{wildcard.key}"
            if name not in self.rule.names:
                self.rule.variable(name)
        return wildcard

    def _take_loops(self) -> None:
        for node in self.nodes.values():
            if node.variable < 0:
                if node.loops and node.role != REMARK:
                    raise self.wrong("this says nothing of such a node", node.name, node.loops[0][1])
                continue
            for label, text in node.loops:
                if label.kind in ("let", "letnew"):
                    self.values.take_let(node, label, text)
                elif label.kind == "test":
                    self.values.take_test(node, label, text)
                elif label.kind in SORTS and is_field(label):
                    self.values.take_field(node, label, text)
                else:
                    self._element(label, node, node, text)

    def _take_edges(self) -> None:
        for label, edge in self.binary:
            source, target = self.nodes[edge.source], self.nodes[edge.target]
            if label.role == REMARK or REMARK in (source.role, target.role) or source.operator:
                continue
            if source.quantifier or target.quantifier:
                if label.text == "count" and source.quantifier:
                    level = self.rule.levels[source.level]
                    self.rule.levels[level.parent].pattern.counted.append(Counted(target.variable, source.level))
                elif label.text not in INNER:
                    raise self.wrong("a quantifier has no such edge", edge.source, edge.label)
                continue
            self._element(label, source, target, edge.label)

    def _role(self, label: Label, source: Node, target: Node) -> str:
        """What an edge is for: as it says, or as the nodes it hangs on."""
        ends = (source.role, target.role)
        if EMBARGO in ends or (ADDER in ends and ERASER in ends):
            return EMBARGO
        for role in (ADDER, CREATOR, ERASER):
            if role in ends and label.role in ("", READER, role):
                return role
        return label.role or READER

    def _element(self, label: Label, source: Node, target: Node, whole: str) -> None:
        role = self._role(label, source, target)
        if role == REMARK:
            return
        named = [self.quantifier_called(label.level, source.name, whole)] if label.level else []
        number = self.deepest([source.level, target.level, *named], source.name, whole)
        level, one, other, text = self.rule.levels[number], source.variable, target.variable, label.text
        negated = not label.literal and label.kind in ("", "path") and text.lstrip().startswith("!")
        if negated:
            if role not in (READER, EMBARGO):
                raise self.wrong("what is not there is not made or taken", source.name, whole)
            text = text.lstrip()[1:]
        forbidden = [node.variable for node in (source, target) if node.role == EMBARGO]
        if text == OR and len(forbidden) == 2:
            self.embargo(number, forbidden)
            return
        if has_odd_prefix(label):
            odd = text.partition(":")[0]
            raise self.wrong(
                f"there is no prefix {shown(odd, 30)} here; with a colon in front it is a label", source.name, whole
            )
        if text == "=" and not label.kind and not label.literal:
            self._equality(role, number, (one, other), forbidden, negated, (source.name, whole))
            return
        if label.kind not in ("", "type", "flag", "path"):
            raise self.wrong("this does not belong here", source.name, whole)
        if not text:
            raise self.wrong("a label is missing", source.name, whole)
        what = self._label(label, text, source.name, whole)
        edge = Binary(one, what, other)
        if forbidden and negated:
            self.embargo(number, forbidden).embargoes.append(Pattern(edges=[edge]))
        elif forbidden:
            self.embargo(number, forbidden).edges.append(edge)
        elif negated or role == EMBARGO:
            self.alone(number).edges.append(edge)
        elif role == READER:
            level.pattern.edges.append(edge)
        else:
            self._effect(role, level, number, edge, source, whole)

    def _equality(
        self, role: str, number: int, pair: tuple[int, int], forbidden: list[int], negated: bool, at: tuple[str, str]
    ) -> None:
        """Two nodes that are one, that are not, or that become one."""
        level = self.rule.levels[number]
        if role == CREATOR and any(each in self.rule.sorts for each in pair):
            raise self.wrong("values are not merged", *at)
        if forbidden:
            pattern = self.embargo(number, forbidden)
            (pattern.unequal if negated else pattern.equal).append(pair)
        elif negated or role == EMBARGO:
            level.pattern.unequal.append(pair)
        elif role == READER:
            level.pattern.equal.append(pair)
        elif role == CREATOR:
            level.merged.append(pair)
        else:
            raise self.wrong("nodes are told equal, apart, or are merged", *at)

    def _effect(self, role: str, level: Level, number: int, edge: Binary, source: Node, whole: str) -> None:
        one, what, other = edge.source, edge.label, edge.target
        if isinstance(what, paths.Path):
            raise self.wrong("a path is not made or taken", source.name, whole)
        variable = None
        if isinstance(what, paths.Wildcard):
            if role == ERASER and what.variable is None:
                what = self._hidden(what)
                level.pattern.edges.append(Binary(one, what, other))
                variable = self.rule.names.index(f"?{what.key}")
            elif what.variable is None:
                raise self.wrong("a label that is made must be known", source.name, whole)
            else:
                variable = self.rule.names.index(f"?{what.key}")
                if role == ERASER:
                    level.pattern.edges.append(Binary(one, what, other))
        elif role == ERASER:
            level.pattern.edges.append(Binary(one, what, other))
        made = Made(one, what if isinstance(what, str) else "", other, variable)
        if role == ERASER:
            level.erased.append(made)
            return
        if role == ADDER:
            added = [
                node.variable for node in self.nodes.values() if node.role == ADDER and node.variable in (one, other)
            ]
            self.embargo(number, added).edges.append(edge)
        level.created.append(made)

    def _hidden(self, wildcard: paths.Wildcard) -> paths.Wildcard:
        """A wildcard that takes what it finds: the label gets a variable that no person can name."""
        name = f"·{len(self.rule.names)}"
        self.rule.variable(f"?{wildcard.kind}{name}")
        return paths.Wildcard(wildcard.kind, name, wildcard.guard, wildcard.negated)

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    def _finish(self) -> None:
        for each in self.embargoes:
            self.rule.levels[each.level].pattern.embargoes.append(each.pattern)
        numbered = self.numbered
        if sorted(numbered) != list(range(len(numbered))) or any(len(each) > 1 for each in numbered.values()):
            raise self.wrong("parameters are numbered from 0, each number once")
        self.rule.parameters = [numbered[i][0] for i in sorted(numbered)]
        for level in reversed(self.rule.levels):
            level.anchors = self._anchors(level)
        asked = self.graph.attributes.get("actionRole", "").strip()
        if asked and asked not in ROLES:
            raise self.wrong(f"there is no action role {asked!r}; there is {', '.join(ROLES)}")
        priority = self.graph.attributes.get("priority", "0").strip() or "0"
        if (number := whole(priority)) is None:
            raise self.wrong(f"a priority is a number from 0, not {priority[:20]!r}")
        self.rule.priority = number
        is_plain = not self.rule.priority and all(each.gives for each in self.rule.parameters)
        self.rule.role = asked or (CONDITION if is_plain and not self.rule.has_effect else TRANSFORMER)
        if self.rule.role != TRANSFORMER and self.rule.has_effect:
            raise self.wrong(f"a rule with the role {self.rule.role!r} changes nothing")
        self.rule.shown = self.graph.attributes.get("transitionLabel", "")

    def _anchors(self, level: Level) -> tuple[int, ...]:
        """What tells one application from another: all that is taken or made, and the parameters."""
        made = set(self.made_in)
        anchors = list(level.erased_nodes)
        gone = {node for each in self.rule.levels for node in each.erased_nodes}
        erased = [each for each in level.erased if each.source not in gone and each.target not in gone]
        for each in (*erased, *level.created):
            anchors += [each.source, each.target]
            if each.variable is not None:
                anchors.append(each.variable)
        for pair in level.merged:
            anchors += pair
        for child in level.children:  # what those within take or make of what is found here
            anchors += [each for each in self.rule.levels[child].anchors if self._is_found_in(level, each)]
        if level is self.rule.root:
            anchors += [parameter.variable for parameter in self.rule.parameters] + self.anchored
        return tuple(sorted({each for each in anchors if each not in made}))

    def _is_found_in(self, level: Level, variable: int) -> bool:
        pattern = level.pattern
        return variable in pattern.nodes or any(variable in (edge.source, edge.target) for edge in pattern.edges)


def read_rule(graph: Graph, name: str, injective: bool = False, algebra: Family = DEFAULT) -> Rule:
    """The rule that a graph draws."""
    injective = injective or graph.attributes.get("injective", "").strip() == "true"
    return Reader(graph, name, f"{name}.gpr", injective, algebra).read()
