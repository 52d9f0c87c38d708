"""Game records: a tree of moves with comments, clock times and values; its text format; and moves as people type them.

    [Game "pentago"]
    [Seat0 "Ann"]
    [Result "1-0"]
    [Reason "resigned"]

    1. a2 1C {[%clk 0:04:58] good} 2. b3 2A (2. b4 2A) 3. c1 4C 1-0

Every move of every seat has its own number, since turns need not alternate. Strings and comments
escape their closing mark, the backslash and line ends with a backslash. The parser is strict: an error names the
line and column of anything that the format does not allow. Only the result is optional: the moves of a record with
neither the tag `Result` nor a result after its moves show whether the game is over. A record with the tag but
without a result after its moves is truncated, and is refused.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from pentad.game import Choice, Game, GameError, Move, Outcome, Position, Steps, game, load, names, new, shorten
from pentad.record.annotations import CLOCK, MARK, VALUE, Value, write_clock
from pentad.record.scanner import Scanner
from pentad.record.shapes import Shape, commands, take_all

REPEATED = "threefold repetition"
RESULT_ONLY = "stated"  # the reason where a file states only the result


@dataclass(eq=False, slots=True)
class Node:
    """A position in the tree, its move with a mark of `MARKS`, a comment; `children[0]` continues the main line."""

    position: Position
    move: Move | None = None  # None at the root
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    comment: str = ""
    clock: float | None = None  # seconds that the player had left after the move
    value: Value | None = None
    mark: str = ""
    shapes: tuple[Shape, ...] = ()  # circles and arrows on the board
    _repetitions: int = 0  # a cache; 0 before the first count
    _hash: int | None = None  # a cache: the hash of the position's `recurring`

    def play(self, move: Steps) -> Node:
        """Plays a move: returns the child with this move, else appends a new one."""
        # The record keeps one spelling: parsing drops the optional parts of a move.
        parsed = self.position.parse(str(move) if isinstance(move, str | Choice) else str(Move(move)))
        return self.add(parsed, self.position.play(parsed))

    def add(self, move: Move, after: Position) -> Node:
        """Adds a move as `parse` returned it, and the position after it: returns the child with it, else a new one."""
        for child in self.children:
            if child.move == move:
                return child
        child = Node(after, move, self)
        self.children.append(child)
        return child

    @property
    def played(self) -> tuple[Position, Move]:
        """The position before the move, and the move; the root has neither."""
        assert self.parent
        assert self.move is not None
        return self.parent.position, self.move

    @property
    def line(self) -> list[Node]:
        """The nodes from the root to here."""
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        return nodes[::-1]

    @property
    def repetitions(self) -> int:
        """How often this position has occurred up to here, this time included."""
        if self._repetitions:  # a node's ancestors never change, so one count is enough
            return self._repetitions
        here, node, self._repetitions = self.position.recurring, self.parent, 1
        if here is None:
            return 1
        self._hash = hash(here)
        while node is not None:
            if node._hash is None:
                node._hash = hash(node.position.recurring)
            self._repetitions += node._hash == self._hash and node.position.recurring == here
            node = node.parent
        return self._repetitions

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that the moves up to here show: on the board, or by threefold repetition."""
        if self.position.outcome is None and self.repetitions >= 3:
            return Outcome.of((), self.position.players, REPEATED)
        return self.position.outcome

    def unlink(self) -> None:
        """Unlinks this node and its descendants, so that a discarded tree is freed at once.

        Nodes and their parents form reference cycles, which would otherwise wait for Python's garbage collector.
        """
        nodes = [self]
        while nodes:
            node = nodes.pop()
            nodes += node.children
            node.parent, node.children = None, []

    def promote(self) -> None:
        """Makes the line to here the main line."""
        for node in self.line[1:]:
            siblings = node.parent.children if node.parent else []
            siblings.remove(node)
            siblings.insert(0, node)


