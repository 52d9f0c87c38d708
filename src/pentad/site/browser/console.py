"""Python as a page runs it: some lines of code, what they print, and the value of the last expression."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import traceback
from collections.abc import Callable
from typing import Any

FILE = "<example>"  # the name of the code in error messages


class _Output(io.TextIOBase):
    """Output that is written somewhere else at once."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def write(self, text: str) -> int:
        self._write(text)
        return len(text)


class Console:
    """Runs code in one namespace."""

    def __init__(self) -> None:
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, code: str, write: Callable[[str], object]) -> str:
        """Runs code; returns JSON with the `text` or the `svg` of its last value, or with an `error`.

        >>> printed = []
        >>> Console().run("print(2)\\n3 + 4", printed.append), printed
        ('{"text": "7"}', ['2', '\\n'])
        """
        output = _Output(write)
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            try:
                value = self._value(code)
            except BaseException as error:
                return json.dumps({"error": _explained(error)})
        if value is None:
            return "{}"
        self._names["_"] = value
        svg = getattr(value, "_repr_svg_", None)
        return json.dumps({"svg": svg()} if svg else {"text": repr(value)})

    def _value(self, code: str) -> Any:
        """Runs the statements; the value of the last one if it is an expression."""
        tree = ast.parse(code, FILE)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, FILE, "exec"), self._names)
        if not isinstance(last, ast.Expr):
            return None
        return eval(compile(ast.Expression(last.value), FILE, "eval"), self._names)


def _explained(error: BaseException) -> str:
    """The traceback from the user's code on."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [number for number, frame in enumerate(frames) if frame.filename == FILE]
    shown = traceback.StackSummary.from_list(frames[own[0] :] if own else [])
    return "".join([*shown.format(), *traceback.format_exception_only(error)]).strip()


def start() -> Console:
    """A console; called by `static/python/python.js`."""
    return Console()
