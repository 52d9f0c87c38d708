"""Kernels that read and write the text of a position with default options, after the name of the game."""

from __future__ import annotations

from pentad.games.pentagame.batch.step_kernels import has
from pentad.games.pentagame.board import FIELDS as NAMES
from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.position_kernels import home, pool
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.text_kernels import (
    COMMA,
    DIGIT,
    HYPHEN,
    PLUS,
    SLASH,
    SPACE,
    read_number,
    write_letter,
    write_number,
    write_word,
)
from pentad.kernels.types import Int64s

PIECES, WIDTH = 5, 3  # a field has three characters
COLON, TO, SWAP = map(ord, ":>x")
BLACK, GRAY = (np.array(list(map(ord, word)), dtype=np.int64) for word in ("black", "gray"))

_NUMBERS = [100 * name.start + 10 * name.counter + name.end for name in NAMES]
NUMBERS = np.array(_NUMBERS, dtype=np.int64)  # of the fields, as they are written
_FIELD_OF = {number: field for field, number in enumerate(_NUMBERS)}
FIELD_OF = np.array([_FIELD_OF.get(number, k.NOWHERE) for number in range(10**WIDTH)], dtype=np.int64)

# ── parts ─────────────────────────────────────────────────────────────────────────────────────────


@kernel
def read_field(text: Int64s, at: int) -> int:
    """A field, or nowhere."""
    number = 0
    for i in range(at, at + WIDTH):
        number = 10 * number + int(text[i]) - DIGIT
    return int(FIELD_OF[number]) if 0 <= number < len(FIELD_OF) else k.NOWHERE


@kernel
def write_field(text: Int64s, at: int, field: int) -> int:
    """Writes a field or nowhere; returns the place after it."""
    number = int(NUMBERS[field])
    for i in range(at + WIDTH - 1, at - 1, -1):
        text[i] = HYPHEN if field < 0 else DIGIT + number % 10
        number //= 10
    return at + WIDTH


@kernel
def read_fields(text: Int64s, at: int, figures: Int64s) -> int:
    """Reads the fields of five figures; returns the place after what follows them."""
    for i in range(PIECES):
        figures[i] = read_field(text, at)
        at += WIDTH + 1
    return at


@kernel
def write_fields(text: Int64s, at: int, figures: Int64s) -> int:
    """Writes the fields of five figures; returns the place after them."""
    for i in range(PIECES):
        if i:
            at = write_letter(text, at, COMMA)
        at = write_field(text, at, figures[i])
    return at


@kernel
def read_last(text: Int64s, at: int, last: Int64s) -> int:
    """Reads a previous move, if there is one; returns the place after what follows it."""
    if text[at] == HYPHEN:
        return at + 2
    last[0], last[1], last[2] = text[at] - DIGIT, read_field(text, at + 2), read_field(text, at + 3 + WIDTH)
    at += 3 + 2 * WIDTH
    if text[at] == SWAP:
        last[3] = PIECES * (text[at + 1] - DIGIT) + text[at + 2] - DIGIT
        at += 3
    return at + 1


