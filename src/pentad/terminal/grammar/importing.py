"""`pentad grammar import`: a folder of GROOVE's files from a JSON file, a zip, or another such folder."""

from __future__ import annotations

import argparse
import json

from pentad.grammar.files.exports import folder_of
from pentad.terminal.arguments import Parser
from pentad.terminal.grammar.grammar_arguments import add_force, add_json, read, write_folder
from pentad.wording import count


def add_arguments(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="grammar to read: a .json file, a zip or a folder")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="folder to write (default: NAME.gps)")
    add_force(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    grammar = read(args.file)
    folder = folder_of(grammar) if args.folder is None else args.folder
    written = write_folder(grammar, folder, force=args.force)
    if args.json:
        print(json.dumps({"grammar": grammar.name, **written}))
    else:
        print(f"{folder}: {count(written['rules'], 'rule')}, {count(written['graphs'], 'graph')}")
    return 0
