"""A game as played: a tree of moves with comments, clock times and values, and tags about the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pentad.game import Choice, Game, GameError, Move, Outcome, Position, Steps, game_of, new, shorten

__all__ = ["Node", "Record", "Value"]

REPEATED = "threefold repetition"


@dataclass(frozen=True, slots=True)
class Value:
    """What a move is worth to the seat that played it, from -1 (lost) to 1 (won); exact when it is proved."""

    number: float
    exact: bool = False


@dataclass(eq=False, slots=True)
class Node:
    """A position in the tree, the move that led to it and what was said of it; `children[0]` goes on the main line."""

    position: Position
    move: Move | None = None  # None at the root
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    comment: str = ""
    clock: float | None = None  # seconds the mover had left after the move
    value: Value | None = None
    _repetitions: int = 0  # once it has been counted
    _mark: int | None = None  # the hash of what recurs in the position, once that was asked for

    def play(self, move: Steps) -> Node:
        """Go on with a move: the child that has it already, else a new one behind the others."""
        after = self.position.play(move)
        # The record keeps one spelling: parsing drops what a move may carry but does not need.
        kept = self.position.parse(str(move) if isinstance(move, str | Choice) else str(Move(move)))
        for child in self.children:
            if child.move == kept:
                return child
        child = Node(after, kept, self)
        self.children.append(child)
        return child

    @property
    def line(self) -> list[Node]:
        """The nodes from the root to here."""
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        return nodes[::-1]

    @property
    def repetitions(self) -> int:
        """How often this position has stood on the board up to here, this time included."""
        if not self._repetitions:  # what leads to a node never changes, so that it is counted once
            self._repetitions = self._count()
        return self._repetitions

    def _count(self) -> int:
        here, count = self.position.recurring, 1
        if here is None:
            return count
        self._mark = mark = hash(here)
        node = self.parent
        while node is not None:
            if node._mark is None:
                node._mark = hash(node.position.recurring)
            count += node._mark == mark and node.position.recurring == here
            node = node.parent
        return count

    def unlink(self) -> None:
        """Part this node and all below it from each other: a tree that nobody needs any more is gone at once.

        A node and its parent hold on to each other; otherwise the memory waits for Python's collector.
        """
        nodes = [self]
        while nodes:
            node = nodes.pop()
            nodes += node.children
            node.parent, node.children = None, []

    def promote(self) -> None:
        """Make the line to here the main line."""
        for node in self.line[1:]:
            siblings = node.parent.children if node.parent else []
            siblings.remove(node)
            siblings.insert(0, node)


class Record:
    """A game as played: its tags and its tree of moves.

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
        start: Position | str = "pentago",
        *,
        tags: dict[str, str] | None = None,
        ended: Outcome | None = None,
        **options: object,
    ) -> None:
        """A record from a position, or from the beginning of a game with options.

        `ended` is an outcome that the moves do not show: a resignation, a flag, an agreed draw.
        """
        if isinstance(start, str):
            start = new(start, **options)
        elif options:
            raise GameError("options belong to a game's name; a position has its own")
        self.root = Node(start)
        self.tags = dict(tags or {})
        self.ended = ended

    @property
    def game(self) -> Game:
        return game_of(self.start)

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
        """How the game ended by its moves: on the board, or because the position stands there for the third time."""
        end = self.end
        if end.position.outcome is None and end.repetitions >= 3:
            return Outcome.of((), self.start.players, REPEATED)
        return end.position.outcome

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: by its moves, or as `ended` tells."""
        return self.shown or self.ended

    @property
    def result(self) -> str:
        """The outcome's score, or `*` for a game that goes on."""
        return self.outcome.score if self.outcome else "*"

    def play(self, move: Steps) -> Node:
        """Play a move at the end of the main line."""
        if self.outcome:
            raise GameError(f"the game is over: {self.result}, {self.outcome.reason}")
        return self.end.play(move)

    def take_back(self) -> Node:
        """Take back the last move of the main line, with all that hangs on it; the node it was."""
        node = self.end
        if node.parent is None:
            raise GameError("no move has been played")
        node.parent.children.remove(node)
        self.ended = None
        return node

    def nodes(self) -> Iterator[Node]:
        """Every node, the root first, each before those that follow it."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def merge(self, other: Record) -> None:
        """Take over another record's lines and what it says of them; what stands here already stays."""
        if other.start != self.start:
            raise GameError(
                f"only records with the same beginning can be merged: {shorten(self.start.text, 40)} "
                f"is not {shorten(other.start.text, 40)}"
            )
        for name, value in other.tags.items():
            self.tags.setdefault(name, value)
        pairs = [(self.root, other.root)]
        while pairs:
            mine, theirs = pairs.pop()
            if theirs.comment and theirs.comment not in mine.comment:
                mine.comment = f"{mine.comment} {theirs.comment}".strip()
            mine.clock = theirs.clock if mine.clock is None else mine.clock
            mine.value = theirs.value if mine.value is None else mine.value
            pairs.extend((mine.play(child.move or ""), child) for child in theirs.children)
        if self.ended is None and not self.shown and self.moves == other.moves:
            self.ended = other.ended

    @property
    def text(self) -> str:
        """The record in pentad's own format, which `Record.read` reads back."""
        from pentad.record.text import write

        return write(self)

    @classmethod
    def read(cls, text: str, *, strict: bool = True, game: str | None = None) -> Record:
        """The one record of a text. Strict reading takes only what `text` writes; lenient reading what people type.

        `game` is the game of a lenient text that does not name one.
        """
        records = cls.read_all(text, strict=strict, game=game)
        if len(records) != 1:
            raise GameError(f"one game is expected, but the text holds {len(records)}")
        return records[0]

    @classmethod
    def read_all(cls, text: str, *, strict: bool = True, game: str | None = None) -> list[Record]:
        """Every record of a text."""
        from pentad.record.lenient import read_leniently
        from pentad.record.text import read_strictly

        return read_strictly(text) if strict else read_leniently(text, game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.text == other.text

    __hash__ = None  # type: ignore[assignment]  # it changes as it is played

    def __repr__(self) -> str:
        return f"<Record of {self.game.name}: {len(self.moves)} moves, {self.result}>"