class Record:
    """A game record: its tags and its tree of moves.

    >>> record = Record("pentago", tags={"Seat0": "Ann"})
    >>> record.play("a2 1C").comment = "a corner that twists away"
    >>> print(record.text)
    [Game "pentago"]
    [Seat0 "Ann"]
    [Result "*"]
    <BLANKLINE>
    1. a2 1C {a corner that twists away} *
    <BLANKLINE>
    """

    def __init__(
        self,
        start: Position | str | None = None,
        *,
        tags: dict[str, str] | None = None,
        ended: Outcome | None = None,
        **options: object,
    ) -> None:
        """A record from a position, or from the beginning of a game with options, by default of the first one.

        `ended` is an outcome that the moves do not show: a resignation, a flag, an agreed draw.
        """
        if start is None or isinstance(start, str):
            start = new(start or names()[0], **options)
        elif options:
            raise GameError("Options need the name of a game: a position has its own options.")
        self.root = Node(start)
        self.tags = dict(tags or {})
        self.ended = ended

    @property
    def game(self) -> Game:
        return game(self.start.game)

    @property
    def start(self) -> Position:
        """The position that the record begins with."""
        return self.root.position

    @property
    def end(self) -> Node:
        """The last node of the main line."""
        node = self.root
        while node.children:
            node = node.children[0]
        return node

    @property
    def position(self) -> Position:
        """The position at the end of the main line."""
        return self.end.position

    @property
    def main_line(self) -> list[Node]:
        """The nodes of the main line after the root."""
        return self.end.line[1:]

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""
        return [node.move for node in self.main_line if node.move is not None]

    @property
    def shown(self) -> Outcome | None:
        """The outcome that the moves of the main line show."""
        return self.end.outcome

    @property
    def outcome(self) -> Outcome | None:
        """The outcome: the one that the moves show, else `ended`."""
        return self.shown or self.ended

    @property
    def result(self) -> str:
        """The outcome's score, or `*` for an unfinished game."""
        return self.outcome.score if self.outcome else "*"

    def play(self, move: Steps) -> Node:
        """Plays a move at the end of the main line."""
        if self.outcome:
            raise GameError("The game is over: {result}, {reason}.", result=self.result, reason=self.outcome.reason)
        return self.end.play(move)

    def take_back(self) -> Node:
        """Takes back the last move of the main line with its subtree; returns its node."""
        node = self.end
        if node.parent is None:
            raise GameError("No move has been played.")
        node.parent.children.remove(node)
        self.ended = None
        return node

    def nodes(self) -> Iterator[Node]:
        """Every node in depth-first order, the root first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def merge(self, other: Record) -> None:
        """Adds another record's lines, comments and tags; existing ones stay."""
        if other.start != self.start:
            mine, theirs = shorten(self.start.text, 40), shorten(other.start.text, 40)
            raise GameError(
                "Only records with the same start position can be merged: {start} is not {other}.",
                start=mine,
                other=theirs,
            )
        for name, value in other.tags.items():
            self.tags.setdefault(name, value)
        pairs = [(self.root, other.root)]
        while pairs:
            node, added = pairs.pop()
            if added.comment and added.comment not in node.comment:
                node.comment = f"{node.comment} {added.comment}".strip()
            node.clock = added.clock if node.clock is None else node.clock
            node.value = added.value if node.value is None else node.value
            node.mark = node.mark or added.mark
            node.shapes = node.shapes or added.shapes
            pairs.extend((node.play(child.move or ""), child) for child in added.children)
        if self.ended is None and not self.shown and self.moves == other.moves:
            self.ended = other.ended

    @property
    def text(self) -> str:
        """The record in pentad's text format, which `Record.read` reads back."""
        return write(self)

    @classmethod
    def read(cls, text: str, *, strict: bool = True, game: str | None = None) -> Record:
        """Reads the only record of a text. The strict parser takes the form of `text`, the lenient one typed moves.

        `game` is the game of a lenient text that does not name one.
        """
        records = cls.read_all(text, strict=strict, game=game)
        if len(records) != 1:
            raise GameError("Expected one game, got {count}.", count=len(records))
        return records[0]

    @classmethod
    def read_all(cls, text: str, *, strict: bool = True, game: str | None = None) -> list[Record]:
        """Reads every record of a text."""
        return read_strictly(text) if strict else read_leniently(text, game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.text == other.text

    __hash__ = None  # type: ignore[assignment]  # a record is mutable

    def __repr__(self) -> str:
        return f"<Record of {self.game.name}: {len(self.moves)} moves, {self.result}>"

    def _repr_html_(self) -> str:
        """The last position and the text, for notebooks."""
        last = self.moves[-1] if self.moves else None
        return f"<div>{self.position.svg(last=last)}</div><pre>{html.escape(self.text)}</pre>"


# ── the text format ───────────────────────────────────────────────────────────────────────────────

# The tags that the format defines; all others are free.
GAME, OPTIONS, START, RESULT, REASON = "Game", "Options", "Start", "Result", "Reason"
STANDARD_TAGS = (GAME, OPTIONS, START, RESULT, REASON)

MAX_LINE_WIDTH = 100
MAX_VARIATION_DEPTH = 100


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(record: Record) -> str:
    """Returns the text of a record."""
    tags = [f'[{name} "{escape(value, chr(34))}"]' for name, value in _tags(record)]
    return "\n".join([*tags, "", *filled([*_movetext(record.root), record.result]), ""])


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    start = record.start
    yield GAME, start.game
    if start == record.game.new(**start.options):
        if options := start.options_text():
            yield OPTIONS, options
    else:
        yield START, start.text
    yield from ((name, value) for name, value in record.tags.items() if name not in STANDARD_TAGS)
    yield RESULT, record.result
    if record.outcome:
        yield REASON, record.outcome.reason


def _movetext(root: Node) -> Iterator[str]:
    """The unbreakable words of the moves: each move, its variations, then its continuation."""
    yield from _comment(root)
    waiting: list[str | Node] = [root]  # words, and nodes whose continuation is next
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif item.children:
            main, *others = item.children
            yield from _move(item, main)
            waiting.append(main)
            for other in reversed(others):
                waiting += [")", other, *reversed(_move(item, other)), "("]


def _move(before: Node, node: Node) -> list[str]:
    return [f"{before.position.ply + 1}. {node.move}", *_comment(node)]


def _comment(node: Node) -> Iterator[str]:
    parts = []
    if node.clock is not None:
        parts.append(f"[%clk {write_clock(node.clock)}]")
    if node.value is not None:
        number = f"{node.value.number:+.4f}".rstrip("0").rstrip(".")
        parts.append(f"[%value {number}{' exact' if node.value.exact else ''}]")
    if node.mark:
        parts.append(f"[%mark {node.mark}]")
    parts += commands(node.shapes)
    if node.comment:
        comment = escape(node.comment, "}")
        parts.append("\\" + comment if comment.startswith("[%") else comment)
    if parts:
        yield "{" + " ".join(parts) + "}"


def filled(words: Iterable[str], width: int = MAX_LINE_WIDTH) -> Iterator[str]:
    """The words wrapped into lines."""
    line = ""
    for word in words:
        glue = "" if not line or word == ")" or line.endswith("(") else " "
        if line and len(line) + len(word) >= width and glue:
            yield line
            line, glue = "", ""
        line += glue + word
    yield line


def escape(text: str, mark: str) -> str:
    """Escapes the closing mark, backslashes and line ends with a backslash."""
    for plain, escaped in (("\\", "\\\\"), (mark, "\\" + mark), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, escaped)
    return text


def unescape(text: str) -> str:
    """Reverses `escape`."""
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), text, flags=re.DOTALL)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

