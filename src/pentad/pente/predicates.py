"""The game of the requirement document, by its own words: `play`, `move`, `valid_moves`, `game_over`, `value`.

A state is `game(board, player, [white's captures, black's], turn, options)`. The board is a list of rows from the
top, each a list of `w`, `b` and `c` (an empty point); the player to move is `w` or `b`; turns count from 0.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from pentad.game import GameError, Steps, new, shown
from pentad.pente.beam import Search
from pentad.pente.beam_bot import NAME, name_of
from pentad.pente.board import Board, Stone, points_of
from pentad.pente.board import board as board_of
from pentad.pente.configuration import LARGEST, SMALLEST_WITH_CENTRE
from pentad.pente.opening import opening_points
from pentad.pente.options import Options, options_help
from pentad.pente.patterns import balance
from pentad.pente.rules import PentePosition
from pentad.pente.rulesets import CENTRE, RULE_SETS, TOURNAMENT

WHITE, BLACK, EMPTY = "w", "b", "c"
PLAYERS = (WHITE, BLACK)
LINE = 5


class game(NamedTuple):  # noqa: N801 — the document's own word
    """A state of the game, in the document's form."""

    board: list[list[str]]
    player: str
    captures: list[int]
    turn: int
    options: Options


def start(**options: object) -> game:
    """The state that a game begins with.

    >>> start(size=7).turn
    0
    """
    chosen = Options.of(**options)
    return from_position(cast(PentePosition, new("pente", **chosen.game)), chosen)


# ── to and from positions ────────────────────────────────────────────────────────────────────────


def to_position(state: game) -> PentePosition:
    """The position of a state, checked: the stones, the captures and the turn go together."""
    if not isinstance(state, game):
        raise GameError(f"a state is game(board, player, captures, turn, options), not {shown(state)}")
    if not isinstance(state.options, Options):
        raise GameError(f"a state's options are an Options(…), not {shown(state.options)}")
    begin = cast(PentePosition, new("pente", **state.options.game))
    board, stones = _read_board(state.board)
    if board != begin.board:
        raise GameError(f"the board has {board.size} rows, its options say {begin.board.size}")
    captures = _read_captures(state.captures)
    position = replace(begin, stones=stones, taken=captures)
    placed = stones[0].bit_count() + captures[1], stones[1].bit_count() + captures[0]
    if placed[0] - placed[1] not in (0, 1):
        raise GameError(f"{placed[0]} white stones were placed and {placed[1]} black; white begins, they take turns")
    if type(state.turn) is not int or state.turn != position.placed:
        raise GameError(f"{position.placed} stones have been placed, so that is the turn, not {shown(state.turn)}")
    if state.player != PLAYERS[position.colour]:
        raise GameError(f"at turn {state.turn} the player is {PLAYERS[position.colour]}, not {shown(state.player)}")
    return replace(position, ply=position.placed)


def from_position(position: PentePosition, options: Options | None = None) -> game:
    """The state of a position; `options` may add a bot's to those that the position itself has."""
    chosen = options or Options(position.board.size, tournament_rule=position.rules.opening == TOURNAMENT)
    if new("pente", **chosen.game).options != position.options:
        told = f"size {chosen.size}, tournament rule {'on' if chosen.tournament_rule else 'off'}"
        raise GameError(f"a state of these options ({told}) cannot hold this position: {shown(position.text, 100)}")
    rows = range(position.board.size)
    written = [[_mark(position, column, row) for column in rows] for row in reversed(rows)]
    return game(written, PLAYERS[position.colour], list(position.taken), position.placed, chosen)


def _mark(position: PentePosition, column: int, row: int) -> str:
    bit = position.board.bit(column, row)
    return WHITE if position.stones[0] & bit else BLACK if position.stones[1] & bit else EMPTY


