"""SGF of gomoku, `GM[4]`: games of five in a row without captures, with variations, comments and clocks.

    (;FF[4]GM[4]SZ[15]RU[gomoku]PB[Ann]PW[Bob]RE[B+R];B[hh];W[ig]C[close](;B[gg])(;B[ii]))

Points are two letters, column from the left and row from the top. In an SGF, Black usually moves first; in pentad,
seat 0, White, does. So the colour that moves first in a file becomes seat 0, and written files begin with B.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from pentad.game import GameError, Outcome, shorten
from pentad.games.pente import notation
from pentad.games.pente.board import Board, Stone, board, points_of
from pentad.games.pente.formats import common
from pentad.games.pente.formats.common import FORFEIT, FREESTYLE, GOMOKU, OUT_OF_TIME, RESIGNED, RESULT_ONLY, FilePart
from pentad.games.pente.rules import GAME, PentePosition
from pentad.games.pente.rulesets import RULE_SETS, SWAP2
from pentad.record import Node, Record, Value
from pentad.record.formats import Format, Losses, check_depth
from pentad.record.scanner import Scanner
from pentad.record.shapes import commented, take_all
from pentad.record.text_format import MAX_VARIATION_DEPTH, STANDARD_TAGS, read_each
from pentad.system.words import phrase

# ── syntax ────────────────────────────────────────────────────────────────────────────────────────

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*+\s*+")
_VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*)\]\s*+", re.DOTALL)
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
MAX_LINE_WIDTH = 80
DEEPEST = 5000  # nested parentheses; some programs open one at every move


@dataclass(slots=True)
class SgfNode:
    """A node of the tree: its properties by name, each with its values, and its children."""

    at: int
    properties: dict[str, list[FilePart]] = field(default_factory=dict)
    children: list[SgfNode] = field(default_factory=list)

    def texts(self, name: str) -> list[str]:
        return [text_of(raw.text) for raw in self.properties.get(name, ())]


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def _read_tree(scanner: Scanner) -> SgfNode:
    """Parses the next game of a collection; returns its root node."""
    scanner.skip_space()
    if not scanner.next_is("("):
        first = not scanner.text[: scanner.at].strip()
        raise scanner.error("Expected (; at the start of a game." if first else "Expected another game or the end.")
    root: SgfNode | None = None
    node: SgfNode | None = None  # the parent of the next node
    open_: list[SgfNode | None] = []  # the parent at each open (
    after = ""  # the last mark: a node must follow a (, and cannot follow a )
    while not scanner.done:
        at = scanner.at
        mark = scanner.text[at]
        if mark == ";" and after != ")":
            new = SgfNode(at)
            if node:
                node.children.append(new)
            else:
                root = new
            node = new
        elif mark == "(" and after != "(":
            if len(open_) == DEEPEST:
                raise scanner.error(phrase("More than {deepest} nested (.", deepest=DEEPEST), at)
            open_.append(node)
        elif mark == ")" and after != "(":
            node = open_.pop()
            if not open_:
                scanner.at += 1
                assert root
                return root
        elif node and after == ";" and (name := scanner.take(_NAME)):
            _read_values(scanner, node, name[0])
            continue
        else:
            raise scanner.error(
                phrase("Expected {expected}, got {mark}.", expected=_EXPECTED[after], mark=shorten(repr(mark), 12))
            )
        after = mark
        scanner.at += 1
    raise scanner.error("Expected ) before the end of the text.")


_EXPECTED = {
    "(": "a node that begins with ;",
    ")": "another variation or )",
    ";": "a property such as B[hh], a node, a variation or )",
    "": "a game",
}


def _read_values(scanner: Scanner, node: SgfNode, name: str) -> None:
    """Parses the values of a property; only the capitals of its name count, as in old files."""
    values = node.properties.setdefault("".join(sign for sign in name if sign.isupper()), [])
    before = len(values)
    while scanner.next_is("["):
        at = scanner.at
        found = scanner.take(_VALUE)
        if not found:
            raise scanner.error("The value has no closing ].", at)
        values.append(FilePart(found[1], at))
    if len(values) == before:
        raise scanner.error(phrase("The property {name} has no value in [ ].", name=shorten(name.strip(), 20)))


def text_of(raw: str) -> str:
    """The text of a value without escapes; an escaped line end is removed."""
    return _ESCAPE.sub(lambda found: "" if found[1] == "\n" else found[1], raw) if "\\" in raw else raw


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def escape(plain: str) -> str:
    return plain.replace("\r\n", "\n").replace("\r", "\n").replace("\\", "\\\\").replace("]", "\\]")


def written(name: str, *values: str) -> str:
    """A property with its values."""
    return name + "".join(f"[{escape(value)}]" for value in values)


def filled(pieces: Iterable[str]) -> str:
    """The pieces of a game wrapped into lines; no piece is broken."""
    lines, width = [""], 0
    for piece in pieces:
        if width and width + len(piece) > MAX_LINE_WIDTH:
            lines.append("")
            width = 0
        lines[-1] += piece
        width += len(piece) if "\n" not in piece else len(piece) - piece.rindex("\n")
    return "\n".join(lines) + "\n"


NAME = "sgf"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLOURS = ("B", "W")

# Other programs' names of the rule sets; pentad's own names may be followed by options, as in `gomoku line=4`.
RULES = {
    **dict.fromkeys(("free", "free style", "freestyle gomoku", "gomoku freestyle", "0"), FREESTYLE),
    **dict.fromkeys(("standard", "standard gomoku", "gomoku standard", "exactly five", "1"), GOMOKU),
}
GAMES = {"1": "Go", "2": "Othello", "3": "chess", "5": "Nine Men's Morris", "6": "backgammon", "11": "Hex"}

# Game information that becomes tags; {} is the seat of the property's colour.
TAGS = {
    "EV": "Event",
    "RO": "Round",
    "DT": "Date",
    "PC": "Site",
    "GN": "GameName",
    "ON": "Opening",
    "TM": "TimeLimit",
    "OT": "Overtime",
    "AN": "Annotator",
    "US": "EnteredBy",
    "SO": "Source",
    "CP": "Copyright",
    "GC": "GameComment",
}
PLAYER_TAGS = {"P{}": "Seat{}", "{}R": "Seat{}Rating", "{}T": "Seat{}Team"}

REASONS = {RESIGNED: "R", OUT_OF_TIME: "T", FORFEIT: "F"}
_REASONS_READ = {
    **{letter.lower(): reason for reason, letter in REASONS.items()},
    "resign": RESIGNED,
    "time": OUT_OF_TIME,
    "forfeit": FORFEIT,
}
# Marks of moves as properties, each with its value.
MARKS = {"?!": ("DO", ""), "?": ("BM", "1"), "??": ("BM", "2"), "!?": ("IT", ""), "!": ("TE", "1"), "!!": ("TE", "2")}
EXACT = "EXACT"  # pentad's property besides V: the value is proved

_WINS = re.compile(r"(b|w)(?:lack|hite)?(?:\+\s*(.*))?", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")
_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_REAL = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?")
SETUP = ("AB", "AW", "AE")


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read(text: str, game: str | None = None) -> list[Record]:
    """Every game of a collection."""
    common.check_name(NAME, game)
    return read_each(text, lambda scanner: _Reader(scanner, _read_tree(scanner)).read())


class _Reader:
    """Reads one game's tree into a record."""

    def __init__(self, scanner: Scanner, tree: SgfNode) -> None:
        self.scanner = scanner
        self.tree = tree
        self.head = list(_head(tree))
        self._check_kind()
        self.size = self._size()
        self.set_up = self._stones_set_up()
        self.colours = self._colours()  # seat 0 has the first of them

    def read(self) -> Record:
        rules = self._one("RU")
        words = _rule_words(rules.text) if rules else []
        if rules and rules.text and not words:
            known = ", ".join(name for name, each in RULE_SETS.items() if not each.captures)
            raise self.scanner.error(
                phrase(
                    "RU[{text}] is not a rule set for SGF. The rule sets are {known}.",
                    text=shorten(rules.text, 30),
                    known=known,
                ),
                rules.at,
            )
        return self._read_by(*words) if words else common.by_either_rules(self._read_by)

    def _read_by(self, *words: str) -> Record:
        record = Record(self._start(words))
        self._read_nodes(record.root)
        self._read_tags(record)
        self._read_result(record)
        return record

    # ── the start ──

    def _one(self, name: str) -> FilePart | None:
        """The only value of a property in the nodes before the first move."""
        found = [value for node in self.head for value in node.properties.get(name, ())]
        if len(found) > 1:
            raise self.scanner.error(phrase("{name} has a second value.", name=name), found[1].at)
        return FilePart(text_of(found[0].text).strip(), found[0].at) if found else None

    def _check_kind(self) -> None:
        form, kind = self._one("FF"), self._one("GM")
        if form and form.text not in ("1", "2", "3", "4"):
            raise self.scanner.error(
                phrase("The version of SGF must be 1 to 4, not FF[{text}].", text=shorten(form.text, 20)), form.at
            )
        if kind and kind.text != "4":
            name = GAMES.get(kind.text, "another game")
            raise self.scanner.error(
                phrase("Expected GM[4], gomoku, got GM[{text}], {name}.", text=shorten(kind.text, 20), name=name),
                kind.at,
            )

    def _size(self) -> int:
        """The size of SZ; without it 15, or at least 19 if a stone is farther out."""
        size = self._one("SZ")
        if size is None:
            return 15 if not (far := _farthest(self.tree)) or far <= 15 else max(19, far)
        found = _SIZE.fullmatch(size.text)
        if not found:
            raise self.scanner.error(
                phrase("Expected a size such as 15, got SZ[{text}].", text=shorten(size.text, 20)), size.at
            )
        if found[2] and found[1] != found[2]:
            raise self.scanner.error(
                phrase("The board must be square, not {width}×{height}.", width=found[1], height=found[2]), size.at
            )
        try:
            GAME.options["size"].check(int(found[1]))
        except GameError as error:
            raise self.scanner.error(str(error), size.at) from None
        return int(found[1])

    def _stones_set_up(self) -> dict[str, int]:
        """The points of the setup stones of each colour."""
        here = board(self.size, 1)
        stones = {"B": 0, "W": 0}
        for node in self.head:
            for name in SETUP:
                for value in node.properties.get(name, ()):
                    self._set_up(here, stones, name[1], value)
        return stones

    def _set_up(self, here: Board, stones: dict[str, int], colour: str, value: FilePart) -> None:
        """Adds a setup stone, or a rectangle of them."""
        if colour not in stones:
            raise self.scanner.error("AE, which removes stones, is not supported.", value.at)
        one, _, other = value.text.partition(":")
        a = self._stone(here, one, value.at)
        b = self._stone(here, other, value.at) if other else a
        for column in range(min(a.column, b.column), max(a.column, b.column) + 1):
            for row in range(min(a.row, b.row), max(a.row, b.row) + 1):
                bit = here.bit(column, row)
                if bit & (stones["B"] | stones["W"]):
                    raise self.scanner.error(
                        phrase("Two stones are set up on {stone}.", stone=Stone(column, row)), value.at
                    )
                stones[colour] |= bit

    def _colours(self) -> tuple[str, str]:
        """The colour that began the game, and the other: the one with more setup stones, or else the one to move."""
        player = self._one("PL")
        if player and player.text[:1].upper() not in self.set_up:
            raise self.scanner.error(phrase("PL must be B or W, not {text}.", text=shorten(player.text, 20)), player.at)
        black, white = (stones.bit_count() for stones in self.set_up.values())
        if black != white:
            first = "B" if black > white else "W"
        else:
            first = _first_mover(self.tree) or (player.text[:1].upper() if player else "B")
        return ("B", "W") if first == "B" else ("W", "B")

    def _start(self, words: Sequence[str]) -> PentePosition:
        """The first position, with the setup stones."""
        rules = self._one("RU")
        try:
            start = GAME.new(**GAME.read_options([f"rules={words[0]}", f"size={self.size}", *words[1:]]))
            assert isinstance(start, PentePosition)
            if start.rules.captures:
                raise GameError(
                    "{name} holds games without captures, but {setup} has captures.",
                    name=NAME,
                    setup=start.setup.name,
                )
            if start.rules.opening == SWAP2:
                raise GameError("{name} cannot hold the opening {swap2}.", name=NAME, swap2=SWAP2)
        except GameError as error:
            raise self.scanner.error(str(error), (rules or self._one("SZ") or FilePart("", self.tree.at)).at) from None
        return self._with_stones(start) if any(self.set_up.values()) else start

    def _with_stones(self, start: PentePosition) -> PentePosition:
        """The position with the setup stones; the colours must have taken turns."""
        first, second = (self.set_up[colour] for colour in self.colours)
        if first.bit_count() - second.bit_count() not in (0, 1):
            black, white = (stones.bit_count() for stones in self.set_up.values())
            at = next(node.properties[name][0].at for node in self.head for name in SETUP if name in node.properties)
            raise self.scanner.error(
                phrase(
                    "{black} black and {white} white stones are not possible in alternate turns.",
                    black=black,
                    white=white,
                ),
                at,
            )
        begun = GAME.load([*start.options_text().split(), notation.write_board(start.board, (first, second))])
        assert isinstance(begun, PentePosition)
        player = self._one("PL")
        if player and player.text[:1].upper() != self.colours[begun.turn]:
            raise self.scanner.error(
                phrase("By the setup stones, {colour} is to move.", colour=self.colours[begun.turn]), player.at
            )
        return begun

    def _stone(self, here: Board, point: str, at: int) -> Stone:
        """The stone on a point such as `hh`."""
        point = point.strip()
        last = LETTERS[here.size - 1] * 2
        if not point or (point == "tt" and here.size <= 19):
            raise self.scanner.error("A player cannot pass in this game.", at)
        if len(point) != 2 or not set(point) <= set(LETTERS):
            raise self.scanner.error(
                phrase("{point} is not a point; points are aa to {last}.", point=shorten(repr(point), 20), last=last),
                at,
            )
        column, row = map(LETTERS.index, point)
        if not here.on_board(column, row):
            raise self.scanner.error(
                phrase("{point} is not on the board; points are aa to {last}.", point=point, last=last), at
            )
        return Stone(column, here.size - 1 - row)

    # ── the moves ──

    def _read_nodes(self, root: Node) -> None:
        """Plays the moves of the tree, with their comments, clocks and values."""
        start = root.position
        assert isinstance(start, PentePosition)
        head = set(map(id, self.head))
        waiting: list[tuple[SgfNode, Node, int]] = [(self.tree, root, 0)]
        while waiting:
            sgf, node, depth = waiting.pop()
            if id(sgf) not in head and (setup := [name for name in SETUP if name in sgf.properties]):
                raise self.scanner.error(
                    "Stones can be set up only before the first move.", sgf.properties[setup[0]][0].at
                )
            if depth > MAX_VARIATION_DEPTH:
                raise self.scanner.error(
                    phrase("Variations are nested more than {max_depth} deep.", max_depth=MAX_VARIATION_DEPTH), sgf.at
                )
            node = self._played(start.board, sgf, node)
            children = [(child, node, depth + bool(i)) for i, child in enumerate(sgf.children)]
            waiting += reversed(children)

    def _played(self, here: Board, sgf: SgfNode, node: Node) -> Node:
        """The node after an SGF node: the one of its move, or the same node with a comment."""
        moves = [(colour, value) for colour in COLOURS for value in sgf.properties.get(colour, ())]
        if len(moves) > 1:
            raise self.scanner.error("A node can have only one move.", max(value.at for _, value in moves))
        for colour, value in moves:
            due = self.colours[node.position.turn]
            if colour != due and not node.position.outcome:
                raise self.scanner.error(
                    phrase("Expected a move of {due}, got one of {colour}.", due=due, colour=colour), value.at
                )
            node = common.follow(self.scanner, node, self._stone(here, value.text, value.at), value.at)
            if values := sgf.properties.get(f"{colour}L"):
                node.clock = round(self._number(_SECONDS, values[0]), 3)
            if values := sgf.properties.get("V"):
                number = self._number(_REAL, values[0])
                if abs(number) <= 1:  # other programs use other scales
                    node.value = Value(number if colour == "B" else -number, EXACT in sgf.properties)
            found = (mark for mark, (name, value) in MARKS.items() if value in sgf.texts(name))
            node.mark = next(found, node.mark)
        comment = "\n".join(filter(None, (node.comment, *sgf.texts("N"), *sgf.texts("C"))))
        shapes, node.comment = take_all(comment)
        node.shapes += shapes
        return node

    def _number(self, pattern: re.Pattern[str], value: FilePart) -> float:
        found = pattern.fullmatch(value.text.strip())
        if not found:
            raise self.scanner.error(
                phrase("Expected a number such as 12.5, got {text}.", text=shorten(repr(value.text), 20)), value.at
            )
        return float(found[0])

    # ── tags and the result ──

    def _read_tags(self, record: Record) -> None:
        names = dict(TAGS)
        for seat, colour in enumerate(self.colours):
            names |= {theirs.format(colour): ours.format(seat) for theirs, ours in PLAYER_TAGS.items()}
        for node in self.head:
            for name, (raw, *_) in node.properties.items():
                if name in names and (text := text_of(raw.text)):
                    record.tags[names[name]] = text if name == "GC" else text.replace("\n", " ")

    def _read_result(self, record: Record) -> None:
        result = self._one("RE")
        if not result:
            return
        words = result.text.lower()
        outcome: Outcome | None
        if found := _WINS.fullmatch(words):
            winner = self.colours.index(found[1].upper())
            outcome = Outcome.of((winner,), 2, _REASONS_READ.get(found[2] or "", RESULT_ONLY))
        elif words in ("0", "draw", "jigo", "tie"):
            outcome = Outcome.of((), 2, RESULT_ONLY)
        elif words in ("?", "void", ""):
            outcome = None
        else:
            raise self.scanner.error(
                phrase("Expected a result such as B+R, W+ or 0, got RE[{text}].", text=shorten(result.text, 20)),
                result.at,
            )
        common.settle(self.scanner, record, outcome, result.at)


