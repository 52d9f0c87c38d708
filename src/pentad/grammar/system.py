"""A grammar made ready to run: its start graph as a host, its rules with their plans, its control."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pentad.grammar.control.automaton import Action, Automaton, Parameter, compile_program, implicit
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph, Problems
from pentad.grammar.language.user_operations import with_operations
from pentad.grammar.language.values import DEFAULT, Family, family
from pentad.grammar.matching.graph_conversion import add_host
from pentad.grammar.matching.host import Host, World
from pentad.grammar.matching.matcher import Finder
from pentad.grammar.matching.rule_effects import Effects
from pentad.grammar.matching.search_plans import admitting, only
from pentad.grammar.oracles import Asked, oracle_of
from pentad.grammar.rules.creation_checks import forbid_made, forbid_made_edges
from pentad.grammar.rules.host_reader import HostDrawing, check_host, read_host
from pentad.grammar.rules.rule import TRANSFORMER, Rule
from pentad.grammar.rules.rule_reader import read_rule
from pentad.grammar.rules.types import Types, read_types

# Properties that would change what a grammar means, with the values under which it means what is done here.
KNOWN = {
    "semantics": ("", "SPO-simple"),
    "parallelEdges": ("", "false", "SPO", "DPO"),
}
OFF, SILENT, ERROR, REMOVE = "off", "silent", "error", "remove"
POLICIES = (OFF, SILENT, ERROR, REMOVE)
DEADLOCK = "deadlock"  # what a state breaks in which nothing can be done


Filter: TypeAlias = Callable[[Graph, Mapping[str, str]], bool]  # whether a match counts


@dataclass(slots=True)
class System:
    """What an exploration needs of a grammar."""

    grammar: Grammar
    world: World
    rules: dict[str, Rule]
    finders: dict[str, Finder]
    control: Automaton
    nodes: int  # of the start graph
    edges: int
    effects: Effects
    algebra: Family = DEFAULT
    types: Types | None = None
    properties: list[Rule] = field(default_factory=list)  # conditions and invariants: looked at in every state
    policies: dict[str, str] = field(default_factory=dict)  # what is done where one is broken, by its name
    start: Graph = field(default_factory=Graph)  # as it was drawn
    filters: Mapping[str, Filter] = field(default_factory=dict)  # what tells which matches count, by rule
    seconds: float = 0.0  # that it took to be prepared

    @property
    def type_policy(self) -> str:
        return self.grammar.asks("typePolicy") or ERROR

    @property
    def deadlock_policy(self) -> str:
        return self.grammar.asks("deadlockPolicy").strip() or OFF

    def policy(self, rule: Rule) -> str:
        return self.policies.get(rule.name, ERROR)

    @property
    def removes(self) -> bool:
        """Whether some states are taken away."""
        return REMOVE in (self.type_policy, *self.policies.values())

    @property
    def has_labels(self) -> bool:
        """Whether some labels are other than names with arguments."""
        always = self.grammar.asks("transitionParameters").strip().lower() == "true"
        return always or any(rule.shown.strip() for rule in self.rules.values())

    @property
    def asks_oracle(self) -> bool:
        """Whether a rule asks the oracle for values."""
        return any(each.asks for rule in self.rules.values() for each in rule.parameters)

    @property
    def asks(self) -> bool:
        """Whether something of what rules do is asked of functions."""
        return self.asks_oracle or any(rule.filter for rule in self.rules.values())

    @property
    def names(self) -> set[str]:
        """The actions that transitions may have."""
        return {*self.rules, *self.control.recipes}

    @property
    def isomorphism(self) -> bool:
        return self.grammar.is_on("checkIsomorphism")

    def host(self, nodes: int, edges: int) -> Host:
        return Host(self.world, nodes, edges)


def _check_properties(grammar: Grammar) -> None:
    """Refuse what is outside of the language, rather than count something else."""
    for name, values in KNOWN.items():
        asked = grammar.asks(name).strip()
        if asked not in values:
            raise GrammarError(f"The property {name}={asked} is not supported.", "system.properties")


def is_enabled(grammar: Grammar, name: str, graph: Graph) -> bool:
    """Whether a rule takes part: as the grammar's list of `+name` and `-name` says, or else the rule itself."""
    asked = grammar.asks("ruleEnabling").split()
    if f"+{name}" in asked or f"-{name}" in asked:
        return f"+{name}" in asked
    return graph.attributes.get("enabled", "true").strip() != "false"


