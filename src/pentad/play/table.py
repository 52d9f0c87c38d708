"""Tables: a game in play in the terminal, with its seats, its record, undo, hints, resignations and forfeits.

A table is independent of the game. Results as sentences are here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from pentad.game import Choice, Game, GameError, Move, Outcome, Position, Steps
from pentad.play.clock import Clock, Time
from pentad.play.game_state import AGREED, FLAGGED, FORFEIT, GAME_OVER, PROVED, RESIGNED, GameState
from pentad.play.seats import HUMAN, Preparation, Seat, kernels_from, sit
from pentad.record import Node, Record
from pentad.record.text_format import REPEATED, RESULT_ONLY
from pentad.search.bot import Forfeit, default_opponent
from pentad.search.bot import bot as make_bot
from pentad.search.exact import exact_value
from pentad.search.move_limit import Limit
from pentad.system.words import listed, phrase

HINT_SECONDS = 2.0  # the most time for the exact value of a hint
HINT_MEMORY_BYTES = 10**9
TIME = "Time"  # the tag with the label of a record's time control

# The sentences for reasons that are on the board are the position's status.
_LOSSES = {
    RESIGNED: "{losers} resigned.",
    FORFEIT: "{losers} forfeited the game.",
    FLAGGED: "{losers} ran out of time.",
}
_DRAWS = {
    AGREED: "Draw by agreement.",
    PROVED: "Draw by exact value.",
    REPEATED: "Draw by threefold repetition.",
    RESULT_ONLY: "Draw.",
}


@dataclass(frozen=True, slots=True)
class Hint:
    """A move to play, and what is proved of it, such as `wins in 3 moves`; empty where nothing is proved."""

    move: Move
    claim: str = ""

    @property
    def proof(self) -> str:
        """The claim as a sentence; empty where nothing is proved."""
        return f"It {self.claim}{'' if self.claim.endswith('…') else '.'}" if self.claim else ""


class Table:
    """A game in play.

    With a time control it has a clock, by the rules of the rooms: each move's node has the time left to its seat, and a
    game of the record goes on from there.

    >>> table = Table(Record("pentago"), ["human", "greedy"], seed=1)
    >>> table.play("a2 1C").seat
    1
    >>> table.let_bot_play().seat
    0
    >>> now = 100.0
    >>> table = Table(Record("pentago"), ["human", "human"], time=Time(main=60), now=lambda: now)
    >>> table = table.play("a2 1C")
    >>> now = 110.0
    >>> table.play("c3 4A").record.end.clock
    50.0
    """

    def __init__(
        self,
        record: Record,
        seats: Sequence[str] | None = None,
        *,
        time: Time | None = None,
        now: Callable[[], float] = monotonic,
        seed: int | None = None,
        programs: bool = False,
        warm_up: bool = False,
    ) -> None:
        """A table for a record, with a player for each seat; without `seats` the record's tags name them.

        With `programs` bots that start a program are allowed: the user who runs pentad asked for all of `seats`. With
        `warm_up` the kernels of the bots are compiled in the background, and simpler bots play until they are ready.
        """
        players = record.start.players
        names = list(seats) if seats is not None else [record.tags.get(f"Seat{i}", HUMAN) for i in range(players)]
        if len(names) != players:
            raise GameError(
                "This game of {title} has {players} seats, not {count}.",
                title=record.game.title,
                players=players,
                count=len(names),
            )
        self.record = record
        needed = dict.fromkeys(each for who in names for each in kernels_from(record.position, who))
        preparing = Preparation(needed) if warm_up else None
        self.preparing = preparing if preparing and preparing.names else None
        self.seats: list[Seat] = [
            sit(
                record.game,
                who,
                seed=None if seed is None else seed + i,
                programs=programs and seats is not None,
                preparing=self.preparing,
            )
            for i, who in enumerate(names)
        ]
        record.tags.setdefault("Date", datetime.now(UTC).astimezone().date().isoformat())
        record.tags.update({f"Seat{i}": who for i, who in enumerate(names)})
        if time:
            record.tags[TIME] = time.label
        self._now = now
        clock = Clock(time, times_after(record.end, time)) if time else None
        self._state = GameState(record.end, record.ended, clock=clock)
        self._aside: dict[Node, list[Node]] = {}  # variations at places that were taken back to

    def _go(self, state: GameState) -> int:
        """Goes on to another state, which the main line of the record follows; returns the number of moves between.

        Variations stay beside the main line. It cannot have any at its end, so they are put aside until it goes on.
        """
        moves, self._state, end = abs(state.moves - self._state.moves), state, state.end
        if end.children:
            self._aside[end] = [each for each in end.children if each not in state.taken_back]
            end.children = []
        for node in state.line[1:]:
            before = node.parent
            if before and before.children[:1] != [node]:
                others = self._aside.pop(before, [])
                before.children = [node, *(each for each in others if each.move != node.move)]
        self.record.ended = state.ended
        return moves

    @property
    def game(self) -> Game:
        return self._state.game

    @property
    def position(self) -> Position:
        return self._state.position

    @property
    def outcome(self) -> Outcome | None:
        return self._state.outcome

    @property
    def seat(self) -> int | None:
        """The seat to move, or None after the end."""
        return self._state.seat

    @property
    def clock(self) -> Clock | None:
        return self._state.clock

    def player_name(self, seat: int) -> str:
        """The name of the player at a seat."""
        return self.record.tags.get(f"Seat{seat}", self.seats[seat].who)

    @property
    def players_text(self) -> str:
        """The colours and their players: `black: human, white: greedy`."""
        colours = map(self.position.colour_of, range(len(self.seats)))
        return ", ".join(f"{colour}: {self.player_name(seat)}" for seat, colour in enumerate(colours))

    @property
    def is_lost_on_time(self) -> bool:
        """Whether a clock that ran out has ended the game."""
        return self._state.is_lost_on_time

    @property
    def waits_for_bot(self) -> bool:
        """Whether a bot is to move."""
        return self.seat is not None and not self.seats[self.seat].is_human

    @property
    def last(self) -> Move | None:
        """The last move, for a drawing to mark."""
        return self._state.end.move

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [i for i, seat in enumerate(self.seats) if seat.is_human]

    def play(self, move: Steps) -> Table:
        """Play a move for the seat to move, unless its time is over: then the game ends."""
        if self.flag():
            return self
        now, written = self._now(), str(move) if isinstance(move, str | Choice) else str(Move(move))
        # The record keeps one spelling: parsing drops the optional parts of a move.
        self._go(self._state.play(self.position.parse(written), self._state.clock_after_move(now)).run(now))
        return self

    def let_bot_play(self, seconds: float | None = None) -> Table:
        """Play a move of the bot to move, for which it has a part of its time at most.

        A bot that forfeits loses, and the record holds the reason.
        """
        seat = self.seat
        bot = None if seat is None else self.seats[seat].bot
        if bot is None or seat is None:
            raise GameError("It is not a bot's turn.")
        limit = Limit(seconds=seconds)
        if self.clock:
            own = self.clock.limit(seat, self._now())
            limit = own if seconds is None else own.within(seconds)
        try:
            found = bot.play(self.position, limit)
            self.play(found.move)
            if found.simpler and not self.record.ended:
                self.record.end.comment = found.note
        except Forfeit as lost:
            note_forfeit(
                self.record.end,
                phrase("{who} at seat {seat} forfeits: {lost}", who=self.seats[seat].who, seat=seat, lost=lost),
            )
            self.lose(seat, FORFEIT)
        return self

    def close(self) -> None:
        """Close the bots."""
        for seat in self.seats:
            if seat.bot:
                seat.bot.close()

    def hint(self, seconds: float | None = None) -> Hint:
        """A move with an exact or proved result, or else the move of the game's best bot."""
        if self.outcome:
            raise GameError(GAME_OVER)
        limit = HINT_SECONDS if seconds is None else min(seconds, HINT_SECONDS)
        known = exact_value(self.position, depth=True, seconds=limit, memory=HINT_MEMORY_BYTES)
        if known and known.best:
            return Hint(known.best[0], known.claim)
        return Hint(make_bot(self.game.name, seed=0).choose(self.position, seconds=seconds))

    def undo(self) -> int:
        """Take back moves to a person's last turn (a single move among bots); returns the number of moves.

        A resignation is taken back by itself and counts as no move; a loss on time stays.
        """
        if self.is_lost_on_time:
            raise GameError("A loss on time cannot be taken back.")
        if self.record.ended and self.record.ended.reason == RESIGNED:
            return self.take_back(0)
        if not self._state.moves:
            raise GameError("There is no move to take back.")
        return self.take_back((self._state.moves_back(self.people) or self._state.moves) if self.people else 1)

    def take_back(self, count: int) -> int:
        """Take back this many moves, and an end such as a resignation; returns the number of moves."""
        now = self._now()
        return self._go(self._state.take_back(count, self._state.clock_after_take_back(count, now)).run(now))

    @property
    def can_redo(self) -> bool:
        """Whether there is a move to redo."""
        return self._state.can_redo

    def redo(self) -> int:
        """Redo the moves last taken back, up to a person's turn; returns the number of moves."""
        return self._go(self._state.redo(self.people).run(self._now()))

    def end(self, winners: Iterable[int], reason: str) -> Outcome:
        """End the game for a reason that is not on the board: a draw by agreement, a clock that ran out."""
        return self._end(self._state.finish(winners, reason))

    def resign(self, seat: int | None = None) -> Outcome:
        """Resign for a seat (by default the one to move): the others share the win."""
        return self.lose(self.position.turn if seat is None else seat, RESIGNED)

    def lose(self, seat: int, reason: str) -> Outcome:
        """End the game with a loss for a seat: all the others share the win."""
        return self._end(self._state.lose(seat, reason))

    def _end(self, state: GameState) -> Outcome:
        assert state.ended
        self._go(state.run(self._now()))
        return state.ended

    def go_on(self) -> None:
        """Start the time of the seat to move, as in a game that was continued from a record."""
        self._go(self._state.run(self._now()))

    def flag(self) -> bool:
        """End the game for a seat that is out of time; returns whether it has ended so."""
        seat = self.clock.over(self._now()) if self.clock else None
        if seat is None:
            return False
        self.lose(seat, FLAGGED)
        return True


