"""pentagraph's interface: names, labels, JSON, and the fixed defects."""

from __future__ import annotations

import copy
import importlib
import json
import math
import pickle
import random

import networkx
import pytest

import pentad
from pentad.bridges import pentagraph
from pentad.bridges.pentagraph.labels import DENOMINATION, PENTAGRAPH
from pentad.bridges.pentagraph.lib.bot import SimpleBot
from pentad.bridges.pentagraph.lib.figures import (
    TYPES,
    BlackStopper,
    Corner,
    Figure,
    GrayStopper,
    Junction,
    Player,
    Stopper,
    clamp,
)
from pentad.bridges.pentagraph.lib.graph import Board, RawBoard
from pentad.bridges.pentagraph.lib.graphic import page, render
from pentad.bridges.pentagraph.lib.math import Math
from pentad.bridges.pentagraph.positions import board_of, position_of
from pentad.game import GameError, IllegalMove, InvalidMove
from pentad.games.pentagame import turn_list
from pentad.games.pentagame.board import FIELDS, LINKS, OFF
from pentad.system.extras import installing_command
from tests.cases import together
from tests.games.pentagame.random_play import random_rare_turn, random_turn
from tests.line_limit import at_most
from tests.programs import failure


def start(*players: int, **about) -> Board:
    board = Board(generate=True, **about)
    board.gen_start_field(players or (1, 2, 3), full=True)
    return board


def where(board: Board) -> dict[tuple[type, int, int], str]:
    """The node of every figure."""
    return {(type(each), each.uid, each.attrs.get("figure", -1)): each._node for each in board.figures}


# ── names and shapes ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("lib", "Math Point Board Figure BlackStopper render"),
        ("lib.graph", "Board RawBoard"),
        ("lib.figures", "clamp Point Corner Junction Stopper Figure BlackStopper GrayStopper Player TYPES FigureType"),
        ("lib.math", "Math Point"),
        ("lib.graphic", "render"),
        ("lib.bot", "SimpleBot"),
    ],
)
def test_the_names_of_pentagraph_exist(module: str, names: str):
    found = importlib.import_module(f"pentad.bridges.pentagraph.{module}")
    assert all(hasattr(found, name) for name in names.split())
    assert pentagraph.lib.Board is Board


def test_the_graph():
    board = Board(generate=True)
    assert isinstance(board, networkx.Graph)
    assert (len(board.nodes), len(board.edges)) == (100, 110)
    assert board.nodes["9-0-0"] == {"weight": 1, "is_field": True}
    assert board.nodes["0-6-5"] == {"weight": 1, "is_field": False}
    assert set(board["0-0-0"]) == {"0-1-1", "0-1-4", "0-1-5", "0-1-6"}
    assert set(board["0-6-5"]) == {"0-5-5", "5-0-0"}
    assert networkx.diameter(board) == 15
    assert len(Board().nodes) == 0
    assert Board().figures is not Board().figures


def test_the_tables():
    assert [name for _, _, name in Board.COLORS] == ["blue", "white", "green", "yellow", "red"]
    assert all(f"#{r:02X}{g:02X}{b:02X}" == text for (r, g, b), text, _ in Board.COLORS)
    assert len(Board.EDGEMAP) == 20
    assert {("0-0-0", "1-0-0", 3), ("0-0-0", "5-0-0", 6), ("4-0-0", "5-0-0", 6), ("5-0-0", "9-0-0", 3)} < set(
        Board.EDGEMAP
    )
    assert set(TYPES) == {"player", "gray stopper", "black stopper"}


def test_the_start_field():
    board = Board(generate=True)
    board.gen_start_field((1, 2, 3))
    assert [figure.uid for figure in board.figures] == [6, 11, 7, 12, 8, 13, 9, 14, 10, 15, 1, 2, 3]
    assert list(board.figures_table) == ["-1", *(f"{i}-0-0" for i in range(8))]
    assert board.figures_table["6-0-0"] == Player((6, 0, 0), 2, (255, 255, 255))
    board.gen_start_field([4], empty=False)
    assert len(board.figures) == 24
    board.gen_start_field((4, 5), full=True)
    assert len(board.figures) == 20
    with pytest.raises(GameError, match="five players, got 6"):
        board.gen_start_field(range(6))
    with pytest.raises(GameError, match="must differ"):
        board.gen_start_field((1, 1), full=True)
    with pytest.raises(GameError, match=r"uid .* 'x'"):
        board.gen_start_field(("x",))


