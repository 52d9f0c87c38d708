"""Search in a person's games: by opponent, by game and by result, the same in a database and in a browser's storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from pentad.store.rows import OPEN, Columns, GameRow, SeatRow, winners_of

Standing: TypeAlias = Literal["won", "lost", "draw"]
Result: TypeAlias = Literal["all", "won", "lost", "draw", "running"]

HUMAN = "human"
NAMELESS = "player"  # how an opponent without a name is found


class GameSearch(NamedTuple):
    """What a person looks for: a part of an opponent's name, a game by name, a result; by default all games."""

    opponent: str = ""
    game: str = ""
    result: Result = "all"

    @property
    def name_part(self) -> str:
        """The part of a name, as `opponents_text` writes names."""
        return _folded(self.opponent)

    def fits(self, row: GameRow, person: int) -> bool:
        """Whether a game is among those that the person looks for."""
        if self.game not in ("", row.game) or self.name_part not in opponents_text(row.seats, person):
            return False
        if self.result == "all":
            return True
        if self.result == "running":
            return row.result is None
        if self.result == "draw":
            return winners_of(row.result) == 0
        return standing_of(row, person) == self.result


def opponents_text(seats: Sequence[SeatRow], person: int) -> str:
    """The names of the other players for a search, one a line; empty if the person has all seats."""
    return "\n".join(_folded(_name(seat)) for seat in seats if seat.person != person)


def sitter_rows(game: str, seats: Sequence[SeatRow]) -> list[Columns]:
    """The persons at the seats of a game as rows of `sitters`."""
    return [
        {"game": game, "seat": seat, "person": row.person, "opponents": opponents_text(seats, row.person)}
        for seat, row in enumerate(seats)
        if row.person is not None
    ]


def standing_of(row: GameRow, person: int | None) -> Standing | None:
    """How a game ended for a person; None if it goes on, or if the person has no seat or has played all sides."""
    winners = winners_of(row.result)
    own = [seat for seat, each in enumerate(row.seats) if person is not None and each.person == person]
    if winners is None or not own:
        return None
    if winners == 0:
        return "draw"
    if len(own) == len(row.seats):
        return None
    return "won" if any(winners >> seat & 1 for seat in own) else "lost"


def _name(seat: SeatRow) -> str:
    """A player's name; the bot `engine@3` is `computer, level 3 engine`, `engine@hard` is `computer, hard engine`."""
    if seat.who == OPEN:
        return "open seat"
    if seat.who == HUMAN:
        return seat.name or NAMELESS
    bot, _, level = seat.who.partition("@")
    shown = f"level {level}" if level[:1].isdecimal() else level
    return " ".join(filter(None, ["computer,", shown, bot, seat.name]))


def _folded(text: str) -> str:
    """A text without the differences of case and spaces."""
    return " ".join(text.casefold().split())
