"""The symmetries of the board."""

import pytest

import pentad
from pentad.game import Move
from pentad.games.pentago.board import Place, Twist, board, symmetries
from tests.games.pentago.random_games import every_game, played

CLASSIC = board(2, 2, 3, 5)


def symmetry(name):
    return next(symmetry for symmetry in pentad.new("pentago").symmetries if symmetry.name == name)


@every_game
def test_the_number_of_symmetries(options):
    position = pentad.new("pentago", **options)
    ways = position.symmetries
    assert len(ways) == (8 if position.board.rows == position.board.cols else 4)
    assert ways[0].name == "identity"
    assert len({symmetry.name for symmetry in ways}) == len(ways)


@every_game
def test_symmetries_form_a_group(options):
    here = pentad.new("pentago", **options).board
    ways = {symmetry.spaces for symmetry in symmetries(here)}
    everything = tuple(range(here.size))
    assert len(ways) == len(symmetries(here)) or here.size in (1, 4)
    assert symmetries(here)[0].spaces == everything
    for one in ways:
        assert tuple(sorted(one)) == everything
        for other in ways:
            assert tuple(other[space] for space in one) in ways


@every_game
def test_lines_map_to_lines(options):
    here = pentad.new("pentago", **options).board
    lines = {frozenset(space for space in range(here.size) if line >> space & 1) for line in here.lines}
    for symmetry in symmetries(here):
        assert {frozenset(symmetry.spaces[space] for space in line) for line in lines} == lines


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("identity", "b1 2C"),
        ("half turn", "e4 3C"),
        ("left and right exchanged", "b4 1A"),
        ("top and bottom exchanged", "e1 4A"),
        ("quarter turn clockwise", "b4 4C"),
        ("quarter turn anti-clockwise", "e1 1C"),
        ("mirrored in the diagonal", "b1 3A"),
        ("mirrored in the other diagonal", "e4 2A"),
    ],
)
def test_images_of_moves(name, image):
    position = pentad.new("pentago")
    assert str(symmetry(name).move(position.parse("b1 2C"))) == image


@pytest.mark.parametrize(
    ("name", "corner"),
    [
        ("half turn", "f5"),
        ("left and right exchanged", "a5"),
        ("top and bottom exchanged", "f0"),
        ("quarter turn clockwise", "a5"),
        ("quarter turn anti-clockwise", "f0"),
        ("mirrored in the diagonal", "a0"),
        ("mirrored in the other diagonal", "f5"),
    ],
)
def test_images_of_positions(name, corner):
    assert symmetry(name).position(pentad.new("pentago").partial("a0")) == pentad.new("pentago").partial(corner)


@pytest.mark.parametrize("sub_board", CLASSIC.sub_boards)
def test_reflections_reverse_rotations(sub_board):
    for symmetry in symmetries(CLASSIC):
        (image,) = symmetry.move(Move([Twist(sub_board, "C")]))
        assert image.direction == ("A" if symmetry.mirrored else "C")


def test_a_place_and_its_sub_board_stay_together():
    for symmetry in symmetries(CLASSIC):
        for place in CLASSIC.places:
            turned_place, turned_twist = symmetry.move(Move([place, Twist(CLASSIC.sub_board_of(*place), "C")]))
            assert CLASSIC.sub_board_of(*turned_place) == turned_twist.sub_board


def test_images_keep_options_placements_and_players():
    half = played({"players": 3, "win_on_placement": False}, "a0 1C, c5 2A").partial("d1")
    for symmetry in half.symmetries:
        image = symmetry.position(half)
        assert (image.turn, image.options, image.placed) == (2, half.options, True)
        assert pentad.load(image.text) == image


def test_six_first_placements_up_to_symmetry():
    placements = [Place(row, column) for row in range(6) for column in range(6)]
    kinds = {min(str(symmetry.move(Move([place]))) for symmetry in symmetries(CLASSIC)) for place in placements}
    assert len(kinds) == 6


@pytest.mark.parametrize("options", [{"rows": 1, "cols": 2, "block": 2, "line": 3}, {"block": 2, "line": 3}], ids=str)
def test_perft_is_the_same_for_images(options):
    position = pentad.new("pentago", **options).play("a0 1C").play("a3 2A")
    counts = {pentad.perft(symmetry.position(position), 2) for symmetry in position.symmetries}
    assert len(counts) == 1
