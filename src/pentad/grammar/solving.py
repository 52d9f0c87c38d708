"""Games solved as grammars: the value of every explored state, by retrograde analysis.

Three properties of a grammar say what its game is; GROOVE keeps them without reading them:

    gamePlayers   the players: the nodes with this label
    gameTurn      whose turn it is
    gameWon       who has won, in a state without transitions

The last two are labels and names of rules, separated by spaces. A label stands for the players to whom an edge with it
leads, so `flag:won` stands for those who have this flag. A rule, which may be disabled, stands for the players in its
matches or, if it has parameters, for the first one. A fourth property, `gameStuck`, says what the end is worth to the
player to move if nobody has won: `draw` (the default), `lost` or `won`; with the other two `gameWon` may be missing.

The player whose turn it is in a state chooses one of its transitions. Turns need not alternate: a value is that for the
player to move in the same state. Play without end is a draw. Of a partial exploration only that is claimed which does
not depend on unexplored states; the other states are unknown.

>>> from pentad.grammar.exploration import explore
>>> from pentad.grammar.models import new
>>> solution = solve(explore(new("tictactoe", rows=2, line=2)))
>>> solution.value(0), solution.distance(0), solution.tally
(1, 6, Tally(won=29, drawn=0, lost=10, unknown=0))
>>> print(solution.line())
0 —place→ 1 —nextTurn→ 3 —place→ 5 —nextTurn→ 10 —place→ 16 —win→ 24
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar, NamedTuple, TypeAlias

from pentad.game import shown
from pentad.grammar import game_kernels
from pentad.grammar.exploration import EngineRun, Exploration
from pentad.grammar.game_kernels import UNPROVED
from pentad.grammar.grammar import GAME, Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic.ctl import AdjacencyArrays
from pentad.grammar.lts import Lts, Trace, Transition
from pentad.grammar.matching.matcher import Finder
from pentad.grammar.matching.search_plans import admitting, only
from pentad.grammar.rules.rule import Pattern, PatternEdge, QuantifierLevel, Rule, RuleParameter
from pentad.grammar.states.state_space import Space, State
from pentad.grammar.system import System, rule_of
from pentad.kernels.buffers import Buffer, zeros
from pentad.system.words import count, phrase

SolvingProgress: TypeAlias = Callable[[int, int], None]

MOST_PLAYERS = 8  # a set of players is a byte
VALUE_OF_MARK = (0, 1, -1, None)
DRAW, LOST, WON = "draw", "lost", "won"
STUCK = (DRAW, LOST, WON)
PARANOID, MAX_N = "paranoid", "max-n"
METHODS = {
    PARANOID: "the others play together against the player to move",
    MAX_N: "each player seeks the best result for themselves",
}


# ── the game of a grammar ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class GrammarGame:
    """What a grammar's game is: labels and rules that stand for players."""

    players: str
    turn: str
    won: str
    stuck: str = DRAW

    def __post_init__(self) -> None:
        if self.stuck not in STUCK:
            raise GrammarError(
                phrase(
                    "The property gameStuck is one of {allowed}, not {got}.",
                    allowed=", ".join(STUCK),
                    got=shown(self.stuck),
                )
            )


def game_of(grammar: Grammar, **given: str | None) -> GrammarGame:
    """The game of a grammar, by its properties; `given` replaces them: players, turn, won, stuck."""
    said = {name: given.get(name) or grammar.setting(GAME[name]).strip() for name in GAME}
    said["stuck"] = said["stuck"] or DRAW
    for name, what in (("players", "who the players are"), ("turn", "whose turn it is"), ("won", "who has won")):
        if not said[name].split() and not (name == "won" and said["stuck"] != DRAW):
            raise GrammarError(
                phrase("The grammar does not say {what}: The property {game} is missing.", what=what, game=GAME[name])
            )
    return GrammarGame(**said)


