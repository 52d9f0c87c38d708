"""`pentad grammar new`: a model's grammar as a folder of GROOVE's files, or the list of models."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pentad.grammar.models import MODELS, find
from pentad.grammar.models.model import Model
from pentad.system.words import count, phrase, table
from pentad.terminal.arguments import CommandParser, add_options, describe, flag, given_options
from pentad.terminal.grammar.arguments import add_force, add_json, write_folder


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "model",
        metavar="MODEL",
        nargs="?",
        help=phrase("one of {models} (default: list them)", models=", ".join(MODELS)),
    )
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="folder to write (default: MODEL.gps)")
    add_force(parser)
    add_json(parser)
    named = next((word for word in parser.words if word in MODELS), None)
    if named is None:
        parser.epilog = phrase("For the options of a model, run: {prog} MODEL --help", prog=parser.prog)
    else:
        add_options(parser, named, MODELS[named].options)
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    if args.model is None:
        print(json.dumps(list(map(_data, MODELS.values()))) if args.json else "\n\n".join(map(_text, MODELS.values())))
        return 0
    model = find(args.model)
    grammar = model.read({name: str(value).lower() for name, value in given_options(args).items()})
    written = write_folder(grammar, args.folder, force=args.force)
    if args.json:
        print(json.dumps({"model": model.name, "grammar": grammar.name, **written}))
    else:
        nodes = count(len(grammar.start.nodes), "node")
        print(
            phrase(
                "{folder}: {rules}, a start graph with {nodes}",
                folder=written["folder"],
                rules=count(written["rules"], "rule"),
                nodes=nodes,
            )
        )
    return 0


def _text(model: Model) -> str:
    rows = ((flag(option.name), describe(option)) for option in model.options.values())
    return "\n".join([f"{model.name}: {model.summary}", *table(rows, 4)])


def _data(model: Model) -> dict[str, Any]:
    options = {
        option.name: {"help": option.help, "default": option.default, "expects": option.expects}
        for option in model.options.values()
    }
    return {"model": model.name, "summary": model.summary, "options": options}
