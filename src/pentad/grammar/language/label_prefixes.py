"""Lenient reading of labels: their prefixes (`new:`, `use=e:`, `type:`, `let:` …) and the text after them."""

from __future__ import annotations

import re
from dataclasses import dataclass

READER, ERASER, CREATOR, EMBARGO, ADDER, REMARK = "use", "del", "new", "not", "cnew", "rem"
ROLES = (READER, ERASER, CREATOR, EMBARGO, ADDER, REMARK)
QUANTIFIERS = ("forall", "forallx", "exists", "existsx")
SORTS = ("int", "real", "string", "bool")
PARAMETERS = {"par": "", "parin": "in", "parout": "out", "ask": "ask"}

# Prefixes that give the kind of the text after them.
KINDS = ("type", "flag", "path", "let", "letnew", "test", "id", "prod", "arg", "edge", "color", *SORTS, *PARAMETERS)
# Prefixes of type graphs.
TYPING = ("abs", "sub", "in", "out", "part", "unique", "singular")

_PREFIX = re.compile(r"([A-Za-z]+)(?:=([^:\s=\"']*))?:")


@dataclass(frozen=True, slots=True)
class Label:
    """A label in its parts. `level` names a quantifier; `kind` is empty for the label of an edge."""

    role: str = ""
    level: str = ""
    kind: str = ""
    text: str = ""
    also: tuple[tuple[str, str], ...] = ()  # prefixes of type graphs, with their values
    literal: bool = False  # whether the text is taken literally

    @property
    def is_bare(self) -> bool:
        """Whether no text follows the prefixes: the label is about the node as a whole."""
        return not self.text and self.kind == ""


def take_apart(label: str) -> Label:
    """The parts of a label; unknown prefixes are text.

    >>> take_apart("use=e:marble")
    Label(role='use', level='e', kind='', text='marble', also=(), literal=False)
    >>> take_apart("new:type:Player").kind
    'type'
    """
    role = level = kind = ""
    also: list[tuple[str, str]] = []
    rest, literal = label, False
    while not kind:
        if rest.startswith(":"):
            rest, literal = rest[1:], True
            break
        found = _PREFIX.match(rest)
        if not found:
            break
        name, value = found[1], found[2] or ""
        if (name in ROLES and not role) or (name in QUANTIFIERS and not role):
            role, level = name, value
        elif name == "nested":  # before the labels of quantifiers' edges; redundant
            pass
        elif name in TYPING:
            also.append((name, value))
        elif name in KINDS:
            kind = name
            if value:
                also.append((name, value))
        else:
            break
        rest = rest[found.end() :]
    return Label(
        role, level, kind, rest.strip() if kind in ("let", "letnew", "test", "path") else rest, tuple(also), literal
    )
