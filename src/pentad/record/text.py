"""pentad's text format for records: tags, then moves, in the spirit of chess's PGN.

    [Game "pentago"]
    [Seat0 "Ann"]
    [Result "1-0"]
    [Reason "resigned"]

    1. a2 1C {[%clk 0:04:58] good} 2. b3 2A (2. b4 2A) 3. c1 4C 1-0

Every move of any seat has a number of its own, since turns need not alternate. Strings and comments
escape their closing mark, the backslash and line ends with a backslash. Reading is strict: whatever is
not in the format is refused with its line and column. Only the result may be missing: a record that has neither
the tag `Result` nor a result behind its moves ended as its moves show, or goes on. A record with the tag that ends
without its result has been cut off, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pentad.game import GameError, Outcome, Position, game, load, shorten
from pentad.record.tree import Node, Record, Value

# The tags that a record answers itself; all others are the writer's own.
GAME, OPTIONS, START, RESULT, REASON = "Game", "Options", "Start", "Result", "Reason"
STANDARD_TAGS = (GAME, OPTIONS, START, RESULT, REASON)

WIDTH = 100  # of a line of moves
MAX_DEPTH = 100  # variations within variations


class RecordError(GameError):
    """A text that is no record; it says where, by line and column from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line, self.column = line, column


class CutOff(RecordError):
    """A text that ends before the result that a record ends with."""


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(record: Record) -> str:
    """The text of a record."""
    tags = [f'[{name} "{escape(value, chr(34))}"]' for name, value in _tags(record)]
    return "\n".join([*tags, "", *_filled([*_movetext(record.root), record.result]), ""])


def check_depth(record: Record) -> None:
    """An error where variations are nested deeper than they are read."""
    waiting = [(record.root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise GameError(f"variations are nested more than {MAX_DEPTH} deep")
        waiting += [(child, depth + bool(number)) for number, child in enumerate(node.children)]


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
    """The words of the moves, none of which may be broken: each move, its variations, then what follows it."""
    yield from _remark(root)
    waiting: list[str | tuple[Node, bool]] = [(root, False)]  # a word; a node's move (True) or what follows it
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        node, as_move = item
        if as_move:
            assert node.parent is not None
            yield f"{node.parent.position.ply + 1}. {node.move}"
            yield from _remark(node)
        elif node.children:
            main, *others = node.children
            for_now: list[str | tuple[Node, bool]] = [(main, True)]
            for other in others:
                for_now += ["(", (other, True), (other, False), ")"]
            waiting += [(main, False), *reversed(for_now)]


def _remark(node: Node) -> Iterator[str]:
    parts = []
    if node.clock is not None:
        parts.append(f"[%clk {write_clock(node.clock)}]")
    if node.value is not None:
        number = f"{node.value.number:+.4f}".rstrip("0").rstrip(".")
        parts.append(f"[%value {number}{' exact' if node.value.exact else ''}]")
    if node.comment:
        comment = escape(node.comment, "}")
        parts.append("\\" + comment if comment.startswith("[%") else comment)
    if parts:
        yield "{" + " ".join(parts) + "}"


def _filled(words: list[str]) -> Iterator[str]:
    """The words in lines."""
    line = ""
    for word in words:
        glue = "" if not line or word == ")" or line.endswith("(") else " "
        if line and len(line) + len(word) >= WIDTH and glue:
            yield line
            line, glue = "", ""
        line += glue + word
    yield line


def escape(text: str, mark: str) -> str:
    """A text whose closing mark, backslashes and line ends are told by a backslash."""
    for plain, escaped in (("\\", "\\\\"), (mark, "\\" + mark), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, escaped)
    return text


def unescape(text: str) -> str:
    """The text that `escape` was given."""
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), text, flags=re.DOTALL)


def write_clock(seconds: float) -> str:
    """Seconds as `h:mm:ss`, with thousandths where there are any."""
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    tail = f"{rest / 1000:06.3f}".rstrip("0").rstrip(".")
    return f"{minutes // 60}:{minutes % 60:02}:{tail}"


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

