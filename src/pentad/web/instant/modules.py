"""What a page runs before Python is there: for each game that has the part `instant`, a module and its description.

The description follows from the arguments of the calls (`pentad.games.instant`): the memory of each array with what it
holds, the block of each call, and where in the package's files the data are. `static/instant/engine.js` reads it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, cast

from pentad.game import game
from pentad.games.instant import AtCall, BotLevel, Call, DataFile, InstantPage
from pentad.kernels.backends import PACKAGE
from pentad.kernels.buffers import KINDS, Buffer
from pentad.kernels.npz import places_in
from pentad.kernels.packing import address
from pentad.kernels.parameters import Parameter, parameter
from pentad.kernels.prebuilt import Signatures
from pentad.kernels.types import Counters
from pentad.system.words import phrase
from pentad.web.instant import engines

Json: TypeAlias = Any
HINT = "hint"  # the level of hints
NUMPY_KINDS = KINDS | {"l": "int64"}


def page_of(name: str) -> InstantPage:
    """What a game gives for pages."""
    return cast(InstantPage, game(name).module(engines.INSTANT).page())


def module_and_description(name: str) -> tuple[bytes, dict[str, Json]]:
    """A game's module, and how a page runs it."""
    page = page_of(name)
    library, signatures = engines.of_page(page.kernels)
    return library, Description(page, signatures).json()


class Description:
    """Numbers the memories of a game's arrays: an array is part of one, and several may share one."""

    def __init__(self, page: InstantPage, signatures: Signatures) -> None:
        self.page = page
        self._parameters = {name: list(map(parameter, each["parameters"].split())) for name, each in signatures.items()}
        self._memories: dict[int, int] = {}  # the number of each, by its address
        self._sizes: list[int] = []
        self._holds: dict[int, list[Json]] = {}
        self._kept: list[Buffer] = []  # all arrays stay alive, so that no address is used twice

    def json(self) -> dict[str, Json]:
        """The description, as `engine.js` reads it."""
        page = self.page
        files = [self._file(each) for each in page.files]
        return {
            "bot": page.bot,
            "levels": {f"{number:g}": level_json(each) for number, each in page.levels.items()}
            | ({HINT: level_json(page.hint)} if page.hint else {}),
            "files": files,
            "calls": {name: self._block(name, call) for name, call in page.calls.items()},
            "arrays": {name: [*self._place(each), kind_of(each), len(each)] for name, each in page.arrays.items()},
            "sizes": self._sizes,
            "holds": self._holds,
        }

    def _file(self, file: DataFile) -> dict[str, Json]:
        """The file's path in the package, its arrays as memory, place in the file and bytes, and the calls after it."""
        places = places_in(file.path)
        return {
            "path": file.path.relative_to(PACKAGE).as_posix(),
            "arrays": [
                [self._place(each, is_filled=True)[0], places[name], each.nbytes] for name, each in file.arrays.items()
            ],
            "calls": [[name, self._block(name, call)] for name, call in file.calls],
        }

    def _block(self, kernel: str, call: Call) -> list[Json]:
        """The words of a call's block: a number or its name, [memory, place in it] for an address."""
        words: list[Json] = []
        arguments = list(flat(call))
        taken = [each for each in self._parameters[kernel] if each.value is None]
        for each, expected in zip(arguments, taken, strict=True):
            if expected.is_array:
                check(each, expected, kernel)
                words += (self._place(each), len(each))
            else:
                number = each.name if isinstance(each, AtCall) else each
                words.append({"float": number} if expected.kind == "float64" else number)
        return words

    def _place(self, array: Any, *, is_filled: bool = False) -> list[int]:
        """The memory of an array and its place there; what it holds is noted, unless it comes with a file."""
        buffer = cast(Buffer, array)
        owner = memoryview(cast(Any, buffer.obj)).cast("B")
        begin = ctypes.addressof(ctypes.c_char.from_buffer(owner))
        number = self._memories.get(begin)
        if number is None:
            number = self._memories[begin] = len(self._sizes)
            self._sizes.append(len(owner))
            self._kept.append(buffer)
            if not is_filled and any(buffer):
                self._holds[number] = [kind_of(buffer), buffer.tolist()]
        return [number, address(buffer) - begin if buffer.nbytes else 0]


def level_json(level: BotLevel) -> dict[str, Json]:
    """A level, without what it does not have."""
    return {
        "numbers": level.numbers,
        **({"lapse": level.lapse, "rate": level.rate} if level.rate else {}),
        **({"until": level.until} if level.until is not None else {}),
    }


def flat(arguments: Iterable[Any]) -> Iterator[Any]:
    """The arrays and numbers of a call, those of records in their place."""
    for each in arguments:
        if isinstance(each, Counters):
            yield each.memory
        elif isinstance(each, tuple) and not isinstance(each, AtCall):
            yield from flat(each)
        else:
            yield each


def kind_of(array: Buffer) -> str:
    """The type of an array's numbers."""
    return NUMPY_KINDS[array.format]


def check(array: Buffer, expected: Parameter, kernel: str) -> None:
    """An array has the type that the kernel declares; the page could not find out."""
    kind = kind_of(array)
    if kind != expected.kind:
        raise TypeError(phrase("{kernel} takes {expected}, not {kind}.", kernel=kernel, expected=expected, kind=kind))