_BRACKET = re.compile(r"\[(?![-\s\d\[])")  # begins a tag, unless numbers follow: some games write moves in brackets
TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAG = re.compile(rf'\[({TAG_NAME.pattern}) "((?:[^"\\\n]|\\.)*)"\][ \t]*(?=\n|\Z)')
_COMMENT = re.compile(r"\{((?:[^}\\]|\\.)*)\}", re.DOTALL)
_NUMBER = re.compile(r"([0-9]{1,9})\.(?!\S*[0-9]\.)")
_SCORE = re.compile(r"(\*|(?:0|1(?:/[1-9])?)(?:-(?:0|1(?:/[1-9])?))+)(?=\s|\Z)")
_AFTER_MOVE = re.compile("|".join(each.pattern for each in (_SCORE, _NUMBER, _BRACKET)))
_WORD = re.compile(r"[^\s(){}]+")


def read_each(text: str, read_one: Callable[[Scanner], Record]) -> list[Record]:
    """Reads the records of a text, one after the other; at least one."""
    return _read_some(text, read_one, len(text))[0]


def _read_some(text: str, read_one: Callable[[Scanner], Record], most: int) -> tuple[list[Record], int]:
    """Reads records until they take so many characters; also returns the number that they take."""
    scanner = Scanner(text)
    records: list[Record] = []
    while not records or (scanner.at < most and not scanner.done):
        records.append(read_one(scanner))
    return records, len(text) if scanner.done else scanner.offset


