"""The user's folders for pentad's files, by platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.system import files

HOME = Path("/ann")
VARIABLES = ("PENTAD_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")


@pytest.mark.parametrize(
    ("platform", "variables", "data", "cache"),
    [
        ("linux", {}, ".local/share/pentad", ".cache/pentad"),
        ("linux", {"XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c"}, "/d/pentad", "/c/pentad"),
        ("linux", {"XDG_DATA_HOME": "", "XDG_CACHE_HOME": "c/d"}, ".local/share/pentad", ".cache/pentad"),
        ("linux", {"LOCALAPPDATA": "/local"}, ".local/share/pentad", ".cache/pentad"),
        ("freebsd14", {}, ".local/share/pentad", ".cache/pentad"),
        ("emscripten", {}, ".local/share/pentad", ".cache/pentad"),
        ("darwin", {}, "Library/Application Support/pentad", "Library/Caches/pentad"),
        ("darwin", {"XDG_DATA_HOME": "/d"}, "/d/pentad", "Library/Caches/pentad"),
        ("win32", {}, "AppData/Local/pentad", "AppData/Local/pentad/Cache"),
        ("win32", {"LOCALAPPDATA": "/local", "XDG_DATA_HOME": "/d"}, "/local/pentad", "/local/pentad/Cache"),
    ],
)
def test_folders_are_those_of_the_platform(monkeypatch: pytest.MonkeyPatch, platform, variables, data, cache):
    monkeypatch.setenv("HOME", str(HOME))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert (files.user_folder("data"), files.user_folder("cache")) == (HOME / data, HOME / cache)
    assert files.home() == HOME / data


def test_the_message_to_a_user_without_a_home_names_the_variable(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "nowhere")
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(GameError, match="XDG_DATA_HOME"):
        files.home()