def times_after(end: Node, time: Time) -> tuple[float, ...]:
    """The time left to each seat at the end of a line: that after its last move, else all of it."""
    left: dict[int, float] = {}
    for node in end.line[1:]:
        before, _ = node.played
        if node.clock is not None:
            left[before.turn] = node.clock
    return tuple(left.get(seat, time.at_first) for seat in range(end.position.players))


def forfeit(record: Record, seat: int, why: str) -> None:
    """End a game with a forfeit of a seat: the others share the win, and the last comment gives the reason."""
    note_forfeit(record.end, why)
    record.ended = GameState(record.end).lose(seat, FORFEIT).ended


def note_forfeit(end: Node, why: str) -> None:
    """Add the reason of a forfeit to the comment of the last move."""
    end.comment = f"{end.comment} {why}".strip()


# ── the players of a record ──────────────────────────────────────────────────────────────────────


def recorded_players(record: Record) -> dict[int, str]:
    """The players that a record's tags name, by seat."""
    tags = {seat: f"Seat{seat}" for seat in range(record.start.players)}
    return {seat: record.tags[tag] for seat, tag in tags.items() if tag in record.tags}


def set_table(
    record: Record,
    seats: Mapping[int, str],
    seed: int | None,
    *,
    warm_up: bool = False,
    now: Callable[[], float] = monotonic,
) -> Table:
    """A table for a record: with the players of `seats`, else those in its tags, else a person against bots.

    It has a clock if the record has a tag with a time control that is not in days; `now` is the time.

    A name in the tags that is not a bot's is a person's and is kept. The same holds for a bot that starts a program,
    since a record may come from an untrusted source.
    """
    players, named = record.start.players, recorded_players(record)
    known = {seat: name if _is_known(record.game, name) else HUMAN for seat, name in named.items()} | dict(seats)
    free = [seat for seat in range(players) if seat not in known]
    if free and HUMAN not in known.values():
        known[free[0]] = HUMAN
    opponent = default_opponent(record.game.name)
    return _set(record, [known.get(seat, opponent) for seat in range(players)], named, seed, warm_up, now)


