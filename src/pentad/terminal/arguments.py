"""Command-line parser with one-line errors, and the arguments that commands share: a game's options, boards, limits."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from pentad.game import Game, GameError, Option, Position, did_you_mean, game, load, names, new, read_short, shorten
from pentad.kernels.backends import usable_cores
from pentad.system.words import phrase
from pentad.terminal import streams

MOST_THREADS = 64
MAX_SECONDS = 10**7
_UNITS = {"M": 10**6, "MB": 10**6, "MIB": 1 << 20, "G": 10**9, "GB": 10**9, "GIB": 1 << 30}
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) *([A-Za-z]{1,3})")
_OPTION = "option_"  # prefix of the argparse destinations of the options of a game or a model


def port(text: str) -> int:
    """A port of this machine, as the value of an option."""
    from pentad.web.settings import read_port

    try:
        return read_port(text)
    except GameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _choices(found: re.Match[str]) -> str:
    """The message for a value that is not among the choices, which some versions of argparse quote."""
    choices = found[2].replace("'", "")
    return phrase("Expected one of {choices}, got {found}", choices=choices, found=found[1])


# Patterns of argparse's messages and their replacements.
ARGPARSE_MESSAGES: Mapping[str, str | Callable[[re.Match[str]], str]] = {
    ": ignored explicit argument ": " takes no value, got ",
    ": not allowed with argument ": " cannot be used with ",
    "^the following arguments are required: ([^,]*)$": r"Missing argument: \1",
    "^the following arguments are required: ": "Missing arguments: ",
    r"invalid choice: (.*) \(choose from (.*)\)": _choices,
}


class CommandParser(argparse.ArgumentParser):
    """The parser of one command. Every error is a `GameError` with one line."""

    def __init__(self, command: str, summary: str, words: Sequence[str]) -> None:
        """`words` will be parsed; `add_game` looks in them for the game, to add its options."""
        super().__init__(prog=f"pentad {command}", description=summary, allow_abbrev=False)
        self.words = list(words)
        self.intermixed = False  # whether options may stand between positional arguments
        self.subcommands: Mapping[str, str] = {}  # their summaries are the values

    def parse(self) -> argparse.Namespace:
        read = self.parse_known_intermixed_args if self.intermixed else self.parse_known_args
        args, unknown = read(self.words)
        if unknown:
            raise GameError(self._unknown(unknown[0].partition("=")[0]))
        return args

    def error(self, message: str) -> NoReturn:
        message = re.sub(r"^argument (GAME: )?", "", message)
        for pattern, sentence in ARGPARSE_MESSAGES.items():
            message = re.sub(pattern, sentence, message)
        name, colon, text = message.partition(": ")
        if name.startswith("-"):  # an option's name stays as it is
            message = f"{name}{colon}{text[:1].upper()}{text[1:]}"
        else:
            message = f"{message[:1].upper()}{message[1:]}"
        raise GameError(message if message.endswith((".", "?")) else f"{message}.")

    def _unknown(self, word: str) -> str:
        known = sorted(option for option in self._option_string_actions if option.startswith("--"))
        if not word.startswith("-"):
            return phrase(
                "Unexpected argument {word}. For help, run: {prog} --help", word=shorten(repr(word)), prog=self.prog
            )
        tip = did_you_mean(word, known, 0.8) or phrase("The options are: {known}.", known=", ".join(known))
        return f"Unknown option {shorten(word)}. {tip.rstrip()}"


def unknown_command(word: str, known: Iterable[str], of: str = "", also: Iterable[str] = ()) -> GameError:
    """The error for an unknown command, or subcommand `of` a command; words in `also` are suggested but not listed."""
    kind = "option" if word.startswith("-") else "command"
    tip = did_you_mean(word, [*known, *also], 0.6).rstrip() or phrase(
        "The commands are: {known}.", known=", ".join(known)
    )
    return GameError(f"Unknown {kind} {shorten(repr(word))}{of and f' for {of}'}. {tip}")


def number(kind: Callable[[str], Any], minimum: float, maximum: float, what: str) -> Callable[[str], Any]:
    """An argument type: a number in a range, called `what` in errors."""

    def read(text: str) -> Any:
        try:
            value = kind(text) if len(text) < 20 else None
        except ValueError:
            value = None
        if value is None or not minimum <= value <= maximum:  # this refuses nan too
            message = phrase(
                "Expected {what} from {minimum} to {maximum}, got {text}.",
                what=what,
                minimum=minimum,
                maximum=maximum,
                text=shorten(repr(text)),
            )
            raise argparse.ArgumentTypeError(message)
        return value

    return read


def whole(minimum: int, maximum: int) -> Callable[[str], Any]:
    return number(int, minimum, maximum, "a whole number")


def add_whole(
    parser: argparse._ActionsContainer, name: str, minimum: int, maximum: int, what: str, default: int | None = None
) -> None:
    """Add an option with a whole number; its help ends with the default."""
    text = what if default is None else f"{what} (default: {default})"
    parser.add_argument(name, metavar="N", type=whole(minimum, maximum), default=default, help=text)


def add_cluster(parser: argparse._ActionsContainer, what: str, more: str = "") -> None:
    """Add the option for a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=phrase(
            "{what} on a cluster of Dask, such as tls://host:8786{more}; local: on one of processes on this machine",
            what=what,
            more=more,
        ),
    )


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the server's database."""
    parser.add_argument(
        "--database",
        metavar="URL",
        help="database for the games, such as postgresql+psycopg://user@host/name (default: a file in the data folder)",
    )


