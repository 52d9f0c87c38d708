"""Move tree: a game in any supported text as a tree of moves, as pages have it, and such a tree as text."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Annotated, Literal

from pentad.game import GameError, Position, names, read_short, read_start, shorten
from pentad.play.seats import HUMAN
from pentad.record import Node, Record, Value, formats
from pentad.record.formats import COMMON, FORMATS, LOG
from pentad.record.scanner import RecordError, TruncatedRecord
from pentad.record.shapes import MAX_SHAPES, Shape
from pentad.record.text_format import GAME, TAG_NAME, read_score, read_some_leniently
from pentad.search.bot import bot_title, entry_of
from pentad.system.words import phrase
from pentad.web import view
from pentad.web.api_types import PositionText, TurnText
from pentad.web.typed_json import Length, Matches, Range

MAX_TEXT_LENGTH = 64_000
MOST_NODES = 5000
AT_ONCE = 4000  # characters of whole games: reading them takes about 0.1 s
PICTURE = "svg"  # it is no text; pages draw it themselves

_TAG = re.compile(r'\s*\[\w[\w ]*\s+"')
# Space before a tag, or a comment, where there is none; an open comment takes the rest of the text.
_BEFORE_TAG = re.compile(r'\{(?:[^}\\]|\\.)*(?:\}|\Z)|(?<=\S)\s+(?=\[\w+ ")', re.DOTALL)
_PARENTHESES = re.compile(r"\[(?:[^\]\\]|\\.)*(?:\]|\Z)|[()]", re.DOTALL)  # those within brackets are text
_TYPED = re.compile(r"\s*(\w+)((?:\s+\w+=\S+)*)(?=\s|\Z)")  # a game with its options stands before its moves


@dataclass(frozen=True, kw_only=True)
class NodeInfo:
    """A move of the tree and the position after it; the root, number 0, has no move. A value is for the mover.

    `mark` is the sign of a mistake or a good move, such as `??`; `shapes` are circles and arrows, such as `Ga2` and
    `Ra2>c3`.

    `notation` is what people read where it is not the text of the move. `colours` are the colours of the seats where
    they differ from the start.
    """

    id: int
    parent: int | None
    move: str
    notation: str
    words: str
    seat: int | None
    position: str
    colours: list[str]
    comment: str
    clock: float | None
    value: float | None
    exact: bool
    mark: str
    shapes: list[str]


@dataclass(frozen=True, kw_only=True)
class FormatInfo:
    """A format in which a game can be written."""

    name: str
    suffix: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class Tree:
    """A game to study. `fresh` is the game with its options if it starts from the initial position.

    `players` are names for people, or nothing; `main` are the nodes of the main line. `count` is the number of games in
    the first `read` characters of the text, after which there may be more. `solved` is whether a solver has exact
    values of positions. `status` says how the game ended, `trouble` why a line ends early.
    """

    game: str
    title: str
    start: str
    fresh: str
    colours: list[str]
    tags: dict[str, str]
    players: list[str]
    result: str
    reason: str
    status: str
    nodes: list[NodeInfo]
    main: list[int]
    formats: list[FormatInfo]
    solved: bool
    count: int
    read: int
    trouble: str


TagName = Annotated[str, Length(100), Matches(TAG_NAME, "a letter before letters, digits and _")]
ShapeTexts = Annotated[list[Annotated[str, Length(60)]], Length(MAX_SHAPES)]


@dataclass(frozen=True, kw_only=True)
class TreeNode:
    """A node of a page's tree. Its parent comes before it; the first child of a node continues its line."""

    parent: Annotated[int, Range(0)]
    move: TurnText
    comment: Annotated[str, Length(4000)] = ""
    clock: Annotated[float, Range(0, 10**9)] | None = None
    value: Annotated[float, Range(-1, 1)] | None = None
    exact: bool = False
    mark: Literal["", "?!", "?", "??", "!?", "!", "!!"] = ""
    shapes: ShapeTexts = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class TreeRequest:
    """A request to write a game in a format. The nodes are those after the root, in order."""

    start: PositionText
    format: Annotated[str, Length(20)]
    tags: Annotated[dict[TagName, Annotated[str, Length(MAX_TEXT_LENGTH)]], Length(60)] = field(default_factory=dict)
    comment: Annotated[str, Length(4000)] = ""
    shapes: ShapeTexts = field(default_factory=list)
    result: Annotated[str, Length(60)] = "*"
    reason: Annotated[str, Length(100)] = ""
    nodes: Annotated[list[TreeNode], Length(MOST_NODES)] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Written:
    """A game as text, its file name, and what the format could not hold."""

    text: str
    name: str
    left_out: str


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read_text(text: str, name: str | None, number: int = 1, lines_before: int = 0) -> Tree:
    """The game in any supported text; `name` is the game of moves that do not name it themselves."""
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise GameError("Expected text, got binary data.")
    if not text.strip():
        raise GameError("The text is empty. Paste a position or a game.")
    if position := read_position(text.strip()):
        return tree(Record(position), read=len(text))
    records, end = read_some(text, name, lines_before)
    if not 1 <= number <= len(records):
        held = "one game" if len(records) == 1 else f"{len(records)} games"
        if end < len(text):
            raise GameError("Only the first {games} of the text can be read at once.", games=held)
        raise GameError("There is no game {number}: the text contains {games}.", games=held, number=number)
    answer = tree(records[number - 1], len(records), read=end)
    for record in records:
        record.root.unlink()
    return answer


