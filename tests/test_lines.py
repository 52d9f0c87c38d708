"""The counter of lines that other tests use in place of a clock."""

import contextlib

import pytest

from tests.lines import at_most


def loop(times: int) -> int:
    found = 0
    for each in range(times):
        found += each
    return found


def test_few_lines_pass() -> None:
    with at_most(lines=100):
        assert loop(10) == 45


@pytest.mark.parametrize("work", [loop, lambda times: [each + 1 for each in range(times)]], ids=["loop", "list"])
def test_many_lines_fail_before_they_are_done(work) -> None:
    with pytest.raises(AssertionError, match="more than 100 lines"), at_most(lines=100):
        work(10**12)


def test_caught_errors_still_count() -> None:
    with (
        pytest.raises(AssertionError, match="101 lines of Python, at most 100 are allowed"),
        at_most(lines=100),
        contextlib.suppress(AssertionError),
    ):
        loop(10**12)
