"""Rules of Pente and its variants; `docs/play/rules-pente.md` describes them, `rulesets` lists the differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from math import perm
from typing import cast

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
    shorten,
    shown,
)
from pentad.games.pente import notation
from pentad.games.pente.board import (
    Board,
    Line,
    Side,
    Stone,
    brackets,
    groups_along,
    groups_through,
    members,
    nth_point,
    points_of,
    symmetries,
)
from pentad.games.pente.notation import COLOURS, MORE
from pentad.games.pente.rulesets import AT_ONCE, FREE, IF_IT_STANDS, OPTIONS, PRO, SWAP2, TOURNAMENT, RuleSet, Setup

# ── openings ──────────────────────────────────────────────────────────────────────────────────────

AWAY = 3  # the least distance from the centre of the first player's second stone, by the tournament rule

# The stages of swap2, each with the seat that acts; after them the colours take turns.
THREE, CHOOSE, TWO_MORE, CHOOSE_AGAIN, OVER = "three", "choose", "more", "choose-again", "-"
ACTING = {THREE: 0, CHOOSE: 1, TWO_MORE: 1, CHOOSE_AGAIN: 0}
STAGES = (OVER, THREE, CHOOSE, TWO_MORE, CHOOSE_AGAIN)
STONES_DUE = {THREE: 3, TWO_MORE: 5}  # stones placed when the stage is done
NEXT = {THREE: CHOOSE, TWO_MORE: CHOOSE_AGAIN, OVER: OVER}
SIDES_OFFERED = {CHOOSE: notation.SIDES, CHOOSE_AGAIN: (notation.WHITE, notation.BLACK)}


def opening_points(rules: RuleSet, board: Board, placed: int) -> int:
    """The points that the opening leaves open to the next stone, by the number of stones placed."""
    opening = rules.opening
    if placed > 2 or opening in (FREE, SWAP2):
        return board.all_points
    if placed == 0:
        return 1 << board.centre
    if opening == PRO:
        return board.within(1) if placed == 1 else board.all_points & ~board.within(AWAY - 1)
    if opening == TOURNAMENT and placed == 2:
        away = board.all_points & ~board.within(AWAY - 1)
        return away & ~board.arms if rules.centre_lines else away
    return board.all_points


def opening_text(rules: RuleSet, board: Board, placed: int) -> str:
    """The opening's rule for the next stone, as a sentence."""
    centre = board.stones[board.centre]
    if placed == 0:
        return phrase("The first stone goes to the centre, {centre}.", centre=centre)
    if placed == 1:
        return phrase("The second stone goes inside the 3×3 square around the centre, {centre}.", centre=centre)
    side = 2 * AWAY - 1
    if not rules.centre_lines:
        return phrase(
            "The third stone goes outside the {side}×{side} square around the centre, {centre}.",
            side=side,
            centre=centre,
        )
    return phrase(
        "The third stone goes outside the {side}×{side} square around the centre, {centre}, but not on its row or "
        "column at distance 3 or 4.",
        side=side,
        centre=centre,
    )


def check_stage(placed: int, ply: str, stage: str, swapped: str) -> None:
    """Checks the swap2 fields of a position's text."""
    possible = {  # stage: whether the number of stones fits, and the possible plies
        THREE: (placed < 3, (0,)),
        CHOOSE: (placed == 3, (1,)),
        TWO_MORE: (placed in (3, 4), (1,)),
        CHOOSE_AGAIN: (placed == 5, (2,)),
        OVER: (placed >= 3, (placed - 1, placed - 2) if placed >= 5 else (placed - 1,)),
    }
    if stage not in possible or not possible[stage][0] or ply not in map(str, possible[stage][1]):
        raise GameError(
            "{placed} stones, ply {ply} and stage {stage} do not go together in swap2.",
            placed=placed,
            ply=shown(ply, 12),
            stage=shown(stage, 20),
        )
    if swapped not in ("", "swapped") or (swapped and stage != OVER):
        raise GameError(
            "The last field must be swapped, after a colour was chosen, or missing, not {swapped}.",
            swapped=shown(swapped, 20),
        )


