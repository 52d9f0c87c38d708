"""A grammar prepared for exploration: its start graph as a host, its rules with search plans, its control."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pentad.grammar.control.automaton import ControlAutomaton, Frame, compile_program, implicit
from pentad.grammar.control.terms import Unit, UnitParameter
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph, Problems
from pentad.grammar.host import Host, World, bits
from pentad.grammar.language.user_operations import with_operations
from pentad.grammar.language.values import DEFAULT, Family, family
from pentad.grammar.lts import Lts
from pentad.grammar.matching.matcher import Finder
from pentad.grammar.matching.rule_effects import Effects
from pentad.grammar.matching.search_plans import admitting, only
from pentad.grammar.oracles import OracleFunction, oracle_of
from pentad.grammar.rules.host_reader import HostDrawing, add_host, check_host, graph_of, read_host
from pentad.grammar.rules.rule import TRANSFORMER, Rule
from pentad.grammar.rules.rule_reader import forbid_created, forbid_created_edges, read_rule
from pentad.grammar.rules.types import Types, read_types, types_of
from pentad.system.words import phrase

# Properties that change the semantics of a grammar, with their supported values.
SUPPORTED = {
    "semantics": ("", "SPO-simple"),
    "parallelEdges": ("", "false", "SPO", "DPO"),
}
OFF, SILENT, ERROR, REMOVE = "off", "silent", "error", "remove"
POLICIES = (OFF, SILENT, ERROR, REMOVE)
DEADLOCK = "deadlock"  # the name of the violation in a state without transitions


Filter: TypeAlias = Callable[[Graph, Mapping[str, str]], bool]  # whether a match counts


@dataclass(slots=True)
class System:
    """A grammar in the form that explorations and simulations use; the start graph has so many `nodes` and `edges`."""

    grammar: Grammar
    world: World
    rules: dict[str, Rule]
    finders: dict[str, Finder]
    control: ControlAutomaton
    nodes: int
    edges: int
    effects: Effects
    algebra: Family = DEFAULT
    types: Types | None = None
    properties: list[Rule] = field(default_factory=list)  # conditions and invariants, checked in every state
    policies: dict[str, str] = field(default_factory=dict)  # policies for violations, by the rule's name
    start: Graph = field(default_factory=Graph)  # the start graph as it is drawn
    filters: Mapping[str, Filter] = field(default_factory=dict)  # match filters by rule
    seconds: float = 0.0  # the preparation took so long

    @property
    def type_policy(self) -> str:
        return self.grammar.setting("typePolicy") or ERROR

    @property
    def deadlock_policy(self) -> str:
        return self.grammar.setting("deadlockPolicy").strip() or OFF

    def policy(self, rule: Rule) -> str:
        return self.policies.get(rule.name, ERROR)

    @property
    def removes(self) -> bool:
        """Whether a policy removes states."""
        return REMOVE in (self.type_policy, *self.policies.values())

    @property
    def has_labels(self) -> bool:
        """Whether some transition labels are not just names with arguments."""
        always = self.grammar.setting("transitionParameters").strip().lower() == "true"
        return always or any(rule.shown.strip() for rule in self.rules.values())

    @property
    def asks_oracle(self) -> bool:
        """Whether a rule has `ask:` parameters."""
        return any(each.from_oracle for rule in self.rules.values() for each in rule.parameters)

    @property
    def calls_functions(self) -> bool:
        """Whether rules call an oracle or match filters."""
        return self.asks_oracle or any(rule.filter for rule in self.rules.values())

    @property
    def names(self) -> set[str]:
        """The names of all actions: rules and recipes."""
        return {*self.rules, *self.control.recipes}

    @property
    def isomorphism(self) -> bool:
        return self.grammar.is_on("checkIsomorphism")

    def label(self, text: str) -> str | None:
        """The grammar's label with a name: that of an edge, or else of a type or a flag; None if there is none."""
        known = [text, f"type:{text}", f"flag:{text}"] if ":" not in text else [text]
        created = {each.label for rule in self.rules.values() for level in rule.levels for each in level.created}
        return next((each for each in known if each in self.world.of_label or each in created), None)

    def host(self, nodes: int, edges: int) -> Host:
        return Host(self.world, nodes, edges)

    def graph(self, nodes: int, edges: int) -> Graph:
        """A graph as a drawing, with nodes at their positions in the start graph."""
        return graph_of(self.world, nodes, edges, self.start)

    def describe(self, lts: Lts, state: Callable[[int], tuple[int, int, Frame]], fixed: int) -> None:
        """Lets a transition system draw its states, and describe them by the edges that are not fixed."""
        world = self.world

        def text(number: int) -> str:
            edges = (world.edges[each] for each in bits(state(number)[1] & ~fixed))
            return " ".join(f"{world.text(one)}–{label}→{world.text(other)}" for one, label, other in edges)

        lts.graph, lts.describe = lambda number: self.graph(*state(number)[:2]), text


def _check_properties(grammar: Grammar) -> None:
    """Refuses unsupported semantics, under which the counts would be wrong."""
    for name, values in SUPPORTED.items():
        value = grammar.setting(name).strip()
        if value not in values:
            raise GrammarError(
                phrase("The property {name}={value} is not supported.", name=name, value=value), "system.properties"
            )


