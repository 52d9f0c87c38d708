"""PSQ files of Piskvork: games of gomoku programs, one stone on each line.

    Piskvorky 15x15, 11:11, 0       width x height, the players' levels, the first to move
    8,8,0                           column from the left, row from the top, milliseconds thought
    9,7,1250
    pbrain-one.exe                  the players, if both are programs
    pbrain-two.exe
    -1                              the code of the game's end
    0,Freestyle1                    the result and the group, in files of the Gomocup

A move's time becomes its comment, `1250 ms`, since the clock of a record is the time left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from pentad.game import GameError, Outcome, shorten
from pentad.games.pente.board import Stone
from pentad.games.pente.formats import common
from pentad.games.pente.formats.common import FORFEIT, FREESTYLE, GOMOKU, OUT_OF_TIME, RESULT_ONLY, FilePart
from pentad.games.pente.rules import GAME, PentePosition
from pentad.record import Record
from pentad.record.formats import Format, Losses, only
from pentad.record.scanner import Scanner
from pentad.record.text_format import STANDARD_TAGS
from pentad.system.words import phrase

NAME = "psq"
LEVELS = "PsqLevels"  # the tag for both players' levels, in the order of play
NOBODY = ("homo-1", "homo-2")  # Piskvork's names of people
ALMOST_FULL, FREE_POINTS = "board almost full", 25  # Piskvork ends a game as a draw with so many empty points

# The first word of a Gomocup group's name, and the group's rule set.
GROUPS = {"freestyle": FREESTYLE, "fastgame": FREESTYLE, "standard": GOMOKU, "renju": None, "caro": None}
GROUP_NAMES = {FREESTYLE: "Freestyle", GOMOKU: "Standard"}

# The codes of the end: finished, unfinished, or the reason why the player to move has lost.
FINISHED, UNFINISHED = 0, -1
LOST = {15: OUT_OF_TIME, 16: "out of memory", -2: FORFEIT}

_LINE = re.compile(r"\S[^\n]*")  # without the blanks before it; a blank line is no match
_HEADER = re.compile(r"Piskvorky +([0-9]{1,4})x([0-9]{1,4}) *, *([0-9]{1,6}):([0-9]{1,6}) *, *([01])")
_MOVE = re.compile(r"([0-9]{1,4}) *, *([0-9]{1,4}) *, *([0-9]{1,10})")
_LIKE_MOVE = re.compile(r"-?[0-9]+ *,")
_CODE = re.compile(r"-?[0-9]{1,4}")
_RESULT = re.compile(r"(-1|[0-2]),([A-Za-z]+)[^,]*")
_TIME = re.compile(r"([0-9]{1,10}) ms\b")


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


class End(NamedTuple):
    """The lines after the moves."""

    names: list[str]
    code: int
    at: int
    result: int  # 0 drawn, 1 or 2 won, -1 unknown
    rules: str | None


def read(text: str, game: str | None = None) -> list[Record]:
    """The game of a text."""
    common.check_name(NAME, game)
    scanner = Scanner(text)
    lines = [FilePart(found[0].rstrip(), found.start()) for found in _LINE.finditer(scanner.text)]
    found = _HEADER.fullmatch(lines[0].text) if lines else None
    if not found:
        at = lines[0].at if lines else 0
        raise scanner.error("Expected a header of Piskvork, such as Piskvorky 15x15, 0:0, 0.", at)
    size, height, *levels, first = map(int, found.groups())
    if size != height:
        raise scanner.error(
            phrase("The board must be square, not {size}×{height}.", size=size, height=height), lines[0].at
        )
    moves = list(takewhile(lambda line: _LIKE_MOVE.match(line.text), lines[1:]))
    end = _read_end(scanner, lines[1 + len(moves) :])

    def replayed(rules: str) -> Record:
        return _replay(scanner, size, rules, moves, lines[0].at)

    record = replayed(end.rules) if end.rules else common.by_either_rules(replayed)
    names = end.names[::-1] if first else end.names
    record.tags = {f"Seat{seat}": name for seat, name in enumerate(names) if name not in NOBODY}
    if any(levels):
        record.tags[LEVELS] = "{}:{}".format(*(reversed(levels) if first else levels))
    _take_result(scanner, record, end)
    return [record]


def _replay(scanner: Scanner, size: int, rules: str, lines: Sequence[FilePart], at: int) -> Record:
    try:
        record = Record(GAME.new(rules=rules, size=size))
    except GameError as error:
        raise scanner.error(str(error), at) from None
    node = record.root
    for line in lines:
        found = _MOVE.fullmatch(line.text)
        if not found:
            raise scanner.error(
                phrase("Expected a move x,y,milliseconds, got {text}.", text=shorten(repr(line.text), 30)), line.at
            )
        column, row, time = map(int, found.groups())
        if not (1 <= column <= size and 1 <= row <= size):
            raise scanner.error(
                phrase(
                    "{column},{row} is not on the board; points are 1,1 to {size},{size}.",
                    column=column,
                    row=row,
                    size=size,
                ),
                line.at,
            )
        node = common.follow(scanner, node, Stone(column - 1, size - row), line.at)
        node.comment = f"{time} ms" if time else ""
    return record


def _read_end(scanner: Scanner, lines: Sequence[FilePart]) -> End:
    """Parses the players' names, the code and the Gomocup's line; only the code is required."""
    rest = list(lines)
    names = []
    if rest and not _CODE.fullmatch(rest[0].text):
        names = [line.text for line in rest[:2]]
        rest = rest[2:]
    if not rest:
        raise scanner.error("Expected the code of the game's end, got the end of the file.", len(scanner.text))
    text, at = rest[0]
    if not _CODE.fullmatch(text) or int(text) not in (FINISHED, UNFINISHED, *LOST):
        known = ", ".join(map(str, (FINISHED, UNFINISHED, *LOST)))
        raise scanner.error(
            phrase(
                "Unknown code {text} of a game's end. The codes are {known}.", text=shorten(repr(text), 30), known=known
            ),
            at,
        )
    result, rules = _read_group(scanner, rest[1]) if len(rest) > 1 else (UNFINISHED, None)
    if len(rest) > 2:
        raise scanner.error("Expected the end of the file.", rest[2].at)
    return End(names, int(text), at, result, rules)


def _read_group(scanner: Scanner, line: FilePart) -> tuple[int, str]:
    """Parses the Gomocup's last line: the result, and the rule set of the group."""
    found = _RESULT.fullmatch(line.text)
    group = next((group for group in GROUPS if found and found[2].lower().startswith(group)), None)
    if not found or not group:
        raise scanner.error(
            phrase(
                "Expected a result and a group, such as 1,{group}, got {text}.",
                group=GROUP_NAMES[FREESTYLE],
                text=shorten(repr(line.text), 30),
            ),
            line.at,
        )
    rules = GROUPS[group]
    if not rules:
        raise scanner.error(
            phrase("{group} is not supported, only {values}.", group=group, values=" and ".join(GROUP_NAMES.values())),
            line.at,
        )
    return int(found[1]), rules


