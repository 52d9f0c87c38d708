"""How people read a model's states: its options in words, the names of its nodes, and its board.

>>> from pentad.grammar.models import new
>>> grammar = new("ferry")
>>> view = view_of(grammar)
>>> [view.words(option) for option in Simulation(grammar).options]
['the wolf crosses', 'the goat crosses', 'the cabbage crosses', 'the boat crosses empty']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from pentad.game import GameError, Position
from pentad.games.pentagame.letters import names_of
from pentad.games.pentagame.notation import COLOURS, place_in
from pentad.games.pentago.board import CLOCKWISE, Twist
from pentad.games.pentago.board import board as pentago_board
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models import MODELS
from pentad.grammar.models.maze import DIRECTIONS
from pentad.grammar.models.model import MODEL
from pentad.grammar.models.pentagame import fields_of
from pentad.grammar.models.positions import ROTATIONS, ModelBoard, board_of, numbered, pairs
from pentad.grammar.simulation import PossibleStep, Simulation
from pentad.system.words import listed, phrase

Options: TypeAlias = Mapping[str, Any]
Nodes: TypeAlias = Mapping[str, str]  # the nodes of the graph, by the rule's nodes that match them
Targets: TypeAlias = tuple[str, ...]  # the names of what to touch on the board, in this order
Sentence: TypeAlias = str | Callable[[Nodes], str]  # a text has nodes of the rule in braces


class Made(NamedTuple):
    """A model as it was made: its options, its start graph, and its board if it has one."""

    options: Options
    start: Graph
    board: ModelBoard | None


@dataclass(frozen=True, slots=True)
class ModelView:
    """The names of a model's nodes, a sentence for each of its actions, and its board if it has one.

    `short_names` are those of nodes whose names are too long for edges.

    `drawing` returns the board as text, if the position's own text is not meant; `legend` is about the drawing of the
    position then. `note` returns what the options of a state do not say, or "". `more_targets` returns other ways to
    choose an option on the board, for the options that are merged with it.
    """

    names: Mapping[str, str]
    sentences: Mapping[str, Sentence]
    board: ModelBoard | None = None
    drawing: Callable[[Simulation], str] | None = None
    note: Callable[[Simulation], str] = lambda _: ""
    more_targets: Callable[[Simulation, PossibleStep], list[Targets]] = lambda _, __: []
    legend: str = ""
    short_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> dict[str, str]:
        """The names as they stand in edges: short, or without an article."""
        return {node: self.short_names.get(node, name.removeprefix("the ")) for node, name in self.names.items()}

    def words(self, option: PossibleStep) -> str:
        """An option in words; "" for a recipe, whose nodes are unknown."""
        sentence = self.sentences.get(option.action, "") if option.nodes else ""
        nodes = dict(option.nodes)
        if callable(sentence):
            return sentence(nodes)
        return sentence.format_map({own: self.names.get(node, node) for own, node in nodes.items()})

    def position(self, simulation: Simulation) -> Position | None:
        """The position of the game that the state represents."""
        if self.board is None:
            return None
        return self.board.position(simulation.graph, {option.action for option in simulation.options})

    def targets(self, simulation: Simulation) -> dict[Targets, int]:
        """The options' numbers by what to touch on the board; the first one for each way to touch it."""
        if self.board is None:
            return {}
        found: dict[Targets, int] = {}
        for number, option in enumerate(simulation.options):
            if own := self.board.targets(option.action, [node for _, node in option.nodes]):
                found.setdefault(own, number)
        for number, option in enumerate(simulation.options):
            for more in self.more_targets(simulation, option):
                found.setdefault(more, number)
        return found

    def draw(self, simulation: Simulation) -> str:
        """The board as text, or ""."""
        if self.drawing:
            return self.drawing(simulation)
        position = self.position(simulation)
        return "" if position is None else str(position)


def view_of(grammar: Grammar, start: Graph | None = None) -> ModelView | None:
    """Returns the view of a model's grammar, also of one from a file; None of other grammars and of a changed model."""
    name, *words = grammar.setting(MODEL).split() or [""]
    if name not in MODELS:
        return None
    model = MODELS[name]
    try:
        options = model.values(dict(word.split("=", 1) for word in words))
        made = model(**options)
    except (GameError, ValueError):
        return None
    rules = made.rules
    is_same = made.start.same(start or grammar.start) and rules.keys() == grammar.rules.keys()
    if not is_same or not all(rule.same(grammar.rules[own]) for own, rule in rules.items()):
        return None
    return VIEWS[name](Made(options, made.start, board_of(name, options, made.start)))


def _players(start: Graph, *names: str) -> dict[str, str]:
    """The players' nodes with these names, or with numbers if there are more players than names."""
    games, seats = numbered(start, "Game", "Player")
    players = {node: names[seat] if len(seats) <= len(names) else f"player {seat + 1}" for node, seat in seats.items()}
    return {**dict.fromkeys(games, "game"), **players}


