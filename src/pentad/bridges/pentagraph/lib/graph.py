"""pentagraph's board: a networkx graph of labels, with figures; its moves and its JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

from networkx import Graph  # type: ignore[import-untyped]

from pentad.bridges.pentagraph.labels import (
    CONVENTIONS,
    DUE,
    MOVER,
    NAMES,
    OFF_LABEL,
    PENTAGRAPH,
    NamingConvention,
    NoSuchNode,
    convention,
)
from pentad.bridges.pentagraph.lib.figures import (
    COLORS,
    TYPES,
    BlackStopper,
    Colors,
    Figure,
    FigureType,
    GrayStopper,
    Player,
)
from pentad.game import GameError, IllegalMove, InvalidMove, shown
from pentad.games.pentagame.board import EDGES, FIELDS, LINKS, MAINS, OFF_BOARD, goal, path, reach, set_of
from pentad.games.pentagame.denomination import BLACKS, GRAYS, MAX_PLAYERS, PIECES
from pentad.record.formats import decode, errors_at, load_json, object_at, take
from pentad.system.words import phrase

# ── moves ─────────────────────────────────────────────────────────────────────────────────────────
#
# A board of pentagraph need not be a position of a game. Validation covers free paths, empty fields, captures, swaps,
# finished pieces and the blocks that are due after them. Fields are numbers.

Piece: TypeAlias = tuple[int, int]  # its player and its number, 0 to 4


class Step(NamedTuple):
    """A move of the denomination: a player's figure goes to a field or off the board."""

    player: int
    figure: int
    to: int


