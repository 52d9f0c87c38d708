"""`pentad weights`: the weights that the line strategy gives to a board, as a table or a picture."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from typing import cast

from pentad.game import GameError, Span, load, new
from pentad.games.pente import draw_weights
from pentad.games.pente.line_strategies import AFTER, BOTH, COUNTS, STRATEGIES, STRATEGY_ALIASES, weigh
from pentad.games.pente.notation import COLOURS
from pentad.games.pente.rules import PentePosition
from pentad.games.pente.rulesets import LARGEST, SMALLEST
from pentad.system.extras import has
from pentad.system.words import phrase
from pentad.terminal import files
from pentad.terminal.arguments import CommandParser, add_position, add_whole

SIZE, LINE = 10, 5

# The background colours of cells on a terminal, from cool to hot; each is readable with black text.
HEATS = ("#fff3e0", "#ffe3bd", "#ffd199", "#ffbe70", "#ffab48", "#ff9420")
assert len(HEATS) == draw_weights.HEATS


def add_arguments(parser: CommandParser) -> None:
    parser.epilog = (
        "Each line with pieces of only one side gives its empty cells a weight that depends on the number of pieces. "
        + " ".join(f"Strategy {name}: {what}." for name, what in STRATEGIES.items())
        + " ".join(f" Count {name}: {what}." for name, what in COUNTS.items())
    )
    add_whole(parser, "--size", SMALLEST, LARGEST, phrase("number of cells along a side (default: {size})", size=SIZE))
    add_whole(parser, "--line", 2, LARGEST, phrase("pieces in a row needed to win (default: {line})", line=LINE))
    parser.add_argument("--moves", metavar="TEXT", default="", help='moves played so far, such as "E5 F6 E6"')
    add_position(parser)
    parser.add_argument("--side", choices=COLOURS, help="side to choose a move for (default: the side to move)")
    names = (*STRATEGIES, *STRATEGY_ALIASES)
    parser.add_argument("--strategy", choices=names, default=BOTH, help=f"strategy (default: {BOTH})")
    parser.add_argument(
        "--count", choices=COUNTS, default=AFTER, help=phrase("how tables are read (default: {after})", after=AFTER)
    )
    add_whole(parser, "--seed", 0, 2**62, "random seed for ties", default=1)
    parser.add_argument("--svg", metavar="OUT", help="write an SVG image to OUT (-: standard output)")
    parser.add_argument("--no-colour", action="store_true", help="disable colours")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")


def run(args: argparse.Namespace) -> int:
    position = _start(args)
    for number, word in enumerate(args.moves.replace(",", " ").split(), 1):
        try:
            position = position.play(word)
        except GameError as error:
            raise GameError("--moves, move {number}: {error}", number=number, error=error) from None
    side = COLOURS.index(args.side) if args.side else position.colour
    weighing = weigh(
        position.board,
        position.stones,
        side,
        strategy=args.strategy,
        count=args.count,
        allowed=0 if position.outcome else position.points,
    )
    chosen = weighing.choose(random.Random(args.seed)) if weighing.best else None
    if args.svg is not None:
        files.write_text(args.svg, draw_weights.svg(weighing, chosen) + "\n", force=args.force)
    else:
        legend = f"    {position.legend}" if any(position.stones) else ""
        _print(draw_weights.spans(weighing, chosen), legend, args.no_colour)
    return 0


def _start(args: argparse.Namespace) -> PentePosition:
    """The start position."""
    if args.position is None:
        size, line = args.size or SIZE, args.line or LINE
        return cast(PentePosition, new("pente", rules="lines", size=size, line=line))
    for name in ("size", "line"):
        if getattr(args, name) is not None:
            raise GameError(
                "--{name} cannot be used with --position, which includes the options of the game.", name=name
            )
    position = load(args.position)
    if not isinstance(position, PentePosition):
        raise GameError("--position: Expected a position of pente, got one of {game}.", game=position.game)
    return position


def _print(lines: Sequence[Sequence[Span]], legend: str, no_colour: bool) -> None:
    """Print the table, in colours on a terminal, else as plain text with a legend."""
    if not (sys.stdout.isatty() and has("rich")):
        *table, status = ("".join(text for text, _ in line).rstrip() for line in lines)
        print("\n".join([*table, *filter(None, [legend]), status]))
        return
    from rich.text import Text

    from pentad.terminal.theme import console, has_colours, style_of

    heats = {f"heat-{number}": f"bold #000000 on {ground}" for number, ground in enumerate(HEATS, 1)}
    out = console(no_colour)
    if legend and not has_colours(out):
        lines = [*lines[:-1], [(legend, "label")], lines[-1]]
    for line in lines:
        out.print(Text.assemble(*((text, heats.get(role) or style_of(role)) for text, role in line)), soft_wrap=True)