def condition(system: System, name: str) -> Rule:
    """The rule without effects whose parameters are the nodes for which a label or a rule stands."""
    if name in system.grammar.rules:
        rule = rule_of(system.grammar, name, system.types, system.algebra)
        if rule.filter or any(each.from_oracle for each in rule.parameters):
            raise GrammarError(
                phrase("The rule {name} calls functions; it cannot say whose turn it is or who has won.", name=name)
            )
        nodes = [each.variable for each in rule.parameters[:1]] or rule.root.pattern.nodes
    else:
        label = system.label(name)
        if label is None:
            raise GrammarError(
                phrase("The grammar has neither a rule nor a label {name}.", name=shown(name)), system.grammar.name
            )
        rule = Rule(name)
        one, node = rule.variable("n0"), rule.variable("n1")
        rule.levels = [QuantifierLevel(pattern=Pattern(nodes=[one, node], edges=[PatternEdge(one, label, node)]))]
        nodes = [node]
    levels = [
        replace(
            level, erased_nodes=[], erased=[], created_nodes=[], created=[], kept=[], merged=[],
            anchors=() if number else tuple(nodes),
        )
        for number, level in enumerate(rule.levels)
    ]  # fmt: skip
    return replace(rule, levels=levels, parameters=[RuleParameter(node, "node") for node in nodes])


class Referee:
    """Says for states whose turn it is and who has won."""

    def __init__(self, system: System, game: GrammarGame) -> None:
        self.system = system
        self.turn, self.won = ([condition(system, name) for name in text.split()] for text in (game.turn, game.won))
        start = State(system.nodes, system.edges, system.control.start())
        labelled = self._finder(condition(system, game.players)).matches(system.host(start.nodes, start.edges))
        self.players = sorted({node for match in labelled for node in match.arguments()})
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            what = phrase(
                "The start graph has {players} ({game_players})",
                players=count(len(self.players), "player"),
                game_players=game.players,
            )
            raise GrammarError(
                phrase("{what}; a game has 2 to {most_players}.", what=what, most_players=MOST_PLAYERS),
                system.grammar.name,
            )
        self._bits = {player: 1 << seat for seat, player in enumerate(self.players)}

    def _finder(self, rule: Rule) -> Finder:
        system = self.system
        admits = only if system.types is None else admitting(system.types.subtypes)
        return Finder(rule, system.host(system.nodes, system.edges), admits, system.algebra)

    def reader(self, rules: Sequence[Rule]) -> Callable[[State], int]:
        """A function from states to the players for whom rules stand, as bits."""
        finders, bits = list(map(self._finder, rules)), self._bits

        def read(state: State) -> int:
            host, found = self.system.host(state.nodes, state.edges), 0
            for finder in finders:
                for match in finder.matches(host):
                    for node in match.arguments():
                        found |= bits.get(node, 0)
            return found

        return read

    def matched(self, run: EngineRun, rules: Sequence[Rule], among: Buffer) -> Buffer:
        """For each state of a set, the players for whom rules stand, as bits."""
        from pentad.grammar.compiled import conditions
        from pentad.grammar.compiled.engine import CompiledRun
        from pentad.grammar.compiled.grounding import CannotCompile

        if isinstance(run, CompiledRun):
            try:
                return conditions.matched(run, rules, self.players, among)
            except CannotCompile:
                pass  # each state is read by itself
        read, found = self.reader(rules), zeros(len(among), "uint8", huge=True)
        for state, is_wanted in enumerate(among):
            if is_wanted:
                found[state] = read(run.state(state))
        return found

    def passing(self, run: EngineRun, lts: Lts, seats: Buffer) -> Buffer:
        """For each transition, if isomorphic states are merged, whether another player is to move after it.

        A merged state shows another player than the one that a transition leads to, so the turn is compared before
        states are merged.
        """
        passes = zeros(lts.transitions, "uint8", huge=True)
        from pentad.grammar.compiled import conditions
        from pentad.grammar.compiled.engine import CompiledRun

        if isinstance(run, CompiledRun):
            moving = conditions.moving_labels(run, self.turn, self.players)
            if moving is not None:
                table = bytes(moving)
                for number, action in enumerate(lts.actions):
                    passes[number] = table[action]
                return passes
        read, found = self.reader(self.turn), dict[tuple[int, str, int], bool]()
        for state in range(lts.states):
            if state in lts.open:
                continue
            for each in Space(self.system).successors(run.state(state))[0]:
                target = run.find(each.state)
                if target is not None:
                    changes = read(each.state) != 1 << seats[state]
                    if found.setdefault((state, each.action, target), changes) != changes:
                        raise GrammarError(
                            phrase(
                                "{action} leads from state {state} to state {target} in two ways "
                                "that differ in who moves next. Explore with isomorphism=False or --iso no.",
                                action=each.action,
                                state=state,
                                target=target,
                            )
                        )
        for number, (source, action, target) in enumerate(zip(lts.sources, lts.actions, lts.targets, strict=True)):
            passes[number] = found.get((source, lts.labels[action][0], target), False)
        return passes