# ── free threes ───────────────────────────────────────────────────────────────────────────────────
#
# A free three is three own stones within four consecutive points that one more stone turns into an open four, four in
# a row with both ends empty.


WINDOW = 4  # the points of such a row


def free_threes(board: Board, mine: int, empty: int, point: int) -> int:
    """The number of axes along which the stone at a point (one of `mine`) is part of a free three."""
    windows = groups_along(board, WINDOW)[point]
    return sum(any(_is_free_three(window, mine, empty) for window in along) for along in windows)


def _is_free_three(window: Line, mine: int, empty: int) -> bool:
    points, ends = window
    return (points & mine).bit_count() == 3 and not (points & ~mine | ends) & ~empty


def makes_double_three(board: Board, mine: int, empty: int, point: int) -> bool:
    """Whether a stone on an empty point makes two free threes at once."""
    bit = 1 << point
    return free_threes(board, mine | bit, empty & ~bit, point) >= 2


@lru_cache(maxsize=64)
def windows_by_axis(board: Board) -> tuple[tuple[Line, ...], ...]:
    """The rows of four points of each axis that have a point beyond both ends."""
    tables = groups_along(board, WINDOW)
    return tuple(tuple(dict.fromkeys(window for table in tables for window in table[axis])) for axis in range(4))


def near(board: Board, mine: int, empty: int) -> int:
    """The empty points at which free threes may form along two axes, as a filter for the exact test."""
    once = twice = 0
    for along in windows_by_axis(board):
        here = 0
        for points, ends in along:
            held = points & mine
            if held & (held - 1) and not (ends | points ^ held) & ~empty:  # two own stones with space around them
                here |= points
        twice |= once & here
        once |= here
    return twice & empty


BY_CAPTURES = "captures"


def line_reason(length: int) -> str:
    """The reason of a win by a line."""
    return "five" if length == 5 else f"line of {length}"


PLAYERS = ("first", "second")
GROUP_SIZES = {2: "two", 3: "three"}  # so many stones can be captured at once
MAX_STEPS_OF_TURN = 3  # a turn has three stones, or more and two stones


