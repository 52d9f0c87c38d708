"""Looks of Pente: its drawing and its words as expressions, and the numbers of a position and of a step.

The numbers of a position, one after the other:

- each point: 0 if it is empty, 1 white, 2 black; in a winning line 3 more, played last 6 more
- the status, as `look_constants` describes it
- the stones that white has captured, and those that black has captured
- the stage of the opening, 0 after it
- the stones of each colour: how many, and their points, with room for all points

Those of a step: its action, the colour of its stone, how many stones it captures, and the seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from pentad import drawing
from pentad.drawing.looks import (
    At,
    Coordinate,
    Each,
    Expression,
    MadeTable,
    Number,
    Pick,
    Place,
    Sheet,
    composed,
    sheet_of,
)
from pentad.game import GAME_OVER, Move, Outcome, Step
from pentad.games.parts import Told, Words
from pentad.games.pente import encoding, notation
from pentad.games.pente import look_constants as k
from pentad.games.pente.board import LETTERS, Board, Side, Stone, points_of
from pentad.games.pente.notation import COLOURS
from pentad.games.pente.rules import (
    ACTING,
    BY_CAPTURES,
    CHOICE_PROMPT,
    OVER,
    PLAYERS,
    SIDES_OFFERED,
    STAGES,
    PentePosition,
    choosing,
    line_reason,
    opening_points,
    opening_text,
    placing,
    side_words,
    stone_label,
    stone_prompt,
)
from pentad.games.pente.rulesets import SWAP2, RuleSet, Setup
from pentad.system.words import phrase, uncapitalized

STEPS = 1  # of a turn, at most: a stone

# ── highlights ────────────────────────────────────────────────────────────────────────────────────


class Highlights:
    """Highlights of a position: the last stones, the winning lines."""

    def __init__(self, position: PentePosition, last: Move | str | None) -> None:
        board = position.board
        steps = notation.read_steps(board, last) if isinstance(last, str) else last or ()
        self.placed = sum({board.bit(*step) for step in steps if isinstance(step, Stone)})
        self.won = 0
        for seat in position.outcome.winners if position.outcome else ():
            stones = position.stones[COLOURS.index(position.colour_of(seat))]
            for points, beyond in board.lines:
                if stones & points == points and (position.rules.overline or not stones & beyond):
                    self.won |= points


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────


class _Numbering:
    """The first index of each kind of numbers."""

    def __init__(self, size: int) -> None:
        self.points = size * size
        self.status = self.points
        self.taken = (self.status + 1, self.status + 2)
        self.stage = self.status + 3
        first = self.status + k.OTHERS
        self.stones = (first, first + 1 + self.points)


def numbers(here: PentePosition, last: Move | str | None) -> list[int]:
    """What the drawing shows of a position after a move, or after the beginning of one."""
    size, highlights = here.board.size**2, Highlights(here, last)
    points = [0] * size
    held: list[int] = []
    for colour, stones in enumerate(here.stones, 1):
        mine = [*points_of(stones)]
        for point in mine:
            points[point] = colour
        held += [len(mine), *mine, *[0] * (size - len(mine))]
    for marked, more in ((highlights.won, k.WON), (highlights.placed, k.LAST)):
        for point in points_of(marked):
            points[point] += more
    return [*points, status_number(here), *here.taken, STAGES.index(here.stage), *held]


def status_number(here: PentePosition) -> int:
    """The number of the status of a position."""
    outcome = here.outcome
    if outcome is None:
        stage = STAGES.index(here.stage)
        return k.STAGED + 2 * stage + here.colour if stage else min(here.placed, k.OPENED - here.placed % 2)
    if not outcome.winners:
        return k.NO_LINE + [*DRAWS].index(outcome.reason)
    winner = COLOURS.index(here.colour_of(outcome.winners[0]))
    return (k.CAPTURED if outcome.reason == BY_CAPTURES else k.LINED) + winner


def offer(here: PentePosition, step: Step) -> list[int]:
    """The numbers of a legal step."""
    colour, action = here.colour, encoding.number(here, step)
    mine, theirs = here.stones[colour], here.stones[1 - colour]
    taken = here.takes(action, mine, theirs).bit_count() if isinstance(step, Stone) else 0
    return [action, colour, taken, here.turn]


# ── the drawing ──────────────────────────────────────────────────────────────────────────────────

OPENING = 3  # stones to which the rules of openings apply
POINT_DISTANCE = 40
STONE_RADIUS = POINT_DISTANCE * 0.46
EDGE_DISTANCE = POINT_DISTANCE * 0.56  # the outermost points are so far from the frame
OUTER_MARGIN = 2
MOST_OFFERED = max(map(len, SIDES_OFFERED.values()))
MOST_CAPTURED = 24  # stones: three in each of eight directions
BOARD_THICKNESS = 4  # the board is seen from the front


class _Layout:
    """The places of a board's parts. Letters and numbers are in the margin of its frame, large enough for its size."""

    def __init__(self, size: int, flip: bool) -> None:
        self.size, self.flip = size, flip
        self.letter = min(max(6.5 + size * 0.4, 9), 15)  # the size of letters
        self.margin = self.letter + 7
        self.edge = OUTER_MARGIN + self.margin + EDGE_DISTANCE  # the outermost points are so far from the sheet's edge
        self.span = (size - 1) * POINT_DISTANCE
        self.width = self.span + 2 * self.edge
        self.last_point = self.edge + self.span

    def at(self, column: int, row: int) -> tuple[float, float]:
        """The coordinates of a point, seen by White or (flipped) by Black."""
        x, y = (self.size - 1 - column, row) if self.flip else (column, self.size - 1 - row)
        return self.edge + x * POINT_DISTANCE, self.edge + y * POINT_DISTANCE

    def tray(self, rules: RuleSet) -> float:
        """The height of the frame's lower part, which has the captures, or the choices of an opening."""
        if rules.opening == SWAP2:
            return max(44.0, self.width * 0.075)
        return max(26.0, self.width * 0.042) if rules.captures else 0.0

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The part of the sheet that has the grid."""
        start = self.edge - EDGE_DISTANCE
        side = self.span + 2 * EDGE_DISTANCE
        return start, start, side, side


def star_points(size: int) -> tuple[tuple[int, int], ...]:
    """The star points: the centre, and on larger boards eight around it."""
    middle = size // 2
    if size % 2 == 0:
        return ()
    near = 3 if size >= 13 else 2
    around = (near, middle, size - 1 - near) if size >= 9 else (middle,)
    return tuple((column, row) for column in around for row in around)


def sheet(here: PentePosition, flip: bool, labels: bool = True) -> Sheet:
    """The drawing of the positions with these options."""
    return _sheet(here.setup, flip, labels)


@lru_cache(maxsize=16)
def _sheet(setup: Setup, flip: bool, labels: bool) -> Sheet:
    layout, numbering, rules = _Layout(setup.board.size, flip), _Numbering(setup.board.size), setup.rules
    tray = layout.tray(rules)
    white, black = (drawing.piece_in_hand(drawing.marble(colour, 0, 0, STONE_RADIUS)) for colour in COLOURS)
    in_hand = tuple(
        drawing.NOTHING if stage in SIDES_OFFERED or stage is None else black if colour else white
        for stage, colour in map(_to_move, range(k.STATUSES))
    )
    return sheet_of(
        layout.width,
        layout.width + tray + BOARD_THICKNESS,
        *(_frame(layout, tray) if labels else ()),
        *_grid(layout),
        *(_coordinates(layout) if labels else ()),
        *_points(setup, layout),
        *(_foot(rules, layout, numbering, tray) if tray and labels else ()),
        title=(f"{rules.title}: ", Pick(numbering.status, statuses(setup.board.line))),
        description=tuple(each for line in listing(setup) for each in (line, " "))[:-1],
        colours=COLOURS,
        in_hand=Pick(numbering.status, in_hand),
        labels=labels,
        view=layout.view,
    )


def _frame(layout: _Layout, tray: float) -> tuple[str, ...]:
    """The frame around the grid."""
    side = layout.width - 2 * OUTER_MARGIN
    place = {"x": OUTER_MARGIN, "width": side, "height": side + tray, "rx": 9}
    inner = {
        "x": OUTER_MARGIN + 1.2,
        "y": OUTER_MARGIN + 1.2,
        "width": side - 2.4,
        "height": side + tray - 2.4,
        "rx": 8,
    }
    return (
        drawing.tag("rect", **place, y=OUTER_MARGIN + BOARD_THICKNESS, class_="side"),
        drawing.tag("rect", **place, y=OUTER_MARGIN, class_="frame"),
        drawing.tag("rect", **place, y=OUTER_MARGIN, class_="grain", fill="url(#grain)"),
        drawing.tag("rect", **inner, class_="bevel"),
    )


def _grid(layout: _Layout) -> tuple[str, ...]:
    """The field in the frame, with its lines and star points."""
    place = dict(zip(("x", "y", "width", "height"), layout.view, strict=True))
    parts = [
        drawing.tag("rect", **place, class_="tile"),
        drawing.tag("rect", **place, class_="grain", fill="url(#grain)"),
    ]
    first, end = f"{layout.edge:g}", f"{layout.last_point:g}"
    for i in range(layout.size):
        at = f"{layout.edge + i * POINT_DISTANCE:g}"
        parts.append(drawing.tag("path", d=f"M{first} {at}H{end}M{at} {first}V{end}", class_="grid"))
    for star in star_points(layout.size):
        x, y = layout.at(*star)
        parts.append(drawing.tag("circle", cx=x, cy=y, r=4.0, class_="star"))
    return tuple(parts)


def _coordinates(layout: _Layout) -> tuple[str, ...]:
    """Letters and numbers in the frame's margin."""
    middle, letter = OUTER_MARGIN + layout.margin / 2, layout.letter
    places = [(i, layout.at(i, i)) for i in range(layout.size)]
    below = layout.width - middle
    return (
        *(drawing.label(LETTERS[i], x, below, "inlaid", size=letter) for i, (x, _) in places),
        *(drawing.label(str(i + 1), middle, y, "inlaid", size=letter) for i, (_, y) in places),
    )


