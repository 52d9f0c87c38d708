"""The command line within this process, as the terminal's tests have it."""

from tests.terminal.conftest import pentad

__all__ = ["pentad"]
