"""Fuzzing: invalid input raises `GameError` with a message, and nothing else."""

from __future__ import annotations

import pytest

from pentad.game import whole
from tests.cases import together
from tests.fuzzing import Parser, parsers, try_input

SOME, MANY = 40, 4_000  # inputs of each parser


def named(parser: Parser) -> str:
    return parser.name


@pytest.mark.slow
@together("parser", parsers())
def test_broken_input_is_refused(parser):
    for seed in range(SOME):
        error = try_input(parser, seed)
        assert error is None, f"input {seed} of {parser.name}: {error!r}"


@pytest.mark.slow
@pytest.mark.parametrize("parser", parsers(), ids=named)
def test_much_broken_input_is_refused(parser):
    for seed in range(SOME, MANY):
        error = try_input(parser, seed)
        assert error is None, f"input {seed} of {parser.name}: {error!r}"


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1\x1f", "1_0", "\u0661", "\xb2", "1.0", "9" * 10, "9" * 5000])
def test_other_texts_are_not_numbers(text):
    assert whole(text) is None


def test_numbers():
    assert [whole("0"), whole("007"), whole("9" * 9), whole("12", 2), whole("123", 2)] == [0, 7, 999999999, 12, None]
