"""`pentad grammar simulate`: a simulation of a grammar, by hand or at random.

With `--json` it writes one object a line and reads the same commands. Every object has `event`:

    state    step, final, broken, edges (source, label, target), position (of a game; else null), note, options
             (number, action, arguments, nodes, words): the current state and its options; at the start and after
             every step and `undo`
    graph    graph: as in `pentad grammar show --json`
    rule     rule: as in `pentad grammar show --json`
    best     value, distance, options (number, value, distance; the best first): the values of the options for the
             player to move; null if they are unknown
    message  text: the output of a command
    error    error: a line that was refused; the state is unchanged
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pentad.game import GameError, shorten
from pentad.grammar.adviser import Advice, Adviser
from pentad.grammar.files.exports import as_data
from pentad.grammar.host import bits
from pentad.grammar.models.views import ModelView, view_of
from pentad.grammar.simulation import PossibleStep, Simulation
from pentad.system.words import WIDTH, count, phrase, table
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser, whole
from pentad.terminal.grammar import arguments
from pentad.terminal.grammar.show import edge_lines, graph_lines, rule_data, rule_line, size
from pentad.terminal.grammar.solve import verdict

MAX_RANDOM_STEPS = 100_000
MAX_LINES = 40  # `graph` and `options` show all of a state and of its options


def add_arguments(parser: CommandParser) -> None:
    arguments.add_grammar(parser)
    parser.add_argument("--seed", type=whole(0, 2**62), metavar="N", help="random seed of the steps")
    arguments.add_beginning(parser)
    arguments.add_functions(parser)
    arguments.add_json(parser, "print one JSON object per line")


def run(args: argparse.Namespace) -> int:
    grammar = arguments.read(args.grammar)
    start, control = arguments.start_of(args, grammar), arguments.control_of(args, grammar)
    simulation = Simulation(grammar, args.seed, start, control, **arguments.functions_of(args))
    view = view_of(grammar, simulation.system.start)
    display = AsJson(view) if args.json else AsText(view)
    walk = Walk(simulation, display, not args.json and streams.is_terminal())
    if walk.asks:
        print("Type the number or name of an option, or ? for a random step. For all commands, type help.")
    walk.show()
    while not walk.left:
        try:
            line = _ask(len(simulation.steps)) if walk.asks else streams.read_line()
            if line is None:
                break
            walk.follow(line.strip())
        except GameError as error:
            walk.display.error(str(error))
    return 0


def _ask(step: int) -> str | None:
    try:
        return streams.prompt(f"{step}> ")
    except KeyboardInterrupt:
        print()
        raise


# ── displays ──────────────────────────────────────────────────────────────────────────


class AsText:
    """Prints lines; errors go to stderr. The view of a model has the board, and options and nodes in words."""

    def __init__(self, view: ModelView | None) -> None:
        self.view = view

    def state(self, simulation: Simulation) -> None:
        """The state and its options."""
        step = len(simulation.steps)
        last = f" after {self.words(simulation.steps[-1])}" if step else ""
        marks = ", final" * simulation.final
        marks += f", broken: {', '.join(simulation.broken)}" if simulation.broken else ""
        lines = [
            f"step {step}{last}{marks}",
            *_cut(self.board(simulation) or self.edges(simulation), "graph shows all"),
            *_cut(self.option_lines(simulation) or ["  no options"], "options shows all"),
        ]
        note = self.view.note(simulation) if self.view else ""
        print("\n".join([*lines, *_wrapped(note)]), flush=True)

    def options(self, simulation: Simulation) -> None:
        print("\n".join(self.option_lines(simulation)) or "No options.", flush=True)

    # ── parts of a state ─────────────────────────────────────────────────────────────────────────

    def board(self, simulation: Simulation) -> list[str]:
        return self.view.draw(simulation).splitlines() if self.view else []

    def edges(self, simulation: Simulation) -> list[str]:
        """The edges that rules change, by source; of a model without the types, which the names of its nodes say."""
        edges = _edges(simulation)
        if self.view:
            names = self.view.labels
            edges = [
                (names.get(source, source), label, names.get(target, target))
                for source, label, target in edges
                if not label.startswith("type:")
            ]
        lines = [f"{source}: {'  '.join([*loops, *arrows])}" for source, (loops, arrows) in edge_lines(edges).items()]
        return [f"  {streams.one_line(line, 2_000)}" for line in lines]

    def words(self, option: PossibleStep, hidden: Collection[tuple[str, str]] | None = None) -> str:
        """An option in words of the model, or its action; with the nodes that are not hidden."""
        words = self.view.words(option) if self.view else ""
        if not words and hidden is not None:
            nodes = "".join(f" {name}={node}" for name, node in option.nodes if (name, node) not in hidden)
            words = f"{option} {nodes}".rstrip()
        return streams.one_line(words or str(option), 400)

    def option_lines(self, simulation: Simulation) -> list[str]:
        """The numbered options, in columns if there are many."""
        common = simulation.common_nodes()
        lines = [
            f"{number:3} {self.words(option, common[option.action])}"
            for number, option in enumerate(simulation.options, 1)
        ]
        room = shutil.get_terminal_size().columns - 2 if sys.stdout.isatty() else 0
        wide = max(map(len, lines), default=0) + 3
        columns = max(room // wide, 1) if len(lines) > 10 else 1
        return [
            "  " + "".join(f"{each:{wide}}" for each in lines[at : at + columns]).rstrip()
            for at in range(0, len(lines), columns)
        ]

    # ── other answers ────────────────────────────────────────────────────────────────────────────

    def graph(self, simulation: Simulation) -> None:
        graph = simulation.graph
        lines = [size(graph), *(f"  {line}" for line in graph_lines(graph))]
        print("\n".join(streams.one_line(line, 2_000) for line in lines), flush=True)

    def rule(self, simulation: Simulation, name: str) -> None:
        grammar = simulation.system.grammar
        graph = grammar.rules[name]
        lines = [f"{name}: {rule_line(rule_data(grammar, name))}", *(f"  {line}" for line in graph_lines(graph))]
        print("\n".join(streams.one_line(line, 2_000) for line in lines), flush=True)

    def best(self, simulation: Simulation, values: Advice) -> None:
        common = simulation.common_nodes()
        mover = self.view.names.get(values.mover, values.mover) if self.view else values.mover
        lines = [f"{mover} {verdict(values.value, values.distance)}"]
        for number, move in values.moves:
            option = simulation.options[number]
            lines.append(f"  {number + 1:3} {self.words(option, common[option.action])}: {verdict(*move[1:])}")
        print("\n".join(_cut(lines, "they are not better")), flush=True)

    def message(self, text: str) -> None:
        print(text, flush=True)

    def error(self, message: str) -> None:
        streams.print_error(message)


class AsJson(AsText):
    """Prints JSON objects, one a line."""

    def _print(self, event: str, **about: Any) -> None:
        print(json.dumps({"event": event, **about}), flush=True)

    def _option(self, number: int, option: PossibleStep) -> dict[str, Any]:
        return {
            "number": number,
            "action": option.action,
            "arguments": list(option.arguments),
            "nodes": dict(option.nodes),
            "words": self.words(option),
        }

    def state(self, simulation: Simulation) -> None:
        position = self.view.position(simulation) if self.view else None
        self._print(
            "state",
            step=len(simulation.steps),
            final=simulation.final,
            broken=list(simulation.broken),
            edges=_edges(simulation),
            position=position and position.text,
            note=self.view.note(simulation) if self.view else "",
            options=[self._option(number, option) for number, option in enumerate(simulation.options, 1)],
        )

    def options(self, simulation: Simulation) -> None:
        self.state(simulation)

    def graph(self, simulation: Simulation) -> None:
        self._print("graph", graph=as_data(simulation.graph))

    def rule(self, simulation: Simulation, name: str) -> None:
        self._print("rule", rule=as_data(simulation.system.grammar.rules[name]))

    def best(self, simulation: Simulation, values: Advice) -> None:
        options = [
            {"number": number + 1, "value": move.value, "distance": move.distance} for number, move in values.moves
        ]
        self._print("best", value=values.value, distance=values.distance, options=options)

    def message(self, text: str) -> None:
        self._print("message", text=text)

    def error(self, message: str) -> None:
        self._print("error", error=message)


def _edges(simulation: Simulation) -> list[tuple[str, str, str]]:
    """The current edges of those that rules change, by source."""
    world = simulation.system.world
    changing = sorted(world.edges[number] for number in bits(simulation.state.edges & ~world.fixed_edges))
    return [(world.text(source), label, world.text(target)) for source, label, target in changing]


def _cut(lines: list[str], more: str) -> list[str]:
    if len(lines) <= MAX_LINES:
        return lines
    return [*lines[: MAX_LINES - 1], f"  … {len(lines) - MAX_LINES + 1:,} more lines; {more}"]


def _wrapped(text: str) -> list[str]:
    """A text in lines that are as wide as a table."""
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


# ── commands ────────────────────────────────────────────────────────────────────────


class Walk:
    """A simulation that follows typed lines."""

    def __init__(self, simulation: Simulation, display: AsText, asks: bool) -> None:
        self.simulation, self.display = simulation, display
        self.asks = asks  # whether it prompts a person
        self.left = False

    @cached_property
    def adviser(self) -> Adviser:
        """The values of all states; found when they are first needed."""
        return Adviser(self.simulation)

    def show(self) -> None:
        self.display.state(self.simulation)

    def follow(self, line: str) -> None:
        """Execute a line."""
        word, _, rest = line.partition(" ")
        if not word:
            return
        if word in COMMANDS:
            COMMANDS[word].run(self, rest.strip())
        elif word.isdecimal():
            self.take(self._numbered(word))
        else:
            self.take(self._named(line))

    def take(self, number: int) -> None:
        self.simulation.take(number)
        self.show()

    def _numbered(self, word: str) -> int:
        last = len(self.simulation.options)
        if not last:
            raise GameError("There are no options here. Type undo to take back a step.")
        number = int(word) if len(word) < 10 else 0
        if not 1 <= number <= last:
            raise GameError(
                "There is no option {word}. The options are 1 to {last}.", word=shorten(word, 20), last=last
            )
        return number - 1

    def _named(self, text: str) -> int:
        """The only option with a name, an action or a beginning."""
        options, words = self.simulation.options, self.display.words
        tests: tuple[Callable[[PossibleStep], bool], ...] = (
            lambda option: words(option) == text,
            lambda option: str(option) == text,
            lambda option: option.action == text,
            lambda option: option.action.startswith(text) or words(option).startswith(text),
        )
        for test in tests:
            fitting = [number for number, option in enumerate(options) if test(option)]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                some = ", ".join(str(number + 1) for number in fitting[:12]) + ", …" * (len(fitting) > 12)
                raise GameError(
                    "{count} options have this name. Choose one by its number: {names}.", count=len(fitting), names=some
                )
        raise GameError("Unknown option or command {text}. For a list, type options or help.", text=shorten(repr(text)))


@dataclass(frozen=True, slots=True)
class WalkCommand:
    """A command: `run` gets the walk and the rest of the line."""

    run: Callable[[Walk, str], None]
    help: str
    argument: str = ""


def _steps(command: str, times: str) -> int:
    """The number of steps of a command, by default one."""
    if times and not (times.isdecimal() and len(times) < 7 and 1 <= int(times) <= MAX_RANDOM_STEPS):
        expected = phrase(
            "Expected a number of steps from 1 to {most_by_chance:,}, got {times}.",
            most_by_chance=MAX_RANDOM_STEPS,
            times=shorten(repr(times)),
        )
        raise GameError(f"{command} N: {expected}")
    return int(times or 1)


def _by_chance(walk: Walk, times: str) -> None:
    most = _steps("?", times)
    if not walk.simulation.options:
        raise GameError("There are no options here. Type undo to take back a step.")
    begun = len(walk.simulation.steps)
    try:
        ended = any(walk.simulation.by_chance() is None for _ in range(most))
    except KeyboardInterrupt:
        if not walk.asks:
            raise
        walk.display.message("\nStopped by Ctrl-C.")
        ended = False
    if ended:
        walk.display.message(
            phrase("There are no more options after {steps}.", steps=count(len(walk.simulation.steps) - begun, "step"))
        )
    walk.show()


def _play(walk: Walk, times: str) -> None:
    for _ in range(_steps("play", times)):
        moves = walk.adviser.values().moves
        if not moves:
            walk.display.message("There are no more moves.")
            break
        walk.simulation.take(moves[0][0])
    walk.show()


def _undo(walk: Walk, times: str) -> None:
    if times and not (times.isdecimal() and len(times) < 7):
        raise GameError("undo N: Expected a number of steps, got {times}.", times=shorten(repr(times)))
    for _ in range(int(times or 1)):
        if walk.simulation.undo() is None:
            walk.display.error("There is no step to take back.")
            break
    walk.show()


def _rule(walk: Walk, name: str) -> None:
    if not name:
        raise GameError("Expected the name of a rule: rule NAME")
    grammar = walk.simulation.system.grammar
    if name not in grammar.rules:
        raise GameError(
            "Unknown rule {name}. The rules are: {rules}.",
            name=shorten(repr(name)),
            rules=", ".join(grammar.rules) or "none",
        )
    walk.display.rule(walk.simulation, name)


def _way(walk: Walk, _: str) -> None:
    words = walk.display.words
    steps = [f"{number}. {words(step, ())}" for number, step in enumerate(walk.simulation.steps, 1)]
    walk.display.message("\n".join(steps) or "No steps have been taken.")


def _help(walk: Walk, _: str) -> None:
    lines = ["Type the number of an option, or its name if no other has the same."]
    lines += table(((f"{name} {command.argument}".rstrip(), command.help) for name, command in COMMANDS.items()), 0)
    walk.display.message("\n".join(lines))


def _quit(walk: Walk, _: str) -> None:
    walk.left = True


COMMANDS = {
    "?": WalkCommand(_by_chance, "take a random step, or N of them", "[N]"),
    "best": WalkCommand(
        lambda walk, _: walk.display.best(walk.simulation, walk.adviser.values()),
        "show the values of the options, the best first; of a game",
    ),
    "play": WalkCommand(_play, "take the best step, or N of them; of a game", "[N]"),
    "undo": WalkCommand(_undo, "take back the last step, or the last N", "[N]"),
    "options": WalkCommand(lambda walk, _: walk.display.options(walk.simulation), "list all options"),
    "state": WalkCommand(lambda walk, _: walk.show(), "show the edges that rules change, and the options"),
    "graph": WalkCommand(lambda walk, _: walk.display.graph(walk.simulation), "show the whole graph"),
    "rule": WalkCommand(_rule, "show a rule", "NAME"),
    "way": WalkCommand(_way, "list the steps so far"),
    "help": WalkCommand(_help, "list the commands"),
    "quit": WalkCommand(_quit, "end the simulation"),
}
