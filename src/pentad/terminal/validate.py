"""`pentad validate`: whether a move is allowed, and why.

A game may have a part `validation` whose `validate(position, move)` gives a verdict that can tell more, such as the
way of a piece; for other games the rules' own answer is told. The exit code is 0 if every move is allowed, 1 if one
is not, 2 if one cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any, Protocol, cast

from pentad.game import PACKAGES, GameError, InvalidMove, Position, games, new, shorten, shown
from pentad.terminal import files, streams
from pentad.terminal.arguments import (
    Parser,
    add_game_options,
    add_number,
    add_position,
    refuse_options,
    starting_position,
    whole,
)
from pentad.terminal.plain_text import LONGEST_LINE
from pentad.terminal.show import node_at

ALLOWED, REFUSED, UNREADABLE = 0, 1, 2


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "words",
        metavar="MOVE",
        nargs="+",
        help="a move, after its game's name where nothing else tells that; - reads moves, one a line",
    )
    group = parser.add_mutually_exclusive_group()
    add_position(group)
    group.add_argument("--record", metavar="FILE", help="where this record ends")
    parser.add_argument("--ply", metavar="N", type=whole(0, 10**6), help="after move N of the record, not at its end")
    add_number(parser, "the N-th game of the record's file")
    parser.add_argument("--follow", action="store_true", help="play each move before the next is judged")
    parser.add_argument("--json", action="store_true", help="tell each verdict as a JSON object on a line")
    add_game_options(parser)
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    args.game = args.words.pop(0) if args.words[0] in games() else None
    if not args.words:
        raise GameError("a move is missing; - reads moves from standard input")
    if args.words == [files.STANDARD]:
        return _judge_lines(_position(args, None), args)
    move = " ".join(args.words)
    position = _position(args, move)
    return _tell(_validator(position)(position, move), move, args.json)


def _judge_lines(position: Position, args: argparse.Namespace) -> int:
    """Tell the verdict on each line of standard input; the worst that was found."""
    if streams.looks_binary(streams.beginning(sys.stdin.buffer)):
        raise GameError("standard input is not text")
    validate, worst = _validator(position), None
    for number, move in _lines():
        code = _tell(validate(position, move), move, args.json, number)
        worst = max(worst or ALLOWED, code)
        if args.follow:
            if code != ALLOWED:
                break
            position = position.play(move)
    if worst is None:
        raise GameError("no move is on standard input")
    return worst


def _lines() -> Iterator[tuple[int, str]]:
    """The lines of standard input that say something, each with its number."""
    number = 0
    while line := sys.stdin.readline(LONGEST_LINE + 1):
        number += 1
        while not line.endswith("\n") and (more := sys.stdin.readline(LONGEST_LINE)):
            line += more[-1] if more.endswith("\n") else ""  # what is too long to be a move is not kept
        if line.strip():
            yield number, line.strip()


def _tell(verdict: Verdict, move: str, as_json: bool, line: int = 0) -> int:
    """Tell a verdict; the exit code that it asks for. Without a line there is only one."""
    code = ALLOWED if verdict.allowed else REFUSED if verdict.readable else UNREADABLE
    if as_json:
        print(json.dumps({"given": shorten(move, 1000), **verdict.as_dict()}), flush=True)
    elif code == UNREADABLE:
        streams.print_error(f"line {line}: {verdict.reason}" if line else verdict.reason)
    else:
        print(f"{move}: {verdict}" if line else verdict, flush=True)
    return code


# ── where the moves are judged ───────────────────────────────────────────────────────────────────


def _position(args: argparse.Namespace, move: str | None) -> Position:
    """The position that the arguments tell; else the beginning of the one game that can read the move."""
    if args.record is None and not (args.ply is None and args.number is None):
        raise GameError(f"{'--number' if args.ply is None else '--ply'} goes with --record FILE")
    if args.record is not None:
        refuse_options(args, "--record")
        records = files.read_records(args.record, game=args.game)
        position = node_at(files.choose(records, args.number, args.record), args.ply).position
        if args.game not in (None, position.game):
            raise GameError(f"that is a record of {position.game}, not of {args.game}")
        return position
    if args.game is None and args.position is None and move is not None:
        readers = [name for name in games() if _reads(name, move)]
        if len(readers) != 1:
            who = f"{' and '.join(readers)} read" if readers else "no game reads"
            raise GameError(f"{who} {shown(move, 40)} at its beginning, so say which game: {', '.join(games())}")
        args.game = readers[0]
    return starting_position(args)


def _reads(game: str, move: str) -> bool:
    try:
        new(game).parse(move)
    except GameError:
        return False
    return True


# ── verdicts ─────────────────────────────────────────────────────────────────────────────────────


class Verdict(Protocol):
    """What a game's `validate` gives; its text is what a person reads."""

    @property
    def allowed(self) -> bool: ...
    @property
    def readable(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    def as_dict(self) -> dict[str, Any]: ...


Validate = Callable[[Position, str], Verdict]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules of any game say of a move."""

    allowed: bool
    readable: bool
    reason: str
    move: str | None = None

    def __str__(self) -> str:
        return f"{'allowed' if self.allowed else 'not allowed'}: {self.reason}"

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def by_the_rules(position: Position, move: str) -> Answer:
    """The verdict of playing a move."""
    try:
        read = position.parse(move)
        position.play(read)
    except InvalidMove as error:
        return Answer(False, False, str(error))
    except GameError as error:
        return Answer(False, True, str(error), str(read))
    return Answer(True, True, position.describe(read), str(read))


def _validator(position: Position) -> Validate:
    """The game's own, if it has one."""
    package = PACKAGES[position.game]
    if find_spec(f"{package}.validation") is None:
        return by_the_rules
    from pentad.game import game

    return cast(Validate, game(position.game).module("validation").validate)
