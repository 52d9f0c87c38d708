"""The examples of property tests: the same in every fast run, new ones in a slow run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def drawn(profile: str) -> list[int]:
    found: list[int] = []

    @settings(settings.get_profile(profile))
    @given(st.integers())
    def look_at(number: int) -> None:
        found.append(number)

    look_at()
    return found


@pytest.mark.parametrize(("profile", "is_the_same"), [("fast", True), ("slow", False)])
def test_examples(profile: str, is_the_same: bool) -> None:
    assert (drawn(profile) == drawn(profile)) is is_the_same
