"""The one answer to whether a value is known: by the rules, the book, stored values, the solver and proofs."""

from __future__ import annotations

import random
import subprocess
import sys

import pentad
from pentad.search.exact import exact_value
from pentad.standard import Standard

EMPTY = pentad.new("pentago")
DRAWN, LOST = EMPTY.play("a0 4C"), EMPTY.play("b1 1A")
CORNERS = ("a0", "a5", "f0", "f5")
THREATS = (
    "pente opening=free 19/19/19/19/19/19/5w1w11/7b11/6wbw2b7/4b2b1w2w6/4b2bb1w1b6/4bwwwwb1wb6/4w2b1ww1b6"
    "/19/19/19/19/19/19 4,4"
)


def test_the_first_positions_of_pentago_are_in_the_book():
    """Published facts: Black wins from the empty board, with every marble but one in a corner, which draws."""
    found = exact_value(EMPTY, moves=True)
    assert found is not None
    assert (found.value, found.how, found.unknown) == (1, "book", 0)
    assert sorted(map(found.moves.__getitem__, EMPTY.legal_moves)) == [0] * 96 + [1] * 192
    assert all(found.moves[move] == 0 for move in EMPTY.legal_moves if str(move)[:2] in CORNERS)
    for position, value in ((DRAWN, 0), (LOST, -1)):
        there = exact_value(position)
        assert there is not None
        assert (there.value, there.how) == (value, "book")


def test_every_position_of_one_marble_up_to_symmetry_has_the_value_of_its_best_move():
    positions = {Standard(after).key: after for after in map(EMPTY.play, EMPTY.legal_moves)}
    assert len(positions) == 6
    for position in positions.values():
        found = exact_value(position, moves=True)
        assert found is not None
        assert found.value == max(found.moves.values())
        assert found.unknown == 0
        for move in found.best[::20]:
            after = exact_value(position.play(move))
            assert after is not None
            assert after.value == -found.value


def test_with_three_marbles_the_moves_of_the_page_are_known():
    seen, chance = set(), random.Random(1)
    for _ in range(8):
        position = EMPTY
        for _ in range(3):
            position = position.play(chance.choice(position.legal_moves))
        found = exact_value(position, moves=True)
        assert found is not None
        seen.add(found.value)
        assert set(found.moves.values()) == {found.value}
        assert (found.unknown == 0) == (found.value == -1)  # every move loses where one of them does no better
    assert seen == {0, -1}  # White cannot win so early
    assert exact_value(position.play(position.legal_moves[0])) is None


def test_the_middle_of_a_turn_is_known_where_all_results_are():
    found = exact_value(EMPTY.partial("a2"))
    assert found is not None
    assert (found.value, len(found.moves)) == (1, 8)
    assert exact_value(EMPTY.partial("a0")).value == 0  # type: ignore[union-attr]


def test_an_answer_of_the_book_loads_no_compiler():
    code = (
        "import sys, pentad; from pentad.search.exact import exact_value; "
        "exact_value(pentad.new('pentago'), moves=True, depth=True, seconds=9.0); "
        "print(pentad.analyse(pentad.new('pentago')).exact); "
        "print({'numba', 'numpy', 'llvmlite'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split("\n")[:2] == ["True", "set()"]
