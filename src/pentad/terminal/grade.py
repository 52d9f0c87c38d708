"""`pentad grade`: the moves of recorded games, graded by the chance to win that they gave away, and by exact values.

With `--json` an object for each game: its `file`, its `number` there, the `players` by seat, their `accuracies`, and
the `moves`. Each has its `ply`, `seat`, `player`, the `chances` to win with the best known move and after this one, the
`loss` between them, its `mark` with a `better` move, the exact values `before` and `after` it (1 a win of that player,
0 a draw, -1 a loss) and the `regret`, their difference; null where one is unknown. The last object has the sums for
each name in `scores`.
"""

from __future__ import annotations

import argparse
import json

from pentad.game import GameError, shown
from pentad.play.game_review import percent
from pentad.play.move_grades import Grade, GradeSum, accuracies_of, grade
from pentad.play.move_marks import MARKS
from pentad.record import Record
from pentad.system.progress import Bar
from pentad.system.words import count, phrase
from pentad.terminal import files
from pentad.terminal.arguments import CommandParser

STOPPED = 130
WORDS = {1: "win", 0: "draw", -1: "loss", None: "unknown"}
COLUMNS = ("moves", "accuracy", *(mark.sign for mark in MARKS), "graded", "unknown", "mistakes", "regret")


def add_arguments(parser: CommandParser) -> None:
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
        raise GameError(
            "No player is called {player}. The players are: {names}.", player=shown(args.player), names=", ".join(names)
        )
    scores = {name: GradeSum() for name in names if args.player in (None, name)}
    code = 0
    with Bar() as bar:
        try:
            for place, (path, number, record) in enumerate(games, 1):
                bar.begin(phrase("Grading game {place} of {count}", place=place, count=len(games)))
                grades = grade(record, bar.update)
                bar.clear()
                players, accuracies = _players(record), accuracies_of(grades)
                for name, accuracy in zip(players, accuracies, strict=False):
                    if name in scores and accuracy is not None:
                        scores[name].accuracies.append(accuracy)
                grades = [each for each in grades if players[each.seat] in scores]
                for each in grades:
                    scores[players[each.seat]].add(each)
                if args.json:
                    game = {"file": path, "number": number, "players": players, "accuracies": accuracies}
                    print(json.dumps({**game, "moves": [_as_json(each, players) for each in grades]}), flush=True)
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
    """The moves of a game: each with its mark, the chances before and after it, and what is exact."""
    print(f"{title}: {' - '.join(players)}")
    rows = [_row(each, players) for each in grades]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        words = "  ".join(text.ljust(width) for text, width in zip(row, wide, strict=True))
        print(f"  {words}".rstrip())
    if missing := sum(each.regret is None for each in grades):
        print(phrase("  The exact value before or after {moves} is unknown.", moves=count(missing, "move")))
    print()


def _row(each: Grade, players: list[str]) -> tuple[str, ...]:
    judgement = each.judgement
    mark = judgement.mark
    fall = f"{percent(judgement.before)} to {percent(judgement.after)}" if mark else percent(judgement.after)
    exact = "" if each.regret is None else WORDS[each.before] + (f" to {WORDS[each.after]}" if each.regret else "")
    better = f"better: {judgement.here.position.notation(judgement.better[0])}" if judgement.better else ""
    return f"{each.ply + 1}.", players[each.seat], str(each.move), mark.sign if mark else "", fall, exact, better


def _print_scores(scores: dict[str, GradeSum]) -> None:
    width = max(len("player"), *map(len, scores)) if scores else len("player")
    print("  ".join(("player".ljust(width), *COLUMNS)))
    for name, score in scores.items():
        accuracy = "-" if score.accuracy is None else f"{score.accuracy:.0f}"
        marks = (score.marks[mark.name] for mark in MARKS)
        row = (score.moves, accuracy, *marks, score.graded, score.unknown, score.mistakes, score.regret)
        cells = (f"{each:>{len(column)}}" for column, each in zip(COLUMNS, row, strict=True))
        print("  ".join((name.ljust(width), *cells)))


def _sums(score: GradeSum) -> dict[str, object]:
    return {
        "moves": score.moves,
        "accuracy": score.accuracy,
        "marks": {mark.name: score.marks[mark.name] for mark in MARKS},
        "graded": score.graded,
        "unknown": score.unknown,
        "mistakes": score.mistakes,
        "regret": score.regret,
    }


def _as_json(each: Grade, players: list[str]) -> dict[str, object]:
    judgement = each.judgement
    return {
        "ply": each.ply,
        "seat": each.seat,
        "player": players[each.seat],
        "move": str(each.move),
        "chances": [judgement.before, judgement.after],
        "loss": judgement.loss,
        "mark": judgement.mark.name if judgement.mark else None,
        "better": str(judgement.better[0]) if judgement.better else None,
        "before": each.before,
        "after": each.after,
        "regret": each.regret,
    }
