"""The rules of Pentagame; `docs/play/rules-pentagame.md` has them in words."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import TypeAlias, cast

from pentad.game import (
    GAME_OVER,
    Choice,
    Choices,
    Game,
    GameError,
    IllegalMove,
    InvalidMove,
    LegalMoves,
    Move,
    OptionValue,
    Outcome,
    Position,
    Step,
    Steps,
    Symmetry,
    phrase,
    shown,
)
from pentad.games.pentagame import denomination, letters, notation, wording
from pentad.games.pentagame.board import FIELDS, NUMBER, OFF_BOARD, Automorphism, fields_of, goal, reach, symmetries
from pentad.games.pentagame.denomination import BLACKS, GRAYS, PIECES
from pentad.games.pentagame.notation import (
    BlockStep,
    FigureTable,
    LeaveStep,
    Pair,
    PieceStep,
    TurnStep,
    canonical,
    is_step,
)

HOME_WINS = 3
TURN_LIMIT = "ply limit"  # the reason of a draw


@dataclass(frozen=True, repr=False)
class PentagamePosition(FigureTable, Position):
    """A position: a table with the rules that hold at it."""

    game = "pentagame"

    @property
    def options(self) -> Mapping[str, OptionValue]:
        return vars(self.setup) | {"colours": ",".join(self.colours)}

    @cached_property
    def recurring(self) -> PentagamePosition:
        """The position without plies and with blocks sorted, which repetitions compare."""
        return replace(self, plies=0, blacks=tuple(sorted(self.blacks)), grays=tuple(sorted(self.grays)))

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def outcome(self) -> Outcome | None:
        if self.due:
            return None
        done = [seat for seat in range(self.players) if self.home(seat) >= HOME_WINS]
        if done and (self.seat == 0 or self.setup.first_to_three):  # a round ends when seat 0 is to move
            return ended(done, self.players)
        if self.plies >= self.setup.max_ply:
            return ended((), self.players)
        return None

    # ── legal steps ──────────────────────────────────────────────────────────────────────────────

    def reach(self, piece: int) -> int:
        """The set of fields that the player's piece can reach, including occupied ones."""
        start = self.pieces[self.seat][piece]
        return reach(start, self.taken) if start != OFF_BOARD else 0

    @cached_property
    def piece_moves(self) -> tuple[PieceStep | LeaveStep, ...]:
        """The legal first steps: every piece to every reachable field, with every possible swap partner."""
        if self.outcome or self.due:
            return ()
        if self.waiting:
            return tuple(LeaveStep(self.seat, piece) for piece in self.waiting)
        return tuple(self._piece_steps())

    def _piece_steps(self) -> Iterator[PieceStep]:
        seat, mine, occupants = self.seat, self.pieces[self.seat], self.occupants
        for piece in PIECES:
            if mine[piece] == OFF_BOARD:
                continue
            start = FIELDS[mine[piece]]
            for to in fields_of(self.reach(piece)):
                for partner in occupants.get(to, (None,)):
                    if partner and partner[0] == seat and partner[1] < piece:
                        continue  # a swap of two own pieces is one move, of the lower piece
                    step = PieceStep(seat, piece, start, FIELDS[to], partner)
                    if step != self.last[seat] and not self._swaps_back(step):
                        yield step

    @property
    def legal_moves(self) -> PentagameMoves:
        return PentagameMoves(self)

    def _swaps_back(self, step: PieceStep) -> bool:
        return self.swapped is not None and step.partner is not None and _pair(step) == self.swapped

    # ── playing ──────────────────────────────────────────────────────────────────────────────────

    def play(self, move: Steps) -> PentagamePosition:
        steps = self.steps_given(move)
        if not steps:
            raise InvalidMove("Expected a move, such as [{seat},3,5,2,2].", seat=self.seat)
        after = self._after(steps)
        if after.due:
            raise IllegalMove("The turn is not complete. {prompt}", prompt=after.still_due)
        return after

    def partial(self, steps: Steps) -> PentagamePosition:
        read = self.steps_given(steps)
        after = self._after(read)
        if read and not after.due:
            raise IllegalMove("{move} is a whole turn, not the beginning of one.", move=Move(read))
        return after

    def choices(self, steps: Steps = "") -> Choices:
        read = self.steps_given(steps)
        here = self._after(read)
        if read and not here.due:
            return Choices((), "The turn is complete.", may_end=True)
        if here.outcome:
            return Choices((), GAME_OVER)
        choices = (block_choice(here, step) for step in here.block_steps()) if here.due else piece_choices(here)
        return Choices(choices, f"{here.next_action.capitalize()}.")

    def _after(self, steps: tuple[TurnStep, ...]) -> PentagamePosition:
        here = self
        if self.outcome and steps:
            raise IllegalMove("The game is over. {status}", status=self.status)
        for step in steps:
            if here.plies > self.plies:
                raise IllegalMove("The turn is complete before {step}: no block is due.", step=step)
            here = here.after(step)
        return here

    def after(self, step: TurnStep) -> PentagamePosition:
        """The position after one step of a turn; refuses an illegal step."""
        if refusal := self.refusal(step):
            raise IllegalMove(refusal)
        return self.after_legal(step)

    def after_legal(self, step: TurnStep) -> PentagamePosition:
        """The position after a step that is known to be legal."""
        if isinstance(step, PieceStep):
            return self._moved(step)
        if isinstance(step, LeaveStep):
            gone = self._pieces_with({(step.seat, step.piece): OFF_BOARD})
            return replace(self, pieces=gone, last=self._with_last(None), swapped=None, due=("gray",))
        return self._put(step)

    def _moved(self, step: PieceStep) -> PentagamePosition:
        start, to = NUMBER[step.start], NUMBER[step.to]
        leaving = step.leaving
        where = {(step.seat, step.piece): to} | ({step.partner: start} if step.partner else {})
        due = ("black",) * (to in self.blacks) + ("gray",) * len(leaving)
        partner_stays = step.partner is not None and not leaving
        after = replace(
            self,
            pieces=self._pieces_with(where | dict.fromkeys(leaving, OFF_BOARD)),
            blacks=tuple(OFF_BOARD if field == to else field for field in self.blacks),
            grays=tuple(OFF_BOARD if field == to else field for field in self.grays),
            last=self._with_last(step),
            swapped=_pair(step) if self.setup.no_swap_back and partner_stays else None,
            due=due,
        )
        return after if due else after._turn_over()

    def _pieces_with(self, where: Mapping[tuple[int, int], int]) -> tuple[tuple[int, ...], ...]:
        """All pieces, with some of them, by seat and colour, on other fields."""
        return tuple(
            tuple(where.get((seat, piece), field) for piece, field in enumerate(mine))
            for seat, mine in enumerate(self.pieces)
        )

    def _put(self, step: BlockStep) -> PentagamePosition:
        to, due = NUMBER[step.to], self.due[1:]
        blacks, grays = (
            tuple(to if figure == step.figure else field for figure, field in zip(kind, fields, strict=True))
            for kind, fields in ((BLACKS, self.blacks), (GRAYS, self.grays))
        )
        after = replace(self, blacks=blacks, grays=grays, due=due)
        return after if due else after._turn_over()

    def _turn_over(self) -> PentagamePosition:
        """The position with the next seat to move; a seat without pieces on the board is skipped."""
        seat = next((seat for seat in range(self.seat + 1, self.players) if self.home(seat) < len(PIECES)), 0)
        swapped = self.swapped and (self.swapped if any(owner == seat for owner, _ in self.swapped) else None)
        return replace(self, seat=seat, plies=self.plies + 1, swapped=swapped)

    def _with_last(self, last: PieceStep | None) -> tuple[PieceStep | None, ...]:
        return (*self.last[: self.seat], last, *self.last[self.seat + 1 :])

    # ── illegal steps ────────────────────────────────────────────────────────────────────────────

    def refusal(self, step: TurnStep) -> str | None:
        """A sentence on why a step is illegal, or None if it is legal."""
        if step.seat != self.seat:
            return phrase(
                "It is {player}'s turn, not {mover}'s.",
                player=self.player_name(self.seat),
                mover=self.player_name(step.seat),
            )
        if isinstance(step, BlockStep):
            return self._block_refusal(step)
        if self.due:
            return phrase("The piece has moved. {prompt}", prompt=self.still_due)
        if isinstance(step, LeaveStep):
            piece = self.piece_name(step.seat, step.piece).capitalize()
            return None if step.piece in self.waiting else phrase("{piece} is not waiting at its goal.", piece=piece)
        if self.waiting:
            piece = self.piece_name(self.seat, self.waiting[0]).capitalize()
            return phrase(
                "{piece} was brought to its goal, so it must leave now: {step}.",
                piece=piece,
                step=LeaveStep(self.seat, self.waiting[0]),
            )
        return self._piece_refusal(step)

    def _block_refusal(self, step: BlockStep) -> str | None:
        allowed = self.blocks_to_put
        if not allowed:
            return phrase("No block is due. A turn begins with a piece, such as [{seat},3,5,2,2].", seat=self.seat)
        if step.figure not in allowed:
            which = " or ".join(map(str, allowed))
            figure = notation.figure_name(step.figure).capitalize()
            return phrase(
                "{figure} cannot be put now. The {due} block {number} is due.",
                figure=figure,
                due=self.due[0],
                number=which,
            )
        if self.taken >> NUMBER[step.to] & 1:
            to = NUMBER[step.to]
            return phrase(
                "The {place} is not empty: {figures}.", place=self.place_name(to), figures=self.figures_on(to)
            )
        return None

    def _piece_refusal(self, step: PieceStep) -> str | None:
        start, to = self.pieces[self.seat][step.piece], NUMBER[step.to]
        piece, place = self.piece_name(step.seat, step.piece).capitalize(), self.place_name(to)
        if start == OFF_BOARD:
            return phrase("{piece} has left the board.", piece=piece)
        if NUMBER[step.start] != start:
            given = self.place_name(NUMBER[step.start])
            return phrase(
                "{piece} is on the {field}, not on the {given}.", piece=piece, field=self.place_name(start), given=given
            )
        if start == to:
            return phrase("{piece} is already on the {place}.", piece=piece, place=place)
        if not self.reach(step.piece) >> to & 1:
            return phrase(
                "{piece} has no free path from the {start} to the {place}.",
                piece=piece,
                start=self.place_name(start),
                place=place,
            )
        occupants = self.pieces_on(to)
        if occupants and step.partner is None:
            several = " or ".join(str(step._replace(partner=each)) for each in occupants)
            return phrase(
                "Several pieces are on the {place}. Name the swap partner: {pieces}.", place=place, pieces=several
            )
        if step.partner and step.partner not in occupants:
            other = self.piece_name(*step.partner).capitalize()
            return phrase("{piece} is not on the {place}.", piece=other, place=place)
        if step == self.last[self.seat]:
            return phrase(
                "{player} may not repeat the previous move, {step}.",
                player=self.player_name(self.seat).capitalize(),
                step=step,
            )
        if self._swaps_back(step):
            return "A swap may not be undone at once."
        return None

    # ── texts ────────────────────────────────────────────────────────────────────────────────────

    def parse(self, text: str) -> Move:
        steps = self._read(text)
        if not steps:
            raise InvalidMove("Expected a move, such as [{seat},3,5,2,2].", seat=self.seat)
        return Move(self._plain(steps))

    def _read(self, text: str) -> tuple[TurnStep, ...]:
        """The steps of a text in letters, in the denomination or in its short form."""
        if isinstance(text, str) and len(text) <= notation.MAX_SHORT_LENGTH and letters.is_in_letters(self, text):
            return notation.steps_of(self, letters.read(self, text))
        return notation.read_steps(self, text)

    def _plain(self, steps: Iterable[TurnStep]) -> tuple[TurnStep, ...]:
        return tuple(canonical(step) if isinstance(step, PieceStep) else step for step in steps)

    def steps_given(self, given: Steps) -> tuple[TurnStep, ...]:
        """Converts a text, the denomination's moves, a Choice or steps to steps, without checking legality."""
        if isinstance(given, str):
            return self._plain(self._read(given))
        if isinstance(given, Choice):
            given = (given.step,)
        elif isinstance(given, TurnStep | denomination.Shift) or not isinstance(given, Iterable):
            given = (given,)
        steps: tuple[Step, ...] = tuple(islice(given, 10))
        if steps and all(isinstance(step, list | denomination.Shift) for step in steps):
            return self._plain(notation.steps_of(self, denomination.turn(steps)))
        for step in steps:
            if not is_step(step, self.players):
                raise InvalidMove("Expected a step of a turn, got {step}.", step=shown(step, 40))
        return self._plain(cast(tuple[TurnStep, ...], steps))

    @property
    def text(self) -> str:
        return " ".join(word for word in (self.game, self.options_text(), *notation.write_position(self)) if word)

    def colour_of(self, seat: int) -> str:
        return notation.SHAPES[seat]

    def describe(self, move: Move) -> str:
        return " ".join(f"{wording.description(here, step)}." for here, step in self._moments(move))

    def instruction(self, move: Move) -> str:
        return wording.turn_instruction(self._moments(move))

    def _moments(self, move: Move) -> Iterator[tuple[PentagamePosition, TurnStep]]:
        """The steps of a turn, each with the position before it."""
        here = self
        for number, step in enumerate(move):
            here = here.partial(move[number - 1 : number]) if number else here
            yield here, cast(TurnStep, step)

    def notation(self, move: Move) -> str:
        return letters.write(self, cast(tuple[TurnStep, ...], move))

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        return symmetries_of_the_game()


