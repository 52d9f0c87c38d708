"""The eight symmetries of the board."""

import pytest

import pentad
from pentad.game import Move
from pentad.games.pente.board import Side, Stone, board, points_of, symmetries
from tests.cases import thinned
from tests.games.pente.random_games import EIGHT_WAYS, GAMES, SMALL, new, played, random_game
from tests.games.pente.referee import LETTERS

SIZES = (3, 4, 5, 10, 19, 25)


def way(name, size=19):
    return next(way for way in new(rules="lines", size=size).symmetries if way.name == name)


@pytest.mark.parametrize("size", SIZES)
def test_the_symmetries_are_eight_and_a_group(size):
    ways = symmetries(board(size, 3))
    assert ways[0].name == "identity"
    assert len({way.name for way in ways}) == len({way.points for way in ways}) == 8
    assert ways[0].points == tuple(range(size**2))
    expected = set()
    for turn in EIGHT_WAYS:
        images = [turn(point % size, point // size, size - 1) for point in range(size**2)]
        expected.add(tuple(y * size + x for x, y in images))
    assert {way.points for way in ways} == expected
    for one in ways:
        for other in ways:
            assert tuple(other.points[point] for point in one.points) in expected


@pytest.mark.parametrize(("size", "line"), [(3, 3), (4, 3), (7, 5), (10, 5)])
def test_lines_go_to_lines(size, line):
    here = board(size, line)
    lines = {points for points, _ in here.lines}
    for way in symmetries(here):
        assert {sum(1 << way.points[point] for point in points_of(points)) for points in lines} == lines


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("identity", "B3"),
        ("half turn", "S17"),
        ("left and right exchanged", "S3"),
        ("top and bottom exchanged", "B17"),
        ("quarter turn clockwise", "C18"),
        ("quarter turn anti-clockwise", "R2"),
        ("mirrored in the diagonal", "C2"),
        ("mirrored in the other diagonal", "R18"),
    ],
)
def test_images_of_a_move(name, image):
    move = new().parse("B3")
    assert str(way(name).move(move)) == image
    assert way(name).position(played({"opening": "free"}, "B3")) == played({"opening": "free"}, image)


def test_a_quarter_turn_clockwise_turns_clockwise():
    """The top left corner goes to the top right."""
    assert str(way("quarter turn clockwise").move(new().parse("A19"))) == "T19"
    assert str(way("quarter turn anti-clockwise").move(new().parse("A19"))) == "A1"


def test_choices_of_side_stay_what_they_are():
    for each in new(opening="swap2").symmetries:
        move = Move((Side("more"), Stone(0, 0), Stone(9, 9)))
        assert each.move(move)[0] == Side("more")
        assert each.move(move)[2] == Stone(9, 9)
        assert str(each.move(Move((Side("white"),)))) == "white"


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", thinned(SMALL, 9))
def test_symmetries_commute_with_a_whole_game(name):
    """Images of a game, move by move, with outcomes, captures and legal moves."""
    *_, (last, _) = random_game(GAMES[name], 1)
    for each in last.symmetries:
        previous = None
        for position, _ in random_game(GAMES[name], 1):
            image = each.position(position)
            assert (image.outcome, image.captures, image.turn) == (
                position.outcome,
                position.captures,
                position.turn,
            ), position.text
            assert (image.options, image.ply, len(image.legal_moves)) == (
                position.options,
                position.ply,
                len(position.legal_moves),
            )
            assert pentad.load(image.text) == image
            if previous is not None and not position.ply % 5:
                before, before_image = previous
                for move in before.legal_moves[:: max(1, len(before.legal_moves) // 3)]:
                    assert before_image.play(each.move(move)) == each.position(before.play(move))
                    assert each.move(move) in before_image.legal_moves
            previous = position, image


def test_the_number_of_first_moves_up_to_symmetry():
    for size, kinds in ((3, 3), (4, 3), (10, 15), (19, 55)):
        here = new(rules="lines", size=size, line=3)
        found = {min(str(each.move(move)) for each in here.symmetries) for move in here.legal_moves}
        assert len(found) == kinds


@pytest.mark.parametrize("options", [{"rules": "lines", "size": 5, "line": 3}, {"size": 7}], ids=str)
def test_perft_is_the_same_for_images(options):
    here = new(**options)
    here = here.play(here.legal_moves[0])
    here = here.play(here.legal_moves[5])
    assert len({pentad.perft(each.position(here), 2) for each in here.symmetries}) == 1


def test_the_letters_of_a_mirrored_board():
    assert str(way("left and right exchanged", 25).move(new(rules="lines", size=25).parse("A1"))) == f"{LETTERS[24]}1"