@dataclass
class Scene:
    """The fields of all figures while moves are played, and the blocks that the last player must still put."""

    names: NamingConvention
    pieces: dict[Piece, int]
    blocks: dict[int, int]
    due: tuple[str, ...]
    mover: int | None

    def play(self, steps: Iterable[Step], validate: bool) -> None:
        """Plays moves: a piece, its swap partner, blocks, and so on.

        Automatic consequences, such as a piece that leaves the board, are optional.
        """
        rest = list(steps)
        known = len(rest) > 1
        while rest:
            step = rest.pop(0)
            if step.figure in PIECES:
                self._move_piece(step, rest, validate, known)
            else:
                self._put_block(step, validate, known)

    def _owe(self, due: tuple[str, ...], mover: int | None) -> None:
        self.due, self.mover = due, mover if due else None

    @property
    def taken(self) -> int:
        return set_of([*self.pieces.values(), *self.blocks.values()])

    # ── pieces ───────────────────────────────────────────────────────────────────────────────────

    def _move_piece(self, step: Step, rest: list[Step], validate: bool, known: bool) -> None:
        piece, to = (step.player, step.figure), step.to
        if piece not in self.pieces:
            raise IllegalMove("{name} is not on this board.", name=_name(piece))
        start = self.pieces[piece]
        if start == OFF_BOARD and to == OFF_BOARD and known:  # it is the explicit consequence of another step
            return
        if start == OFF_BOARD:
            raise IllegalMove("{name} has left the board.", name=_name(piece))
        partner = None if to == OFF_BOARD else self._partner(piece, to, rest)
        if validate:
            self._check_move(piece, to)
        home = [piece] if to in (OFF_BOARD, goal(piece[1])) else []
        # Another player's piece leaves only together with the moving piece.
        if partner and start == goal(partner[1]) and (home or partner[0] == piece[0]):
            home.append(partner)
        taken = [block for block, where in self.blocks.items() if where == to != OFF_BOARD]
        self.pieces |= {piece: to} | ({partner: start} if partner else {}) | dict.fromkeys(home, OFF_BOARD)
        self.blocks |= dict.fromkeys(taken, OFF_BOARD)
        self._owe(("black",) * any(block in BLACKS for block in taken) + ("gray",) * len(home), piece[0])

    def _partner(self, piece: Piece, to: int, rest: list[Step]) -> Piece | None:
        """The swap partner: the piece that is named next, or the only one on the field."""
        standing = [each for each, where in self.pieces.items() if where == to and each != piece]
        if rest and rest[0].figure in PIECES and rest[0].to == self.pieces[piece]:
            named = (rest[0].player, rest[0].figure)
            if named not in standing:
                raise IllegalMove("{name} is not on {label}.", name=_name(named), label=self.names.label(to))
            rest.pop(0)
            return named
        if len(standing) > 1:
            raise IllegalMove(
                "Several pieces are on {label}. Name the swap partner in the next move.", label=self.names.label(to)
            )
        return standing[0] if standing else None

    def _check_move(self, piece: Piece, to: int) -> None:
        """Refuses an illegal move of a piece; off the board goes one that another player brought to its goal."""
        if self.due:
            raise IllegalMove(
                "Player {mover} must put a {due} block on an empty field first.", mover=self.mover, due=self.due[0]
            )
        start, label = self.pieces[piece], self.names.label
        waiting = [each for each, where in self.pieces.items() if each[0] == piece[0] and where == goal(each[1])]
        if to == OFF_BOARD:
            if piece not in waiting:
                raise IllegalMove("{name} is on {label}, not at its goal.", name=_name(piece), label=label(start))
        elif waiting:
            raise IllegalMove("{name} was brought to its goal, so it must leave first.", name=_name(waiting[0]))
        elif start == to:
            raise IllegalMove("{name} is already on {label}.", name=_name(piece), label=label(to))
        elif not reach(start, self.taken) >> to & 1:
            raise IllegalMove(
                "{name} has no free path from {start} to {to}.",
                name=_name(piece),
                start=label(start),
                to=label(to),
            )

    # ── blocks ───────────────────────────────────────────────────────────────────────────────────

    def _put_block(self, step: Step, validate: bool, known: bool) -> None:
        kind, figures = ("gray", GRAYS) if step.figure in GRAYS else ("black", BLACKS)
        block = f"The {kind} block {step.figure}"
        if step.figure not in self.blocks:
            raise IllegalMove("{block} is not on this board.", block=block)
        if step.to == OFF_BOARD:
            if known and self.blocks[step.figure] == OFF_BOARD:  # it has just been taken
                return
            if validate:
                raise IllegalMove("{block} leaves the board only if a piece takes it.", block=block)
        elif validate:
            self._check_put(step, kind, figures)
        self.blocks[step.figure] = step.to
        self._owe(self.due[1:] if self.due[:1] == (kind,) else self.due, self.mover)

    def _check_put(self, step: Step, kind: str, figures: Sequence[int]) -> None:
        """Refuses to put a block that is not due, or on a field that is not empty."""
        if not self.due:
            raise IllegalMove("No block is due. A block is put after a piece has taken one or reached its goal.")
        if self.due[0] != kind:
            raise IllegalMove("A {due} block must be put first.", due=self.due[0])
        if step.player != self.mover:
            raise IllegalMove(
                "Player {mover} must put the block, not player {player}.", mover=self.mover, player=step.player
            )
        in_hand = [figure for figure in figures if self.blocks.get(figure) == OFF_BOARD]
        if in_hand and step.figure not in in_hand:
            raise IllegalMove(
                "The {kind} block {in_hand} must be put, not {figure}.",
                kind=kind,
                in_hand=" or ".join(map(str, in_hand)),
                figure=step.figure,
            )
        if self.taken >> step.to & 1:
            raise IllegalMove("{label} is not empty.", label=self.names.label(step.to))


def _name(piece: Piece) -> str:
    return phrase("Player {player}'s figure {figure}", player=piece[0], figure=piece[1])


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────
#
#     {"graph": {"nodes": [{"id": "0-0-0", …}, …], "links": [{"source": "0-0-0", "target": "0-1-1"}, …], …},
#      "figures": …}
#
# Figures are objects `{"type", "position", "uid", "color"}`; lists `[position, uid]` or `[position, uid, colour]`, of
# a RawBoard; lists `[figure, label, player, type]`, of versions before 0.0.1; or, with the graph under `edges`, an
# object of `label: [figure, player]`. Errors name the path.