def is_enabled(grammar: Grammar, name: str, graph: Graph) -> bool:
    """Whether a rule is enabled, by the grammar's list of `+name` and `-name` or else by the rule's attribute."""
    listed = grammar.setting("ruleEnabling").split()
    if f"+{name}" in listed or f"-{name}" in listed:
        return f"+{name}" in listed
    return graph.attributes.get("enabled", "true").strip() != "false"


def algebra_of(grammar: Grammar, operations: Iterable[Callable[..., Any]] = ()) -> Family:
    """The grammar's algebra family, with the caller's operations."""
    found, given = family(grammar.setting("algebraFamily") or "default", grammar.name), list(operations)
    names = grammar.setting("userOperations").strip()
    if names and not given:
        message = phrase(
            "The property userOperations={names} needs Python functions, passed as operations.", names=names[:60]
        )
        raise GrammarError(message, "system.properties")
    return with_operations(found, given) if given else found


def parallel_of(grammar: Grammar) -> str:
    """The semantics of parallel edges, SPO or DPO; empty if parallel edges are not distinguished."""
    value = grammar.setting("parallelEdges").strip()
    return value if value in ("SPO", "DPO") else ""


def rule_of(grammar: Grammar, name: str, types: Types | None, algebra: Family) -> Rule:
    """Reads a rule of a grammar; its errors are raised together."""
    injective = grammar.is_on("matchInjective")
    parallel = parallel_of(grammar)
    check_paths = parallel == "DPO" and not grammar.is_on("ignoreRegExp")
    rule = read_rule(grammar.rules[name], name, injective, algebra, types, parallel, check_paths)
    if grammar.is_on("rhsIsNAC") or grammar.is_on("rhsAsNac"):  # the second is an older spelling
        forbid_created(rule)
    elif grammar.is_on("checkCreatorEdges"):
        forbid_created_edges(rule)
    return rule


def changing_labels(rules: Iterable[Rule]) -> frozenset[str] | None:
    """The labels of edges that rules create or delete; None if these may be any labels."""
    labels: set[str] = set()
    for rule in rules:
        for level in rule.levels:
            if level.erased_nodes or level.merged:
                return None
            for each in (*level.erased, *level.created):
                if each.variable is not None:
                    return None
                labels.add(each.label)
    return frozenset(labels)


class GrammarParts:
    """The parts of a grammar, read one by one; errors are collected."""

    def __init__(self, grammar: Grammar, operations: Iterable[Callable[..., Any]] = ()) -> None:
        self.grammar, self.problems, self.seconds = grammar, Problems(), 0.0
        self.algebra = algebra_of(grammar, operations)
        self.types: Types | None = None
        with self.problems.collect():
            self.types = read_types(grammar)
        self.rules: dict[str, Rule] = {}

    def read_rules(self, disabled: bool = False) -> None:
        """Reads the enabled rules; with `disabled`, reads the disabled ones too, only for their errors."""
        begun = time.perf_counter()
        for name, drawing in self.grammar.rules.items():
            enabled = is_enabled(self.grammar, name, drawing)
            if enabled or disabled:
                with self.problems.collect():
                    rule = rule_of(self.grammar, name, self.types, self.algebra)
                    if enabled:
                        self.rules[name] = rule
        self.seconds = time.perf_counter() - begun

    def read_host(self, graph: Graph, name: str) -> HostDrawing | None:
        """Reads a start graph; None if it has errors."""
        checked: HostDrawing | None = None
        with self.problems.collect():
            found = read_host(graph, f"{name}.gst", self.algebra, parallel_of(self.grammar))
            if self.types is not None:
                check_host(self.types, found)
            checked = found
        return checked  # noqa: RET504  (None if errors were collected)

    def add_host(self, world: World, found: HostDrawing) -> tuple[int, int]:
        """Adds a graph to a world and checks its multiplicities; returns the sets of its nodes and edges."""
        nodes, edges = add_host(world, found)
        types = self.types
        if types is not None and types.has_multiplicities and (self.grammar.setting("typePolicy") or ERROR) != OFF:
            types.check_counts(Host(world, nodes, edges), found.where)
        return nodes, edges


