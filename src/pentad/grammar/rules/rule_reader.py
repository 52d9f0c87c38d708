"""Reader of rules: from graphs with prefixed labels to levels of patterns and effects, with creation checks.

By two properties of a grammar, a rule applies only if the elements that it creates do not exist yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pentad.game import whole
from pentad.grammar.graph import GrammarError, Graph, Problems
from pentad.grammar.language.labels import EMBARGO, ERASER, PARAMETER, READER
from pentad.grammar.language.paths import Path, Wildcard
from pentad.grammar.language.values import DEFAULT, Family
from pentad.grammar.rules.computed import ComputedValues, unresolved
from pentad.grammar.rules.drawn_rule import LABEL, OR, DrawnEdge, DrawnNode, Embargoes, Levels, RuleDrawing
from pentad.grammar.rules.rule import (
    CONDITION,
    ROLES,
    TRANSFORMER,
    EdgeEffect,
    Pattern,
    PatternEdge,
    QuantifierLevel,
    Rule,
    RuleParameter,
)
from pentad.grammar.rules.type_checker import check_types, is_type_label
from pentad.grammar.rules.types import Types
from pentad.system.words import phrase


def keep_matched(rule: Rule) -> None:
    """Moves created edges that the rule also matches or deletes to `kept`: they exist before and after."""
    for level in rule.levels:
        found, at = _found(level), level
        while at.parent >= 0:
            at = rule.levels[at.parent]
            found |= _found(at) - {_labelled_ends(rule, each) for each in at.erased}
        level.kept = [each for each in level.created if _labelled_ends(rule, each) in found]
        kept = {_labelled_ends(rule, each) for each in level.kept}
        level.created = [each for each in level.created if _labelled_ends(rule, each) not in kept]
        level.erased = [each for each in level.erased if _labelled_ends(rule, each) not in kept]


def _found(level: QuantifierLevel) -> set[tuple[int, str, int]]:
    return {(each.source, _label_key(each.label), each.target) for each in level.pattern.edges}


def _label_key(label: str | Wildcard | Path) -> str:
    """A label or the key of its variable; empty for paths and unnamed wildcards, which do not identify an edge."""
    if isinstance(label, str):
        return label
    return f"?{label.key}" if isinstance(label, Wildcard) and label.key is not None else ""


def _labelled_ends(rule: Rule, effect: EdgeEffect) -> tuple[int, str, int]:
    return effect.source, _label_key(rule.label_of(effect)), effect.target


def forbid_created_edges(rule: Rule) -> None:
    """Forbids each edge that a rule creates between matched nodes (`checkCreatorEdges`)."""
    for level in rule.levels:
        created = {node for each in rule.levels for node in each.created_nodes}
        for edge in (*level.created, *level.kept):
            if edge.source not in created and edge.target not in created:
                level.pattern.embargoes.append(
                    Pattern(edges=[PatternEdge(edge.source, rule.label_of(edge), edge.target)])
                )


def forbid_created(rule: Rule) -> None:
    """Forbids each connected component of the elements that a rule creates (`rhsIsNAC`)."""
    for level in rule.levels:
        parts: list[tuple[set[int], Pattern]] = [({node}, Pattern(nodes=[node])) for node in level.created_nodes]
        for edge in (*level.created, *level.kept):
            ends = {edge.source, edge.target} & set(level.created_nodes)
            connected = [part for part in parts if part[0] & ends]
            members, merged = set(ends), Pattern(edges=[PatternEdge(edge.source, rule.label_of(edge), edge.target)])
            for part in connected:
                members |= part[0]
                merged.nodes += part[1].nodes
                merged.edges += part[1].edges
            parts = [part for part in parts if part not in connected] + [(members, merged)]
        level.pattern.embargoes += [pattern for _, pattern in parts]


MOST_PARAMETERS = 1000


class RuleReader:
    """Reads one rule."""

    def __init__(self, drawing: RuleDrawing, rule: Rule, types: Types | None, algebra: Family) -> None:
        self.drawing, self.rule = drawing, rule
        self.problems = drawing.problems
        self.levels = Levels(drawing, rule)
        self.embargoes = Embargoes(self.levels)
        self.values = ComputedValues(self.embargoes, types, algebra)
        self.anchored: list[int] = []  # anchors in addition to effects and parameters: `par:` and `color:`

    def read(self) -> None:
        self._assign_variables()
        self.values.constants()
        self.drawing.each(self.drawing.edges, self._read_edge)
        self.values.read()
        self.embargoes.finish()
        self._read_parameters()
        self._check_labels()
        if not self.rule.parallel:
            keep_matched(self.rule)
        for level in reversed(self.rule.levels):
            level.anchors = self._anchors(level)
        with self.problems.collect(self.drawing.where):
            self._read_attributes()

    # ── nodes ────────────────────────────────────────────────────────────────────────────────────

    def _assign_variables(self) -> None:
        for node in self.drawing.nodes.values():
            if node.quantifier or node.is_product or node.is_remark:
                continue
            node.variable = self.rule.variable(node.alias or node.name)
            if node.sort:
                self.rule.sorts[node.variable] = node.sort
            number = self.levels.of(node)
            level = self.rule.levels[number]
            if node.parameter == "ask":
                continue
            if node.forbids:
                with self.drawing.collect(node):
                    self.embargoes.pattern_of(number, [node.variable]).nodes.append(node.variable)
            if node.creates:
                level.created_nodes.append(node.variable)
            elif not node.forbids:
                level.pattern.nodes.append(node.variable)
                if node.role == ERASER:
                    level.erased_nodes.append(node.variable)
            if "color" in node.aspects and not node.creates:
                self.anchored.append(node.variable)

    def _read_parameters(self) -> None:
        numbered: dict[int, list[DrawnNode]] = {}
        for node in self.drawing.nodes.values():
            if not node.parameter or node.variable < 0:
                continue
            text = node.aspects.value(PARAMETER)
            number = whole(text)
            with self.drawing.collect(node):
                if self.levels.of(node):
                    raise GrammarError("A parameter must be outside all quantifiers.")
                if not text and (node.parameter != "par" or node.creates):
                    raise GrammarError("Only par: on a matched node can omit the number.")
                if not text:
                    self.anchored.append(node.variable)
                elif number is not None:
                    if number > MOST_PARAMETERS:
                        raise GrammarError("Parameters must be numbered without gaps.")
                    numbered.setdefault(number, []).append(node)
        for number, nodes in numbered.items():
            for node in nodes[1:]:
                self.drawing.report(phrase("Another parameter also has the number {number}.", number=number), node)
        missing = set(range(max(numbered, default=-1) + 1)) - set(numbered)
        if missing:
            listed = ", ".join(map(str, sorted(missing)[:10]))
            node = next(iter(numbered.values()))[0]
            self.drawing.report(phrase("Parameters must be numbered from 0. Missing: {listed}.", listed=listed), node)
        for number in sorted(numbered):
            node = numbered[number][0]
            is_input = node.parameter in ("par", "parin") and not node.creates
            is_output, from_oracle = node.parameter != "parin", node.parameter == "ask"
            parameter = RuleParameter(node.variable, node.sort or "node", is_input, is_output, from_oracle)
            self.rule.parameters.append(parameter)

    # ── labels ───────────────────────────────────────────────────────────────────────────────────

    def _read_edge(self, edge: DrawnEdge) -> None:
        """Adds a labelled edge to the pattern, the embargoes or the effects."""
        if edge.kind == OR:  # merges the embargoes of two nodes
            self.embargoes.pattern_of(self.levels.of_edge(edge), [edge.source.variable, edge.target.variable])
        label = edge.label
        if edge.kind != LABEL or label is None:
            return
        level = self.levels.of_edge(edge)
        negated = isinstance(label, Path) and label.negated
        positive = Path(label.part) if isinstance(label, Path) else label
        ends = (edge.source.variable, edge.target.variable)
        forbidden = [node.variable for node in (edge.source, edge.target) if node.forbids]
        for key in _variables(label):
            if f"?{key}" not in self.rule.names:
                self.rule.variable(f"?{key}")
        if isinstance(positive, Path) and positive.is_empty:
            self._add_equality(edge, level, ends, forbidden, negated)
            return
        if isinstance(positive, Path):
            positive = positive.single or positive
        found = PatternEdge(ends[0], positive, ends[1])
        self.levels.add_place(found, edge)
        if edge.forbids:
            pattern = self.embargoes.pattern_at(level, forbidden)
            if negated:
                pattern.embargoes.append(Pattern(edges=[found]))
            else:
                pattern.edges.append(found)
            if edge.role == EMBARGO:
                return
        if negated:
            if edge.role != READER:
                raise GrammarError("A negated label cannot be created or deleted.")
            self.embargoes.pattern_at(level, []).edges.append(found)
        elif edge.role == READER:
            # under DPO, a path that is a choice of labels also matches one edge
            if not isinstance(positive, Path) or (self.rule.parallel == "DPO" and positive.alternatives is not None):
                edge.copy = self.rule.copy_variable()
            self.rule.levels[level].pattern.edges.append(found._replace(copy=edge.copy))
        else:
            self._add_effect(edge, level, found)

    def _add_effect(self, edge: DrawnEdge, number: int, found: PatternEdge) -> None:
        """Adds an edge that is created or deleted."""
        level, label = self.rule.levels[number], found.label
        variable = None
        if isinstance(label, Path):
            level.pattern.edges.append(found)  # the path is deleted with one of its ends
            return
        if isinstance(label, Wildcard):
            if label.variable is None:  # it gets one, so that its edge can be deleted
                label = replace(label, variable=f"·{len(self.rule.names)}")
                self.rule.variable(f"?{label.key}")
                found = found._replace(label=label)
            variable = self.rule.names.index(f"?{label.key}")
        text = label.replace("type:#", "type:") if isinstance(label, str) else ""
        if isinstance(label, str) and text != label:
            self.levels.sharp.add((found.source, text))
        if edge.role == ERASER:
            edge.copy = self.rule.copy_variable()
            level.pattern.edges.append(found._replace(copy=edge.copy))
            level.erased.append(EdgeEffect(found.source, text, found.target, variable, edge.copy))
            return
        level.created.append(EdgeEffect(found.source, text, found.target, variable))

    def _add_equality(
        self, edge: DrawnEdge, number: int, pair: tuple[int, int], forbidden: list[int], negated: bool
    ) -> None:
        """Adds an equality, an inequality or a merger of two nodes."""
        level = self.rule.levels[number]
        if edge.creates:
            if negated:
                raise GrammarError("An inequality cannot be created or deleted.")
            if any(each in self.rule.sorts for each in pair):
                raise GrammarError("Values cannot be merged.")
            level.merged.append(pair)
        if forbidden:
            pattern = self.embargoes.pattern_at(number, forbidden)
            (pattern.unequal if negated else pattern.equal).append(pair)
        elif negated or edge.forbids:
            level.pattern.unequal.append(pair)
        elif not edge.creates:  # also with the role eraser, where an end is deleted
            level.pattern.equal.append(pair)

    # ── rule ─────────────────────────────────────────────────────────────────────────────────────

    def type_created(self) -> None:
        """Drops the fixed type of created nodes with a type variable, whose value is a subtype of it."""
        for level in self.rule.levels:
            types = [each for each in level.created if is_type_label(self.rule.label_of(each))]
            typed = {each.source for each in types if each.variable is not None}
            fixed = {each for each in types if each.variable is None and each.source in typed}
            level.created = [each for each in level.created if each not in fixed]

    def _check_labels(self) -> None:
        """Checks that each label variable is bound by a matched edge and has one kind of label."""
        found: set[tuple[int, str]] = set()
        used: dict[str, list[tuple[int, DrawnEdge]]] = {}
        for edge in self.drawing.edges:
            if edge.kind != LABEL or edge.label is None:
                continue
            with self.drawing.collect(edge):
                level = self.levels.of_edge(edge)
                for key in _variables(edge.label):
                    used.setdefault(key, []).append((level, edge))
                    if isinstance(edge.label, Wildcard) and edge.role in (READER, ERASER):
                        found.add((level, key))
        names: dict[str, str] = {}
        for key, where in used.items():
            name = key.rpartition(":")[2]
            if names.setdefault(name, key) != key:
                self.drawing.report(
                    phrase("The variable ?{name} is used for two kinds of labels.", name=name), where[0][1]
                )
            for level, edge in where:
                if not any(each == key and self.levels.is_within(level, at) for at, each in found):
                    self.drawing.report(phrase("The variable ?{name} is never bound.", name=name), edge)

    def _anchors(self, level: QuantifierLevel) -> tuple[int, ...]:
        """The anchors of a level: the variables in its effects and parameters, which distinguish applications."""
        created = {node for each in self.rule.levels for node in each.created_nodes}
        anchors = list(level.erased_nodes)
        erased_nodes = {node for each in self.rule.levels for node in each.erased_nodes}
        erased = [each for each in level.erased if erased_nodes.isdisjoint((each.source, each.target))]
        for each in (*erased, *level.created):
            anchors += [each.source, each.target]
            anchors += [extra for extra in (each.variable, each.copy) if extra is not None]
        for each in level.kept if level.has_effect else ():  # only ends that outer levels match
            anchors += [end for end in (each.source, each.target) if not _matches(level, end)]
        for pair in level.merged:
            anchors += pair
        for child in level.children:  # those anchors of inner levels that this level or an outer one matches
            anchors += [each for each in self.rule.levels[child].anchors if self._is_matched(level, each)]
        anchors += [each for each in self.anchored if _matches(level, each)]
        if level is self.rule.root:
            anchors += [each.variable for each in self.rule.parameters if not each.from_oracle]
        return tuple(sorted({each for each in anchors if each not in created}))

    def _is_matched(self, level: QuantifierLevel, variable: int) -> bool:
        """Whether a level or one of its outer levels matches a variable, or binds it as a label variable."""
        name = self.rule.names[variable]
        binds = any(isinstance(edge.label, Wildcard) and name == f"?{edge.label.key}" for edge in level.pattern.edges)
        outer = level.parent >= 0 and self._is_matched(self.rule.levels[level.parent], variable)
        return binds or outer or _matches(level, variable)

    def _read_attributes(self) -> None:
        """Reads the properties of the rule: role, priority, transition label, match filter."""
        rule, properties = self.rule, self.drawing.graph.attributes
        role = properties.get("actionRole", "").strip()
        if role and role not in ROLES:
            raise GrammarError(
                phrase("Unknown action role {role!r}. The roles are {roles}.", role=role, roles=", ".join(ROLES))
            )
        priority = properties.get("priority", "0").strip() or "0"
        if (number := whole(priority)) is None:
            raise GrammarError(phrase("Expected a non-negative priority, got {priority!r}.", priority=priority[:20]))
        rule.priority = number
        changes = rule.has_effect or any(level.kept for level in rule.levels)
        changes = changes or any("color" in node.aspects for node in self.drawing.nodes.values())
        is_plain = not rule.priority and all(each.is_output for each in rule.parameters)
        rule.role = role or (CONDITION if is_plain and not changes else TRANSFORMER)
        if rule.role != TRANSFORMER and (changes or not is_plain):
            raise GrammarError(phrase("A rule with the role {role!r} cannot change the graph.", role=rule.role))
        rule.shown = properties.get("transitionLabel", "")
        rule.filter = properties.get("matchFilter", "").strip()


def _variables(label: str | Wildcard | Path | None) -> Iterator[str]:
    """The keys of the label variables in a label."""
    if isinstance(label, Wildcard):
        if label.key is not None:
            yield label.key
    elif isinstance(label, Path):
        yield from sorted(label.variables)


def _matches(level: QuantifierLevel, variable: int) -> bool:
    """Whether a level's pattern matches a variable."""
    pattern = level.pattern
    return variable in pattern.nodes or any(variable in (edge.source, edge.target, edge.copy) for edge in pattern.edges)


def read_rule(
    graph: Graph,
    name: str,
    injective: bool = False,
    algebra: Family = DEFAULT,
    types: Types | None = None,
    parallel: str = "",
    check_paths: bool = False,
) -> Rule:
    """Reads the rule of a graph; errors are reported together.

    With `check_paths` it is an error if a path may use an edge that the rule deletes, as far as types show.
    """
    injective = injective or graph.attributes.get("injective", "").strip() == "true"
    rule, problems = Rule(name, injective=injective, parallel=parallel), Problems()
    drawing = RuleDrawing(graph, f"{name}.gpr", problems)
    problems.check()
    reader = RuleReader(drawing, rule, types, algebra)
    reader.read()
    problems.check()
    if types is not None:
        check_types(reader.levels, types, problems, check_paths)
        reader.type_created()
    if not algebra.symbolic:
        unresolved(rule, drawing.where, problems)
    problems.check()
    return rule
