"""Opening trees: counts, results for the mover, transpositions, symmetric positions, games without a result."""

import itertools
import random

import pytest

import pentad
from pentad.game import Move, Outcome, Position
from pentad.game.standard_position import StandardPosition
from pentad.record import Record
from pentad.record.opening_tree import Branch, OpeningTree, most_frequent, plies_of
from tests.cases import together


def game(name: str, moves: str, winner: int | None = None) -> Record:
    record = Record(name)
    for move in moves.split(", "):
        record.play(move)
    record.ended = None if winner is None else Outcome.of((winner,), 2, "resigned")
    return record


def tree_of(*records: Record) -> OpeningTree:
    tree = OpeningTree()
    for record in records:
        tree.add(plies_of(record))
    return tree


def test_each_move_has_its_games_and_their_results_for_the_seat_that_made_it() -> None:
    tree = tree_of(
        game("pente", "K10, K11, N10", 0),
        game("pente", "K10, K11, N9", 1),
        game("pente", "K10, L10"),
        game("pente", "K10, K11"),
    )
    start = pentad.new("pente")
    assert [tuple(each[1:]) for each in tree.branches(start)] == [(4, 1, 0, 1)]
    after = start.play("K10")
    assert [(str(each.move), *each[1:]) for each in tree.branches(after)] == [
        ("J10", 4, 1, 0, 1)
    ]  # K11 and L10 are the same
    assert [each.score for each in tree.branches(after.play("K11"))] == [1.0, 0.0]
    assert [str(each.move) for each in tree.branches(after.play("K11"))] == ["G10", "G9"]
    assert tree.branches(after.play("A1")) == []


def test_a_draw_counts_as_one() -> None:
    record = game("pentago", "a2 1C, b3 2A")
    record.ended = Outcome.of((), 2, "agreement")
    (branch,) = tree_of(record).branches(record.start)
    assert (branch.times, branch.wins, branch.draws, branch.losses, branch.score) == (1, 0, 1, 0, 0.5)


def branch(times: int, wins: int = 0, draws: int = 0, losses: int = 0) -> Branch:
    return Branch(Move(()), times, wins, draws, losses)


@together(
    ("counts", "score"),
    [((5, 3, 1, 1), 0.7), ((4, 0, 0, 4), 0.0), ((4, 2, 0, 1), 2 / 3), ((3, 0, 0, 0), 0.5), ((9, 0, 2, 0), 0.5)],
)
def test_the_score_is_the_mean_of_the_games_with_a_result(counts, score) -> None:
    assert branch(*counts).score == score


def test_frequent_moves_come_first_and_then_good_ones() -> None:
    rare, often, good, bad = branch(1, 1), branch(5, 2, 0, 3), branch(3, 2, 0, 1), branch(3, 1, 0, 2)
    for some in itertools.permutations((rare, often, good, bad)):
        assert most_frequent(some) == [often, good, bad, rare]


@together(
    "name, one, other",
    [
        ("pente", "K10, K11, N10, L8", "K10, L8, N10, K11"),
        ("pentago", "b1 1C, e4 1C, b4 1C, e1 1C", "b4 1C, e1 1C, b1 1C, e4 1C"),
    ],
)
def test_a_position_is_found_whatever_moves_led_to_it(name: str, one: str, other: str) -> None:
    left, right = game(name, one), game(name, other)
    assert left.position == right.position
    assert StandardPosition(left.position).key == StandardPosition(right.position).key
    move = str(left.position.legal_moves[0])
    left.play(move)
    assert [str(each.move) for each in tree_of(left).branches(right.position)] == [move]


def test_games_with_other_options_are_apart() -> None:
    tree = tree_of(game("pente", "K10, K11"))
    assert tree.branches(pentad.new("pente", rules="keryo")) == []


def test_a_move_with_an_optional_part_is_counted_with_its_short_form() -> None:
    """The record keeps one spelling of each move, so that the tree has it once."""
    tree = tree_of(game("pentago", "a2 1C"), game("pentago", "A2 1c"))
    assert [each.times for each in tree.branches(pentad.new("pentago"))] == [2]


KINDS = [
    ("pentago", {}),
    ("pentago", {"rows": 3, "cols": 2, "players": 3}),
    ("pente", {"size": 9, "rules": "keryo"}),
    ("pente", {"size": 9, "opening": "swap2"}),
    ("pentagame", {"players": 3}),
]


def played(start: Position, seed: int) -> Record:
    rng, record = random.Random(seed), Record(start)
    for _ in range(12):
        choices = [] if record.outcome else record.position.choices()
        text = ""
        while choices:  # a random turn, without a list of all of them
            text = f"{text} {rng.choice(list(choices))}".strip()
            choices = [] if complete(record.position, text) else record.position.choices(text)
        if text:
            record.play(text)
    return record


def complete(position: Position, text: str) -> bool:
    try:
        return bool(position.play(text))
    except pentad.GameError:
        return False


@pytest.mark.parametrize(("name", "options"), KINDS)
def test_symmetric_positions_are_one_and_their_moves_have_one_name(name: str, options: dict[str, object]) -> None:
    start = pentad.new(name, **options)
    seen = 0
    for node in played(start, 1).main_line:
        before, move = node.played
        standard = StandardPosition(before)
        shown = standard.move(standard.name(move))
        before.play(shown)  # it is legal here
        assert standard.name(shown) == standard.name(move)
        for symmetry in before.symmetries:
            other, image = StandardPosition(symmetry.position(before)), symmetry.move(move)
            assert (other.key, other.name(image)) == (standard.key, standard.name(move)), symmetry.name
            seen += 1
    assert seen >= 4 * len(start.symmetries)


@pytest.mark.slow
def test_different_moves_have_different_names() -> None:
    after = pentad.new("pente").play("K10")
    standard = StandardPosition(after)
    moves = [move for move in after.legal_moves if len(str(move)) == 2 or str(move).endswith(("10", "11"))]
    for one in moves:
        same = {str(move) for move in moves if standard.name(move) == standard.name(one)}
        images = {str(symmetry.move(one)) for symmetry in after.symmetries}
        assert same == images & set(map(str, moves))


def test_a_tree_shows_the_moves_of_turned_games_on_the_board_at_hand() -> None:
    turned = {symmetry.name: symmetry for symmetry in pentad.new("pentago").symmetries}
    first = game("pentago", "a0 1C, b5 2A, f3 1C", 0)
    tree = tree_of(first)
    for symmetry in turned.values():
        record = Record("pentago")
        for move in first.moves:
            record.play(str(symmetry.move(move)))
        tree.add(plies_of(record))
    for symmetry in turned.values():
        here = symmetry.position(first.main_line[1].position)
        (branch,) = tree.branches(here)
        assert (branch.move, branch.times) == (symmetry.move(first.moves[2]), 1 + len(turned))


def test_a_game_without_symmetries_has_its_own_moves() -> None:
    class Bare(type(pentad.new("pentago"))):  # type: ignore[misc]
        symmetries = ()

    here = Bare(**vars(pentad.new("pentago")))
    standard = StandardPosition(here)
    move = here.parse("a2 1C")
    assert standard.name(move) == "a2 1C"
    assert standard.move("a2 1C") == move
