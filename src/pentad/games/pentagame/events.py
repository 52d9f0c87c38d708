"""Events of a game of Pentagame, with identifiers in the style of the denomination.

    [ply, event, player, figure, start, counter, end]

    0 moved    [1,0,0,3,5,0,0]        player 0's figure 3 goes to that field
    1 swapped  [4,1,1,2,3,0,0]        player 1's figure 2 comes to that field in a swap
    2 taken    [1,2,0,11,5,0,0]       player 0 takes figure 11, a block, from that field
    3 placed   [1,3,0,11,4,1,0]       player 0 puts a block on that field
    4 home     [9,4,0,3,-1,-1,-1]     player 0's figure 3 has reached its goal and leaves the board
    5 forced   [9,5,0,-1,-1,-1,-1]    player 0's turn is forced: a piece that others brought to its goal leaves
    6 passed   [9,6,1,-1,-1,-1,-1]    player 1 is skipped, since others have brought all its pieces home
    7 over     [9,7,0,0,-1,-1,-1]     the game is over; the player has won (-1: nobody), the figure is the reason

`ply` is the number of the turn in a record. In the events 0, 1, 3 and 4 the numbers after ply and event are a move of
the denomination. As one integer an identifier is the sequence of its digits, at most 13, with 9, 99 and 999 for
nothing: `10003500`.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from pentad.game import GameError, Move, Outcome, Steps, shown
from pentad.games.pentagame import denomination
from pentad.games.pentagame.board import NUMBER, OFF, Field
from pentad.games.pentagame.denomination import BLACKS, GRAYS, MAX_PLAYERS, PIECES, Shift
from pentad.games.pentagame.notation import MAX_PLIES, BlockStep, LeaveStep, PieceStep, TurnStep
from pentad.games.pentagame.rules import PentagamePosition
from pentad.record import Node, Record
from pentad.system.words import phrase

NOBODY = NOTHING = -1
BLOCKS = (*GRAYS, *BLACKS)
MAX_EVENTS = 8 * MAX_PLIES

# Why a game ended, by the figure of the event `over`; the last stands for any other reason. Stored: do not change.
REASONS = (
    "three home",
    "ply limit",
    "threefold repetition",
    "resigned",
    "forfeit",
    "out of time",
    "stated",
    "otherwise",
)


REASON_TEXTS = {"stated": "as stated in the record", "otherwise": "for another reason"}  # these words read oddly alone


class EventKind(NamedTuple):
    """A kind of event: its name, its figures, whether it has a field, and its description."""

    name: str
    figures: Sequence[int]
    has_field: bool
    sentence: str


KINDS = (
    EventKind("moved", PIECES, True, "Player {player}'s piece {figure} goes to {field}."),
    EventKind("swapped", PIECES, True, "Player {player}'s piece {figure} comes to {field} in exchange."),
    EventKind("taken", BLOCKS, True, "Player {player} takes block {figure} from {field}."),
    EventKind("placed", BLOCKS, True, "Player {player} puts block {figure} on {field}."),
    EventKind("home", PIECES, False, "Player {player}'s piece {figure} is home and leaves the board."),
    EventKind("forced", (NOTHING,), False, "Player {player}'s turn is forced: a piece at its goal leaves."),
    EventKind("passed", (NOTHING,), False, "Player {player}, without a piece on the board, is skipped."),
    EventKind("over", range(len(REASONS)), False, "The game is over ({reason}). {winner}"),
)
MOVED, SWAPPED, TAKEN, PLACED, HOME, FORCED, PASSED, OVER = range(len(KINDS))
PLAYED = (MOVED, SWAPPED, PLACED, HOME)  # the events that are moves of the denomination


class Event(NamedTuple):
    """An event of a game: `[ply, event, player, figure, start, counter, end]`."""

    ply: int
    kind: int
    player: int
    figure: int
    field: Field = OFF

    @property
    def name(self) -> str:
        """The name of its kind, such as `moved`."""
        return KINDS[self.kind].name

    @property
    def move(self) -> Shift | None:
        """The event as a move of the denomination, if it is one."""
        return Shift(self.player, self.figure, self.field) if self.kind in PLAYED else None

    @property
    def reason(self) -> str | None:
        """The reason why the game is over, for the event `over`."""
        return REASONS[self.figure] if self.kind == OVER else None

    @property
    def words(self) -> str:
        """A description of the event.

        >>> event([1, 0, 0, 3, 5, 0, 0]).words
        "Turn 1: Player 0's piece 3 goes to [5,0,0]."
        """
        winner = "Nobody has won." if self.player == NOBODY else phrase("Player {player} has won.", player=self.player)
        reason = REASON_TEXTS.get(self.reason or "", self.reason)
        words = KINDS[self.kind].sentence.format(**self._asdict(), reason=reason, winner=winner)
        return f"Turn {self.ply}: {words}"

    def __str__(self) -> str:
        return json.dumps(event_list(self), separators=(",", ":"))


# ── identifiers ──────────────────────────────────────────────────────────────────────────────────


def event(given: object) -> Event:
    """Parses an event from a text, a list or a single integer.

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
        raise GameError("Expected an event of seven numbers, {form}, got {given}.", form=form, given=shown(given, 40))
    for part, value in zip(form.strip("[]").split(","), given, strict=True):
        if type(value) is not int:
            raise GameError("{part}: Expected a whole number, got {value}.", part=part, value=shown(value, 40))
    return _checked(*given)


