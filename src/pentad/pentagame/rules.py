"""The rules of Pentagame; `docs/rules-pentagame.md` tells them in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import cast

from pentad.game import (
    Choice,
    Choices,
    Game,
    GameError,
    IllegalMove,
    InvalidMove,
    Move,
    Option,
    OptionValue,
    Outcome,
    Position,
    Step,
    Steps,
    Symmetry,
    shown,
)
from pentad.pentagame import choices, denomination, descriptions, notation, position_text, transform
from pentad.pentagame.board import ALL_FIELDS, FIELDS, JUNCTIONS, NUMBER, OFF_BOARD, fields_of, goal, set_of
from pentad.pentagame.denomination import BLACKS, GRAYS, PIECES
from pentad.pentagame.moves import PentagameMoves
from pentad.pentagame.notation import SHAPES, canonical
from pentad.pentagame.paths import reach
from pentad.pentagame.steps import BlockStep, Last, LeaveStep, Pair, PieceStep, TurnStep, is_step

COLOURS = ("white", "green", "yellow", "red", "blue")
PALETTE = (*COLOURS, "orange", "purple", "pink", "brown", "cyan", "lime", "navy")
HOME_WINS = 3
MOST_PLIES = 100_000


@dataclass(frozen=True)
class Setup:
    """What a game is played with."""

    players: int = 2
    first_to_three: bool = False
    no_swap_back: bool = False
    max_ply: int = 1000
    colours: tuple[str, ...] = COLOURS

    @classmethod
    def of(cls, options: Mapping[str, OptionValue]) -> Setup:
        """The setup that these options ask for."""
        players, max_ply = cast(int, options["players"]), cast(int, options["max_ply"])
        colours = tuple(str(options["colours"]).split(","))
        return cls(players, bool(options["first_to_three"]), bool(options["no_swap_back"]), max_ply, colours)


@dataclass(frozen=True, repr=False)
class PentagamePosition(Position):
    """Where every figure stands, by the numbers of the fields; and whatever else bears on what is legal.

    `due` are the blocks that the mover still owes in the middle of a turn. A black block is off the board only
    in the mover's hand; a gray block off the board is in the pool; a piece off the board is home.
    """

    setup: Setup
    pieces: tuple[tuple[int, ...], ...]  # by seat, by colour
    blacks: tuple[int, ...] = tuple(JUNCTIONS)
    grays: tuple[int, ...] = (OFF_BOARD,) * 5
    seat: int = 0
    plies: int = 0
    last: tuple[Last | None, ...] = ()
    swapped: Pair | None = None  # the mover's piece and another's that have just swapped, and may not at once again
    due: tuple[str, ...] = ()

    game = "pentagame"

    @property
    def players(self) -> int:
        return self.setup.players

    @property
    def turn(self) -> int:
        return self.seat

    @property
    def ply(self) -> int:
        return self.plies

    @property
    def colours(self) -> tuple[str, ...]:
        """The names of the five colours of figures and fields."""
        return self.setup.colours

    @property
    def options(self) -> Mapping[str, OptionValue]:
        setup = self.setup
        return {
            "players": setup.players,
            "first_to_three": setup.first_to_three,
            "no_swap_back": setup.no_swap_back,
            "max_ply": setup.max_ply,
            "colours": ",".join(setup.colours),
        }

    @cached_property
    def recurring(self) -> PentagamePosition:
        """All but the number of plies, and which block is which: what must be the same to be a repetition."""
        return replace(self, plies=0, blacks=tuple(sorted(self.blacks)), grays=tuple(sorted(self.grays)))

    # ── what stands where ────────────────────────────────────────────────────────────────────────

    @cached_property
    def taken(self) -> int:
        """The set of fields with a piece or a block on them."""
        return set_of([field for mine in self.pieces for field in mine]) | self.blocked

    @cached_property
    def blocked(self) -> int:
        """The set of fields with a block on them."""
        return set_of(self.blacks) | set_of(self.grays)

    @property
    def empty(self) -> int:
        """The set of fields with nothing on them."""
        return ALL_FIELDS & ~self.taken

    @cached_property
    def standing(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """The fields with pieces on them, and which, each by seat and colour."""
        standing: dict[int, list[tuple[int, int]]] = {}
        for seat, mine in enumerate(self.pieces):
            for piece, field in enumerate(mine):
                standing.setdefault(field, []).append((seat, piece))
        return standing

    def pieces_on(self, field: int) -> Sequence[tuple[int, int]]:
        """The pieces on a field, each by seat and colour."""
        return self.standing.get(field, ())

    def home(self, seat: int) -> int:
        """How many pieces a seat has brought out."""
        return self.pieces[seat].count(OFF_BOARD)

    @cached_property
    def waiting(self) -> tuple[int, ...]:
        """The mover's pieces that others brought to their goals: one of them leaves, and that is the turn."""
        mine = self.pieces[self.seat]
        return () if self.due else tuple(piece for piece in PIECES if mine[piece] == goal(piece))

    @property
    def pool(self) -> int:
        """How many gray blocks are off the board."""
        return self.grays.count(OFF_BOARD)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def outcome(self) -> Outcome | None:
        if self.due:
            return None
        done = [seat for seat in range(self.players) if self.home(seat) >= HOME_WINS]
        if done and (self.seat == 0 or self.setup.first_to_three):  # the round is over when seat 0 is to move
            return Outcome.of(done, self.players, "three home")
        if self.plies >= self.setup.max_ply:
            return Outcome.of((), self.players, "ply limit")
        return None

    # ── what may be done ─────────────────────────────────────────────────────────────────────────

    def reach(self, piece: int) -> int:
        """The set of fields where the mover's piece can end, the occupied ones included."""
        start = self.pieces[self.seat][piece]
        return reach(start, self.taken) if start != OFF_BOARD else 0

    @cached_property
    def piece_moves(self) -> tuple[PieceStep | LeaveStep, ...]:
        """The ways to begin the turn: every piece to every field, with every partner that it could swap with."""
        if self.outcome or self.due:
            return ()
        if self.waiting:
            return tuple(LeaveStep(self.seat, piece) for piece in self.waiting)
        return tuple(self._piece_steps())

    def _piece_steps(self) -> Iterator[PieceStep]:
        seat, mine, standing = self.seat, self.pieces[self.seat], self.standing
        for piece in PIECES:
            if mine[piece] == OFF_BOARD:
                continue
            start = FIELDS[mine[piece]]
            for to in fields_of(self.reach(piece)):
                for partner in standing.get(to, (None,)):
                    if partner and partner[0] == seat and partner[1] < piece:
                        continue  # a swap of two own pieces is one move, named by the lower
                    step = PieceStep(seat, piece, start, FIELDS[to], partner)
                    if not (self._repeats(step) or self._swaps_back(step)):
                        yield step

    @property
    def legal_moves(self) -> PentagameMoves:
        return PentagameMoves(self)

    @property
    def stages(self) -> tuple[str, ...]:
        """What remains of this turn, as far as it is known: `piece` or `leave`, then `black` and `gray` blocks."""
        if self.outcome:
            return ()
        return self.due or (("leave", "gray") if self.waiting else ("piece",))

    def block_steps(self) -> Iterator[BlockStep]:
        """The ways to do what is due next: a block to every empty field; every gray one if the pool is empty."""
        for figure in self.blocks_to_put:
            for field in fields_of(self.empty):
                yield BlockStep(self.seat, figure, FIELDS[field])

    @property
    def blocks_to_put(self) -> tuple[int, ...]:
        """The figures that may be put next: the black in hand, the lowest gray of the pool, or any gray."""
        if not self.due:
            return ()
        if self.due[0] == "black":
            return (BLACKS[self.blacks.index(OFF_BOARD)],)
        return (GRAYS[self.grays.index(OFF_BOARD)],) if self.pool else tuple(GRAYS)

    def _repeats(self, step: PieceStep) -> bool:
        last = self.last[self.seat]
        if last is None or last.piece != step.piece or last.partner != step.partner:
            return False
        return (last.start, last.to) == (NUMBER[step.start], NUMBER[step.to])

    def _swaps_back(self, step: PieceStep) -> bool:
        return self.swapped is not None and step.partner is not None and _pair(step) == self.swapped

    # ── playing ──────────────────────────────────────────────────────────────────────────────────

    def play(self, move: Steps) -> PentagamePosition:
        steps = self.steps_given(move)
        if not steps:
            raise InvalidMove(f"a move is missing; such as [{self.seat},3,5,2,2]")
        after = self._after(steps)
        if after.due:
            raise IllegalMove(f"the turn is not complete: {descriptions.still_due(after)}")
        return after

    def partial(self, steps: Steps) -> PentagamePosition:
        read = self.steps_given(steps)
        after = self._after(read)
        if read and not after.due:
            raise IllegalMove(f"{Move(read)} is a whole turn, not the beginning of one")
        return after

    def choices(self, steps: Steps = "") -> Choices:
        read = self.steps_given(steps)
        here = self._after(read)
        if read and not here.due:
            return Choices((), "the turn is complete", may_end=True)
        if here.outcome:
            return Choices((), "the game is over")
        if here.due:
            return Choices((choices.block_choice(here, step) for step in here.block_steps()), descriptions.asks(here))
        return Choices(choices.piece_choices(here), descriptions.asks(here))

    def _after(self, steps: tuple[TurnStep, ...]) -> PentagamePosition:
        here = self
        if self.outcome and steps:
            raise IllegalMove(f"the game is over: {descriptions.result(self.outcome)}")
        for step in steps:
            if here.plies > self.plies:
                raise IllegalMove(f"{step} is more than the turn: nothing is due any more")
            here = here.after(step)
        return here

    def after(self, step: TurnStep) -> PentagamePosition:
        """The position after one step of a turn, checked."""
        if refusal := self.refusal(step):
            raise IllegalMove(refusal)
        return self.begun(step)

    def begun(self, step: TurnStep) -> PentagamePosition:
        """The position after one step of a turn that is known to be allowed."""
        if isinstance(step, PieceStep):
            return self._moved(step)
        if isinstance(step, LeaveStep):
            gone = _without(self.pieces, [(step.seat, step.piece)])
            return replace(self, pieces=gone, last=self._told(None), swapped=None, due=("gray",))
        return self._put(step)

    def _moved(self, step: PieceStep) -> PentagamePosition:
        start, to = NUMBER[step.start], NUMBER[step.to]
        where = {(step.seat, step.piece): to} | ({step.partner: start} if step.partner else {})
        pieces = tuple(
            tuple(where.get((seat, piece), field) for piece, field in enumerate(mine))
            for seat, mine in enumerate(self.pieces)
        )
        leaving = step.leaving
        due = ("black",) * (to in self.blacks) + ("gray",) * len(leaving)
        partner_stays = step.partner is not None and not leaving
        after = replace(
            self,
            pieces=_without(pieces, leaving),
            blacks=tuple(OFF_BOARD if field == to else field for field in self.blacks),
            grays=tuple(OFF_BOARD if field == to else field for field in self.grays),
            last=self._told(Last(step.piece, start, to, step.partner)),
            swapped=_pair(step) if self.setup.no_swap_back and partner_stays else None,
            due=due,
        )
        return after if due else after._turn_over()

    def _put(self, step: BlockStep) -> PentagamePosition:
        to, due = NUMBER[step.to], self.due[1:]
        blacks, grays = (
            tuple(to if figure == step.figure else field for figure, field in zip(kind, fields, strict=True))
            for kind, fields in ((BLACKS, self.blacks), (GRAYS, self.grays))
        )
        after = replace(self, blacks=blacks, grays=grays, due=due)
        return after if due else after._turn_over()

    def _turn_over(self) -> PentagamePosition:
        """The next seat's turn; a seat whose pieces others have all brought out is passed over."""
        following = (seat for seat in range(self.seat + 1, self.players) if self.home(seat) < len(PIECES))
        seat = next(following, 0)
        swapped = self.swapped and (self.swapped if any(owner == seat for owner, _ in self.swapped) else None)
        return replace(self, seat=seat, plies=self.plies + 1, swapped=swapped)

    def _told(self, last: Last | None) -> tuple[Last | None, ...]:
        return (*self.last[: self.seat], last, *self.last[self.seat + 1 :])

    # ── what may not be done, and why ────────────────────────────────────────────────────────────

    def refusal(self, step: TurnStep) -> str | None:
        """Why a step is not allowed now, in words; None if it is."""
        if step.seat != self.seat:
            return f"it is {descriptions.player(self, self.seat)}'s turn, not {descriptions.player(self, step.seat)}'s"
        if isinstance(step, BlockStep):
            return self._block_refusal(step)
        if self.due:
            return f"the piece has moved; {descriptions.still_due(self)}"
        if isinstance(step, LeaveStep):
            waits = step.piece in self.waiting
            return None if waits else f"{descriptions.piece(self, step.seat, step.piece)} does not wait at its goal"
        if self.waiting:
            piece = descriptions.piece(self, self.seat, self.waiting[0])
            return f"{piece} was brought to its goal, so it leaves now: {LeaveStep(self.seat, self.waiting[0])}"
        return self._piece_refusal(step)

    def _block_refusal(self, step: BlockStep) -> str | None:
        allowed = self.blocks_to_put
        if not allowed:
            return f"no block is due: a turn begins with a piece, such as [{self.seat},3,5,2,2]"
        if step.figure not in allowed:
            which = " or ".join(map(str, allowed))
            return f"{descriptions.figure(step.figure)} cannot be put now; {self.due[0]} block {which} is due"
        if self.taken >> NUMBER[step.to] & 1:
            return f"{step.to} is not empty: {descriptions.standing(self, NUMBER[step.to])}"
        return None

    def _piece_refusal(self, step: PieceStep) -> str | None:
        start, to = self.pieces[self.seat][step.piece], NUMBER[step.to]
        named = descriptions.piece(self, step.seat, step.piece)
        if start == OFF_BOARD:
            return f"{named} has left the board"
        if NUMBER[step.start] != start:
            return f"{named} stands on {FIELDS[start]}, not on {step.start}"
        if start == to:
            return f"{named} stands on {step.to} already"
        if not self.reach(step.piece) >> to & 1:
            return f"{named} has no free way from {step.start} to {step.to}"
        standing = self.pieces_on(to)
        if standing and step.partner is None:
            return (
                f"several pieces stand on {step.to}; say which one comes back: {descriptions.partners(step, standing)}"
            )
        if step.partner and step.partner not in standing:
            return f"{descriptions.piece(self, *step.partner)} does not stand on {step.to}"
        if self._repeats(step):
            return f"{descriptions.player(self, self.seat)} may not repeat the previous move, {step}"
        if self._swaps_back(step):
            return "a swap may not be undone at once"
        return None

    # ── texts ────────────────────────────────────────────────────────────────────────────────────

    def parse(self, text: str) -> Move:
        steps = notation.read_steps(self, text)
        if not steps:
            raise InvalidMove(f"a move is missing; such as [{self.seat},3,5,2,2]")
        return Move(self._plain(steps))

    def _plain(self, steps: Iterable[TurnStep]) -> tuple[TurnStep, ...]:
        return tuple(canonical(step) if isinstance(step, PieceStep) else step for step in steps)

    def steps_given(self, given: Steps) -> tuple[TurnStep, ...]:
        """Steps given as text, as the denomination's moves, as a Choice or as themselves; unchecked."""
        if isinstance(given, str):
            return self._plain(notation.read_steps(self, given))
        if isinstance(given, Choice):
            given = (given.step,)
        elif isinstance(given, TurnStep | denomination.Shift) or not isinstance(given, Iterable):
            given = (given,)
        steps: tuple[Step, ...] = tuple(islice(given, 10))
        if steps and all(isinstance(step, list | denomination.Shift) for step in steps):
            return self._plain(notation.steps_of(self, denomination.turn(steps)))
        for step in steps:
            if not is_step(step, self.players):
                raise InvalidMove(f"{shown(step, 40)} is no step of a turn")
        return self._plain(cast(tuple[TurnStep, ...], steps))

    @property
    def text(self) -> str:
        return " ".join(word for word in (self.game, self.options_text(), *position_text.write(self)) if word)

    def colour_of(self, seat: int) -> str:
        return SHAPES[seat]

    def describe(self, move: Move) -> str:
        return descriptions.describe(self, move)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        return transform.symmetries_of_the_game()


