"""Monte Carlo tree search of Pentago on any board and for any number of players, and its bot."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, cast

from pentad.game import GameError, Move, Step, shown, whole
from pentad.games.pentago.board import spaces_of
from pentad.games.pentago.playouts import constants as k
from pentad.games.pentago.playouts.classic_constants import CLASSIC
from pentad.games.pentago.playouts.constants import TAKE_WINS, BoardRules, GameRoom, PlayoutControl, PlayoutTables
from pentad.games.pentago.rules import PentagoPosition, Setup
from pentad.kernels.buffers import array, copy, zeros
from pentad.kernels.program import program
from pentad.kernels.types import Float64s, Int8s, Int64s, UInt8s, UInt64s
from pentad.search.bot import EngineBot
from pentad.search.levels import Level, ladder
from pentad.search.mcts import Expansion, TreeSearch, turn_of
from pentad.search.move_limit import Limit
from pentad.search.report import Line, Report, Result

KERNELS = "pentad.games.pentago.playouts.kernels"
GROWTH = 4.0  # factor of the weight for each marble of a line
LIKE_FIVE = 5  # open lines weigh as much as lines of five that lack as many marbles
LONGEST = 30  # limits the exponent of weights, so that long lines do not overflow


def is_classic(setup: Setup) -> bool:
    """Whether two play on the classic board, which has kernels of its own for random games."""
    return setup.board == CLASSIC and setup.players == 2


@lru_cache(maxsize=64)
def tables_of(setup: Setup) -> PlayoutTables:
    """Converts a setup to the kernels' tables."""
    board, stride = setup.board, setup.board.width + 2

    def cell(space: int) -> int:
        row, column = divmod(space, board.width)
        return (row + 1) * stride + column + 1

    def moving(end: int) -> list[int]:
        return [cell(pair[end].bit_length() - 1) for twist in board.twists for pair in board.quarter_turns[twist][1]]

    sub_boards = [board.quarter_turns[twist][0] for twist in board.twists[::2]]  # the spaces of each
    touching = [[i for i, line in enumerate(board.lines) if line & spaces] for spaces in sub_boards]
    lacking = [board.line - count for count in range(board.line + 1)]
    leaves = moving(0)
    rules = BoardRules(
        spaces=board.size,
        twists=len(board.twists),
        line=board.line,
        stride=stride,
        players=setup.players,
        placement_wins=setup.win_on_placement,
        moving=len(leaves) // len(board.twists),
        cells=array([cell(space) for space in range(board.size)], Int64s),
        leaves=array(leaves, Int64s),
        enters=array(moving(1), Int64s),
    )
    rng = random.Random(1)
    keys = [rng.getrandbits(62) for _ in range((board.height + 2) * stride * (setup.players + 1))]
    return PlayoutTables(
        rules=rules,
        classic=is_classic(setup),
        lines=array([cell(space) for line in board.lines for space in spaces_of(line)], Int64s),
        touching=array([line for lines in touching for line in lines], Int64s),
        first=array([0, *accumulate(map(len, touching))], Int64s),
        weights=array([GROWTH ** max(LIKE_FIVE - lack, -LONGEST) for lack in lacking], Float64s),
        zobrist=array(keys, Int64s),
    )


def cells_of(here: PentagoPosition) -> Int8s:
    """Converts a position to a board of cells."""
    board, cells = here.board, tables_of(here.setup).rules.cells
    made = array([k.RIM] * ((board.height + 2) * (board.width + 2)), Int8s)
    for cell in cells:
        made[cell] = k.EMPTY
    for seat, marbles in enumerate(here.marbles):
        for space in spaces_of(marbles):
            made[cells[space]] = seat + 1
    return made


class PlayoutState(NamedTuple):
    """A state of the tree: a board of cells, the seat to move, and whether the marble is already placed."""

    cells: Int8s
    seat: int
    placed: bool


class BoardExpander:
    """Expands Pentago's positions for tree search; its steps are the numbers of spaces and twists.

    Every state is evaluated by some random games, unless the game is over or the seat that begins a turn has a win.
    """

    def __init__(self, setup: Setup, games: int, rollout_policy: int) -> None:
        self.setup = setup
        self.control = control = PlayoutControl()
        control.games, control.rollout_policy = games, rollout_policy
        board = setup.board
        size, most = (board.height + 2) * (board.width + 2), max(board.size, len(board.twists))
        room = GameRoom(
            game=zeros(size, Int8s),
            work=zeros(size, Int8s),
            gaps=zeros(setup.players * k.SLOTS, Int64s),
            order=zeros(board.size, UInt8s),
            log=zeros(board.size + 1, UInt64s),
        )
        self._arrays = k.PlayoutArrays(
            tables=tables_of(setup),
            before=zeros(size, Int8s),
            board=zeros(size, Int8s),
            steps=zeros(most, Int64s),
            priors=zeros(most, Float64s),
            returns=zeros(setup.players, Float64s),
            weights=zeros(size, Float64s),
            seen=zeros(len(board.twists), Int64s),
            room=room,
            control=control,
        )
        self._expand = program(KERNELS).bind("expand", self._arrays)

    def stop(self) -> None:
        """Ends the random games."""
        self.control.stop = 1

    def state(self, here: PentagoPosition) -> PlayoutState:
        """Converts a position to a state of the tree."""
        return PlayoutState(cells_of(here), here.turn, here.placed)

    def __call__(self, state: PlayoutState, step: Step | None, seed: int) -> Expansion[PlayoutState]:
        arrays, control = self._arrays, self.control
        control.seed = seed | 1
        arrays.before[:] = state.cells
        count = self._expand(state.seat, state.placed, k.NONE if step is None else cast(int, step))
        cells = copy(arrays.board)
        seat, placed = state.seat, state.placed
        if step is not None:
            placed = not placed
            seat = seat if placed else (seat + 1) % self.setup.players
        worth = tuple(arrays.returns)
        if count == k.NONE:
            return Expansion(PlayoutState(cells, seat, placed), seat, worth, True, (), (), 0)
        steps, priors = (copy(memoryview(each)[:count]) for each in (arrays.steps, arrays.priors))
        return Expansion(PlayoutState(cells, seat, placed), seat, worth, False, steps, priors, control.games)

    def steps(self, numbers: Sequence[Step], placed: bool) -> tuple[Step, ...]:
        """Converts step numbers to a turn, whole or partial; `placed` if only the rotation is left."""
        board = self.setup.board
        tables: tuple[Sequence[Step], ...] = (board.places, board.twists)[placed:]
        return tuple(table[cast(int, number)] for table, number in zip(tables, numbers, strict=False))