def _head(tree: SgfNode) -> Iterator[SgfNode]:
    """The nodes up to the first move or the first variation."""
    yield tree
    while len(tree.children) == 1 and not any(colour in tree.properties for colour in COLOURS):
        tree = tree.children[0]
        yield tree


def _first_mover(tree: SgfNode) -> str | None:
    """The colour of the main line's first move."""
    node: SgfNode | None = tree
    while node:
        for colour in COLOURS:
            if colour in node.properties:
                return colour
        node = node.children[0] if node.children else None
    return None


def _farthest(tree: SgfNode) -> int:
    """The smallest size of a board for all stones of a tree."""
    far = 0
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        for name in (*COLOURS, *SETUP):
            for value in node.properties.get(name, ()):
                letters = value.text.strip().replace(":", "")
                if letters != "tt" and set(letters) <= set(LETTERS):
                    far = max(far, *(LETTERS.index(letter) + 1 for letter in letters), 0)
    return far


def _rule_words(text: str) -> list[str]:
    """A rule set's name and its options; empty for an unknown one."""
    if text.lower() in RULES:
        return [RULES[text.lower()]]
    name, *options = text.split() or [""]
    return [name.lower(), *options] if name.lower() in RULE_SETS and all("=" in word for word in options) else []


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(records: Sequence[Record]) -> str:
    """The games as a collection."""
    for record in records:
        check_depth(record)
    losses = Losses(NAME)
    text = "\n".join(filled(["(", *_pieces(record, losses), ")"]) for record in records)
    losses.warn()
    return text