def read_some(text: str, name: str | None, lines_before: int = 0) -> tuple[list[Record], int]:
    """The first games in a text in any supported format, and how many characters they take.

    That is one game, or as many as take about 0.1 s. Errors count the lines of the file before the text.
    """
    if "\0" in text:
        raise GameError("Expected text, got binary data.")
    mark = len(text) - len(text.removeprefix("\ufeff"))
    try:
        records, end = _read_some(text[mark:], name)
    except RecordError as error:
        raise type(error)(error.message, error.line + lines_before, error.column) from None
    return records, mark + end


def read_line(start: str, moves: Sequence[str], *, as_far: bool = False) -> Tree:
    """A game from its start position and moves; with `as_far` it ends before the first illegal move."""
    record = Record(read_start(start))
    for number, move in enumerate(moves, 1):
        try:
            record.end.play(move)
        except GameError as error:
            if as_far:
                return tree(
                    record,
                    trouble=phrase(
                        "Move {number} ({move}) is not legal: {error}",
                        number=number,
                        move=shorten(repr(move), 30),
                        error=error,
                    ),
                )
            raise GameError("Move {number}: {error}", number=number, error=error) from None
    return tree(record)


def read_position(text: str) -> Position | None:
    """The position that a text is; None if it must be a game."""
    if position := read_short(text):
        return position
    if text.startswith("{") and '"figures"' in text:
        return _read_pentagraph(text)
    name, *words = text.split()
    if name not in names() or "\n" in text:
        return None
    is_board = any(word.count("/") >= 2 or word.count(",") >= 3 for word in words)  # the words are no moves
    return read_start(text) if is_board or all("=" in word for word in words) else None


def _read_pentagraph(text: str) -> Position:
    if find_spec("networkx") is None:
        raise GameError("Boards from pentagraph require networkx, which is not installed.")
    from pentad.bridges.pentagraph.lib.graph import Board
    from pentad.bridges.pentagraph.positions import position_of

    return position_of(Board.load(text))


def _read_some(text: str, name: str | None) -> tuple[list[Record], int]:
    """The first records of a text in any format; an error is that of the most likely format."""
    first = text.lstrip()
    likely = [each.name for each in FORMATS.values() if each.recognises and each.recognises(first)]
    if _TAG.match(text):
        return _read_tagged(text, name, likely)
    if likely and not first.startswith("["):
        end = _end_of_trees(text) if first.startswith("(") else len(text)
        return _with(likely[0], text[:end], None), end
    if first.startswith("{"):
        return _with("json", text, name), len(text)
    if (typed := _TYPED.match(text)) and typed[1] in names():  # "pentago line=4 a2 1C b3 2A"
        blank = re.sub(r"\S", " ", typed[0])  # so that errors have the right place
        records, end = _typed(blank + text[typed.end() :], typed[1], typed[2])
        if end < len(text):  # what follows would lack the name
            raise GameError("Write the tag [Game {game}] before each of so many games.", game=f'"{typed[1]}"')
        return records, end
    records, end = _typed(text, name)
    return _with_moves(records), end