def read_strictly(text: str) -> list[Record]:
    """Reads the records of a text."""
    return read_each(text, _read_record)


def _read_record(scanner: Scanner) -> Record:
    places: dict[str, int] = {}
    tags = read_tags(scanner, places)
    if GAME not in tags:
        raise scanner.error('Expected the tag [{game} "…"] at the beginning of the record.', game=GAME)
    record = Record(read_start(scanner, tags, places))
    record.tags = {name: value for name, value in tags.items() if name not in STANDARD_TAGS}
    at, score = _Moves(scanner, record.root, RESULT in tags).read()
    if tags.get(RESULT, score) != score:
        tag = shorten(tags[RESULT], 20)
        raise scanner.error(
            "The moves end with the result {score}, but the tag {result} is {tag}.",
            at,
            score=score,
            result=RESULT,
            tag=tag,
        )
    _end(scanner, record, score or record.result, tags.get(REASON), at)
    return record


def read_tags(scanner: Scanner, places: dict[str, int]) -> dict[str, str]:
    """Reads the tags; puts the offset of each into `places`."""
    tags: dict[str, str] = {}
    while not scanner.done and _BRACKET.match(scanner.text, scanner.at):
        at = scanner.at
        found = scanner.take(_TAG)
        if not found:
            raise scanner.error('Expected a tag [Name "value"] on its own line.')
        if found[1] in tags:
            raise scanner.error("Duplicate tag {found}.", at, found=found[1])
        tags[found[1]] = unescape(found[2])
        places[found[1]] = at
    return tags


def read_start(scanner: Scanner, tags: dict[str, str], places: dict[str, int]) -> Position:
    """The position that a record begins with."""
    tag = GAME
    try:
        kind = game(tags[GAME])
        if START not in tags:
            tag = OPTIONS
            return kind.new(**kind.read_options(tags.get(OPTIONS, "").split()))
        tag = START
        if OPTIONS in tags:
            raise GameError(
                "A record has either the tag {start} or {options}, not both: a position's text includes its options.",
                start=START,
                options=OPTIONS,
            )
        start = load(tags[START])
        if start.game != tags[GAME]:
            raise GameError("Expected a position of {tag}, got one of {game}.", tag=tags[GAME], game=start.game)
    except GameError as error:
        raise scanner.error("tag {tag}: {error}", places.get(tag, places[GAME]), tag=tag, error=error) from None
    return start


