"""Whatever is read is understood or refused in one line: nothing breaks a reader."""

from __future__ import annotations

import pytest

from pentad.game import whole
from tests.readers import Reader, readers, trial

SOME, MANY = 40, 4_000  # inputs of each reader


def named(reader: Reader) -> str:
    return reader.name


@pytest.mark.parametrize("reader", readers(), ids=named)
def test_broken_input_is_refused(reader):
    for seed in range(SOME):
        error = trial(reader, seed)
        assert error is None, f"input {seed} of {reader.name}: {error!r}"


@pytest.mark.slow
@pytest.mark.parametrize("reader", readers(), ids=named)
def test_much_broken_input_is_refused(reader):
    for seed in range(SOME, MANY):
        error = trial(reader, seed)
        assert error is None, f"input {seed} of {reader.name}: {error!r}"


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1\x1f", "1_0", "\u0661", "\xb2", "1.0", "9" * 10, "9" * 5000])
def test_other_numbers_are_no_numbers(text):
    assert whole(text) is None


def test_numbers():
    assert [whole("0"), whole("007"), whole("9" * 9), whole("12", 2), whole("123", 2)] == [0, 7, 999999999, 12, None]