def prepare(
    grammar: Grammar | GrammarParts,
    start: Graph | None = None,
    control: str | None = None,
    filters: Mapping[str, Filter] | None = None,
    oracle: OracleFunction | None = None,
    operations: Iterable[Callable[..., Any]] = (),
) -> System:
    """Reads a grammar's rules, types and control; raises their errors.

    `GrammarParts` are used as they are, with the operations that they were read with.
    """
    begun = time.perf_counter()
    parts = grammar if isinstance(grammar, GrammarParts) else None
    grammar = grammar.grammar if isinstance(grammar, GrammarParts) else grammar
    _check_properties(grammar)
    if parts is None:
        parts = GrammarParts(grammar, operations)
        parts.read_rules()
        begun += parts.seconds
    world, algebra, types, rules = World(), parts.algebra, parts.types, parts.rules
    graph = grammar.start if start is None else start
    found = parts.read_host(graph, graph.name)
    parts.problems.check()
    assert found is not None
    nodes, edges = parts.add_host(world, found)
    changing = changing_labels(rules.values())
    if changing is not None:
        world.fix(changing)
    host = Host(world, nodes, edges)
    admits = only if types is None else admitting(types.subtypes)
    dangles = not grammar.is_on("checkDangling")
    finders = {name: Finder(rule, host, admits, algebra, dangles) for name, rule in rules.items()}
    automaton = _control(grammar, rules, control, algebra)
    values = oracle_of(grammar, algebra, oracle)
    effects = Effects(world, types.above if types is not None else None, values)
    system = System(grammar, world, rules, finders, automaton, nodes, edges, effects, algebra, types, start=graph)
    system.filters = _filters(rules, filters or {})
    system.policies = _policies(grammar)
    system.properties = [rule for rule in rules.values() if rule.role != TRANSFORMER and system.policy(rule) != OFF]
    system.seconds = parts.seconds + time.perf_counter() - begun
    return system


def _filters(rules: Mapping[str, Rule], filters: Mapping[str, Filter]) -> dict[str, Filter]:
    """The match filters by the names of their rules."""
    missing = {rule.filter: rule.name for rule in rules.values() if rule.filter and rule.filter not in filters}
    for name, rule in missing.items():
        raise GrammarError(
            phrase("The rule has the match filter {name}, which must be passed as a function.", name=name),
            f"{rule}.gpr",
        )
    return {rule.name: filters[rule.filter] for rule in rules.values() if rule.filter}


def _policies(grammar: Grammar) -> dict[str, str]:
    """The policies for violated properties: `name:policy`, separated by spaces."""
    found: dict[str, str] = {}
    for each in grammar.setting("actionPolicy").split():
        name, colon, policy = each.partition(":")
        if not colon or policy.lower() not in POLICIES:
            raise GrammarError(
                phrase("A policy is name:{policies}, not {name!r}.", policies="|".join(POLICIES), name=each),
                grammar.name,
            )
        if name not in grammar.rules:
            raise GrammarError(phrase("No rule {name!r} for a policy.", name=name), grammar.name)
        found[name] = policy.lower()
    for name, known in (("typePolicy", POLICIES), ("deadlockPolicy", (OFF, SILENT, ERROR))):
        if (grammar.setting(name).strip() or OFF) not in known:
            raise GrammarError(
                phrase("The property {name} is one of {known}.", name=name, known=", ".join(known)), grammar.name
            )
    return found


def _control(grammar: Grammar, rules: Mapping[str, Rule], control: str | None, algebra: Family) -> ControlAutomaton:
    """The control automaton of a grammar."""
    actions, stores = actions_of(rules), grammar.is_on("storeOutParameters")
    names = grammar.chosen("controlProgram") if control is None else control.split()
    chosen = control is not None or "controlProgram" in grammar.properties  # an empty list means no program
    if not chosen and "control" in grammar.controls and grammar.setting("enableControl") != "false":
        names = ["control"]
    if not names:
        return implicit(actions, stores)
    missing = [name for name in names if name not in grammar.controls]
    if missing:
        known = ", ".join(grammar.controls) or "none"
        raise GrammarError(
            phrase("No control program {missing!r}. Programs: {known}.", missing=missing[0], known=known), grammar.name
        )
    return compile_program(
        grammar.controls, names, actions, algebra, stores=stores, disabled=grammar.rules.keys() - rules
    )


def actions_of(rules: Mapping[str, Rule]) -> dict[str, Unit]:
    """The actions that a control program can call, one for each rule."""
    return {
        name: Unit(
            name,
            rule.priority,
            tuple(UnitParameter(each.kind, each.is_output, each.is_input) for each in rule.parameters),
            rule.role != TRANSFORMER,
        )
        for name, rule in rules.items()
    }


def problems_of(grammar: Grammar, operations: Iterable[Callable[..., Any]] = ()) -> list[GrammarError]:
    """Returns the errors in type graphs, rules, graphs and control programs; an empty list if there are none.

    `operations` are the caller's, as in `explore`.

    >>> from pentad.grammar.models import new
    >>> problems_of(new("ferry"))
    []
    """
    try:
        return problems_in(GrammarParts(grammar, operations))
    except GrammarError as error:
        return list(error.errors)


def problems_in(parts: GrammarParts) -> list[GrammarError]:
    """Returns the errors of a grammar whose rules have not been read yet; without errors, `parts` can be prepared."""
    grammar, problems = parts.grammar, parts.problems
    for graph in grammar.types.values():
        with problems.collect():
            types_of([graph], whole=False)
    parts.read_rules(disabled=True)
    for name, graph in grammar.graphs.items():
        found = parts.read_host(graph, name)
        if found is not None:
            with problems.collect():
                parts.add_host(World(), found)
    if not problems.errors:
        for name in grammar.controls:
            with problems.collect():
                compile_program(grammar.controls, [name], actions_of(parts.rules), parts.algebra)
    return problems.distinct