def ended(winners: Iterable[int], players: int) -> Outcome:
    """The outcome where these seats have three pieces home; without any, the turn limit is reached."""
    won = tuple(winners)
    return Outcome.of(won, players, "three home" if won else TURN_LIMIT)


def _pair(step: PieceStep) -> Pair:
    assert step.partner is not None
    one, other = sorted([(step.seat, step.piece), step.partner])
    return one, other


# ── the game ─────────────────────────────────────────────────────────────────────────────────────


def _start(options: Mapping[str, OptionValue]) -> PentagamePosition:
    setup = notation.Setup.of(options)
    return PentagamePosition(setup, (tuple(PIECES),) * setup.players, last=(None,) * setup.players)


def _read(options: Mapping[str, OptionValue], given: list[str]) -> PentagamePosition:
    here = notation.read_position(PentagamePosition, notation.Setup.of(options), given)
    if here.swapped and not (here.outcome or here.piece_moves):  # no game comes to such a position
        raise GameError("Seat {seat} has no legal turn: it could only repeat its move or undo a swap.", seat=here.seat)
    return here


GAME = Game(
    name="pentagame",
    title="Pentagame",
    summary="a race across the pentagram: bring three of your five pieces to their goals",
    options={option.name: option for option in notation.OPTIONS},
    colours=notation.SHAPES,
    start=_start,
    read=_read,
    guide="Move one of your pieces any distance along free lines, towards its goal: the junction of the same colour. "
    "Land on another piece to swap places with it, or on a block to move that block elsewhere. "
    "Bring three pieces home to win.",
    presets={f"{word} players": {"players": count} for count, word in ((3, "Three"), (4, "Four"), (5, "Five"))},
)


