"""`pentad completion`: a script that completes commands, options and their values in a shell."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import resources

from pentad.game import names
from pentad.terminal.arguments import CommandParser
from pentad.terminal.parsers_as_data import Argument, CommandNode, tree

SETUP = {
    "bash": "source <(pentad completion bash)   # in ~/.bashrc",
    "zsh": "source <(pentad completion zsh)    # in ~/.zshrc, after compinit",
    "fish": "pentad completion fish | source    # in ~/.config/fish/config.fish",
}
A_FILE = "@file"  # stands for file names in the tables of the scripts


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=tuple(SETUP), help=f"one of {', '.join(SETUP)}")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "to use it:\n" + "\n".join(f"  {line}" for line in SETUP.values())


def run(args: argparse.Namespace) -> int:
    print(script(args.shell), end="")
    return 0


def script(shell: str) -> str:
    """The script for a shell."""
    return _WRITERS[shell](tree())


# ── tables that bash and zsh share ────────────────────────────────────────────────────────────────


def _options(root: CommandNode) -> dict[str, list[Argument]]:
    """The options of each command; with a game, the further ones of the game."""
    found = {}
    for node in root.all():
        found[node.words] = list(node.options)
        found |= {f"{node.words} {game}": list(more) for game, more in node.of_games.items() if more}
    return {words: options for words, options in found.items() if options}


def _values(root: CommandNode) -> dict[str, tuple[str, ...]]:
    """The values of each option that takes one, by the command, with the game, and the option's name."""
    return {
        f"{words} {name}": _of(option)
        for words, options in _options(root).items()
        for option in options
        if option.metavar
        for name in option.names
    }


def _of(argument: Argument) -> tuple[str, ...]:
    """The words that an argument can be."""
    if argument.takes_game:
        return (*names(), *((A_FILE,) if argument.takes_file else ()))
    return argument.choices or ((A_FILE,) if argument.takes_file else ())


def _words(root: CommandNode) -> dict[str, tuple[str, ...]]:
    """The words that can follow each command: subcommands, or what its arguments can be."""
    found = {}
    for node in root.all():
        names = [child.name for child in node.children]
        given = [word for argument in node.arguments for word in _of(argument)]
        found[node.words] = tuple(dict.fromkeys([*names, *given]))
    return {words: follow for words, follow in found.items() if follow}


def _cases(table: Mapping[str, str]) -> str:
    """The branches of a shell's `case`; those with the same text share one."""
    branches: dict[str, list[str]] = {}
    for words, text in table.items():
        branches.setdefault(text, []).append(shlex.quote(words))
    return "\n".join(f"    {'|'.join(words)}) {text} ;;" for text, words in branches.items())


def _template(name: str, root: CommandNode, **tables: Mapping[str, str]) -> str:
    """A script with its tables, and with the names of all commands as a pattern."""
    text = (resources.files("pentad.terminal") / "completions" / name).read_text(encoding="utf-8")
    for table, branches in tables.items():
        text = text.replace(f"@{table}@", _cases(branches))
    names = "|".join(shlex.quote(node.words) for node in root.all() if node.words)
    return text.replace("@names@", f"      {names})")


def _bash(root: CommandNode) -> str:
    def echoed(words: Iterable[str]) -> str:
        return f"echo {shlex.quote(' '.join(words))}"

    options = {at: echoed(name for each in found for name in each.names) for at, found in _options(root).items()}
    words, values = ({at: echoed(found) for at, found in table(root).items()} for table in (_words, _values))
    return _template("pentad.bash", root, words=words, options=options, values=values)


def _zsh(root: CommandNode) -> str:
    def array(words: Iterable[str]) -> str:
        return f"found=({' '.join(map(shlex.quote, words))})"

    def described(names: Iterable[str], text: str) -> Iterator[str]:
        return (f"{name}:{text}" for name in names)

    options = {
        at: array(each for option in found for each in described(option.names, option.help))
        for at, found in _options(root).items()
    }
    commands = {
        node.words: array(each for child in node.children for each in described([child.name], child.summary))
        for node in root.all()
        if node.children
    }
    words, values = ({at: array(found) for at, found in table(root).items()} for table in (_words, _values))
    return _template("pentad.zsh", root, commands=commands, words=words, options=options, values=values)


# ── fish ──────────────────────────────────────────────────────────────────────────────────────────


def _fish(root: CommandNode) -> str:
    return "\n".join(["complete -c pentad -f", *_fish_lines(root), ""])


def _fish_lines(root: CommandNode) -> Iterator[str]:
    """A line for each subcommand, option and value."""
    for node in root.all():
        inside = _seen(node.words)
        names = [child.name for child in node.children]
        for name, child in zip(names, node.children, strict=True):
            when = "; and ".join([*inside, f"not __fish_seen_subcommand_from {' '.join(names)}"])
            yield f"complete -c pentad -n {_quoted(when)} -a {name} -d {_quoted(child.summary)}"
        given = [word for argument in node.arguments for word in _of(argument)]
        if given:
            yield from _fish_values(inside, tuple(dict.fromkeys(given)))
        for option in node.options:
            yield _fish_option(inside, option)
        for game, options in node.of_games.items():
            for option in options:
                yield _fish_option([*inside, f"__fish_seen_subcommand_from {game}"], option)


def _seen(words: str) -> list[str]:
    return [f"__fish_seen_subcommand_from {word}" for word in words.split()]


def _fish_values(inside: list[str], values: tuple[str, ...]) -> Iterator[str]:
    when = _quoted("; and ".join(inside))
    plain = [value for value in values if value != A_FILE]
    if plain:
        yield f"complete -c pentad -n {when} -a {_quoted(' '.join(plain))}"
    if A_FILE in values:
        yield f"complete -c pentad -n {when} -F"


def _fish_option(inside: list[str], option: Argument) -> str:
    parts = [f"complete -c pentad -n {_quoted('; and '.join(inside))}"]
    parts += [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    values = _of(option)
    if option.metavar:
        parts.append("-r" if A_FILE in values else "-x")
    if plain := [value for value in values if value != A_FILE]:
        parts.append(f"-a {_quoted(' '.join(plain))}")
    if A_FILE in values:
        parts.append("-F")
    parts.append(f"-d {_quoted(option.help)}")
    return " ".join(parts)


def _quoted(text: str) -> str:
    """Text in single quotes, as fish reads it."""
    return "'" + re.sub(r"([\\'])", r"\\\1", text) + "'"


_WRITERS: Mapping[str, Callable[[CommandNode], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
