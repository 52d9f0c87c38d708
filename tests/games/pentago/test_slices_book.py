"""Pentago's opening book against the slices: every position with up to three marbles, and exact moves."""

import random

import pentad
from pentad.games.pentago.slices import Slices
from pentad.search.book import look_up
from pentad.search.bot import bot
from pentad.search.move_limit import Limit
from tests.games.pentago import slice_files


def test_the_book_s_moves_keep_the_exact_value():
    slices, chance = Slices(slice_files.DATA), random.Random(8)
    for number in range(120):
        position = pentad.new("pentago")
        for _ in range(number % 4):
            position = position.play(chance.choice(position.legal_moves))
        values, known = slices.values(position), look_up(position)
        assert known is not None
        assert known.exact
        best = max(values.values())
        assert {(values[move], value) for move, value in known.moves} == {(best, best)}, position.text


def test_the_perfect_bot_is_sure_of_its_first_moves_without_slices():
    position = pentad.new("pentago")
    perfect = bot("pentago", "perfect", seed=1)
    for _ in range(4):
        found = perfect.play(position, Limit(seconds=0.1))
        assert found.exact
        position = position.play(found.move)
