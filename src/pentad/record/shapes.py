"""Shapes: arrows and circles that people draw on the board, and their commands in comments.

A comment may begin with `[%csl Ga2,Rf5]`, circles, and `[%cal Ba2>c3]`, arrows: a letter for the colour and the
names of places on the board, in which commas may stand only within brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from pentad.game import GameError, shorten

COLOURS = {"G": "green", "R": "red", "B": "blue", "Y": "yellow"}
MAX_SHAPES = 100

_PLACE = r"(?:[^\[\]{}<>,\s]|\[[^\[\]{}<>\s]{0,20}\]|(?<=\S) (?=\S)){1,24}?"
_SHAPE = re.compile(rf"([GRBY])({_PLACE})(?:>({_PLACE}))?")
_COMMAND = re.compile(r"\[%(csl|cal) ((?:[^\[\]]|\[[^\[\]]*\])*)\] ?")
_COMMA = re.compile(r",(?![^\[\]]*\])")


class Shape(NamedTuple):
    """A circle around a place of the board, or an arrow from there to another.

    >>> Shape.read("Ga2>c3")
    Shape(colour='G', place='a2', to='c3')
    >>> str(Shape("R", "f5"))
    'Rf5'
    """

    colour: str
    place: str
    to: str = ""

    def __str__(self) -> str:
        return f"{self.colour}{self.place}>{self.to}" if self.to else f"{self.colour}{self.place}"

    @classmethod
    def read(cls, text: str) -> Shape:
        """The shape of a text."""
        found = _SHAPE.fullmatch(text)
        if not found or found[2] == found[3]:
            raise GameError(
                "Expected a circle such as Ga2 or an arrow such as Ga2>c3, in a colour of {colours}; got {text}.",
                colours=", ".join(COLOURS),
                text=shorten(repr(text), 30),
            )
        return cls(found[1], found[2], found[3] or "")

    @classmethod
    def read_all(cls, texts: Iterable[str]) -> tuple[Shape, ...]:
        """The shapes of several texts."""
        shapes = tuple(map(cls.read, texts))
        if len(shapes) > MAX_SHAPES:
            raise GameError(
                "Expected at most {most} circles and arrows, got {count}.", most=MAX_SHAPES, count=len(shapes)
            )
        return shapes


def commands(shapes: Iterable[Shape]) -> list[str]:
    """The commands of a comment for shapes."""
    circles, arrows = list[str](), list[str]()
    for shape in shapes:
        (arrows if shape.to else circles).append(str(shape))
    return [f"[%{name} {','.join(each)}]" for name, each in (("csl", circles), ("cal", arrows)) if each]


def take_command(text: str) -> tuple[tuple[Shape, ...], str] | None:
    """The shapes of the command with which a comment begins, and the rest; None if it begins with no valid one."""
    found = _COMMAND.match(text)
    if not found:
        return None
    try:
        shapes = Shape.read_all(_COMMA.split(found[2]))
    except GameError:
        return None
    if any(bool(each.to) != (found[1] == "cal") for each in shapes):
        return None
    return shapes, text[found.end() :]


def commented(shapes: Iterable[Shape], comment: str) -> str:
    """A comment with its shapes, for formats that have no place of their own for them."""
    return " ".join(filter(None, [*commands(shapes), comment]))


def take_all(comment: str) -> tuple[tuple[Shape, ...], str]:
    """The shapes with which a comment begins, and the comment."""
    shapes: tuple[Shape, ...] = ()
    while found := take_command(comment):
        more, comment = found
        shapes += more
    return shapes, comment
