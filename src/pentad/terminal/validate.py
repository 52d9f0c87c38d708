"""`pentad validate`: checks whether a move is legal, and explains why.

A game may have a module `validation` whose `validate(position, move)` returns a verdict with details, such as the
path of a piece; for other games the verdict comes from the rules. Every verdict has `allowed`, `readable`, `reason` and
`as_dict()`; its text is for people. The exit code is 0 if every move is legal, 1 if one is illegal, 2 if one cannot be
parsed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pentad.game import GameError, InvalidMove, Position, game, names, new, shorten, shown
from pentad.terminal import arguments, files, streams
from pentad.terminal.arguments import CommandParser

ALLOWED, REFUSED, UNREADABLE = 0, 1, 2


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "words",
        metavar="MOVE",
        nargs="+",
        help="move, with the name of its game before it if needed; - reads moves from standard input, one per line",
    )
    group = parser.add_mutually_exclusive_group()
    arguments.add_position(group)
    group.add_argument("--record", metavar="FILE", help="start from the end of this record")
    arguments.add_whole(parser, "--ply", 0, 10**6, "start after move N of the record")
    arguments.add_number(parser, "use the N-th game of the record's file")
    parser.add_argument("--follow", action="store_true", help="play each move before checking the next one")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line for each move")
    arguments.add_game_options(parser)
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    args.game = args.words.pop(0) if args.words[0] in names() else None
    if not args.words:
        raise GameError("Expected a move, or - to read moves from standard input.")
    if args.words == [files.STANDARD]:
        return _validate_lines(_position(args, None), args)
    move = " ".join(args.words)
    position = _position(args, move)
    return _print_verdict(_validator(position)(position, move), move, args.json)


def _validate_lines(position: Position, args: argparse.Namespace) -> int:
    """Print the verdict on each line of standard input; returns the highest exit code."""
    if streams.looks_binary(streams.beginning(sys.stdin.buffer)):
        raise GameError("Standard input is not text.")
    validate, worst = _validator(position), None
    for number, move in _lines():
        code = _print_verdict(validate(position, move), move, args.json, number)
        worst = max(worst or ALLOWED, code)
        if args.follow:
            if code != ALLOWED:
                break
            position = position.play(move)
    if worst is None:
        raise GameError("Expected moves on standard input, got none.")
    return worst


def _lines() -> Iterator[tuple[int, str]]:
    """The non-empty lines of standard input, each with its number."""
    number = 0
    while line := sys.stdin.readline(streams.MAX_LINE_LENGTH + 1):
        number += 1
        while not line.endswith("\n") and (more := sys.stdin.readline(streams.MAX_LINE_LENGTH)):
            line += more[-1] if more.endswith("\n") else ""  # drop the rest of an overlong line
        if line.strip():
            yield number, line.strip()


def _print_verdict(verdict: Any, move: str, as_json: bool, line: int = 0) -> int:
    """Print a verdict, with the number of its line if there are several; returns the exit code."""
    code = ALLOWED if verdict.allowed else REFUSED if verdict.readable else UNREADABLE
    if as_json:
        print(json.dumps({"given": shorten(move, 1000), **verdict.as_dict()}), flush=True)
    elif code == UNREADABLE:
        streams.print_error(f"line {line}: {verdict.reason}" if line else verdict.reason)
    else:
        print(f"{move}: {verdict}" if line else verdict, flush=True)
    return code


# ── the position ─────────────────────────────────────────────────────────────────────────────────


def _position(args: argparse.Namespace, move: str | None) -> Position:
    """The position from the arguments, else the start of the only game that can parse the move."""
    if args.record is not None:
        arguments.refuse_options(args, "--record")
        records = files.read_records(args.record, game=args.game)
        position = files.node_at(files.choose(records, args.number, args.record), args.ply).position
        if args.game not in (None, position.game):
            raise GameError("This is a record of {game}, not of {expected}.", game=position.game, expected=args.game)
        return position
    for name in ("ply", "number"):
        if getattr(args, name) is not None:
            raise GameError("--{name} can only be used with --record FILE.", name=name)
    if args.game is None and args.position is None and move is not None:
        refusals = {name: _refusal(name, move) for name in names()}
        readers = [name for name, refusal in refusals.items() if not refusal]
        if not readers:
            why = " ".join(f"{game(name).title}: {refusal}" for name, refusal in refusals.items())
            raise GameError("{move} is not a first move in any game. {why}", move=shown(move, 40), why=why)
        if len(readers) > 1:
            raise GameError(
                "{move} is a move in {games}. Name the game before the move.",
                move=shown(move, 40),
                games=" and ".join(readers),
            )
        args.game = readers[0]
    return arguments.starting_position(args)


def _refusal(name: str, move: str) -> str:
    """Why a game cannot parse a move; empty if it can."""
    try:
        new(name).parse(move)
    except GameError as error:
        return str(error)
    return ""


# ── verdicts ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """The verdict on a move by the rules of any game."""

    allowed: bool
    readable: bool
    reason: str
    move: str | None = None

    def __str__(self) -> str:
        return f"{'Allowed' if self.allowed else 'Not allowed'}: {self.reason}"

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def by_the_rules(position: Position, move: str) -> MoveVerdict:
    """The verdict of playing a move."""
    try:
        read = position.parse(move)
        position.play(read)
    except InvalidMove as error:
        return MoveVerdict(False, False, str(error))
    except GameError as error:
        return MoveVerdict(False, True, str(error), str(read))
    return MoveVerdict(True, True, position.describe(read), str(read))


def _validator(position: Position) -> Callable[[Position, str], Any]:
    """The game's own validator, if it has one."""
    kind = game(position.game)
    own: Callable[[Position, str], Any] | None = kind.module("validation").validate if kind.has("validation") else None
    return own or by_the_rules
