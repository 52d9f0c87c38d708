"""Many games at once: random games to their end, and games stepped together as arrays.

A game's kernels do both, its optional part `batch` (see `parts`). A game without them is played by its rules.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, cast

from pentad.game import GameError, IllegalMove, Position, bit_numbers, game_of, new, shown
from pentad.games import encoding
from pentad.games.parts import Batch, BatchKernels, RandomGames
from pentad.kernels.buffers import typed, zeros
from pentad.kernels.program import NoMachineCode, Program, program
from pentad.kernels.types import Float64s, Int8s, Int64s, UInt64s
from pentad.search.batch_constants import BatchArrays, RandomGameArrays
from pentad.system.extras import needs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Winners: TypeAlias = tuple[int, ...]  # the seats that won
By: TypeAlias = Literal["kernels", "rules"]

SEEDS = 1 << 64
SLICE_SECONDS = 0.02  # a person's interrupt waits for a call of the kernels
LOG = 4096  # actions of a random game that are logged


def _whole(name: str, value: object, least: int = 0) -> int:
    """Checks a whole number of 64 bits."""
    if type(value) is not int or not least <= value < SEEDS:
        raise GameError(
            "{name} must be a whole number from {least} to 2**64 - 1, not {value}.",
            name=name,
            least=least,
            value=shown(value),
        )
    return value


def _seed(given: int | None) -> int:
    return random.SystemRandom().randrange(SEEDS) if given is None else _whole("seed", given)


def _first(start: str | Position, options: Mapping[str, object]) -> Position:
    """The position from which games begin."""
    if not isinstance(start, Position):
        return new(start, **options)
    if options:
        raise GameError("A position has its own options, so {options} cannot be given.", options=", ".join(options))
    return start


def _kernels(here: Position) -> tuple[BatchKernels, Program] | None:
    """The kernels of a game with the options of a position; None where it has none, or nothing here can run them."""
    kind = game_of(here)
    found = cast(Batch, kind.module("batch")).kernels(here) if kind.has("batch") else None
    try:
        return found and (found, program(found.module))
    except NoMachineCode:
        return None


# ── random games ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Playouts:
    """The results of random games.

    `moves` counts whole moves. `results` has the number of games by the seats that won, `()` for a draw without
    winners. `by` says whether the game's kernels or its rules have played.
    """

    games: int
    moves: int
    players: int
    results: Mapping[Winners, int]
    seed: int
    by: By

    @property
    def draws(self) -> int:
        """The games in which all seats got the same."""
        return sum(games for winners, games in self.results.items() if len(winners) in (0, self.players))

    @property
    def wins(self) -> tuple[int, ...]:
        """For each seat the games that it won, alone or with others; without the draws."""
        decided = {winners: games for winners, games in self.results.items() if len(winners) < self.players}
        return tuple(
            sum(games for winners, games in decided.items() if seat in winners) for seat in range(self.players)
        )


def playouts(start: str | Position, /, *, games: int, seed: int | None = None, **options: object) -> Playouts:
    """Plays random games from a position, or from the start of the game with a name and options.

    Every legal whole move is equally likely. The same seed gives the same games, and the first games of a larger number
    are those of a smaller one. Without a seed, one is drawn; the result has it. Repetitions do not end a game.

    >>> found = playouts("pentago", games=1000, seed=1)
    >>> found.games, sum(found.wins) + found.draws
    (1000, 1000)
    """
    here, count, chosen = _first(start, options), _whole("games", games), _seed(seed)
    if here.outcome:
        return Playouts(count, 0, here.players, {here.outcome.winners: count} if count else {}, chosen, "rules")
    found = random_games(here, chosen)
    if found is None:
        return _by_rules(here, count, chosen)
    for first, many in _slices(count):
        found.play(first, many)
    moves, *by_bits = found.counts
    results = {tuple(bit_numbers(bits)): many for bits, many in enumerate(by_bits) if many}
    return Playouts(count, moves, here.players, results, chosen, "kernels")


def random_games(here: Position, seed: int) -> RandomGames | None:
    """Random games by kernels from a position that is not over; None where the game has none for it."""
    found = _kernels(here)
    if found is None:
        return None
    own = getattr(game_of(here).module("batch"), "random_games", None)
    if own and (faster := own(here, seed)):
        return cast(RandomGames, faster)
    given, kernels = found
    counts, log = zeros(1 + (1 << here.players), UInt64s), zeros(LOG, UInt64s)
    rules, start = typed(given.rules, Int64s), typed(given.start, Int64s)
    state, work = zeros(len(start), Int64s), zeros(given.work, Int64s)
    arrays = RandomGameArrays(rules, start, state, work, zeros(1, UInt64s), log, counts)
    play = kernels.bind("play_out", arrays)
    return RandomGames(partial(play, seed), counts, log)


def _slices(games: int) -> Iterator[tuple[int, int]]:
    """Yields the first number and the length of slices that take some milliseconds."""
    first, size = 0, 1
    while first < games:
        begun = time.perf_counter()
        yield first, min(size, games - first)
        first += size
        if time.perf_counter() - begun < SLICE_SECONDS / 2:
            size *= 2


def _by_rules(start: Position, games: int, seed: int) -> Playouts:
    moves, results = 0, Counter[Winners]()
    for game in range(games):
        rng = random.Random(f"{seed} {game}")
        here = start
        while not (outcome := here.outcome):
            legal = here.legal_moves
            here = here.play(legal[rng.randrange(len(legal))])
            moves += 1
        results[outcome.winners] += 1
    return Playouts(games, moves, start.players, dict(results), seed, "rules")


# ── games stepped together ───────────────────────────────────────────────────────────────────────


class Games:
    """Many games of one kind, stepped together: each takes one step of a turn at a time.

    Actions and planes are those of `pentad.games.encoding`. The arrays are written in place by `step` and `reset`:

    - `mask[game, action]` is 1 for the legal actions of the seat to move, all 0 after the end;
    - `turn[game]` is the seat to move, `done[game]` whether the game is over;
    - `returns[game, seat]` is 0 until the end;
    - `observations[game, plane, row, column]` is what the seat to move sees, 0 or 1.

    `by` says whether the game's kernels or its rules make the steps.

    >>> games = Games("pentago", 2, seed=1)
    >>> games.step([14, 0])
    >>> games.mask[:, 36:].sum(axis=1), games.turn, games.by
    (array([8, 8]), array([0, 0]), 'kernels')
    """

    mask: NDArray[np.int8]
    turn: NDArray[np.int64]
    done: NDArray[np.bool_]
    returns: NDArray[np.float64]
    observations: NDArray[np.int8]

    def __init__(
        self,
        start: str | Position,
        count: int,
        seed: int | None = None,
        *,
        auto_reset: bool = False,
        **options: object,
    ) -> None:
        with needs("compile"):
            import numpy as np
        self.start = here = _first(start, options)
        if here.outcome:
            raise GameError("The game is over in the first position.")
        self.count, self.auto_reset = _whole("count", count, 1), auto_reset
        self.seed = _seed(seed)
        kind = encoding.encoding(here)
        self.players, self.actions = here.players, kind.actions(here)
        self.planes, self.shape = tuple(kind.planes(here, here.turn)), kind.shape(here)
        self.mask = np.zeros((count, self.actions), np.int8)
        self.turn = np.zeros(count, np.int64)
        self.done = np.zeros(count, np.bool_)
        self.returns = np.zeros((count, self.players))
        self.observations = np.zeros((count, len(self.planes), *self.shape), np.int8)
        self._random = np.random.default_rng(self.seed)
        found = _kernels(here)
        self._backend: _Backend = _ByKernels(self, *found) if found else _ByRules(self)
        self.by: By = "kernels" if found else "rules"
        self.reset()

    def reset(self, where: ArrayLike | None = None) -> None:
        """Begins all games again, or those where a flag is set."""
        self._backend.reset(self._flags(where))

    def step(self, actions: ArrayLike, where: ArrayLike | None = None) -> None:
        """Makes a step in every game, or in those where a flag is set.

        A game that is over stays as it is; with `auto_reset` it begins again instead, and its action is ignored. If an
        action is not legal, nothing is changed.
        """
        import numpy as np

        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise GameError("Expected {count} whole numbers as actions, one for each game.", count=self.count)
        chosen = np.ascontiguousarray(given, np.int64)
        refused = self._backend.step(chosen, self._flags(where))
        if refused >= 0:
            raise IllegalMove("Game {number}: Action {given} is not legal here.", number=refused, given=given[refused])

    def sample(self) -> NDArray[np.int64]:
        """A legal action for each game, each equally likely; 0 where the game is over."""
        import numpy as np

        counts = self.mask.sum(axis=1, dtype=np.int64)
        chosen = np.zeros(self.count, np.int64)
        going = counts > 0
        legal = np.flatnonzero(self.mask) % self.actions  # they are sorted by game
        firsts = np.cumsum(counts) - counts
        chosen[going] = legal[firsts[going] + self._random.integers(counts[going])]
        return chosen

    def _flags(self, where: ArrayLike | None) -> NDArray[np.int8]:
        """A flag for each game."""
        import numpy as np

        if where is None:
            return np.ones(self.count, np.int8)
        flags = np.asarray(where)
        if flags.shape != (self.count,) or flags.dtype.kind != "b":
            raise GameError("Expected {count} flags, true or false, one for each game.", count=self.count)
        return flags.astype(np.int8)


class _Backend(Protocol):
    """What makes the steps and writes the arrays."""

    def reset(self, where: NDArray[np.int8]) -> None: ...

    def step(self, chosen: NDArray[np.int64], where: NDArray[np.int8]) -> int:
        """Makes the steps; returns a game whose action is not legal, or -1."""


class _ByKernels:
    def __init__(self, games: Games, given: BatchKernels, kernels: Program) -> None:
        masks, planes, done = (
            each.reshape(-1).view("int8").data for each in (games.mask, games.observations, games.done)
        )
        self._call = kernels
        self._arrays = BatchArrays(
            rules=typed(given.rules, Int64s),
            start=typed(given.start, Int64s),
            states=zeros(games.count * len(given.start), Int64s),
            masks=typed(masks, Int8s),
            planes=typed(planes, Int8s),
            turns=typed(games.turn.data, Int64s),
            done=typed(done, Int8s),
            returns=typed(games.returns.reshape(-1).data, Float64s),
            work=zeros(given.work, Int64s),
            actions=games.actions,
            places=games.observations[0].size,
        )
        self._resets = games.auto_reset

    def reset(self, where: NDArray[np.int8]) -> None:
        self._call("reset", self._arrays, where.data)

    def step(self, chosen: NDArray[np.int64], where: NDArray[np.int8]) -> int:
        return cast(int, self._call("step", self._arrays, where.data, chosen.data, self._resets))


class _ByRules:
    def __init__(self, games: Games) -> None:
        self._games = games
        self._positions = [games.start] * games.count

    def reset(self, where: NDArray[np.int8]) -> None:
        for game in where.nonzero()[0]:
            self._show(int(game), self._games.start)

    def step(self, chosen: NDArray[np.int64], where: NDArray[np.int8]) -> int:
        games, going = self._games, where.nonzero()[0].tolist()
        for game in going:
            action = int(chosen[game])
            if not games.done[game] and not (0 <= action < games.actions and games.mask[game, action]):
                return int(game)
        for game in going:
            here = self._positions[game]
            if not games.done[game]:
                self._show(game, encoding.play(here, encoding.steps(here)[int(chosen[game])]))
            elif games.auto_reset:
                self._show(game, games.start)
        return -1

    def _show(self, game: int, here: Position) -> None:
        games, kind = self._games, encoding.encoding(here)
        self._positions[game] = here
        games.turn[game], games.done[game] = here.turn, here.outcome is not None
        games.mask[game] = 0
        games.returns[game] = here.outcome.returns if here.outcome else 0.0
        if not here.outcome:
            games.mask[game, list(encoding.steps(here))] = 1
        games.observations[game] = 0
        for plane, places in enumerate(kind.planes(here, here.turn).values()):
            games.observations[game, plane].reshape(-1)[list(bit_numbers(places))] = 1
