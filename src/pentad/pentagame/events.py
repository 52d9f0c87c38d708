"""Whatever happens in a game of Pentagame, with identifiers in the manner of the denomination.

    [ply, event, player, figure, start, counter, end]

    0 moved    [1,0,0,3,5,0,0]        player 0's figure 3 goes to that field
    1 swapped  [4,1,1,2,3,0,0]        player 1's figure 2 comes to that field, in a swap
    2 taken    [1,2,0,11,5,0,0]       player 0 takes figure 11, a block, from that field
    3 placed   [1,3,0,11,4,1,0]       player 0 puts a block on that field
    4 home     [9,4,0,3,-1,-1,-1]     player 0's figure 3 has reached its goal and leaves the board
    5 forced   [9,5,0,-1,-1,-1,-1]    player 0 has no choice of piece: one that others brought to its goal leaves
    6 passed   [9,6,1,-1,-1,-1,-1]    player 1 is passed over, all of whose pieces others have brought out
    7 over     [9,7,0,0,-1,-1,-1]     the game is over, player 0 has won, -1 nobody; in place of a figure, why

`ply` is the number of the turn as a record numbers it. After it and the event, an identifier of the events 0, 1, 3
and 4 is a move of the denomination. As one integer an identifier is its digits, with 9, 99 and 999 for nothing:
`10003500`, at most 13 of them.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from pentad.game import GameError, Move, Outcome, Steps, shown
from pentad.pentagame import denomination
from pentad.pentagame.board import NUMBER, OFF, Field
from pentad.pentagame.denomination import BLACKS, GRAYS, MOST_PLAYERS, PIECES, Shift
from pentad.pentagame.rules import MOST_PLIES, PentagamePosition
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, TurnStep
from pentad.record import Node, Record

NOBODY = NOTHING = -1
BLOCKS = (*GRAYS, *BLACKS)
MOST_EVENTS = 8 * MOST_PLIES

# Why a game ended, by the number that the event `over` has in place of a figure; the last stands for any other.
REASONS = ("three home", "ply limit", "threefold repetition", "resigned", "forfeit", "out of time", "told", "otherwise")


class Kind(NamedTuple):
    """A kind of event: what it may be about, whether a field belongs to it, and it in words."""

    name: str
    figures: Sequence[int]
    has_field: bool
    words: str


KINDS = (
    Kind("moved", PIECES, True, "player {player}'s piece {figure} goes to {field}"),
    Kind("swapped", PIECES, True, "player {player}'s piece {figure} comes to {field} for it"),
    Kind("taken", BLOCKS, True, "player {player} takes block {figure} from {field}"),
    Kind("placed", BLOCKS, True, "player {player} puts block {figure} on {field}"),
    Kind("home", PIECES, False, "player {player}'s piece {figure} is home and leaves the board"),
    Kind("forced", (NOTHING,), False, "player {player}'s turn is forced: a piece at its goal leaves"),
    Kind("passed", (NOTHING,), False, "player {player}, without a piece on the board, is passed over"),
    Kind("over", range(len(REASONS)), False, "the game is over, {reason}: {winner}"),
)
MOVED, SWAPPED, TAKEN, PLACED, HOME, FORCED, PASSED, OVER = range(len(KINDS))
PLAYED = (MOVED, SWAPPED, PLACED, HOME)  # the events that are moves of the denomination


class Event(NamedTuple):
    """Something that happened in a game: `[ply, event, player, figure, start, counter, end]`."""

    ply: int
    kind: int
    player: int
    figure: int
    field: Field = OFF

    @property
    def name(self) -> str:
        """What kind of event it is, such as `moved`."""
        return KINDS[self.kind].name

    @property
    def move(self) -> Shift | None:
        """The move of the denomination that it is, if it is one."""
        return Shift(self.player, self.figure, self.field) if self.kind in PLAYED else None

    @property
    def reason(self) -> str | None:
        """Why the game is over, if it is."""
        return REASONS[self.figure] if self.kind == OVER else None

    @property
    def words(self) -> str:
        """It in words.

        >>> event([1, 0, 0, 3, 5, 0, 0]).words
        "turn 1: player 0's piece 3 goes to [5,0,0]"
        """
        winner = "nobody has won" if self.player == NOBODY else f"player {self.player} has won"
        told = KINDS[self.kind].words.format(**self._asdict(), reason=self.reason, winner=winner)
        return f"turn {self.ply}: {told}"

    def __str__(self) -> str:
        return json.dumps(event_list(self), separators=(",", ":"))


# ── identifiers ──────────────────────────────────────────────────────────────────────────────────


def event(given: object) -> Event:
    """The event that a text, a list or a single integer names.

    >>> event("[1,2,0,11,5,0,0]") == event([1, 2, 0, 11, 5, 0, 0]) == event(12011500)
    True
    """
    if isinstance(given, Event):
        given = event_list(given)
    if isinstance(given, str):
        given = _from_json(given, "an event")
    if type(given) is int:
        given = _digits(given)
    form = "[ply,event,player,figure,start,counter,end]"
    if not isinstance(given, list | tuple) or len(given) != 7:
        raise GameError(f"an event is seven numbers, {form}, not {shown(given, 40)}")
    for part, value in zip(form.strip("[]").split(","), given, strict=True):
        if type(value) is not int:
            raise GameError(f"{part} is a whole number, not {shown(value, 40)}")
    return _checked(*given)


def _checked(ply: int, number: int, player: int, figure: int, *place: int) -> Event:
    """An event whose parts are what they may be; errors name the part that is not."""
    if not 0 <= ply <= MOST_PLIES:
        raise GameError(f"ply {shown(ply, 20)} is none; turns have numbers up to {MOST_PLIES:,}")
    if not 0 <= number < len(KINDS):
        known = ", ".join(f"{i} {kind.name}" for i, kind in enumerate(KINDS))
        raise GameError(f"event {shown(number, 20)} names nothing; there are {known}")
    kind = KINDS[number]
    if player not in range(MOST_PLAYERS) and not (number == OVER and player == NOBODY):
        raise GameError(f"player {shown(player, 20)} is none of {kind.name}; players are 0 to {MOST_PLAYERS - 1}")
    if figure not in kind.figures:
        what = "reason" if number == OVER else "figure"
        allowed = ", ".join(map(str, kind.figures))
        raise GameError(f"{what} {shown(figure, 20)} does not go with {kind.name}; it is {allowed}")
    named = denomination.field(place)
    if kind.has_field == (named == OFF):
        wanted = "a field of the board" if kind.has_field else str(OFF)
        raise GameError(f"field {named} does not go with {kind.name}, which wants {wanted}")
    return Event(ply, number, player, figure, named)


def event_list(it: Event) -> list[int]:
    """An event as seven integers."""
    return [it.ply, it.kind, it.player, it.figure, *it.field]


def event_number(it: Event) -> int:
    """An event as one integer of at most 13 digits, so that it fits into a database's 64 bits.

    >>> event_number(event("[12,7,-1,1,-1,-1,-1]"))
    127901999
    """
    start = it.ply * 10 + it.kind
    return (start * 10 + it.player % 10) * 100_000 + it.figure % 100 * 1000 + denomination.field_number(it.field)


def _digits(number: int) -> list[int]:
    """The seven numbers that an event's integer tells."""
    if not 0 <= number < (MOST_PLIES + 1) * 10_000_000:
        raise GameError(f"an event's number is ply, event, player, two digits and a field, not {shown(number)}")
    rest, field = divmod(number, 1000)
    rest, figure = divmod(rest, 100)
    rest, player = divmod(rest, 10)
    ply, kind = divmod(rest, 10)
    named = denomination.field(field)
    return [ply, kind, NOBODY if player == 9 else player, NOTHING if figure == 99 else figure, *named]