def _typed(text: str, name: str | None, options: str = "") -> tuple[list[Record], int]:
    records, end = read_some_leniently(text, name, options, most=AT_ONCE)
    return _bounded(records), end


def _end_of_trees(text: str) -> int:
    """How many characters of trees in parentheses, as in SGF, are read at once: whole trees, at least one."""
    end = depth = 0
    for found in _PARENTHESES.finditer(text):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0 and found[0] == ")":
            if end and found.end() > AT_ONCE:
                return end
            end = found.end()
            if end > AT_ONCE and "(" in text[end:]:
                return end
    return len(text)


def _end_of_some(text: str) -> int:
    """How many characters of a text with tags are read at once: whole games, at least one."""
    end = 0
    for found in _BEFORE_TAG.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip()
        if found[0].startswith("{") or (line.startswith("[") and line.endswith('"]')):
            continue  # a tag after a tag is of the same game
        if end and found.end() > AT_ONCE:
            return end
        end = found.end()
        if end > AT_ONCE:
            return end
    return len(text) if not end or len(text) <= AT_ONCE else end


def _read_tagged(text: str, name: str | None, likely: Sequence[str]) -> tuple[list[Record], int]:
    """Records in pentad's own format, in a game's own, or as moves typed below tags."""
    errors: list[GameError] = []
    end = _end_of_some(text)
    text = text[:end]
    for way in ("pentad", *likely, "moves"):
        try:
            if way == "moves":
                records, end = _typed(text, name)
            else:
                records = _with(way, text, None if way in likely else name)
            if f"[{GAME} " not in text:
                _with_moves(records)
        except GameError as error:
            errors.append(error)
            continue
        cut_off = next((error for error in errors if isinstance(error, TruncatedRecord)), None)
        if cut_off and records[-1].ended:
            raise cut_off  # a tag has the result, but the moves that led to it are incomplete
        return records, end
    raise max(errors, key=_place)  # the format that got furthest is the likeliest


def _place(error: GameError) -> tuple[bool, int, int]:
    """The place of an error in a text; a missing result at the end counts less than any other error."""
    if not isinstance(error, RecordError):
        return False, 0, 0
    return not isinstance(error, TruncatedRecord), error.line, error.column


def _with(format: str, text: str, name: str | None) -> list[Record]:
    return _bounded(formats.read(text, FORMATS[format], name))


def _with_moves(records: list[Record]) -> list[Record]:
    if not records[0].moves:
        raise GameError("The text contains no moves.")
    return records


def _bounded(records: list[Record]) -> list[Record]:
    for record in records:
        if any(number > MOST_NODES for number, _ in enumerate(record.nodes())):
            raise GameError(
                "Expected a game of at most {most_nodes:,} moves with all variations.", most_nodes=MOST_NODES
            )
    return records


# ── trees for pages ──────────────────────────────────────────────────────────────────────────────


def tree(record: Record, count: int = 1, *, read: int = 0, trouble: str = "") -> Tree:
    """A record as a tree for a page; nothing is left of the record's own."""
    start, outcome = record.start, record.outcome
    colours = _colours(start)
    view.check_size(start)
    numbers = {id(node): number for number, node in enumerate(record.nodes())}
    answer = Tree(
        game=start.game,
        title=record.game.title,
        start=start.text,
        fresh=f"{start.game} {start.options_text()}".strip() if start == record.game.new(**start.options) else "",
        colours=colours,
        tags=record.tags,
        players=[_player(start.game, record.tags.get(f"Seat{seat}", "")) for seat in range(start.players)],
        result=record.result,
        reason=outcome.reason if outcome else "",
        status=view.status(record.end.position, outcome) if outcome else "",
        nodes=[_node(node, numbers, colours) for node in record.nodes()],
        main=[numbers[id(node)] for node in record.end.line],
        formats=formats_of(start.game),
        solved=record.game.has("exact"),
        count=count,
        read=read,
        trouble=trouble,
    )
    record.root.unlink()
    return answer


