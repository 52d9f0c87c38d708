"""Monte Carlo tree search of Pentago on any board and for any number of players, and its bot."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np

from pentad.game import GameError, IllegalMove, Move, Position, Step, shown
from pentad.kernel import prepare
from pentad.pentago.board import spaces_of
from pentad.pentago.playouts import kernels as k
from pentad.pentago.playouts.kernels import TAKE_WINS
from pentad.pentago.rules import PentagoPosition, Setup
from pentad.search.bot import DEFAULT_SECONDS, Bot
from pentad.search.mcts import Expansion, Search, turn_of

KERNELS = "pentad.pentago.playouts.kernels"
GROWTH = 4.0  # factor of the weight for each marble of a line
LIKE_FIVE = 5  # open lines weigh as much as lines of five that lack as many marbles
LONGEST = 30  # limits the exponent of weights, so that long lines do not overflow


@lru_cache(maxsize=64)
def tables_of(setup: Setup) -> k.Tables:
    """Converts a setup to the kernels' tables."""
    board, stride = setup.board, setup.board.width + 2

    def cell(space: int) -> int:
        row, column = divmod(space, board.width)
        return (row + 1) * stride + column + 1

    def moving(end: int) -> k.Ints:
        pairs = [[cell(pair[end].bit_length() - 1) for pair in board.quarter_turns[twist][1]] for twist in board.twists]
        return np.array(pairs, dtype=np.int64).reshape(len(pairs), -1)

    sub_boards = [board.quarter_turns[twist][0] for twist in board.twists[::2]]  # the spaces of each
    touching = [[i for i, line in enumerate(board.lines) if line & spaces] for spaces in sub_boards]
    first = np.cumsum([0, *map(len, touching)])
    lacking = [board.line - count for count in range(board.line + 1)]
    zobrist = np.random.default_rng(1).integers(1, 1 << 62, size=((board.height + 2) * stride, setup.players + 1))
    return k.Tables(
        spaces=board.size,
        twists=len(board.twists),
        line=board.line,
        stride=stride,
        players=setup.players,
        placement_wins=int(setup.win_on_placement),
        cells=np.array([cell(space) for space in range(board.size)], dtype=np.int64),
        leaves=moving(0),
        enters=moving(1),
        lines=np.array([[cell(space) for space in spaces_of(line)] for line in board.lines], dtype=np.int64),
        touching=np.array([line for lines in touching for line in lines], dtype=np.int64),
        first=first.astype(np.int64),
        weights=np.array([GROWTH ** max(LIKE_FIVE - lack, -LONGEST) for lack in lacking]),
        zobrist=zobrist.astype(np.int64),
    )


def boards_of(positions: Sequence[PentagoPosition]) -> k.Cells:
    """Converts positions of one setup to boards of cells."""
    board, players = positions[0].board, positions[0].players
    size = (board.size + 7) // 8
    sets = b"".join(marbles.to_bytes(size, "little") for here in positions for marbles in here.marbles)
    bits = np.unpackbits(
        np.frombuffer(sets, dtype=np.uint8).reshape(len(positions), players, size), axis=2, bitorder="little"
    )
    seats = np.arange(1, players + 1, dtype=np.int8)[None, :, None]
    spaces = (bits[:, :, : board.size].astype(np.int8) * seats).sum(axis=1, dtype=np.int8)
    cells = np.full((len(positions), board.height + 2, board.width + 2), k.RIM, dtype=np.int8)
    cells[:, 1:-1, 1:-1] = spaces.reshape(len(positions), board.height, board.width)
    return cells.reshape(len(positions), -1)


class Cells(NamedTuple):
    """A state of the tree: a board of cells, the seat to move, and whether the marble is already placed."""

    cells: k.Cells
    seat: int
    placed: bool


