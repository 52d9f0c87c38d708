"""Drawings as data: each line of a sheet is an expression over numbers that say what each place shows.

A game writes its drawing once as expressions (its part `looks`), and the numbers of a position as a list of integers.
Python makes a picture of the two, and so does a page that has the expressions as JSON, see `static/instant/looks.js`.

An expression is a text, a tuple of expressions that follow each other, or one of the classes below. A text may have
fields of the place where it is drawn: `{x}`, `{x-20.5}`, `{name}`, and `{x+3.25:1}` with one decimal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from operator import getitem, itemgetter
from typing import Any, TypeAlias, TypeVar

from pentad.drawing import NOTHING, STYLE, bare, ground, lights, opening

Expression: TypeAlias = "str | tuple[Expression, ...] | Number | Pick | Each | At"
Place: TypeAlias = Mapping[str, float | str]
Numbers: TypeAlias = "Sequence[int] | Mapping[int, int]"  # a mapping has those that an expression reads


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A number in digits, the one at `index`."""

    index: int


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """The expression of a table that the number at `index` selects."""

    index: int
    table: Sequence[Expression]


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """The selected expressions of a table: the number at `index` is their count, and the numbers that select follow.

    At most `most` can follow. Instead of a table there may be an expression `At`, drawn at the places that the numbers
    select. `between` is written between two of them, `last` before the last one, and `none` where there are none.
    """

    index: int
    most: int
    table: Sequence[Expression] | At
    between: str = ""
    last: str | None = None
    none: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """An expression drawn at a place: the one that the number at `index` selects, or always the same one, `which`.

    Without `which` it is drawn at every place, one after the other. Within another place it has the fields of both; its
    own ones come first.
    """

    places: Sequence[Place]
    drawn: Expression
    index: int | None = None
    which: int | None = 0


Entry = TypeVar("Entry")


class MadeTable(Sequence[Entry]):
    """A table whose entries are made when they are read first; they read no numbers.

    Its length is `count`. Pages get no more of it, as no game needs the entries after these. So many entries as `kept`
    says are kept, or all.
    """

    def __init__(self, count: int, make: Callable[[int], Entry], *, kept: int | None = None) -> None:
        self._count = count
        self._make = lru_cache(maxsize=kept)(make)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Entry]:
        return map(self._make, range(self._count))

    def __getitem__(self, number: Any) -> Any:
        return self._make(number)


# ── symbols ──────────────────────────────────────────────────────────────────────────────────────


class Coordinate(float):
    """A coordinate that is not known yet: functions that draw something at it make a text with fields.

    >>> x = Coordinate("x")
    >>> f"{x - 20.5:.2f} {x + 3:.1f}"
    '{x-20.5} {x+3:1}'
    """

    __slots__ = ("_away", "_name")
    _name: str
    _away: float

    def __new__(cls, name: str, away: float = 0.0) -> Coordinate:
        made = super().__new__(cls, "nan")
        made._name, made._away = name, away
        return made

    def __add__(self, other: float) -> Coordinate:
        return Coordinate(self._name, self._away + other)

    __radd__ = __add__

    def __sub__(self, other: float) -> Coordinate:
        return Coordinate(self._name, self._away - other)

    def __format__(self, form: str) -> str:
        away = f"{self._away:+}" if self._away else ""
        decimals = "" if form in ("", "g", ".2f") else f":{form.strip('.f')}"
        return f"{{{self._name}{away.removesuffix('.0')}{decimals}}}"

    def __str__(self) -> str:
        return f"{self}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coordinate) and (self._name, self._away) == (other._name, other._away)

    def __hash__(self) -> int:
        return hash((self._name, self._away))

    def _refused(self, *_: object) -> Any:
        raise TypeError("A coordinate that is not known yet can only be moved.")

    __mul__ = __rmul__ = __truediv__ = __rsub__ = __neg__ = __lt__ = __gt__ = __le__ = __ge__ = _refused


def composed(text: str, **parts: Expression) -> Expression:
    """A text whose fields are expressions.

    >>> written(composed("{stone} captures {count}.", stone="K10", count=Number(1)), [0, 2])
    'K10 captures 2.'
    """
    first, *rest = text.split("{")
    return (first, *(each for one in rest for each in (parts[one.partition("}")[0]], one.partition("}")[2])))


_FIELD = re.compile(r"\{([a-z]+)([-+][0-9.e-]+)?(?::([0-9]))?\}")


