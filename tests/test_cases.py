"""Cases that share a test."""

import pytest

from tests.cases import slow, together


@pytest.fixture
def seven() -> int:
    return 7


@together("value, square", [(1, 1), pytest.param(2, 4, id="two"), (3, 9)])
def test_each_case_has_its_values_and_the_fixtures(value: int, seven: int, square: int):
    assert (value * value, seven) == (square, 7)


@together("row", [1, 2])
@together("column", "ab")
def test_decorators_can_be_stacked(row: int, column: str):
    assert row in (1, 2)
    assert column in "ab"


def test_each_failing_case_is_named():
    seen = []

    @together(("value", "most"), [("x" * 1000, 2), (1, 2), pytest.param(3, 2, id="three"), (4, 1)])
    def check(value, most):
        seen.append(value)
        assert value <= most

    with pytest.raises(AssertionError) as caught:
        check()
    assert len(seen) == 4
    lines = [line for line in str(caught.value).split("\n") if not line.startswith("assert")]
    assert lines[0] == "3 of 4 cases failed"
    assert lines[1].startswith("'" + "x" * 100)
    assert "…, 2: TypeError: " in lines[1]
    assert [line.partition(":")[0] for line in lines[2:]] == ["three", "4, 1"]
    assert isinstance(caught.value.__cause__, TypeError)


def test_a_missing_raise_is_a_failure():
    @together("value", [1])
    def check(value):
        with pytest.raises(KeyError):
            pass

    with pytest.raises(AssertionError, match="1: Failed: DID NOT RAISE"):
        check()


@pytest.mark.parametrize("cases", [[], [slow(1)], [pytest.param(1, 2)]])
def test_invalid_cases_are_refused(cases):
    with pytest.raises(AssertionError):
        together("value", cases)


def test_the_test_takes_the_names():
    with pytest.raises(AssertionError, match="takes a value"):
        together("value", [1])(lambda other: None)
