"""Opening trees: counts, results for the mover, transpositions, games without a result."""

import pentad
from pentad.game import Outcome
from pentad.record import Record
from pentad.record.openings import OpeningTree, key_of, plies_of
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
    assert [(str(each.move), *each[1:]) for each in tree.branches(after)] == [("K11", 3, 1, 0, 1), ("L10", 1, 0, 0, 0)]
    assert [each.score for each in tree.branches(after.play("K11"))] == [1.0, 0.0]
    assert tree.branches(after.play("A1")) == []


def test_a_draw_counts_as_one() -> None:
    record = game("pentago", "a2 1C, b3 2A")
    record.ended = Outcome.of((), 2, "agreement")
    (branch,) = tree_of(record).branches(record.start)
    assert (branch.times, branch.wins, branch.draws, branch.losses, branch.score) == (1, 0, 1, 0, 0.5)


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
    assert key_of(left.position) == key_of(right.position)
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
