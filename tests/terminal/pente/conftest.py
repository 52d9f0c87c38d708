"""The fixtures of the terminal's tests."""

from tests.terminal.conftest import home, pentad

__all__ = ["home", "pentad"]
