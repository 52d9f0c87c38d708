"""Names of accounts: which look alike by one of the two tables, and which nobody gets."""

from __future__ import annotations

import pytest

from pentad.game import GameError
from pentad.web.http.account_names import account_name, looks
from tests.cases import together


def alike(one: str, other: str) -> bool:
    return not set(looks(one)).isdisjoint(looks(other))


@together(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Ada", "Ad\u00e1"),  # an accent: our own table
        ("paypal", "\u0440\u0430\u0443\u0440\u0430\u04cf"),  # all of it in Cyrillic letters
        ("modern", "modem"),
        ("\u4e00", "\u30fc"),  # the numeral one and a Japanese lengthener: that of Unicode
        ("\u53e3", "\u30ed"),  # a mouth and the syllable ro
        ("\u0968", "\u0ae8"),  # twos of two scripts of India
        ("Bob 1", "bob-l"),
    ],
)
def test_names_that_look_alike_have_a_look_in_common(one: str, other: str) -> None:
    assert alike(one, other)


@together(("one", "other"), [("Ada", "Ida"), ("Bea", "Beat"), ("\u674e", "\u738b"), ("Zo\u00eb", "Zoa")])
def test_other_names_have_none(one: str, other: str) -> None:
    assert not alike(one, other)


@together(
    "name", ["Admin", "\u0430dmin", "ADM1N", "moderator", "Deleted player", "deleted-player", "Pentad", "x", "?!", ""]
)
def test_some_names_are_nobody_s(name: str) -> None:
    with pytest.raises(GameError):
        account_name(name)


def test_a_name_is_kept_as_it_is_shown() -> None:
    assert account_name("  Ada   Lovelace ") == "Ada Lovelace"
