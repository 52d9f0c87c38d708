"""Puts the doctests of docstrings into fenced blocks, so that the API pages show them as code.

A class of each block names the module, whose names its examples use.
"""

from __future__ import annotations

from typing import Any

import griffe

PROMPTS = (">>> ", "... ", "...")


def fenced(text: str, module: str = "") -> str:
    """The text with every doctest, up to the next empty line, in a block of its own."""
    fence = f"```{{ .pycon .module-{module} }}" if module else "```pycon"
    lines: list[str] = []
    is_open = False
    for line in text.splitlines():
        if line.startswith(PROMPTS[0]) and not is_open:
            lines += ["", fence]
            is_open = True
        elif is_open and not line.strip():
            lines.append("```")
            is_open = False
        lines.append(line)
    return "\n".join([*lines, "```"] if is_open else lines)


class Doctests(griffe.Extension):
    """Fences the doctests of every object."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value, obj.module.path)
