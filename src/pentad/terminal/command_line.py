"""The command `pentad`: which commands there are, and how whatever goes wrong ends in one line.

Exit codes: 0 done, 1 a bug in pentad (of `validate`: a move that is not allowed), 2 something that a person or a
file asked for cannot be, 130 stopped by Ctrl-C, 141 the reader of the output has left.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from pentad import __version__
from pentad.game import GameError
from pentad.terminal import streams
from pentad.terminal.arguments import Parser, unknown_command

# Every command is the module of its name in this package.
COMMANDS = {
    "play": "play a game here, against bots or each other",
    "web": "play in the browser",
    "show": "print a recorded game",
    "convert": "turn a record into another format",
    "validate": "say whether a move is allowed, and why",
    "match": "let two bots play many games",
    "gomocup": "be a brain for a manager of the Gomocup protocol",
    "weights": "show how the line strategy weighs a board",
    "perft": "count the ways a game can go on",
    "solve": "the exact value of a position",
    "analyse": "how good the moves of a position are",
    "pentago": "look positions up in a database of solved ones",
    "games": "list the games, their options and their bots",
    "grammar": "the games as graph transformation systems",
}

BUG, WRONG, STOPPED, READER_LEFT = 1, 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    code = guarded(lambda: _run(words))
    if argv is None:  # the process ends: it need not look for garbage once more, which takes long after Ctrl-C
        gc.freeze()
    return code


def guarded(work: Callable[[], int]) -> int:
    """The exit code of some work, whatever becomes of it; what goes wrong is told in one line."""
    streams.prepare()
    code = _attempt(work)
    try:
        streams.flush()
    except BrokenPipeError:
        code = READER_LEFT
    except OSError as error:
        code = _fail(f"the output cannot be written: {streams.error_sentence(error)}")
    return code


def _attempt(work: Callable[[], int]) -> int:
    try:
        return work()
    except GameError as error:
        return _fail(*error.lines)
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
        return _fail(f"this is a bug in pentad: {what} (PENTAD_DEBUG=1 shows where)", code=BUG)


def _fail(*lines: str, code: int = WRONG) -> int:
    for line in lines:
        streams.complain(line)
    return code


def runs_a_command(words: Sequence[str]) -> bool:
    """Whether these words run a command, which may load any package; help, the version and errors load none."""
    return _in_order(words)[0] in COMMANDS


def _in_order(words: Sequence[str]) -> list[str]:
    """The words with the command first: `help play` is `play --help`."""
    if words[:1] == ["help"] and len(words) > 1:
        return [*words[1:], "--help"]
    return list(words) or ["--help"]


def _run(words: list[str]) -> int:
    words = _in_order(words)
    name = words[0]
    if name in ("-h", "--help", "help"):
        print(_help())
        return 0
    if name == "--version":
        print(f"pentad {__version__}")
        return 0
    if name == "test":
        raise GameError("the tests belong to a checkout of pentad; there it is ./pentad test")
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS, also=("test", "help"))
    command = importlib.import_module(f"pentad.terminal.{name}")
    parser = Parser(name, COMMANDS[name], words[1:])
    command.add_arguments(parser)
    code: int = command.run(parser.parse())
    return code


def _help() -> str:
    commands = "\n".join(f"  {name:9}{summary}" for name, summary in COMMANDS.items())
    return (
        "usage: pentad COMMAND …\n\n"
        "Pentago, Pente and Pentagame: play them, search them, prove things about them.\n\n"
        f"{commands}\n\n"
        "pentad COMMAND --help tells more; pentad --version says which pentad this is."
    )
