"""The command line, and play in the terminal.

Each command is a module here with two functions: `add_arguments(parser)` says what the command takes, and
`run(args) -> int` does it and returns the exit code. A module is imported when its command runs.
"""

from pentad.terminal.command_line import main

__all__ = ["main"]
