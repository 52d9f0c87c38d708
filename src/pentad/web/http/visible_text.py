"""Visible text: names and chat messages as one line of visible characters.

Unicode has invisible characters: format controls, fillers, variation selectors, marks without a letter. Alone they make
a name empty, or make it look like another one. Some of them belong to correct writing: joiners in Arabic and Indic
scripts and in emoji of several people, selectors after emoji and ideographs, tags in flags. They stay where they have
an effect, and are removed elsewhere.
"""

from __future__ import annotations

import re
import unicodedata

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")  # invisible letters and signs
_JOINERS = frozenset("\u034f\u200c\u200d")
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_IGNORED_MARKS = frozenset("\u17b4\u17b5\U00016fe4")
# Number signs are invisible by their category, but are drawn.
_VISIBLE_CONTROLS = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")
_EMOJI = re.compile("[\U0001f000-\U0001faff]")  # including later ones, which Python does not know yet
_CASED = frozenset(("Lu", "Ll", "Lt"))  # never joined, and without variants
_JOINED = frozenset(("Lo", "Lm", "Mn", "Mc", "Me", "So", "Sk"))
# A regional flag is a black flag with tags that spell its name; any other part is one character.
_PARTS = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f|.", re.DOTALL)


def visible(text: str) -> str:
    """A text as one line of visible characters, without anything that reverses, moves or hides text.

    >>> visible("Ada\\n\\u202eLovelace\\ufe0f"), visible("\\u034f\\ufe0f"), len(visible("e\\u0308"))
    ('Ada Lovelace', '', 2)
    """
    shown: list[str] = []
    joiner = ""  # kept if a character follows that it can join
    for part in _PARTS.findall(text):
        kind, last = _kind(part), shown[-1][-1] if shown else " "
        if part in _JOINERS:
            joiner = joiner or (part if _kind(last) in _JOINED else "")
        elif _SELECTORS.match(part):
            if last != " " and _kind(last) not in _CASED and not _SELECTORS.match(last):
                shown.append(part)
        elif part in _BLANK or kind in ("Cc", "Cs", "Co", "Cn") or kind[0] == "Z":
            shown.append(" ")
            joiner = ""
        elif part in _IGNORED_MARKS or (kind == "Cf" and not _VISIBLE_CONTROLS.match(part)):
            continue
        elif kind[0] != "M" or last != " ":  # a mark needs a base
            shown.append(joiner + part if kind in _JOINED else part)
            joiner = ""
    return " ".join("".join(shown).split())


def _kind(part: str) -> str:
    """The general category of a character."""
    return "So" if _EMOJI.match(part) and unicodedata.category(part[0]) == "Cn" else unicodedata.category(part[0])
