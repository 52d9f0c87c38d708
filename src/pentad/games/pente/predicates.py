"""Predicates of the requirement document in Python: `play`, `move`, `valid_moves`, `game_over`, `value`.

A state is `game(board, player, [white's captures, black's], turn, options)`. The board is a list of rows from the
top, each a list of `w`, `b` and `c` (an empty point); the player to move is `w` or `b`; turns count from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from pentad.game import GameError, Steps, new, shown
from pentad.games.pente.beam import BeamBot, BeamOptions, Evaluation
from pentad.games.pente.board import Board, Stone, points_of
from pentad.games.pente.board import board as board_of
from pentad.games.pente.prolog_terms import Compound, Term, written
from pentad.games.pente.rules import PentePosition, opening_points
from pentad.games.pente.rulesets import CENTRE, LARGEST, RULE_SETS, SMALLEST_WITH_CENTRE, TOURNAMENT
from pentad.system.words import phrase

WHITE, BLACK, EMPTY = "w", "b", "c"
PLAYERS = (WHITE, BLACK)
LINE = 5


class game(NamedTuple):  # noqa: N801 — the document's name
    """A state of the game, in the document's form."""

    board: list[list[str]]
    player: str
    captures: list[int]
    turn: int
    options: BeamOptions


def start(**options: object) -> game:
    """The first state of a game.

    >>> start(size=7).turn
    0
    """
    chosen = BeamOptions.of(**options)
    return from_position(cast(PentePosition, new("pente", **chosen.game)), chosen)


# ── conversion to and from positions ─────────────────────────────────────────────────────────────


def to_position(state: game) -> PentePosition:
    """The position of a state; raises GameError if the stones, the captures and the turn do not agree."""
    if not isinstance(state, game):
        raise GameError(
            "A state must be game(board, player, captures, turn, options), not {state}.", state=shown(state)
        )
    if not isinstance(state.options, BeamOptions):
        raise GameError("A state's options must be Options(…), not {options}.", options=shown(state.options))
    begin = cast(PentePosition, new("pente", **state.options.game))
    board, stones = _read_board(state.board)
    if board != begin.board:
        raise GameError(
            "The board has {size} rows, but the options ask for {got}.",
            size=board.size,
            got=begin.board.size,
        )
    captures = _read_captures(state.captures)
    position = replace(begin, stones=stones, taken=captures)
    placed = stones[0].bit_count() + captures[1], stones[1].bit_count() + captures[0]
    if placed[0] - placed[1] not in (0, 1):
        raise GameError(
            "White placed {white} stones and black {black}, but white begins and the colours take turns.",
            white=placed[0],
            black=placed[1],
        )
    if type(state.turn) is not int or state.turn != position.placed:
        raise GameError(
            "The turn must be {placed}, the number of stones placed, not {turn}.",
            placed=position.placed,
            turn=shown(state.turn),
        )
    if state.player != PLAYERS[position.colour]:
        raise GameError(
            "At turn {turn} the player is {player}, not {got}.",
            turn=state.turn,
            player=PLAYERS[position.colour],
            got=shown(state.player),
        )
    return replace(position, ply=position.placed)


def from_position(position: PentePosition, options: BeamOptions | None = None) -> game:
    """The state of a position; `options` may add those of the bot."""
    chosen = options or BeamOptions(position.board.size, tournament_rule=position.rules.opening == TOURNAMENT)
    if new("pente", **chosen.game).options != position.options:
        summary = phrase(
            "size {size}, tournament rule {setting}",
            size=chosen.size,
            setting="on" if chosen.tournament_rule else "off",
        )
        raise GameError(
            "A state with {summary} cannot hold the position {text}.", summary=summary, text=shown(position.text, 100)
        )
    rows = range(position.board.size)
    written = [[_mark(position, column, row) for column in rows] for row in reversed(rows)]
    return game(written, PLAYERS[position.colour], list(position.taken), position.placed, chosen)


def _mark(position: PentePosition, column: int, row: int) -> str:
    bit = position.board.bit(column, row)
    return WHITE if position.stones[0] & bit else BLACK if position.stones[1] & bit else EMPTY


