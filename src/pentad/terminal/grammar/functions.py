"""`--python FILE`: a Python file that defines `operations`, `filters` and `oracle` for a grammar."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from pentad.game import GameError, shorten
from pentad.grammar.language.user_operations import failed
from pentad.grammar.oracles import OracleFunction
from pentad.grammar.system import Filter
from pentad.terminal import streams
from pentad.terminal.arguments import Parser

NAMES = ("operations", "filters", "oracle")


class Functions(TypedDict):
    """The functions that `explore`, `prepare` and `Simulation` accept."""

    operations: Sequence[Callable[..., Any]]
    filters: Mapping[str, Filter]
    oracle: OracleFunction | None


def add_functions(parser: Parser) -> None:
    parser.add_argument(
        "--python",
        metavar="FILE",
        help="Python file to run, which defines operations, filters and oracle for the grammar",
    )


def functions_of(args: argparse.Namespace) -> Functions:
    """The functions that the file of `--python` defines; none without it."""
    if args.python is None:
        return Functions(operations=(), filters={}, oracle=None)
    path = Path(args.python)
    names = _run(path)
    if not any(name in names for name in NAMES):
        raise GameError(f"{_name(path)} defines neither operations, filters nor oracle.")
    operations, filters, oracle = (names.get(name) for name in NAMES)
    if not isinstance(operations, list | tuple | None) or not all(map(callable, operations or ())):
        raise GameError(f"{_name(path)}: operations must be a list of functions and classes.")
    if not isinstance(filters, dict | None) or not all(map(callable, (filters or {}).values())):
        raise GameError(
            f"{_name(path)}: filters must be a dictionary of functions, with the names that rules use as keys."
        )
    if oracle is not None and not callable(oracle):
        raise GameError(f"{_name(path)}: oracle must be a function of a rule's name and a type.")
    return Functions(operations=operations or (), filters=filters or {}, oracle=oracle)


def _run(path: Path) -> dict[str, Any]:
    """Run a file and return the names that it defines."""
    spec = importlib.util.spec_from_file_location(f"pentad_functions_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise GameError(f"{_name(path)} is not a Python file (.py).")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # annotations of classes are looked up there
    try:
        spec.loader.exec_module(module)
    except OSError as error:
        raise GameError(f"Cannot read {_name(path)}: {streams.error_sentence(error)}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == spec.origin]
        where = f", line {lines[-1]}" if lines else ""
        raise GameError(f"{_name(path)}{where}: {failed(error)}") from None
    return vars(module)


def _name(path: Path) -> str:
    return shorten(str(path), 120)
