"""A folder of slices: the exact values of all boards that they contain, and of the moves to them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path

from pentad.game import GameError, Move, shorten, shown
from pentad.pentago.board import Twist, spaces_of
from pentad.pentago.rules import PentagoPosition, to_number
from pentad.pentago.slices.files import BlockCache, Section, SliceFile, find
from pentad.pentago.slices.sections import (
    QUADRANTS,
    SYMMETRIES,
    Counts,
    Location,
    counts_of,
    in_board_order,
    locate,
    number_of,
    patterns,
    quadrants_of,
)

SUFFIX = ".pentago"
VARIABLE = "PENTAD_SLICES"  # the environment variable with the folder of slices
BLOCK_BYTES, INDEX_BYTES = 64 << 20, 128 << 20  # cache sizes
FEWEST_FOR_A_LINE = 9  # with fewer marbles no player has five
SPACES = 36  # with this many marbles the game is over

# The quadrant in board numbers of each sub-board, and the anti-clockwise quarter turns of each direction.
_QUADRANT_OF = {1: 1, 2: 3, 3: 0, 4: 2}
_TIMES = {"A": 1, "C": 3}


class MissingSlice(GameError):
    """The folder lacks the slice for a board."""


class Slices:
    """The slices in a folder: values for the player to act, with perfect play on both sides."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._files: dict[int, list[SliceFile]] = {}
        for path in slice_paths(self.folder):
            file = SliceFile(path)
            self._files.setdefault(file.marbles, []).append(file)
        self.counts = tuple(sorted(self._files))  # the numbers of marbles of all slices
        self._sections: dict[int, dict[Counts, tuple[SliceFile, Section]]] = {}
        self._blocks, self._indexes = BlockCache(BLOCK_BYTES), BlockCache(INDEX_BYTES)

    @property
    def name(self) -> str:
        """The folder's name, for messages."""
        return shorten(str(self.folder), 160)

    # ── values ───────────────────────────────────────────────────────────────────────────────────

    def value(self, position: PentagoPosition) -> int:
        """The value for the player to act: 1 a win, 0 a draw, -1 a loss. After the end it comes from the rules."""
        _require_classic(position)
        if (ended := _ended(position, position.turn)) is not None:
            return ended
        if position.winning_spaces:  # known by the rules, without slices
            return 1
        if position.placed or self._only_moves_have_values(position.ply):
            return max(self.values(position).values())
        location, black, white = self._look_up(position)
        return _credit(black, white, location.bits(), position.turn)

    def values(self, position: PentagoPosition) -> dict[Move, int]:
        """The value of each legal move for the player to act, from the slice of one marble more; none after the end."""
        _require_classic(position)
        if position.outcome:
            return {}
        if position.placed:
            return {Move((twist,)): value for twist, value in self._twists(position).items()}
        values: dict[Move, int] = {}
        for space in spaces_of(position.empty):
            place = position.board.places[space]
            placed = position.partial((place,))
            if placed.outcome:
                values[Move((place,))] = 1
            else:
                values |= {Move((place, twist)): value for twist, value in self._twists(placed).items()}
        return values

    def _only_moves_have_values(self, marbles: int) -> bool:
        """Whether the slice of one marble more is available, or not needed, and the slice of `marbles` is not."""
        return marbles not in self.counts and (marbles + 1 in self.counts or marbles + 1 == SPACES)

    def _twists(self, placed: PentagoPosition) -> dict[Twist, int]:
        """The value of each rotation for the player who has placed a marble; all of them are in one entry."""
        mover, values, found = placed.turn, {}, None
        for twist in placed.board.twists:
            if placed.ply + 1 >= FEWEST_FOR_A_LINE:
                ended = _ended(placed.play((twist,)), mover)
                if ended is not None:
                    values[twist] = ended
                    continue
            location, black, white = found = found or self._look_up(placed)
            turned = _QUADRANT_OF[twist.sub_board]
            turns = tuple(_TIMES[twist.direction] if k == turned else 0 for k in range(QUADRANTS))
            values[twist] = _credit(black, white, location.bits(turns), mover)
        return values

    def masks(self, position: PentagoPosition) -> tuple[int, int]:
        """Black's and white's wins over all rotations of a board.

        Bit i0+4·i1+16·i2+64·i3 is for the board whose quadrant k, as in board numbers, is turned by i_k
        quarters anti-clockwise, with the other player to act if a marble has just been placed.
        """
        _require_classic(position)
        location, black, white = self._look_up(position)
        return in_board_order(black, location), in_board_order(white, location)

    # ── finding an entry ─────────────────────────────────────────────────────────────────────────

    def _look_up(self, position: PentagoPosition) -> tuple[Location, int, int]:
        """The location of a board's entry, and black's and white's wins in it."""
        quadrants = quadrants_of(to_number(position))
        counts = tuple(map(counts_of, quadrants))
        stored = self._sections_of(position.ply + position.placed)
        for symmetry in SYMMETRIES:
            if (image := symmetry.counts(counts)) in stored:
                file, section = stored[image]
                here = locate(quadrants, symmetry)
                block, number = find(section, here.at)
                return here, *file.entry(section, self._block(file, section, block), number)
        raise MissingSlice(
            f"The slice of {position.ply + position.placed} marbles in {self.name} lacks this board's section."
        )

    def _sections_of(self, marbles: int) -> dict[Counts, tuple[SliceFile, Section]]:
        """The sections with this number of marbles, and their files."""
        if marbles not in self._sections:
            if marbles not in self._files:
                known = ", ".join(map(str, self.counts))
                raise MissingSlice(f"{self.name} has no slice of {marbles} marbles, only of {known}.")
            files = self._files[marbles]
            # Of several files with the same section, the first is read.
            self._sections[marbles] = {s.counts: (file, s) for file in reversed(files) for s in file.sections}
        return self._sections[marbles]

    def _block(self, file: SliceFile, section: Section, block: tuple[int, ...]) -> bytes:
        where = (file.path, section.counts)

        def read() -> bytes:
            return file.block(section, self._indexes.get(where, lambda: file.index(section)), block)

        return self._blocks.get((*where, block), read)

    # ── all boards ───────────────────────────────────────────────────────────────────────────────

    def boards(self, marbles: int) -> Iterator[tuple[int, int, int]]:
        """All boards that a slice stores: the board number, and black's and white's wins over its rotations."""
        for file, section in self._sections_of(marbles).values():
            along = [patterns(*each) for each in section.counts]
            index = file.index(section)
            for block in product(*map(range, section.blocks)):
                data = file.block(section, index, block)
                starts = (number * section.block_size for number in block)
                parts = (each[start : start + section.block_size] for each, start in zip(along, starts, strict=True))
                for number, quadrants in enumerate(product(*parts)):
                    yield number_of(quadrants), *file.entry(section, data, number)