@dataclass(frozen=True, repr=False)
class PentePosition(Position):
    """A position: the stones of each colour as sets of points, and the number that each colour has captured.

    `stage` is the stage of the opening swap2, `swapped` whether its choice exchanged the colours. The last field
    is a cache: the point of the last stone.
    """

    setup: Setup
    stones: tuple[int, int] = (0, 0)
    taken: tuple[int, int] = (0, 0)
    ply: int = 0
    stage: str = OVER
    swapped: bool = False
    last: int | None = field(default=None, compare=False)

    game = "pente"
    players = 2

    @property
    def board(self) -> Board:
        return self.setup.board

    @property
    def rules(self) -> RuleSet:
        return self.setup.rules

    # ── seats and colours ────────────────────────────────────────────────────────────────────────

    @property
    def placed(self) -> int:
        """The number of stones placed; it decides the colour of the next stone."""
        return self.stones[0].bit_count() + self.stones[1].bit_count() + sum(self.taken)

    @property
    def colour(self) -> int:
        """The colour of the next stone: 0 white, 1 black."""
        return self.placed % 2

    @property
    def turn(self) -> int:
        return ACTING[self.stage] if self.stage in ACTING else self.seat_of(self.colour)

    def seat_of(self, colour: int) -> int:
        """The seat that plays a colour."""
        return colour ^ self.swapped

    def colour_of(self, seat: int) -> str:
        return COLOURS[seat ^ self.swapped]

    @property
    def captures(self) -> tuple[int, int]:
        """The number of stones that each seat has captured."""
        return self.taken[::-1] if self.swapped else self.taken

    # ── legal points ─────────────────────────────────────────────────────────────────────────────

    @cached_property
    def empty(self) -> int:
        """The set of empty points."""
        return self.board.all_points & ~(self.stones[0] | self.stones[1])

    @cached_property
    def points(self) -> int:
        """The set of legal points for the next stone."""
        points = self.empty & opening_points(self.rules, self.board, self.placed)
        if not self.rules.double_three:
            mine, theirs = self.stones[self.colour], self.stones[1 - self.colour]
            for point in points_of(near(self.board, mine, points)):
                if not self.takes(point, mine, theirs) and makes_double_three(self.board, mine, self.empty, point):
                    points ^= 1 << point
        return points

    def _reason_illegal(self, stone: Stone) -> str:
        """The reason why a stone may not be placed on a point."""
        point = self.board.point(*stone)
        for colour, stones in zip(COLOURS, self.stones, strict=True):
            if stones >> point & 1:
                return phrase("{stone} is occupied by a {colour} stone.", stone=stone, colour=colour)
        if not opening_points(self.rules, self.board, self.placed) >> point & 1:
            return phrase(
                "{stone} is not legal. {reason}",
                stone=stone,
                reason=opening_text(self.rules, self.board, self.placed),
            )
        return phrase("{stone} is not legal. It makes two free threes at once.", stone=stone)

    # ── captures and lines ───────────────────────────────────────────────────────────────────────

    def takes(self, point: int, mine: int, theirs: int) -> int:
        """The stones that a stone on a point captures."""
        taken = 0
        for length in self.rules.groups:
            for group, end in brackets(self.board, length)[point]:
                if theirs & group == group and mine & end:
                    taken |= group
        return taken

    def _poofed(self, point: int, mine: int, theirs: int) -> int:
        """The own stones, with the new one, that a stone loses by moving into a bracket."""
        lost = 0
        for length in self.rules.groups if self.rules.poof else ():
            for group, ends in groups_through(self.board, length)[point]:
                if mine & group == group and theirs & ends == ends:
                    lost |= group
        return lost

    def _has_line(self, colour: int) -> bool:
        """Whether a colour has a line; for the colour that moved last, only lines through its last stone can be new.

        If overlines do not count, a capture may turn an overline into a line anywhere.
        """
        fresh = colour != self.colour and (self.rules.overline or not self.rules.captures)
        through = self.last if fresh else None
        return self.board.has_line(self.stones[colour], overline=self.rules.overline, through=through)

    @property
    def line_count(self) -> int:
        """The number of lines on the board: 2·size·delta + 2·delta², where delta is size + 1 - line."""
        return len(self.board.lines)

    def threats(self) -> tuple[Threats, Threats]:
        """The threats of each seat with its next stone, whoever is to move."""
        return _threats(self, self.seat_of(0)), _threats(self, self.seat_of(1))

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def outcome(self) -> Outcome | None:
        if self.stage != OVER or not self.placed:
            return None  # a game cannot end before the colours are chosen
        winner, reason = self._decide()
        if winner is not None:
            return Outcome.of((self.seat_of(winner),), 2, reason)
        if not self.empty:
            return Outcome.of((), 2, "full board")
        return Outcome.of((), 2, "no line left") if self.rules.blocked_tie and self._is_blocked else None

    def _decide(self) -> tuple[int | None, str]:
        """The colour that has won, or None, and the reason."""
        rules, mover, other = self.rules, 1 - self.colour, self.colour
        line = line_reason(self.board.line)
        if rules.five == AT_ONCE:
            fresh = self.last is not None and (rules.overline or not rules.captures)
            for colour in (mover,) if fresh else (mover, other):
                if self._has_line(colour):
                    return colour, line
        full = [bool(rules.capture_win) and taken >= rules.capture_win for taken in self.taken]
        if full[0] != full[1]:  # if both have captured enough, only a line decides
            return full.index(True), BY_CAPTURES
        if rules.five != AT_ONCE:
            if self._has_line(other):
                return other, line  # the line survived the reply
            if self._has_line(mover) and not self._reply_counts():
                return mover, line
        return None, ""

    def _reply_counts(self) -> bool:
        """Whether the colour to move may still break the new line or win by capture."""
        if self.rules.five == IF_IT_STANDS:
            return bool(self.points)
        mine, theirs = self.stones[self.colour], self.stones[1 - self.colour]
        for point in points_of(self.points):
            if taken := self.takes(point, mine, theirs):
                count = self.taken[self.colour] + taken.bit_count()
                if self.rules.capture_win and count >= self.rules.capture_win:
                    return True
                if not self.board.has_line(theirs & ~taken, overline=self.rules.overline):
                    return True
        return False

    @property
    def _is_blocked(self) -> bool:
        """Whether every line holds stones of both colours."""
        white, black = self.stones
        return all(points & white and points & black for points, _ in self.board.lines)

    # ── playing ──────────────────────────────────────────────────────────────────────────────────

    def play(self, move: Steps) -> PentePosition:
        steps = self._steps(move)
        if not steps:
            raise self._no_move()
        after = self.after(steps)
        if after.ply == self.ply:
            raise IllegalMove("{move} is not a whole turn. {prompt}", move=Move(steps), prompt=after.choices().prompt)
        return after

    def partial(self, steps: Steps) -> PentePosition:
        read = self._steps(steps)
        after = self.after(read)
        if after.ply != self.ply:
            raise IllegalMove("{move} is a whole turn, not the beginning of one.", move=Move(read))
        return after

    def choices(self, steps: Steps = "") -> Choices:
        here = self.after(self._steps(steps))
        if here.ply != self.ply:
            return Choices((), "The turn is complete.", may_end=True)
        if here.outcome:
            return Choices((), GAME_OVER)
        if here.stage in SIDES_OFFERED:
            sides = (Choice(side, (str(side),), side_words(side)) for side in SIDES_OFFERED[here.stage])
            return Choices(sides, CHOICE_PROMPT)
        is_restricted = here.empty & ~opening_points(here.rules, here.board, here.placed)
        restriction = opening_text(here.rules, here.board, here.placed) if is_restricted else ""
        stones = members(_stone_choices(here.board.stones), here.points)
        return Choices(stones, stone_prompt(here.colour, restriction), restriction=restriction)

    @property
    def legal_moves(self) -> PenteMoves:
        return PenteMoves(self)

    def after(self, steps: tuple[Step, ...]) -> PentePosition:
        """The position after the steps of a whole turn or a part of one; raises IllegalMove for an illegal step."""
        if self.outcome and steps:
            raise IllegalMove("The game is over. {status}", status=self.status)
        here = self
        for step in steps:
            if here.ply != self.ply:
                raise InvalidMove("{move} is more than one turn.", move=shorten(str(Move(steps)), 40))
            here = here._after_choice(step) if isinstance(step, Side) else here._after_stone(cast(Stone, step))
        return here

    def _after_stone(self, stone: Stone) -> PentePosition:
        if self.stage in SIDES_OFFERED:
            raise IllegalMove("Choose a colour now: {sides}.", sides=" or ".join(map(str, SIDES_OFFERED[self.stage])))
        point = self.board.point(*stone)
        if not self.points >> point & 1:
            raise IllegalMove(self._reason_illegal(stone))
        colour = self.colour
        mine, theirs = self.stones[colour] | 1 << point, self.stones[1 - colour]
        lost, won = self._poofed(point, mine, theirs), self.takes(point, mine, theirs)
        stones, taken = (mine & ~lost, theirs & ~won), (won.bit_count(), lost.bit_count())
        if colour == 1:
            stones, taken = stones[::-1], taken[::-1]
        done = self.placed + 1 == STONES_DUE.get(self.stage, self.placed + 1)
        return replace(
            self,
            stones=stones,
            taken=(self.taken[0] + taken[0], self.taken[1] + taken[1]),
            ply=self.ply + done,
            stage=NEXT[self.stage] if done else self.stage,
            last=point,
        )

    def _after_choice(self, side: Side) -> PentePosition:
        offered = SIDES_OFFERED.get(self.stage, ())
        if side not in offered:
            due = f"Choose {' or '.join(map(str, offered))}." if offered else self.choices().prompt
            raise IllegalMove("{side} cannot be chosen now. {due}", side=side, due=due)
        if side == notation.MORE:
            return replace(self, stage=TWO_MORE)
        # Without a last stone, `outcome` looks for lines through any of the opening's stones.
        return replace(self, stage=OVER, ply=self.ply + 1, swapped=COLOURS[self.turn] != str(side), last=None)

    def _steps(self, given: Steps) -> tuple[Step, ...]:
        """Parses steps given as text, as a Choice or as steps; each of them must exist in this game."""
        if isinstance(given, str):
            return notation.read_steps(self.board, given)
        if isinstance(given, Choice):
            given = (given.step,)
        elif isinstance(given, Stone | Side) or not isinstance(given, Iterable):
            given = (given,)
        steps = tuple(islice(given, MAX_STEPS_OF_TURN + 1))  # the given iterable may be endless
        for step in steps:
            is_stone = isinstance(step, Stone) and all(type(n) is int for n in step) and self.board.on_board(*step)
            if not is_stone and not (isinstance(step, Side) and step in notation.SIDES):
                raise InvalidMove("{step} is not a step of a turn on this board.", step=shown(step, 40))
        return steps

    def _no_move(self) -> InvalidMove:
        return InvalidMove("Expected a move, such as {stone}.", stone=self.board.stones[self.board.centre])

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    def parse(self, text: str) -> Move:
        steps = notation.read_steps(self.board, text)
        if not steps:
            raise self._no_move()
        return Move(steps)

    @property
    def text(self) -> str:
        words = [self.game, self.options_text(), notation.write_board(self.board, self.stones)]
        if self.rules.captures:
            words.append("{},{}".format(*self.taken))
        if self.rules.opening == SWAP2:
            words += [str(self.ply), self.stage, "swapped" if self.swapped else ""]
        return " ".join(filter(None, words))

    def describe(self, move: Move) -> str:
        here, sentences = self, []
        for step in move:
            after = here.after((step,))
            taken = after.taken[here.colour] - here.taken[here.colour]
            colour = COLOURS[here.colour].capitalize()
            if isinstance(step, Side):
                sentences.append(choosing(PLAYERS[self.turn], step))
            else:
                sentences.append(placing(colour, cast(Stone, step), taken))
            here = after
        return " ".join(sentences)

    @property
    def options(self) -> Mapping[str, OptionValue]:
        return self.setup.options

    def _default_options(self) -> Mapping[str, OptionValue]:
        return self.setup.defaults

    @property
    def guide(self) -> str:
        rules = self.rules
        line = self.board.line if rules.overline else f"exactly {self.board.line}"
        restricted = (n for n in range(3) if opening_points(rules, self.board, n) != self.board.all_points)
        sentences = [
            "Place a stone on an empty point.",
            *(opening_text(rules, self.board, placed) for placed in restricted),
            phrase("Get {line} in a row to win: horizontally, vertically or diagonally.", line=line),
        ]
        if rules.groups:
            sizes = " or ".join(GROUP_SIZES[size] for size in rules.groups)
            sentences.append(
                phrase(
                    "{sizes} stones in a row with an opposing stone at each end are captured and removed.",
                    sizes=sizes.capitalize(),
                )
            )
            if rules.capture_win:
                sentences.append(phrase("Capturing {count} stones wins too.", count=rules.capture_win))
        return " ".join(sentences)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        return tuple(
            Symmetry(symmetry.name, lambda p, symmetry=symmetry: _image(p, symmetry.points), symmetry.move)  # type: ignore[misc]
            for symmetry in symmetries(self.board)
        )


