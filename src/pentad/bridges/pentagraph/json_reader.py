"""Reader for the JSON of boards of every version of pentagraph. Errors name the path.

    {"graph": {"nodes": [{"id": "0-0-0", …}, …], "links": [{"source": "0-0-0", "target": "0-1-1"}, …], …},
     "figures": …}

Figures are objects `{"type", "position", "uid", "color"}`; lists `[position, uid]` or `[position, uid, colour]`, of
a RawBoard; lists `[figure, label, player, type]`, of versions before 0.0.1; or, with the graph under `edges`, an
object of `label: [figure, player]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pentad.bridges.pentagraph.labels import CONVENTIONS, DUE, MOVER, NAMES, OFF_LABEL, PENTAGRAPH, Names
from pentad.bridges.pentagraph.lib.figures import (
    COLORS,
    TYPES,
    BlackStopper,
    Figure,
    FigureType,
    GrayStopper,
    Player,
)
from pentad.game import GameError, shown
from pentad.pentagame.board import EDGES, FIELDS, LINKS
from pentad.pentagame.denomination import BLACKS, GRAYS, MAX_PLAYERS, PIECES
from pentad.record.as_json import errors_at, load_json, object_at, take
from pentad.record.formats import decode

MOST_FIGURES = MAX_PLAYERS * len(PIECES) + len(GRAYS) + len(BLACKS)
MOST_LINKS = sum(len(edge.stops) + 1 for edge in EDGES)
_HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")


@dataclass(frozen=True)
class BoardData:
    """A board read from JSON."""

    names: Names
    attributes: dict[str, Any]
    nodes: list[tuple[str, dict[str, Any]]]
    edges: list[tuple[str, str, dict[str, Any]]]
    figures: list[FigureType]


def read(given: Any) -> BoardData:
    """Reads a board from a dictionary or a text."""
    text = decode(given) if isinstance(given, bytes) else given
    whole = load_json(text) if isinstance(text, str) else text
    if not isinstance(whole, dict):
        raise GameError(f"Expected a board, an object with graph and figures, got {shown(whole, 40)}.")
    where = "graph" if "graph" in whole else "edges"
    graph = take(whole, where, dict, "")
    attributes = take(graph, "graph", dict, where, {})
    names = _names(attributes, f"{where}.graph")
    _check_due(attributes, f"{where}.graph")
    nodes = [_node(*each, names) for each in _items(graph, "nodes", where, len(FIELDS))]
    links = "links" if "links" in graph or "edges" not in graph else "edges"
    edges = [_edge(*each, names) for each in _items(graph, links, where, MOST_LINKS)]
    return BoardData(names, attributes, nodes, edges, _figures(whole, names))


def _names(attributes: dict[str, Any], where: str) -> Names:
    word = attributes.get(NAMES, PENTAGRAPH.word)
    if not isinstance(word, str) or word not in CONVENTIONS:
        raise GameError(f"{where}.{NAMES}: Expected {' or '.join(CONVENTIONS)}, got {shown(word, 40)}.")
    return CONVENTIONS[word]


def _items(holder: dict[str, Any], name: str, where: str, limit: int) -> list[tuple[Any, str]]:
    """The items of a list of limited length, each with its path."""
    path = f"{where}.{name}".lstrip(".")
    found = take(holder, name, list, where)
    if len(found) > limit:
        raise GameError(f"{path}: Expected at most {limit} items, got {len(found)}.")
    return [(each, f"{path}[{i}]") for i, each in enumerate(found)]


def _check_due(attributes: dict[str, Any], where: str) -> None:
    """Checks the due blocks, which this package adds to a board."""
    due = take(attributes, DUE, list, where, [])
    if any(each not in ("black", "gray") for each in due) or len(due) > 3:
        raise GameError(f"{where}.{DUE}: Expected a list of black and gray, got {shown(due, 40)}.")
    if due:
        take(attributes, MOVER, int, where)


# ── the graph ────────────────────────────────────────────────────────────────────────────────────


def _node(given: Any, where: str, names: Names) -> tuple[str, dict[str, Any]]:
    holder = object_at(given, where)
    label = _label(take(holder, "id", str, where), f"{where}.id", names)
    default = {"weight": 1, "is_field": label.endswith("-0-0")}
    return label, default | {name: value for name, value in holder.items() if name != "id"}


def _edge(given: Any, where: str, names: Names) -> tuple[str, str, dict[str, Any]]:
    holder = object_at(given, where)
    one, other = (_label(take(holder, end, str, where), f"{where}.{end}", names) for end in ("source", "target"))
    if names.labelled(other) not in LINKS[names.labelled(one)]:
        raise GameError(f"{where}: {one} and {other} are not neighbours.")
    return one, other, {name: value for name, value in holder.items() if name not in ("source", "target")}


def _label(text: str, where: str, names: Names) -> str:
    with errors_at(where):
        label = names.label(names.labelled(text))
        if label == OFF_LABEL:
            raise GameError(f"{OFF_LABEL} is not a node.")
        return label


# ── figures ──────────────────────────────────────────────────────────────────────────────────────


def _figures(whole: dict[str, Any], names: Names) -> list[FigureType]:
    given = whole.get("figures")
    if isinstance(given, dict):
        pairs = [[label, pair] for label, pair in given.items()]
        return [_tabled(*each, names) for each in _items({"figures": pairs}, "figures", "", MOST_FIGURES)]
    return [_figure(*each, names) for each in _items(whole, "figures", "", MOST_FIGURES)]


def _figure(given: Any, where: str, names: Names) -> FigureType:
    if isinstance(given, dict):
        return _described(given, where, names)
    if isinstance(given, list | tuple) and len(given) == 4:
        return _listed(given, where, names)
    return raw_figure(given, where, names)


def _described(given: dict[str, Any], where: str, names: Names) -> FigureType:
    """`{"type": "player", "position": [5, 0, 0], "uid": 1, "color": [0, 0, 255]}`"""
    kind = TYPES.get(take(given, "type", str, where))
    if kind is None:
        raise GameError(f"{where}.type: Unknown type {shown(given['type'], 30)}. The types are {', '.join(TYPES)}.")
    position, uid = take(given, "position", list, where), take(given, "uid", int, where)
    known = ("type", "position", "uid", "color", "names")
    attrs = {str(name): value for name, value in given.items() if name not in known}
    if kind is Player:
        attrs["color"] = _colour(given.get("color"), f"{where}.color")
    with errors_at(where):
        return kind(position, uid, names=names, **attrs)


def raw_figure(given: Any, where: str, names: Names) -> FigureType:
    """`[[0, 0, 0], 11]`, or `[[5, 0, 0], 1, [0, 0, 255]]` with a colour for a player's piece."""
    if not isinstance(given, list | tuple) or len(given) not in (2, 3) or type(given[1]) is not int:
        raise GameError(f"{where}: Expected [position, uid] or [position, uid, colour], got {shown(given, 40)}.")
    if len(given) == 3:
        colour = _colour(given[2], f"{where}[2]")
        with errors_at(where):
            return Player(given[0], given[1], colour, names=names)
    with errors_at(where):
        return _stopper(given[1])(given[0], given[1], names=names)


