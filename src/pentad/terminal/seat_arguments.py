"""Who sits where: what the arguments say, else what a record's tags tell, else a person against a bot."""

from __future__ import annotations

from collections.abc import Mapping

from pentad.game import Game, GameError, shorten
from pentad.play.seats import HUMAN, seat_number, sit, starts_program
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.bot import default_opponent


def read_seats(game: Game, players: int, given: list[tuple[str, str]]) -> dict[int, str]:
    """Who was given which seat; pairs of a seat, by number or colour, and who sits there."""
    seats: dict[int, str] = {}
    for name, who in given:
        seat = seat_number(game, name, players)
        if seat in seats:
            raise GameError(f"the seat {name} is given twice")
        sit(game, who, programs=True, remote=True)  # refuses whom nobody knows
        seats[seat] = who
    return seats


def complete(game: Game, players: int, seats: Mapping[int, str]) -> list[str]:
    """Everyone's seat: a person takes the first free one if there is none yet, the others are a bot's."""
    free = [seat for seat in range(players) if seat not in seats]
    all_ = {**dict.fromkeys(free, default_opponent(game.name)), **seats}
    if free and HUMAN not in seats.values():
        all_[free[0]] = HUMAN
    return [all_[seat] for seat in range(players)]


def set_table(record: Record, seats: Mapping[int, str], seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for a record; a name in its tags that is no bot's is a person's, and stays.

    So is that of a bot which starts a program: a record may come from anywhere. `seats` are what was asked for here.
    """
    players = record.start.players
    named = {seat: record.tags[tag] for seat in range(players) if (tag := f"Seat{seat}") in record.tags}
    told = {seat: name if _is_known(record.game, name) else HUMAN for seat, name in named.items()}
    table = _set(record, complete(record.game, players, {**told, **seats}), seed, warm_up)
    _name_people(table, named)
    return table


def seat_again(table: Table, record: Record, seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for another record with the same people and bots, where it has seats for them."""
    same = record.game.name == table.game.name and record.start.players == table.position.players
    if not same:
        return set_table(record, {}, seed, warm_up=warm_up)
    after = _set(record, [seat.who for seat in table.seats], seed, warm_up)
    _name_people(after, {i: table.record.tags.get(f"Seat{i}", HUMAN) for i in range(len(after.seats))})
    return after


def _set(record: Record, everyone: list[str], seed: int | None, warm_up: bool) -> Table:
    """A table; simpler bots play at first where a person would wait, and no seed asks for certain moves."""
    wanted = warm_up and seed is None and HUMAN in everyone
    return Table(record, everyone, seed=seed, programs=True, warm_up=wanted)


def programs_left_out(record: Record, seats: Mapping[int, str]) -> list[str]:
    """What to say of the seats whose bots are in the record's tags but are not started, since nobody asked for it."""
    left = []
    for seat in range(record.start.players):
        who = record.tags.get(f"Seat{seat}", "")
        if seat not in seats and starts_program(record.game, who):
            left.append(
                f"at seat {seat} sat {shorten(who, 120)}; a record starts no programs, so a person sits there, "
                f"unless --seat {seat}=… asks for it"
            )
    return left


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