def test_the_shape_of_json():
    board = Board(generate=True)
    board.gen_start_field((1,))
    data = board.jsonify()
    assert list(data) == ["graph", "figures"]
    assert list(data["graph"]) == ["directed", "multigraph", "graph", "nodes", "links"]
    assert (
        data["graph"]["nodes"][0] == {"weight": 1, "is_field": True, "id": "0-0-0"}
        or len(data["graph"]["nodes"]) == 100
    )
    assert {frozenset(each) for each in data["graph"]["links"]} == {frozenset(("source", "target"))}
    assert data["figures"][0] == {"type": "gray stopper", "position": (-1, -1, -1), "uid": 6, "color": (44, 44, 44)}
    assert data["figures"][-1] == {"type": "player", "position": (5, 0, 0), "uid": 1, "color": (0, 0, 255)}
    assert board.jsonify(hexcolors=True)["figures"][-1]["color"] == "#0000ff"


def test_figures():
    player = Player([5, 0, 0], 7, (300, -4, 0), figure=2)
    assert (player.color, player.hexcolor, player.uid, player.attrs) == ((255, 0, 0), "#ff0000", 7, {"figure": 2})
    assert (repr(player), player.position, player._node) == ("<Figure 7>", (5, 0, 0), "5-0-0")
    player.move((0, 3, 5))
    assert (player.position, player.node_label()) == ((0, 3, 5), "0-3-5")
    with pytest.raises(ValueError, match="edge between 0 and 7"):
        player.move((0, 3, 7))
    assert player.position == (0, 3, 5)
    assert Figure((-1, -1, -1), 3).node_label() == "-1"
    assert player != "player"
    assert clamp((256, 255, -1)) == (255, 255, 0)
    assert [kind((2, 0, 0)).node_label() for kind in (Corner, Junction, Stopper)] == ["2-0-0"] * 3
    for position in ((2, 1, 2), (0, 1, 2), (0, 4, 1), (10, 0, 0), (0, 0), "0-0-0", (0, 0, 0.0), (True, 0, 0), None):
        with pytest.raises(ValueError):
            Figure(position, 1)
    for color in ("red", (1, 2), (1, 2, "3"), None):
        with pytest.raises(GameError, match="Expected a colour"):
            Player((5, 0, 0), 1, color)
    with pytest.raises(GameError, match="must be 0 to 4, not 5"):
        Player((5, 0, 0), 1, (0, 0, 0), figure=5)


def test_measures():
    its = Math()
    assert (its.k, its.l, its.s) == (3, 6, 1)
    assert [its.c, its.j, its.PHI] == pytest.approx([math.sqrt(5), 2.0249223594996213, (1 + math.sqrt(5)) / 2])
    known = {"L": 16.26099033, "K": 10.04984471, "d": 42.57182539, "r": 22.38133310, "R": 24.61740108}
    known |= {"linewidth": 0.004062167, "inner_r": 8.54890853}
    assert vars(its) == pytest.approx(known, rel=1e-6)
    point = pentagraph.lib.Point(1, 2)
    assert (point.x, point.y) == (1, 2)


# ── labels ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("names", [PENTAGRAPH, DENOMINATION], ids=["pentagraph", "denomination"])
def test_labels_of_all_fields(names):
    board = Board(generate=True, names=names)
    for number in range(len(FIELDS)):
        label = names.label(number)
        assert names.labelled(label) == names.number(names.position(number)) == number
        assert {names.labelled(each) for each in board[label]} == set(LINKS[number])
    assert names.label(-1) == "-1"
    assert names.position(-1) == OFF


def test_labels_are_accepted_in_either_order():
    """Here a counter runs from the lower end, in whichever order they stand."""
    board = start()
    assert board.label("5-1-0") == board.label("0-1-5") == board.label((5, 1, 0)) == "0-1-5"
    assert board.verify_path("5-0-0", "5-3-0") == board.verify_path("5-0-0", "0-3-5")
    board.add_figure(Player((5, 1, 0), 9, (1, 2, 3)))
    assert "5-1-0" in board.figures_table
    assert "0-1-5" in board.figures_table
    assert board.figures_table["5-1-0"] is board.figures_table["0-1-5"] is board.figures_table.get("5-1-0")
    assert board.figures_table.get("0-2-5") is None
    assert "nonsense" not in board.figures_table