# ── solving ──────────────────────────────────────────────────────────────────────────────────────


class Moves(AdjacencyArrays):
    """The columns of a game's moves."""

    kernels: ClassVar[ModuleType] = game_kernels


class Tally(NamedTuple):
    """The numbers of states that are won, drawn and lost for the player to move, and of those with unknown values."""

    won: int
    drawn: int
    lost: int
    unknown: int


class ValuedTransition(NamedTuple):
    """A transition, and its value and distance for the player who makes it."""

    transition: Transition
    value: int | None
    distance: int | None


@dataclass(eq=False)
class StateValues:
    """The values of all states of an exploration, each for the player whose turn it is.

    With more than two players, a value is what a player can be sure of against all others, or the result if each seeks
    the best for themselves (`max-n`). Then a player wins alone, 1; loses to others, -1; or neither, 0. `lts` has
    the moves.
    """

    game: GrammarGame
    method: str
    players: tuple[str, ...]  # the names of their nodes
    lts: Lts
    seconds: float
    _columns: Moves
    _seats: Buffer
    _passes: Buffer | None  # each transition has one, if isomorphic states are merged
    _marks: Sequence[Buffer]  # each player has one, or both of two share it; of max-n they are the winners
    _distances: Sequence[Any]

    def mover(self, state: int) -> str:
        """The player whose turn it is; if isomorphic states are merged, in the state as it is shown."""
        return self.players[self._seats[self._known(state)]]

    def value(self, state: int) -> int | None:
        """1, 0 or -1 if the player to move wins, draws or loses; None if that is unknown."""
        return self._value(self._seats[self._known(state)], state, has_passed=False)

    def distance(self, state: int) -> int | None:
        """How many transitions a win takes at least, or a loss at most; None for draws and unknown values.

        In a partial exploration it is a bound: there may be a shorter win.
        """
        return self._distance(self._seats[state], state) if self.value(state) else None

    def moves(self, state: int) -> list[ValuedTransition]:
        """The transitions of a state, with their values and distances for the player who makes them."""
        seat, found = self._seats[self._known(state)], list[ValuedTransition]()
        for number in self._leaving(state):
            target = self.lts.targets[number]
            value = self._value(seat, target, self._has_passed(number))
            distance = self._distance(seat, target) + 1 if value else None
            found.append(ValuedTransition(self.lts.transition(number), value, distance))
        return found

    def best(self, state: int) -> list[Transition]:
        """The best moves of a state: its quickest wins, its draws, or its slowest losses.

        If its value is unknown, these are the moves that do not lose as far as is known.
        """
        value, moves = self.value(state), self.moves(state)
        if value is None:
            return [move.transition for move in moves if move.value in (None, 0)]
        found = [move for move in moves if move.value == value]
        distances = [move.distance or 0 for move in found]
        best = min(distances, default=0) if value > 0 else max(distances, default=0)
        return [move.transition for move in found if (move.distance or 0) == best]

    def line(self, state: int = 0) -> Trace:
        """A line of best play, to the end of the game or into its repetition; empty if the value is unknown."""
        steps, seen = list[Transition](), {state: 0}
        here = state
        while self.value(here) is not None and (best := self.best(here)):
            steps.append(best[0])
            here = best[0].target
            if here in seen:
                return Trace(state, tuple(steps), seen[here])
            seen[here] = len(steps)
        return Trace(state, tuple(steps))

    @cached_property
    def tally(self) -> Tally:
        """How many states are won, drawn, lost and unknown for the player to move."""
        if self.method == PARANOID and len(self._marks) == 1:
            marks = bytes(self._marks[0])
            drawn, won, lost, unknown = map(marks.count, range(len(VALUE_OF_MARK)))
            return Tally(won, drawn, lost, unknown)
        values = Counter(map(self.value, range(self.lts.states)))
        return Tally(values[1], values[0], values[-1], values[None])

    def json(self) -> dict[str, Any]:
        """The solution of the start as JSON data."""
        return {
            "players": list(self.players),
            "method": self.method,
            "turn": self.mover(0),
            "value": self.value(0),
            "distance": self.distance(0),
            **self.tally._asdict(),
            "line": self.line().json(),
            "seconds": round(self.seconds, 6),
        }

    def _known(self, state: int) -> int:
        if not isinstance(state, int) or not 0 <= state < self.lts.states:
            raise GrammarError(
                phrase(
                    "No state {state}; states are numbered from 0 to {states}.",
                    state=shown(state),
                    states=self.lts.states - 1,
                )
            )
        return state

    def _leaving(self, state: int) -> Iterator[int]:
        """The numbers of a state's transitions."""
        side = self._columns.forward
        places = range(side.begins[state], side.begins[state + 1])
        return iter(places) if side.numbers is None else (side.numbers[place] for place in places)

    def _has_passed(self, number: int) -> bool:
        """Whether another player is to move after a transition."""
        if self._passes is not None:
            return bool(self._passes[number])
        return bool(self._seats[self.lts.sources[number]] != self._seats[self.lts.targets[number]])

    def _value(self, seat: int, state: int, has_passed: bool) -> int | None:
        """The value of a state for a player, who has passed the turn or is to move."""
        if self.method == MAX_N:
            winners = self._marks[0][state]
            return None if winners == UNPROVED else result(winners, seat)
        value = VALUE_OF_MARK[self._marks[seat % len(self._marks)][state]]
        return -value if has_passed and value else value

    def _distance(self, seat: int, state: int) -> int:
        return int(self._distances[seat % len(self._distances)][state])


