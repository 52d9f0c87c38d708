"""`pentad grammar new`: a model's grammar as a folder of GROOVE's files, or the list of models."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from pentad.game import Option
from pentad.grammar.models import MODELS, find
from pentad.grammar.models.model import Model
from pentad.terminal.arguments import Parser, describe, flag_of
from pentad.terminal.grammar.files import add_force, folder_of, write_folder
from pentad.terminal.grammar.grammar_arguments import add_json
from pentad.terminal.wording import table
from pentad.wording import count

_OPTION = "option_"  # before the names under which argparse keeps a model's options


def add_arguments(parser: Parser) -> None:
    parser.add_argument("model", metavar="MODEL", nargs="?", help=f"one of {', '.join(MODELS)} (default: list them)")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="folder to write (default: MODEL.gps)")
    add_force(parser)
    add_json(parser)
    named = next((word for word in parser.words if word in MODELS), None)
    if named is None:
        parser.epilog = f"For the options of a model, run: {parser.prog} MODEL --help"
    else:
        group = parser.add_argument_group(f"options of {named}")
        for option in MODELS[named].options.values():
            _add_option(group, option)
    parser.intermixed = True


def _add_option(group: argparse._ArgumentGroup, option: Option) -> None:
    about: dict[str, Any] = {"dest": _OPTION + option.name, "default": argparse.SUPPRESS}
    if isinstance(option.default, bool):
        about |= {"action": argparse.BooleanOptionalAction}
    else:
        about |= {"metavar": "N" if isinstance(option.default, int) else "|".join(option.allowed)}
    group.add_argument(flag_of(option), help=describe(option).replace("%", "%%"), **about)


def run(args: argparse.Namespace) -> int:
    if args.model is None:
        print(json.dumps(list(map(_data, MODELS.values()))) if args.json else "\n\n".join(_listed()))
        return 0
    model = find(args.model)
    given = {name.removeprefix(_OPTION): value for name, value in vars(args).items() if name.startswith(_OPTION)}
    grammar = model.read({name: str(value).lower() for name, value in given.items()})
    folder = folder_of(grammar) if args.folder is None else args.folder
    written = write_folder(grammar, folder, force=args.force)
    if args.json:
        print(json.dumps({"model": model.name, "grammar": grammar.name, **written}))
    else:
        print(
            f"{folder}: {count(written['rules'], 'rule')}, a start graph with {count(len(grammar.start.nodes), 'node')}"
        )
    return 0


def _listed() -> Iterator[str]:
    for model in MODELS.values():
        rows = ((flag_of(option), describe(option)) for option in model.options.values())
        yield "\n".join([f"{model.name}: {model.summary}", *table(rows, 4)])


def _data(model: Model) -> dict[str, Any]:
    options = {
        option.name: {"help": option.help, "default": option.default, "expects": option.expects}
        for option in model.options.values()
    }
    return {"model": model.name, "summary": model.summary, "options": options}