def test_the_other_convention():
    board = start(1, 2, names="denomination")
    assert [name for _, _, name in board.COLORS] == ["white", "green", "yellow", "red", "blue"]
    assert ("2-0-0", "5-0-0", 6) in board.EDGEMAP
    assert board.label("2-5-5") == board.label("5-2-2") == "5-2-2"  # here it runs from the end that is named first
    assert board.figures_table["5-0-0"].uid == 11
    assert board.verify_path("0-0-0", "1-2-0") == (2, ["0-0-0", "1-3-0", "1-2-0"])
    board.move([1, 0, 1, 2, 0])
    assert board.figures_table["1-2-0"].uid == 1
    again = Board.load(json.dumps(board.jsonify()))
    assert (again.names, again.figures, again.COLORS) == (DENOMINATION, board.figures, board.COLORS)
    board.add_figure(Player((5, 0, 0), 3, (1, 1, 1)))  # a figure of the other convention: it stays on its field
    assert board.figures[-1].position == (0, 0, 0)
    with pytest.raises(GameError, match="Unknown names 'mine'"):
        Board(names="mine")


# ── paths ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_paths_are_shortest_and_free():
    board = start(1, 2)
    chance, nodes = random.Random(5), sorted(board.nodes)
    for _ in range(30):
        board.add_figure(BlackStopper(PENTAGRAPH.position(chance.randrange(10, 100)), 99))
    taken = set(board.figures_table) - {"-1"}
    for _ in range(300):
        source, target = chance.sample(nodes, 2)
        free = board.subgraph((set(nodes) - taken) | {source, target})
        found = board.verify_path(source, target)
        try:
            length = networkx.shortest_path_length(networkx.Graph(free), source, target)
        except networkx.NetworkXNoPath:
            assert found is None
        else:
            assert found is not None
            assert (found[0], len(found[1])) == (length, length + 1)
            assert networkx.is_path(free, found[1])
    assert set(board.figures_table) - {"-1"} == taken, "asking changes nothing"


def test_a_figure_on_a_stop_blocks_it():
    board = start()
    assert board.verify_path("0-1-1", "0-3-1") == (2, ["0-1-1", "0-2-1", "0-3-1"])
    for position in ((0, 2, 1), (1, 2, 0)):
        blocked = start()
        blocked.add_figure(GrayStopper(position, 99))
        assert blocked.verify_path("0-1-1", "0-3-1") is None
        assert blocked.verify_path("0-1-1", "0-2-1") == (1, ["0-1-1", "0-2-1"]), "but one may go there"
    assert board.verify_path("0-1-1", "0-1-1") == (0, ["0-1-1"])


def test_a_graph_with_fewer_nodes():
    board = start()
    board.remove_node("0-2-1")
    assert board.verify_path("0-1-1", "0-3-1") is None
    with pytest.raises(InvalidMove, match="0-2-1 is not in the graph"):
        board.verify_path("0-1-1", "0-2-1")
    with pytest.raises(networkx.NetworkXError):
        Board().verify_path("0-0-0", "1-0-0")


@pytest.mark.parametrize("label", ["77", "", "-1", "0-1-2", "0-4-1", "a-b-c", "0-0-0-0", 5, None, "0" * 10**7])
def test_unknown_nodes_are_refused(label):
    for pair in ((label, "0-0-0"), ("0-0-0", label)):
        with pytest.raises(networkx.NetworkXError) as error:
            start().verify_path(*pair)
        assert isinstance(error.value, GameError)
        assert len(str(error.value)) < 200


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