# ── board games ──────────────────────────────────────────────────────────────────────────────────

LINES = {"win": "a", "winH": "a horizontal", "winV": "a vertical", "winD": "a diagonal", "winA": "a diagonal"}
CAPTURES = ("capture", "captureAhead", "captureBehind")
ON_BOARDS: Mapping[str, Sentence] = {
    "place": "place at {n2}",
    "placeMarble": "place at {n2}",
    "nextTurn": "the turn passes to {n2}",
    **{rule: f"{{n0}} has {kind} line" for rule, kind in LINES.items()},
    **dict.fromkeys(CAPTURES, "capture {n4} and {n5}"),
    "winByCaptures": "{n0} has captured enough stones",
    "tie": "tie: no line can be completed",
    "won": "{n0} has won",
    "bothWin": "{n0} and {n1} have won",
}


def _pentago(made: Made) -> ModelView:
    options, start, board = made
    assert board is not None
    sizes = (options[name] for name in ("rows", "cols", "block", "line"))
    turns = pentago_board(*sizes).quarter_turns
    (spaces,) = numbered(start, "Space")

    def turn(way: str) -> Sentence:
        return lambda nodes: phrase(
            "turn sub-board {sub_board} {direction}", sub_board=board.sub_boards[nodes["n0"]], direction=way
        )

    def merged(simulation: Simulation) -> list[int]:
        """The sub-boards without a marble that a rotation moves, if their rotations are merged."""
        rotations = sum(option.action in ROTATIONS for option in simulation.options)
        if rotations in (0, len(turns)):
            return []
        occupied = {1 << spaces[space] for _, space in pairs(simulation.graph, "marble")}
        return [
            number
            for (number, direction), (_, moves) in turns.items()
            if direction == CLOCKWISE and occupied.isdisjoint(here for here, _ in moves)
        ]

    def more_targets(simulation: Simulation, option: PossibleStep) -> list[Targets]:
        if option.action not in ROTATIONS:
            return []
        still = merged(simulation)
        is_merged = board.sub_boards[dict(option.nodes)["n0"]] in still
        return [(str(Twist(number, ROTATIONS[option.action])),) for number in still if is_merged]

    def note(simulation: Simulation) -> str:
        still = [str(number) for number in merged(simulation)]
        rotations = sum(option.action in ROTATIONS for option in simulation.options)
        if not still:
            return ""
        return phrase(
            "The {rotations} options stand for {count} rotations: sub-boards {sub_boards} have no "
            "marble that a rotation moves, so their rotations lead to the same state and are "
            "merged.",
            rotations=rotations,
            count=len(turns),
            sub_boards=listed(still),
        )

    sentences = {**ON_BOARDS, "rotateCW": turn("clockwise"), "rotateCCW": turn("anti-clockwise")}
    return ModelView(
        {**_players(start, "Black", "White"), **board.names}, sentences, board, note=note, more_targets=more_targets
    )


def _on_points(made: Made) -> ModelView:
    start, board = made.start, made.board
    assert board is not None
    return ModelView({**_players(start, "White", "Black"), **board.names}, ON_BOARDS, board)


def _tictactoe(made: Made) -> ModelView:
    options, start, board = made
    width = options["cols"]
    players = _players(start, "X", "O")
    (spaces,) = numbered(start, "Space")
    places = {node: f"{chr(ord('A') + space % width)}{space // width + 1}" for node, space in spaces.items()}

    def drawing(simulation: Simulation) -> str:
        marks = {spaces[space]: players[player][-1] for player, space in pairs(simulation.graph, "mark")}
        letters = "     " + " ".join(chr(ord("A") + column) for column in range(width))
        rows = [
            f"  {row + 1:2} " + " ".join(marks.get(row * width + column, "·") for column in range(width))
            for row in reversed(range(options["rows"]))
        ]
        return "\n".join([*rows, letters])

    sentences = {**ON_BOARDS, "place": "{n1} at {n2}"}
    return ModelView(
        {**players, **places}, sentences, board, drawing, legend="X has the white stones." if board else ""
    )


# ── Pentagame ────────────────────────────────────────────────────────────────────────────────────

OF_PENTAGAME: Mapping[str, Sentence] = {
    **dict.fromkeys(("move", "moveFromStack"), "move {n2} to {n4}"),
    **dict.fromkeys(("takeBlack", "takeBlackFromStack"), "move {n2} to {n4} and take the black block"),
    **dict.fromkeys(("takeGray", "takeGrayFromStack"), "move {n2} to {n4} and take the gray block"),
    "swapOwn": "swap {n2} with {n3}",
    "swapOther": "swap {n2} with {n3} of {n4}",
    **dict.fromkeys(("leave", "leaveStack"), "{n2} leaves the board"),
    "putBlack": "put the black block on {n1}",
    "putGray": "put a gray block on {n1}",
    "shiftGray": "shift the gray block on {n2} to {n1}",
    "won": "{n1} has won",
    "nextTurn": "the turn passes to {n2}",
}


