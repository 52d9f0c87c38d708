"""`pentad grammar export`: a grammar or a transition system in another format; and `import`, a grammar as a folder."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path, PurePath

from pentad.game import GameError, shorten
from pentad.grammar.files.exports import FORMATS, GRAMMAR_FORMATS, SYSTEM_FORMATS, write
from pentad.system.words import count, phrase
from pentad.terminal.arguments import CommandParser
from pentad.terminal.files import STANDARD
from pentad.terminal.grammar import transition_systems
from pentad.terminal.grammar.arguments import add_force, add_json, check_new, read, write_bytes, write_folder

FOLDER = "gps"


def add_arguments(parser: CommandParser) -> None:
    known = "; ".join(f"{each.name}: {each.what}" for each in FORMATS if each.grammar)
    parser.epilog = phrase(
        "Formats, by the suffix of FILE or by --to: {known}; {folder}: a folder of GROOVE's files.",
        known=known,
        folder=FOLDER,
    )
    parser.epilog += phrase(
        " Formats of transition systems: {system_formats}.", system_formats=", ".join(SYSTEM_FORMATS)
    )
    transition_systems.add_source(parser, "grammar")
    parser.add_argument("file", metavar="FILE", help="file or folder to write (-: standard output)")
    parser.add_argument("--to", metavar="FORMAT", help="format (default: by the suffix of FILE)")
    add_force(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    kind = args.to or PurePath(args.file).suffix.removeprefix(".")
    if transition_systems.is_system(args.grammar):
        return _export_system(args, kind)
    if kind != FOLDER and kind not in GRAMMAR_FORMATS:
        raise GameError(_unknown(kind, args.file))
    if args.file == STANDARD and kind == FOLDER:
        raise GameError("A folder cannot be written to standard output. Use --to zip.")
    grammar = read(args.grammar)
    if kind == FOLDER:
        write_folder(grammar, args.file, force=args.force)
    else:
        data = GRAMMAR_FORMATS[kind](grammar)
        if args.file == STANDARD:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            return 0
        write_bytes(args.file, data, force=args.force)
    written = {"grammar": grammar.name, "file": args.file, "format": kind}
    print(json.dumps(written) if args.json else f"{args.file}: grammar {grammar.name} as {kind}")
    return 0


def _export_system(args: argparse.Namespace, kind: str) -> int:
    """Writes the transition system in a file to another file."""
    if kind not in SYSTEM_FORMATS:
        known = ", ".join(SYSTEM_FORMATS)
        raise GameError(
            "Unknown format {kind}. The formats of transition systems are: {known}.",
            kind=shorten(repr(kind)),
            known=known,
        )
    if args.file != STANDARD:
        check_new(args.file, force=args.force)
    source = transition_systems.read_system(args.grammar)
    if args.file == STANDARD:
        sys.stdout.writelines(SYSTEM_FORMATS[kind](source.lts, source.name, True))
        return 0
    write(source.lts, Path(args.file), kind, source.name, marks=True)
    written = {**source.data, "file": args.file, "from": args.grammar, "format": kind}
    print(json.dumps(written) if args.json else f"{args.file}: {args.grammar} as {kind}")
    return 0


def _unknown(kind: str, file: str) -> str:
    if kind in SYSTEM_FORMATS:
        return phrase(
            "{kind} is a format for transition systems. Run: pentad grammar explore GRAMMAR -o FILE.{kind}", kind=kind
        )
    known = ", ".join((*GRAMMAR_FORMATS, FOLDER))
    if not kind:
        return phrase("{file} has no suffix. Name the format with --to: {known}.", file=shorten(file, 120), known=known)
    return phrase("Unknown format {kind}. The formats are: {known}.", kind=shorten(repr(kind)), known=known)


class GrammarImport:
    """`pentad grammar import`: a folder of GROOVE's files from a JSON file, a zip, or another such folder."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="grammar to read: a .json file, a zip or a folder")
        parser.add_argument("folder", metavar="FOLDER", nargs="?", help="folder to write (default: NAME.gps)")
        add_force(parser)
        add_json(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        grammar = read(args.file)
        written = write_folder(grammar, args.folder, force=args.force)
        if args.json:
            print(json.dumps({"grammar": grammar.name, **written}))
        else:
            print(f"{written['folder']}: {count(written['rules'], 'rule')}, {count(written['graphs'], 'graph')}")
        return 0