def test_moves():
    board = start(1, 2)
    assert board.move([1, 0, 5, 3, 6]) is None
    assert board.figures_table["5-3-6"].uid == 1
    board.move([2, 0, 5, 3, 6])  # a swap: player 1's piece is back on its corner
    assert [each.uid for each in board.figures if each._node == "5-0-0"] == [1]
    board.move((1, 0, 0, 0, 0))  # the piece takes the black stopper of this junction
    assert board.graph["due"] == ["black"]
    with pytest.raises(IllegalMove, match="Player 1 must put a black block"):
        board.move([1, 1, 1, 3, 6])
    board.move([1, 11, 5, 1, 6])
    assert "due" not in board.graph
    assert board.figures_table["5-1-6"].uid == 11
    board.move([[1, 1, 1, 0, 0], [1, 12, 5, 2, 6]])
    assert board.figures_table["5-2-6"].uid == 12


def test_home():
    """Player 1's figure 0 starts at 5 and wants to go to the junction on the other side, 2."""
    board = Board([Player((2, 3, 1), 1, (0, 0, 255), figure=0), GrayStopper((-1, -1, -1), 6)], generate=True)
    board.move([1, 0, 2, 0, 0])
    assert where(board)[Player, 1, 0] == "-1"
    assert board.graph["due"] == ["gray"]
    board.move([1, 6, 2, 0, 0])
    assert board.figures_table["2-0-0"].uid == 6


def test_a_piece_brought_home_by_another_player():
    figures = [Player((2, 0, 0), 2, (0, 0, 0), figure=3), Player((2, 3, 1), 1, (0, 0, 255), figure=0)]
    figures += [Player((7, 0, 0), 1, (0, 0, 0), figure=1), GrayStopper((-1, -1, -1), 6)]
    board = Board(figures, generate=True)
    board.move([2, 3, 1, 3, 2])
    assert where(board)[Player, 1, 0] == "2-0-0"
    with pytest.raises(IllegalMove, match=r"figure 0 .* must leave first"):
        board.move([1, 1, 7, 1, 8])
    with pytest.raises(IllegalMove, match="figure 1 is on 7-0-0"):
        board.move([1, 1, -1, -1, -1])
    board.move([[1, 0, -1, -1, -1], [1, 6, 7, 1, 8]])
    assert where(board)[Player, 1, 0] == "-1"


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("names", ["pentagraph", "denomination"])
@pytest.mark.parametrize(
    ("players", "how"), [(2, random_rare_turn), (3, random_turn), (4, random_rare_turn), (5, random_rare_turn)]
)
def test_whole_games_agree_with_the_rules(players, how, names):
    chance = random.Random(players)
    here = pentad.new("pentagame", players=players, max_ply=100)
    uids = [7, 1, 12, 3, 5][:players]
    board = board_of(here, uids, names)
    by = board.names
    while not here.outcome:
        moves = turn_list(here, how(here, chance))
        turn = [[uids[each.player], each.figure, *by.write(each.to)] for each in moves]
        if chance.random() < 0.5:
            turn = [each for each in turn if each[2] != -1 or each is turn[0]]  # a turn may leave out its consequences
        board.move(turn)
        here = here.play(moves)
        assert where(board) == where(board_of(here, uids, names))
    assert not board.graph.get("due")


@pytest.mark.slow
def test_the_moves_of_a_piece_agree_with_the_rules():
    chance = random.Random(3)
    here = pentad.new("pentagame", players=2)
    for _ in range(25):
        here = here.play(random_turn(here, chance))
    board, saved = board_of(here), board_of(here).jsonify()
    for piece in range(5):
        for field in FIELDS:
            try:
                board.move([here.turn, piece, *PENTAGRAPH.write(field)])
            except IllegalMove as error:
                allowed = "several pieces" in str(error)
            else:
                allowed = True
                board = Board.load(saved)
            assert allowed == bool(here.reach(piece) >> FIELDS.index(field) & 1)


def test_several_moves_or_none():
    board = start(1, 2)
    before = board.jsonify()
    with pytest.raises(IllegalMove):
        board.move([[1, 0, 5, 3, 6], [2, 0, 8, 1, 9]])
    assert board.jsonify() == before
    assert board.figures_table["5-0-0"].uid in (1, 2)


def test_without_judging():
    board = start(1, 2)
    board.move([1, 0, 8, 1, 9], validate=False)
    assert board.figures_table["8-1-9"].uid == 1
    board.move([1, 13, 7, 1, 8], validate=False)
    assert board.figures_table["7-1-8"].uid == 13


