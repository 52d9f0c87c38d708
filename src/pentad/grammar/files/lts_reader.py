"""What the readers of transition systems share: labels with arguments, columns of transitions, limits."""

from __future__ import annotations

import re
from array import array

from pentad.grammar.graph import GrammarError
from pentad.grammar.language.values import quoted
from pentad.grammar.lts import FINAL, OPEN, START, Lts
from pentad.system.memory import all_memory, free_memory
from pentad.system.words import amount, phrase

BYTES_PER_STATE, BYTES_PER_TRANSITION = 24, 22  # a system is read and then searched in memory
MOST_STATES = (1 << 31) - 2
_CALL = re.compile(r'([^\s()",\']+)\((.*)\)', re.DOTALL)
_SIGNS = re.compile(r'"(?:[^"\\]|\\.)*"?|[()\[\]{},]', re.DOTALL)
_ESCAPED = re.compile(r'\\([nr"\\])')
_ESCAPES = {"n": "\n", "r": "\r", '"': '"', "\\": "\\"}
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def action_of(text: str) -> tuple[str, tuple[str, ...]]:
    """A label as an action with arguments, if it is one; otherwise the whole label is the name.

    >>> action_of('say(n1,"a, b",f(x,y))'), action_of("GET !1"), action_of("f(x)g(y)")
    (('say', ('n1', '"a, b"', 'f(x,y)')), ('GET !1', ()), ('f(x)g(y)', ()))
    """
    found = _CALL.fullmatch(text)
    inside = found[2] if found else ""
    begin, depth, arguments = 0, 0, []
    for sign in _SIGNS.finditer(inside):
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if depth < 0:
            return text, ()
        if sign[0] == "," and depth == 0:
            arguments.append(inside[begin : sign.start()])
            begin = sign.end()
    return (found[1], (*arguments, inside[begin:])) if found else (text, ())


def label_text(text: str) -> str:
    """A label in quotes, on one line."""
    return quoted(text).replace("\n", "\\n").replace("\r", "\\r")


def label_in(text: str) -> str:
    """A label without its quotes, if it has some."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    return _ESCAPED.sub(lambda sign: _ESCAPES[sign[1]], text[1:-1])


def check_size(states: int, transitions: int, memory: int | None, where: str) -> None:
    """Raises an error if a system may need more than these bytes of memory."""
    limit = min(all_memory() // 2, free_memory()) if memory is None else memory
    if states > MOST_STATES or BYTES_PER_STATE * states + BYTES_PER_TRANSITION * transitions > limit:
        raise GrammarError(
            phrase(
                "{states:,} states and {transitions:,} transitions are too many for the memory limit of {limit}.",
                states=states,
                transitions=transitions,
                limit=amount(limit),
            ),
            where,
        )


class SystemReader:
    """Collects the transitions of a system; errors name what is wrong and, if it is known, where.

    Numbers of states and transitions that the file tells are checked, and they are limited by `memory`, in bytes.
    """

    def __init__(self, states: int | None, transitions: int | None, memory: int | None, where: str = "") -> None:
        self._transitions, self._memory, self._read = transitions, memory, 0
        self.lts = Lts(sources=array("i"), actions=array("i"), targets=array("i"))
        self._marked: dict[str, set[int]] = {START: set(), FINAL: self.lts.final, OPEN: self.lts.open}
        self._numbers: dict[str, int] = {}
        self._checked = transitions or 0
        check_size(states or 0, self._checked, memory, where)
        self.lts.states = states or 0

    def has_states(self, count: int) -> None:
        """Sets the number of states."""
        check_size(count, 0, self._memory, "")
        self.lts.states = count

    def add(self, source: int, text: str, target: int, where: str) -> None:
        """Adds a transition; a loop with a mark of GROOVE's marks the state."""
        lts = self.lts
        for state in (source, target):
            if not 0 <= state < lts.states:
                raise GrammarError(
                    phrase("State {state} is not one of {states:,} states.", state=state, states=lts.states), where
                )
        self._read += 1
        if self._read > self._checked:
            self._checked = 2 * self._read
            check_size(lts.states, self._checked, self._memory, where)
        if source == target and text in self._marked:
            self._marked[text].add(source)
            return
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(lts.labels)
            lts.labels.append(action_of(text))
        lts.add(source, number, target)

    def system(self, start: int | None = None) -> Lts:
        """The system; its start becomes state 0, and that state gets the start's number."""
        lts = self.lts
        if self._transitions is not None and self._read != self._transitions:
            raise GrammarError(
                phrase(
                    "The file is incomplete: it has {read:,} of {transitions:,} transitions.",
                    read=self._read,
                    transitions=self._transitions,
                )
            )
        if start is None:
            starts = sorted(self._marked[START])
            if len(starts) > 1:
                raise GrammarError(phrase("The system has {count:,} start states. Expected one.", count=len(starts)))
            start = starts[0] if starts else 0
        if start:
            exchange = {start: 0, 0: start}
            lts.sources, lts.targets = (
                array("i", (exchange.get(state, state) for state in column)) for column in (lts.sources, lts.targets)
            )
            for those in (lts.final, lts.open):
                moved = {exchange[state] for state in exchange if state in those}
                those.difference_update(exchange)
                those.update(moved)
        return lts