def _pair(step: PieceStep) -> Pair:
    assert step.partner is not None
    one, other = sorted([(step.seat, step.piece), step.partner])
    return one, other


def _without(pieces: tuple[tuple[int, ...], ...], gone: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The pieces when these have left."""
    gone = set(gone)
    return tuple(
        tuple(OFF_BOARD if (seat, piece) in gone else field for piece, field in enumerate(mine))
        for seat, mine in enumerate(pieces)
    )


# ── the game ─────────────────────────────────────────────────────────────────────────────────────


def _start(options: Mapping[str, OptionValue]) -> PentagamePosition:
    setup = Setup.of(options)
    return PentagamePosition(setup, (tuple(PIECES),) * setup.players, last=(None,) * setup.players)


def _read(options: Mapping[str, OptionValue], given: list[str]) -> PentagamePosition:
    setup = Setup.of(options)
    here = PentagamePosition(setup, **position_text.read(given, setup))
    if here.swapped and not (here.outcome or here.piece_moves):  # which no play can lead to
        raise GameError(f"seat {here.seat} could only repeat its move or undo a swap, so it has no legal turn")
    return here


GAME = Game(
    name="pentagame",
    title="Pentagame",
    summary="a race across the pentagram: bring three of your five pieces to their goals",
    options={
        option.name: option
        for option in (
            Option("players", 2, "how many play; five is unofficial", 2, len(SHAPES)),
            Option("first_to_three", False, "the third piece out ends the game at once, not the round"),
            Option("no_swap_back", False, "a swap may not be undone at once by the next player"),
            Option("max_ply", 1000, "the turns after which a game is drawn", 1, MOST_PLIES),
            Option("colours", ",".join(COLOURS), "the five colours' names and looks", allowed=PALETTE, several=5),
        )
    },
    colours=SHAPES,
    start=_start,
    read=_read,
    guide="Move one of your pieces any distance along free lines, to its goal: the junction of its own colour. "
    "Land on a piece to swap places with it, on a block to put that elsewhere. Three pieces home win.",
)