def algebra_of(grammar: Grammar, operations: Iterable[Callable[..., Any]] = ()) -> Family:
    """The algebra family that a grammar asks for, with the operations that a caller brings."""
    found, given = family(grammar.asks("algebraFamily") or "default", grammar.name), list(operations)
    asked = grammar.asks("userOperations").strip()
    if asked and not given:
        what = f"userOperations={asked[:60]}: Python functions stand for them, which a caller passes as operations"
        raise GrammarError(what, "system.properties")
    return with_operations(found, given) if given else found


def parallel_of(grammar: Grammar) -> str:
    """Whether parallel edges are told apart, and how they are taken: SPO, DPO or empty."""
    asked = grammar.asks("parallelEdges").strip()
    return asked if asked in ("SPO", "DPO") else ""


def rule_of(grammar: Grammar, name: str, types: Types | None, algebra: Family) -> Rule:
    """A rule of a grammar, read; all that is wrong with it is told."""
    injective = grammar.is_on("matchInjective")
    parallel = parallel_of(grammar)
    paths_stay = parallel == "DPO" and not grammar.is_on("ignoreRegExp")
    rule = read_rule(grammar.rules[name], name, injective, algebra, types, parallel, paths_stay)
    if grammar.is_on("rhsIsNAC") or grammar.is_on("rhsAsNac"):  # the second is what older versions wrote
        forbid_made(rule)
    elif grammar.is_on("checkCreatorEdges"):
        forbid_made_edges(rule)
    return rule


def changing_labels(rules: Mapping[str, Rule]) -> frozenset[str] | None:
    """The labels whose edges some rule makes or takes; None where that may be any."""
    labels: set[str] = set()
    for rule in rules.values():
        for level in rule.levels:
            if level.erased_nodes or level.merged:
                return None
            for each in (*level.erased, *level.created):
                if each.variable is not None:
                    return None
                labels.add(each.label)
    return frozenset(labels)


class Parts:
    """A grammar's parts, as they are read one by one; what is wrong in them is noted."""

    def __init__(self, grammar: Grammar, operations: Iterable[Callable[..., Any]] = ()) -> None:
        self.grammar, self.problems, self.seconds = grammar, Problems(), 0.0
        self.algebra = algebra_of(grammar, operations)
        self.types: Types | None = None
        with self.problems.noted():
            self.types = read_types(grammar)
        self.rules: dict[str, Rule] = {}

    def read_rules(self, idle: bool = False) -> None:
        """Read the rules that take part, and those that do not if they are to be looked at too."""
        begun = time.perf_counter()
        for name, drawing in self.grammar.rules.items():
            takes_part = is_enabled(self.grammar, name, drawing)
            if takes_part or idle:
                with self.problems.noted():
                    rule = rule_of(self.grammar, name, self.types, self.algebra)
                    if takes_part:
                        self.rules[name] = rule
        self.seconds = time.perf_counter() - begun

    def read_host(self, graph: Graph, name: str) -> HostDrawing | None:
        """A graph to start from; None if something is wrong with it."""
        sound: HostDrawing | None = None
        with self.problems.noted():
            found = read_host(graph, f"{name}.gst", self.algebra, parallel_of(self.grammar))
            if self.types is not None:
                check_host(self.types, found)
            sound = found
        return sound  # noqa: RET504  (what is wrong was noted)

    def add_host(self, world: World, found: HostDrawing) -> tuple[int, int]:
        """A graph's nodes and edges in a world, where as many are as the types ask for."""
        nodes, edges = add_host(world, found)
        types = self.types
        if types is not None and types.counts and (self.grammar.asks("typePolicy") or ERROR) != OFF:
            types.check_counts(Host(world, nodes, edges), found.where)
        return nodes, edges