def _from_json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise GameError(f"{what} is not nested so deep") from None
    except ValueError as error:
        where = f"line {error.lineno}, column {error.colno}: " if isinstance(error, json.JSONDecodeError) else ""
        raise GameError(f"{where}this is no JSON of {what}, such as [1,0,0,3,5,0,0]") from None


# ── what happens in a game ───────────────────────────────────────────────────────────────────────


def events(game: Record | Node) -> tuple[Event, ...]:
    """All that happened on a record's main line, or on the line to a node, in order.

    >>> record = Record("pentagame")
    >>> node = record.play("3-5 410")
    >>> print(*events(record))
    [1,0,0,3,5,0,0] [1,2,0,11,5,0,0] [1,3,0,11,4,1,0]
    """
    end = game.end if isinstance(game, Record) else game
    line = end.line
    _check_game(line[0])
    found: list[Event] = []
    for before, after in itertools.pairwise(line):
        assert after.move is not None
        found += turn_events(cast(PentagamePosition, before.position), after.move)
    here = end.position
    outcome = game.outcome if isinstance(game, Record) else here.outcome
    if outcome:
        found += _end(here.ply, outcome)
    elif isinstance(here, PentagamePosition) and here.waiting:
        found.append(Event(here.ply + 1, FORCED, here.turn, NOTHING))
    return tuple(found)