MOST_FIGURES = MAX_PLAYERS * len(PIECES) + len(GRAYS) + len(BLACKS)
MOST_LINKS = sum(len(edge.stops) + 1 for edge in EDGES)
_HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")


def _names(attributes: dict[str, Any], where: str) -> NamingConvention:
    word = attributes.get(NAMES, PENTAGRAPH.word)
    if not isinstance(word, str) or word not in CONVENTIONS:
        raise GameError(
            "{where}.{names}: Expected {conventions}, got {word}.",
            where=where,
            names=NAMES,
            conventions=" or ".join(CONVENTIONS),
            word=shown(word, 40),
        )
    return CONVENTIONS[word]


def _items(holder: dict[str, Any], name: str, where: str, limit: int) -> list[tuple[Any, str]]:
    """The items of a list of limited length, each with its path."""
    path = f"{where}.{name}".lstrip(".")
    found = take(holder, name, list, where)
    if len(found) > limit:
        raise GameError(
            "{path}: Expected at most {limit} items, got {count}.", path=path, limit=limit, count=len(found)
        )
    return [(each, f"{path}[{i}]") for i, each in enumerate(found)]


def _check_due(attributes: dict[str, Any], where: str) -> None:
    """Checks the due blocks, which this package adds to a board."""
    due = take(attributes, DUE, list, where, [])
    if any(each not in ("black", "gray") for each in due) or len(due) > 3:
        raise GameError(
            "{where}.{due}: Expected a list of black and gray, got {got}.",
            where=where,
            due=DUE,
            got=shown(due, 40),
        )
    if due:
        take(attributes, MOVER, int, where)


def _node(given: Any, where: str, names: NamingConvention) -> tuple[str, dict[str, Any]]:
    holder = object_at(given, where)
    label = _label(take(holder, "id", str, where), f"{where}.id", names)
    default = {"weight": 1, "is_field": label.endswith("-0-0")}
    return label, default | {name: value for name, value in holder.items() if name != "id"}


def _edge(given: Any, where: str, names: NamingConvention) -> tuple[str, str, dict[str, Any]]:
    holder = object_at(given, where)
    one, other = (_label(take(holder, end, str, where), f"{where}.{end}", names) for end in ("source", "target"))
    if names.labelled(other) not in LINKS[names.labelled(one)]:
        raise GameError("{where}: {one} and {other} are not neighbours.", where=where, one=one, other=other)
    return one, other, {name: value for name, value in holder.items() if name not in ("source", "target")}


def _label(text: str, where: str, names: NamingConvention) -> str:
    with errors_at(where):
        label = names.label(names.labelled(text))
        if label == OFF_LABEL:
            raise GameError("{label} is not a node.", label=OFF_LABEL)
        return label


def _figures(whole: dict[str, Any], names: NamingConvention) -> list[FigureType]:
    given = whole.get("figures")
    if isinstance(given, dict):
        pairs = [[label, pair] for label, pair in given.items()]
        return [_tabled(*each, names) for each in _items({"figures": pairs}, "figures", "", MOST_FIGURES)]
    return [_figure(*each, names) for each in _items(whole, "figures", "", MOST_FIGURES)]


def _figure(given: Any, where: str, names: NamingConvention) -> FigureType:
    if isinstance(given, dict):
        return _described(given, where, names)
    if isinstance(given, list | tuple) and len(given) == 4:
        return _listed(given, where, names)
    return raw_figure(given, where, names)


def _described(given: dict[str, Any], where: str, names: NamingConvention) -> FigureType:
    """`{"type": "player", "position": [5, 0, 0], "uid": 1, "color": [0, 0, 255]}`"""
    kind = TYPES.get(take(given, "type", str, where))
    if kind is None:
        raise GameError(
            "{where}.type: Unknown type {type}. The types are {types}.",
            where=where,
            type=shown(given["type"], 30),
            types=", ".join(TYPES),
        )
    position, uid = take(given, "position", list, where), take(given, "uid", int, where)
    known = ("type", "position", "uid", "color", "names")
    attrs = {str(name): value for name, value in given.items() if name not in known}
    if kind is Player:
        attrs["color"] = _colour(given.get("color"), f"{where}.color")
    with errors_at(where):
        return kind(position, uid, names=names, **attrs)


