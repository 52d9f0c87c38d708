"""The command `pentad`: it runs the command that is named, with one-line error messages and exit codes.

Each command is the module of its name in this package, or in the package `commands` of a game, whose `COMMANDS` is a
table of names and summaries. It has `add_arguments(parser)` and `run(args)`; one with subcommands has no `run`, since
`arguments.choose` sets that of the subcommand.

Exit codes: 0 success, 1 an internal error (for `validate`: an illegal move, for `database check`: problems), 2 invalid
input, 130 stopped by Ctrl-C, 141 broken pipe.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence

from pentad.game import GameError, Unavailable
from pentad.system.version import __version__
from pentad.system.words import phrase
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser, help_last
from pentad.terminal.command_table import COMMANDS, OF_A_CHECKOUT, commands_of_games, find_command, find_in_games

BUG = UNABLE = 1
WRONG, STOPPED, READER_LEFT = 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    code = guarded(lambda: _run(words))
    if argv is None:  # a last garbage collection at exit would be slow after Ctrl-C
        gc.freeze()
    return code


def guarded(work: Callable[[], int]) -> int:
    """Run a function; errors are printed as one line. Returns the exit code."""
    streams.prepare()
    code = _attempt(work)
    try:
        streams.flush()
    except BrokenPipeError:
        code = READER_LEFT
    except OSError as error:
        code = _fail(phrase("Cannot write the output: {reason}", reason=streams.error_sentence(error)))
    return code


def _attempt(work: Callable[[], int]) -> int:
    try:
        return work()
    except GameError as error:
        return _fail(*error.lines, code=UNABLE if isinstance(error, Unavailable) else WRONG)
    except BrokenPipeError:
        return READER_LEFT
    except OSError as error:
        return _fail(streams.explain(error))
    except KeyboardInterrupt:
        return STOPPED
    except SystemExit as stop:  # argparse, after it has printed help
        return stop.code if isinstance(stop.code, int) else 0
    except Exception as error:
        if os.environ.get("PENTAD_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        return _fail(
            phrase("Internal error (a bug in pentad): {what}. Set PENTAD_DEBUG=1 for a traceback.", what=what), code=BUG
        )


def _fail(*lines: str, code: int = WRONG) -> int:
    for line in lines:
        streams.print_error(line)
    return code


def runs_a_command(words: Sequence[str]) -> bool:
    """Whether these words run a command, which may import any package; help, the version and errors import none."""
    name = help_last(words)[0]
    return name in COMMANDS or find_in_games(name) is not None


def _run(words: list[str]) -> int:
    name, *words = help_last(words)
    if name in ("-h", "--help"):
        print(_help())
        return 0
    if name == "--version":
        print(f"pentad {__version__}")
        return 0
    if name in OF_A_CHECKOUT:
        raise GameError(
            "{subject} need a checkout of pentad. In the checkout, run: ./pentad {name}",
            subject=OF_A_CHECKOUT[name],
            name=name,
        )
    args = read_arguments([name, *words])
    code: int = args.run(args)
    return code


def read_arguments(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command, whose name is the first word, with the function `run` that runs it."""
    name, *rest = words
    command, summary = find_command(name)
    parser = CommandParser(name, summary, rest)
    parser.set_defaults(run=getattr(command, "run", None))
    command.add_arguments(parser)
    return parser.parse()


def _help() -> str:
    own = {name: summary for name, (_, summary) in commands_of_games().items() if name not in COMMANDS}
    commands = "\n".join(f"  {name:12}{summary}" for name, summary in (COMMANDS | own).items())
    return phrase(
        "usage: pentad COMMAND …\n\nPentago, Pente and Pentagame: play, search and solve them.\n\n"
        "{commands}\n\nFor help on a command, run: pentad COMMAND --help\nFor the version, run: "
        "pentad --version",
        commands=commands,
    )