def add_game(parser: CommandParser, *, required: bool = True, aliases: Mapping[str, str] | None = None) -> None:
    """Add the argument GAME and the options of the named game; `aliases` are other names of options."""
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs=None if required else "?",
        type=_game_name,
        help=phrase("name of a game: {names}", names=", ".join(names())),
    )
    add_game_options(parser, aliases)


def add_game_options(parser: CommandParser, aliases: Mapping[str, str] | None = None) -> None:
    """Add the options of the game that the words name."""
    kind = named_game(parser)
    if kind is None:
        parser.epilog = phrase("For the options of a game, run: {prog} GAME --help", prog=parser.prog)
        return
    add_options(parser, kind.title, kind.options, aliases)


def add_options(
    parser: CommandParser, of: str, options: Mapping[str, Option], aliases: Mapping[str, str] | None = None
) -> None:
    """Add the options of a game or a model."""
    group = parser.add_argument_group(f"options of {of}")
    for option in options.values():
        about: dict[str, Any] = {"dest": _OPTION + option.name, "default": argparse.SUPPRESS}
        if option.kind == "boolean":
            about["action"] = argparse.BooleanOptionalAction
        elif option.kind == "integer":
            about["metavar"] = "N"
        else:
            about["metavar"] = option.write(option.default) if option.several else "|".join(option.allowed)
        others = (flag(alias) for alias, name in (aliases or {}).items() if name == option.name)
        group.add_argument(flag(option.name), *others, help=describe(option).replace("%", "%%"), **about)


def given_with(prefix: str, args: argparse.Namespace) -> dict[str, Any]:
    """The given arguments whose destinations have a prefix, by the rest of their names."""
    return {name.removeprefix(prefix): value for name, value in vars(args).items() if name.startswith(prefix)}


def given_options(args: argparse.Namespace) -> dict[str, Any]:
    """The given options of a game or a model: flags as truth values, others as text."""
    return given_with(_OPTION, args)


def add_number(parser: CommandParser, what: str) -> None:
    """Add `--number`, the number of a game in a file."""
    add_whole(parser, "--number", 1, 10**9, what)


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def describe(option: Option) -> str:
    """One line of help for an option."""
    default = option.default_text or option.write(option.default)
    if option.kind == "boolean":
        return f"{option.help} (default: {default})"
    return f"{option.help}: {option.expects} (default: {default})"


def named_game(parser: CommandParser) -> Game | None:
    """The game that the words name, before they are parsed."""
    return next((game(word) for word in parser.words if word in names()), None)


def _game_name(text: str) -> str:
    try:
        return game(text).name
    except GameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def game_options(args: argparse.Namespace) -> dict[str, Any]:
    """The given options of the game, converted to their types."""
    known = game(args.game).options if args.game else {}
    return {
        name: known[name].read(value) if isinstance(value, str) else value
        for name, value in given_options(args).items()
    }