def _player(game: str, who: str) -> str:
    """The name of a player for people: that of a person as it stands, the title of a bot."""
    if who in ("", HUMAN):
        return ""
    return bot_title(game, who) if entry_of(game, who) else who


def _colours(position: Position) -> list[str]:
    """The colour of each seat."""
    return [position.colour_of(seat) for seat in range(position.players)]


def _node(node: Node, numbers: dict[int, int], default_colours: list[str]) -> NodeInfo:
    colours = _colours(node.position)
    before = node.parent.position if node.parent else None
    return NodeInfo(
        id=numbers[id(node)],
        parent=numbers[id(node.parent)] if node.parent else None,
        move=str(node.move or ""),
        notation=view.notation(before, node.move) if before and node.move is not None else "",
        words=before.describe(node.move) if before and node.move is not None else "",
        seat=before.turn if before else None,
        position=node.position.text,
        colours=[] if colours == default_colours else colours,
        comment=node.comment,
        clock=node.clock,
        value=node.value.number if node.value else None,
        exact=bool(node.value and node.value.exact),
        mark=node.mark,
        shapes=[str(shape) for shape in node.shapes],
    )


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def formats_of(name: str) -> list[FormatInfo]:
    """The formats in which records of a game are written."""
    return [
        FormatInfo(name=each.name, suffix=each.suffixes[0], summary=each.summary)
        for each in (*COMMON, *formats.formats_of(name))
        if each.write and each.name != PICTURE
    ]


def write_tree(request: TreeRequest) -> Written:
    """A tree as text in the requested format."""
    record = record_of(request)
    known = {each.name: each for each in formats_of(record.start.game)}
    if request.format not in known:
        requested = shorten(repr(request.format), 30)
        raise GameError(
            "Unknown format {format} of {title}. Expected one of {known}.",
            format=requested,
            title=record.game.title,
            known=", ".join(known),
        )
    with _left_out() as lines:
        text = formats.write([record], FORMATS[request.format])
    name = f"{record.start.game}{known[request.format].suffix}"
    record.root.unlink()
    return Written(text=text, name=name, left_out=" ".join(lines))


def record_of(request: TreeRequest) -> Record:
    """The record of a page's tree."""
    record = Record(read_start(request.start), tags=request.tags)
    record.root.comment = request.comment
    record.root.shapes = Shape.read_all(request.shapes)
    nodes = [record.root]
    for number, each in enumerate(request.nodes, 1):
        if each.parent >= number:
            raise GameError(
                "Node {number}: Its parent {parent} does not come before it.", number=number, parent=each.parent
            )
        parent = nodes[each.parent]
        had = len(parent.children)
        node = parent.play(each.move)
        if len(parent.children) == had:
            raise GameError("Node {number}: The move {move} is a duplicate.", number=number, move=node.move)
        node.comment, node.clock, node.mark = each.comment, each.clock, each.mark
        with formats.errors_at(f"Node {number}"):
            node.shapes = Shape.read_all(each.shapes)
        node.value = None if each.value is None else Value(each.value, each.exact)
        nodes.append(node)
    result = read_score(request.result, record.start.players, request.reason)
    record.ended = None if record.shown else result
    return record


@contextmanager
def _left_out() -> Iterator[list[str]]:
    """Collects what formats log in this thread about data that they cannot hold."""
    thread, lines = threading.get_ident(), list[str]()

    def collect(record: logging.LogRecord) -> bool:
        if record.thread == thread:
            lines.append(record.getMessage())
        return True

    LOG.addFilter(collect)
    try:
        yield lines
    finally:
        LOG.removeFilter(collect)