# ── legal turns ───────────────────────────────────────────────────────────────────────────────────


def count_placements(empty: int, due: tuple[str, ...], pool: int) -> int:
    """The number of ways to put the due blocks, with so many empty fields and gray blocks in the pool."""
    count = 1
    for kind in due:
        if kind == "gray" and not pool:  # any of the five can move, and its old field becomes empty
            count *= 5 * empty
            continue
        count *= empty
        empty -= 1
        pool -= kind == "gray"
    return count


class PentagameMoves(LegalMoves):
    """Every first step of a turn, with every way to put the blocks that become due."""

    position: PentagamePosition

    @cached_property
    def _ends(self) -> list[int]:
        """The cumulative number of turns for each first step."""
        return list(itertools.accumulate(map(self._count_after, self.position.piece_moves)))

    def _count_after(self, head: PieceStep | LeaveStep) -> int:
        """The number of turns with this first step; mostly 1, since no block becomes due."""
        here = self.position
        if isinstance(head, LeaveStep):
            empty = here.empty.bit_count() + self._alone(goal(head.piece))
            return count_placements(empty, ("gray",), here.pool)
        to = NUMBER[head.to]
        leaving = head.leaving
        black = to in here.blacks
        if not (black or leaving):
            return 1
        mover_leaves = (head.seat, head.piece) in leaving
        start_is_free = self._alone(NUMBER[head.start]) and (head.partner is None or head.partner in leaving)
        to_was_empty = here.empty >> to & 1
        to_is_empty = mover_leaves and (head.partner is None or self._alone(to))
        empty = here.empty.bit_count() + start_is_free + to_is_empty - to_was_empty
        due = ("black",) * black + ("gray",) * len(leaving)
        return count_placements(empty, due, here.pool + (to in here.grays))

    def _alone(self, field: int) -> bool:
        """Whether exactly one piece is on a field."""
        return sum(mine.count(field) for mine in self.position.pieces) == 1

    def __len__(self) -> int:
        here = self.position
        if here.outcome:
            return 0
        if here.due:
            return count_placements(here.empty.bit_count(), here.due, here.pool)
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Move]:
        here = self.position
        if here.outcome:
            return
        if here.due:
            yield from map(Move, _rests(here))
            return
        for head in here.piece_moves:
            after = here.after_legal(head)
            if not after.due:
                yield Move((head,))
            else:
                yield from (Move((head, *rest)) for rest in _rests(after))

    def _at(self, index: int) -> Move:
        here = self.position
        steps: list[TurnStep] = []
        due = here.due
        if not due:
            which = bisect.bisect_right(self._ends, index)
            index -= self._ends[which - 1] if which else 0
            steps.append(here.piece_moves[which])
            here = here.after_legal(steps[-1])
            due = here.due
        for _ in due:
            free = list(fields_of(here.empty))
            each = count_placements(len(free), here.due, here.pool) // len(free) // len(here.blocks_to_put)
            which, index = divmod(index, each)
            figure, field = divmod(which, len(free))
            steps.append(BlockStep(here.seat, here.blocks_to_put[figure], FIELDS[free[field]]))
            here = here.after_legal(steps[-1])
        return Move(steps)

    def _is_plain(self, move: Move) -> bool:
        return self.position.parse(str(move)) == move