class _Moves:
    """Reads the moves of one record into its tree."""

    def __init__(self, scanner: Scanner, root: Node, needs_score: bool) -> None:
        self.scanner = scanner
        self.root = self.node = root
        self.needs_score = needs_score
        self.may_comment = True  # whether the node may still get a comment
        self.open: list[tuple[Node, int, int]] = []  # the beginning of each open variation

    def read(self) -> tuple[int, str]:
        """Reads to the score or the end of the record; returns that offset and the score."""
        scanner = self.scanner
        while not scanner.done:
            at = scanner.at
            if not self.needs_score and self.root.children and _BRACKET.match(scanner.text, at):
                break  # the tag begins the next record
            if scanner.next_is("{"):
                self._comment(at)
            elif scanner.next_is("("):
                self._open(at)
            elif scanner.next_is(")"):
                self._close(at)
            elif score := scanner.take(_SCORE):
                self._check_closed(at)
                return at, score[1]
            elif number := scanner.take(_NUMBER):
                self._move(at, int(number[1]))
            else:
                word = _WORD.match(scanner.text, at)
                number_due = f"{self.node.position.ply + 1}."
                got = shorten(repr(word[0] if word else scanner.text[at]), 30)
                raise scanner.error(
                    "Expected a move number ({number}), a comment, a variation or the result, got {got}.",
                    number=number_due,
                    got=got,
                )
        if self.needs_score or not self.root.children:
            raise scanner.truncated("* for an unfinished game")
        self._check_closed(scanner.at)
        return scanner.at, ""

    def _check_closed(self, at: int) -> None:
        if self.open:
            raise self.scanner.error("The game ends inside a variation: missing ).", at)

    def _move(self, at: int, number: int) -> None:
        scanner, due = self.scanner, self.node.position.ply + 1
        if number != due:
            raise scanner.error("Expected move number {due}, got {number}.", at, due=due, number=number)
        scanner.skip_space()
        begin = scanner.at
        words: list[str] = []
        while not _AFTER_MOVE.match(scanner.text, scanner.at):
            word = scanner.take(_WORD)
            if not word:
                break
            words.append(word[0])
            scanner.skip_space()
        before = len(self.node.children)
        try:
            child = self.node.play(" ".join(words))
        except GameError as error:
            raise scanner.error("move {number}: {error}", begin, number=number, error=error) from None
        if len(self.node.children) == before:
            raise scanner.error("move {number}: Duplicate move.", begin, number=number)
        self.node, self.may_comment = child, True

    def _comment(self, at: int) -> None:
        scanner = self.scanner
        found = scanner.take(_COMMENT)
        if not found:
            raise scanner.error("Unclosed comment: missing }.")
        if not self.may_comment:
            raise scanner.error("A comment must follow a move that has no comment yet.", at)
        self.may_comment = False
        read_comment(self.node, found[1])

    def _open(self, at: int) -> None:
        if self.node.parent is None or (self.open and self.node is self.open[-1][0].parent):
            raise self.scanner.error("A variation must follow the move that it replaces.", at)
        if len(self.open) >= MAX_VARIATION_DEPTH:
            raise self.scanner.error(
                "Variations are nested more than {max_depth} deep.", at, max_depth=MAX_VARIATION_DEPTH
            )
        self.open.append((self.node, len(self.node.parent.children), at))
        self.node, self.may_comment = self.node.parent, False
        self.scanner.at = at + 1

    def _close(self, at: int) -> None:
        if not self.open:
            raise self.scanner.error("Unmatched ).", at)
        main, before, began = self.open.pop()
        assert main.parent is not None
        if len(main.parent.children) == before:
            raise self.scanner.error("The variation has no moves.", began)
        self.node, self.may_comment = main, False
        self.scanner.at = at + 1


def read_comment(node: Node, text: str) -> None:
    """Sets a node's clock, value, mark, shapes and comment from the text of a comment."""
    while found := CLOCK.match(text) or VALUE.match(text) or MARK.match(text):
        if found.re is CLOCK:
            node.clock = round(int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]), 3)
        elif found.re is MARK:
            node.mark = found[1]
        else:
            node.value = Value(float(found[1]), bool(found[2]))
        text = text[found.end() :]
    shapes, text = take_all(text)
    node.shapes += shapes
    node.comment = unescape(text)


