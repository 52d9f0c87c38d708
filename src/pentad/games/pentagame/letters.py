"""Turns of Pentagame in letters, as people write them: `R>w2Y b:G`.

    R            the red corner; r is the red junction
    w2Y          the second stop from the white junction towards the yellow corner; Y5w is the same
    R>w2Y        the red piece goes there
    R>YxsY       it swaps places with square's yellow piece; R>YxY with the own yellow piece
    R>home       it was brought to its goal, and leaves
    b:w2Y g:R    the black block is put there, then the gray one
    g:R>w2Y      the gray block on R is moved, since the pool is empty

The letters are those of the drawings. They name what the denomination names by numbers, in the same order: w2Y is
`[5,2,2]`. `docs/reference/pentagame.md` has a grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pentad.game import InvalidMove, shown
from pentad.games.pentagame.board import (
    CORNERS,
    EDGE_BETWEEN,
    EDGES,
    FIELDS,
    JUNCTIONS,
    NUMBER,
    OFF,
    OFF_BOARD,
    Field,
    name_of,
)
from pentad.games.pentagame.denomination import BLACKS, GRAYS, Shift
from pentad.games.pentagame.notation import SHAPES, BlockStep, FigureTable, PieceStep, TurnStep
from pentad.system.words import listed, phrase

HOME, BLACK, GRAY, SWAP = "home", "b:", "g:", "x"
EXAMPLE = "R>w2Y"
_PIECE = re.compile(r"([A-Za-z]+)[->]([A-Za-z][A-Za-z0-9]*)")
_PARTNER = re.compile(r"([a-z]*)([A-Z][a-z]*)")
_BLOCK = re.compile(r"(?:(b(?:lack)?:|g(?:r[ae]y)?:)(?:([A-Za-z0-9]+)[->])?)?([A-Za-z][A-Za-z0-9]*)")
_STOP = re.compile(r"([A-Za-z])([0-9]{1,2})([A-Za-z])")


def letters(names: Sequence[str]) -> tuple[str, ...]:
    """A letter for each name: the first letter of it that no other has.

    >>> letters(("white", "blue", "brown", "red", "orange"))
    ('W', 'B', 'N', 'R', 'O')
    """
    initials = [name[0] for name in names]
    found: list[str] = []
    for name in names:
        new = name[0] not in found
        taken = {*found, *initials}
        found.append(name[0] if new else next(letter for letter in name if letter not in taken))
    return tuple(letter.upper() for letter in found)


class LetterNames(NamedTuple):
    """The letters of colours and of seats, and the names of all fields, by number; `known` has both ways."""

    colours: Sequence[str]
    seats: Sequence[str]
    fields: Sequence[str]
    known: Mapping[str, Field]


@lru_cache(maxsize=64)
def names_of(colours: tuple[str, ...]) -> LetterNames:
    """The names in a game with these colours."""
    corners = letters(colours)
    mains = (*corners, *(letter.lower() for letter in corners))
    fields = [mains[start] + (f"{counter}{mains[end]}" if counter else "") for start, counter, end in FIELDS]
    known = {name: FIELDS[number] for number, name in enumerate(fields)}
    for edge in EDGES:
        for counter, stop in enumerate(reversed(edge.stops), 1):
            known[f"{mains[edge.low]}{counter}{mains[edge.high]}"] = FIELDS[stop]
    return LetterNames(corners, tuple(letter.lower() for letter in letters(SHAPES)), fields, known)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(here: FigureTable, move: Iterable[TurnStep]) -> str:
    """A legal turn, or the first steps of one, in letters."""
    names = names_of(here.colours)
    grays, words = dict(zip(GRAYS, here.grays, strict=True)), list[str]()
    for step in move:
        if isinstance(step, PieceStep):
            words.append(_piece(names, step))
            grays = {figure: OFF_BOARD if field == NUMBER[step.to] else field for figure, field in grays.items()}
        elif isinstance(step, BlockStep):
            before = OFF_BOARD if step.is_black else grays[step.figure]
            moved = f"{names.fields[before]}>" if before != OFF_BOARD else ""
            words.append(f"{BLACK if step.is_black else GRAY}{moved}{names.fields[NUMBER[step.to]]}")
            grays[step.figure] = NUMBER[step.to]
        else:
            words.append(f"{names.colours[step.piece]}>{HOME}")
    return " ".join(words)


def _piece(names: LetterNames, step: PieceStep) -> str:
    text = f"{names.colours[step.piece]}>{names.fields[NUMBER[step.to]]}"
    if step.partner is None:
        return text
    seat, piece = step.partner
    return f"{text}{SWAP}{'' if seat == step.seat else names.seats[seat]}{names.colours[piece]}"


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def is_in_letters(here: FigureTable, text: str) -> bool:
    """Whether a turn, or the rest of one, begins in letters; other turns are read by `notation`."""
    first = text.split(maxsplit=1)[:1]
    return any(_PIECE.fullmatch(word) or (_BLOCK.fullmatch(word) and (":" in word or here.due)) for word in first)


def read(here: FigureTable, text: str) -> list[Shift]:
    """The moves of the denomination that a turn in letters stands for."""
    names = names_of(here.colours)
    blocks = dict(here.blocks)  # their fields, as they change in the turn
    moves: list[Shift] = []
    for word in text.split():
        if (piece := _PIECE.fullmatch(word)) and not moves and not here.due:
            moves += _piece_moves(here, names, piece)
            landed = NUMBER[moves[0].to]
            blocks = {figure: OFF_BOARD if field == landed else field for figure, field in blocks.items()}
        elif (block := _BLOCK.fullmatch(word)) and (moves or here.due):
            moves.append(_block_move(here, names, blocks, block))
        elif moves or here.due:
            raise InvalidMove(
                "Expected the field of a block, such as b:w2Y or g:w2Y, got {word}.", word=shown(word, 30)
            )
        else:
            raise InvalidMove(
                "A turn begins with a piece, such as {example}, not with {word}.", example=EXAMPLE, word=shown(word, 30)
            )
    return moves


def fields_put(here: FigureTable, text: str) -> list[Field]:
    """The fields of the blocks in a turn in letters, whatever the position before it was."""
    found = (_BLOCK.fullmatch(word) for word in text.split() if ":" in word)
    return [names_of(here.colours).known[word[3]] for word in found if word and word[3] in names_of(here.colours).known]


def pieces_home(here: FigureTable, text: str) -> list[int]:
    """The colour of the piece that leaves as the whole turn of a player, in letters."""
    found = _PIECE.match(text)
    return [_colour(here, names_of(here.colours), found[1])] if found and found[2] == HOME else []


def _piece_moves(here: FigureTable, names: LetterNames, word: re.Match[str]) -> list[Shift]:
    """The move of a piece, and that of its swap partner if it is named."""
    piece = _colour(here, names, word[1])
    if word[2] == HOME:
        return [Shift(here.turn, piece, OFF)]
    target, swap, partner = word[2].partition(SWAP)
    to = _field(names, target)
    start = here.pieces[here.turn][piece]
    moves = [Shift(here.turn, piece, to)]
    if swap:
        moves.append(Shift(*_partner(here, names, partner, word[0]), name_of(start)))
    elif len(several := here.pieces_on(NUMBER[to])) > 1 and NUMBER[to] != start:
        swaps = (_piece(names, PieceStep(here.turn, piece, name_of(start), to, each)) for each in several)
        raise InvalidMove(
            "Several pieces are on {target}. Name the swap partner: {swaps}.", target=target, swaps=" or ".join(swaps)
        )
    return moves


def _partner(here: FigureTable, names: LetterNames, text: str, word: str) -> tuple[int, int]:
    """The seat and the colour of a swap partner."""
    found = _PARTNER.fullmatch(text)
    seats = [here.turn]
    if found and found[1]:
        seats = [
            seat
            for seat in range(here.players)
            if found[1] == names.seats[seat] or (len(found[1]) > 1 and SHAPES[seat].startswith(found[1]))
        ]
    if not found or len(seats) != 1:
        other = names.seats[(here.turn + 1) % here.players] + names.colours[0]
        raise InvalidMove(
            "Expected a swap partner after x in {word}: an own piece, such as {colour}, or "
            "another player's, such as {other}.",
            word=shown(word, 30),
            colour=names.colours[0],
            other=other,
        )
    return seats[0], _colour(here, names, found[2])


def _block_move(here: FigureTable, names: LetterNames, blocks: dict[int, int], word: re.Match[str]) -> Shift:
    """The move of a block: of the one in the player's hand or of the pool, or of a gray one on the board."""
    kind, start, target = (word[1] or "")[:1], word[2], word[3]
    to = _field(names, target)
    if start and kind == BLACK[0]:
        raise InvalidMove(
            "Only a gray block goes from field to field, such as g:R>w2Y, not {word}.", word=shown(word[0], 30)
        )
    place = NUMBER[_field(names, start)] if start else OFF_BOARD
    kinds = {BLACK[0]: BLACKS, GRAY[0]: GRAYS, "": (*BLACKS, *GRAYS)}[kind]
    found = [figure for figure in kinds if blocks[figure] == place]
    if not found and start:
        raise InvalidMove("No gray block is on {start}.", start=start)
    if not found and kind == BLACK[0]:
        raise InvalidMove("No black block is due, so {word} has none to put.", word=shown(word[0], 30))
    if not found:
        raise InvalidMove(
            "The pool is empty. Name the gray block by its field: g:R>{target} for the one on R.", target=target
        )
    blocks[found[0]] = NUMBER[to]
    return Shift(here.turn, found[0], to)


