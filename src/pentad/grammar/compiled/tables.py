"""Tables of a compiled grammar: ground instances, places in control and symmetries as arrays for kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, groupby
from typing import Any, NamedTuple, TypeVar

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.grounding import ALWAYS, CannotCompile, Clause, Guard, Instance, LevelEffect, Symmetry
from pentad.grammar.control.automaton import Frame, Given
from pentad.grammar.control.terms import OutArgument
from pentad.grammar.host import World, bits
from pentad.grammar.matching.isomorphism import Shapes, mappings
from pentad.grammar.states.state_space import argument
from pentad.grammar.system import System
from pentad.kernels.buffers import array, flat, zeros
from pentad.kernels.types import Array, Rows
from pentad.system.words import phrase

A = TypeVar("A", bound="Array[Any] | Rows[Any]")

MOST_PLACES = 65_000
MOST_LABELS = 65_535
MOST_SYMMETRIES = 100_000
MAX_IMAGE_BYTES = 1 << 28
KINDS = {"dead": k.DEAD, "final": k.FINAL, "trial": k.TRIAL}
WORD, ALL = 64, (1 << 64) - 1
MANY = 4  # events that need one edge before they share a gate row


# ── control ──────────────────────────────────────────────────────────────────────────────────────


class RuleCall(NamedTuple):
    """A rule that a place tries, and the place after it; `recipe` is the recipe that it begins."""

    rule: str
    after: int
    recipe: str | None


class ControlPlace(NamedTuple):
    """A place in control; other places are referred to by number."""

    kind: int
    calls: tuple[RuleCall, ...]
    success: int
    failure: int
    inner: bool
    here: int = 0  # the target of loops


@dataclass(slots=True)
class Places:
    """All places of a control program; states can be in the first ones only."""

    frames: list[Frame]
    places: list[ControlPlace]
    states: int  # the number of places, from the first, that a state can be in

    @property
    def rules(self) -> list[str]:
        """The called rules, each once."""
        return list(dict.fromkeys(call.rule for place in self.places for call in place.calls))

    def number(self, frame: Frame) -> int | None:
        """The place of a state with this frame."""
        return next((number for number in range(self.states) if self.frames[number] == frame), None)


class FrameAt(NamedTuple):
    """A frame of control, and the frame at which the state was entered if that is within a recipe.

    A verdict may end a recipe; the state then keeps the frame at which it was entered as part of its identity.
    """

    frame: Frame
    entered: Frame | None = None

    @property
    def verdicts(self) -> tuple[FrameAt, FrameAt]:
        entered = (self.entered or self.frame) if self.frame.transience else None
        return FrameAt(self.frame.success, entered), FrameAt(self.frame.failure, entered)


def places_of(system: System, loops: Sequence[str]) -> Places:
    """Explores control from its start; the rules in `loops` are called in every state."""
    start = FrameAt(system.control.start())
    states: dict[FrameAt, None] = {start: None}
    others: dict[FrameAt, None] = {}
    todo = [start]
    while todo:
        at = todo.pop()
        frame = at.frame
        if len(states) + len(others) > MOST_PLACES:
            raise CannotCompile("The control program has too many locations.")
        if frame.values:
            raise CannotCompile("The control program has variables.")
        if frame.kind != "trial":
            continue
        for step in frame.steps:
            if any(isinstance(each, Given | OutArgument) for each in step.arguments or ()):
                raise CannotCompile(phrase("The control program calls {action} with arguments.", action=step.action))
            if step.recipe is not None and frame.transience:
                raise CannotCompile(phrase("Recipe {recipe} is called within an atomic block.", recipe=step.recipe))
            if step.recipe is None and step.after(()).transience > frame.transience:
                raise CannotCompile("The control program has an atomic block.")
        # a verdict may have just left a recipe, so that a state can be there
        left = [each for each in at.verdicts if each.entered is not None and not each.frame.transience]
        reached = [FrameAt(step.after(())) for step in frame.steps] + left
        if loops:  # which lead to the current place of control
            reached += [FrameAt(each.frame) for each in left]
        todo += [each for each in (*reached, *at.verdicts) if each not in states and each not in others]
        others |= dict.fromkeys(at.verdicts)
        states |= dict.fromkeys(reached)
    order = [*states, *(at for at in others if at not in states)]
    number = {at: i for i, at in enumerate(order)}
    places = [_place(at, number)._replace(here=number.get(FrameAt(at.frame), number[at])) for at in order]
    for first in range(len(states)):
        _check_repeats(places, first, frozenset(RuleCall(rule, places[first].here, None) for rule in loops))
    return Places([at.entered or at.frame for at in order], places, len(states))


def _place(at: FrameAt, number: Mapping[FrameAt, int]) -> ControlPlace:
    frame = at.frame
    kind, inner = KINDS[frame.kind], frame.transience > 0
    if frame.kind != "trial":
        return ControlPlace(kind, (), 0, 0, inner)
    calls = dict.fromkeys(RuleCall(step.action, number[FrameAt(step.after(()))], step.recipe) for step in frame.steps)
    success, failure = (number[each] for each in at.verdicts)
    return ControlPlace(kind, tuple(calls), success, failure, inner)


def _check_repeats(places: Sequence[ControlPlace], start: int, loops: frozenset[RuleCall]) -> None:
    """Refuses a call that may be tried twice in one state: both applications are one transition."""
    seen: set[tuple[int, frozenset[RuleCall]]] = set()
    todo: list[tuple[int, frozenset[RuleCall]]] = [(start, loops)]
    while todo:
        number, done = todo.pop()
        place = places[number]
        if (number, done) in seen or place.kind != k.TRIAL:
            continue
        seen.add((number, done))
        calls = frozenset(place.calls)
        if calls & done:
            raise CannotCompile(phrase("The control program tries {rule} twice in a row.", rule=min(calls & done).rule))
        todo += [(place.failure, done), (place.success, done | calls)]


# ── symmetries ───────────────────────────────────────────────────────────────────────────────────


def symmetries_of(world: World, nodes: int, fixed: int, most: int = MOST_SYMMETRIES) -> list[Symmetry]:
    """The automorphisms of the fixed part of the graph, except the identity."""
    shape = Shapes(world).shape(nodes, fixed)
    found: list[Symmetry] = []
    for mapping in mappings(shape, shape):
        moved = {shape.nodes[i]: shape.nodes[to] for i, to in enumerate(mapping) if i != to}
        if moved:
            found.append(moved)
        if len(found) > most:
            raise CannotCompile(
                phrase("The fixed part of the start graph has more than {most} automorphisms.", most=most)
            )
    return found


def images_of(world: World, symmetries: Iterable[Symmetry], layout: BitLayout) -> k.Symmetries:
    """The images of states under each symmetry that moves an edge."""
    order, words = layout.order, layout.width
    bit = {number: i for i, number in enumerate(order)}
    moves: dict[tuple[int, ...], None] = {}
    for symmetry in symmetries:
        moved = []
        for number in order:
            source, label, target = world.edges[number]
            moved.append(bit[world.edge(symmetry.get(source, source), label, symmetry.get(target, target))])
        if moved != list(range(len(order))):
            moves[tuple(moved)] = None
    count = (len(order) + 7) // 8
    every, lanes = list(moves), -(-len(moves) // k.LANES) * k.LANES  # the last lanes repeat symmetries
    if lanes * count * 256 * words * 8 > MAX_IMAGE_BYTES:
        raise CannotCompile(
            phrase(
                "The fixed part of the start graph has {count} automorphisms, which is too many.", count=len(moves) + 1
            )
        )
    images, width = zeros(lanes * count * 256 * words, k.Words), k.LANES
    for lane in range(lanes):
        moved_bits = every[lane % len(every)]
        for byte in range(count):
            values = [0]  # the image of each value of the byte
            for at in range(8 * byte, 8 * byte + 8):
                bit_image = 1 << moved_bits[at] if at < len(order) else 0
                values += [value | bit_image for value in values]
            for word in range(words):
                if values[-1] >> (WORD * word) & ALL:  # other words are 0
                    column = [value >> (WORD * word) & ALL for value in values]
                    place = ((lane // width * words + word) * count + byte) * 256 * width + lane % width
                    images[place : place + 256 * width : width] = array(column, k.Words)
    return k.Symmetries(images, len(moves), count)


# ── instances ────────────────────────────────────────────────────────────────────────────────────


def one_bit(mask: int) -> bool:
    return mask != 0 and mask & (mask - 1) == 0


def is_move(change: LevelEffect) -> bool:
    """Whether a change deletes one edge, if present, and creates at most one other."""
    guard = change.guard
    return (
        not guard.forbid and guard.need == change.clear and one_bit(change.clear) and change.set & (change.set - 1) == 0
    )


def rotation(start_bit: int, end_bit: int) -> tuple[int, int, int]:
    """The source word and target word of a moved bit, and its rotation."""
    start, end = start_bit.bit_length() - 1, end_bit.bit_length() - 1
    return start // WORD, end // WORD, (end - start) % WORD


@dataclass(slots=True)
class RuleRows:
    """The rows of `Rules` under construction; masks are of any width."""

    masks: list[tuple[int, ...]] = field(default_factory=list)
    numbers: list[list[int]] = field(default_factory=list)
    clauses: list[Guard] = field(default_factory=list)
    others_from: list[int] = field(default_factory=lambda: [0])
    others: list[Guard] = field(default_factory=list)
    turns: list[tuple[int, int, int, int]] = field(default_factory=list)
    moves: list[tuple[int, int, int, int]] = field(default_factory=list)
    changes: list[tuple[int, ...]] = field(default_factory=list)
    events: int = 0

    def add_rule(self, rule: str, instances: Iterable[Instance], labels: LabelNumbers) -> tuple[int, int]:
        """Adds a rule's instances, grouped by event; returns their range of rows."""
        first = len(self.numbers)
        events = [list(group) for _, group in groupby(instances, key=lambda each: each.event)]
        for common, block in blocks(events):
            if len(block) > 1:
                gate = len(self.numbers)
                self._row((*common, 0, 0, 0), k.GATE)
            for event in block:
                self._add_event(rule, event, labels)
            if len(block) > 1:
                self.numbers[gate][k.MISS] = len(self.numbers)
        return first, len(self.numbers)

    def _add_event(self, rule: str, instances: list[Instance], labels: LabelNumbers) -> None:
        """Adds the instances of one event, which are interchangeable unless they have changes."""
        label = labels.number(rule, instances[0].arguments)
        if len(instances) > 1 and any(each.changes for each in instances):
            key_bit_of = key_bits_of(rule, instances)
            for instance in instances:
                self._add(instance, label, self.events, key_bit_of)
            self.events += 1
            return
        simple = [each for each in instances if not each.clauses]
        event = self.events if len(simple) < len(instances) > 1 else -1
        if len(simple) > 1:
            instances = [each for each in instances if each.clauses]
            self._add(simple[0]._replace(guard=common_guard(simple)), label, event)
            if all(any(each.guard) for each in simple):
                self._add_patterns([each.guard for each in simple])
        for instance in instances:
            self._add(instance, label, event)
        self.events += 1

    def whole_events(self) -> list[bool]:
        """For each row whether the rows of its event can only have the same effect if no key bit of theirs is set."""
        keys: dict[int, int] = {}
        mixed = set()
        for row, (_, event, *_) in enumerate(self.numbers):
            if event >= 0:
                key = self.masks[row][k.KEY_BITS]
                if keys.get(event, 0) & key or self.has_changes(row):
                    mixed.add(event)
                keys[event] = keys.get(event, 0) | key
        return [event not in mixed for _, event, *_ in self.numbers]

    def has_changes(self, row: int) -> bool:
        after = self.numbers[row + 1][k.CHANGES] if row + 1 < len(self.numbers) else len(self.changes)
        return self.numbers[row][k.CHANGES] < after

    def _row(self, masks: tuple[int, ...], label: int, event: int = -1) -> None:
        """Adds a row; its elements in the other lists are added after it."""
        after = len(self.numbers) + 1
        self.masks.append(masks)
        self.numbers.append([after, event, label, *self._ends()])

    def _ends(self) -> tuple[int, int, int, int]:
        return len(self.clauses), len(self.turns), len(self.moves), len(self.changes)

    def _add(
        self, instance: Instance, label: int, event: int = -1, key_bit_of: dict[Hashable, int] | None = None
    ) -> None:
        clear, set_, key_bits = instance.clear, instance.set, 0
        far: dict[tuple[int, int, int], int] = {}
        changes: list[tuple[int, ...]] = []
        for change in instance.changes:
            key_bit = 0 if key_bit_of is None else key_bit_of[change.event]
            if not key_bit and not any(change.guard):
                clear, set_ = clear | change.clear, set_ | change.set
            elif is_move(change) and key_bit in (0, change.clear):
                clear, key_bits = clear | change.clear, key_bits | key_bit
                if change.set:
                    path = rotation(change.clear, change.set)
                    far[path] = far.get(path, 0) | change.clear
            else:
                changes.append((*change.guard, change.clear, change.set, key_bit))
        self._row((*instance.guard, clear, set_, key_bits), label, event)
        for clause in instance.clauses:
            self.clauses.append(clause.guard)
            self.others += clause.alternatives
            self.others_from.append(len(self.others))
        for path, moved in sorted(far.items()):
            self.moves.append((*path, moved >> (WORD * path[0])))
        self.changes += changes

    def _add_patterns(self, guards: Iterable[Guard]) -> None:
        """Merges guards that are translations of each other into one pattern: rotated words, intersected."""
        shapes: dict[tuple[tuple[int, int, int], ...], int] = {}
        for guard in guards:
            base = next(bits(guard.need | guard.forbid))
            elements = [(bit, 0) for bit in bits(guard.need)] + [(bit, ALL) for bit in bits(guard.forbid)]
            shape = tuple((bit // WORD, (base - bit) % WORD, flipped) for bit, flipped in elements)
            shapes[shape] = shapes.get(shape, 0) | 1 << base % WORD
        for shape, left in shapes.items():
            for word, by, flipped in shape:
                self.turns.append((word, left, by, flipped))
                left = 0

    def arrays(self, width: int) -> k.Rules:
        """The rows as arrays."""

        def masks(rows: Iterable[Sequence[int]]) -> k.Words:
            return array(words_of(chain.from_iterable(rows), width), k.Words)

        end = [0, 0, 0, *self._ends()]
        return k.Rules(
            masks=masks(self.masks),
            numbers=array_of_rows([*self.numbers, end], Rows[k.Ints]),
            clauses=masks(self.clauses),
            others_from=array(self.others_from, k.Ints),
            others=masks(self.others),
            turns=array_of_rows(self.turns, Rows[k.Words]),
            moves=array_of_rows(self.moves, Rows[k.Words]),
            changes=masks(self.changes),
        )


def rows_in(rules: k.Rules) -> int:
    """The number of rows."""
    return len(flat(rules.numbers)) // k.ROW - 1


def words_of(masks: Iterable[int], words: int) -> list[int]:
    """Masks as rows of words, one after the other."""
    return [mask >> (WORD * i) & ALL for mask in masks for i in range(words)]


def array_of_rows(rows: Iterable[Sequence[int]], kind: type[A]) -> A:
    """An array of rows, one after the other."""
    return array(list(chain.from_iterable(rows)), kind)


def common_guard(instances: Iterable[Instance]) -> Guard:
    """The intersection of the guards of several instances."""
    need = forbid = -1
    for instance in instances:
        need, forbid = need & instance.guard.need, forbid & instance.guard.forbid
    return Guard(need, forbid)


def blocks(events: Sequence[list[Instance]]) -> list[tuple[Guard, list[list[Instance]]]]:
    """Groups events by an edge that many of them need, so that all are skipped if it is missing."""
    needs = [common_guard(event).need for event in events]
    count = Counter(bit for need in needs for bit in bits(need))
    found: dict[int, list[list[Instance]]] = {}
    for event, need in zip(events, needs, strict=True):
        best = max(bits(need), key=lambda bit: count[bit], default=-1)
        found.setdefault(best if best >= 0 and count[best] >= MANY else -1, []).append(event)
    alone = found.pop(-1, [])
    together = [(common_guard(each for event in block for each in event), block) for block in found.values()]
    return [*together, *((ALWAYS, [event]) for event in alone)]


def key_bits_of(rule: str, instances: Sequence[Instance]) -> dict[Hashable, int]:
    """Returns a key bit for each change of the instances of one event; it distinguishes the change from the others."""
    changes = {change for instance in instances for change in instance.changes}
    for name in ("clear", "set"):
        found: dict[Hashable, set[int]] = {}
        for change in changes:
            found.setdefault(change.event, set()).add(getattr(change, name))
        masks = [next(iter(each)) for each in found.values()]
        if all(len(each) == 1 for each in found.values()) and all(map(one_bit, masks)) and len({*masks}) == len(masks):
            return {event: next(iter(each)) for event, each in found.items()}
    raise CannotCompile(phrase("Rule {rule} has applications that no single edge distinguishes.", rule=rule))


class LabelNumbers:
    """The numbers of labels; a label is an action's name, with its arguments if they are shown."""

    def __init__(self, world: World, shows: bool) -> None:
        self.world, self.shows = world, shows
        self.found: dict[tuple[str, tuple[str, ...]], int] = {}

    def number(self, name: str, arguments: tuple[int, ...] = ()) -> int:
        texts = tuple(argument(self.world, each) for each in arguments) if self.shows else ()
        number = self.found.setdefault((name, texts), len(self.found))
        if number >= MOST_LABELS:
            raise CannotCompile(
                phrase("The transition system has more than {most_labels} labels.", most_labels=MOST_LABELS)
            )
        return number


# ── states ───────────────────────────────────────────────────────────────────────────────────────


class BitLayout:
    """The layout of a state's bits: the changing edges, by label, and in the last word the place of control."""

    def __init__(self, world: World, edges: int, places: int) -> None:
        self.order = sorted(bits(edges), key=lambda each: (world.edges[each].label, *world.edges[each]))
        self.place_bits = place_bits = max(places - 1, 0).bit_length()
        self.width, self.shift = len(self.order) // WORD + 1, len(self.order) % WORD
        if self.shift + place_bits > WORD:
            self.width, self.shift = self.width + 1, 0
        self._bit = {number: 1 << i for i, number in enumerate(self.order)}
        self._masks: dict[int, int] = {}

    @property
    def is_narrow(self) -> bool:
        return self.width == 1

    def mask(self, edges: int) -> int:
        """The bits of some of the world's edges."""
        if edges not in self._masks:
            self._masks[edges] = sum(self._bit[number] for number in bits(edges))
        return self._masks[edges]

    def guard(self, guard: Guard) -> Guard:
        return Guard(self.mask(guard.need), self.mask(guard.forbid))

    def packed(self, instance: Instance) -> Instance:
        """An instance over the bits of states."""
        return instance._replace(
            guard=self.guard(instance.guard),
            clauses=tuple(
                Clause(self.guard(clause.guard), tuple(map(self.guard, clause.alternatives)))
                for clause in instance.clauses
            ),
            clear=self.mask(instance.clear),
            set=self.mask(instance.set),
            changes=tuple(
                LevelEffect(self.guard(change.guard), self.mask(change.clear), self.mask(change.set), change.event)
                for change in instance.changes
            ),
        )


def plan_of(
    places: Places, start: int, loops: Sequence[str], ranges: Mapping[str, tuple[int, int]], is_whole: Sequence[bool]
) -> list[int]:
    """The places that control may reach in a state at a place, in the order in which their rows follow each other.

    There are none if rows would be tried in another order, if a recipe may begin, or if two rows of an event have to
    be compared.
    """
    found, before, todo = [start], {start: 0}, [start]
    while todo:
        place = places.places[todo.pop()]
        for after in {place.success, place.failure} if place.kind == k.TRIAL else ():
            if after not in before and places.places[after].kind == k.TRIAL:
                found.append(after)
                todo.append(after)
            before[after] = before.get(after, 0) + 1
    ready, plan, end = [start], [], 0

    def first_row(number: int) -> int:
        return min((ranges[call.rule][0] for call in places.places[number].calls), default=0)

    names = list(loops)
    while ready:
        number = min(ready, key=first_row)
        ready.remove(number)
        plan.append(number)
        place = places.places[number]
        if any(call.recipe for call in place.calls):
            return []
        names += [call.rule for call in place.calls]
        for after in {place.success, place.failure}:
            before[after] -= 1
            if not before[after] and places.places[after].kind == k.TRIAL:
                ready.append(after)
    for low, high in (ranges[name] for name in names):
        if low < min(high, end) or not all(is_whole[low:high]):
            return []
        end = max(end, high)
    return plan if len(plan) == len(found) else []


def control_of(
    places: Places,
    ranges: dict[str, tuple[int, int]],
    loops: Sequence[str],
    labels: LabelNumbers,
    layout: BitLayout,
    is_whole: Sequence[bool],
) -> tuple[k.Control, list[str]]:
    """Returns control as arrays, and the names of its calls."""
    calls: list[RuleCall] = [call for place in places.places for call in place.calls] + [
        RuleCall(rule, 0, None) for rule in loops
    ]
    names = list(dict.fromkeys(call.recipe or call.rule for call in calls))
    first, rows = 0, []
    for place in places.places:
        rows.append((place.kind, first, place.success, place.failure, place.inner, place.here))
        first += len(place.calls)
    rows.append((k.DEAD, first, 0, 0, False, 0))
    whole = [
        (*ranges[rule], names.index(recipe or rule), -1 if recipe is None else labels.number(recipe))
        for rule, _, recipe in calls
    ]
    plans = [
        plan_of(places, number, loops, ranges, is_whole) if places.places[number].kind == k.TRIAL else []
        for number in range(places.states)
    ]
    control = k.Control(
        places=array_of_rows(rows, Rows[k.Ints]),
        calls=array_of_rows(whole, Rows[k.Ints]),
        after=array([call.after << layout.shift for call in calls], k.Words),
        plans=array(list(chain.from_iterable(plans)), k.Ints),
        plans_from=array([0, *accumulate(map(len, plans))], k.Ints),
        place_mask=(1 << WORD) - (1 << layout.shift),
        place_shift=layout.shift,
        loops=first,
    )
    return control, names
