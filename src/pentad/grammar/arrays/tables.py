"""Tables of the array engine: a grammar's rules, levels, control and properties as rows of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.lowering import Code, Lowering, SharedNumbers, check_rule, edges_of
from pentad.grammar.arrays.triggers import Triggers, triggers_of
from pentad.grammar.compiled.grounding import CannotCompile
from pentad.grammar.compiled.tables import Places, places_of
from pentad.grammar.host import Host
from pentad.grammar.matching.search_plans import admitting, only
from pentad.grammar.rules.rule import CONDITION, FORALL, FORBIDDEN, Rule
from pentad.grammar.system import OFF, REMOVE, SILENT, System, changing_labels
from pentad.kernels.buffers import array
from pentad.kernels.types import Rows
from pentad.system.words import phrase


@dataclass(slots=True)
class Grounds:
    """What the tables of a grammar are made from, and how its states are laid out."""

    system: System
    places: Places
    names: SharedNumbers
    rules: list[Rule]
    levels: list[tuple[Rule, int]] = field(default_factory=list)  # the rule and level of each number
    actions: list[str] = field(default_factory=list)
    fixed: frozenset[str] = frozenset()  # the labels whose edges are the same in every graph
    keeps_nodes: bool = True  # whether the nodes of the start graph are in every graph

    def __repr__(self) -> str:
        return f"<Grounds {len(self.rules)} rules, {len(self.names.labels)} labels, {len(self.fixed)} of them fixed>"


def grounds_of(system: System) -> Grounds:
    """Examines a grammar; raises CannotCompile if the engine does not take it."""
    loops = [rule.name for rule in system.properties]
    if system.algebra.name != "default":
        raise CannotCompile(phrase("The algebra family is {name}.", name=system.algebra.name))
    if system.types is not None and system.types.has_multiplicities and system.type_policy != OFF:
        raise CannotCompile("The type graph has multiplicities or containment edges.")
    if any(value.content is None for value in system.world.values.values()):
        raise CannotCompile("An attribute may become an error value.")
    for rule in system.properties:
        if system.policy(rule) == REMOVE:
            raise CannotCompile(phrase("States that violate {name} are removed.", name=rule.name))
    places = places_of(system, loops)
    recipes = [call.recipe for place in places.places for call in place.calls if call.recipe]
    if recipes:
        raise CannotCompile(phrase("The control program calls the recipe {recipe}.", recipe=recipes[0]))
    called = list(dict.fromkeys([*places.rules, *loops]))
    rules = [system.rules[name] for name in called]
    for rule in rules:
        check_rule(rule, system.finders[rule.name], system.types is not None)
    changing = changing_labels(rules)
    labels = list(system.world.of_label)
    keeps = not any(level.erased_nodes or level.merged for rule in rules for level in rule.levels)
    fixed = frozenset(label for label in labels if changing is not None and label not in changing)
    names = SharedNumbers()
    for label in chain(labels, (each.label for rule in rules for level in rule.levels for each in level.created)):
        names.label(label)
    actions = list(dict.fromkeys(call.rule for place in places.places for call in place.calls))
    return Grounds(system, places, names, rules, [], list(dict.fromkeys([*actions, *loops])), fixed, keeps)


def tables_of(grounds: Grounds) -> k.Tables:
    """The tables of a grammar."""
    system, names = grounds.system, grounds.names
    code, rules, levels, triggers = Code(), list[Sequence[int]](), list[Sequence[int]](), Triggers()
    start = Host(system.world, system.nodes, system.edges)
    admits = only if system.types is None else admitting(system.types.subtypes)
    setting = system.grammar.setting("transitionParameters").strip().lower()
    for rule in grounds.rules:
        finder = system.finders[rule.name]
        lowering = Lowering(finder, start, admits, names)
        shows = setting not in ("false", "0") or bool(rule.shown.strip())
        first, acting, root = len(levels), {0}, -1
        conditions = tuple(each for child in rule.root.children for each in lowering.condition(child))
        for number, level in enumerate(rule.levels):
            grounds.levels.append((rule, number))
            plan = -1
            if number == 0:
                plan = code.add(lowering.lowered(0, conditions))
                found = triggers_of(code.rows, plan, code.lists)
                if found is not None:
                    root = plan
                    triggers.add(len(rules), found)
            elif finder.matters[number] and level.kind == FORALL:
                if not finder.acts[number] or level.parent not in acting:
                    raise lowering.refuse("has a quantifier that distinguishes matches without an effect")
                acting.add(number)
                plan = code.add(lowering.lowered(number))
            levels.append((
                plan, first + level.parent if number else -1, code.listed(level.anchors),
                code.listed(level.erased_nodes), code.listed(edges_of(level.erased, names)),
                code.listed(level.created_nodes), code.listed(edges_of(level.created, names)),
                code.listed(chain.from_iterable(level.merged)),
                int(finder.distinguishes[number]), int(not level.may_be_empty),
            ))  # fmt: skip
        # The values of all matches have numbers before a match creates nodes, as in the general engine.
        computing = [
            number for number, level in enumerate(rule.levels) if level.pattern.computed or level.pattern.counted
        ]
        searched = [number for number in range(len(rule.levels)) if levels[first + number][k.PLAN] >= 0]
        creates = any(level.created_nodes for level in rule.levels)
        is_first = computing and (creates or conditions or len(searched) > 1 or not finder.matters[0])
        rules.append((
            first, len(rule.levels), len(rule.names), int(len(rule.levels) == 1), int(finder.matters[0]),
            int(shows and bool(rule.parameters)), code.listed(each.variable for each in rule.parameters),
            int(any(level.merged for level in rule.levels)), root,
            code.add(lowering.lowered(0)) if is_first else -1, int(any(each in searched[1:] for each in computing)),
        ))  # fmt: skip
    places, calls, loops = _control(grounds)
    begins, rows = triggers.by_label(len(names.labels))
    moved = [len(along) + len(against) for along, against, _ in names.paths]
    paths = [(sum(moved[:i]), sum(moved[:i]) + len(each[0]), int(each[2])) for i, each in enumerate(names.paths)]
    moves = [move for along, against, _ in names.paths for move in (*along, *against)]
    return k.Tables(
        code=_rows(code.rows), lists=_array(code.lists), rules=_rows(rules), levels=_rows(levels),
        places=_rows(places), calls=_rows(calls), loops=loops, paths=_rows([*paths, (len(moves), len(moves), 0)]),
        moves=_rows(moves), fixed_labels=_array([int(label in grounds.fixed) for label in names.labels]),
        trigger_begins=_array(begins), triggers=_rows(rows), ways=_rows(triggers.ways),
    )  # fmt: skip


def _array(numbers: Sequence[int]) -> k.Ints:
    return array(numbers, k.Ints)


def _rows(rows: Iterable[Sequence[int]]) -> Rows[k.Ints]:
    return array(list(chain.from_iterable(rows)), Rows[k.Ints])


def _control(grounds: Grounds) -> tuple[list[Sequence[int]], list[Sequence[int]], int]:
    """The rows of places and calls, and the number of calls before the properties."""
    number = {rule.name: i for i, rule in enumerate(grounds.rules)}
    places: list[Sequence[int]] = []
    calls: list[Sequence[int]] = []
    for place in grounds.places.places:
        places.append((place.kind, len(calls), place.success, place.failure))
        calls += [(number[call.rule], call.after, grounds.actions.index(call.rule), k.GOES_ON) for call in place.calls]
    places.append((k.DEAD, len(calls), 0, 0))
    loops = len(calls)
    for rule in grounds.system.properties:
        breaks = k.IS_BROKEN if grounds.system.policy(rule) == SILENT else k.IS_OVER
        sign = 0 if rule.role == CONDITION else 1 if rule.role == FORBIDDEN else -1
        calls.append((number[rule.name], 0, grounds.actions.index(rule.name), sign * breaks))
    return places, calls, loops