@together(
    ("move", "kind", "part"),
    [
        ([1, 0, 0, 1, 2], InvalidMove, "No edge between 0 and 2"),
        ([1, 0, 0, 7, 5], InvalidMove, "The counter of the leg between 0"),
        ([1, 0, 10, 0, 0], InvalidMove, "The start must be a corner"),
        ([1, 5, 0, 0, 0], InvalidMove, "Unknown figure 5"),
        ([1, 16, 0, 0, 0], InvalidMove, "Unknown figure 16"),
        ([1, 0, 0, 0], InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ([1, 0, 0, 0, "0"], InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ([1, 0, 0, 0, 0.0], InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ([True, 0, 0, 0, 0], InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ([[1, 0, 0, 0, 0], 5], InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ([], InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        (None, InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ("[1,0,0,0,0]", InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ({}, InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ([0] * 10**6, InvalidMove, "Expected a move of whole numbers, [player, figure, start, counter,"),
        ([9, 0, 5, 3, 6], IllegalMove, "Player 9's figure 0 is not on this board"),
        ([1, 0, 5, 0, 0], IllegalMove, "Player 1's figure 0 is already on 5-0-0"),
        ([1, 0, 8, 1, 9], IllegalMove, "Player 1's figure 0 has no free path from 5-0-0 to 8-1-9"),
        ([1, 0, 6, 0, 0], IllegalMove, "Several pieces are on 6-0-0"),
        ([[1, 0, 6, 0, 0], [1, 3, 5, 0, 0]], IllegalMove, "Player 1's figure 3 is not on 6-0-0"),
        ([1, 0, -1, -1, -1], IllegalMove, "Player 1's figure 0 is on 5-0-0, not at its goal"),
        ([1, 11, 5, 1, 6], IllegalMove, "No block is due"),
        ([1, 6, 5, 1, 6], IllegalMove, "No block is due"),
        ([1, 11, -1, -1, -1], IllegalMove, "The black block 11 leaves the board"),
        ([[1, 0, 0, 0, 0], [1, 11, 9, 0, 0]], IllegalMove, "9-0-0 is not empty"),
        ([[1, 0, 0, 0, 0], [1, 12, 9, 1, 8]], IllegalMove, "The black block 11 must be put, not 12"),
        ([[1, 0, 0, 0, 0], [1, 6, 9, 1, 8]], IllegalMove, "A black block must be put first"),
        ([[1, 0, 0, 0, 0], [2, 11, 9, 1, 8]], IllegalMove, "Player 1 must put the block, not player 2"),
        ([[1, 0, 0, 0, 0], [2, 0, 5, 1, 9]], IllegalMove, "Player 1 must put a black block"),
    ],
)
def test_invalid_moves_are_refused(move, kind, part):
    board = start(1, 2)
    before = board.jsonify()
    with pytest.raises(kind) as error:
        board.move(move)
    assert part in str(error.value)
    assert len(str(error.value)) < 250
    assert board.jsonify() == before


def test_duplicate_figures_are_refused():
    board = Board([Player((5, 0, 0), 1, (1, 2, 3)) for _ in range(6)], generate=True)
    with pytest.raises(GameError, match="Player 1 has more than five pieces"):
        board.move([1, 0, 5, 1, 6])
    board = Board([GrayStopper((-1, -1, -1), 6), GrayStopper((-1, -1, -1), 6)], generate=True)
    with pytest.raises(GameError, match="Duplicate stopper 6"):
        board.move([1, 0, 5, 1, 6])
    with pytest.raises(GameError, match="Expected a figure, got 'x'"):
        board.add_figure("x")


def test_pieces_of_one_colour_are_numbered_in_order():
    board = Board([Player((5 + i, 0, 0), 1, (9, 9, 9)) for i in range(3)], generate=True)
    board.move([1, 2, 6, 1, 7])
    assert [each._node for each in board.figures] == ["5-0-0", "6-0-0", "6-1-7"]


# ── the table ────────────────────────────────────────────────────────────────────────────────────


def test_update():
    board = Board(generate=True)
    figure = Player((5, 0, 0), 1, (0, 0, 255))
    board.add_figure(figure, update=False)
    assert "5-0-0" not in board.figures_table
    board.update()
    assert board.figures_table["5-0-0"] is figure
    figure.move((5, 1, 6))
    board.update(figure)
    assert list(board.figures_table) == ["5-1-6"]
    board.add_figures([GrayStopper((0, 0, 0), 6), GrayStopper((1, 0, 0), 7)])
    assert len(board.figures_table) == 3


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda board: board.copy(), lambda board: pickle.loads(pickle.dumps(board))]
)
@pytest.mark.parametrize("names", ["pentagraph", "denomination"])
def test_copies(again, names):
    board = start(1, 2, names=names)
    other = again(board)
    assert (other.figures, other.figures_table, other.nodes) == (board.figures, board.figures_table, board.nodes)
    other.move([1, 0, *other.names.position(10)])
    assert other.figures != board.figures
    assert other.names == board.names


# ── keeping ──────────────────────────────────────────────────────────────────────────────────────


@together("hexcolors", [False, True])
@together("way", [lambda data: data, lambda data: json.loads(json.dumps(data)), json.dumps])
@together("kind", [Board, RawBoard])
def test_saved_and_loaded(kind, way, hexcolors):
    board = kind(generate=True)
    board.gen_start_field((1, 2, 3, 4, 5))
    again = kind.load(way(board.jsonify(hexcolors=hexcolors)))
    assert type(again) is kind
    assert again.nodes == board.nodes
    assert again.edges == board.edges
    assert again.figures == board.figures
    assert again.figures_table == board.figures_table
    again.move([2, 1, 6, 1, 7])


def test_within_a_turn():
    board = start(1, 2)
    board.move([1, 0, 0, 0, 0])
    again = Board.load(json.dumps(board.jsonify()))
    with pytest.raises(IllegalMove, match="must put a black block"):
        again.move([2, 0, 5, 1, 9])
    again.move([1, 11, 5, 1, 9])


OLD_GRAPH = {"directed": False, "multigraph": False, "graph": {}}
OLD_GRAPH["nodes"] = [{"id": PENTAGRAPH.label(number)} for number in range(100)]
OLD_GRAPH["links"] = [
    {"source": PENTAGRAPH.label(one), "target": PENTAGRAPH.label(other)}
    for one in range(100)
    for other in LINKS[one]
    if one < other
]
LISTED = [[0, "5-0-0", 4, 0], [1, "6-5-1", 4, 0], [6, "-1", -1, 1], [11, "0-0-0", -1, 2]]
TABLE = {"-1": [10, -1], "0-0-0": [11, -1], "5-0-0": [0, 4], "6-5-1": [1, 4]}


@pytest.mark.parametrize(
    "old",
    [
        {"graph": OLD_GRAPH, "figures": LISTED},
        {"edges": OLD_GRAPH, "figures": TABLE},
        {
            "graph": {k: v for k, v in OLD_GRAPH.items() if k != "links"} | {"edges": OLD_GRAPH["links"]},
            "figures": LISTED,
        },
        {"graph": OLD_GRAPH, "figures": [[[5, 0, 0], 4, [0, 0, 255]], [[6, 5, 1], 4, "#ffffff"], [[0, 0, 0], 11]]},
        {
            "graph": OLD_GRAPH,
            "figures": [
                {"type": "player", "position": [5, 0, 0], "uid": 4, "color": [0, 0, 255]},
                {"type": "player", "position": [6, 5, 1], "uid": 4, "color": "#ffffff"},
                {"type": "black stopper", "position": [0, 0, 0], "uid": 11, "color": [0, 0, 0]},
            ],
        },
    ],
    ids=["listed", "table", "edges", "raw", "described"],
)
def test_the_json_of_older_versions(old):
    board = Board.load(json.dumps(old))
    assert board.nodes == Board(generate=True).nodes
    assert board.edges == Board(generate=True).edges
    assert {each._node for each in board.figures} - {"-1"} == {"0-0-0", "5-0-0", "1-5-6"}
    board.move([4, 1, 1, 4, 6])
    assert board.figures_table["1-4-6"].uid == 4


GOOD = {"graph": OLD_GRAPH, "figures": LISTED}


def changed(**about) -> dict:
    return GOOD | about


@together(
    ("bad", "part"),
    [
        ([], "Expected a board, an object with graph"),
        (None, "Expected a board, an object with graph"),
        (5, "Expected a board, an object with graph"),
        ("{", "line 1, column 2: Not valid JSON"),
        ("[]", "Expected a board, an object with graph"),
        (b"[]", "Expected a board, an object with graph"),
        ({}, "edges: Missing"),
        ({"graph": {}}, "graph.nodes: Missing"),
        ({"graph": [], "figures": []}, "graph: Expected an object, got []"),
        ({"graph": OLD_GRAPH}, "figures: Missing"),
        (changed(figures=5), "figures: Expected a list, got 5"),
        (changed(graph=OLD_GRAPH | {"nodes": 5}), "graph.nodes: Expected a list, got 5"),
        (changed(graph=OLD_GRAPH | {"nodes": [5]}), "graph.nodes[0]: Expected an object, got 5"),
        (changed(graph=OLD_GRAPH | {"nodes": [{}]}), "graph.nodes[0].id: Missing"),
        (changed(graph=OLD_GRAPH | {"nodes": [{"id": 5}]}), "graph.nodes[0].id: Expected text, got 5"),
        (changed(graph=OLD_GRAPH | {"nodes": [{"id": "0-1-2"}]}), "graph.nodes[0].id: Unknown node 0-1-2"),
        (changed(graph=OLD_GRAPH | {"nodes": [{"id": "-1"}]}), "graph.nodes[0].id: -1 is not a node"),
        (changed(graph=OLD_GRAPH | {"nodes": [{"id": "0-0-0"}] * 101}), "graph.nodes: Expected at most 100 items"),
        (changed(graph=OLD_GRAPH | {"links": [{"source": "0-0-0"}]}), "graph.links[0].target: Missing"),
        (
            changed(graph=OLD_GRAPH | {"links": [{"source": "0-0-0", "target": "1-0-0"}]}),
            "graph.links[0]: 0-0-0 and 1-0-0 are not neighbours",
        ),
        (changed(graph=OLD_GRAPH | {"graph": 5}), "graph.graph: Expected an object, got 5"),
        (changed(graph=OLD_GRAPH | {"graph": {"names": "mine"}}), "graph.graph.names: Expected pentagraph or"),
        (changed(graph=OLD_GRAPH | {"graph": {"names": []}}), "graph.graph.names: Expected pentagraph or"),
        (changed(graph=OLD_GRAPH | {"graph": {"due": ["red"]}}), "graph.graph.due: Expected a list of black and gray"),
        (changed(graph=OLD_GRAPH | {"graph": {"due": ["gray"]}}), "graph.graph.mover: Missing"),
        (changed(figures=[5]), "figures[0]: Expected [position, uid] or [position, uid, colour], got 5"),
        (changed(figures=[[]]), "figures[0]: Expected [position, uid] or [position, uid, colour], got []"),
        (changed(figures=[[1, 2]]), "figures[0]: Unknown stopper 2"),
        (changed(figures=[[[0, 0, 0], 16]]), "figures[0]: Unknown stopper 16"),
        (changed(figures=[[[0, 1, 2], 11]]), "figures[0]: No edge between 0 and 2"),
        (changed(figures=[[[0, 9, 1], 11]]), "figures[0]: The counter of the arm"),
        (changed(figures=[[[5, 0, 0], 1, "red"]]), "figures[0][2]: Expected a colour, [red, green, blue]"),
        (changed(figures=[[5, "5-0-0", 4, 0]]), "figures[0]: Unknown stopper 5"),
        (changed(figures=[[0, 5, 4, 0]]), "figures[0]: Expected [figure, label, player, type], got [0,"),
        (changed(figures=[[0, "5-0-0", 4, 3]]), "figures[0]: Expected [figure, label, player, type], got [0,"),
        (changed(figures=[[0, "x", 4, 0]]), "figures[0]: Unknown node 'x'"),
        (changed(figures={"5-0-0": 5}), "figures[0]: Expected [figure, player], got 5"),
        (changed(figures={"5-0-1": [0, 4]}), "figures[0]: Unknown node 5-0-1: No edge between 5 and 1"),
        (changed(figures=[{"type": "queen"}]), "figures[0].type: Unknown type 'queen'"),
        (changed(figures=[{"type": "player"}]), "figures[0].position: Missing"),
        (changed(figures=[{"type": "player", "position": [5, 0, 0]}]), "figures[0].uid: Missing"),
        (changed(figures=[{"type": "player", "position": [5, 0, 0], "uid": 1}]), "figures[0].color: Expected a colour"),
        (
            changed(figures=[{"type": "player", "position": [5, 0, 0], "uid": 1, "color": [0, 0, 0], "figure": 7}]),
            "figures[0]: The figure of a player's piece must be 0 to 4, not 7",
        ),
        (changed(figures=[[[0, 0, 0], 11]] * 36), "figures: Expected at most 35 items, got 36"),
        ('{"graph": 1, "graph": 2}', "Duplicate key 'graph' in an object"),
    ],
)  # fmt: skip
def test_invalid_boards_are_refused(bad, part):
    with pytest.raises(GameError) as error:
        Board.load(bad)
    assert part in str(error.value)
    assert len(str(error.value)) < 300
    if not isinstance(bad, str | bytes):
        with pytest.raises(GameError):
            RawBoard.load(json.dumps(bad))


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    "much",
    [
        "[" * 10**7,
        '{"graph":' * 10**6,
        "9" * 10**7,
        '{"graph": {"nodes": [' + '{"id": "0-0-0"},' * 600_000 + '{"id": "0-0-0"}]}}',
        '{"graph": {"nodes": [{"id": "' + "0" * 10**7 + '"}], "links": []}, "figures": []}',
        b"\xff" * 10**7,
    ],
    ids=["brackets", "braces", "digits", "nodes", "a label", "bytes"],
)
def test_ten_megabytes_are_refused_quickly(much):
    with at_most(lines=6_000_000):
        with pytest.raises(GameError) as error:
            Board.load(much)
        assert len(str(error.value)) < 300


# ── games ────────────────────────────────────────────────────────────────────────────────────────


def test_positions_and_boards():
    here = pentad.new("pentagame", players=3)
    assert position_of(start(7, 8, 9)).pieces == here.pieces
    assert sorted(position_of(start(7, 8, 9)).blacks) == list(here.blacks)
    chance = random.Random(1)
    for _ in range(20):
        here = here.play(random_rare_turn(here, chance))
        again = position_of(board_of(here, (7, 8, 9)), (7, 8, 9)[here.turn])
        assert (again.pieces, again.blacks, again.grays) == (here.pieces, here.blacks, here.grays)
        assert again.turn == here.turn
    half = pentad.new("pentagame").partial("3-5")
    assert position_of(board_of(half)).due == ("black",)
    assert position_of(board_of(half)).turn == half.turn


def test_boards_that_are_not_positions_are_refused():
    board = Board(generate=True)
    board.gen_start_field((1, 2))
    with pytest.raises(GameError, match="figure 1 is not on this board"):
        position_of(board)
    with pytest.raises(GameError, match="Unknown player 5"):
        position_of(start(1, 2), 5)
    with pytest.raises(GameError):
        position_of(start(1))
    with pytest.raises(GameError, match="Expected 2 different uids"):
        board_of(pentad.new("pentagame"), (1, 1))


def test_a_bot_plays():
    board = start(4, 9)
    bots = [SimpleBot(board, uid, seed=1) for uid in (4, 9)]
    for turn in range(6):
        moves = bots[turn % 2].handle_turn()
        assert moves[0][0] == (4, 9)[turn % 2]
        board.move(moves)
    assert SimpleBot().handle_turn() == ()


def test_a_page(monkeypatch):
    board = Board(generate=True)
    board.gen_start_field((1, 2, 3))
    assert "<svg" in page(board)
    assert "width:300px" in page(board, fullscreen=False)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    render(RawBoard.load(board.jsonify()), False, 500)
    assert opened[0].startswith("file://")


def test_without_networkx():
    hidden = "import sys; sys.modules['networkx'] = None\n"
    for module in ("pentad.bridges.pentagraph", "pentad.bridges.pentagraph.lib.graph"):
        assert failure(f"{hidden}import {module}").endswith(
            f"networkx is not installed. For the bridge to pentagraph, run: {installing_command('pentagraph')}"
        )
