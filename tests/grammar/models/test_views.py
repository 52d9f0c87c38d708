"""Models in words: every option of every model has a sentence, and boards are drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pentad.grammar import Grammar
from pentad.grammar.models import MODELS, find, new
from pentad.grammar.models.views import VIEWS, ModelView, view_of
from pentad.grammar.simulation import Simulation
from tests.cases import together

SMALL_PENTAGO = {"block": 2, "line": 3}
VARIANTS = [
    *((name, {}) for name in MODELS),
    ("pentago", {"style": "sym", **SMALL_PENTAGO}),
    ("pentago", {"rules": "classic", "rows": 1, "cols": 2, **SMALL_PENTAGO}),
    ("pentago", {"players": 3, **SMALL_PENTAGO}),
    ("tictactoe", {"rows": 2, "players": 3}),
    ("pente", {"size": 5, "style": "flags"}),
    ("pentagame", {"part": "mains", "pieces": 2}),
    ("ferry", {"wolves": 2, "goats": 2}),
    ("maze", {"plan": "court"}),
]


def shown(grammar: Grammar) -> ModelView:
    view = view_of(grammar)
    assert view
    return view


def met(grammar: Grammar, steps: int, seed: int = 1) -> dict[str, str]:
    """The words of the first option of each action that a walk meets."""
    view, simulation, found = shown(grammar), Simulation(grammar, seed), dict[str, str]()
    for _ in range(steps):
        for option in simulation.options:
            found.setdefault(option.action, view.words(option))
        if simulation.by_chance() is None:
            simulation.restart()
    return found


def test_every_model_has_a_view() -> None:
    assert VIEWS.keys() == MODELS.keys()


@together("name, options", VARIANTS)
def test_every_rule_has_a_sentence(name: str, options: dict[str, object]) -> None:
    grammar = new(name, **options)
    forbidden = {rule for rule, graph in grammar.rules.items() if graph.attributes.get("actionRole") == "forbidden"}
    assert shown(grammar).sentences.keys() >= grammar.rules.keys() - forbidden


@together("name, options", VARIANTS)
def test_options_name_no_nodes_and_differ(name: str, options: dict[str, object]) -> None:
    grammar = new(name, **options)
    view, simulation = shown(grammar), Simulation(grammar, 1)
    for _ in range(30):
        words = [view.words(option) for option in simulation.options]
        assert all(words)
        assert not [each for each in words if re.search(r"\bn\d|#|\bint:", each)]
        assert len(set(words)) == len(words) or name == "pentagame"  # there a piece may leave a stack of several
        if simulation.by_chance() is None:
            break


WORDS = {
    "pentago": {"placeMarble": "place at a0", "rotateCW": "turn sub-board 1 clockwise",
                "rotateCCW": "turn sub-board 1 anti-clockwise", "nextTurn": "the turn passes to White"},
    "tictactoe": {"place": "X at A1", "nextTurn": "the turn passes to O", "win": "X has a line"},
    "lines": {"place": "place at A1", "nextTurn": "the turn passes to Black"},
    "pente": {"place": "place at A1", "nextTurn": "the turn passes to Black"},
    "pentagame": {"swapOwn": "swap white with green", "swapOther": "swap white with green of player 2"},
    "ferry": {"carry": "the wolf crosses", "cross": "the boat crosses empty", "eat": "the wolf eats the goat"},
    "append": {"walk": "call 3 walks on", "append": "call 4 appends its value", "found": "call 3 finds its value"},
    "election": {"send": "process 1 sends its number", "drop": "process 2 drops 1",
                 "elect": "process 3 becomes the leader"},
    "maze": {"walk": "walk east", "take": "take the key", "drift": "the ghost drifts to cell 0,1"},
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_words(name: str) -> None:
    found = met(new(name), 25)
    assert {action: found[action] for action in WORDS[name]} == WORDS[name]


def test_a_crossing_has_its_direction() -> None:
    view, simulation = shown(new("ferry")), Simulation(new("ferry"))
    simulation.take(1)
    assert [view.words(option) for option in (*simulation.steps, *simulation.options)] == [
        *("the goat crosses", "the goat comes back", "the boat comes back empty"),
    ]


def test_merged_rotations_are_explained() -> None:
    grammar = new("pentago")
    view, simulation = shown(grammar), Simulation(grammar)
    assert view.note(simulation) == ""
    simulation.take(0)
    assert len(simulation.options) == 4
    assert view.note(simulation) == (
        "The 4 options stand for 8 rotations: sub-boards 2, 3 and 4 have no marble that a rotation moves, "
        "so their rotations lead to the same state and are merged."
    )
    (turn,) = [number for number, each in enumerate(simulation.options) if view.words(each).endswith("2 clockwise")]
    after = simulation.leads_to(turn)
    assert after.edges == simulation.state.edges  # the rotations of sub-boards 3 and 4 do the same
    assert {target for target, number in view.targets(simulation).items() if number == turn} == {
        ("2C",),
        ("3C",),
        ("4C",),
    }
    assert len(view.targets(simulation)) == 8


def test_merged_rotations_are_those_that_are_missing() -> None:
    """In random play: the listed sub-boards, and one for all that are still."""
    grammar = new("pentago")
    view, simulation = shown(grammar), Simulation(grammar, 3)
    notes = set()
    for _ in range(90):
        note = view.note(simulation)
        rotations = [view.words(option) for option in simulation.options if option.action == "rotateCW"]
        still = re.findall(r"\d", note.partition(":")[2])
        assert len(rotations) in (0, 4 - max(len(still) - 1, 0))
        notes.add(len(still))
        if simulation.by_chance() is None:
            break
    assert len(notes) > 2


def test_with_sub_boards_as_nodes_no_rotation_is_merged() -> None:
    grammar = new("pentago", style="sym", **SMALL_PENTAGO)
    view, simulation = shown(grammar), Simulation(grammar)
    simulation.take(0)
    assert (len(simulation.options), view.note(simulation)) == (8, "")


def test_boards_are_drawn() -> None:
    for name, options in VARIANTS:
        grammar = new(name, **options)
        drawn = shown(grammar).draw(Simulation(grammar))
        assert bool(drawn) == (name == "tictactoe" or shown(grammar).board is not None), name
    grammar = new("tictactoe", rows=2)
    simulation = Simulation(grammar)
    simulation.take(4)
    assert shown(grammar).draw(simulation).split("\n") == ["   2 · X ·", "   1 · · ·", "     A B C"]


def test_the_view_of_a_folder(tmp_path: Path) -> None:
    new("ferry", wolves=2, iso=False).save(tmp_path / "f.gps")
    read = Grammar.load(tmp_path / "f.gps")
    assert shown(read).names == shown(new("ferry", wolves=2)).names
    assert list(shown(read).names.values())[3:5] == ["wolf 1", "wolf 2"]


def test_a_changed_model_has_no_view() -> None:
    for change in ("start", "rule", "no property", "unknown", "option", "value"):
        grammar = new("ferry")
        if change == "start":
            grammar.start.node("type:Item", at=(0, 0))
        elif change == "rule":
            grammar.rules["eat"].node("type:Item", at=(0, 0))
        elif change == "no property":
            del grammar.properties["model"]
        else:
            grammar.properties["model"] = {"unknown": "chess", "option": "ferry x=1", "value": "ferry wolves"}[change]
        assert view_of(grammar) is None, change
    assert view_of(find("ferry")()) is not None


def test_another_start_graph_has_no_view() -> None:
    grammar, other = new("ferry"), new("ferry", goats=2).start
    assert view_of(grammar, other) is None