class BoardExpander:
    """Expands Pentago's positions for tree search; its steps are the numbers of spaces and twists.

    Every state is evaluated by some random games, unless the game is over or the seat that begins a turn has a win.
    """

    def __init__(self, setup: Setup, games: int, rollout_policy: int) -> None:
        prepare(KERNELS)
        self.setup, self.games, self.rollout_policy = setup, games, rollout_policy
        self.tables = tables_of(setup)
        most = max(self.tables.spaces, self.tables.twists)
        self._steps, self._priors = np.zeros(most, dtype=np.int64), np.zeros(most)
        self._returns, self._seed = np.zeros(setup.players), np.zeros(1, dtype=np.int64)
        self._stop = np.zeros(1, dtype=np.int64)

    def stop(self) -> None:
        """Ends the random games."""
        self._stop[0] = 1

    def state(self, here: PentagoPosition) -> Cells:
        """Converts a position to a state of the tree."""
        return Cells(boards_of([here])[0], here.turn, here.placed)

    def __call__(self, state: Cells, step: Step | None, seed: int) -> Expansion[Cells]:
        cells = np.empty_like(state.cells)
        self._seed[0] = seed | 1
        count = k.expand(
            self.tables,
            state.cells,
            state.seat,
            state.placed,
            k.NONE if step is None else cast(int, step),
            cells,
            self._steps,
            self._priors,
            self._returns,
            self.games,
            self.rollout_policy,
            self._seed,
            self._stop,
        )
        seat, placed = state.seat, state.placed
        if step is not None:
            placed = not placed
            seat = seat if placed else (seat + 1) % self.setup.players
        after, worth = Cells(cells, seat, placed), tuple(self._returns.tolist())
        if count == k.NONE:
            return Expansion(after, seat, worth, True, (), (), 0)
        steps, priors = array("q", self._steps[:count].tobytes()), array("d", self._priors[:count].tobytes())
        return Expansion(after, seat, worth, False, steps, priors, self.games)

    def steps(self, numbers: Sequence[Step], placed: bool) -> tuple[Step, ...]:
        """Converts step numbers to a turn, whole or partial; `placed` if only the rotation is left."""
        board = self.setup.board
        tables: tuple[Sequence[Step], ...] = (board.places, board.twists)[placed:]
        return tuple(table[cast(int, number)] for table, number in zip(tables, numbers, strict=False))


def winning_move(here: PentagoPosition) -> Move | None:
    """A turn that wins for the seat to move alone, or None."""
    prepare(KERNELS)
    board = here.board
    cells = boards_of([here])[0]
    code = k.winning_turn(tables_of(here.setup), cells, here.turn, here.placed, np.empty_like(cells))
    if code == k.NONE:
        return None
    space, twist = divmod(int(code), len(board.twists) + 1)
    placing: tuple[Step, ...] = () if here.placed else (board.places[space],)
    return Move((*placing, *board.twists[twist : twist + 1]))


# ── the bot ───────────────────────────────────────────────────────────────────────────────────────
#
# It has five levels, or plays a number of random games for each move: `tree:rollouts=10000`.

NAME = "tree"
GAMES = 3  # random games from every expanded state
MOST_ROLLOUTS = 10_000_000


@dataclass(frozen=True, slots=True)
class Level:
    """A level: the most random games of a move (None: as many as time permits), and how often it plays randomly."""

    rollouts: int | None
    blunder_rate: float = 0.0


LEVELS = {1: Level(30, blunder_rate=0.2), 2: Level(80), 3: Level(400), 4: Level(3_000), 5: Level(None)}


class TreeBot(Bot):
    """Plays the best move of a tree search; the highest level uses all of its time, one second by default."""

    def __init__(self, level: int = 5, seed: int | None = None, rollouts: int | None = None) -> None:
        super().__init__(seed)
        self.name = f"{NAME}-{level}" if rollouts is None else f"{NAME}:rollouts={rollouts}"
        self.level = LEVELS[level] if rollouts is None else Level(rollouts)
        self._expander: BoardExpander | None = None
        self._search: Search[Cells] | None = None

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentagoPosition, position)
        if here.outcome:
            raise IllegalMove("The game is over. There is no move to choose.")
        if self.random.random() < self.level.blunder_rate:
            return self.random.choice(here.legal_moves)
        if move := winning_move(here):
            return move
        self._expander = expander = BoardExpander(here.setup, GAMES, TAKE_WINS)
        self._search = search = Search(expander, expander.state(here), seed=self.random.getrandbits(60))
        # a number of games has no time limit unless one is given
        search.run(self.level.rollouts, DEFAULT_SECONDS if seconds is None and self.level.rollouts is None else seconds)
        return turn_of(here, expander.steps(search.steps(), here.placed))

    def stop(self) -> None:
        """Stops the search; the best move so far is played."""
        if self._search:
            self._search.stop()
        if self._expander:
            self._expander.stop()


def configured(settings: str, seed: int | None) -> TreeBot:
    """Makes the bot from settings such as `rollouts=10000`."""
    name, equals, number = settings.partition("=")
    fits = name == "rollouts" and equals and number.isascii() and number.isdecimal() and len(number) < 9
    if not fits or not 0 < int(number) <= MOST_ROLLOUTS:
        raise GameError(
            f"Unknown setting {shown(settings)} of bot {NAME}. Expected rollouts=N, with N from 1 to {MOST_ROLLOUTS}."
        )
    return TreeBot(seed=seed, rollouts=int(number))