def result(winners: int, seat: int) -> int:
    """The value of a set of winners, as bits, for a player: 1 for a win alone, -1 for a loss, else 0."""
    return 0 if winners == 0 or (winners >> seat & 1 and winners != 1 << seat) else 1 if winners >> seat & 1 else -1


def ranks_of(players: int) -> bytes:
    """The rank of each set of winners for each player, 256 sets a player: a win alone is 255.

    A loss is 0, and then come draws and wins together with others, the fewer the better. If all win, it is a draw.
    """
    ranks = bytearray(256 * players)
    for seat in range(players):
        for winners in range(1 << players):
            count = winners.bit_count() or players
            is_among = winners == 0 or winners >> seat & 1
            ranks[256 * seat + winners] = 0 if not is_among else 255 if count == 1 else 1 + players - count
    return bytes(ranks)


def solve(
    exploration: Exploration,
    *,
    players: str | None = None,
    turn: str | None = None,
    won: str | None = None,
    stuck: str | None = None,
    method: str = PARANOID,
    progress: SolvingProgress | None = None,
) -> StateValues:
    """Solves the game of an explored grammar.

    `players`, `turn`, `won` and `stuck` replace the grammar's properties. `method` is for more than two players:
    `paranoid` or `max-n`. `progress` is called from time to time with the number of states that are decided and the
    number of all; it may raise an exception to stop.
    """
    begun = time.perf_counter()
    if method not in METHODS:
        raise GrammarError(
            phrase("Unknown method {method}. Methods: {methods}.", method=shown(method), methods=", ".join(METHODS))
        )
    system, run = exploration.system, exploration.run
    game = game_of(system.grammar, players=players, turn=turn, won=won, stuck=stuck)
    lts = _without_properties(exploration.lts, system)
    if not lts.states:
        raise GrammarError("An exploration without states cannot be solved.")
    if exploration.transitions and not exploration.lts.transitions:
        raise GrammarError("The exploration has only counted the transitions. Explore with keep=True.")
    assert run is not None
    referee = Referee(system, game)
    number = len(referee.players)
    if exploration.isomorphism and (number > 2 or method == MAX_N):
        raise GrammarError(
            phrase(
                "{what} needs unmerged states: isomorphism=False or --iso no.",
                what="Max-n" if method == MAX_N else f"A game for {number} players",
            )
        )
    solver = Solver(lts, run, referee, game, exploration.isomorphism, progress)
    marks, distances = solver.max_n() if method == MAX_N else solver.paranoid()
    names = tuple(system.world.text(player) for player in referee.players)
    return StateValues(
        game, method, names, lts, time.perf_counter() - begun,
        solver.columns, solver.seats, solver.passes, marks, distances,
    )  # fmt: skip


def _without_properties(lts: Lts, system: System) -> Lts:
    """A transition system without the loops of conditions, which are no moves."""
    tested = {rule.name for rule in system.properties}
    unwanted = [name in tested for name, _ in lts.labels]
    if not any(unwanted):
        return lts
    kept = [number for number, action in enumerate(lts.actions) if not unwanted[action]]
    moves = replace(lts, _first=None)
    for name in ("sources", "actions", "targets"):
        setattr(moves, name, array("q", map(getattr(lts, name).__getitem__, kept)))
    return moves


