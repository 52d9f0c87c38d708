"""Game record: a tree of moves with comments, clock times and values, and tags for the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pentad.game import Choice, Game, GameError, Move, Outcome, Position, Steps, game_of, new, shorten

__all__ = ["Node", "Record", "Value"]

REPEATED = "threefold repetition"
RESULT_ONLY = "told"  # the reason where a file states only the result; stored, so it does not change


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a move for the seat that played it, from -1 (lost) to 1 (won); exact if it is proved."""

    number: float
    exact: bool = False


@dataclass(eq=False, slots=True)
class Node:
    """A position in the tree, its move and its comment; `children[0]` continues the main line."""

    position: Position
    move: Move | None = None  # None at the root
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    comment: str = ""
    clock: float | None = None  # seconds that the player had left after the move
    value: Value | None = None
    _repetitions: int = 0  # a cache; 0 before the first count
    _hash: int | None = None  # a cache: the hash of the position's `recurring`

    def play(self, move: Steps) -> Node:
        """Plays a move: returns the child with this move, else appends a new one."""
        after = self.position.play(move)
        # The record keeps one spelling: parsing drops the optional parts of a move.
        return self.add(self.position.parse(str(move) if isinstance(move, str | Choice) else str(Move(move))), after)

    def add(self, move: Move, after: Position) -> Node:
        """Adds a move as `parse` returned it, and the position after it: returns the child with it, else a new one."""
        for child in self.children:
            if child.move == move:
                return child
        child = Node(after, move, self)
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
        """How often this position has occurred up to here, this time included."""
        if not self._repetitions:  # a node's ancestors never change, so one count is enough
            self._repetitions = self._count()
        return self._repetitions

    def _count(self) -> int:
        here, count = self.position.recurring, 1
        if here is None:
            return count
        self._hash = wanted = hash(here)
        node = self.parent
        while node is not None:
            if node._hash is None:
                node._hash = hash(node.position.recurring)
            count += node._hash == wanted and node.position.recurring == here
            node = node.parent
        return count

    def unlink(self) -> None:
        """Unlinks this node and its descendants, so that a discarded tree is freed at once.

        Nodes and their parents form reference cycles, which would otherwise wait for Python's garbage collector.
        """
        nodes = [self]
        while nodes:
            node = nodes.pop()
            nodes += node.children
            node.parent, node.children = None, []

    take_apart = unlink  # the former name

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
            raise GameError("Options need the name of a game: a position has its own options.")
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
        """The outcome that the moves show: on the board, or by threefold repetition."""
        end = self.end
        if end.position.outcome is None and end.repetitions >= 3:
            return Outcome.of((), self.start.players, REPEATED)
        return end.position.outcome

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
            raise GameError(f"The game is over: {self.result}, {self.outcome.reason}.")
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
            raise GameError(f"Only records with the same start position can be merged: {mine} is not {theirs}.")
        for name, value in other.tags.items():
            self.tags.setdefault(name, value)
        pairs = [(self.root, other.root)]
        while pairs:
            node, added = pairs.pop()
            if added.comment and added.comment not in node.comment:
                node.comment = f"{node.comment} {added.comment}".strip()
            node.clock = added.clock if node.clock is None else node.clock
            node.value = added.value if node.value is None else node.value
            pairs.extend((node.play(child.move or ""), child) for child in added.children)
        if self.ended is None and not self.shown and self.moves == other.moves:
            self.ended = other.ended

    @property
    def text(self) -> str:
        """The record in pentad's text format, which `Record.read` reads back."""
        from pentad.record.text import write

        return write(self)

    @classmethod
    def read(cls, text: str, *, strict: bool = True, game: str | None = None) -> Record:
        """Reads the only record of a text. The strict parser takes the form of `text`, the lenient one typed moves.

        `game` is the game of a lenient text that does not name one.
        """
        records = cls.read_all(text, strict=strict, game=game)
        if len(records) != 1:
            raise GameError(f"Expected one game, got {len(records)}.")
        return records[0]

    @classmethod
    def read_all(cls, text: str, *, strict: bool = True, game: str | None = None) -> list[Record]:
        """Reads every record of a text."""
        from pentad.record.lenient import read_leniently
        from pentad.record.text import read_strictly

        return read_strictly(text) if strict else read_leniently(text, game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.text == other.text

    __hash__ = None  # type: ignore[assignment]  # a record is mutable

    def __repr__(self) -> str:
        return f"<Record of {self.game.name}: {len(self.moves)} moves, {self.result}>"