def _require_classic(position: PentagoPosition) -> None:
    if not isinstance(position, PentagoPosition):
        raise GameError(f"Slices contain positions of Pentago, not {shown(position)}.")
    to_number(position)  # raises the error for other boards
    if not position.setup.win_on_placement:
        raise GameError("Slices contain games in which a placement can win. This game has win_on_placement=false.")


def _ended(position: PentagoPosition, seat: int) -> int | None:
    """The value of a finished game for a seat, else None."""
    outcome = position.outcome
    return None if outcome is None else int(outcome.returns[seat])


def _credit(black: int, white: int, bit: int, seat: int) -> int:
    """The value for a seat by one bit of an entry."""
    won = (black >> bit & 1, white >> bit & 1)
    return won[seat] - won[1 - seat]


# ── folders ──────────────────────────────────────────────────────────────────────────────────────


def slice_paths(folder: Path) -> list[Path]:
    """The slice files in a folder."""
    name = shorten(str(folder), 160)
    if not os.path.isdir(folder):  # noqa: PTH112  (False for every odd name)
        raise GameError(f"{name} is not a folder.")
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    except OSError as error:
        raise GameError(f"Cannot read {name}: {error.strerror or error}.") from None
    if not paths:
        raise GameError(f"{name} has no slice files. Their names end in {SUFFIX}.")
    return paths


def configured_folder() -> str | None:
    """The folder in PENTAD_SLICES, or None."""
    return os.environ.get(VARIABLE) or None


def configured() -> Slices | None:
    """The slices of the folder in PENTAD_SLICES, or None."""
    folder = configured_folder()
    if folder is None:
        return None
    try:
        return _opened(folder)
    except GameError as error:
        raise GameError(f"{VARIABLE}: {error}") from None


_opened = lru_cache(maxsize=4)(Slices)