class Solver:
    """The columns of a game, and the analyses over them."""

    def __init__(
        self,
        lts: Lts,
        run: EngineRun,
        referee: Referee,
        game: GrammarGame,
        isomorphism: bool,
        progress: SolvingProgress | None = None,
    ) -> None:
        self.lts, self.referee, self.states, self.progress = lts, referee, lts.states, progress
        columns = self.columns = Moves(lts, lts.states)
        everywhere = self._bytes(b"" * self.states)
        self.seats = self._bytes()
        wrong = columns.call("read_seats", referee.matched(run, referee.turn, everywhere), self.seats)
        if wrong >= 0:
            raise GrammarError(
                phrase(
                    "In state {wrong} gameTurn={turn} does not select exactly one player.", wrong=wrong, turn=game.turn
                )
            )
        self.begins = columns.forward.begins
        ended, self.is_open = self._bytes(), self._bytes()
        columns.call("stuck", self.begins, ended)
        for state in lts.open:
            self.is_open[state] = 1
        self.winners = referee.matched(run, referee.won, ended)
        everyone, seats = (1 << len(referee.players)) - 1, range(len(referee.players))
        self.stuck = self._bytes(
            bytes({DRAW: 0, LOST: everyone ^ 1 << seat, WON: 1 << seat}[game.stuck] for seat in seats)
        )
        self.passes = referee.passing(run, lts, self.seats) if isomorphism else None

    def _bytes(self, data: bytes | None = None) -> Buffer:
        made = zeros(self.states if data is None else len(data), "uint8", huge=True)
        if data is not None:
            made[:] = data
        return made

    def _numbers(self, count: int) -> Any:
        return self.columns.zeros(count, "int32")

    def _read_queue(self, kernel: str, *arguments: Any, size: int) -> None:
        """Calls a kernel until it has read the whole queue of `size` states, which grows."""
        ends = game_kernels.QueueEnds()
        ends.size = size
        while ends.head < ends.size:
            self.columns.call(kernel, *arguments, ends)
            if self.progress is not None:
                self.progress(min(ends.head, self.states), self.states)

    def paranoid(self) -> tuple[list[Buffer], list[Any]]:
        """The marks and distances for each player against the others; of two players, for both at once."""
        players = len(self.referee.players)
        solved = [self._sides(me) for me in range(players if players > 2 else 1)]
        return [marks for marks, _ in solved], [distances for _, distances in solved]

    def _sides(self, me: int) -> tuple[Buffer, Any]:
        columns, transitions = self.columns, len(self.columns.sources)
        signed, before = self._numbers(transitions), self._numbers(transitions)
        if self.passes is None:
            columns.call("sign_by_sides", columns.sources, columns.targets, self.seats, me, signed)
        else:
            columns.call("sign_by_turns", columns.sources, self.passes, signed)
        begins = columns.zeros(self.states + 2, "int64")
        columns.call("group", columns.targets, signed, begins, before)
        del signed

        def spread(doubts: bool) -> tuple[Buffer, Any]:
            marks, left, distances = self._bytes(), self._numbers(self.states), self._numbers(self.states)
            queue = self._numbers(2 * self.states if doubts else self.states)
            size = columns.call(
                "judge", self.begins, self.is_open, self.seats, self.winners, self.stuck, me, marks, left, queue
            )
            if doubts:
                size = columns.call("doubt", self.is_open, marks, queue, size)
            self._read_queue("spread", begins, before, left, marks, distances, queue, size=size)
            return marks, distances

        marks, distances = spread(doubts=False)
        if self.lts.open:
            columns.call("mark_unknown", spread(doubts=True)[0], marks)
        return marks, distances

    def max_n(self) -> tuple[list[Buffer], list[Any]]:
        """The winners if each player seeks the best for themselves, and the distances."""
        columns, winners = self.columns, self.winners
        left, queue, distances = (self._numbers(self.states) for _ in range(3))
        size = columns.call(
            "begin_max_n", self.begins, self.is_open, self.seats, self.stuck, winners, left, queue
        )  # fmt: skip
        before, forward = columns.backward, columns.forward
        moves = game_kernels.TwoWays(before.begins, before.others, forward.begins, forward.others)
        ranks = self._bytes(ranks_of(len(self.referee.players)))
        self._read_queue("max_n", moves, self.seats, ranks, left, winners, distances, queue, size=size)
        return [winners], [distances]