def raw_figure(given: Any, where: str, names: NamingConvention) -> FigureType:
    """`[[0, 0, 0], 11]`, or `[[5, 0, 0], 1, [0, 0, 255]]` with a colour for a player's piece."""
    if not isinstance(given, list | tuple) or len(given) not in (2, 3) or type(given[1]) is not int:
        raise GameError(
            "{where}: Expected [position, uid] or [position, uid, colour], got {given}.",
            where=where,
            given=shown(given, 40),
        )
    if len(given) == 3:
        colour = _colour(given[2], f"{where}[2]")
        with errors_at(where):
            return Player(given[0], given[1], colour, names=names)
    with errors_at(where):
        return _stopper(given[1])(given[0], given[1], names=names)


def _listed(given: Sequence[Any], where: str, names: NamingConvention) -> FigureType:
    """`[3, "8-0-0", 1, 0]`: figure, label, player, and 0 for a piece, 1 gray, 2 black."""
    figure, label, player, kind = given
    if [type(each) for each in given] != [int, str, int, int] or kind not in (0, 1, 2):
        raise GameError(
            "{where}: Expected [figure, label, player, type], got {given}.", where=where, given=shown(given, 40)
        )
    with errors_at(where):
        return _of_number(figure, player, label, names)


def _tabled(given: list[Any], where: str, names: NamingConvention) -> FigureType:
    """`"8-0-0": [3, 1]`: a label with its figure and player."""
    label, pair = given
    if not isinstance(pair, list) or [type(each) for each in pair] != [int, int]:
        raise GameError("{where}: Expected [figure, player], got {pair}.", where=where, pair=shown(pair, 40))
    with errors_at(where):
        return _of_number(pair[0], pair[1], label, names)


def _of_number(figure: int, player: int, label: str, names: NamingConvention) -> FigureType:
    position = names.position(names.labelled(label))
    if figure in PIECES:
        return Player(position, player, COLORS[figure][0], names=names, figure=figure)
    return _stopper(figure)(position, figure, names=names)


def _stopper(figure: int) -> type[Figure]:
    if figure in GRAYS:
        return GrayStopper
    if figure in BLACKS:
        return BlackStopper
    raise GameError("Unknown stopper {figure}. 6 to 10 are gray, 11 to 15 black.", figure=shown(figure, 20))


def _colour(given: Any, where: str) -> Sequence[int]:
    """A colour as three numbers or as `#rrggbb`."""
    if isinstance(given, str) and (found := _HEX.fullmatch(given)):
        return [int(part, 16) for part in found.groups()]
    if isinstance(given, list | tuple) and len(given) == 3 and all(type(each) is int for each in given):
        return given
    raise GameError(
        "{where}: Expected a colour, [red, green, blue] or #rrggbb, got {given}.", where=where, given=shown(given, 40)
    )


# ── the board ─────────────────────────────────────────────────────────────────────────────────────

AnyBoard = TypeVar("AnyBoard", bound="Board")
Key = TypeVar("Key")


class Figures(dict[str, FigureType]):
    """The figures by their nodes; a stop's label may name its ends in either order."""

    def __init__(self, names: NamingConvention, figures: Iterable[FigureType] = ()) -> None:
        super().__init__((figure._node, figure) for figure in figures)
        self.names = names

    def _canonical(self, label: object) -> Any:
        try:
            return self.names.label(self.names.labelled(label))
        except NoSuchNode:
            return label

    def __getitem__(self, label: str) -> FigureType:
        return super().__getitem__(self._canonical(label))

    def __contains__(self, label: object) -> bool:
        return super().__contains__(self._canonical(label))

    def get(self, label: str, default: Any = None) -> Any:
        return super().get(self._canonical(label), default)