def _rests(here: PentagamePosition) -> Iterator[tuple[BlockStep, ...]]:
    """Every way to put the due blocks."""
    last = len(here.due) == 1
    for step in here.block_steps():
        if last:
            yield (step,)
        else:
            yield from ((step, *rest) for rest in _rests(here.after_legal(step)))


# ── choices ───────────────────────────────────────────────────────────────────────────────────────


def piece_target(seat: int, piece: int) -> str:
    """The drawing's name of a piece."""
    return f"piece {seat}.{piece}"


# A cache, since most choices recur turn after turn: by players and colours, then by step and its effects.
_Choices: TypeAlias = dict[tuple[PieceStep, str, bool, bool], Choice]
_CACHE: dict[tuple[int, tuple[str, ...]], _Choices] = {}
_CACHE_SIZE = 1 << 16


def piece_choices(here: PentagamePosition) -> Iterator[Choice]:
    """The choices that begin a turn."""
    if sum(map(len, _CACHE.values())) > _CACHE_SIZE:
        _CACHE.clear()
    cached = _CACHE.setdefault((here.players, here.colours), {})
    alone = {field: len(pieces) == 1 for field, pieces in here.occupants.items()}
    blocks = dict.fromkeys(here.grays, "gray") | dict.fromkeys(here.blacks, "black")
    for step in here.piece_moves:
        if isinstance(step, LeaveStep):
            yield _choice(here, step, (piece_target(step.seat, step.piece),))
            continue
        to = NUMBER[step.to]
        both = (alone[to], alone[NUMBER[step.start]]) if step.partner else (True, True)
        key = (step, blocks.get(to, ""), *both)
        if key not in cached:
            cached[key] = _piece_choice(here, step, *both)
        yield cached[key]


