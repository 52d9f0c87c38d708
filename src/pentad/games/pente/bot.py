"""Table of Pente's bots, with the evaluation, analysis and proofs that the game's module offers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import cast

from pentad.game import GameError, Outcome, Position
from pentad.games.pente.beam import ALIASES, BEAM_BOTS, DIFFICULTIES, SETTINGS, BeamBot, bot_name
from pentad.games.pente.board import points_of
from pentad.games.pente.engine import KERNELS
from pentad.games.pente.engine.styles import STYLES, Style
from pentad.games.pente.line_strategies import LINES_BOTS
from pentad.games.pente.notation import MORE
from pentad.games.pente.rules import OVER, SIDES_OFFERED, PentePosition
from pentad.search.analysis import Analysis, one_move_deep, plain_alphabeta
from pentad.search.book import look_up
from pentad.search.bot import BotEntry, deferred
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.search.report import Report, Result
from pentad.search.simple_bots import GreedyBot, RandomBot


class WarmUpBot(BeamBot):
    """Plays a move of the opening book if there is one, else the best move of the widest beam in the time."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(DIFFICULTIES[max(DIFFICULTIES)], seed, "warm-up")

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        known = look_up(position)
        return Result(known.choose(self.random)) if known else super().play(position, limit)


__all__ = [
    "ALIASES",
    "BOTS",
    "DEFAULT_OPPONENT",
    "EVALUATE",
    "KEEPS_ANALYSES",
    "SETTINGS",
    "WARM_UP_BOT",
    "analyse",
    "bot_name",
    "fixed_report",
    "prove",
]


def open_lines(position: Position, seat: int) -> float:
    """An evaluation by open lines and captures: the seat's less the opponent's."""
    here = cast(PentePosition, position)
    stones = here.stones
    values = [0, 0]
    for line, _ in here.board.lines:
        white, black = line & stones[0], line & stones[1]
        if white and not black:
            values[0] += 4 ** white.bit_count()
        elif black and not white:
            values[1] += 4 ** black.bit_count()
    for colour, taken in enumerate(here.taken):
        values[colour] += 8 * taken * taken
    colour = seat ^ here.swapped
    return values[colour] - values[1 - colour]


def can_win(position: Position) -> bool:
    """Whether the seat to move has a move that wins at once, by a line or by captures."""
    here = cast(PentePosition, position)
    if here.outcome:
        return False
    if here.stage != OVER:  # a game cannot end before the colours are chosen, so only the choice of one can win
        sides = [side for side in SIDES_OFFERED.get(here.stage, ()) if side != MORE]
        return any(_wins_for(here.turn, here.play(side).outcome) for side in sides)
    board, mine, theirs = here.board, here.stones[here.colour], here.stones[1 - here.colour]
    tries = board.completing(mine)
    if here.rules.captures and here.taken[here.colour] + 8 * here.rules.captures >= here.rules.capture_win:
        tries |= sum(1 << point for point in points_of(here.points) if here.takes(point, mine, theirs))
    wins = (_wins_for(here.turn, here.play(board.stones[p]).outcome) for p in points_of(tries & here.points))
    return any(wins)


def _wins_for(seat: int, outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.returns[seat] > 0


EVALUATE = open_lines
KEEPS_ANALYSES = True
DEFAULT_OPPONENT = "engine@medium"  # newcomers can beat it; docs/reference/strength.md says how strong it is
WARM_UP_BOT = WarmUpBot


_analyse_by_engine = deferred("pentad.games.pente.engine.analysis:analyse")


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None, keep: Path | None = None) -> Analysis:
    """The engine's analysis; before the colours are chosen, a plain alpha-beta search, of which nothing is kept."""
    if cast(PentePosition, position).stage != OVER:
        if keep:
            raise GameError("Before the colours are chosen an analysis cannot be kept.")
        return plain_alphabeta(position, open_lines, seconds=seconds, lines=lines, depth=depth)
    return cast(Analysis, _analyse_by_engine(position, seconds=seconds, lines=lines, depth=depth, keep=keep))


_fixed_by_engine = deferred("pentad.games.pente.engine.analysis:fixed_report")


def fixed_report(position: Position, lines: int) -> Report:
    """The best lines by a search of fixed work: the engine's, one move deep before the colours are chosen."""
    if cast(PentePosition, position).stage != OVER:
        return one_move_deep(position, open_lines, lines)
    return cast(Report, _fixed_by_engine(position, lines))


# Finds a move that wins by threats alone.
prove = deferred("pentad.games.pente.engine.hints:prove")


def _of_style(name: str, style: Style) -> BotEntry:
    return BotEntry(
        style.summary,
        make_level=partial(_engine, style=name),
        levels=range(1, 6),
        rungs=True,
        kernels=lambda _: (KERNELS,),
        title=style.title,
    )


_engine = deferred("pentad.games.pente.engine.bots:PenteBot")
BOTS = {
    "random": BotEntry("plays random moves", RandomBot, title="Random moves"),
    **LINES_BOTS,
    "greedy": BotEntry(
        "searches one move deep", lambda seed: GreedyBot(open_lines, seed, can_win), title="One move ahead"
    ),
    **BEAM_BOTS,
    **{name: _of_style(name, style) for name, style in STYLES.items()},
    "engine": BotEntry(
        "alpha-beta search with a threat search",
        make_level=_engine,
        levels=range(1, 6),
        rungs=True,
        configure=deferred("pentad.games.pente.engine.bots:configured"),
        kernels=lambda _: (KERNELS,),
        title="Computer",
    ),
}