def seat_again(
    table: Table,
    record: Record,
    seed: int | None,
    *,
    warm_up: bool = False,
    now: Callable[[], float] = monotonic,
) -> Table:
    """A table for another record with the same players, if the number of seats is the same."""
    if (record.game.name, record.start.players) != (table.game.name, table.position.players):
        return set_table(record, {}, seed, warm_up=warm_up, now=now)
    return _set(record, [seat.who for seat in table.seats], recorded_players(table.record), seed, warm_up, now)


def _set(
    record: Record,
    everyone: list[str],
    named: Mapping[int, str],
    seed: int | None,
    warm_up: bool,
    now: Callable[[], float],
) -> Table:
    """A table; warm-up bots play only if a person would wait and no seed fixes the moves."""
    about: dict[str, Any] = {"seed": seed, "programs": True, "warm_up": warm_up and seed is None and HUMAN in everyone}
    time = Time.labelled(record.tags.get(TIME, ""))
    table = Table(record, everyone, time=None if time and time.days else time, now=now, **about)
    for seat, name in named.items():
        if table.seats[seat].is_human and not _is_known(table.game, name):
            record.tags[f"Seat{seat}"] = name
    return table


def _is_known(game: Game, who: str) -> bool:
    try:
        sit(game, who, remote=True)
    except GameError:
        return False
    return True