def fields_of(figures: Mapping[Key, FigureType]) -> dict[Key, int]:
    return {key: figure.number for key, figure in figures.items()}


class Board(Graph):  # type: ignore[misc]  # networkx has no types
    """A board with any figures and without turn order.

    >>> board = Board(generate=True)
    >>> board.gen_start_field((1, 2, 3, 4, 5))
    >>> board.verify_path("5-0-0", "0-3-5")
    (4, ['5-0-0', '0-6-5', '0-5-5', '0-4-5', '0-3-5'])

    `names` is the convention: `pentagraph`, or `denomination` for a board with corners 0 to 4.
    """

    COLORS: Colors = COLORS
    EDGEMAP: tuple[tuple[str, str, int], ...] = PENTAGRAPH.edgemap

    figures: list[Any]
    figures_table: Figures

    def __init__(
        self, figures: Iterable[Any] = (), generate: bool = False, *, names: NamingConvention | str = PENTAGRAPH
    ) -> None:
        super().__init__()
        self.name = "pentagame"
        self._use(convention(names))
        self.figures = []
        self.add_figures(list(figures))
        if generate:
            self.gen_simple()

    def _use(self, names: NamingConvention) -> None:
        """Sets the naming convention."""
        self.names = names
        if names != PENTAGRAPH:
            self.graph[NAMES] = names.word
            self.EDGEMAP = names.edgemap
            self.COLORS = COLORS[1:] + COLORS[:1]  # in pentagraph white comes first

    def copy(self, as_view: bool = False) -> Any:
        """A copy of the board and its figures."""
        other = super().copy(as_view)
        other._use(self.names)
        other.figures = deepcopy(self.figures)
        other.update()
        return other

    # ── the graph ────────────────────────────────────────────────────────────────────────────────

    def gen_simple(self) -> None:
        """Adds all nodes and edges."""
        label = self.names.label
        for number in range(len(FIELDS)):
            self.add_node(label(number), weight=1, is_field=number in MAINS)
        for edge in EDGES:
            walk = (edge.high, *edge.stops, edge.low)
            self.add_edges_from((label(one), label(other)) for one, other in pairwise(walk))

    def label(self, name: str | Sequence[int]) -> str:
        """The node of a position, or of a label with its ends in either order."""
        return self.names.label(self.names.number(name))

    def _number(self, label: str) -> int:
        """The number of a node of the graph."""
        number = self.names.labelled(label)
        if number == OFF_BOARD or self.names.label(number) not in self:
            raise NoSuchNode("The node {label} is not in the graph.", label=label)
        return number

    def verify_path(self, source: str, target: str) -> tuple[int, list[str]] | None:
        """A shortest free path as its length and nodes, or None; a figure on the target is ignored."""
        start, end = self._number(source), self._number(target)
        label = self.names.label
        missing = set_of([number for number in range(len(FIELDS)) if label(number) not in self])
        taken = set_of([figure.number for figure in self.as_figures() if figure.number != start])
        found = path(start, end, taken | missing)
        return None if found is None else (len(found) - 1, [label(number) for number in found])

    # ── the figures ──────────────────────────────────────────────────────────────────────────────

    def as_figures(self) -> list[FigureType]:
        """The figures as objects."""
        return self.figures

    def _stored(self, figure: FigureType) -> Any:
        """The form in which this board stores a figure."""
        return figure

    def gen_start_field(
        self, players: Iterable[int] = (), update: bool = True, empty: bool = True, *, full: bool = False
    ) -> None:
        """Adds the figures of the start position: as in pentagraph, one piece for each player, on separate corners.

        With `full` each player has five pieces, one on every corner, as in the rules of the game.
        """
        uids = list(players)
        if len(uids) > len(PIECES):
            raise GameError("A board has at most five players, got {count}.", count=len(uids))
        if wrong := [uid for uid in uids if type(uid) is not int]:
            raise GameError("A player's uid must be a whole number, not {wrong}.", wrong=shown(wrong[0], 40))
        if full and len(set(uids)) < len(uids):
            raise GameError("The uids of players with five pieces must differ.")
        if empty:
            self.figures = []
        self.set_due((), None)
        figures: list[FigureType] = []
        junctions = range(5) if self.names == PENTAGRAPH else range(5, 10)
        for junction, gray, black in zip(junctions, GRAYS, BLACKS, strict=True):
            figures.append(GrayStopper((-1, -1, -1), gray, names=self.names))
            figures.append(BlackStopper((junction, 0, 0), black, names=self.names))
        for i, uid in enumerate(uids):
            for piece in PIECES if full else (i,):
                corner = self.names.position(piece)
                figures.append(Player(corner, uid, self.COLORS[piece][0], names=self.names, figure=piece))
        self.figures += [self._stored(figure) for figure in figures]
        if update:
            self.update()

    def update(self, figure: FigureType | None = None) -> None:
        """Updates the table of figures by node, for all figures or for one."""
        if figure is None:
            self.figures_table = Figures(self.names, self.as_figures())
            return
        for label in [label for label, other in self.figures_table.items() if other is figure]:
            del self.figures_table[label]
        figure.update_node()
        self.figures_table[figure._node] = figure

    def add_figure(self, figure: Any, update: bool = True) -> None:
        """Adds a figure."""
        self.add_figures([figure], update)

    def add_figures(self, figures: Iterable[Any], update: bool = True) -> None:
        """Adds figures."""
        for figure in figures:
            if not isinstance(figure, Figure):
                raise GameError("Expected a figure, got {figure}.", figure=shown(figure, 40))
            if figure.names != self.names:
                figure.rename(self.names)
            self.figures.append(self._stored(figure))
        if update:
            self.update()

    # ── moves ────────────────────────────────────────────────────────────────────────────────────

    def move(self, move: Any, validate: bool = True) -> None:
        """Plays moves `[player, figure, start, counter, end]` of the denomination, in this board's convention.

        The figures 0 to 4 are the player's pieces, 6 to 10 gray stoppers, 11 to 15 black ones. The consequences of a
        move are automatic: swaps, captured blocks, finished pieces. If one of several moves is illegal, none is
        played. `validate=False` skips the checks.
        """
        figures = self.as_figures()
        pieces, blocks = self.numbered(figures)
        due, mover = tuple(self.graph.get(DUE, ())), self.graph.get(MOVER)
        scene = Scene(self.names, fields_of(pieces), fields_of(blocks), due, mover)
        several = isinstance(move, list | tuple) and move and isinstance(move[0], list | tuple)
        scene.play(map(self._step, move if several else [move]), validate)
        placed = [(figure, scene.pieces[piece]) for piece, figure in pieces.items()]
        placed += [(figure, scene.blocks[block]) for block, figure in blocks.items()]
        for figure, at in placed:
            if figure.number != at:
                figure.move(self.names.position(at))
        self.figures[:] = [self._stored(figure) for figure in figures]
        self.set_due(scene.due, scene.mover)
        self.update()

    def set_due(self, due: Sequence[str], mover: int | None) -> None:
        """Stores the due blocks as graph attributes, so that they are saved."""
        for name, value in ((DUE, list(due)), (MOVER, mover)):
            if due:
                self.graph[name] = value
            else:
                self.graph.pop(name, None)

    def numbered(self, figures: Iterable[FigureType]) -> tuple[dict[Piece, FigureType], dict[int, FigureType]]:
        """The players' pieces by player and number, and the stoppers by number."""
        known = [color for color, _, _ in self.COLORS]
        pieces: dict[Piece, FigureType] = {}
        stoppers: dict[int, FigureType] = {}
        for figure in figures:
            if isinstance(figure, Player):
                wish = figure.attrs.get("figure", known.index(figure.color) if figure.color in known else 0)
                free = [piece for piece in (wish, *PIECES) if (figure.uid, piece) not in pieces]
                if not free:
                    raise GameError("Player {uid} has more than five pieces.", uid=figure.uid)
                pieces[figure.uid, free[0]] = figure
            elif stoppers.setdefault(figure.uid, figure) is not figure:
                raise GameError("Duplicate stopper {uid}.", uid=figure.uid)
        return pieces, stoppers

    def _step(self, move: Any) -> Step:
        form = "[player, figure, start, counter, end]"
        if not isinstance(move, list | tuple) or len(move) != 5 or any(type(each) is not int for each in move):
            raise InvalidMove("Expected a move of whole numbers, {form}, got {move}.", form=form, move=shown(move, 40))
        player, figure, *place = move
        if figure not in (*PIECES, *GRAYS, *BLACKS):
            raise InvalidMove(
                "Unknown figure {figure}. 0 to 4 are pieces, 6 to 10 gray and 11 to 15 black stoppers.",
                figure=shown(figure, 20),
            )
        return Step(player, figure, self.names.number(place))

    # ── JSON ─────────────────────────────────────────────────────────────────────────────────────

    def jsonify(self, hexcolors: bool = False) -> dict[str, Any]:
        """The graph and figures as a dictionary, which `load` reads."""
        return {"graph": self._node_link(), "figures": [each.jsonify(hexcolors=hexcolors) for each in self.figures]}

    def _node_link(self) -> dict[str, Any]:
        """The graph in networkx's node-link format."""
        return {
            "directed": False,
            "multigraph": False,
            "graph": dict(self.graph),
            "nodes": [{**data, "id": node} for node, data in self.nodes(data=True)],
            "links": [{**data, "source": one, "target": other} for one, other, data in self.edges(data=True)],
        }

    @classmethod
    def load(cls: type[AnyBoard], json: Any) -> AnyBoard:
        """Reads a board from a dictionary or a JSON text of any version of pentagraph."""
        text = decode(json) if isinstance(json, bytes) else json
        whole = load_json(text) if isinstance(text, str) else text
        if not isinstance(whole, dict):
            raise GameError("Expected a board, an object with graph and figures, got {whole}.", whole=shown(whole, 40))
        where = "graph" if "graph" in whole else "edges"
        graph = take(whole, where, dict, "")
        attributes = take(graph, "graph", dict, where, {})
        names = _names(attributes, f"{where}.graph")
        _check_due(attributes, f"{where}.graph")
        links = "links" if "links" in graph or "edges" not in graph else "edges"
        board = cls(names=names)
        board.graph.update(attributes)
        board.add_nodes_from(_node(*each, names) for each in _items(graph, "nodes", where, len(FIELDS)))
        board.add_edges_from(_edge(*each, names) for each in _items(graph, links, where, MOST_LINKS))
        board.add_figures(_figures(whole, names))
        return board