@lru_cache(maxsize=1 << 14)
def _fields(text: str) -> tuple[str | tuple[str, float, int | None], ...]:
    """A text, split at its fields; each has its name, what is added, and its decimals."""
    parts: list[str | tuple[str, float, int | None]] = []
    at = 0
    for match in _FIELD.finditer(text):
        parts.append(text[at : match.start()])
        parts.append((match[1], float(match[2] or 0), int(match[3]) if match[3] else None))
        at = match.end()
    return (*parts, text[at:])


def filled(text: str, place: Place) -> str:
    """A text with its fields filled.

    >>> filled('<g data-target="{name}"><circle cx="{x-1.5}"/></g>', {"x": 3.25, "name": "A1"})
    '<g data-target="A1"><circle cx="1.75"/></g>'
    """
    return "".join(each if isinstance(each, str) else _value(place[each[0]], *each[1:]) for each in _fields(text))


def _value(value: float | str, away: float, decimals: int | None) -> str:
    if isinstance(value, str):
        return value
    if decimals is not None:
        return f"{value + away:.{decimals}f}"
    return f"{value + away:.2f}".rstrip("0").rstrip(".")


# ── drawings ─────────────────────────────────────────────────────────────────────────────────────


def written(expression: Expression, numbers: Numbers, place: Place | None = None) -> str:
    """The text of an expression."""
    if isinstance(expression, str):
        return expression if place is None else filled(expression, place)
    if isinstance(expression, tuple):
        return "".join(written(each, numbers, place) for each in expression)
    if isinstance(expression, Number):
        return str(numbers[expression.index])
    if isinstance(expression, Pick):
        return written(expression.table[numbers[expression.index]], numbers, place)
    if isinstance(expression, At):
        number = expression.which if expression.index is None else numbers[expression.index]
        several = range(len(expression.places)) if number is None else (number,)
        return "".join(_drawn(expression, each, numbers, place) for each in several)
    first, table = expression.index + 1, expression.table
    chosen = [numbers[each] for each in range(first, first + numbers[expression.index])]
    if isinstance(table, At):
        texts = [_drawn(table, number, numbers, place) for number in chosen]
    else:
        parts = [table[number] for number in chosen]
        texts = [each if type(each) is str and place is None else written(each, numbers, place) for each in parts]
    if not texts:
        return expression.none
    if expression.last is None or len(texts) == 1:
        return expression.between.join(texts)
    return f"{expression.between.join(texts[:-1])}{expression.last}{texts[-1]}"


def _drawn(at: At, number: int, numbers: Numbers, place: Place | None) -> str:
    own = at.places[number]
    return written(at.drawn, numbers, {**place, **own} if place else own)


def parts_of(expression: Expression) -> Iterator[Expression]:
    """An expression and those in it, but for those in made tables."""
    yield expression
    within: Iterable[Expression] = ()
    if isinstance(expression, tuple):
        within = expression
    elif isinstance(expression, Pick | Each):
        table = expression.table
        within = (table,) if isinstance(table, At) else () if isinstance(table, MadeTable) else table
    elif isinstance(expression, At):
        within = (expression.drawn,)
    for each in within:
        yield from parts_of(each)


HEAD = 3  # lines of a sheet before its style: the opening tag, the title and the description
MOST_KNOWN, LONGEST_KEPT = 4096, 20_000  # texts of a line, and the characters of one
MOST_READ = 64  # numbers of a line whose texts are kept; with more of them, they hardly recur


class Sheet:
    """Lines as expressions over the same numbers. Texts of lines are kept, as few of them change with a move.

    A `bare` sheet has no empty lines, and its lines have nothing that only a hand or a screen reader needs.
    """

    def __init__(self, lines: Iterable[Expression], *, bare: bool = False) -> None:
        self.lines = tuple(lines)
        self._bare = bare
        read = [_numbers_read(line) for line in self.lines]
        places = range(len(read))
        fixed, single = ([place for place in places if len(read[place]) == count] for count in (0, 1))
        several = [place for place in places if len(read[place]) > 1]
        self._fixed = [self._text(place, ()) for place in fixed]
        self._single = [_TextsByNumber(partial(self._text, place), *read[place]) for place in single]
        self._keys = _reader(number for place in single for number in read[place])
        self._several = [
            (place, _key_reader(read[place]) if len(read[place]) <= MOST_READ else None, dict[Any, str]())
            for place in several
        ]
        where = {place: at for at, place in enumerate((*fixed, *single, *several))}
        self._in_order = _reader(where[place] for place in places)

    def texts(self, numbers: Sequence[int]) -> list[str]:
        """The lines with these numbers."""
        numbers = tuple(numbers)
        single = map(getitem, self._single, self._keys(numbers))
        found = self._in_order([*self._fixed, *single, *(self._of_several(*each, numbers) for each in self._several)])
        return [text for text in found if text not in ("", NOTHING)] if self._bare else [*found]

    def _of_several(self, place: int, read: _Reader | None, known: dict[Any, str], numbers: Sequence[int]) -> str:
        """A line that reads several numbers."""
        key = read(numbers) if read else None
        if key in known:
            return known[key]
        text = self._text(place, numbers)
        if read and len(text) <= LONGEST_KEPT:
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[key] = text
        return text

    def _text(self, place: int, numbers: Numbers) -> str:
        text = written(self.lines[place], numbers)
        return bare(text) if self._bare and place >= HEAD else text

    def svg(self, numbers: Sequence[int], *, style: bool = False) -> str:
        """The picture with these numbers."""
        lines = self.texts(numbers)
        if style:
            lines.insert(HEAD, f"<style>{STYLE}</style>")
        return "\n".join(lines)