def _pieces(record: Record, losses: Losses) -> Iterator[str]:
    start = common.start_of(record, NAME)
    if start.rules.captures:
        raise GameError(
            "{name} holds games without captures, but {setup} has captures. Use pgn for most of those.",
            name=NAME,
            setup=start.setup.name,
        )
    yield ";FF[4]GM[4]CA[UTF-8]AP[pentad]"
    yield written("SZ", str(start.board.size))
    yield written("RU", " ".join([start.setup.name, *common.unusual(start, but=("size",))]))
    yield from _tags(record, losses)
    yield from _result(record, losses)
    if not common.is_fresh(start):
        for name, stones in zip(SETUP, start.stones, strict=False):
            if stones:
                yield written(name, *(_point(start.board, start.board.stones[point]) for point in points_of(stones)))
        yield written("PL", COLOURS[start.turn])
    if comment := commented(record.root.shapes, record.root.comment):
        yield written("C", comment)
    losses.note("clock time", record.root.clock is not None)
    losses.note("value", record.root.value is not None)
    yield from _moves(record.root, start.board)


def _tags(record: Record, losses: Losses) -> Iterator[str]:
    names = {ours: theirs for theirs, ours in TAGS.items()}
    for seat, colour in enumerate(COLOURS):
        names |= {ours.format(seat): theirs.format(colour) for theirs, ours in PLAYER_TAGS.items()}
    for ours, value in record.tags.items():
        if ours in names:
            plain = value if ours == "GameComment" else losses.plain(value, f"the tag {ours}")
            yield written(names[ours], plain)
        elif ours not in STANDARD_TAGS:
            losses.note(f"the tag {shorten(ours, 30)}")