def _take_result(scanner: Scanner, record: Record, end: End) -> None:
    """Records the result if the board does not show it; only the player to move can have lost."""
    position = record.position
    assert isinstance(position, PentePosition)
    if end.code in LOST and end.result == 0:
        raise scanner.error(phrase("A draw cannot have the code {code}.", code=end.code), end.at)
    if shown := position.outcome:  # the file does not say which player the Gomocup calls 1
        if end.code in LOST or (end.result >= 0 and (end.result == 0) != shown.is_draw):
            raise scanner.error(
                phrase("The result on the board is {score}, {reason}.", score=shown.score, reason=shown.reason), end.at
            )
    elif end.code in LOST:
        record.ended = Outcome.of((1 - position.turn,), 2, LOST[end.code])
    elif end.result > 0:
        record.ended = Outcome.of((1 - position.turn,), 2, FORFEIT)
    elif end.result == 0:
        record.ended = Outcome.of((), 2, RESULT_ONLY)
    elif end.code == FINISHED and position.empty.bit_count() <= FREE_POINTS:
        record.ended = Outcome.of((), 2, ALMOST_FULL)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(records: Sequence[Record]) -> str:
    """The file of one game."""
    record = only(records)
    losses = Losses(NAME)
    start = common.start_of(record, NAME)
    if start.setup.name not in GROUP_NAMES:
        raise GameError(
            "{name} holds games of {allowed}, not of {setup}.",
            name=NAME,
            allowed=" and ".join(GROUP_NAMES),
            setup=start.setup.name,
        )
    common.must_be_plain(start, NAME)
    losses.note(f"the opening {start.rules.opening}", start.rules.opening != "free")
    losses.note_beyond_moves(record, comments=False)
    size = start.board.size
    header = f"Piskvorky {size}x{size}, {_levels(record, losses)}, 0"
    moves = list(_written_moves(record, size, losses))
    names = list(_names(record, losses))
    end = list(_end(record, losses))
    for name in record.tags:
        losses.note(f"the tag {shorten(name, 30)}", name not in (*STANDARD_TAGS, LEVELS, "Seat0", "Seat1"))
    losses.warn()
    return "\n".join([header, *moves, *names, *end, ""])