def _points(setup: Setup, layout: _Layout) -> Iterator[Expression]:
    """Every point."""
    looks = tuple(
        _point(holder, won, last) for last in (False, True) for won in (False, True) for holder in ("", *COLOURS)
    )
    places: list[Place] = [
        {"x": x, "y": y, "name": str(stone)} for stone in setup.board.stones for x, y in (layout.at(*stone),)
    ]
    for number in range(len(places)):
        yield At(places, Pick(number, looks), which=number)


def _point(holder: str, won: bool, last: bool) -> str:
    x, y = Coordinate("x"), Coordinate("y")
    parts = [
        drawing.tag(
            "rect",
            x=x - POINT_DISTANCE / 2,
            y=y - POINT_DISTANCE / 2,
            width=POINT_DISTANCE,
            height=POINT_DISTANCE,
            class_="touch",
        )
    ]
    if holder:
        parts.append(drawing.marble(holder, x, y, STONE_RADIUS))
    if won:
        parts.append(drawing.ring("won", x, y, STONE_RADIUS - 0.5))
    if last:
        parts.append(drawing.ring("last", x, y, 2.5 if won else STONE_RADIUS))
    return drawing.target("{name}", f"{{name}}, {holder or 'empty'}", *parts, class_="space")


def _foot(rules: RuleSet, layout: _Layout, numbering: _Numbering, tray: float) -> Iterator[Expression]:
    """The captures or the choices of an opening, in the frame; the number of elements is always the same."""
    offered = [SIDES_OFFERED.get(stage, ()) for stage in STAGES]
    most_taken = rules.capture_win + 8 * rules.captures
    for colour, index in enumerate(numbering.taken):
        taken = Pick(index, MadeTable(most_taken, partial(_captured, layout, tray, colour), kept=0))
        counts: Expression = taken if rules.captures else drawing.NOTHING
        yield Pick(numbering.stage, tuple(drawing.NOTHING if sides else counts for sides in offered))
    for i in range(MOST_OFFERED):
        yield Pick(
            numbering.stage,
            tuple(_side(layout, tray, each[i], i, len(each)) if i < len(each) else drawing.NOTHING for each in offered),
        )