class BoardSearch(TreeSearch[PlayoutState]):
    """A tree search from a position; its `stop` ends the random games too."""

    def __init__(self, expander: BoardExpander, position: PentagoPosition, *, seed: int) -> None:
        self.expander, self.position = expander, position
        super().__init__(expander, expander.state(position), seed=seed)

    def stop(self) -> None:
        super().stop()
        self.expander.stop()

    def turns(self) -> list[Move]:
        """The turns of the principal variation; the last one is whole."""
        here, numbers = self.position, self.steps()
        moves: list[Move] = []
        while numbers and not here.outcome:
            steps = self.expander.steps(numbers, here.placed)
            move = turn_of(here, steps)
            if moves and len(move) > len(steps):
                break
            moves.append(move)
            numbers, here = numbers[len(move) :], here.play(move)
        return moves

    def report(self, longest: int) -> Report | None:
        """The report on the best turn and at most so many turns of its line, if there is one."""
        number = self.best()
        if number is None:
            return None
        child, moves = self.root.children[number], self.turns()
        values = self.root.known or child.known or tuple(total / child.visits for total in child.totals)
        line = Line(tuple(moves[:longest]), values)
        return Report(self.position.turn, len(moves), self.playouts, 0.0, (line,), self.root.known is not None)


def winning_move(here: PentagoPosition) -> Move | None:
    """A turn that wins for the seat to move alone, or None."""
    board, cells = here.board, cells_of(here)
    work = zeros(len(cells), Int8s)
    code = program(KERNELS)("winning_turn", tables_of(here.setup), cells, work, here.turn, here.placed)
    if code == k.NONE:
        return None
    space, twist = divmod(code, len(board.twists) + 1)
    placing: tuple[Step, ...] = () if here.placed else (board.places[space],)
    return Move((*placing, *board.twists[twist : twist + 1]))


# ── the bot ───────────────────────────────────────────────────────────────────────────────────────
#
# It has five levels, or plays a number of random games for each move: `tree:rollouts=10000`.

NAME = "tree"
GAMES = 3  # random games from every expanded state
MANY_GAMES = 24  # the same on the classic board, where they are fast, if only time limits the search
MOST_ROLLOUTS = 10_000_000


LEVELS = ladder(
    Level(nodes=20, blunder_rate=0.4),
    Level(nodes=30, blunder_rate=0.2),
    Level(nodes=60),
    Level(nodes=120),
    Level(nodes=300),
    Level(nodes=800),
    Level(nodes=2_500),
    Level(nodes=10_000),
    Level(),
)


class PlayoutBot(EngineBot):
    """Plays the best move of a tree search; the highest level uses all of its time, one second by default."""

    kind, levels = NAME, LEVELS
    limited_by = frozenset({"nodes"})

    def __init__(self, level: float = 5, seed: int | None = None, rollouts: int | None = None) -> None:
        super().__init__(level, seed)
        self._rollouts = rollouts
        if rollouts is not None:
            self.name = f"{NAME}:rollouts={rollouts}"

    def _level_of_move(self, limit: Limit) -> Level:
        own = limit if limit.nodes is not None else replace(limit, nodes=self._rollouts)
        return super()._level_of_move(own)

    def _searched(self, here: PentagoPosition, limit: Limit) -> Result:
        if move := winning_move(here):
            return Result(move, 1.0, True, (move,))
        games = MANY_GAMES if is_classic(here.setup) and self.level.nodes is None else GAMES
        expander = BoardExpander(here.setup, games, TAKE_WINS)
        search = BoardSearch(expander, here, seed=self.random.getrandbits(60))
        self._search = search
        # a number of games has no time limit unless one is given
        seconds = limit.time if self.level.nodes is None else limit.seconds
        search.run(self.level.nodes, seconds, self._deepened if self._listener else None)
        move = turn_of(here, expander.steps(search.steps(), here.placed))
        return replace(Result.of(move, self._last_report()), nodes=search.playouts)

    def _report(self, longest: int) -> Report | None:
        return self._search.report(longest) if isinstance(self._search, BoardSearch) else None


def configured(settings: str, seed: int | None) -> PlayoutBot:
    """Makes the bot from settings such as `rollouts=10000`."""
    name, equals, number = settings.partition("=")
    rollouts = whole(number, 8) if name == "rollouts" and equals else None
    if rollouts is None or not 0 < rollouts <= MOST_ROLLOUTS:
        raise GameError(
            "Unknown setting {settings} of bot {name}. Expected rollouts=N, with N from 1 to {most_rollouts}.",
            settings=shown(settings),
            name=NAME,
            most_rollouts=MOST_ROLLOUTS,
        )
    return PlayoutBot(seed=seed, rollouts=rollouts)
