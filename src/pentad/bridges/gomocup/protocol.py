"""Gomocup protocol: commands, coordinates, numbers, and the commands of the board.

Coordinates are `x,y` from 0: x is the column from the left, y the row from the top. Pentad's row 1 is at the bottom, so
on 15 × 15 `0,0` is A15 and `0,14` is A1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from pentad.bridges.text_lines import MAX_LINE_LENGTH, plain
from pentad.game import GameError, OptionValue, shown
from pentad.games.pente.board import Stone
from pentad.games.pente.rules import GAME, PentePosition
from pentad.games.pente.rulesets import FREE, RULE_SETS, SWAP2, Setup
from pentad.system.words import phrase

ENDLESS_MILLISECONDS = 2**31 - 1  # managers write it for a game without a limit
OWN, OTHER, MARKED = 1, 2, 3  # the owner of a stone in BOARD; the third kind belongs to games not supported

_POINT = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*")
_STONE = re.compile(r"\s*([0-9]{1,4}\s*,\s*[0-9]{1,4})\s*,\s*([0-9])\s*")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


class ProtocolError(GameError):
    """A line that cannot be executed; the message follows `ERROR`."""


class Command(NamedTuple):
    """A line's first word, in capitals, and the rest."""

    word: str
    rest: str


def read_command(line: str) -> Command:
    """Parses a line as a command.

    >>> read_command("turn 7,8 ")
    Command(word='TURN', rest='7,8')
    """
    if len(line) > MAX_LINE_LENGTH:
        raise ProtocolError("The line is longer than {longest_line} characters.", longest_line=MAX_LINE_LENGTH)
    word, _, rest = line.strip().partition(" ")
    return Command(word.upper(), rest.strip())


# ── coordinates and numbers ──────────────────────────────────────────────────────────────────────


