"""The page of the docs with every command, from the commands' parsers.

`python -m release.command_page` writes it; a test compares it with the commands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from pentad.terminal.parsers_as_data import Argument, CommandNode, tree
from release.manual import ENVIRONMENT, STATUSES

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "commands.md"
SPECIAL, ESCAPED = re.compile(r"[*<]"), r"\\\g<0>"  # what Markdown would not show in a text
SEVERAL = "several commands"

EXAMPLES = {
    "play": "pente --white human --black engine@4",
    "web": "--port 8080 --no-browser",
    "database backup": "sunday.db",
    "database restore": "sunday.db",
    "database check": "--database sqlite:///sunday.db",
    "admin token": "Olga",
    "admin search": "ada --json",
    "admin show": "person 12",
    "admin remove": 'chat qk3m8xw2pd/5 --reason "an insult"',
    "admin rename": '12 "Player 12"',
    "admin mute": "12 --for 1d --reason insults",
    "admin unmute": "12",
    "admin ban": "network 192.0.2.0/24 --for 12h",
    "admin unban": "network 192.0.2.0/24",
    "admin bans": "--json",
    "admin reports": "--handle 7",
    "admin notice": '"Cake at noon."',
    "admin close": '--in 10m "Back at noon."',
    "admin open": "--database postgresql+psycopg://pentad@localhost/pentad",
    "admin log": "--last 20",
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
    games = ", ".join(f"[{game}](#options-of-{game})" for game in of_games)
    alone = [node for node in root.children if not node.children]
    lines = [
        "# Commands",
        "",
        f"The options of a game follow its name: {games}.",
        "What [several commands](#options-of-several-commands) or those of a group have in common is described once.",
        "`pentad COMMAND --help` describes all that a command has.",
    ]
    shared = _shared(alone)
    for group in root.children:
        owner = group.name if group.children else SEVERAL
        its_shared = _shared(group.children) if group.children else shared
        for node in group.children or [group]:
            lines += _command(node, owner, its_shared, of_games)
        if group.children:
            lines += _options(owner, its_shared)
    lines += _options(SEVERAL, shared)
    for game, options in of_games.items():
        lines += _options(game, options)
    lines += ["", "## Environment", "", *(f"- `{name}`: {text}" for name, text in ENVIRONMENT.items())]
    lines += ["", "## Exit status", "", *(f"- {status}: {text}" for status, text in STATUSES.items())]
    return "\n".join([*lines, ""])


def _of_games(root: CommandNode) -> dict[str, list[Argument]]:
    """For each game the options that most commands with a game's options have."""
    nodes = [node.of_games for node in root.all() if any(node.of_games.values())]
    counts = {game: Counter(option for of_games in nodes for option in of_games[game]) for game in nodes[0]}
    return {
        game: [each for each, count in options.items() if 2 * count > len(nodes)] for game, options in counts.items()
    }


def _shared(nodes: Iterable[CommandNode]) -> list[Argument]:
    """The arguments and options that several commands have; of those with one name, the most frequent."""
    counts = Counter(each for node in nodes for each in dict.fromkeys(_own(node)))
    shared: dict[tuple[object, ...], Argument] = {}
    for each, count in counts.most_common():
        if count > 1:
            shared.setdefault(each.names or (each.metavar,), each)
    return sorted(shared.values(), key=lambda each: each.names[-1:])


def _own(node: CommandNode) -> Iterator[Argument]:
    return (each for each in (*node.arguments, *node.options) if "--help" not in each.names)


def _command(
    node: CommandNode, owner: str, shared: Iterable[Argument], of_games: dict[str, list[Argument]]
) -> Iterator[str]:
    """A command with its usage, its example, its own arguments and options, and the names of the shared options."""
    usage = " ".join(["pentad", node.words, *(each.usage for each in node.arguments)])
    yield from ["", f"## {node.words}", "", _sentence(node.summary), ""]
    example = f"`pentad {node.words} {EXAMPLES[node.words]}`"
    yield f"`{usage}`, such as {example}" if node.arguments else f"Example: {example}"
    rows = [*_entries(each for each in _own(node) if each not in shared)]
    for game, options in node.of_games.items():
        rows += _entries((option for option in options if option not in of_games[game]), f"{game}: ")
    if also := [f"`{option.names[-1]}`" for option in node.options if option in shared]:
        rows.append(f"- [also](#options-of-{owner.replace(' ', '-')}) {', '.join(also)}")
    yield from ["", *rows] if rows else []


def _options(owner: str, options: Iterable[Argument]) -> Iterator[str]:
    if rows := [*_entries(options)]:
        yield from ["", f"## Options of {owner}", "", *rows]


def _entries(options: Iterable[Argument], place: str = "") -> Iterator[str]:
    """An item of a list for each option; one for those that differ only in a name, such as those of the seats."""
    for _, (first, *more) in groupby(options, _pattern):
        names = ", ".join(_name(each) for each in (first, *more))
        yield f"- {names}: {place}{_text(first)}{', and so on' if more else ''}"


def _pattern(option: Argument) -> tuple[str, str]:
    """The value of an option and its description, with NAME for the option's own name."""
    name = option.names[-1].strip("-") if option.names else ""
    return option.usage, re.sub(rf"(?<= of ){re.escape(name)}$", "NAME", option.help) if name else option.help


def _name(argument: Argument) -> str:
    names = ", ".join(argument.names)
    is_long = bool(argument.choices) and "|" in argument.usage  # the description has the choices
    value = argument.names[0].strip("-").upper() if is_long else argument.usage.replace("|", " or ")
    return f"`{f'{names} {value}'.strip()}`"


def _text(argument: Argument) -> str:
    """The description of an argument, with its choices."""
    is_named = all(each in argument.help for each in argument.choices)
    return SPECIAL.sub(ESCAPED, argument.help if is_named else f"{argument.help}: {', '.join(argument.choices)}")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