def _captured(layout: _Layout, tray: float, colour: int, taken: int) -> Expression:
    """The tray of the stones that a colour has captured, White's on the left, Black's on the right."""
    start = layout.edge - EDGE_DISTANCE
    wide = (layout.width - 2 * start) / 2 - 4
    high = min(tray - 6, 34.0)
    x, y = start + colour * (wide + 8), layout.width - OUTER_MARGIN + (tray - 6 - high) / 2
    letter = min(layout.letter + 1, high * 0.6)
    box = drawing.tag("rect", x=x, y=y, width=wide, height=high, rx=high / 2, class_="tray")
    caption = drawing.text_element(
        "text", f"{COLOURS[colour].capitalize()} captured {taken}", x=x + high * 0.45, y=y + high / 2, class_="caption",
        font_size=letter,
    )  # fmt: skip
    radius = high * 0.34
    first = x + high * 0.45 + letter * 10.5
    step = min(2 * radius + 1, (x + wide - high * 0.5 - first) / max(taken - 1, 1))
    stone = drawing.marble(COLOURS[1 - colour], Coordinate("x"), y + high / 2, radius)
    stones = At([{"x": first + i * step} for i in range(taken)], stone, which=None)
    return drawing.tag("g", box, caption, class_="captured").removesuffix("</g>"), stones, "</g>"


