"""Transition systems in the Aldebaran format of CADP, mCRL2 and others: writer and reader.

The first line is `des (START, TRANSITIONS, STATES)`; each following line is a transition `(SOURCE, LABEL, TARGET)`.
Labels are in double quotes or bare. In quotes a backslash escapes a quote and itself; `\\n` and `\\r` are line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pentad.game import shown
from pentad.grammar.files.lts_reader import SystemReader, label_in, label_text
from pentad.grammar.graph import GrammarError
from pentad.grammar.lts import Lts
from pentad.system.words import phrase

_HEAD = re.compile(r"des\s*\(\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*\)")


def write(lts: Lts, marks: Iterable[tuple[int, str]] = ()) -> Iterator[str]:
    """The lines of a system; `marks` are loops that are written before its transitions."""
    marked = list(marks)
    yield f"des (0, {lts.transitions + len(marked)}, {lts.states})\n"
    for state, mark in marked:
        yield f'({state},"{mark}",{state})\n'
    labels = [label_text(text) for text in lts.texts]
    for source, action, target in lts.rows:
        yield f"({source},{labels[action]},{target})\n"


def read(lines: Iterable[str], memory: int | None = None) -> Lts:
    r"""Reads a system; its start becomes state 0, and that state gets the start's number.

    >>> lts = read(["des (1, 2, 2)\n", '(1, "put(n1, 2)", 0)\n', "(0, GET !1, 1)\n"])
    >>> [(each.source, each.action, each.arguments, each.target) for each in lts]
    [(0, 'put', ('n1', ' 2'), 1), (1, 'GET !1', (), 0)]
    """
    numbered = ((number, line.strip()) for number, line in enumerate(lines, 1))
    rows = ((number, line) for number, line in numbered if line)
    number, head = next(rows, (1, ""))
    found = _HEAD.fullmatch(head)
    if found is None:
        raise GrammarError(
            phrase("Expected des (START, TRANSITIONS, STATES), got {head}.", head=shown(head)),
            phrase("line {number}", number=number),
        )
    start, transitions, states = map(int, found.groups())
    if start >= states:
        raise GrammarError(
            phrase("The start {start} is not one of {states:,} states.", start=start, states=states),
            phrase("line {number}", number=number),
        )
    reader = SystemReader(states, transitions, memory, f"line {number}")
    labels: dict[str, str] = {}
    for number, line in rows:
        source, label, target = _parts(line)
        if not (source.isdecimal() and target.isdecimal() and len(source) < 20 and len(target) < 20 and label):
            raise GrammarError(
                phrase("Expected (SOURCE, LABEL, TARGET), got {line}.", line=shown(line)),
                phrase("line {number}", number=number),
            )
        text = labels.get(label)
        if text is None:
            text = labels[label] = label_in(label)
        reader.add(int(source), text, int(target), f"line {number}")
    return reader.system(start)


def _parts(line: str) -> tuple[str, str, str]:
    """The source, label and target in a line; empty if they are not there."""
    if line[:1] != "(" or line[-1:] != ")":
        return "", "", ""
    source, _, rest = line[1:-1].partition(",")
    label, _, target = rest.rpartition(",")
    return source.strip(), label.strip(), target.strip()
