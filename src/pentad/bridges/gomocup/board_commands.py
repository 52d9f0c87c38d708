"""Boards as the protocol tells them: which game INFO asks for, stones in order or as they stand, and one taken back.

The protocol knows no captures. Where the rule set has them, `INFO variant NAME` names it, and the lines of BOARD are
in the order of play; `INFO taken OWN,OTHER` before a BOARD says that its stones stand as they are, and how many stones
each side has taken. Both are ours; a program that does not know them passes over them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from pentad.bridges.gomocup.protocol import OTHER, OWN, ProtocolError, plain, write_point
from pentad.game import GameError, OptionValue, shown
from pentad.pente.board import Stone
from pentad.pente.configuration import Setup
from pentad.pente.opening import OVER
from pentad.pente.rules import GAME, PentePosition
from pentad.pente.rulesets import FREE, RULE_SETS, SWAP2

EXACTLY_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8  # the bits of `INFO rule`
NOT_PLAYED = {RENJU: "renju", CARO: "caro"}
FREESTYLE, GOMOKU = "freestyle", "gomoku"
TOLD_APART = ("rules", "size", "opening", "tournament_rule")  # options that `variant` does not write as they are

Line = tuple[Stone, int]  # of BOARD: a stone and whose it is


# ── which game ───────────────────────────────────────────────────────────────────────────────────


def start(size: int, rule: int, variant: str = "", *, swap2: bool = False) -> PentePosition:
    """The empty board of a size, by the bits of `rule` or by a rule set of ours with its options.

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
        raise ProtocolError(f"there is no variant {shown(words[0], 30)}; there are {', '.join(RULE_SETS)}")
    options = {
        name: value
        for name, value in GAME.read_options([f"rules={words[0]}", *words[1:]]).items()
        if name != "size" and not (swap2 and name == "tournament_rule")
    }
    options = dict(GAME.check_options({**options, "size": size}))
    if swap2 or options.get("opening") == SWAP2:  # where the colours are chosen is told by SWAP2BOARD
        return {**options, "opening": SWAP2 if swap2 else FREE}
    if "opening" not in options and "tournament_rule" not in options:
        try:
            Setup.of(options)
        except GameError:  # the rule set's own opening wants a centre, or more room
            return {**options, "opening": FREE}
    return options


def why_not(rule: int) -> str:
    """Why a game by these bits cannot be played here; empty if it can."""
    return " and ".join(f"rule {bit}, {name}, is not played here" for bit, name in NOT_PLAYED.items() if rule & bit)


def rule_of(position: PentePosition) -> int:
    """The bits of `INFO rule` that come nearest to a position's rules."""
    return 0 if position.rules.overline else EXACTLY_FIVE


def variant_of(position: PentePosition) -> str:
    """What `INFO variant` tells of a position's rules; empty where the bits of `rule` tell it all.

    >>> import pentad
    >>> variant_of(pentad.new("pente", rules="keryo", size=13, tournament_rule=False)), variant_of(start(15, 1))
    ('keryo opening=centre', '')
    """
    name, options = position.setup.name, position.options
    usual = Setup.of({"rules": name}).options
    opening = FREE if options["opening"] == SWAP2 else options["opening"]
    told = [f"opening={opening}"] if opening != usual["opening"] else []
    told += [
        f"{key}={GAME.options[key].write(value)}"
        for key, value in options.items()
        if key not in TOLD_APART and value != usual[key]
    ]
    return " ".join([name, *told]) if told or name not in (FREESTYLE, GOMOKU) else ""


# ── stones ───────────────────────────────────────────────────────────────────────────────────────


def placed(position: PentePosition, stone: Stone) -> PentePosition:
    """The position after one more stone; where none may go there the reason speaks in coordinates."""
    try:
        return position.play((stone,))
    except GameError as error:
        point = write_point(stone, position.board.size)
        raise ProtocolError(f"no stone can be placed on {point}: {plain(str(error))}") from None


def in_order(empty: PentePosition, lines: Sequence[Line]) -> list[PentePosition]:
    """The positions of a game whose stones were placed in this order, the empty board first; own is to move."""
    path = [empty]
    for i, (stone, who) in enumerate(lines):
        if i and who == lines[i - 1][1]:
            raise ProtocolError(f"the stones are in the order of play, but {i} and {i + 1} are of the same side")
        path.append(placed(path[-1], stone))
    if lines and lines[-1][1] == OWN:
        raise ProtocolError("the last stone is own, so it is not our turn")
    return path


def as_they_stand(empty: PentePosition, lines: Sequence[Line], taken: tuple[int, int] = (0, 0)) -> PentePosition:
    """The position with these stones, in whatever order they came; own is to move. `taken` is by own, by the other."""
    board, own, other = empty.board, 0, 0
    for stone, who in lines:
        bit = board.bit(*stone)
        if (own | other) & bit:
            raise ProtocolError(f"two stones stand on {write_point(stone, board.size)}")
        own, other = (own | bit, other) if who == OWN else (own, other | bit)
    count = {OWN: own.bit_count() + taken[1], OTHER: other.bit_count() + taken[0]}
    if count[OTHER] - count[OWN] not in (0, 1):
        raise ProtocolError(
            f"own is to move, so the opponent has as many stones as own or one more, not {count[OTHER]} to {count[OWN]}"
        )
    first = count[OTHER] == count[OWN]  # whether own has placed the first stone
    return replace(
        empty,
        stones=(own, other) if first else (other, own),
        taken=taken if first else taken[::-1],
        ply=sum(count.values()),
    )


def read_taken(text: str, most: int) -> tuple[int, int]:
    """How many stones own and the other have taken: `4,2`."""
    found = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", text)
    if not found or max(map(int, found.groups())) > most:
        raise ProtocolError(
            f"taken is how many stones own and the other have taken, such as 4,2, not {shown(text, 30)}"
        )
    return int(found[1]), int(found[2])


def taken_back(path: Sequence[PentePosition], stone: Stone) -> list[PentePosition]:
    """The positions without the last stone; where nothing is captured it may be any stone of the side that moved."""
    here, point = path[-1], path[-1].board.bit(*stone)
    name, mover = write_point(stone, path[-1].board.size), 1 - path[-1].colour
    if len(path) > 1 and here.last is not None and point == 1 << here.last:
        return list(path[:-1])
    if not here.stones[mover] & point:
        raise ProtocolError(f"{name} cannot be taken back: no stone of the side that moved last stands there")
    if here.rules.captures:
        raise ProtocolError(f"{name} cannot be taken back: it is not the last stone")
    stones = [here.stones[0], here.stones[1]]
    stones[mover] ^= point
    return [replace(here, stones=(stones[0], stones[1]), ply=here.ply - 1, last=None, touched=None)]


def without_swap(position: PentePosition, empty: PentePosition) -> PentePosition:
    """A position of the opening swap2 as one in which nobody chooses any more."""
    return replace(position, setup=empty.setup, stage=OVER, swapped=False, ply=position.placed, last=None, touched=None)