def _side(layout: _Layout, tray: float, side: Side, i: int, offered: int) -> str:
    """One of the choices of the opening."""
    gap, high = 10, tray - 8
    wide = min(high * 3.2, (layout.width - 2 * layout.margin - 2 * gap) / MOST_OFFERED)
    x = layout.width / 2 - ((wide + gap) * offered - gap) / 2 + i * (wide + gap)
    y = layout.width - OUTER_MARGIN
    box = drawing.tag("rect", x=x, y=y, width=wide, height=high, rx=high / 4, class_="choice")
    name = drawing.label(side_label(side), x + wide / 2, y + high / 2, "number", size=min(high * 0.4, 20))
    return drawing.target(str(side), f"choose: {side_label(side)}", box, name, class_="side")


def side_label(side: Side) -> str:
    """The label of a choice on the board."""
    return "2 more" if side == notation.MORE else f"{side}"


# ── words ────────────────────────────────────────────────────────────────────────────────────────

DRAWS = {"no line left": "no line can be completed", "full board": "the board is full"}


def _to_move(status: int) -> tuple[str | None, int]:
    """The stage of the opening and the colour of the next stone, by the number of a status; no stage after the end."""
    if status <= k.OPENED:
        return OVER, status % 2
    stage, colour = divmod(status - k.STAGED, 2)
    return STAGES[stage] if status < k.NO_LINE else None, colour


@lru_cache(maxsize=32)
def statuses(line: int) -> tuple[str, ...]:
    """The status by its number: the player to act, or the result."""
    winners = [colour.capitalize() for colour in COLOURS]
    return (
        *(_turn(stage, COLOURS[colour]) for stage, colour in map(_to_move, range(k.NO_LINE)) if stage),
        *(phrase("Draw: {how}.", how=how) for how in DRAWS.values()),
        *(
            phrase("{winner} wins {how}.", winner=winner, how=ending(reason, is_draw=False))
            for reason in (line_reason(line), BY_CAPTURES)
            for winner in winners
        ),
    )