@kernel
def write_last(text: Int64s, at: int, last: Int64s) -> int:
    """Writes a previous move; returns the place after it."""
    if last[0] < 0:
        return write_letter(text, at, HYPHEN)
    at = write_letter(text, write_number(text, at, last[0]), COLON)
    at = write_letter(text, write_field(text, at, last[1]), TO)
    at = write_field(text, at, last[2])
    if last[3] >= 0:
        at = write_number(text, write_letter(text, at, SWAP), last[3] // PIECES)
        at = write_number(text, at, last[3] % PIECES)
    return at


# ── checks ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def is_last(state: Int64s, seat: int) -> bool:
    """Whether the previous move of a seat is none, or can be one."""
    first = k.LASTS + 4 * seat
    piece, start, to, partner = state[first], state[first + 1], state[first + 2], state[first + 3]
    if piece < 0:
        return bool(piece == k.NOWHERE)
    is_swap = partner < PIECES * state[k.PLAYERS] and not PIECES * seat <= partner <= PIECES * seat + piece
    return bool(piece < PIECES and start >= 0 and to >= 0 and start != to and is_swap)


@kernel
def take_fields(state: Int64s) -> bool:
    """Writes the taken fields as bits; returns whether each block is alone on its field."""
    low, high, is_alone = 0, 0, True
    for figure in range(k.PIECES, k.LASTS):  # the blocks come last
        field = int(state[figure])
        if field >= 0:
            is_alone = is_alone and (figure < k.BLACKS or not has(low, high, field))
            low |= int(field < k.SPLIT) << (field & 63)
            high |= int(field >= k.SPLIT) << (field - k.SPLIT & 63)
    state[k.LOW], state[k.HIGH] = low, high
    return is_alone


@kernel
def is_possible(state: Int64s) -> bool:
    """Whether the parts of a position fit together."""
    players, seat, ply, gray_due = state[k.PLAYERS], state[k.SEAT], state[k.PLY], state[k.GRAYS_DUE]
    is_due = state[k.BLACK_DUE] + gray_due > 0
    if seat >= players or ply + is_due > state[k.MAX_PLY]:
        return False
    all_home, blacks_off, is_known = 0, 0, True
    for each in range(players):
        all_home += home(state, each)
        is_known = is_known and is_last(state, each)
    for black in range(k.BLACKS, k.GRAYS):
        blacks_off += int(state[black] < 0)
    can_move = is_due or seat == 0 or home(state, seat) < PIECES
    # A gray block comes to the board with a piece that is home.
    grays_fit = gray_due <= min(all_home, 2) and PIECES - pool(state) <= all_home - gray_due
    return bool(is_known and blacks_off == state[k.BLACK_DUE] <= 1 and grays_fit and can_move and take_fields(state))


# ── positions ─────────────────────────────────────────────────────────────────────────────────────


@kernel
def read(rules: Int64s, state: Int64s, text: Int64s, work: Int64s) -> int:
    """Reads a text into the state of a new game; returns whether it can be a position."""
    state[k.SEAT], at = read_number(text, 0)
    state[k.PLY], at = read_number(text, at + 1)
    at += 1
    for seat in range(state[k.PLAYERS]):
        at = read_fields(text, at, state[k.PIECES + PIECES * seat :])
    for first in (k.BLACKS, k.GRAYS):
        at = read_fields(text, at, state[first:])
    for seat in range(state[k.PLAYERS]):
        at = read_last(text, at, state[k.LASTS + 4 * seat :])
    at += 1  # with default options, swaps may be undone
    state[k.BLACK_DUE] = state[k.GRAYS_DUE] = 0
    while text[at]:
        state[k.BLACK_DUE] += text[at] == BLACK[0]
        state[k.GRAYS_DUE] += text[at] == GRAY[0]
        at += 1
    return int(is_possible(state))


@kernel
def write(rules: Int64s, state: Int64s, text: Int64s) -> int:
    """Writes the text of a position; returns its length."""
    at = write_letter(text, write_number(text, 0, state[k.SEAT]), SPACE)
    at = write_number(text, at, state[k.PLY])
    for seat in range(state[k.PLAYERS]):
        at = write_letter(text, at, SLASH if seat else SPACE)
        at = write_fields(text, at, state[k.PIECES + PIECES * seat :])
    for first in (k.BLACKS, k.GRAYS):
        at = write_fields(text, write_letter(text, at, SPACE), state[first:])
    for seat in range(state[k.PLAYERS]):
        at = write_last(text, write_letter(text, at, SLASH if seat else SPACE), state[k.LASTS + 4 * seat :])
    at = write_letter(text, write_letter(text, at, SPACE), HYPHEN)
    for i in range(state[k.BLACK_DUE] + state[k.GRAYS_DUE]):
        at = write_letter(text, at, PLUS if i else SPACE)
        at = write_word(text, at, GRAY if i >= state[k.BLACK_DUE] else BLACK)
    return at
