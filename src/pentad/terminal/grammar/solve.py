"""`pentad grammar solve`: the value of a grammar's game for the player to move, and a line of best play."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.grammar.exploration import Exploration
from pentad.grammar.solving import METHODS, PARANOID, STUCK, StateValues, Tally, game_of, solve
from pentad.system.progress import Bar
from pentad.system.words import count, phrase
from pentad.terminal.arguments import CommandParser
from pentad.terminal.grammar import arguments, explore, partitioned

if TYPE_CHECKING:
    from pentad.grammar.farm.solving import Solved

ENDS = {1: "wins", 0: "draws", -1: "loses"}


def add_arguments(parser: CommandParser) -> None:
    arguments.add_grammar(parser)
    add_game(parser)
    explore.add_exploring(parser)
    partitioned.add_arguments(
        parser, "For two players; every move must lead one level deeper (stones are added, never moved)."
    )
    arguments.add_json(parser)


def add_game(parser: CommandParser) -> None:
    """Add the options that say what the game is."""
    group = parser.add_argument_group("the game", "by default as the properties of the grammar say")
    group.add_argument("--players", metavar="LABEL", help="the players are the nodes with this label")
    group.add_argument("--turn", metavar="NAMES", help="labels and rules that stand for the player to move")
    group.add_argument("--won", metavar="NAMES", help="labels and rules that stand for the players who have won")
    group.add_argument("--stuck", choices=STUCK, help="what the end is for the player to move if nobody has won")
    what = "; ".join(f"{name}: {meaning}" for name, meaning in METHODS.items())
    group.add_argument(
        "--method", choices=METHODS, default=PARANOID, help=phrase("with more than two players {what}", what=what)
    )


def run(args: argparse.Namespace) -> int:
    grammar, functions = arguments.read(args.grammar), arguments.functions_of(args)
    said = {name: getattr(args, name) for name in ("players", "turn", "won", "stuck")}
    game_of(grammar, **said)  # faults of the arguments are found before the exploration
    if partitioned.is_chosen(args):
        partitioned.check(args, {"depth": None, "method": PARANOID})
        if args.iso == "yes":
            raise GameError("Solving needs unmerged states: drop --iso.")
        return _print_partitioned(
            args, partitioned.solve_in_files(args, explore.prepared(args, grammar, functions), said)
        )
    found = explore.explored(args, explore.prepared(args, grammar, functions))
    with Bar("solving") as bar:
        solution = solve(found, method=args.method, progress=bar.update, **said)
    if args.json:
        print(json.dumps({**explore.found_data(found), "solution": solution.json()}))
    else:
        print("\n".join(explore.found_lines(found)))
        print("\n".join(_lines(found, solution)))
    return explore.STOPPED if found.stopped == "interrupted" else 0


def _print_partitioned(args: argparse.Namespace, found: Solved) -> int:
    explored, tally = found.explored, found.tally
    if args.json:
        solution = {"turn": found.mover, "value": found.value, **tally._asdict(), "seconds": round(found.seconds, 6)}
        print(json.dumps({**partitioned.found_data(explored), "solution": solution}))
    else:
        print("\n".join(partitioned.found_lines(args, explored)))
        if found.value is not None:
            print("\n".join(_value_lines(explored.states, found.seconds, tally)))
            print(f"start: {found.mover} {ENDS[found.value]}")
    return explore.STOPPED if explored.stopped == "interrupted" else 0


def verdict(value: int | None, distance: int | None) -> str:
    """What a value says of a player, such as "wins in 3 steps"."""
    if value is None:
        return "may win, draw or lose"
    return f"{ENDS[value]} in {count(distance or 0, 'step')}" if value else ENDS[0]


def _value_lines(states: int, seconds: float, tally: Tally) -> Iterator[str]:
    """The time of a solution, and how many states have each value."""
    unknown = f", {tally.unknown:,} unknown" * bool(tally.unknown)
    yield f"solved: {seconds:.2f} s, {states / max(seconds, 1e-6):,.0f} states/s"
    yield phrase(
        "values for the player to move: {won:,} won, {drawn:,} drawn, {lost:,} lost{unknown}",
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        unknown=unknown,
    )


def _lines(found: Exploration, solution: StateValues) -> Iterator[str]:
    names = explore.names_of(found.system)
    line = solution.line()
    yield from _value_lines(found.states, solution.seconds, solution.tally)
    mover = names.get(solution.mover(0), solution.mover(0))
    yield f"start: {mover} {verdict(solution.value(0), solution.distance(0))}"
    if line.steps:
        yield f"best play, {count(len(line), 'step')}:"
        yield from explore.way_lines(found, line, names)
