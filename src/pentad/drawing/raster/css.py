"""Drawings without a style sheet: every element gets its look as attributes.

Browsers alone know all of the style sheet of our drawings. Other programs that show SVG know no variables, and many of
them no style sheet at all. This module reads the part of CSS that our own style sheets use, and nothing else:
selectors by class and by name with `:is()` and `:not()`, and variables. Rules for dark pages are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree

from pentad import drawing
from pentad.system.words import phrase

SVG = "http://www.w3.org/2000/svg"
LEFT_OUT = ("pointer-events", "max-width", "height")  # properties that do not matter in a picture

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DARK_PAGES = re.compile(r"@media \(prefers-color-scheme: dark\) \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMA = re.compile(r",(?![^(]*\))")
_IS = re.compile(r":is\(([^()]*)\)")
_COMPOUND = re.compile(r"(?:[a-z]+|(?:\.[\w-]+|:not\(\.[\w-]+\))+)")
_CLASS = re.compile(r"(:not\()?\.([\w-]+)")
_VARIABLE = re.compile(r"var\((--[\w-]+)(?:, *((?:[^()]|\([^()]*\))*))?\)")


class CompoundSelector(NamedTuple):
    """The classes that an element must have, and those that it must not have."""

    has: frozenset[str]
    lacks: frozenset[str]

    def fits(self, classes: frozenset[str]) -> bool:
        """Whether an element with these classes is meant."""
        return self.has <= classes and not self.lacks & classes


class StyleRule(NamedTuple):
    """Properties of the elements that a selector means: the last compound is theirs, those before their ancestors'."""

    selector: tuple[CompoundSelector, ...]
    properties: Mapping[str, str]

    @property
    def weight(self) -> int:
        """What decides between rules for one element; of two with the same weight the later one does."""
        classes = (name for each in self.selector for name in (*each.has, *each.lacks))
        return sum(not name.startswith("<") for name in classes)

    def fits(self, path: tuple[frozenset[str], ...]) -> bool:
        """Whether the last element of a path is meant; a path has the classes of the elements from the root."""
        *before, last = self.selector
        if not last.fits(path[-1]):
            return False
        above = iter(path[:-1])
        return all(any(compound.fits(classes) for classes in above) for compound in before)


def rules(css: str) -> list[StyleRule]:
    """The rules of a style sheet for light pages, the weaker ones first; `ValueError` for what is not understood.

    >>> [rule.properties for rule in rules(".a { fill: red; } .a:not(.b) { fill: blue; } .c { fill: lime; }")]
    [{'fill': 'red'}, {'fill': 'lime'}, {'fill': 'blue'}]
    """
    text = _DARK_PAGES.sub("", _COMMENT.sub("", css))
    if rest := _RULE.sub("", text).strip():
        raise ValueError(phrase("Cannot read this part of a style sheet: {rest}", rest=rest))
    found = list[StyleRule]()
    for selectors, body in _RULE.findall(text):
        properties = dict(_declaration(each) for each in body.split(";") if each.strip())
        found += [
            StyleRule(tuple(map(_compound, selector.split())), properties)
            for selector in _alternatives(selectors.strip())
            if not selector.startswith(":root[data-theme=")  # pages have a theme, pictures none
        ]
    return sorted(found, key=lambda rule: rule.weight)


def _declaration(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon:
        raise ValueError(phrase("Cannot read this declaration: {text}", text=text.strip()))
    return name.strip(), value.strip()


def _alternatives(selectors: str) -> Iterator[str]:
    """The selectors of a list, without `:is()`."""
    for selector in map(str.strip, _COMMA.split(selectors)):
        found = _IS.search(selector)
        if found is None:
            yield selector
            continue
        for choice in found[1].split(","):
            yield from _alternatives(selector[: found.start()] + choice.strip() + selector[found.end() :])


def _compound(text: str) -> CompoundSelector:
    if not _COMPOUND.fullmatch(text):
        raise ValueError(phrase("Cannot read this selector: {text}", text=text))
    if text.isalpha():
        return CompoundSelector(frozenset([_named(text)]), frozenset())
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for lacks, name in _CLASS.findall(text):
        names[bool(lacks)].add(name)
    return CompoundSelector(frozenset(names[False]), frozenset(names[True]))


def _named(element: str) -> str:
    """What stands for an element's name among its classes."""
    return f"<{element}>"


_Path = tuple[frozenset[str], ...]


class StyleSheet:
    """A style sheet, with the properties of the elements that were looked up."""

    def __init__(self, css: str) -> None:
        self._rules = rules(css)
        self._known: dict[_Path, dict[str, str]] = {}

    def properties(self, path: _Path) -> dict[str, str]:
        """The properties of an element by the classes of its ancestors and its own."""
        if path not in self._known:
            merged: dict[str, str] = {}
            for rule in self._rules:
                if rule.fits(path):
                    merged |= rule.properties
            self._known[path] = merged
        return self._known[path]


@cache
def _style(css: str) -> StyleSheet:
    return StyleSheet(drawing.STYLE + css)


def plain(svg: str, css: str = "") -> str:
    """One of our drawings with attributes in the place of its style sheet and its classes.

    It is as on a light page. `css` is a style sheet beyond that of all drawings. What only pages use is left out: the
    names of targets, and the piece in hand.
    """
    root = ElementTree.fromstring(svg)
    style = _style(css)

    def walk(element: ElementTree.Element, above: _Path, inherited: Mapping[str, str]) -> None:
        name = _named(element.tag.removeprefix(f"{{{SVG}}}"))
        path = (*above, frozenset([name, *element.attrib.pop("class", "").split()]))
        properties, variables = style.properties(path), dict(inherited)
        for name, value in properties.items():
            if name.startswith("--"):
                variables[name] = _resolved(value, variables)
        for name, value in properties.items():
            if not name.startswith("--") and name not in LEFT_OUT:
                element.set(name, "none" if value == "transparent" else _resolved(value, variables))
        for name in [name for name in element.attrib if name.startswith(("data-", "aria-"))]:
            del element.attrib[name]
        for child in list(element):
            if _is_left_out(child, is_top=not above):
                element.remove(child)
            else:
                walk(child, path, variables)

    walk(root, (), {})
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _resolved(value: str, variables: Mapping[str, str]) -> str:
    """A value with those of its variables, or with what it names instead where there is none."""
    while found := _VARIABLE.search(value):
        instead = variables.get(found[1], found[2])
        if instead is None:
            raise ValueError(phrase("No value for {found}.", found=found[1]))
        value = value[: found.start()] + instead + value[found.end() :]
    return value


def _is_left_out(element: ElementTree.Element, *, is_top: bool) -> bool:
    """Whether an element shows nothing in a picture: styles, targets' titles, and what has no part or content."""
    name = element.tag.removeprefix(f"{{{SVG}}}")
    if name == "style" or (name == "title" and not is_top):
        return True
    if name == "defs" and element.get("class") == "next":
        return True
    return name == "g" and not len(element)