class RawBoard(Board):
    """A board whose figures are plain lists: `[position, uid]` for a stopper, `[position, uid, colour]` for a piece."""

    def __init__(
        self,
        figures: Iterable[Any] = (),
        raw_figures: Iterable[Any] = (),
        generate: bool = False,
        *,
        names: NamingConvention | str = PENTAGRAPH,
    ) -> None:
        super().__init__(figures, generate, names=names)
        self.figures += [list(each) for each in raw_figures]
        self.update()

    def as_figures(self) -> list[FigureType]:
        return [raw_figure(each, f"figures[{i}]", self.names) for i, each in enumerate(self.figures)]

    def _stored(self, figure: FigureType, hexcolors: bool = False) -> Any:
        colour = [figure.hexcolor if hexcolors else figure.color] if isinstance(figure, Player) else []
        return [figure.position, figure.uid, *colour]

    def add_figures(self, figures: Iterable[Any], update: bool = True) -> None:
        made = (each if isinstance(each, Figure) else raw_figure(each, "figure", self.names) for each in figures)
        super().add_figures(made, update)

    def jsonify(self, hexcolors: bool = False) -> dict[str, Any]:
        stored = [self._stored(each, hexcolors=True) for each in self.as_figures()] if hexcolors else self.figures
        return {"graph": self._node_link(), "figures": [list(each) for each in stored]}
