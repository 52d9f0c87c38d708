"""Optional packages that are missing: one line names the extra."""

from __future__ import annotations

import pickle
import sys

import pytest

from pentad.game import GameError
from pentad.system.extras import MissingExtra, has, needs

LINE = "segno is not installed. For the web server and its pages, run: pip install 'pentad[web]'"


@pytest.fixture(autouse=True)
def without_segno(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "segno", None)


def test_a_missing_package_is_an_error_of_one_line():
    with pytest.raises(MissingExtra) as caught, needs("web"):
        import segno  # noqa: F401
    assert str(caught.value) == LINE
    assert isinstance(caught.value, GameError)
    assert isinstance(caught.value, ImportError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == LINE


def test_a_missing_module_of_no_extra_is_a_bug():
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'pentad\.nowhere'$"), needs("web"):
        import pentad.nowhere  # noqa: F401


def test_an_extra_names_its_own_packages_only():
    with pytest.raises(ModuleNotFoundError), needs("data"):
        import segno  # noqa: F401


def test_has():
    assert (has("segno"), has("json")) == (False, True)