def _result(record: Record, losses: Losses) -> Iterator[str]:
    outcome = record.outcome
    if not outcome:
        return
    reason = ""
    if not record.position.outcome:
        reason = "" if outcome.is_draw else REASONS.get(outcome.reason, "")
        losses.note(f"the reason {shorten(repr(outcome.reason), 30)}", not reason and outcome.reason != RESULT_ONLY)
    yield written("RE", "0" if outcome.is_draw else f"{COLOURS[outcome.winners[0]]}+{reason}")


def _moves(root: Node, here: Board) -> Iterator[str]:
    """The nodes after the root, with the variations in parentheses."""
    waiting: list[str | Node] = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        if item is not root:
            yield _move(item, here)
        if len(item.children) == 1:
            waiting += item.children
        else:
            for child in reversed(item.children):
                waiting += [")", child, "("]


def _move(node: Node, here: Board) -> str:
    """A node with its move, clock, value and comment."""
    before, move = node.played
    seat, colour = before.turn, COLOURS[before.turn]
    text = f";{colour}[{_point(here, cast(Stone, move[0]))}]"
    if node.clock is not None:
        text += written(f"{colour}L", _decimal(node.clock, 3))
    if node.value is not None:
        number = -node.value.number if seat else node.value.number
        text += written("V", _decimal(number, 4)) + f"{EXACT}[]" * node.value.exact
    if node.mark:
        text += written(*MARKS[node.mark])
    comment = commented(node.shapes, node.comment)
    return text + (written("C", comment) if comment else "")


def _point(here: Board, stone: Stone) -> str:
    return LETTERS[stone.column] + LETTERS[here.size - 1 - stone.row]


def _decimal(number: float, places: int) -> str:
    digits = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


FORMAT = Format(
    NAME, (".sgf",), "SGF of gomoku and similar games, with variations", read, write, lambda text: text.startswith("(")
)