def read_score(score: str, players: int, reason: str) -> Outcome | None:
    """Parses a score; None for `*`."""
    if score == "*":
        return None
    parts = score.split("-")
    winners = [seat for seat, part in enumerate(parts) if part != "0"]
    outcome = Outcome.of(winners if len(winners) < players else (), players, reason)
    if len(parts) != players or outcome.score != score:
        example = Outcome.of((0,), players, "").score
        raise GameError(
            "Expected a result of {players} players, such as {example}, got {score}.",
            players=players,
            example=example,
            score=score,
        )
    return outcome


def _end(scanner: Scanner, record: Record, score: str, reason: str | None, at: int) -> None:
    """Checks the result against the moves, or takes it from the text if they do not show it."""
    shown = record.shown
    try:
        outcome = read_score(score, record.start.players, reason or "")
    except GameError as error:
        raise scanner.error(str(error), at) from None
    if shown is None:
        if outcome and reason is None:
            raise scanner.error(
                "The moves do not show this result, so the tag {reason} is required.", at, reason=REASON
            )
        if not outcome and reason is not None:
            raise scanner.error("An unfinished game must not have the tag {reason}.", at, reason=REASON)
        record.ended = outcome
    elif shown.score != score or reason not in (None, shown.reason):
        raise scanner.error(
            "The moves show the result {score}, {reason} {shown}.",
            at,
            score=shown.score,
            reason=REASON,
            shown=shown.reason,
        )


# ── moves as people type them ─────────────────────────────────────────────────────────────────────
#
# The moves must still be legal, since a wrong guess would yield another game. The parser accepts whatever it can
# understand; an error names the line and column.

_BLANK = re.compile(r"(?:[\s,]|;[^\n]*|%[^\n]*)+")  # commas separate, ; and % begin a comment to the line's end
_TYPED_NUMBER = re.compile(r"[0-9]{1,9}\s*(?:\.+|\)|:)(?=\s|[A-Za-z\[]|[0-9]{1,2}[->]|\Z)\s*")
_TYPED_SCORE = re.compile(r"(\*|[01](?:/[1-9])?(?:-[01](?:/[1-9])?)+)(?=\s|\Z)")
_TYPED_COMMENT = re.compile(r"\{((?:[^}\\]|\\.)*)(?:\}|\Z)", re.DOTALL)
_TYPED_WORD = re.compile(r"(?:[^\s,;(){}\[]++|\[[^\[\]\n]{0,60}\]|\[)+")  # text in brackets is one word
_TYPED_TAG = re.compile(r'\[[A-Za-z]\w* "')
_GAP = re.compile(r"[^\S\n]*,?[^\S\n]*")
_GLUE = re.compile(r"[-/:|+]")  # separators that people put between the steps of a move
MAX_MOVE_WORDS = 6


def read_leniently(text: str, name: str | None = None, options: str = "") -> list[Record]:
    """Reads the records of a typed text; `name` and `options` are the game of a text that does not name one."""
    return read_some_leniently(text, name, options, most=len(text))[0]


def read_some_leniently(text: str, name: str | None, options: str = "", *, most: int) -> tuple[list[Record], int]:
    """Reads records of a typed text until they take so many characters; also returns the number that they take."""
    return _read_some(text, lambda scanner: _Reader(scanner, name, options).read(), most)


