"""`pentad grade`: the moves of recorded games, graded by exact values.

With `--json` an object for each game: its `file`, its `number` there, the `players` by seat, and the `moves`, each with
its `ply`, `seat`, `player`, the values `before` and `after` it (1 a win of that player, 0 a draw, -1 a loss) and the
`regret`, their difference; null where a value is unknown. The last object has the sums for each name in `scores`.
"""

from __future__ import annotations

import argparse
import json

from pentad.game import GameError, shown
from pentad.play.grading import Grade, Score, grade
from pentad.progress import Bar
from pentad.record import Record
from pentad.terminal import files
from pentad.terminal.arguments import Parser
from pentad.wording import count

STOPPED = 130
WORDS = {1: "win", 0: "draw", -1: "loss", None: "unknown"}
COLUMNS = ("moves", "graded", "unknown", "mistakes", "regret")


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="file with records in any input format (-: standard input)"
    )
    parser.add_argument("--player", metavar="NAME", help="grade only the moves of this player")
    parser.add_argument(
        "--from", dest="source_format", metavar="FORMAT", help="format of the files (default: by suffix)"
    )
    parser.add_argument("--as", dest="kind", metavar="GAME", help="game of a move list that does not name it")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    games = [
        (path, number, record)
        for path in args.files
        for number, record in enumerate(files.read_records(path, format_name=args.source_format, game=args.kind), 1)
    ]
    names = dict.fromkeys(name for _, _, record in games for name in _players(record))
    if args.player is not None and args.player not in names:
        raise GameError(f"No player is called {shown(args.player)}. The players are: {', '.join(names)}.")
    scores = {name: Score() for name in names if args.player in (None, name)}
    code = 0
    with Bar() as bar:
        try:
            for place, (path, number, record) in enumerate(games, 1):
                bar.begin(f"Grading game {place} of {len(games)}")
                grades = grade(record, bar.update)
                bar.clear()
                players = _players(record)
                grades = [each for each in grades if players[each.seat] in scores]
                for each in grades:
                    scores[players[each.seat]].add(each)
                if args.json:
                    moves = [_as_json(each, players) for each in grades]
                    print(json.dumps({"file": path, "number": number, "players": players, "moves": moves}), flush=True)
                else:
                    _print_game(f"{files.shown_path(path)}, game {number}", players, grades)
        except KeyboardInterrupt:  # the games that are done count
            code = STOPPED
    if args.json:
        print(json.dumps({"scores": {name: _sums(score) for name, score in scores.items()}}))
    else:
        _print_scores(scores)
    return code


def _players(record: Record) -> list[str]:
    """The players by seat: their names, or their colours."""
    start = record.start
    return [record.tags.get(f"Seat{seat}") or start.colour_of(seat) for seat in range(start.players)]


def _print_game(title: str, players: list[str], grades: list[Grade]) -> None:
    """The graded moves of a game, with the values before and after them."""
    print(f"{title}: {' - '.join(players)}")
    known = [each for each in grades if each.regret is not None]
    rows = [(f"{each.ply + 1}.", players[each.seat], str(each.move)) for each in known]
    wide = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for each, row in zip(known, rows, strict=True):
        words = "  ".join(text.ljust(width) for text, width in zip(row, wide, strict=True))
        value = WORDS[each.before] if not each.regret else f"{WORDS[each.before]} to {WORDS[each.after]}: mistake"
        print(f"  {words}  {value}")
    if missing := len(grades) - len(known):
        print(f"  {count(missing, 'move')} cannot be graded: the value before or after is unknown.")
    print()


def _print_scores(scores: dict[str, Score]) -> None:
    width = max(len("player"), *map(len, scores)) if scores else len("player")
    print("  ".join(("player".ljust(width), *COLUMNS)))
    for name, score in scores.items():
        sums = _sums(score)
        print("  ".join((name.ljust(width), *(f"{sums[column]:>{len(column)}}" for column in COLUMNS))))


def _sums(score: Score) -> dict[str, int]:
    return dict(zip(COLUMNS, (score.moves, score.graded, score.unknown, score.mistakes, score.regret), strict=True))


def _as_json(each: Grade, players: list[str]) -> dict[str, object]:
    return {
        "ply": each.ply,
        "seat": each.seat,
        "player": players[each.seat],
        "move": str(each.move),
        "before": each.before,
        "after": each.after,
        "regret": each.regret,
    }