def read_point(text: str, size: int) -> Stone:
    """Parses a point `x,y`.

    >>> read_point("0,0", 15), read_point("7, 7", 15)
    (Stone(column=0, row=14), Stone(column=7, row=7))
    """
    found = _POINT.fullmatch(text)
    if not found:
        raise ProtocolError("Expected a point such as {size},{size}, got {text}.", size=size // 2, text=shown(text, 30))
    column, row = int(found[1]), int(found[2])
    if column >= size or row >= size:
        raise ProtocolError(
            "{column},{row} is not on the board; both numbers are from 0 to {size}.",
            column=column,
            row=row,
            size=size - 1,
        )
    return Stone(column, size - 1 - row)


def write_point(stone: Stone, size: int) -> str:
    """A stone as `x,y`.

    >>> write_point(Stone(0, 14), 15)
    '0,0'
    """
    return f"{stone.column},{size - 1 - stone.row}"


def read_stone(text: str, size: int) -> tuple[Stone, int]:
    """Parses a line of BOARD, `x,y,owner`."""
    found = _STONE.fullmatch(text)
    if not found:
        raise ProtocolError(
            "Expected a stone such as {size},{size},1 or DONE, got {text}.", size=size // 2, text=shown(text, 30)
        )
    stone, who = read_point(found[1], size), int(found[2])
    if who not in (OWN, OTHER):
        note = " Continuous games and renju are not supported." if who == MARKED else ""
        raise ProtocolError(
            "The owner in {text} must be {own} for own or {other} for the opponent, not {who}.{note}",
            text=shown(text, 30),
            own=OWN,
            other=OTHER,
            who=who,
            note=note,
        )
    return stone, who


def read_size(text: str) -> int:
    """Parses the size of START."""
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ProtocolError("The board's size must be a number such as 15, not {text}.", text=shown(text, 30))
    return int(text)


def read_rectangle(text: str) -> int:
    """Parses the size of RECTSTART; only square boards are supported."""
    found = _POINT.fullmatch(text)
    if not found:
        raise ProtocolError(
            "The board's width and height must be numbers such as 15,15, not {text}.", text=shown(text, 30)
        )
    width, height = int(found[1]), int(found[2])
    if width != height:
        raise ProtocolError("The board must be square, not {width} by {height}.", width=width, height=height)
    return width


def read_number(key: str, text: str) -> int:
    """Parses the number of an INFO line."""
    if not _NUMBER.fullmatch(text):
        raise ProtocolError("{key} must be a number, not {text}.", key=key, text=shown(text, 30))
    return int(text)


# ── commands of the board ─────────────────────────────────────────────────────────────────────────
#
# The protocol has no captures. `INFO variant NAME` names a rule set with captures; then the lines of BOARD are in the
# order of play. After `INFO taken OWN,OTHER`, the stones that each side has captured, they are in any order. Both keys
# are extensions of pentad's; other programs ignore them.

EXACTLY_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8  # the bits of `INFO rule`
UNSUPPORTED = {RENJU: "renju", CARO: "caro"}
FREESTYLE, GOMOKU = "freestyle", "gomoku"
SEPARATE_OPTIONS = ("rules", "size", "opening", "tournament_rule")  # options that `variant` writes otherwise, or not

Line = tuple[Stone, int]  # a line of BOARD: a stone and its owner


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def start(size: int, rule: int, variant: str = "", *, swap2: bool = False) -> PentePosition:
    """The empty board of a size, with the rules of the bits of `rule` or of a rule set of pentad's with its options.

    >>> start(15, 1).text.split()[1]
    'rules=gomoku'
    """
    try:
        return cast(PentePosition, GAME.start(_options(size, rule, variant, swap2)))
    except GameError as error:
        raise ProtocolError(str(error)) from None


def _options(size: int, rule: int, variant: str, swap2: bool) -> dict[str, OptionValue]:
    words = variant.split() or [GOMOKU if rule & EXACTLY_FIVE else FREESTYLE]
    if words[0] not in RULE_SETS:
        raise ProtocolError(
            "Unknown variant {word}. The variants are {rule_sets}.",
            word=shown(words[0], 30),
            rule_sets=", ".join(RULE_SETS),
        )
    options = {
        name: value
        for name, value in GAME.read_options([f"rules={words[0]}", *words[1:]]).items()
        if name != "size" and not (swap2 and name == "tournament_rule")
    }
    options = dict(GAME.check_options({**options, "size": size}))
    if swap2 or options.get("opening") == SWAP2:  # only SWAP2BOARD begins the opening swap2
        return {**options, "opening": SWAP2 if swap2 else FREE}
    if "opening" not in options and "tournament_rule" not in options:
        try:
            Setup.of(options)
        except GameError:  # the rule set's own opening needs a centre, or a larger board
            return {**options, "opening": FREE}
    return options


def unsupported(rule: int) -> str:
    """The error for the bits of rules that are not supported; empty if all are."""
    names = " and ".join(f"{bit} ({name})" for bit, name in UNSUPPORTED.items() if rule & bit)
    return phrase("Rule {names} is not supported.", names=names) if names else ""


def rule_of(position: PentePosition) -> int:
    """The bits of `INFO rule` that are closest to a position's rules."""
    return 0 if position.rules.overline else EXACTLY_FIVE


def variant_of(position: PentePosition) -> str:
    """The value of `INFO variant` for a position's rules; empty if the bits of `rule` are sufficient.

    >>> import pentad
    >>> variant_of(pentad.new("pente", rules="keryo", size=13, tournament_rule=False)), variant_of(start(15, 1))
    ('keryo opening=centre', '')
    """
    name, options = position.setup.name, position.options
    defaults = Setup.of({"rules": name}).options
    opening = FREE if options["opening"] == SWAP2 else options["opening"]
    changed = [f"opening={opening}"] if opening != defaults["opening"] else []
    changed += [
        f"{key}={GAME.options[key].write(value)}"
        for key, value in options.items()
        if key not in SEPARATE_OPTIONS and value != defaults[key]
    ]
    return " ".join([name, *changed]) if changed or name not in (FREESTYLE, GOMOKU) else ""


# ── stones ───────────────────────────────────────────────────────────────────────────────────────


def place(position: PentePosition, stone: Stone) -> PentePosition:
    """The position after one more stone; an error names the point in the protocol's coordinates."""
    try:
        return position.play((stone,))
    except GameError as error:
        point = write_point(stone, position.board.size)
        raise ProtocolError(
            "Cannot place a stone on {point}: {reason}", point=point, reason=plain(str(error))
        ) from None


def from_moves(empty: PentePosition, lines: Sequence[Line]) -> list[PentePosition]:
    """The positions of a game with stones in the order of play, the empty board first; own is to move."""
    path = [empty]
    for i, (stone, who) in enumerate(lines):
        if i and who == lines[i - 1][1]:
            raise ProtocolError(
                "Stones {number} and {next_number} are of the same side, but they must be in the order of play.",
                number=i,
                next_number=i + 1,
            )
        path.append(place(path[-1], stone))
    if lines and lines[-1][1] == OWN:
        raise ProtocolError("The last stone is own, so the opponent is to move.")
    return path


def from_stones(empty: PentePosition, lines: Sequence[Line], taken: tuple[int, int] = (0, 0)) -> PentePosition:
    """The position with these stones in any order; own is to move. `taken` holds the captures by own and by other."""
    board, own, other = empty.board, 0, 0
    for stone, who in lines:
        bit = board.bit(*stone)
        if (own | other) & bit:
            raise ProtocolError("Two stones are on {point}.", point=write_point(stone, board.size))
        own, other = (own | bit, other) if who == OWN else (own, other | bit)
    count = {OWN: own.bit_count() + taken[1], OTHER: other.bit_count() + taken[0]}
    if count[OTHER] - count[OWN] not in (0, 1):
        raise ProtocolError(
            "The opponent must have as many stones as own or one more, not {others} to {own}.",
            others=count[OTHER],
            own=count[OWN],
        )
    first = count[OTHER] == count[OWN]  # whether own has placed the first stone
    return replace(
        empty,
        stones=(own, other) if first else (other, own),
        taken=taken if first else taken[::-1],
        ply=sum(count.values()),
    )


def read_taken(text: str, most: int) -> tuple[int, int]:
    """Parses the numbers of stones that own and the other have captured: `4,2`."""
    found = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", text)
    if not found or max(map(int, found.groups())) > most:
        raise ProtocolError(
            "taken must be the stones that own and the other have captured, such as 4,2, not {text}.",
            text=shown(text, 30),
        )
    return int(found[1]), int(found[2])


def take_back(path: Sequence[PentePosition], stone: Stone) -> list[PentePosition]:
    """The positions without the last stone; in games without captures, without any stone of the side that moved."""
    here, point = path[-1], path[-1].board.bit(*stone)
    name, mover = write_point(stone, path[-1].board.size), 1 - path[-1].colour
    if len(path) > 1 and here.last is not None and point == 1 << here.last:
        return list(path[:-1])
    if not here.stones[mover] & point:
        raise ProtocolError("Cannot take back {name}: it has no stone of the side that moved last.", name=name)
    if here.rules.captures:
        raise ProtocolError("Cannot take back {name}: it is not the last stone.", name=name)
    stones = [here.stones[0], here.stones[1]]
    stones[mover] ^= point
    return [replace(here, stones=(stones[0], stones[1]), ply=here.ply - 1, last=None)]