def prepare(
    grammar: Grammar | Parts,
    start: Graph | None = None,
    control: str | None = None,
    filters: Mapping[str, Filter] | None = None,
    oracle: Asked | None = None,
    operations: Iterable[Callable[..., Any]] = (),
) -> System:
    """Read a grammar's rules, types and control; what is wrong in one of them is said here.

    What was read of a grammar already, with a caller's operations, is taken as it is.
    """
    begun = time.perf_counter()
    parts = grammar if isinstance(grammar, Parts) else None
    grammar = grammar.grammar if isinstance(grammar, Parts) else grammar
    _check_properties(grammar)
    if parts is None:
        parts = Parts(grammar, operations)
        parts.read_rules()
        begun += parts.seconds
    world, algebra, types, rules = World(), parts.algebra, parts.types, parts.rules
    graph = grammar.start if start is None else start
    found = parts.read_host(graph, graph.name)
    parts.problems.check()
    assert found is not None
    nodes, edges = parts.add_host(world, found)
    changing = changing_labels(rules)
    if changing is not None:
        world.fix(changing)
    host = Host(world, nodes, edges)
    admits = only if types is None else admitting(types.subtypes)
    dangles = not grammar.is_on("checkDangling")
    finders = {name: Finder(rule, host, admits, algebra, dangles) for name, rule in rules.items()}
    automaton = _control(grammar, rules, control, algebra)
    answers = oracle_of(grammar, algebra, oracle)
    effects = Effects(world, types.above if types is not None else None, answers)
    system = System(grammar, world, rules, finders, automaton, nodes, edges, effects, algebra, types, start=graph)
    system.filters = _filters(rules, filters or {})
    system.policies = _policies(grammar)
    system.properties = [rule for rule in rules.values() if rule.role != TRANSFORMER and system.policy(rule) != OFF]
    system.seconds = parts.seconds + time.perf_counter() - begun
    return system


def _filters(rules: Mapping[str, Rule], filters: Mapping[str, Filter]) -> dict[str, Filter]:
    """The functions that tell which matches count, by the rules that ask for them."""
    missing = {rule.filter: rule.name for rule in rules.values() if rule.filter and rule.filter not in filters}
    for name, rule in missing.items():
        raise GrammarError(f"The rule has the match filter {name}, which must be passed as a function.", f"{rule}.gpr")
    return {rule.name: filters[rule.filter] for rule in rules.values() if rule.filter}


def _policies(grammar: Grammar) -> dict[str, str]:
    """What is done where a property is broken, as the grammar asks: `name:policy`, several with spaces between."""
    found: dict[str, str] = {}
    for each in grammar.asks("actionPolicy").split():
        name, colon, policy = each.partition(":")
        if not colon or policy.lower() not in POLICIES:
            raise GrammarError(f"A policy is name:{'|'.join(POLICIES)}, not {each!r}.", grammar.name)
        if name not in grammar.rules:
            raise GrammarError(f"No rule {name!r} for a policy.", grammar.name)
        found[name] = policy.lower()
    for name, known in (("typePolicy", POLICIES), ("deadlockPolicy", (OFF, SILENT, ERROR))):
        if (grammar.asks(name).strip() or OFF) not in known:
            raise GrammarError(f"The property {name} is one of {', '.join(known)}.", grammar.name)
    return found


def _control(grammar: Grammar, rules: Mapping[str, Rule], control: str | None, algebra: Family) -> Automaton:
    """The control of a grammar."""
    actions, stores = actions_of(rules), grammar.is_on("storeOutParameters")
    names = grammar.chosen("controlProgram") if control is None else control.split()
    chosen = control is not None or "controlProgram" in grammar.properties  # none, where that is empty
    if not chosen and "control" in grammar.controls and grammar.asks("enableControl") != "false":
        names = ["control"]
    if not names:
        return implicit(actions, stores)
    missing = [name for name in names if name not in grammar.controls]
    if missing:
        known = ", ".join(grammar.controls) or "none"
        raise GrammarError(f"No control program {missing[0]!r}. Programs: {known}.", grammar.name)
    return compile_program(
        grammar.controls, names, actions, algebra, stores=stores, disabled=grammar.rules.keys() - rules
    )


def actions_of(rules: Mapping[str, Rule]) -> dict[str, Action]:
    """What a control program can call of some rules."""
    return {
        name: Action(
            name,
            rule.priority,
            tuple(Parameter(each.kind, each.gives, each.takes) for each in rule.parameters),
            rule.role != TRANSFORMER,
        )
        for name, rule in rules.items()
    }
