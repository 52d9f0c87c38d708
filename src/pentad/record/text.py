"""pentad's text format for records: tags and moves, similar to PGN.

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

import re
from collections.abc import Iterator

from pentad.game import GameError, Outcome, Position, game, load, shorten
from pentad.record.tree import Node, Record, Value

# The tags that the format defines; all others are free.
GAME, OPTIONS, START, RESULT, REASON = "Game", "Options", "Start", "Result", "Reason"
STANDARD_TAGS = (GAME, OPTIONS, START, RESULT, REASON)

WIDTH = 100  # of a line of moves
MAX_DEPTH = 100  # variations within variations


class RecordError(GameError):
    """A syntax error in a record, with its line and column, counted from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line, self.column = line, column


class TruncatedRecord(RecordError):
    """A text that ends before the record's result."""


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(record: Record) -> str:
    """Returns the text of a record."""
    tags = [f'[{name} "{escape(value, chr(34))}"]' for name, value in _tags(record)]
    return "\n".join([*tags, "", *_filled([*_movetext(record.root), record.result]), ""])


def check_depth(record: Record) -> None:
    """Refuses variations that are nested too deeply to be read back."""
    waiting = [(record.root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise GameError(f"Variations are nested more than {MAX_DEPTH} deep.")
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
    """The unbreakable words of the moves: each move, its variations, then its continuation."""
    yield from _comment(root)
    waiting: list[str | tuple[Node, bool]] = [(root, False)]  # a word; a node's move (True) or its continuation
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        node, as_move = item
        if as_move:
            assert node.parent is not None
            yield f"{node.parent.position.ply + 1}. {node.move}"
            yield from _comment(node)
        elif node.children:
            main, *others = node.children
            items: list[str | tuple[Node, bool]] = [(main, True)]
            for other in others:
                items += ["(", (other, True), (other, False), ")"]
            waiting += [(main, False), *reversed(items)]


def _comment(node: Node) -> Iterator[str]:
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
    """The words wrapped into lines."""
    line = ""
    for word in words:
        glue = "" if not line or word == ")" or line.endswith("(") else " "
        if line and len(line) + len(word) >= WIDTH and glue:
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


def write_clock(seconds: float) -> str:
    """Seconds as `h:mm:ss`, with thousandths if needed."""
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
    """A text and the current offset in it."""

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
        """Matches a pattern here and moves past the match."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def error(self, message: str, at: int | None = None) -> RecordError:
        """An error at an offset, by default the current one."""
        return RecordError(message, *self._line_and_column(self.at if at is None else at))

    def truncated(self, results: str) -> TruncatedRecord:
        """The error for a text without a result at its end."""
        message = f"Expected the game's result ({results}), got the end of the text."
        return TruncatedRecord(message, *self._line_and_column(self.at))

    def _line_and_column(self, at: int) -> tuple[int, int]:
        """Line and column, counted from 1."""
        before = self.text[:at]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def read_strictly(text: str) -> list[Record]:
    """Reads the records of a text; at least one."""
    scanner = Scanner(text)
    records: list[Record] = []
    while not scanner.done or not records:
        records.append(_read_record(scanner))
    return records


def _read_record(scanner: Scanner) -> Record:
    places: dict[str, int] = {}
    tags = read_tags(scanner, places)
    if GAME not in tags:
        raise scanner.error(f'Expected the tag [{GAME} "…"] at the beginning of the record.')
    record = Record(read_start(scanner, tags, places))
    record.tags = {name: value for name, value in tags.items() if name not in STANDARD_TAGS}
    at, score = _Moves(scanner, record.root, RESULT in tags).read()
    if tags.get(RESULT, score) != score:
        tag = shorten(tags[RESULT], 20)
        raise scanner.error(f"The moves end with the result {score}, but the tag {RESULT} is {tag}.", at)
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
            raise scanner.error(f"Duplicate tag {found[1]}.", at)
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
                f"A record has either the tag {START} or {OPTIONS}, not both: a position's text includes its options."
            )
        start = load(tags[START])
        if start.game != tags[GAME]:
            raise GameError(f"Expected a position of {tags[GAME]}, got one of {start.game}.")
    except GameError as error:
        raise scanner.error(f"tag {tag}: {error}", places.get(tag, places[GAME])) from None
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
                break  # a tag of the next record
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
                    f"Expected a move number ({number_due}), a comment, a variation or the result, got {got}."
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
            raise scanner.error(f"Expected move number {due}, got {number}.", at)
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
            raise scanner.error(f"move {number}: Duplicate move.", begin)
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
        if len(self.open) >= MAX_DEPTH:
            raise self.scanner.error(f"Variations are nested more than {MAX_DEPTH} deep.", at)
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
    """Sets a node's clock, value and comment from the text of a comment."""
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
    """Parses a score; None for `*`."""
    if score == "*":
        return None
    parts = score.split("-")
    winners = [seat for seat, part in enumerate(parts) if part != "0"]
    outcome = Outcome.of(winners if len(winners) < players else (), players, reason)
    if len(parts) != players or outcome.score != score:
        example = Outcome.of((0,), players, "").score
        raise GameError(f"Expected a result of {players} players, such as {example}, got {score}.")
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
            raise scanner.error(f"The moves do not show this result, so the tag {REASON} is required.", at)
        if not outcome and reason is not None:
            raise scanner.error(f"An unfinished game must not have the tag {REASON}.", at)
        record.ended = outcome
    elif shown.score != score or reason not in (None, shown.reason):
        raise scanner.error(f"The moves show the result {shown.score}, {REASON} {shown.reason}.", at)
