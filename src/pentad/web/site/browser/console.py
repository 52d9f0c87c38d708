"""Python as a page runs it: some lines of code, what they print, and the value of the last expression."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import traceback
from collections.abc import Callable
from typing import Any

from pentad.game import GameError

FILE = "<example>"  # the name of the code in error messages


class _Output(io.TextIOBase):
    """Output that is written somewhere else at once."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def write(self, text: str) -> int:
        self._write(text)
        return len(text)


class Console:
    """Runs code in one namespace, which may begin with the names of a module."""

    def __init__(self, module: str = "") -> None:
        known = vars(importlib.import_module(module)) if module else {}
        self._names: dict[str, Any] = {**known, "__name__": "__main__"}

    def run(
        self, code: str, write: Callable[[str], object], *, all_values: bool = False, past_errors: bool = False
    ) -> str:
        """Runs code; returns JSON with the `text` or the `svg` of its last value, or with an `error`.

        With `all_values` the values of the other expressions are written, as a session with prompts shows them. With
        `past_errors` the statements after an error run too, and the error is written.

        >>> printed = []
        >>> Console().run("print(2)\\n3 + 4", printed.append), printed
        ('{"text": "7"}', ['2', '\\n'])
        >>> Console("math").run("sqrt(9); factorial(4)", printed.append, all_values=True), printed[2:]
        ('{"text": "24"}', ['3.0\\n'])
        >>> Console().run("1 / 0; 2", printed.append, past_errors=True), printed[3].splitlines()[-1]
        ('{"text": "2"}', 'ZeroDivisionError: division by zero')
        """
        output = _Output(write)
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            try:
                value = self._value(code, output, all_values=all_values, past_errors=past_errors)
            except BaseException as error:
                return json.dumps({"error": _explained(error)})
        if value is None:
            return "{}"
        self._names["_"] = value
        svg = getattr(value, "_repr_svg_", None)
        return json.dumps({"svg": svg()} if svg else {"text": repr(value)})

    def _value(self, code: str, output: _Output, *, all_values: bool, past_errors: bool) -> Any:
        """Runs the statements; the value of the last one if it is an expression."""
        tree = ast.parse(code, FILE)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        for statement in tree.body:
            try:
                value = self._run_statement(statement)
            except Exception as error:
                if not past_errors:
                    raise
                output.write(f"{_explained(error)}\n")
            else:
                if all_values and value is not None:
                    output.write(f"{value!r}\n")
        return self._run_statement(last) if last else None

    def _run_statement(self, statement: ast.stmt) -> Any:
        """Runs a statement; its value if it is an expression."""
        if isinstance(statement, ast.Expr):
            return eval(compile(ast.Expression(statement.value), FILE, "eval"), self._names)
        exec(compile(ast.Module([statement], []), FILE, "exec"), self._names)
        return None


def _explained(error: BaseException) -> str:
    """The traceback from the user's code on; for a mistake that pentad explains, the lines of the user's code alone."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [number for number, frame in enumerate(frames) if frame.filename == FILE]
    shown = [frames[number] for number in own] if isinstance(error, GameError) else frames[own[0] :] if own else []
    lines = traceback.StackSummary.from_list(shown).format()
    head = ["Traceback (most recent call last):\n"] if lines else []
    return "".join([*head, *lines, *traceback.format_exception_only(error)]).strip()


def start(module: str = "") -> Console:
    """A console with the names of a module; called by `static/python/python.js`."""
    return Console(module)