def _colour(here: FigureTable, names: LetterNames, word: str) -> int:
    """A colour by its letter, or by the beginning of its name."""
    if word.upper() in names.colours:
        return names.colours.index(word.upper())
    found = [number for number, colour in enumerate(here.colours) if colour.startswith(word.lower())]
    if len(found) != 1:
        raise InvalidMove(
            "Unknown colour {word}. The colours are {colours}.", word=shown(word, 30), colours=", ".join(here.colours)
        )
    return found[0]


def _field(names: LetterNames, text: str) -> Field:
    """A field by its letters; an error says which part of them is wrong."""
    if text in names.known:
        return names.known[text]
    mains = names.fields[:10]
    corners, junctions = (", ".join(mains[main] for main in each) for each in (CORNERS, JUNCTIONS))
    allowed = phrase(
        "Corners are {corners}, junctions {junctions}, stops such as w2Y.", corners=corners, junctions=junctions
    )
    stop = _STOP.fullmatch(text)
    if not stop:
        raise InvalidMove("Unknown field {text}. {allowed}", text=shown(text, 30), allowed=allowed)
    if unknown := [end for end in (stop[1], stop[3]) if end not in mains]:
        raise InvalidMove(
            "Unknown corner or junction {unknown} in {text}. {allowed}", unknown=unknown[0], text=text, allowed=allowed
        )
    start, end = mains.index(stop[1]), mains.index(stop[3])
    edge = EDGE_BETWEEN.get((start, end))
    if edge is None:
        linked = sorted(each.low if each.high == start else each.high for each in EDGES if start in each[:2])
        neighbours = listed(mains[main] for main in linked)
        raise InvalidMove(
            "No line between {start} and {end}. The neighbours of {start} are {neighbours}.",
            start=stop[1],
            end=stop[3],
            neighbours=neighbours,
        )
    raise InvalidMove(
        "The stops between {start} and {end} are 1 to {count}, not {number}.",
        start=stop[1],
        end=stop[3],
        count=len(edge.stops),
        number=stop[2],
    )