def ending(reason: str, is_draw: bool) -> str:
    """How a game ended, in words that follow its result."""
    if is_draw:
        return DRAWS[reason]
    return (
        "by captures" if reason == BY_CAPTURES else phrase("with {line} in a row", line=reason.removeprefix("line of "))
    )


def _turn(stage: str, colour: str) -> str:
    if stage == OVER:
        return phrase("{colour} to place a stone.", colour=colour.capitalize())
    who = PLAYERS[ACTING[stage]]
    if stage in SIDES_OFFERED:
        return phrase("The {who} player to choose a colour.", who=who)
    return phrase("The {who} player to place a {colour} stone.", who=who, colour=colour)


@lru_cache(maxsize=32)
def listing(setup: Setup) -> tuple[Expression, ...]:
    """The stones and captures of each colour."""
    numbering, names = _Numbering(setup.board.size), tuple(map(str, setup.board.stones))
    lines = []
    for colour, stones, taken in zip(COLOURS, numbering.stones, numbering.taken, strict=True):
        held = Each(stones, numbering.points, names, between=", ", none="no stones")
        captures: Expression = ("; captured ", Number(taken)) if setup.rules.captures else ""
        lines.append((f"{colour.capitalize()}: ", held, captures, "."))
    return tuple(lines)


def words(here: PentePosition) -> Words:
    """What a page says of positions and steps with these options; the seats' colours are not exchanged."""
    rules, board = here.rules, here.board
    status, reason = _Numbering(board.size).status, line_reason(board.line)
    sides = notation.SIDES if rules.opening == SWAP2 else ()
    name = Pick(0, tuple(map(str, (*board.stones, *sides))))

    def of_step(stone: Expression, choices: Iterable[Expression]) -> Expression:
        return Pick(0, (*[stone] * len(board.stones), *choices)) if sides else stone

    stone = {"colour": Pick(1, tuple(colour.capitalize() for colour in COLOURS)), "step": name}
    plain = composed(placing("{colour}", "{step}", ""), **stone)
    capturing = composed(placing("{colour}", "{step}", "{taken}"), **stone, taken=Number(2))
    chosen = (Pick(3, tuple(choosing(player, side) for player in PLAYERS)) for side in sides)
    described = of_step(Pick(2, (plain, *[capturing] * MOST_CAPTURED)), chosen)
    label, later = (
        of_step(composed(text(stone_label("{step}")), step=name), [text(side_words(side)) for side in sides])
        for text in (str, uncapitalized)
    )
    return Words(
        status=Pick(status, statuses(board.line)),
        prompt=Pick(status, tuple(_prompt(rules, board, number) for number in range(k.STATUSES))),
        outcome=status,
        outcomes=(
            *[None] * k.NO_LINE,
            *(Outcome.of((), 2, draw) for draw in DRAWS),
            *(Outcome.of((seat,), 2, why) for why in (reason, BY_CAPTURES) for seat in range(2)),
        ),
        step=name,
        label=label,
        ways=name,
        text=Told(name, (" ", name)),
        described=Told(described, (" ", described)),
        instruction=Told(label, (", then ", later)),
        restriction=Pick(status, tuple(_restriction(rules, board, number) for number in range(k.STATUSES))),
    )


def _prompt(rules: RuleSet, board: Board, status: int) -> str:
    stage, colour = _to_move(status)
    if stage is None:
        return GAME_OVER
    if stage in SIDES_OFFERED:
        return CHOICE_PROMPT
    return stone_prompt(colour, _restriction(rules, board, status))


def _restriction(rules: RuleSet, board: Board, status: int) -> str:
    """The opening's rule for the next stone, by the number of a status."""
    is_restricted = status < OPENING and opening_points(rules, board, status) != board.all_points
    return opening_text(rules, board, status) if is_restricted else ""
