"""What a model's graph stands for on a board: the positions that the rules lead to, and places that can be touched."""

import random

import pytest

from pentad.game import load, new
from pentad.grammar.models import MODELS, find
from pentad.grammar.models.positions import BOARDS, board_of
from pentad.grammar.simulation import Simulation
from tests.cases import together

CLASSIC = {"rules": "classic", "rows": 1, "cols": 2, "block": 2, "line": 3}


def walking(name, **given):
    """A simulation and its board."""
    model = find(name)
    grammar = model(**given)
    return Simulation(grammar), board_of(name, model.check(given), grammar.start)


def here(simulation, board):
    return board.position(simulation.graph, {option.action for option in simulation.options})


def touched(board, option):
    return board.targets(option.action, [node for _, node in option.nodes])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("pentago", {"style": "sym"}),
        ("pentago", CLASSIC),
        ("pentago", {"rotate": False}),
        ("tictactoe", {}),
        ("lines", {"size": 5, "line": 4}),
        ("pente", {"size": 6, "style": "flags"}),
        ("pentagame", {"players": 3}),
    ],
)
def test_targets_of_options_exist_in_the_drawing(name, given):
    simulation, board = walking(name, **given)
    chance, seen = random.Random(1), 0
    for _ in range(25):
        svg = here(simulation, board).svg(style=False)
        for option in simulation.options:
            for target in touched(board, option):
                seen += 1
                assert f'data-target="{target}"' in svg, (option, target)
        if not simulation.options:
            break
        simulation.take(chance.randrange(len(simulation.options)))
    assert seen > 20


@pytest.mark.parametrize("style", ["flags", "sym"])
def test_targets_of_a_pentago_turn_play_it(style):
    simulation, board = walking("pentago", style=style, **CLASSIC)
    position = new("pentago", rows=1, cols=2, block=2, line=3)
    for move in ("a0 1C", "a2 2A", "b1 1A", "b3 2C"):
        for step in move.split():
            assert here(simulation, board).outcome is None
            fitting = [number for number, each in enumerate(simulation.options) if touched(board, each) == (step,)]
            assert fitting, step
            simulation.take(fitting[0])
        position = position.play(move)
        assert here(simulation, board) == position
        assert [each.action for each in simulation.options] == ["nextTurn"]
        simulation.take(0)


def test_captures_of_pente_are_counted():
    simulation, board = walking("pente", size=4, line=4, capture_win=4)
    position = new("pente", size=4, line=4, capture_win=4, opening="free")
    for move in ("A1", "B1", "A4", "C1", "D1"):
        (number,) = [number for number, each in enumerate(simulation.options) if touched(board, each) == (move,)]
        simulation.take(number)
        while any(each.action in ("capture", "nextTurn") for each in simulation.options):
            simulation.take(0)
        position = position.play(move)
    assert here(simulation, board) == position
    assert position.taken == (2, 0)


def test_the_first_graph_is_the_first_position():
    for name, given in (("pentago", CLASSIC), ("lines", {}), ("pentagame", {"players": 4})):
        simulation, board = walking(name, **given)
        position = here(simulation, board)
        assert load(position.text) == position
        assert position.ply == 0


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("pentago", {"players": 7}),
        ("tictactoe", {"rows": 2}),
        ("tictactoe", {"players": 3}),
        ("pentagame", {"part": "ring"}),
        ("pentagame", {"pieces": 2}),
        ("pentagame", {"blocks": False}),
        *((name, {}) for name in MODELS if name not in BOARDS),
    ],
)
def test_options_without_a_board_have_none(name, given):
    assert walking(name, **given)[1] is None


def test_an_option_leads_to_its_position():
    simulation, _ = walking("ferry")
    for number in range(len(simulation.options)):
        state = simulation.leads_to(number)
        simulation.take(number)
        assert simulation.state == state
        simulation.undo()


@together("players", [7, 12, 400])
@together("rules", ["design1", "classic"])
def test_the_turn_passes_through_any_number_of_players(players, rules):
    """As the requirement document wants, the number of players is scalable; the rules' six colours do not limit it."""
    simulation, board = walking("pentago", players=players, rules=rules, block=4, line=8, rotate=False)
    assert board is None
    movers = []
    for _ in range(min(players, 12) + 1):
        movers.append(next(edge.target for edge in simulation.graph.edges if edge.label == "currentPlayer"))
        simulation.take(0)
        assert [each.action for each in simulation.options] == ["nextTurn"]
        simulation.take(0)
    assert len(set(movers[:12])) == min(players, 12)
    assert (movers[-1] == movers[0]) == (players <= 12)