def _read_board(rows: object) -> tuple[Board, tuple[int, int]]:
    """A board as rows of marks: its size, and the stones of each colour."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) for row in rows):
        raise GameError(f"a board is a list of rows, each a list of w, b and c, not {shown(rows)}")
    size = len(rows)
    if not SMALLEST_WITH_CENTRE <= size <= LARGEST or size % 2 == 0:
        raise GameError(f"a board has an odd number of rows from {SMALLEST_WITH_CENTRE} to {LARGEST}, not {size}")
    board, stones = board_of(size, LINE), {WHITE: 0, BLACK: 0, EMPTY: 0}
    for row, marks in zip(reversed(range(size)), rows, strict=True):
        if len(marks) != size:
            raise GameError(f"row {row + 1} has {len(marks)} points, on this board it has {size}")
        for column, mark in enumerate(marks):
            if not isinstance(mark, str) or mark not in stones:
                raise GameError(f"{board.stones[board.point(column, row)]} holds w, b or c, not {shown(mark)}")
            stones[mark] |= board.bit(column, row)
    return board, (stones[WHITE], stones[BLACK])


def _read_captures(captures: object) -> tuple[int, int]:
    counts = list(captures) if isinstance(captures, list | tuple) else []
    if len(counts) != 2 or not all(type(count) is int and count >= 0 and count % 2 == 0 for count in counts):
        raise GameError(f"captures are two even numbers from 0, white's and black's, not {shown(captures)}")
    return counts[0], counts[1]


def _colour(player: str) -> int:
    if player not in PLAYERS:
        raise GameError(f"a player is w or b, not {shown(player)}")
    return PLAYERS.index(player)


# ── the document's predicates ────────────────────────────────────────────────────────────────────


def valid_moves(board: Sequence[Sequence[str]], turn: int | None = None, rule: bool = True) -> list[Stone]:
    """Where a stone may go: every empty point; by turn, by turn with the tournament rule on or off.

    At turn 0 that is the centre alone; at turn 2, under the tournament rule, the points at least 3 away from it.

    >>> [str(stone) for stone in valid_moves(start(size=7).board, 0)]
    ['D4']
    """
    here, stones = _read_board(board)
    points = here.all_points & ~(stones[0] | stones[1])
    if turn is not None:
        if type(turn) is not int or turn < 0:
            raise GameError(f"turn is a whole number from 0, not {shown(turn)}")
        if type(rule) is not bool:
            raise GameError(f"rule is true or false, not {shown(rule)}")
        rules = replace(RULE_SETS["pente"], opening=TOURNAMENT if rule else CENTRE)
        points &= opening_points(rules, here, turn)
    return [here.stones[point] for point in points_of(points)]


def move(state: game, steps: Steps) -> game:
    """The state after a move, such as `K10` or one of `valid_moves`: the stone placed, the captures made."""
    return from_position(to_position(state).play(steps), state.options)


def game_over(state: game, player: str | None = None) -> bool:
    """Whether a player has won; without one whether the game is over at all, drawn games included."""
    outcome = to_position(state).outcome
    if player is None:
        return outcome is not None
    return _colour(player) in (outcome.winners if outcome else ())


def value(state: game, player: str) -> int:
    """What the patterns on the board and the captures are worth to a player; the other's count against it."""
    position, colour = to_position(state), _colour(player)
    balances = balance(position)
    return -balances[1 - colour] if colour == position.colour else balances[colour]


def choose_move(state: game, *, seconds: float | None = None, seed: int | None = None) -> Stone:
    """The move that the bot of the state's options plays."""
    position = to_position(state)
    if position.outcome:
        raise GameError("the game is over, there is no move to choose")
    order = list(range(position.board.size**2))
    random.Random(seed).shuffle(order)
    search = Search(position, state.options.beam, order=order)
    return position.board.stones[search.best(seconds).point]


def display_game(state: game) -> None:
    """Print the board; upside down when it is Black's turn and the option flip wants it so."""
    lines = to_position(state).spans(flip=state.options.flip and state.player == BLACK)
    print("\n".join("".join(text for text, _ in line).rstrip() for line in lines))


# ── a game ───────────────────────────────────────────────────────────────────────────────────────

HUMAN, BOT = "human", "bot"


def play(
    ask: str | None = None,
    /,
    *,
    white: str = HUMAN,
    black: str = BOT,
    seconds: float | None = None,
    seed: int | None = None,
    **options: object,
) -> None:
    """Play a game here, by the options of the document: `play(size=13, difficulty=1, rule=False)`.

    `white` and `black` are `human`, `bot` (the one of these options) or any other bot by its name; `play("help")`
    lists the options. The game is played as `pentad play pente` plays it, with the same commands.
    """
    if ask == "help":
        print(options_help())
        return
    if ask is not None:
        raise GameError(f'play("help") lists the options; they are given by name, not as {shown(ask)}')
    words = _words(Options.of(**options), {"white": white, "black": black})
    if seconds is not None:
        words.append(f"--seconds={seconds}")
    if seed is not None:
        words.append(f"--seed={seed}")
    from pentad.terminal import main  # here alone the game knows a screen, and only once somebody plays

    if main(words) == 2:
        raise GameError(f"pentad {' '.join(words)} was refused; the reason stands above")


def _words(options: Options, seats: dict[str, str]) -> list[str]:
    """What a person would type for such a game."""
    words = ["play", "pente", f"--size={options.size}"]
    words.append("--tournament-rule" if options.tournament_rule else "--no-tournament-rule")
    words += ["--flip"] * options.flip
    return words + [f"--{colour}={name_of(options) if who in (BOT, NAME) else who}" for colour, who in seats.items()]
