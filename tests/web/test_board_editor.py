"""Board editor: pieces and counters set by hand, and what a draft lacks to be a legal position."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.web import board_editor
from pentad.web.typed_json import Reader
from tests.properties import properties


def put(draft: str, *pairs: tuple[str, str]) -> board_editor.Draft:
    for piece, target in pairs:
        draft = board_editor.edit(board_editor.Edit(draft=draft, piece=piece, target=target)).draft
    return board_editor.draft(draft)


@pytest.mark.parametrize("game", pentad.names())
def test_the_initial_position_is_complete_and_every_place_is_a_target(game: str) -> None:
    draft = board_editor.draft(game)
    assert draft.position == pentad.new(game).text
    assert draft.trouble == ""
    for choice in draft.choices:
        assert f'data-target="{choice.targets[0]}"' in draft.svg


def test_marbles_are_placed_and_removed() -> None:
    one = put("pentago", ("white", "a0"))
    assert one.position == ""
    assert one.trouble.startswith("The players move in turn")
    two = put(one.draft, ("black", "a1"))
    assert two.position == "pentago wb..../....../....../....../....../......"
    assert two.status == "Black to place a marble."
    assert put(two.draft, ("black", "a0"), ("empty", "a1")).position.startswith("pentago b.....")


def test_stones_and_captures_make_a_position_of_pente() -> None:
    draft = put("pente", ("white", "K10"), ("black", "K11"), ("white", "A1"))
    assert pentad.load(draft.position).turn == 1
    taken = board_editor.edit(board_editor.Edit(draft=draft.draft, counter="white", value=2))
    assert "White must have placed as many stones" in taken.trouble
    both = put(taken.draft, ("white", "B2"), ("white", "C3"))
    assert pentad.load(both.position).text.endswith("2,0")


def test_swap2_is_over_with_three_stones() -> None:
    draft = put("pente opening=swap2", ("white", "K10"), ("black", "K11"), ("white", "A1"))
    assert pentad.load(draft.position).choices().prompt == "Place a black stone."


def test_pieces_of_pentagame_go_anywhere_and_home() -> None:
    draft = put("pentagame", ("0.1", "[5,0,0]"))
    assert "A block and a piece cannot be on the same field" in draft.trouble
    draft = put(draft.draft, ("11", "[0,0,0]"), ("0.0", ""), ("1.0", "[1,0,0]"))
    assert draft.position
    assert next(each for each in draft.pieces if each.name == "0.0").where == ""
    turned = board_editor.edit(board_editor.Edit(draft=draft.draft, counter="turn", value=1))
    assert pentad.load(turned.position).turn == 1
    assert "A black block must be off the board" in put(draft.draft, ("12", "")).trouble
    assert put(draft.draft, ("6", "[5,1,2]")).position  # a gray block for the piece at home


@pytest.mark.parametrize("plies", ["0000000001999", "1_0", "\u0661"])
def test_invalid_plies_are_refused(plies: str) -> None:
    name, seat, _, *rest = pentad.new("pentagame").text.split()
    with pytest.raises(GameError, match="Expected a Pentagame board: seat, plies"):
        board_editor.draft(" ".join((name, seat, plies, *rest)))


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        ({"draft": "pentago", "piece": "red", "target": "a0"}, "Unknown piece 'red'"),
        ({"draft": "pentago", "piece": "black", "target": "z9"}, "There is no space|is not a space"),
        ({"draft": "pentago", "piece": "black"}, "is not a space"),
        ({"draft": "pentago", "counter": "turn", "value": 1}, "Unknown counter 'turn'"),
        ({"draft": "pentagame", "counter": "turn", "value": 2}, "a number from 0 to 1, got 2"),
        ({"draft": "pentagame", "piece": "0.1", "target": "[5,1,0]"}, "No edge"),
        ({"draft": "pentagame 5 0 a b c"}, "Expected a Pentagame board|there is no seat"),
        ({"draft": "pentagame 0 0"}, "Expected a Pentagame board"),
        ({"draft": "chess"}, "Unknown game"),
        ({"draft": ""}, "Unknown game"),
        ({"draft": "pente 3", "piece": "white", "target": "A1"}, "The board has 19 rows"),
    ],
)
def test_an_invalid_edit_gets_one_line(edit: dict[str, object], line: str) -> None:
    with pytest.raises(GameError, match=line):
        board_editor.edit(Reader[board_editor.Edit](board_editor.Edit).value(edit))


@properties(30)
@given(st.data())
def test_any_board_can_be_drawn_and_read_again(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(pentad.names()))
    draft = board_editor.draft(game)
    pieces, places = [each.name for each in draft.pieces], [each.step for each in draft.choices]
    text = draft.draft
    for _ in range(data.draw(st.integers(1, 6))):
        piece, place = data.draw(st.sampled_from(pieces)), data.draw(st.sampled_from(places))
        made = board_editor.edit(board_editor.Edit(draft=text, piece=piece, target=place))
        assert board_editor.draft(made.draft) == made
        assert bool(made.position) != bool(made.trouble)
        text = made.draft