def add_position(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--position", metavar="TEXT", help="start from this position, in the text that `board` prints")


def starting_position(args: argparse.Namespace) -> Position:
    """The position from GAME with its options, or from `--position`."""
    options = game_options(args)
    if args.position is None:
        if args.game is None:
            raise GameError("Name a game. The games are: {names}.", names=", ".join(names()))
        return new(args.game, **options)
    words = args.position.split()
    if args.game and words[:1] != [args.game] and (not words or words[0] not in names()):
        words.insert(0, args.game)
    position = load(" ".join(words))
    if args.game and position.game != args.game:
        raise GameError("This is a position of {game}, not of {expected}.", game=position.game, expected=args.game)
    refuse_options(args, "--position")
    return position


def refuse_options(args: argparse.Namespace, source: str) -> None:
    """Refuse game options together with a source that includes them."""
    if options := game_options(args):
        raise GameError(
            "{flag} cannot be used with {source}, which includes the options of the game.",
            flag=flag(next(iter(options))),
            source=source,
        )


# ── a board: its number, the text of a position, or the end of a recorded game ─────────────────────────


def board_help(games: Iterable[str]) -> str:
    """The help for a board argument, for boards of these games."""
    forms = [form for name in games if (form := game(name).short_form)]
    return "; ".join([*forms, "text of a position in quotes", "or file with a record"])


def add_node(parser: CommandParser) -> None:
    """Add the options that choose a position of a record."""
    add_whole(parser, "--ply", 0, 10**6, "use the position after move N of a record")
    add_number(parser, "use the N-th game of a file")


def read_board(word: str, args: argparse.Namespace) -> Position:
    """The position for an argument of the command line."""
    if (position := written_out(word)) is not None:
        return position
    if not word.strip():
        raise GameError("Expected a board number, a position or a record file, got an empty argument.")
    from pentad.terminal import files

    return files.node_at(files.choose(files.read_records(word), args.number, word), args.ply).position


def written_out(word: str) -> Position | None:
    """The position for a short form or a text; None if the word can only be a file."""
    if position := read_short(word):
        return position
    first, *more = word.split(maxsplit=1) or [""]
    return load(word) if more and first in names() else None


def print_board_error(word: str, error: GameError) -> None:
    """Print the error of one board or file; the others are still processed."""
    name, message = shorten(word, 80), str(error)
    names_it = message.startswith((name, f"Cannot read {name}"))
    streams.print_error(message if names_it else f"{name}: {message}")


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def add_limits(parser: CommandParser) -> None:
    """Add the limits of a solver."""
    seconds = number(float, 0.001, MAX_SECONDS, "a number of seconds")
    parser.add_argument("--seconds", metavar="S", type=seconds, help="time limit per board")
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=memory_size,
        help="memory limit, such as 4G or 500M (default: nearly all memory)",
    )
    add_whole(parser, "--threads", 1, MOST_THREADS, "cores to use (default: all)")


def memory_size(text: str) -> int:
    """The number of bytes of a size.

    >>> memory_size("4G"), memory_size("500 MB"), memory_size("1.5GiB")
    (4000000000, 500000000, 1610612736)
    """
    read = _SIZE.fullmatch(text)
    unit = _UNITS.get(read[2].upper()) if read else None
    found = int(float(read[1]) * unit) if read and unit else 0
    if not found:
        raise argparse.ArgumentTypeError(
            phrase("Expected a memory size, such as 4G or 500M, got {text}.", text=shorten(repr(text)))
        )
    return found


def cores() -> int:
    """The number of cores that this process may use."""
    return min(usable_cores(), MOST_THREADS)


# ── subcommands, such as `pentad grammar explore` ───────────────────────────────────────────────────


def help_last(words: Sequence[str]) -> list[str]:
    """The words with the command first: `help play` becomes `play --help`, and no words become `--help`."""
    return [*words[1:], "--help"] if words[:1] == ["help"] else [*words] or ["--help"]


def choose(parser: CommandParser, title: str, summaries: Mapping[str, str], find: Callable[[str], Any]) -> None:
    """Choose the subcommand by the first word, and add its arguments.

    `find` returns a subcommand by its name: a module, or an object with the same functions.
    """
    parser.subcommands = summaries
    name, *parser.words = words = help_last(parser.words)
    if name in ("--help", "-h"):
        parser.words = words
        parser.usage = f"{parser.prog} COMMAND …"
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        listed = "\n".join(f"  {name:9} {summary}" for name, summary in summaries.items())
        parser.epilog = phrase(
            "commands:\n{listed}\n\nFor help on a command, run: {prog} COMMAND --help", listed=listed, prog=parser.prog
        )
        return
    if name not in summaries:
        raise unknown_command(name, summaries, of=title)
    parser.prog, parser.description = f"{parser.prog} {name}", summaries[name]
    command = find(name)
    parser.set_defaults(run=command.run)
    command.add_arguments(parser)