def turn_events(position: PentagamePosition, move: Steps) -> tuple[Event, ...]:
    """What happens by a turn."""
    after = position.play(move)
    found = list(_turn(position, position.steps_given(move)))
    if not after.outcome:
        beyond = range(position.turn + 1, after.turn if after.turn > position.turn else after.players)
        found += [Event(after.ply, PASSED, seat, NOTHING) for seat in beyond]
    return tuple(found)


def _turn(here: PentagamePosition, steps: tuple[TurnStep, ...]) -> Iterator[Event]:
    ply = here.ply + 1
    if here.waiting:
        yield Event(ply, FORCED, here.turn, NOTHING)
    for step in steps:
        if isinstance(step, PieceStep):
            for kind, move in zip((MOVED, SWAPPED), step.shifts, strict=False):
                yield Event(ply, kind, *move)
            blocks = zip(BLOCKS, (*here.grays, *here.blacks), strict=True)
            yield from (Event(ply, TAKEN, step.seat, block, step.to) for block, at in blocks if at == NUMBER[step.to])
            yield from (Event(ply, HOME, owner, piece) for owner, piece in step.leaving)
        elif isinstance(step, LeaveStep):
            yield Event(ply, HOME, step.seat, step.piece)
        else:
            assert isinstance(step, BlockStep)
            yield Event(ply, PLACED, *step)
        here = here.begun(step)


def _end(ply: int, outcome: Outcome) -> Iterator[Event]:
    reason = REASONS.index(outcome.reason) if outcome.reason in REASONS else len(REASONS) - 1
    for winner in outcome.winners or (NOBODY,):
        yield Event(ply, OVER, winner, reason)


def _check_game(root: Node) -> None:
    if not isinstance(root.position, PentagamePosition):
        raise GameError(f"events are those of a game of Pentagame, not of {root.position.game}")


# ── keeping them ─────────────────────────────────────────────────────────────────────────────────

Events: TypeAlias = Iterable[Event | Sequence[int] | str | int]


def write_events(told: Iterable[Event]) -> str:
    """Events as JSON, a list of lists, one a line; `read_events` reads it."""
    return "[" + ",\n ".join(map(str, told)) + "]\n"


def read_events(given: str | Events) -> tuple[Event, ...]:
    """The events of a JSON text, or of a list of identifiers in any form; errors say which is wrong, from 1."""
    if isinstance(given, str):
        given = _from_json(given, "a list of events")
    if not isinstance(given, list | tuple):
        raise GameError(f"events are a list of them, not {shown(given, 40)}")
    if len(given) > MOST_EVENTS:
        raise GameError(f"a game has at most {MOST_EVENTS:,} events, not {len(given):,}")
    found = []
    for number, each in enumerate(given, 1):
        try:
            found.append(event(each))
        except GameError as error:
            raise GameError(f"event {number}: {error}") from None
    return tuple(found)


def record_of(start: PentagamePosition, given: str | Events, reason: str | None = None) -> Record:
    """The record of the game that began at `start` and whose events are these, every one of them.

    `reason` says why the game ended where the number in its last event stands for any other reason.
    """
    told = read_events(given)
    record = Record(start)
    _check_game(record.root)
    for ply, turn in itertools.groupby(told, key=lambda each: each.ply):
        moves = [each.move for each in turn if each.move]
        if moves:
            _play(record, ply, moves)
    record.ended = _ended(record, told, reason)
    had = events(record)
    for number, (one, other) in enumerate(itertools.zip_longest(told, had), 1):
        if one != other:
            raise GameError(f"event {number} is {one or 'missing'}; what happened is {other or 'nothing more'}")
    return record


def _play(record: Record, ply: int, moves: list[Shift]) -> None:
    """Play the turn that some events tell."""
    expected = record.position.ply + 1
    if ply != expected:
        raise GameError(f"turn {ply} stands where turn {expected} is expected")
    try:
        record.end.play(Move(moves))
    except GameError as error:
        raise GameError(f"turn {ply}: {error}") from None


def _ended(record: Record, told: Sequence[Event], reason: str | None) -> Outcome | None:
    """The end that the moves do not show."""
    last = [each for each in told if each.kind == OVER]
    if not last or record.shown:
        return None
    winners = [each.player for each in last if each.player != NOBODY]
    if any(winner >= record.start.players for winner in winners):
        raise GameError(f"player {max(winners)} cannot have won; the players are 0 to {record.start.players - 1}")
    return Outcome.of(winners, record.start.players, reason or last[0].reason or "")