def _listed(given: Sequence[Any], where: str, names: Names) -> FigureType:
    """`[3, "8-0-0", 1, 0]`: figure, label, player, and 0 for a piece, 1 gray, 2 black."""
    figure, label, player, kind = given
    if [type(each) for each in given] != [int, str, int, int] or kind not in (0, 1, 2):
        raise GameError(f"{where}: Expected [figure, label, player, type], got {shown(given, 40)}.")
    with errors_at(where):
        return _of_number(figure, player, label, names)


def _tabled(given: list[Any], where: str, names: Names) -> FigureType:
    """`"8-0-0": [3, 1]`: a label with its figure and player."""
    label, pair = given
    if not isinstance(pair, list) or [type(each) for each in pair] != [int, int]:
        raise GameError(f"{where}: Expected [figure, player], got {shown(pair, 40)}.")
    with errors_at(where):
        return _of_number(pair[0], pair[1], label, names)


def _of_number(figure: int, player: int, label: str, names: Names) -> FigureType:
    position = names.position(names.labelled(label))
    if figure in PIECES:
        return Player(position, player, COLORS[figure][0], names=names, figure=figure)
    return _stopper(figure)(position, figure, names=names)


def _stopper(figure: int) -> type[Figure]:
    if figure in GRAYS:
        return GrayStopper
    if figure in BLACKS:
        return BlackStopper
    raise GameError(f"Unknown stopper {shown(figure, 20)}. 6 to 10 are gray, 11 to 15 black.")


def _colour(given: Any, where: str) -> Sequence[int]:
    """A colour as three numbers or as `#rrggbb`."""
    if isinstance(given, str) and (found := _HEX.fullmatch(given)):
        return [int(part, 16) for part in found.groups()]
    if isinstance(given, list | tuple) and len(given) == 3 and all(type(each) is int for each in given):
        return given
    raise GameError(f"{where}: Expected a colour, [red, green, blue] or #rrggbb, got {shown(given, 40)}.")