def _image(position: Position, points: tuple[int, ...]) -> Position:
    assert isinstance(position, PentePosition)
    white, black = (sum(1 << points[point] for point in points_of(stones)) for stones in position.stones)
    return replace(position, stones=(white, black), last=None)


CHOICE_PROMPT = "Choose a colour."


def stone_prompt(colour: int, restriction: str) -> str:
    """The prompt for a stone, with the opening's rule for it, if there is one."""
    return f"{phrase('Place a {colour} stone.', colour=COLOURS[colour])} {restriction}".rstrip()


def side_words(side: Side) -> str:
    """The label of a choice of the opening."""
    return "Two more stones" if side == MORE else f"Play {side}"


def choosing(player: str, side: Side) -> str:
    """A choice of the opening as a sentence."""
    if side == MORE:
        return phrase("The {player} player asks for two more stones.", player=player)
    return phrase("The {player} player chooses {step}.", player=player, step=side)


def placing(colour: str, step: Stone | str, taken: int | str) -> str:
    """A stone and its captures as a sentence."""
    if taken:
        return phrase("{colour} plays {step} and captures {count} stones.", colour=colour, step=step, count=taken)
    return f"{colour} plays {step}."


def stone_label(stone: Stone | str) -> str:
    """The label of a point."""
    return f"Place at {stone}"