def _choice(
    here: PentagamePosition, step: TurnStep, targets: tuple[str, ...], also: Iterable[tuple[str, ...]] = ()
) -> Choice:
    near = wording.instruction(here, step, is_near=True)
    return Choice(step, targets, wording.instruction(here, step), tuple(also), near)


def _piece_choice(here: PentagamePosition, step: PieceStep, alone_there: bool, alone_here: bool) -> Choice:
    mover = piece_target(step.seat, step.piece)
    if not step.partner:
        return _choice(here, step, (mover, str(step.to)))
    partner = piece_target(*step.partner)
    also = [(mover, str(step.to))] if alone_there else []
    if step.partner[0] == step.seat:
        also.append((partner, mover))
        also += [(partner, str(step.start))] if alone_here else []
    return _choice(here, step, (mover, partner), also)


def block_choice(here: PentagamePosition, step: BlockStep) -> Choice:
    """The choice for a block."""
    targets: tuple[str, ...] = (str(step.to),)
    if len(here.blocks_to_put) > 1:  # the pool is empty, so the first target is the gray block to move
        targets = (str(FIELDS[here.grays[step.figure - 6]]), *targets)
    return _choice(here, step, targets)


# ── symmetries ────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1)
def symmetries_of_the_game() -> tuple[Symmetry, ...]:
    """The ten symmetries of the game."""
    return tuple(Symmetry(auto.name, partial(_image, auto), partial(_image_of_move, auto)) for auto in symmetries())