def _read_board(rows: object) -> tuple[Board, tuple[int, int]]:
    """Parses a board given as rows of marks into a Board and the stones of each colour."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) for row in rows):
        raise GameError("A board must be a list of rows, each a list of w, b and c, not {rows}.", rows=shown(rows))
    size = len(rows)
    if not SMALLEST_WITH_CENTRE <= size <= LARGEST or size % 2 == 0:
        raise GameError(
            "A board has an odd number of rows from {smallest} to {largest}, not {size}.",
            smallest=SMALLEST_WITH_CENTRE,
            largest=LARGEST,
            size=size,
        )
    board, stones = board_of(size, LINE), {WHITE: 0, BLACK: 0, EMPTY: 0}
    for row, marks in zip(reversed(range(size)), rows, strict=True):
        if len(marks) != size:
            raise GameError("Row {row} must have {size} points, not {count}.", row=row + 1, size=size, count=len(marks))
        for column, mark in enumerate(marks):
            if not isinstance(mark, str) or mark not in stones:
                raise GameError(
                    "{stone} must hold w, b or c, not {mark}.",
                    stone=board.stones[board.point(column, row)],
                    mark=shown(mark),
                )
            stones[mark] |= board.bit(column, row)
    return board, (stones[WHITE], stones[BLACK])


def _read_captures(captures: object) -> tuple[int, int]:
    counts = list(captures) if isinstance(captures, list | tuple) else []
    if len(counts) != 2 or not all(type(count) is int and count >= 0 and count % 2 == 0 for count in counts):
        raise GameError(
            "Captures must be two even numbers of 0 or more, white's and black's, not {captures}.",
            captures=shown(captures),
        )
    return counts[0], counts[1]


def _colour(player: str) -> int:
    if player not in PLAYERS:
        raise GameError("A player must be w or b, not {player}.", player=shown(player))
    return PLAYERS.index(player)


# ── the document's predicates ────────────────────────────────────────────────────────────────────


def valid_moves(board: Sequence[Sequence[str]], turn: int | None = None, rule: bool = True) -> list[Stone]:
    """The legal points: every empty point, or those of a turn, with the tournament rule on or off.

    At turn 0 only the centre is legal; at turn 2, by the tournament rule, the points at least 3 away from it.

    >>> [str(stone) for stone in valid_moves(start(size=7).board, 0)]
    ['D4']
    """
    here, stones = _read_board(board)
    points = here.all_points & ~(stones[0] | stones[1])
    if turn is not None:
        if type(turn) is not int or turn < 0:
            raise GameError("turn must be a whole number of 0 or more, not {turn}.", turn=shown(turn))
        if type(rule) is not bool:
            raise GameError("rule must be true or false, not {rule}.", rule=shown(rule))
        rules = replace(RULE_SETS["pente"], opening=TOURNAMENT if rule else CENTRE)
        points &= opening_points(rules, here, turn)
    return [here.stones[point] for point in points_of(points)]


def move(state: game, steps: Steps) -> game:
    """The state after a move, such as `K10` or one of `valid_moves`, and its captures."""
    return from_position(to_position(state).play(steps), state.options)


def game_over(state: game, player: str | None = None) -> bool:
    """Whether a player has won; without a player, whether the game is over, won or drawn."""
    outcome = to_position(state).outcome
    if player is None:
        return outcome is not None
    return _colour(player) in (outcome.winners if outcome else ())


def value(state: game, player: str) -> int:
    """The value of the patterns and captures for a player, less the opponent's."""
    position, colour = to_position(state), _colour(player)
    balances = evaluate_board(state).balances
    return -balances[1 - colour] if colour == position.colour else balances[colour]


def evaluate_board(state: game) -> Evaluation:
    """The evaluation of the whole board of a state."""
    return Evaluation(to_position(state))


def reevaluate_board(evaluation: Evaluation, before: game, after: game) -> Evaluation:
    """Advances the evaluation of a state to one after a move; only rows that the move changed are evaluated again."""
    evaluation.advance(to_position(before), to_position(after))
    return evaluation


def choose_move(state: game, *, seconds: float | None = None, seed: int | None = None) -> Stone:
    """The move of the bot with the state's options."""
    (stone,) = BeamBot(state.options.beam, seed).choose(to_position(state), seconds=seconds)
    return cast(Stone, stone)


def display_game(state: game) -> None:
    """Prints the board, rotated on Black's turn if the option flip is set."""
    lines = to_position(state).spans(flip=state.options.flip and state.player == BLACK)
    print("\n".join("".join(text for text, _ in line).rstrip() for line in lines))


# ── a game ───────────────────────────────────────────────────────────────────────────────────────

HUMAN, BOT = "human", "bot"


def read_options(term: Term) -> dict[str, object]:
    """The options in a list such as `[size(13), difficulty(1), rule(false)]`."""
    if not isinstance(term, list):
        raise GameError("Options are a list such as [size(13), rule(false)], not {term}.", term=shown(term))
    given: dict[str, object] = {}
    for each in term:
        if not isinstance(each, Compound) or len(each.args) != 1:
            raise GameError("An option has one value, as in size(13), got {name}.", name=shown(each))
        if each.name in given:
            raise GameError("{written} is given twice.", written=written(each.name))
        (value,) = each.args
        given[each.name] = value == "true" if value in ("true", "false") else value
    return given
