"""Standard positions: of all positions that a symmetry of the board maps to each other, one stands for all.

It has the key of them all, and its moves are the names of their moves.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import cached_property
from hashlib import blake2b

from pentad.game import Move, Position, Symmetry


class StandardPosition:
    """The standard position of a position, and the names of its moves there.

    >>> from pentad import new
    >>> one, other = (StandardPosition(new("pentago").play(move)) for move in ("b1 1A", "b4 1C"))
    >>> one.key == other.key != StandardPosition(new("pentago")).key
    True
    >>> str(other.move(one.name(new("pentago").parse("a0 2C"))))
    'a5 1A'
    """

    def __init__(self, position: Position) -> None:
        self._here = position
        images = [(image.text, image, each) for each in position.symmetries for image in [each.position(position)]]
        text, self._position, _ = min(images, key=lambda image: image[0], default=(position.text, position, None))
        self._there = [each for image, _, each in images if image == text]
        self.key = urlsafe_b64encode(blake2b(text.encode(), digest_size=9).digest()).decode()

    @cached_property
    def _back(self) -> list[Symmetry]:
        """The symmetries that map the standard position to this one."""
        return [each for each in self._position.symmetries if each.position(self._position) == self._here]

    def name(self, move: Move) -> str:
        """The name of a move of this position; moves that a symmetry of the position exchanges share it."""
        return min((str(each.move(move)) for each in self._there), default=str(move))

    def move(self, name: str) -> Move:
        """The move of this position with a name, the first one of several."""
        there = self._position.parse(name)
        found = min((str(each.move(there)) for each in self._back), default=name)
        return self._here.parse(found)