class _Reader:
    def __init__(self, scanner: Scanner, name: str | None, options: str) -> None:
        self.scanner = scanner
        places = {GAME: scanner.at}
        tags = read_tags(scanner, places)
        tags.setdefault(GAME, name or "")
        if not tags[GAME]:
            raise scanner.error('Unknown game. Name the game, or begin with the tag [{game} "…"].', 0, game=GAME)
        tags[GAME] = tags[GAME].lower()
        if options:
            tags.setdefault(OPTIONS, options)
        self.record = Record(read_start(scanner, tags, places))
        self.record.tags = {key: value for key, value in tags.items() if key not in STANDARD_TAGS}
        self.score, self.reason = tags.get(RESULT, "*"), tags.get(REASON, RESULT_ONLY)
        self.node = self.record.root
        self.open: list[Node] = []

    def read(self) -> Record:
        scanner = self.scanner
        numbered = False
        while True:
            scanner.take(_BLANK)
            at = scanner.at
            if self._is_over:
                break
            if scanner.take(_TYPED_NUMBER):
                numbered = True
                continue
            if (score := scanner.take(_TYPED_SCORE)) and not self._is_move(score[1]):
                self.score = score[1]
                break
            scanner.at = at
            if comment := scanner.take(_TYPED_COMMENT):
                self._comment(comment[1])
            elif scanner.next_is("("):
                self._open(at)
            elif scanner.next_is(")"):
                self.node = self.open.pop() if self.open else self.node
                scanner.at += 1
            else:
                self._move(at, numbered)
            numbered = False
        self._end()
        return self.record

    @property
    def _is_over(self) -> bool:
        """Whether the text ends here or the tags of the next record begin."""
        return self.scanner.at >= len(self.scanner.text) or bool(_TYPED_TAG.match(self.scanner.text, self.scanner.at))

    def _is_move(self, score: str) -> bool:
        """Whether a result is really a move with more text after it: in Pentagame `0-1` moves white to corner 1."""
        self.scanner.take(_BLANK)
        try:
            self.node.position.play(score)
        except GameError:
            return False
        return not self._is_over

    def _comment(self, text: str) -> None:
        before = self.node.comment
        read_comment(self.node, text.strip())
        self.node.comment = f"{before} {self.node.comment}".strip()

    def _open(self, at: int) -> None:
        if self.node.parent is None:
            raise self.scanner.error("A variation must follow the move that it replaces.", at)
        self.open.append(self.node)
        self.node = self.node.parent
        self.scanner.at += 1

    def _move(self, at: int, numbered: bool) -> None:
        """Plays the longest run of words on this line that is a legal move.

        A move may continue on the next line if it stands between two move numbers, or if no run of words on this
        line is a move.
        """
        words, ends, here, closed = self._words(at)
        counts = [*range(here, 0, -1), *range(here + 1, len(words) + 1)]
        if numbered and closed:
            counts.insert(0, len(words))
        error: GameError | None = None
        for count in counts:
            for text in _spellings(words[:count]):
                try:
                    self.node = self.node.play(text)
                except GameError as failed:
                    error = error if count > here else failed
                else:
                    self.scanner.at = ends[count - 1]
                    return
        shown = shorten(repr(words[0] if words else self.scanner.text[at]), 30)
        reason = error or "Expected a move."
        raise self.scanner.error("{text} does not begin a legal move: {reason}", at, text=shown, reason=reason)

    def _words(self, at: int) -> tuple[list[str], list[int], int, bool]:
        """The words up to the next number or mark, their ends, the number of words on this line, whether all fit."""
        scanner = self.scanner
        words: list[str] = []
        ends: list[int] = []
        here = 0
        while len(words) < MAX_MOVE_WORDS and (word := scanner.take(_TYPED_WORD)):
            words.append(word[0])
            ends.append(scanner.at)
            scanner.take(_GAP)
            here = here or (len(words) if scanner.text[scanner.at : scanner.at + 1] in ("\n", ";", "%") else 0)
            scanner.take(_BLANK)
            if self._move_ends:
                break
        return words, ends, here or len(words), self._move_ends

    @property
    def _move_ends(self) -> bool:
        """Whether the text from here on cannot continue the move before it."""
        marks = (_TYPED_NUMBER, _TYPED_SCORE, _TYPED_TAG)
        text, at = self.scanner.text, self.scanner.at
        return any(mark.match(text, at) for mark in marks) or not _TYPED_WORD.match(text, at)

    def _end(self) -> None:
        """Takes the outcome from the text if the moves do not show it."""
        if self.record.shown is None:
            with suppress(GameError):
                self.record.ended = read_score(self.score, self.record.start.players, self.reason)


def _spellings(words: list[str]) -> list[str]:
    """The spellings to try for a move: the words as they stand, and with separators replaced by spaces."""
    plain = " ".join(words)
    apart = plain if "[" in plain else _GLUE.sub(" ", plain)
    return [plain] if apart == plain else [plain, apart]
