"""Optional packages that are missing: one line names the extra."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.system.extras import MissingExtra, has, installing_command, needs

LINE = f"segno is not installed. For the web server and its pages, run: {installing_command('web')}"


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


def test_the_package_installs_an_extra_by_its_name(tmp_path: Path):
    (tmp_path / "pyproject.toml").touch()  # the file is some other project's
    assert installing_command("web", tmp_path) == "pip install 'pentad[web]'"


@pytest.mark.parametrize(
    ("installer", "has_pip"), [("PYTHON -m pip install", True), ("uv pip install --python PYTHON", False)]
)
def test_a_checkout_installs_an_extra_into_its_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, installer: str, has_pip: bool
):
    monkeypatch.setattr(sys, "executable", "/a/.venv/bin/python")
    monkeypatch.setattr("pentad.system.extras.has", lambda package: has_pip)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "src" / "pentad").mkdir(parents=True)
    command = f"{installer.replace('PYTHON', sys.executable)} -e '{tmp_path}[web]'"
    assert installing_command("web", tmp_path) == command


def test_has():
    assert (has("segno"), has("json")) == (False, True)