def _image(auto: Automorphism, position: Position) -> Position:
    """The image of a position: colours are renamed, and each figure becomes the one of its new colour."""
    here = cast("PentagamePosition", position)
    swapped = here.swapped and cast(Pair, tuple(sorted((seat, auto.colours[piece]) for seat, piece in here.swapped)))
    return replace(
        here,
        pieces=tuple(_renamed(mine, auto) for mine in here.pieces),
        blacks=_renamed(here.blacks, auto),
        grays=tuple(map(auto.field, here.grays)),
        last=tuple(last and _image_of_piece_step(last, auto) for last in here.last),
        swapped=swapped,
    )


def _renamed(fields: tuple[int, ...], auto: Automorphism) -> tuple[int, ...]:
    images = [OFF_BOARD] * len(fields)
    for colour, field in enumerate(fields):
        images[auto.colours[colour]] = auto.field(field)
    return tuple(images)


def _image_of_move(auto: Automorphism, move: Move) -> Move:
    return Move(_image_of_step(cast(TurnStep, step), auto) for step in move)


def _image_of_step(step: TurnStep, auto: Automorphism) -> TurnStep:
    if isinstance(step, LeaveStep):
        return LeaveStep(step.seat, auto.colours[step.piece])
    if isinstance(step, BlockStep):
        return BlockStep(step.seat, auto.figure(step.figure), FIELDS[auto.fields[NUMBER[step.to]]])
    return _image_of_piece_step(step, auto)


def _image_of_piece_step(step: PieceStep, auto: Automorphism) -> PieceStep:
    start, to = (FIELDS[auto.fields[NUMBER[field]]] for field in (step.start, step.to))
    partner = step.partner and (step.partner[0], auto.colours[step.partner[1]])
    return canonical(PieceStep(step.seat, auto.colours[step.piece], start, to, partner))