def _checked(ply: int, number: int, player: int, figure: int, *name: int) -> Event:
    """Builds an event from valid parts; errors name the invalid part."""
    if not 0 <= ply <= MAX_PLIES:
        raise GameError("The ply must be 0 to {max_plies:,}, not {ply}.", max_plies=MAX_PLIES, ply=shown(ply, 20))
    if not 0 <= number < len(KINDS):
        known = ", ".join(f"{i} {kind.name}" for i, kind in enumerate(KINDS))
        raise GameError("Unknown event {number}. The events are {known}.", number=shown(number, 20), known=known)
    kind = KINDS[number]
    if player not in range(MAX_PLAYERS) and not (number == OVER and player == NOBODY):
        raise GameError(
            "Unknown player {player} of {name}. Players are 0 to {max_players}.",
            player=shown(player, 20),
            name=kind.name,
            max_players=MAX_PLAYERS - 1,
        )
    if figure not in kind.figures:
        what = "reason" if number == OVER else "figure"
        allowed = ", ".join(map(str, kind.figures))
        raise GameError(
            "The {what} of {name} must be {allowed}, not {figure}.",
            what=what,
            name=kind.name,
            allowed=allowed,
            figure=shown(figure, 20),
        )
    field = denomination.field(name)
    if kind.has_field == (field == OFF):
        allowed = "a field of the board" if kind.has_field else str(OFF)
        raise GameError(
            "The field of {name} must be {allowed}, not {field}.", name=kind.name, allowed=allowed, field=field
        )
    return Event(ply, number, player, figure, field)


def event_list(event: Event) -> list[int]:
    """An event as seven integers."""
    return [event.ply, event.kind, event.player, event.figure, *event.field]


def event_number(event: Event) -> int:
    """An event as one integer of at most 13 digits, which fits into a database's 64 bits.

    >>> event_number(event("[12,7,-1,1,-1,-1,-1]"))
    127901999
    """
    start = event.ply * 10 + event.kind
    field = denomination.field_number(event.field)
    return (start * 10 + event.player % 10) * 100_000 + event.figure % 100 * 1000 + field


def _digits(number: int) -> list[int]:
    """Splits an event's integer into its seven numbers."""
    if not 0 <= number < (MAX_PLIES + 1) * 10_000_000:
        raise GameError(
            "Expected an event's number (ply, event, player, two digits of figure, field), got {number}.",
            number=shown(number),
        )
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
        raise GameError("Expected {what}, got JSON that is nested too deeply.", what=what) from None
    except ValueError as error:
        where = f"line {error.lineno}, column {error.colno}: " if isinstance(error, json.JSONDecodeError) else ""
        raise GameError("{where}Expected {what} as JSON, such as [1,0,0,3,5,0,0].", where=where, what=what) from None


# ── events of a game ─────────────────────────────────────────────────────────────────────────────


def events(game: Record | Node) -> tuple[Event, ...]:
    """The events of a record's main line, or of the line to a node, in order.

    >>> record = Record("pentagame")
    >>> node = record.play("3-5 410")
    >>> print(*events(record))
    [1,0,0,3,5,0,0] [1,2,0,11,5,0,0] [1,3,0,11,4,1,0]
    """
    end = game.end if isinstance(game, Record) else game
    line = end.line
    _check_game(line[0])
    found: list[Event] = []
    for node in line[1:]:
        before, move = node.played
        found += turn_events(cast(PentagamePosition, before), move)
    here = end.position
    outcome = game.outcome if isinstance(game, Record) else here.outcome
    if outcome:
        reason = REASONS.index(outcome.reason) if outcome.reason in REASONS else len(REASONS) - 1
        found += [Event(here.ply, OVER, winner, reason) for winner in outcome.winners or (NOBODY,)]
    elif isinstance(here, PentagamePosition) and here.waiting:
        found.append(Event(here.ply + 1, FORCED, here.turn, NOTHING))
    return tuple(found)