_BRACKET = re.compile(r"\[(?![-\s\d\[])")  # begins a tag, unless numbers follow: some games write moves in brackets
TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAG = re.compile(rf'\[({TAG_NAME.pattern}) "((?:[^"\\\n]|\\.)*)"\][ \t]*(?=\n|\Z)')
_COMMENT = re.compile(r"\{((?:[^}\\]|\\.)*)\}", re.DOTALL)
_NUMBER = re.compile(r"([0-9]{1,9})\.(?!\S*[0-9]\.)")
_SCORE = re.compile(r"(\*|(?:0|1(?:/[1-9])?)(?:-(?:0|1(?:/[1-9])?))+)(?=\s|\Z)")
_AFTER_MOVE = re.compile("|".join(each.pattern for each in (_SCORE, _NUMBER, _BRACKET)))
_WORD = re.compile(r"[^\s(){}]+")
_CLOCK = re.compile(r"\[%clk ([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)\] ?")
_VALUE = re.compile(r"\[%value ([+-]?(?:0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?))( exact)?\] ?")


class Scanner:
    """A text and a place in it."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.at = 0

    def skip_space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    @property
    def done(self) -> bool:
        self.skip_space()
        return self.at >= len(self.text)

    def next_is(self, mark: str) -> bool:
        return self.text.startswith(mark, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What the pattern finds here, behind which the place moves."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def error(self, message: str, at: int | None = None) -> RecordError:
        """An error at a place, or here."""
        return RecordError(message, *self._place(self.at if at is None else at))

    def cut_off(self, results: str) -> CutOff:
        """The error where the text ends too soon."""
        return CutOff(f"the text ends before the game's result{results}", *self._place(self.at))

    def _place(self, at: int) -> tuple[int, int]:
        """Line and column from 1."""
        before = self.text[:at]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def read_strictly(text: str) -> list[Record]:
    """The records of a text; at least one."""
    scanner = Scanner(text)
    records: list[Record] = []
    while not scanner.done or not records:
        records.append(_read_record(scanner))
    return records


def _read_record(scanner: Scanner) -> Record:
    places: dict[str, int] = {}
    tags = read_tags(scanner, places)
    if GAME not in tags:
        raise scanner.error(f'a record begins with the tag [{GAME} "…"]')
    record = Record(read_start(scanner, tags, places))
    record.tags = {name: value for name, value in tags.items() if name not in STANDARD_TAGS}
    at, score = _Moves(scanner, record.root, RESULT in tags).read()
    if tags.get(RESULT, score) != score:
        raise scanner.error(f"the moves end with {score}, but the tag {RESULT} says {shorten(tags[RESULT], 20)}", at)
    _end(scanner, record, score or record.result, tags.get(REASON), at)
    return record


def read_tags(scanner: Scanner, places: dict[str, int]) -> dict[str, str]:
    """The tags that stand here, and where each was found."""
    tags: dict[str, str] = {}
    while not scanner.done and _BRACKET.match(scanner.text, scanner.at):
        at = scanner.at
        found = scanner.take(_TAG)
        if not found:
            raise scanner.error('a tag is written [Name "value"] on a line of its own')
        if found[1] in tags:
            raise scanner.error(f"the tag {found[1]} stands twice", at)
        tags[found[1]] = unescape(found[2])
        places[found[1]] = at
    return tags


def read_start(scanner: Scanner, tags: dict[str, str], places: dict[str, int]) -> Position:
    """The position that a record begins with."""
    about = GAME
    try:
        kind = game(tags[GAME])
        if START not in tags:
            about = OPTIONS
            return kind.new(**kind.read_options(tags.get(OPTIONS, "").split()))
        about = START
        if OPTIONS in tags:
            raise GameError(f"the tags {START} and {OPTIONS} exclude each other: a position's text has its options")
        start = load(tags[START])
        if start.game != tags[GAME]:
            raise GameError(f"this is a position of {start.game} in a record of {tags[GAME]}")
    except GameError as error:
        raise scanner.error(f"tag {about}: {error}", places.get(about, places[GAME])) from None
    return start


class _Moves:
    """Reads the moves of one record into its tree."""

    def __init__(self, scanner: Scanner, root: Node, needs_score: bool) -> None:
        self.scanner = scanner
        self.root = self.node = root
        self.needs_score = needs_score
        self.fresh = True  # whether the node may still get a remark
        self.open: list[tuple[Node, int, int]] = []  # where each open variation began

    def read(self) -> tuple[int, str]:
        """Read to the score, or without one to the end of the record; where that is, and the score."""
        scanner = self.scanner
        while not scanner.done:
            at = scanner.at
            if not self.needs_score and self.root.children and _BRACKET.match(scanner.text, at):
                break  # a tag of the next record
            if scanner.next_is("{"):
                self._remark(at)
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
                raise scanner.error(
                    f"{shorten(repr(word[0] if word else scanner.text[at]), 30)} is not expected here: a move's number "
                    f"({self.node.position.ply + 1}.), a comment, a variation or the result is"
                )
        if self.needs_score or not self.root.children:
            raise scanner.cut_off("; * marks a game that goes on")
        self._check_closed(scanner.at)
        return scanner.at, ""

    def _check_closed(self, at: int) -> None:
        if self.open:
            raise self.scanner.error("the game ends within a variation; a ) is missing", at)

    def _move(self, at: int, number: int) -> None:
        scanner, due = self.scanner, self.node.position.ply + 1
        if number != due:
            raise scanner.error(f"move {due} is due, not {number}", at)
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
            raise scanner.error(f"move {number}: {error}", begin) from None
        if len(self.node.children) == before:
            raise scanner.error(f"move {number}: the same move stands here already", begin)
        self.node, self.fresh = child, True

    def _remark(self, at: int) -> None:
        scanner = self.scanner
        found = scanner.take(_COMMENT)
        if not found:
            raise scanner.error("this comment is not closed by a }")
        if not self.fresh:
            raise scanner.error("this comment belongs to no move, or to one that has a comment already", at)
        self.fresh = False
        read_comment(self.node, found[1])

    def _open(self, at: int) -> None:
        if self.node.parent is None or (self.open and self.node is self.open[-1][0].parent):
            raise self.scanner.error("a variation needs a move before it that it replaces", at)
        if len(self.open) >= MAX_DEPTH:
            raise self.scanner.error(f"variations are nested more than {MAX_DEPTH} deep", at)
        self.open.append((self.node, len(self.node.parent.children), at))
        self.node, self.fresh = self.node.parent, False
        self.scanner.at = at + 1

    def _close(self, at: int) -> None:
        if not self.open:
            raise self.scanner.error("this ) closes no variation", at)
        main, before, began = self.open.pop()
        assert main.parent is not None
        if len(main.parent.children) == before:
            raise self.scanner.error("this variation has no moves", began)
        self.node, self.fresh = main, False
        self.scanner.at = at + 1


def read_comment(node: Node, text: str) -> None:
    """Take a comment's clock and value into their places, and the rest as words."""
    while True:
        if clock := _CLOCK.match(text):
            node.clock = round(int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3]), 3)
            text = text[clock.end() :]
        elif value := _VALUE.match(text):
            node.value = Value(float(value[1]), bool(value[2]))
            text = text[value.end() :]
        else:
            break
    node.comment = unescape(text)


def read_score(score: str, players: int, reason: str) -> Outcome | None:
    """The outcome that a score tells; None for `*`."""
    if score == "*":
        return None
    parts = score.split("-")
    winners = [seat for seat, part in enumerate(parts) if part != "0"]
    outcome = Outcome.of(winners if len(winners) < players else (), players, reason)
    if len(parts) != players or outcome.score != score:
        raise GameError(f"{score} is no result of {players} players, such as {Outcome.of((0,), players, '').score}")
    return outcome


def _end(scanner: Scanner, record: Record, score: str, reason: str | None, at: int) -> None:
    """Hold the result against the moves, or take it from the text where they do not show it."""
    shown = record.shown
    try:
        told = read_score(score, record.start.players, reason or "")
    except GameError as error:
        raise scanner.error(str(error), at) from None
    if shown is None:
        if told and reason is None:
            raise scanner.error(f"the board does not show this result, so the tag {REASON} must tell why", at)
        if not told and reason is not None:
            raise scanner.error(f"a game that goes on has no {REASON}", at)
        record.ended = told
    elif shown.score != score or reason not in (None, shown.reason):
        raise scanner.error(f"by the board the result is {shown.score}, {REASON} {shown.reason}", at)
