"""Jobs of a worker process: a table of functions by name, each of which yields answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pentad.game import GameError, Position, game, load
from pentad.jobs.worker import Answer, Jobs
from pentad.kernels import cache
from pentad.kernels.program import program
from pentad.play import blunder_warning
from pentad.play.game_review import InTime, KnownPly, ReviewedPly
from pentad.play.game_review import attempt as attempt_of
from pentad.play.game_review import review as review_of
from pentad.play.seats import kernels_of, missing_kernels, sit, warm_up
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.analysis import Report, analyse, written
from pentad.search.bot import Bot, bot
from pentad.search.exact import reports, solve
from pentad.search.move_limit import Limit
from pentad.web.engines.pool import megabytes

MAX_ANALYSIS_SECONDS = 60.0
MAX_LINES, MAX_LINE_MOVES = 20, 24


def move(
    position: str,
    who: str | None,
    seed: int,
    limit: Mapping[str, Any],
    impatient: bool = False,
    programs: bool = False,
) -> Iterator[Answer]:
    """The move of a bot, or of the game's best one. If its engine is not compiled yet and the client is `impatient`,
    the move of a warm-up bot, marked as `simpler`. With `programs` the bot may be a program on this machine."""
    here, given = load(position), Limit(**limit)
    if impatient and who is not None and missing_kernels(here, who):
        found = warm_up(here, given, seed)
    elif programs and who is not None:
        found = _kept_bot(here.game, who).play(here, given)
    else:
        player = bot(here.game, seed=seed) if who is None else sit(game(here.game), who, seed=seed).bot
        if player is None:
            raise GameError("{who} is not a bot.", who=who)
        found = player.play(here, given)
    yield {"move": str(found.move), "simpler": found.simpler}


@lru_cache(maxsize=1)
def _kept_bot(name: str, who: str) -> Bot:
    """A bot that stays from one request to the next: a program may take long to start."""
    player = sit(game(name), who, programs=True).bot
    if player is None:
        raise GameError("{who} is not a bot.", who=who)
    return player


def hint(position: str, seconds: float) -> Iterator[Answer]:
    """A move to play, and its proved claim."""
    found = Table(Record(load(position))).hint(seconds)
    yield {"move": str(found.move), "claim": found.claim}


def analysis(position: str, seconds: float, lines: int) -> Iterator[Answer]:
    """Reports of increasing depth."""
    here = load(position)
    for report in analyse(here, seconds=min(seconds, MAX_ANALYSIS_SECONDS), lines=max(1, min(lines, MAX_LINES))):
        yield _report(here, report)


def _report(position: Position, report: Report) -> Answer:
    return {
        "seat": report.seat,
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 3),
        "exact": report.exact,
        "lines": [
            {
                "moves": list(map(str, line.moves[:MAX_LINE_MOVES])),
                "notation": list(written(position, line.moves[:MAX_LINE_MOVES])),
                "words": position.describe(line.moves[0]) if line.moves else "",
                "value": line.values[report.seat],
                "values": list(line.values),
                "claim": line.claim,
            }
            for line in report.lines
        ],
    }


def values(position: str, seconds: float, memory: int, lines: int = 0) -> Iterator[Answer]:
    """The exact value of a position and of every move, for the seat to move: 1 wins, 0 draws, -1 loses.

    With `lines`, reports of the best ones follow.
    """
    here = load(position)
    if here.outcome:
        raise GameError("The game is over.")
    found = solve(here, seconds=seconds, memory=memory)
    yield {
        "value": found.value,
        "how": found.how,
        "moves": {str(each): value for each, value in found.moves.items()},
        "unknown": found.unknown,
    }
    if lines:
        yield from (_report(here, report) for report in reports(found, lines, memory))


def check(position: str, move: str, seconds: float) -> Iterator[Answer]:
    """Whether a move is a proved blunder, and why."""
    yield blunder_warning.check(load(position), move, seconds)


def review(record: str, seconds: float, known: Sequence[Mapping[str, Any]] = ()) -> Iterator[Answer]:
    """A review of a game, move by move, after the plies that are `known`; see `pentad.play.game_review.KnownPly`."""
    done = [KnownPly(**each) for each in known]
    yield from (_ply(each) for each in review_of(Record.read(record), InTime(seconds), done))


def size(record: str, seconds: float) -> Iterator[Answer]:
    """The megabytes for the largest position of a game; `GameError` if the text cannot be read."""
    read = Record.read(record)
    nodes = [read.root, *read.main_line]
    yield {"megabytes": max(megabytes("review", node.position, seconds=seconds) for node in nodes)}
    read.root.unlink()


def _ply(found: ReviewedPly) -> Answer:
    here, judgement = found.here, found.judgement
    answer: Answer = {
        "ply": found.ply,
        "values": list(here.values),
        "chances": list(here.chances),
        "exact": here.exact,
        "claim": here.claim,
    }
    if not judgement:
        return answer | {"move": None, "accuracies": list(found.accuracies)}
    seat, better = here.position.turn, judgement.better
    return answer | {
        "move": str(judgement.move),
        "seat": seat,
        "loss": judgement.loss,
        "mark": judgement.mark.sign if judgement.mark else "",
        "missed": judgement.words,
        "sentence": judgement.sentence(found.ply + 1),
        "better": here.position.describe(better[0]) if better else "",
        "line": list(map(str, better[:MAX_LINE_MOVES])),
    }


def attempt(position: str, move: str, best: str, played: str, seconds: float) -> Iterator[Answer]:
    """Whether a move is as good as one that a review has found better than the move played, and why."""
    here = load(position)
    mistake = here.parse(played) if played else None
    found = attempt_of(here, here.parse(move), here.parse(best), mistake, InTime(seconds))
    yield {"right": found.right, "words": found.words}


def prepare(name: str) -> Iterator[Answer]:
    """Loads the engines of a game, which are compiled once on a machine."""
    cache.ensure_compiled(*kernels_of(name))
    for each in kernels_of(name):
        program(each)
    yield {}


JOBS: Jobs = {each.__name__: each for each in (move, hint, analysis, values, check, review, size, attempt, prepare)}