def _pentagame(made: Made) -> ModelView:
    options, start, board = made
    fields, pieces = numbered(start, "Field", "Piece")
    numbers = fields_of(options["part"])
    places = {node: numbers[number] for node, number in fields.items()}
    names = {node: f"the {place_in(COLOURS, place)}" for node, place in places.items()}
    letters = {node: names_of(COLOURS).fields[place] for node, place in places.items()}
    colours = {node: COLOURS[number % options["pieces"]] for node, number in pieces.items()}
    return ModelView({**_players(start), **names, **colours}, OF_PENTAGAME, board, short_names=letters)


# ── puzzles and protocols ────────────────────────────────────────────────────────────────────────


def _flagged(start: Graph, flag: str) -> list[str]:
    return [node for node, _ in pairs(start, f"flag:{flag}")]


def _attributes(start: Graph, name: str) -> dict[str, str]:
    """The values of an attribute of the start graph's nodes."""
    begin = f"let:{name} = "
    return {edge.source: edge.label.removeprefix(begin) for edge in start.edges if edge.label.startswith(begin)}


def _counted(kind: str, nodes: Sequence[str]) -> dict[str, str]:
    """The names of things of one kind."""
    if len(nodes) == 1:
        return {nodes[0]: f"the {kind}"}
    return {node: f"{kind} {number}" for number, node in enumerate(nodes, 1)}


def _ferry(made: Made) -> ModelView:
    start = made.start
    (goal,) = _flagged(start, "goal")
    banks, boats = numbered(start, "Bank", "Boat")
    names = {node: f"the {'right' if node == goal else 'left'} bank" for node in banks} | _counted("boat", [*boats])
    for kind in ("wolf", "goat", "cabbage"):
        names |= _counted(kind, _flagged(start, kind))

    def crossing(nodes: Nodes) -> str:
        thing = names[nodes.get("n3", nodes["n0"])]
        empty = "" if "n3" in nodes else " empty"
        return f"{thing} {'crosses' if nodes['n2'] == goal else 'comes back'}{empty}"

    sentences: dict[str, Sentence] = {
        "cross": crossing, "carry": crossing, "eat": "{n3} eats {n4}", "allAcross": "all are across",
    }  # fmt: skip
    return ModelView(names, sentences)


def _append(made: Made) -> ModelView:
    start = made.start
    values = _attributes(start, "value")
    cells, calls = numbered(start, "Cell", "Call")
    names = {node: f"cell {values[node]}" for node in cells} | {node: f"call {values[node]}" for node in calls}
    sentences = {"walk": "{n0} walks on", "append": "{n0} appends its value", "found": "{n0} finds its value"}
    return ModelView(names, sentences)


def _election(made: Made) -> ModelView:
    start = made.start
    names = {node: f"process {number}" for node, number in _attributes(start, "number").items()}

    def with_message(text: str) -> Sentence:
        return lambda nodes: text.format(names[nodes["p"]], nodes["m.number"].removeprefix("int:"))

    sentences: dict[str, Sentence] = {
        "send": "{n0} sends its number",
        "passOn": with_message("{} passes {} on"),
        "drop": with_message("{} drops {}"),
        "elect": with_message("{} becomes the leader"),
    }
    return ModelView(names, sentences)


def _maze(made: Made) -> ModelView:
    start = made.start
    x, y = _attributes(start, "x"), _attributes(start, "y")
    names = {node: f"cell {x[node]},{y[node]}" for node in x}
    for kind in ("Player", "Ghost", "Key"):
        (nodes,) = numbered(start, kind)
        names |= _counted(kind.lower(), [*nodes])
    ways = {(here, there): direction for direction in DIRECTIONS for here, there in pairs(start, direction)}
    sentences: dict[str, Sentence] = {
        "walk": lambda nodes: f"walk {ways[nodes['n1'], nodes['n2']]}",
        "take": "take {n2}",
        "escape": "{n0} escapes",
        "pounce": "{n0} jumps to {n3}",
        "drift": "{n0} drifts to {n2}",
        "caught": "{n1} catches {n0}",
    }
    return ModelView(names, sentences)


VIEWS: Mapping[str, Callable[[Made], ModelView]] = {
    "pentago": _pentago,
    "tictactoe": _tictactoe,
    "lines": _on_points,
    "pente": _on_points,
    "pentagame": _pentagame,
    "ferry": _ferry,
    "append": _append,
    "election": _election,
    "maze": _maze,
}
