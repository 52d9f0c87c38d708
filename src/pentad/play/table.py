"""Tables: a game in play, with its seats, its record, undo, hints, resignations and forfeits; results as sentences.

The terminal and the browser both play at a table, which is independent of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pentad.game import Game, GameError, Move, Outcome, Position, Steps
from pentad.play.seats import HUMAN, NOTE, Preparation, Seat, WarmUpBot, missing_kernels, sit
from pentad.record import Node, Record
from pentad.record.text import REPEATED, RESULT_ONLY
from pentad.search.bot import Forfeit, default_opponent
from pentad.search.bot import bot as make_bot
from pentad.wording import listed

RESIGNED, FORFEIT, FLAGGED, AGREED = "resigned", "forfeit", "out of time", "agreed"
PROVED = "exact value"  # ended by a solver, before the board shows it
GAME_OVER = "The game is over."

# Reasons are stored in records and databases, so they do not change. The sentences for those of the board are the
# position's status.
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
    """A move to play, and what is proved of it, such as `wins in 3`; empty where nothing is proved."""

    move: Move
    claim: str = ""

    @property
    def proof(self) -> str:
        """The claim as a sentence; empty where nothing is proved."""
        return f"The move {self.claim}{'' if self.claim.endswith('…') else '.'}" if self.claim else ""


class Table:
    """A game in play.

    >>> table = Table(Record("pentago"), ["human", "greedy"], seed=1)
    >>> table.play("a2 1C").seat
    1
    >>> table.let_bot_play().seat
    0
    """

    def __init__(
        self,
        record: Record,
        seats: Sequence[str] | None = None,
        *,
        seed: int | None = None,
        programs: bool = False,
        remote: bool = False,
        warm_up: bool = False,
    ) -> None:
        """A table for a record, with a player for each seat; without `seats` the record's tags name them.

        With `programs` bots that start a program are allowed: the user who runs pentad asked for all of `seats`.
        `remote` bots run in another process, so none is made here. With `warm_up` the kernels of the bots are
        compiled in the background, and simpler bots play until they are ready.
        """
        players = record.start.players
        names = list(seats) if seats is not None else [record.tags.get(f"Seat{i}", HUMAN) for i in range(players)]
        if len(names) != players:
            raise GameError(f"This game of {record.game.title} has {players} seats, not {len(names)}.")
        self.record = record
        needed = [each for who in names for each in missing_kernels(record.position, who)] if warm_up else []
        self.preparing = Preparation(dict.fromkeys(needed)) if needed else None
        self.seats: list[Seat] = [
            sit(
                record.game,
                who,
                seed=None if seed is None else seed + i,
                programs=programs and seats is not None,
                remote=remote,
                preparing=self.preparing,
            )
            for i, who in enumerate(names)
        ]
        record.tags.setdefault("Date", datetime.now(UTC).astimezone().date().isoformat())
        record.tags.update({f"Seat{i}": who for i, who in enumerate(names)})
        self._taken_back: list[Node] = []
        self._previewed: tuple[Node, Move, Node] | None = None  # the node, the move and the node after it

    @property
    def game(self) -> Game:
        return self.record.game

    @property
    def position(self) -> Position:
        return self.record.position

    @property
    def outcome(self) -> Outcome | None:
        return self.record.outcome

    @property
    def seat(self) -> int | None:
        """The seat to move, or None after the end."""
        return None if self.outcome else self.position.turn

    def player_name(self, seat: int) -> str:
        """The name of the player at a seat."""
        return self.record.tags.get(f"Seat{seat}", self.seats[seat].who)

    @property
    def players_text(self) -> str:
        """The colours and their players: `black: human, white: greedy`."""
        colours = map(self.position.colour_of, range(len(self.seats)))
        return ", ".join(f"{colour}: {self.player_name(seat)}" for seat, colour in enumerate(colours))

    @property
    def waits_for_bot(self) -> bool:
        """Whether a bot is to move."""
        return self.seat is not None and not self.seats[self.seat].is_human

    @property
    def last(self) -> Move | None:
        """The last move, for a drawing to mark."""
        return self.record.end.move

    def play(self, move: Steps) -> Table:
        """Play a move for the seat to move."""
        end = self.record.end
        if self._previewed and self._previewed[:2] == (end, move) and not self.outcome:
            end.children.append(self._previewed[2])
        else:
            self.record.play(move)
        self._previewed = None
        self._taken_back.clear()
        return self

    def preview(self, move: Move) -> tuple[Outcome | None, int]:
        """The outcome after a move of the seat to move, as `parse` returned it, and the seat to move then.

        Raises `IllegalMove` for an illegal move. The result is reused if the move is played next.
        """
        if self.outcome:
            raise GameError(GAME_OVER)
        end = self.record.end
        new = end.add(move, end.position.play(move))
        try:
            outcome = self.record.outcome
        finally:
            end.children.remove(new)
        self._previewed = (end, move, new)
        return outcome, new.position.turn

    def let_bot_play(self, seconds: float | None = None) -> Table:
        """Play a move of the bot to move; a bot that forfeits loses, and the record holds the reason."""
        seat = self.seat
        bot = None if seat is None else self.seats[seat].bot
        if bot is None or seat is None:
            raise GameError("It is not a bot's turn.")
        try:
            self.play(bot.choose(self.position, seconds=seconds))
            if isinstance(bot, WarmUpBot) and bot.is_warming_up:
                self.record.end.comment = NOTE
            return self
        except Forfeit as lost:
            forfeit(self.record, seat, f"{self.seats[seat].who} at seat {seat} forfeits: {lost}")
            return self

    def close(self) -> None:
        """Close the bots."""
        for seat in self.seats:
            if seat.bot:
                seat.bot.close()

    def hint(self, seconds: float | None = None) -> Hint:
        """A move with a proved result, or else the move of the game's best bot.

        A game that can prove results has a function `prove(position, *, seconds)` in its module `bot`, which returns
        the move and the claim, or None.
        """
        if self.outcome:
            raise GameError(GAME_OVER)
        prove = getattr(self.game.module("bot"), "prove", None)
        proved = prove(self.position, seconds=seconds) if prove else None
        if proved:
            return Hint(*proved)
        return Hint(make_bot(self.game.name, seed=0).choose(self.position, seconds=seconds))

    def undo(self) -> int:
        """Take back moves to a person's last turn (a single move among bots); returns the number of moves.

        A resignation is taken back by itself and counts as no move.
        """
        if self.record.ended and self.record.ended.reason == RESIGNED:
            return self.take_back(0)
        if not self.record.moves:
            raise GameError("There is no move to take back.")
        humans = [i for i, seat in enumerate(self.seats) if seat.is_human]
        return self.take_back((self.moves_back(humans) or len(self.record.moves)) if humans else 1)

    def moves_back(self, seats: Collection[int]) -> int:
        """The number of moves back to the last turn of one of these seats; 0 if there was none."""
        node, count = self.record.end, 0
        while node.parent is not None:
            node, count = node.parent, count + 1
            if node.position.turn in seats:
                return count
        return 0

    def take_back(self, count: int) -> int:
        """Take back this many moves, and an end such as a resignation; returns the number of moves."""
        if count > len(self.record.moves):
            raise GameError(f"Cannot take back {count} moves: only {len(self.record.moves)} have been played.")
        self.record.ended = None
        for _ in range(count):
            self._taken_back.append(self.record.take_back())
        return count

    @property
    def can_redo(self) -> bool:
        """Whether there is a move to redo."""
        return bool(self._taken_back) and not self.outcome

    def redo(self) -> int:
        """Redo the moves last taken back, up to a person's turn; returns the number of moves."""
        if not self.can_redo:
            raise GameError("There is no move to redo.")
        count = 0
        while self._taken_back:
            node = self._taken_back.pop()
            assert node.move is not None
            again = self.record.play(node.move)
            again.comment, again.clock, again.value = node.comment, node.clock, node.value
            again.shapes = node.shapes
            count += 1
            if self.seat is None or self.seats[self.seat].is_human or not any(s.is_human for s in self.seats):
                break
        return count

    def end(self, winners: Iterable[int], reason: str) -> Outcome:
        """End the game for a reason that is not on the board: a draw by agreement, a clock that ran out."""
        if self.outcome:
            raise GameError(GAME_OVER)
        self.record.ended = Outcome.of(winners, self.position.players, reason)
        return self.record.ended

    def resign(self, seat: int | None = None) -> Outcome:
        """Resign for a seat (by default the one to move): the others share the win."""
        if self.outcome:
            raise GameError(GAME_OVER)
        players = self.position.players
        loser = self.position.turn if seat is None else seat
        if not 0 <= loser < players:
            raise GameError(f"Unknown seat {loser}. The seats are 0 to {players - 1}.")
        return self.lose(loser, RESIGNED)

    def lose(self, seat: int, reason: str) -> Outcome:
        """End the game with a loss for a seat: all the others share the win."""
        return self.end((other for other in range(self.position.players) if other != seat), reason)


