"""The limit of executed lines that tests use instead of a clock."""

import contextlib
import sys

import pytest

from tests.line_limit import at_most


def loop(times: int) -> int:
    found = 0
    for each in range(times):
        found += each
    return found


def test_few_lines_pass() -> None:
    with at_most(lines=100):
        assert loop(10) == 45


@pytest.mark.parametrize("work", [loop, lambda times: [each + 1 for each in range(times)]], ids=["loop", "list"])
def test_many_lines_fail_early(work) -> None:
    with pytest.raises(AssertionError, match="more than 100 lines"), at_most(lines=100):
        work(10**12)


def test_caught_errors_still_count() -> None:
    with (
        pytest.raises(AssertionError, match="101 lines of Python, at most 100"),
        at_most(lines=100),
        contextlib.suppress(AssertionError),
    ):
        loop(10**12)


def test_the_block_s_own_lines_count() -> None:
    def block() -> None:
        with at_most(lines=100):
            found = 0
            for each in range(10**12):
                found += each

    with pytest.raises(AssertionError, match="more than 100 lines"):
        block()


def test_lines_are_counted_exactly() -> None:
    def block(lines: int) -> None:
        with at_most(lines=lines):
            found = loop(2)  # two lines here, and seven in the loop: found, for, +=, for, +=, for, return
            assert found == 1

    block(9)
    with pytest.raises(AssertionError, match="more than 8 lines"):
        block(8)


def test_another_error_does_not_hide_it() -> None:
    def work() -> None:
        try:
            loop(10**12)
        except AssertionError:
            raise ValueError from None

    with pytest.raises(AssertionError, match="101 lines of Python, at most 100"), at_most(lines=100):
        work()


def test_nothing_is_counted_afterwards() -> None:
    before = sys.gettrace(), sys._getframe().f_trace
    with at_most(lines=100):
        loop(1)
    assert (sys.gettrace(), sys._getframe().f_trace) == before
    assert loop(1000) == 499_500
