"""The players at the seats: from the arguments, else from a record's tags, else a person against bots."""

from __future__ import annotations

from collections.abc import Mapping

from pentad.game import Game, GameError, shorten
from pentad.play.seats import HUMAN, seat_number, sit, starts_program
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.bot import default_opponent


def read_seats(game: Game, players: int, given: list[tuple[str, str]]) -> dict[int, str]:
    """The given players by seat; `given` holds pairs of a seat, by number or colour, and a player."""
    seats: dict[int, str] = {}
    for name, who in given:
        seat = seat_number(game, name, players)
        if seat in seats:
            raise GameError(f"Seat {name} is given twice.")
        sit(game, who, programs=True, remote=True)  # raises an error for an unknown player
        seats[seat] = who
    return seats


def complete(game: Game, players: int, seats: Mapping[int, str]) -> list[str]:
    """The players at all seats: a person at the first free seat if there is none yet, bots at the others."""
    free = [seat for seat in range(players) if seat not in seats]
    all_ = {**dict.fromkeys(free, default_opponent(game.name)), **seats}
    if free and HUMAN not in seats.values():
        all_[free[0]] = HUMAN
    return [all_[seat] for seat in range(players)]


def set_table(record: Record, seats: Mapping[int, str], seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for a record; a name in its tags that is not a bot's is a person's and is kept.

    The same holds for a bot that starts a program, since a record may come from an untrusted source. `seats` are the
    players from the arguments.
    """
    players = record.start.players
    named = {seat: record.tags[tag] for seat in range(players) if (tag := f"Seat{seat}") in record.tags}
    recorded = {seat: name if _is_known(record.game, name) else HUMAN for seat, name in named.items()}
    table = _set(record, complete(record.game, players, {**recorded, **seats}), seed, warm_up)
    _name_people(table, named)
    return table


def seat_again(table: Table, record: Record, seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for another record with the same players, if the number of seats is the same."""
    same = record.game.name == table.game.name and record.start.players == table.position.players
    if not same:
        return set_table(record, {}, seed, warm_up=warm_up)
    after = _set(record, [seat.who for seat in table.seats], seed, warm_up)
    _name_people(after, {i: table.record.tags.get(f"Seat{i}", HUMAN) for i in range(len(after.seats))})
    return after


def _set(record: Record, everyone: list[str], seed: int | None, warm_up: bool) -> Table:
    """A table; warm-up bots play only if a person would wait and no seed fixes the moves."""
    uses_warm_up = warm_up and seed is None and HUMAN in everyone
    return Table(record, everyone, seed=seed, programs=True, warm_up=uses_warm_up)


def programs_left_out(record: Record, seats: Mapping[int, str]) -> list[str]:
    """Messages about bots in the record's tags that would start a program and are replaced by a person."""
    messages = []
    for seat in range(record.start.players):
        who = record.tags.get(f"Seat{seat}", "")
        if seat not in seats and starts_program(record.game, who):
            messages.append(
                f"The record names {shorten(who, 120)} at seat {seat}, but a record may not start programs. "
                f"A human plays there instead, unless you use --seat {seat}=…"
            )
    return messages


def _name_people(table: Table, names: Mapping[int, str]) -> None:
    for seat, name in names.items():
        if table.seats[seat].is_human and not _is_known(table.game, name):
            table.record.tags[f"Seat{seat}"] = name


def _is_known(game: Game, who: str) -> bool:
    try:
        sit(game, who, remote=True)
    except GameError:
        return False
    return True