def turn_events(position: PentagamePosition, move: Steps) -> tuple[Event, ...]:
    """The events of a turn."""
    after = position.play(move)
    found = list(_turn(position, position.steps_given(move)))
    if not after.outcome:
        skipped = range(position.turn + 1, after.turn if after.turn > position.turn else after.players)
        found += [Event(after.ply, PASSED, seat, NOTHING) for seat in skipped]
    return tuple(found)


def _turn(here: PentagamePosition, steps: tuple[TurnStep, ...]) -> Iterator[Event]:
    ply = here.ply + 1
    if here.waiting:
        yield Event(ply, FORCED, here.turn, NOTHING)
    for step in steps:
        if isinstance(step, PieceStep):
            for kind, move in zip((MOVED, SWAPPED), step.shifts, strict=False):
                yield Event(ply, kind, *move)
            taken = [block for block, field in here.blocks if field == NUMBER[step.to]]
            yield from (Event(ply, TAKEN, step.seat, block, step.to) for block in taken)
            yield from (Event(ply, HOME, owner, piece) for owner, piece in step.leaving)
        elif isinstance(step, LeaveStep):
            yield Event(ply, HOME, step.seat, step.piece)
        else:
            assert isinstance(step, BlockStep)
            yield Event(ply, PLACED, *step)
        here = here.after_legal(step)


def _check_game(root: Node) -> None:
    if not isinstance(root.position, PentagamePosition):
        raise GameError("Expected a game of Pentagame, got one of {game}.", game=root.position.game)


# ── reading and writing ──────────────────────────────────────────────────────────────────────────

Events: TypeAlias = Iterable[Event | Sequence[int] | str | int]


def write_events(found: Iterable[Event]) -> str:
    """Events as JSON, a list of lists, one a line; `read_events` reads it back."""
    return "[" + ",\n ".join(map(str, found)) + "]\n"


def read_events(given: str | Events) -> tuple[Event, ...]:
    """Reads events from JSON or from a list of identifiers in any form; errors give the event's number from 1."""
    if isinstance(given, str):
        given = _from_json(given, "a list of events")
    if not isinstance(given, list | tuple):
        raise GameError("Expected a list of events, got {given}.", given=shown(given, 40))
    if len(given) > MAX_EVENTS:
        raise GameError(
            "A game has at most {max_events:,} events, got {count:,}.", max_events=MAX_EVENTS, count=len(given)
        )
    found = []
    for number, each in enumerate(given, 1):
        try:
            found.append(event(each))
        except GameError as error:
            raise GameError("event {number}: {error}", number=number, error=error) from None
    return tuple(found)


def record_of(start: PentagamePosition, given: str | Events, reason: str | None = None) -> Record:
    """The record of the game that began at `start` and has exactly these events.

    `reason` is the reason of the end if the last event has the number for other reasons.
    """
    found = read_events(given)
    record = Record(start)
    _check_game(record.root)
    for ply, turn in itertools.groupby(found, key=lambda each: each.ply):
        moves = [each.move for each in turn if each.move]
        if not moves:
            continue
        expected = record.position.ply + 1
        if ply != expected:
            raise GameError("Expected turn {expected}, got turn {ply}.", expected=expected, ply=ply)
        try:
            record.end.play(Move(moves))
        except GameError as error:
            raise GameError("turn {ply}: {error}", ply=ply, error=error) from None
    record.ended = _ended(record, found, reason)
    for number, (one, other) in enumerate(itertools.zip_longest(found, events(record)), 1):
        if one != other:
            raise GameError(
                "event {number}: Expected {expected}, got {found}.",
                number=number,
                expected=other or "no more events",
                found=one or "the end of the list",
            )
    return record


def _ended(record: Record, found: Sequence[Event], reason: str | None) -> Outcome | None:
    """The outcome, if the moves do not show it."""
    last = [each for each in found if each.kind == OVER]
    if not last or record.shown:
        return None
    winners = [each.player for each in last if each.player != NOBODY]
    if any(winner >= record.start.players for winner in winners):
        raise GameError(
            "Unknown winner {winners}. Players are 0 to {players}.",
            winners=max(winners),
            players=record.start.players - 1,
        )
    return Outcome.of(winners, record.start.players, reason or last[0].reason or "")