@lru_cache(maxsize=16)
def _stone_choices(stones: tuple[Stone, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(stone, (str(stone),), stone_label(stone)) for stone in stones)


# ── the game ─────────────────────────────────────────────────────────────────────────────────────


def _start(options: Mapping[str, OptionValue]) -> PentePosition:
    setup = Setup.of(options)
    return PentePosition(setup, stage=THREE if setup.rules.opening == SWAP2 else OVER)


def _read(options: Mapping[str, OptionValue], words: list[str]) -> PentePosition:
    setup = Setup.of(options)
    capturing, swapping = bool(setup.rules.captures), setup.rules.opening == SWAP2
    least = 1 + capturing + 2 * swapping
    if not least <= len(words) <= least + swapping:
        form = (
            "rows joined by /" + ", captures as white,black" * capturing + ", ply, stage and perhaps swapped" * swapping
        )
        raise GameError("A position of {name} is written as {form}.", name=setup.name, form=form)
    rest = iter(words)
    stones = notation.read_board(setup.board, next(rest))
    taken = notation.read_taken(next(rest)) if capturing else (0, 0)
    position = PentePosition(setup, stones, taken)
    if position.stones[0].bit_count() + taken[1] - position.stones[1].bit_count() - taken[0] not in (0, 1):
        raise GameError("White must have placed as many stones as black, or one more.")
    if not swapping:
        return replace(position, ply=position.placed)
    ply, stage, swapped = (*rest, "")[:3]
    check_stage(position.placed, ply, stage, swapped)
    return replace(position, ply=int(ply), stage=stage, swapped=bool(swapped))


GAME = Game(
    name="pente",
    title="Pente",
    summary="five in a row wins; so do five captured pairs",
    options=OPTIONS,
    colours=COLOURS,
    start=_start,
    read=_read,
    presets={
        "Free opening": {"opening": "free"},
        "Keryo": {"rules": "keryo"},
        "G-Pente": {"rules": "g-pente"},
        "Swap2": {"opening": "swap2"},
        "Gomoku": {"rules": "gomoku"},
        "Small board": {"size": 13},
    },
)


# ── legal moves ───────────────────────────────────────────────────────────────────────────────────
#
# Three stones on 19 × 19 can be placed in 46 million ways, so the moves are counted and indexed without enumeration.


class PenteMoves(LegalMoves):
    """The legal points from the bottom left; in the opening swap2 every sequence of steps of the turn."""

    position: PentePosition

    def __len__(self) -> int:
        here = self.position
        return 0 if here.outcome else _count(here)

    def __iter__(self) -> Iterator[Move]:
        here = self.position
        return iter(()) if here.outcome else map(Move, _turns(here))

    def _at(self, index: int) -> Move:
        here = self.position
        steps: list[Step] = []
        while here.stage in SIDES_OFFERED or STONES_DUE.get(here.stage, 0) - here.placed > 1:
            step, index = _step_at(here, index)
            steps.append(step)
            after = here.after((step,))
            if after.ply != here.ply:
                return Move(steps)
            here = after
        return Move((*steps, here.board.stones[nth_point(here.points, index)]))


def _steps_here(here: PentePosition) -> Iterator[Step]:
    """The legal next steps."""
    if here.stage in SIDES_OFFERED:
        return iter(SIDES_OFFERED[here.stage])
    return map(here.board.stones.__getitem__, points_of(here.points))


def _turns(here: PentePosition, begun: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Every completion of a turn."""
    for step in _steps_here(here):
        after = here if here.stage == OVER else here.after((step,))
        if here.stage == OVER or after.ply != here.ply:
            yield (*begun, step)
        else:
            yield from _turns(after, (*begun, step))


def _step_at(here: PentePosition, index: int) -> tuple[Step, int]:
    """The first step of the turn with an index, and the index of the turn among those that begin with it."""
    if here.stage not in SIDES_OFFERED and _leaves_one_less(here):
        turns = perm(here.points.bit_count() - 1, STONES_DUE[here.stage] - here.placed - 1)
        return here.board.stones[nth_point(here.points, index // turns)], index % turns
    for step in _steps_here(here):
        after = here.after((step,))
        turns = _count(after) if after.ply == here.ply else 1
        if index < turns:
            return step, index
        index -= turns
    raise IndexError(index)


def _leaves_one_less(here: PentePosition) -> bool:
    """Whether each stone of this turn leaves one point fewer to the next, as it cannot capture."""
    return here.stage == THREE or not here.rules.captures


def _count(here: PentePosition) -> int:
    """The number of completions of a turn."""
    due = STONES_DUE.get(here.stage, here.placed + 1) - here.placed
    if here.stage in SIDES_OFFERED:
        more = (side for side in SIDES_OFFERED[here.stage] if side == MORE)
        taking = len(SIDES_OFFERED[here.stage]) - (here.stage == CHOOSE)
        return taking + sum(_count(here.after((side,))) for side in more)
    if due == 1:
        return here.points.bit_count()
    if _leaves_one_less(here):
        return perm(here.points.bit_count(), due)
    return sum(_count(here.after((here.board.stones[point],))) for point in points_of(here.points))


# ── threats ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Threats:
    """The threats of one seat with its next stone, by the names of the points.

    `fours` complete a line; `threes` turn a free three into an open four; `captures` maps each capturing point to the
    stones that it captures.
    """

    fours: tuple[str, ...]
    threes: tuple[str, ...]
    captures: Mapping[str, tuple[str, ...]]


def _threats(position: PentePosition, colour: int) -> Threats:
    board, empty = position.board, position.empty
    mine, theirs = position.stones[colour], position.stones[1 - colour]
    takes = {point: position.takes(point, mine, theirs) for point in points_of(empty)}
    return Threats(
        _names(board, _completing(position, mine)),
        _names(board, _opening_fours(board, mine, empty)),
        {str(board.stones[point]): _names(board, taken) for point, taken in takes.items() if taken},
    )


def _completing(position: PentePosition, mine: int) -> int:
    """The empty points on which a stone completes a line."""
    board, found = position.board, 0
    for point in points_of(board.completing(mine) & position.empty):
        if board.has_line(mine | 1 << point, overline=position.rules.overline, through=point):
            found |= 1 << point
    return found


def _opening_fours(board: Board, mine: int, empty: int) -> int:
    """The empty points on which a stone makes four in a row with both ends empty."""
    found = 0
    for along in windows_by_axis(board):
        for window in along:
            if _is_free_three(window, mine, empty):
                found |= window.points & empty
    return found


def _names(board: Board, points: int) -> tuple[str, ...]:
    return tuple(str(board.stones[point]) for point in points_of(points))
