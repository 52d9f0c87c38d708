"""Preferences of the full screen, in a file of the user: the theme that was chosen last."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from pentad.system import files as user_files
from pentad.terminal.full_screen import THEMES

DEFAULT = next(iter(THEMES))


def _file() -> Path:
    return user_files.home() / "terminal.json"


def theme() -> str:
    """The theme that was chosen last, if there is a readable file of it."""
    try:
        name = json.loads(_file().read_text("utf-8"))["theme"]
    except (OSError, ValueError, KeyError, TypeError):
        return DEFAULT
    return name if isinstance(name, str) and name in THEMES else DEFAULT


def keep_theme(name: str) -> None:
    """Choose a theme for later games; where no file can be written, it is only for this one."""
    with contextlib.suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        user_files.write_safely(_file(), json.dumps({"theme": name}) + "\n")
