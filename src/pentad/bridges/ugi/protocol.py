"""Universal Game Interface: commands, moves as single words, options, results and scores.

The protocol is that of two players with moves of one word, with the extensions of docs/reference/protocol.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pentad.game import GameError, Move, Option, OptionValue, Outcome, Position, shown, whole
from pentad.search.move_limit import Limit
from pentad.search.report import Result

MAX_LINE_LENGTH = 100_000  # a line may have all moves of a long game
NO_MOVE = "none"  # the move of `bestmove` if there is no position, or the game is over
GAME = "Game"  # the option that chooses the game
BETWEEN_STEPS = "_"
MAX_UNTIMED_SECONDS = 60.0  # a search by depth or nodes alone has this limit, too
SURE_WIN_SCORE = 100


class ProtocolError(GameError):
    """A command that cannot be executed."""


class Command(NamedTuple):
    """A line's first word, and the rest."""

    word: str
    rest: str


def read_command(line: str) -> Command:
    """Parses a line as a command.

    >>> read_command(" go  depth 3")
    Command(word='go', rest='depth 3')
    """
    if len(line) > MAX_LINE_LENGTH:
        raise ProtocolError("The line is longer than {longest_line} characters.", longest_line=MAX_LINE_LENGTH)
    word, *rest = line.split(maxsplit=1) or [""]
    return Command(word, rest[0].strip() if rest else "")


# ── moves ─────────────────────────────────────────────────────────────────────────────────────────


def write_move(move: Move) -> str:
    """A move as one word.

    >>> write_move(Move(("a2", "1C")))
    'a2_1C'
    """
    return BETWEEN_STEPS.join(str(move).split(" "))


def read_move(position: Position, word: str) -> Move:
    """Parses a word as a move at a position; it need not be legal."""
    return position.parse(word.replace(BETWEEN_STEPS, " "))


def read_moves(position: Position, words: Iterable[str]) -> Position:
    """The position after some moves."""
    for number, word in enumerate(words, 1):
        try:
            position = position.play(read_move(position, word))
        except GameError as error:
            raise ProtocolError(
                "Move {number}, {word}: {error}", number=number, word=shown(word, 40), error=error
            ) from None
    return position


# ── options ───────────────────────────────────────────────────────────────────────────────────────


def write_choice(name: str, default: str, values: Iterable[str]) -> str:
    """An option with a list of values, as a line."""
    return " ".join([f"option name {name} type combo default {default}", *(f"var {value}" for value in values)])


def write_number(name: str, default: int, least: int, most: int) -> str:
    """An option with a number, as a line."""
    return f"option name {name} type spin default {default} min {least} max {most}"


def write_option(option: Option, default: OptionValue) -> str:
    """A game's option as a line.

    >>> write_option(Option("size", 19, "size of the board", minimum=3, maximum=25), 15)
    'option name size type spin default 15 min 3 max 25'
    """
    text = option.write(default)
    if option.kind == "boolean":
        return f"option name {option.name} type check default {text}"
    if isinstance(default, int) and option.minimum is not None and option.maximum is not None:
        return write_number(option.name, default, option.minimum, option.maximum)
    if option.kind == "choice" and not option.several:
        return write_choice(option.name, text, option.allowed)
    return f"option name {option.name} type string default {text}"


def read_setting(text: str) -> tuple[str, str]:
    """Parses the rest of `setoption`: `name X value Y`.

    >>> read_setting("name Game value pente")
    ('Game', 'pente')
    """
    first, _, rest = text.partition(" ")
    name, _, value = f" {rest} ".partition(" value ")
    if first != "name" or not name.strip() or not value.strip():
        raise ProtocolError("Expected name NAME value VALUE, got {text}.", text=shown(text, 60))
    return name.strip(), value.strip()


# ── limits of a search ────────────────────────────────────────────────────────────────────────────


def read_limits(text: str, players: int) -> Mapping[str, int]:
    """Parses the rest of `go`: the numbers after its words, 1 for `infinite`. Unknown words are ignored.

    >>> read_limits("p1time 5000 p1inc 100", 2)
    {'p1time': 5000, 'p1inc': 100}
    """
    known = {"movetime", "depth", "nodes"}
    known |= {f"p{seat}{what}" for seat in range(1, players + 1) for what in ("time", "inc")}
    limits: dict[str, int] = {}
    words = iter(text.split())
    for word in words:
        if word == "infinite":
            limits[word] = 1
        elif word in known:
            value = next(words, "")
            number = whole(value.removeprefix("-"))
            if number is None:
                raise ProtocolError(
                    "{word} must be a number of at most 9 digits, not {value}.", word=word, value=shown(value, 30)
                )
            limits[word] = 0 if value.startswith("-") else number
    return limits


def write_limit(limit: Limit) -> str:
    """The limit of a search as words after `go`: its depth and nodes, else its time.

    >>> write_limit(Limit(seconds=2, nodes=500)), write_limit(Limit(seconds=2))
    ('nodes 500', 'movetime 2000')
    """
    given = {"depth": limit.depth, "nodes": limit.nodes}
    words = [f"{name} {number}" for name, number in given.items() if number is not None]
    return " ".join(words) or f"movetime {round(limit.time * 1000)}"


def seconds_of(limit: Limit) -> float:
    """The seconds for a search: a minute for one by depth or nodes alone.

    >>> seconds_of(Limit()), seconds_of(Limit(nodes=500)), seconds_of(Limit(nodes=500, seconds=2.0))
    (1.0, 60.0, 2.0)
    """
    is_fixed = limit.depth is not None or limit.nodes is not None
    return MAX_UNTIMED_SECONDS if is_fixed and limit.seconds is None else limit.time


# ── results and scores ────────────────────────────────────────────────────────────────────────────


def write_result(outcome: Outcome | None) -> str:
    """A result as one word: the winners, `draw`, or `none` before the end.

    >>> write_result(Outcome.of((0, 2), 4, "five")), write_result(None)
    ('p1p3win', 'none')
    """
    if outcome is None:
        return NO_MOVE
    winners = "".join(f"p{seat + 1}" for seat in outcome.winners)
    return "draw" if outcome.is_draw else f"{winners}win"


def write_info(result: Result, milliseconds: int) -> str:
    """A result as an `info` line, with what the bot knows; the score is from the view of the seat to move.

    There is no score and no `pv` if the bot preferred another move to the best one.

    >>> write_info(Result(Move(("a2", "1C"))), 3)
    'info time 3 pv a2_1C'
    """
    words = ["info"]
    if result.nodes:
        words.append(f"depth {result.depth} nodes {result.nodes}")
    words.append(f"time {milliseconds}")
    if result.nodes and milliseconds:
        words.append(f"nps {1000 * result.nodes // milliseconds}")
    if result.value is not None and result.line:
        words.append(f"score cp {round(SURE_WIN_SCORE * result.value)}" + (" exact" if result.exact else ""))
    line = (result.move,) if result.value is None else result.line
    if line:
        words.append(" ".join(["pv", *map(write_move, line)]))
    return " ".join(words)