def _levels(record: Record, losses: Losses) -> str:
    levels = record.tags.get(LEVELS, "0:0")
    if re.fullmatch(r"[0-9]{1,6}:[0-9]{1,6}", levels):
        return levels
    losses.note(f"the tag {LEVELS}")
    return "0:0"


def _written_moves(record: Record, size: int, losses: Losses) -> Iterator[str]:
    losses.note("comment", bool(record.root.comment))
    for stone, node in zip(common.stones_of(record), record.main_line, strict=True):
        time = _TIME.match(node.comment)
        losses.note("comment", node.comment != (time[0] if time else ""))
        yield f"{stone.column + 1},{size - stone.row},{int(time[1]) if time else 0}"


def _names(record: Record, losses: Losses) -> Iterator[str]:
    """Both names, or none if neither player has one."""
    seats = [f"Seat{seat}" for seat in range(2)]
    if not any(seat in record.tags for seat in seats):
        return
    for seat, nobody in zip(seats, NOBODY, strict=True):
        name = record.tags.get(seat, nobody)
        if seat in record.tags and not _is_name(name):
            losses.note(f"the name {shorten(repr(name), 30)}")
            name = nobody
        yield name


def _is_name(text: str) -> bool:
    """Whether a reader takes the text for a name."""
    return (
        text == text.strip() != ""
        and not set(text) & {"\n", "\r"}
        and text not in NOBODY
        and not _CODE.fullmatch(text)
        and not _LIKE_MOVE.match(text)
    )


def _end(record: Record, losses: Losses) -> Iterator[str]:
    """The code, and the Gomocup's line if it is needed."""
    position = record.position
    assert isinstance(position, PentePosition)
    code, result = UNFINISHED, -1
    if outcome := record.outcome:
        winner = outcome.winners[0] if len(outcome.winners) == 1 else None
        result = 0 if winner is None else 1 + winner
        read_back = outcome.reason
        if position.outcome:
            code = FINISHED
        elif winner is None:
            almost_full = position.empty.bit_count() <= FREE_POINTS
            code = FINISHED if almost_full and outcome.reason == ALMOST_FULL else UNFINISHED
            read_back = ALMOST_FULL if code == FINISHED else RESULT_ONLY
        elif winner != position.turn:
            code = next((code for code, reason in LOST.items() if reason == outcome.reason), -2)
            read_back = LOST[code]
        else:
            losses.note(f"the result {outcome.score}, {shorten(outcome.reason, 30)}")
            result = -1
        losses.note(f"the reason {shorten(repr(outcome.reason), 30)}", outcome.reason != read_back)
    yield str(code)
    rules = position.setup.name
    drawn_unseen = result == 0 and code == UNFINISHED
    if drawn_unseen or rules != _rules_without_group(record):
        yield f"{result},{GROUP_NAMES[rules]}"


def _rules_without_group(record: Record) -> str:
    """The rule set that a reader derives from the moves."""
    here = GAME.new(rules=FREESTYLE, size=record.start.options["size"])
    for stone in common.stones_of(record):
        if here.outcome:
            return GOMOKU
        here = here.play((stone,))
    return FREESTYLE


FORMAT = Format(NAME, (".psq",), "files of Piskvork", read, write, lambda text: text.lower().startswith("piskvorky"))
