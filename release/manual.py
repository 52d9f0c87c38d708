"""The manual page of `pentad`, from the parsers of its commands.

`python -m release.manual` writes it; a test compares it with the commands. Wheels install it for `man pentad`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pentad import __version__
from pentad.terminal.parsers_as_data import Argument, CommandNode, tree

PAGE = Path(__file__).parent.parent / "docs" / "man" / "pentad.1"

ENVIRONMENT = {
    "PENTAD_HOME": "the folder of saved games and settings",
    "NO_COLOR": "if set, the terminal gets no colours",
    "TERM": "if dumb, unknown or missing, games are played in lines without control codes",
    "PENTAD_DEBUG": "if set, an internal error is shown with its traceback",
}
STATUSES = {
    "0": "success",
    "1": "an internal error; for validate an illegal move, for database check a problem",
    "2": "invalid input",
    "130": "stopped by Ctrl-C",
    "141": "the reader of the output left",
}


def manual() -> str:
    """The text of the page."""
    root = tree()
    return "\n".join(
        [
            f'.TH PENTAD 1 "" "pentad {__version__}" "User commands"',
            ".SH NAME",
            r"pentad \- play, search and solve Pentago, Pente and Pentagame",
            ".SH SYNOPSIS",
            ".B pentad",
            r"\fICOMMAND\fR [\fIARGUMENT\fR ...]",
            ".SH DESCRIPTION",
            "Each command has its own arguments, which",
            r".B pentad \fICOMMAND\fB \-\-help",
            "lists. The options of a game follow its name.",
            ".SH COMMANDS",
            *(line for node in root.all() if node.words and not node.children for line in _command(node)),
            ".SH ENVIRONMENT",
            *_table(ENVIRONMENT),
            ".SH EXIT STATUS",
            *_table(STATUSES),
            ".SH EXAMPLES",
            ".TP",
            r".B pentad play pente \-\-white human \-\-black engine@4",
            "Play against a strong opponent.",
            ".TP",
            r".B pentad analyse pentago \-\-seconds 10",
            "Evaluate the first moves of a game.",
            "",
        ]
    )


def _command(node: CommandNode) -> Iterator[str]:
    """A command with its arguments, its options, and those of each game."""
    yield f".SS pentad {' '.join([node.words, *(escaped(each.usage) for each in node.arguments)])}"
    yield f"{escaped(node.summary[:1].upper() + node.summary[1:])}."
    for argument in node.arguments:
        yield from _entry(rf"\fI{escaped(argument.metavar)}\fR", argument.help)
    for option in node.options:
        if "--help" not in option.names:
            yield from _entry(_names(option), option.help)
    for game, options in node.of_games.items():
        if options and node.words == "play":  # the same for all commands
            yield ".PP"
            yield f"Options of {game}, for all commands that take its name:"
            for option in options:
                yield from _entry(_names(option), option.help)


def _names(option: Argument) -> str:
    names = ", ".join(rf"\fB{escaped(name)}\fR" for name in option.names)
    return rf"{names} \fI{escaped(option.usage)}\fR" if option.usage else names


def _table(rows: Mapping[str, str]) -> Iterator[str]:
    for name, text in rows.items():
        yield from _entry(rf"\fB{escaped(name)}\fR", text)


def _entry(name: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield name
    yield f"{escaped(text[:1].upper() + text[1:])}."


def escaped(text: str) -> str:
    """Text as roff reads it.

    >>> escaped(".a --b")
    '\\\\&.a \\\\-\\\\-b'
    """
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(manual(), encoding="utf-8")
