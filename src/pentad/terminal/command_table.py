"""The table of commands, those that games bring, and the module of each."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import ModuleType

from pentad.game import each_name, game, names, shorten
from pentad.system.words import phrase
from pentad.terminal import streams
from pentad.terminal.arguments import unknown_command

COMMANDS = {
    "play": "play a game in the terminal, against bots or other people",
    "web": "play in the browser",
    "database": "back up, restore and check the server's database",
    "admin": "moderate a server: reports, bans, notices and maintenance",
    "site": "write the pages as a folder for any web host",
    "show": "print a recorded game",
    "convert": "convert a record to another format",
    "validate": "check whether a move is legal, and explain why",
    "match": "play a match between two bots",
    "tournament": "play a tournament of bots",
    "report": "measure and compare rule sets by games of a bot against itself",
    "engine": "run as an engine for any game, over the Universal Game Interface",
    "gomocup": "run as an engine for a Gomocup manager",
    "perft": "count the sequences of legal moves from a position",
    "analyse": "evaluate the moves of a position",
    "grade": "grade the moves of recorded games by the chance to win",
    "data": "make data sets of games and exact labels, and search them",
    "games": "list the games, their options and their bots",
    "grammar": "explore the games as graph transformation systems",
    "completion": "write a script that completes commands and options in a shell",
}
# Commands of the launcher alone.
OF_A_CHECKOUT = {"test": "The tests", "wheels": "Wheels", "package": "The npm package", "release": "Releases"}


def commands_of_games() -> dict[str, tuple[str, str]]:
    """The commands that games bring: for each its module and its summary."""
    return {name: entry for each in names() for name, entry in _commands_of(each).items()}


def find_in_games(command: str) -> tuple[str, str] | None:
    """The module and the summary of a command that a game brings; the games after it are not imported."""
    return next((own[command] for name in each_name() if command in (own := _commands_of(name))), None)


def _commands_of(name: str) -> dict[str, tuple[str, str]]:
    try:
        package = command_of_game(name)
        return (
            {each: (f"{package.__name__}.{each}", text) for each, text in package.COMMANDS.items()} if package else {}
        )
    except Exception as error:  # whatever a plug-in does wrong, the other commands go on
        reason = shorten(" ".join(str(error).split()) or type(error).__name__, 200)
        streams.print_error(
            phrase("The commands of the game {name} cannot be loaded: {reason}", name=name, reason=reason)
        )
        return {}


def command_of_game(name: str, command: str = "") -> ModuleType | None:
    """A module of a game's own commands, or their package; None if there is none."""
    module = _module_of_game(name, command)
    return importlib.import_module(module) if module else None


def has_command(name: str, command: str) -> bool:
    """Whether a game has a module of its own commands, which is not imported."""
    return bool(_module_of_game(name, command))


def _module_of_game(name: str, command: str) -> str:
    """Those of the games here are in `pentad.terminal`. Another game has a package `commands`."""
    home = game(name).package
    package = f"{__package__}.{name}" if home.__name__ == f"pentad.games.{name}" else f"{home.__name__}.commands"
    if not hasattr(home, "__path__") or not find_spec(package):
        return ""
    module = f"{package}.{command}" if command else package
    return module if find_spec(module) else ""


def find_command(name: str) -> tuple[ModuleType, str]:
    """The module of a command, and its summary."""
    if name in COMMANDS:
        return importlib.import_module(f"pentad.terminal.{name}"), COMMANDS[name]
    if (found := find_in_games(name)) is None:
        raise unknown_command(name, [*COMMANDS, *commands_of_games()], also=(*OF_A_CHECKOUT, "help"))
    module, summary = found
    return importlib.import_module(module), summary