# ── results as sentences ─────────────────────────────────────────────────────────────────────────


def result_text(position: Position, outcome: Outcome) -> str:
    """The result of a game in a sentence or two, with the reason.

    >>> import pentad
    >>> position = pentad.new("pentago")
    >>> result_text(position, Outcome.of((1,), 2, RESIGNED))
    'Black resigned. White wins.'
    >>> result_text(position, Outcome.of((), 2, "threefold repetition"))
    'Draw by threefold repetition.'
    """
    if outcome == position.outcome:
        return position.status
    if not outcome.winners or outcome.is_draw:
        return _DRAWS.get(outcome.reason, f"Draw: {outcome.reason}.")
    names = [position.colour_of(seat) for seat in outcome.winners]
    winners = listed(names).capitalize()
    result = f"{winners} wins." if len(names) == 1 else phrase("{winners} share the win.", winners=winners)
    sentences = (result, reason_text(position, outcome))
    return " ".join(filter(None, reversed(sentences) if outcome.reason in _LOSSES else sentences))


def reason_text(position: Position, outcome: Outcome) -> str:
    """Why the winners have won, as a sentence of its own; empty if the result says it.

    >>> import pentad
    >>> reason_text(pentad.new("pentago"), Outcome.of((1,), 2, RESIGNED))
    'Black resigned.'
    """
    if outcome == position.outcome or not outcome.winners or outcome.is_draw or outcome.reason == RESULT_ONLY:
        return ""
    if outcome.reason not in _LOSSES:
        return phrase("Reason: {reason}.", reason=outcome.reason)
    losers = listed(position.colour_of(seat) for seat in range(position.players) if seat not in outcome.winners)
    return _LOSSES[outcome.reason].format(losers=losers.capitalize())


def scored_result(position: Position, outcome: Outcome) -> str:
    """The result of a game, with its score.

    >>> import pentad
    >>> position = pentad.new("pentago")
    >>> scored_result(position, Outcome.of((1,), 2, RESIGNED))
    'Black resigned. White wins. Result: 0-1.'
    """
    return f"{result_text(position, outcome)} Result: {outcome.score}."


def state_text(record: Record) -> str:
    """The player to move, or the result."""
    position = record.position
    if record.outcome:
        return scored_result(position, record.outcome)
    return f"{position.colour_of(position.turn).capitalize()} to move."
