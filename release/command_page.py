"""The page of the docs with every command, from the commands' parsers.

`python -m release.command_page` writes it; a test compares it with the commands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pentad.terminal.parsers_as_data import Argument, CommandNode, tree
from release.manual import ENVIRONMENT, STATUSES

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "commands.md"
SPECIAL, ESCAPED = re.compile(r"[*<|]"), r"\\\g<0>"  # what Markdown would not show in a text
FEWEST = 4  # commands below one command with the same option, which is described once for all of them

EXAMPLES = {
    "play": "pente --white human --black engine@4",
    "web": "--port 8080 --no-browser",
    "site": "public",
    "show": "game.pgn --ply 10",
    "convert": "game.pgn game.json",
    "validate": 'pentago "a2 1C"',
    "match": "pente engine@2 engine@1 --games 100 --seconds 0.1",
    "tournament": "pente random greedy engine@1 engine@2 --sets 2",
    "report": "pente --compare rules=keryo --games 40 --report rules.html",
    "engine": "pente --level 4",
    "gomocup": "--level 4",
    "perft": "pente 2 --size 9",
    "analyse": "pentago --seconds 10",
    "grade": "game.pgn",
    "data games": "pentago --count 1000 --seed 7 --shards 2 --out games",
    "data labels": "pentago --count 1000 --seed 1 --out labels",
    "data import": "game.pgn --out games",
    "data statistics": "games",
    "data check": "games",
    "data tree": 'games "a1 1C"',
    "data search": 'games "a1 1C" --limit 2',
    "games": "pente",
    "grammar new": "ferry",
    "grammar show": "ferry.gps",
    "grammar draw": "ferry.gps states --out states.svg",
    "grammar simulate": "ferry.gps",
    "grammar explore": "ferry.gps --accept allAcross --film crossing.svg",
    "grammar check": "ferry.gps 'E(!eat U allAcross)'",
    "grammar solve": "pairs.gps",
    "grammar minimise": "ferry.gps --out small.aut",
    "grammar compare": "ferry.gps small.aut",
    "grammar export": "ferry.gps ferry.json",
    "grammar import": "ferry.json copy.gps",
    "completion": "bash",
    "solve": "0 --seconds 60",
    "pentago lookup": "0 --moves",
    "pentago info": "--check",
    "weights": '--moves "E5 A1 F5 A10"',
}


def page() -> str:
    """The text of the page."""
    root = tree()
    of_games = _of_games(root)
    links = ", ".join(f"[{game}](#options-of-{game})" for game in of_games)
    lines = [
        "# Commands",
        "",
        f"The options of a game follow its name: {links}. `pentad COMMAND --help` prints what is here about a command.",
    ]
    for group in root.children:
        shared = _shared(group)
        for node in group.all():
            if not node.children:
                lines += _command(node, group.name, shared, of_games)
        lines += _options(group.name, shared)
    for game, options in of_games.items():
        lines += _options(game, options)
    lines += ["", "## Environment", *_table((f"`{name}`", text) for name, text in ENVIRONMENT.items())]
    lines += ["", "## Exit status", *_table(STATUSES.items())]
    return "\n".join([*lines, ""])


def _of_games(root: CommandNode) -> dict[str, list[Argument]]:
    """For each game the options that most commands with a game's options have."""
    nodes = [node.of_games for node in root.all() if any(node.of_games.values())]
    counts = {game: Counter(option for of_games in nodes for option in of_games[game]) for game in nodes[0]}
    return {
        game: [each for each, count in options.items() if 2 * count > len(nodes)] for game, options in counts.items()
    }


def _shared(group: CommandNode) -> list[Argument]:
    """The options that several commands of a group have."""
    counts = Counter(option for node in group.all() for option in _own(node))
    return [option for option, count in counts.items() if count >= FEWEST]


def _own(node: CommandNode) -> Iterator[Argument]:
    return (option for option in node.options if "--help" not in option.names)


def _command(
    node: CommandNode, group: str, shared: Iterable[Argument], of_games: dict[str, list[Argument]]
) -> Iterator[str]:
    """A command with its usage, its example and a table of its arguments and options."""
    usage = " ".join(["pentad", node.words, *(each.usage for each in node.arguments)])
    yield from ["", f"## {node.words}", "", f"{_sentence(node.summary)}", ""]
    yield from ["```text", f"{usage} [OPTION ...]", "```", "", f"Example: `pentad {node.words} {EXAMPLES[node.words]}`"]
    rows = [*node.arguments, *(option for option in _own(node) if option not in shared)]
    more = [
        (_name(option), f"{game}: {option.help}")
        for game, options in node.of_games.items()
        for option in options
        if option not in of_games[game]
    ]
    yield from _table([*((_name(each), each.help) for each in rows), *more])
    if also := [f"`{option.names[-1]}`" for option in node.options if option in shared]:
        yield from ["", f"Also, [as other commands of {group}](#options-of-{group}): {', '.join(also)}."]


def _options(owner: str, options: Iterable[Argument]) -> Iterator[str]:
    rows = [(_name(option), option.help) for option in options]
    if rows:
        yield from ["", f"## Options of {owner}", *_table(rows)]


def _name(argument: Argument) -> str:
    names = ", ".join(argument.names)
    is_long = bool(argument.choices) and "|" in argument.usage  # the description lists the choices
    value = argument.names[0].strip("-").upper() if is_long else argument.usage.replace("|", " or ")
    return f"`{f'{names} {value}'.strip()}`"


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = [f"| {name} | {SPECIAL.sub(ESCAPED, text)} |" for name, text in rows]
    if lines:
        yield from ["", "| name | meaning |", "|---|---|", *lines]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
