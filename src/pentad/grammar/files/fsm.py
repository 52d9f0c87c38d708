"""Transition systems in mCRL2's FSM format: writer and reader.

The file has three parts, separated by `---`: parameters with their values, such as `final(2) Bool "false" "true"`; for
each state a line with the index of its value of each parameter; and the transitions, `1 2 "go(n1)"`, with states from 1
on. The first state is the start. The marks of states are the parameters `final`, `open` and `broken`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pentad.game import shown
from pentad.grammar.files.lts_reader import SystemReader, label_in, label_text
from pentad.grammar.graph import GrammarError
from pentad.grammar.lts import Lts
from pentad.system.words import phrase

END_OF_PART = "---"
_PARAMETER = re.compile(r'([^\s"()]+)\s*\(\s*([0-9]{1,9})\s*\)([^"]*)((?:\s*"[^"]*")*)\s*')
_TRUE = ("false", "true")


def write(lts: Lts) -> Iterator[str]:
    """The lines of a system."""
    broken = {rules: number for number, rules in enumerate(dict.fromkeys(lts.broken.values()), 1)}
    yield 'final(2) Bool "false" "true"\n'
    if lts.open:
        yield 'open(2) Bool "false" "true"\n'
    if broken:
        names = " ".join(label_text(",".join(rules)) for rules in broken)
        yield f'broken({len(broken) + 1}) String "" {names}\n'
    yield f"{END_OF_PART}\n"
    for state in range(lts.states):
        values = [int(state in lts.final)]
        values += [int(state in lts.open)] if lts.open else []
        values += [broken[lts.broken[state]] if state in lts.broken else 0] if broken else []
        yield f"{' '.join(map(str, values))}\n"
    yield f"{END_OF_PART}\n"
    labels = [label_text(text) for text in lts.texts]
    for source, action, target in lts.rows:
        yield f"{source + 1} {target + 1} {labels[action]}\n"


def read(lines: Iterable[str], memory: int | None = None) -> Lts:
    r"""Reads a system; parameters other than the marks of states are ignored.

    >>> lts = read(['n(2) Nat "1" "2"\n', "---\n", "0\n", "1\n", "---\n", '1 2 "up"\n', '2 1 "down"\n'])
    >>> lts.states, [(each.source, each.action, each.target) for each in lts]
    (2, [(0, 'up', 1), (1, 'down', 0)])
    """
    rows = ((number, line.strip()) for number, line in enumerate(lines, 1))
    marks = {name: (place, values) for place, (name, values) in enumerate(_parameters(rows))}
    final, opens = (marks[name][0] if name in marks and marks[name][1] == _TRUE else None for name in ("final", "open"))
    broken, names = marks.get("broken", (None, ()))
    reader, states = SystemReader(None, None, memory), 0
    lts = reader.lts
    for number, line in rows:
        if line == END_OF_PART:
            break
        values = line.split()
        if not all(map(_is_number, values)):
            raise GrammarError(
                phrase("Expected the values of a state, got {line}.", line=shown(line)),
                phrase("line {number}", number=number),
            )
        for place, those in ((final, lts.final), (opens, lts.open)):
            if place is not None and place < len(values) and values[place] == "1":
                those.add(states)
        if broken is not None and broken < len(values) and 0 < int(values[broken]) < len(names):
            lts.broken[states] = tuple(names[int(values[broken])].split(","))
        states += 1
    else:
        raise GrammarError(phrase("The file is incomplete: it has no second {end}.", end=END_OF_PART))
    if not states:
        raise GrammarError("The system has no states.")
    reader.has_states(states)
    for number, line in rows:
        if not line:
            continue
        source, target, label = [*line.split(None, 2), "", "", ""][:3]
        if not (_is_number(source) and _is_number(target) and label):
            raise GrammarError(
                phrase("Expected SOURCE TARGET LABEL, got {line}.", line=shown(line)),
                phrase("line {number}", number=number),
            )
        reader.add(int(source) - 1, label_in(label), int(target) - 1, f"line {number}")
    return reader.system(0)


def _parameters(rows: Iterator[tuple[int, str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names and values of the parameters."""
    for number, line in rows:
        if line == END_OF_PART:
            return
        found = _PARAMETER.fullmatch(line)
        if found is None and line:
            raise GrammarError(
                phrase("Expected a parameter or {end}, got {line}.", end=END_OF_PART, line=shown(line)),
                phrase("line {number}", number=number),
            )
        if found is not None and found[2] != "0":
            yield found[1], tuple(re.findall('"([^"]*)"', found[4]))
    raise GrammarError(phrase("The file is incomplete: it has no {end}.", end=END_OF_PART))


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 12
