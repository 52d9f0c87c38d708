"""The numbers of Pentagame's looks: what the drawing shows of a position, and those of a step.

`look_constants` names them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from pentad.game import Move, Step
from pentad.games.pentagame import denomination, encoding
from pentad.games.pentagame import look_constants as k
from pentad.games.pentagame.board import (
    CORNERS,
    EDGES,
    FIELDS,
    MAINS,
    NUMBER,
    OFF,
    OFF_BOARD,
    PLAN,
    fields_of,
    goal,
    path,
    set_of,
)
from pentad.games.pentagame.denomination import PIECES
from pentad.games.pentagame.letters import fields_put, pieces_home
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep, short_field
from pentad.games.pentagame.rules import PentagamePosition
from pentad.games.pentagame.wording import start_of_gray

# ── the last turn ─────────────────────────────────────────────────────────────────────────────────

_BARE = re.compile(r"[0-9][0-9.]{0,4}")


class Highlights:
    """The effects of the last turn, whole or partial; `last` is the turn, as a move or as text.

    `path` has the fields from `start` to `end` of the piece's path, empty if it is unknown; `put` the fields of the
    blocks that were put; `left` is the goal of a piece that left on its own; `moved` has the pieces that came to
    other fields, each by seat, colour and field.
    """

    def __init__(self, position: PentagamePosition, last: Move | str | None) -> None:
        self.position = position
        self.put: tuple[int, ...] = ()
        self.start = self.end = self.left = OFF_BOARD
        self.is_swap = False
        self.path: tuple[int, ...] = ()
        self.moved: set[tuple[int, int, int]] = set()
        text = str(last or "")
        if "[" in text:
            self._read(text)
        elif text:
            bare = (short_field(word) for word in text.split() if _BARE.fullmatch(word))
            self.put = tuple(NUMBER[field] for field in (*bare, *fields_put(position, text)))
            self.left = next((goal(piece) for piece in pieces_home(position, text)), OFF_BOARD)
            # in the middle of a turn, its mover is still to move
            self._find_path(position.turn if position.due else (position.turn - 1) % position.players)

    def _read(self, text: str) -> None:
        """Reads a turn in brackets."""
        moves = denomination.turn(text)
        first = moves[0]
        self.put = tuple(NUMBER[move.to] for move in moves if move.figure not in PIECES and move.to != OFF)
        if first.figure in PIECES and first.to == OFF:
            self.left = goal(first.figure)
        else:
            self._find_path(first.player)

    def _find_path(self, seat: int) -> None:
        here = self.position
        last = here.last[seat] if seat < here.players else None
        if last:
            self.start, self.end, self.is_swap = NUMBER[last.start], NUMBER[last.to], last.partner is not None
            self.moved = {(seat, last.piece, self.end)}
            if last.partner:
                self.moved.add((*last.partner, self.start))
            taken = here.taken & ~set_of(self.put)  # the blocks were put after the piece moved
            self.path = path(self.start, self.end, taken) or ()

    @cached_property
    def lasting(self) -> frozenset[int]:
        """The fields to which a figure came in that turn, or from which a piece left on its own."""
        return frozenset({*self.put, self.end, self.left, self.start if self.is_swap else OFF_BOARD}) - {OFF_BOARD}


# ── the numbers ───────────────────────────────────────────────────────────────────────────────────


def numbers(here: PentagamePosition, last: Move | str | None) -> list[int]:
    """What the picture of a position shows after its last turn, or in the middle of one."""
    found = [0] * k.size(here.players)
    highlights = Highlights(here, last)
    found[k.STATUS], found[k.PLIES], found[k.POOL] = status_number(here), here.plies, here.pool
    _write_due(here, found)
    _write_path(highlights.path, found)
    for place, fields in ((k.BLACK_FIELDS, here.blacks), (k.GRAY_FIELDS, here.grays)):
        _write_list(found, place, [field + 1 for field in sorted(fields) if field != OFF_BOARD])
    _write_list(found, k.PREVIOUS, [seat for seat, step in enumerate(here.last[: here.players]) if step])
    for seat, step in enumerate(here.last):
        if step:
            partner = 1 + len(PIECES) * step.partner[0] + step.partner[1] if step.partner else 0
            place = k.LASTS + k.LAST_SIZE * seat
            found[place : place + k.LAST_SIZE] = step.piece, NUMBER[step.start] + 1, NUMBER[step.to] + 1, partner
    _write_dishes(here, found)
    _write_pieces(here, highlights, found)
    _write_fields(here, highlights, found)
    return found


def status_number(here: PentagamePosition) -> int:
    """The number of the status among its texts."""
    outcome = here.outcome
    if outcome is None:
        return here.turn * k.ACTIONS + here.next_action_number
    return here.players * k.ACTIONS + sum(1 << seat for seat in outcome.winners)


def _write_list(found: list[int], place: int, things: Sequence[int]) -> None:
    found[place : place + 1 + len(things)] = len(things), *things


def _write_due(here: PentagamePosition, found: list[int]) -> None:
    due = here.due[0] if here.due else ""
    found[k.DUE] = 3 * here.due.count("black") + here.due.count("gray")
    found[k.DUE_BLACK] = here.blacks.index(OFF_BOARD) + 1 if due == "black" else 0
    for gray, field in enumerate(here.grays):
        found[k.POOL_LOOKS + gray] = int(field == OFF_BOARD)
    if due == "gray" and here.pool:
        found[k.POOL_LOOKS + here.grays.index(OFF_BOARD)] = 2


def _write_path(fields: Sequence[int], found: list[int]) -> None:
    if not fields:
        return
    found[k.PATH_KNOWN : k.PATH + 1] = 1, fields[0] + 1, len(fields) - 1
    for place, (one, other) in enumerate(itertools.pairwise(fields), k.PATH + 1):
        found[place] = other + ARCS.get((one, other), 0)


def _arcs() -> Iterator[tuple[tuple[int, int], int]]:
    """Neighbours on the ring, each with the direction from one to the other."""
    for edge in EDGES:
        if edge.kind == "arc":
            for pair in itertools.pairwise((edge.high, *edge.stops, edge.low)):
                (x1, y1, _), (x2, y2, _) = (PLAN.spots[field] for field in pair)
                ways = (k.CLOCKWISE, k.ANTICLOCKWISE)
                yield pair, ways[x1 * y2 > x2 * y1]
                yield (pair[1], pair[0]), ways[x1 * y2 < x2 * y1]


ARCS = dict(_arcs())


def _write_dishes(here: PentagamePosition, found: list[int]) -> None:
    outcome = here.outcome
    winners = outcome.winners if outcome and not outcome.is_draw else ()
    for seat, mine in enumerate(here.pieces):
        place = k.DISHES + k.DISH_SIZE * seat
        found[place] = 2 if seat in winners else int(seat == here.turn and not outcome)
        _write_list(found, place + 1, [piece for piece, field in enumerate(mine) if field == OFF_BOARD])


def _write_pieces(here: PentagamePosition, highlights: Highlights, found: list[int]) -> None:
    each_title = 1 + len(PIECES) * here.players
    for field, pieces in here.occupants.items():
        if field == OFF_BOARD:
            continue
        count, is_main = len(pieces), field in MAINS
        kind = int(not is_main) if count == 1 else count + (0 if is_main else k.STACKED_ON_STOP)
        found[k.TITLES + each_title * field] = count
        for which, (seat, piece) in enumerate(pieces):
            number = len(PIECES) * seat + piece
            found[k.TITLES + each_title * field + 1 + which] = number + 1
            waits, moved = field == goal(piece), (seat, piece, field) in highlights.moved
            flags = 1 + k.WAITS * waits + k.MOVED * moved
            slot = 0 if count == 1 else slot_number(field, count, which)
            place = k.PIECES + k.PIECE_SIZE * number
            found[place : place + k.PIECE_SIZE] = field + 1, slot, flags, k.BODIES_EACH * kind + flags


def _write_fields(here: PentagamePosition, highlights: Highlights, found: list[int]) -> None:
    occupants, each_title = here.occupants, 1 + len(PIECES) * here.players
    blocks = (*here.blacks, *here.grays)
    found[k.FIELD_LOOKS : k.FIELD_LOOKS + k.FIELDS] = [1] * k.FIELDS
    for field in fields_of(here.empty):
        found[k.TITLES + each_title * field] = 1
    for main in MAINS:
        found[k.FIELD_LOOKS + main] += k.HIDDEN * (main in occupants or main in highlights.path)
    for field in highlights.lasting:
        ring = k.FIELD_RING * (field not in occupants)
        found[k.FIELD_LOOKS + field] += ring + k.FIELD_PUT * (field in highlights.put)
    for number, field in enumerate(blocks):
        if field == OFF_BOARD:
            continue
        ring = field in highlights.lasting and field not in occupants
        place = k.BLOCKS + k.BLOCK_SIZE * number
        found[place : place + k.BLOCK_SIZE] = field + 1, 1 + k.RING * ring + k.PUT * (field in highlights.put)
        found[k.FIELD_LOOKS + field] = 0


def slot_number(field: int, count: int, which: int) -> int:
    """The number of a place in a stack of so many pieces; those on corners come first, as only they occur in games."""
    row = count * (count - 1) // 2 - 1 + which
    if field in CORNERS:
        return 1 + len(CORNERS) * row + field
    return 1 + len(CORNERS) * k.CORNER_ROWS + (len(FIELDS) - len(CORNERS)) * row + field - len(CORNERS)


# ── the numbers of a step ─────────────────────────────────────────────────────────────────────────


def offer(here: PentagamePosition, step: Step) -> list[int]:
    """The numbers of a legal step, as `look_constants` names them."""
    found = [0] * k.OFFER_SIZE
    found[k.ACTION], found[k.MOVER] = encoding.number(here, step), len(PIECES) * here.turn
    if isinstance(step, LeaveStep):
        found[k.CASE], found[k.TO] = k.LEAVES, goal(step.piece) + 1
        found[k.MOVER] += step.piece
    elif isinstance(step, PieceStep):
        _write_move(here, step, found)
    elif isinstance(step, BlockStep):
        start = start_of_gray(here, step)
        gray = k.PUTS_GRAY if start == OFF_BOARD else k.MOVES_GRAY
        found[k.CASE] = k.PUTS_BLACK if step.is_black else gray
        found[k.TO], found[k.START], found[k.BLOCK] = NUMBER[step.to] + 1, start + 1, step.figure
    return found


def _write_move(here: PentagamePosition, step: PieceStep, found: list[int]) -> None:
    to, start = NUMBER[step.to], NUMBER[step.start]
    found[k.MOVER] += step.piece
    found[k.TO], found[k.START] = to + 1, start + 1
    mover_home, other_home = (each in step.leaving for each in (step[:2], step.partner))
    if step.partner is None:
        takes = k.TAKES_BLACK if to in here.blacks else k.TAKES_GRAY if to in here.grays else k.MOVES
        found[k.CASE] = takes + k.IS_HOME * mover_home
        return
    owner, piece = step.partner
    found[k.OTHER] = len(PIECES) * owner + piece
    found[k.CASE] = k.SWAPS + k.OWN * (owner == step.seat) + k.MOVER_HOME * mover_home + k.OTHER_HOME * other_home
    alone_there, alone_here = (len(here.pieces_on(field)) == 1 for field in (to, start))
    found[k.ALONE] = alone_there + 2 * alone_here