class _TextsByNumber(dict[int, str]):
    """The texts of a line that reads one number, by that number; each is written when it is needed first."""

    def __init__(self, write: Callable[[Numbers], str], index: int) -> None:
        self._write, self._index = write, index

    def __missing__(self, number: int) -> str:
        text = self._write({self._index: number})
        if len(text) <= LONGEST_KEPT:
            self[number] = text
        return text


def _numbers_read(expression: Expression) -> list[int]:
    """The indices of the numbers on which an expression depends."""
    read: set[int] = set()
    for each in parts_of(expression):
        if isinstance(each, Number | Pick) or (isinstance(each, At) and each.index is not None):
            assert each.index is not None
            read.add(each.index)
        elif isinstance(each, Each):
            read.update(range(each.index, each.index + each.most + 1))
    return sorted(read)


_Reader: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]


def _reader(indices: Iterable[int]) -> _Reader:
    """The function that reads the values at some indices."""
    read = tuple(indices)
    if len(read) > 1:
        return itemgetter(*read)
    return lambda values: tuple(values[index] for index in read)


def _key_reader(indices: Sequence[int]) -> _Reader:
    """The function that reads a key of the numbers at some indices, in ascending order; neighbours are read at once."""
    runs = [[index for _, index in run] for _, run in groupby(enumerate(indices), lambda each: each[1] - each[0])]
    return itemgetter(*(run[0] if len(run) == 1 else slice(run[0], run[-1] + 1) for run in runs))


def sheet_of(
    width: float,
    height: float,
    *children: Expression,
    title: Expression,
    description: Expression,
    colours: Iterable[str],
    class_: str = "",
    in_hand: Expression = NOTHING,
    labels: bool = True,
    view: tuple[float, float, float, float] | None = None,
) -> Sheet:
    """The lines of `drawing.sheet` as expressions; `title` and `description` are escaped already.

    `in_hand` is a line by `drawing.piece_in_hand`.
    """
    box = (0, 0, width, height) if labels or view is None else view
    head = (("<title>", title, "</title>"), ("<desc>", description, "</desc>"), lights(tuple(colours), class_))
    around = (in_hand, ground(width, height)) if labels else ()
    return Sheet((opening(box, class_), *head, *around, *children, "</svg>"), bare=not labels)


# ── data for pages ───────────────────────────────────────────────────────────────────────────────


class LookTables:
    """Expressions as JSON. Equal tables and lists of places are written once, in `tables`."""

    def __init__(self) -> None:
        self.tables: list[Any] = []
        self._numbers: dict[int, int] = {}  # by the identity of a table
        self._kept: list[object] = []

    def data(self, expression: Expression) -> Any:
        """An expression as JSON: see `static/instant/looks.js`."""
        if isinstance(expression, str):
            return expression
        if isinstance(expression, tuple):
            return [self.data(each) for each in expression]
        if isinstance(expression, Number):
            return {"number": expression.index}
        if isinstance(expression, Pick):
            return {"pick": expression.index, "of": self._table(expression.table, self.data)}
        if isinstance(expression, At):
            made = {"at": self._table(expression.places, dict), "draw": self.data(expression.drawn)}
            if expression.index is None:
                return made if expression.which == 0 else made | {"which": expression.which}
            return made | {"by": expression.index}
        joined = {"between": expression.between, "last": expression.last, "none": expression.none}
        table = expression.table
        of = self.data(table) if isinstance(table, At) else {"of": self._table(table, self.data)}
        return {"each": expression.index, **of} | {name: text for name, text in joined.items() if text}

    def _table(self, table: Sequence[Any], data: Callable[[Any], Any]) -> int:
        number = self._numbers.get(id(table))
        if number is None:
            made = [data(each) for each in table]
            number = self._numbers[id(table)] = len(self.tables)
            self.tables.append(made)
            self._kept.append(table)  # so that no other table has its identity
        return number