def forfeit(record: Record, seat: int, why: str) -> None:
    """End a game with a forfeit of a seat: the others share the win, and the last comment gives the reason."""
    players = record.start.players
    record.end.comment = f"{record.end.comment} {why}".strip()
    record.ended = Outcome.of((other for other in range(players) if other != seat), players, FORFEIT)


# ── the players of a record ──────────────────────────────────────────────────────────────────────


def recorded_players(record: Record) -> dict[int, str]:
    """The players that a record's tags name, by seat."""
    tags = {seat: f"Seat{seat}" for seat in range(record.start.players)}
    return {seat: record.tags[tag] for seat, tag in tags.items() if tag in record.tags}


def set_table(record: Record, seats: Mapping[int, str], seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for a record: with the players of `seats`, else those in its tags, else a person against bots.

    A name in the tags that is not a bot's is a person's and is kept. The same holds for a bot that starts a program,
    since a record may come from an untrusted source.
    """
    players, named = record.start.players, recorded_players(record)
    known = {seat: name if _is_known(record.game, name) else HUMAN for seat, name in named.items()} | dict(seats)
    free = [seat for seat in range(players) if seat not in known]
    if free and HUMAN not in known.values():
        known[free[0]] = HUMAN
    opponent = default_opponent(record.game.name)
    return _set(record, [known.get(seat, opponent) for seat in range(players)], named, seed, warm_up)


def seat_again(table: Table, record: Record, seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for another record with the same players, if the number of seats is the same."""
    if (record.game.name, record.start.players) != (table.game.name, table.position.players):
        return set_table(record, {}, seed, warm_up=warm_up)
    return _set(record, [seat.who for seat in table.seats], recorded_players(table.record), seed, warm_up)


def _set(record: Record, everyone: list[str], named: Mapping[int, str], seed: int | None, warm_up: bool) -> Table:
    """A table; warm-up bots play only if a person would wait and no seed fixes the moves."""
    uses_warm_up = warm_up and seed is None and HUMAN in everyone
    table = Table(record, everyone, seed=seed, programs=True, warm_up=uses_warm_up)
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
    result = f"{winners} wins." if len(names) == 1 else f"{winners} share the win."
    if outcome.reason in _LOSSES:
        losers = listed(position.colour_of(seat) for seat in range(position.players) if seat not in outcome.winners)
        return f"{_LOSSES[outcome.reason].format(losers=losers.capitalize())} {result}"
    return result if outcome.reason == RESULT_ONLY else f"{result} Reason: {outcome.reason}."


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
