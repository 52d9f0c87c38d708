"""Tells whoever started this process that kernels are being prepared, and how far that is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from pentad import kernel

Tell = Callable[[str, float | None], None]  # what for, and the share that is done if it is known; "" when it is over


def listen(tell: Tell) -> None:
    """Have it told from now on; before any engine is imported, since engines import what they call here."""
    loaded: set[str] = set()

    def telling(do: Callable[[str], Any]) -> Callable[[str], Any]:
        @wraps(do)
        def done(name: str) -> Any:
            if name in loaded:
                return do(name)
            tell(game_of(name), None)
            try:
                result = do(name)
            finally:
                tell("", None)
            loaded.add(name)
            return result

        return done

    class Waiting(kernel.Waiting):
        """A bar that nobody sees: what it would show is told."""

        def __init__(self, name: str) -> None:
            super().__init__(name)
            self.shown = False
            self.game = game_of(name)

        def tell(self, done: int, of: int) -> None:
            super().tell(done, of)
            tell(self.game, done / max(of, 1))

    setattr(kernel, "prepare", telling(kernel.prepare))  # noqa: B010 - kernel has no other way to be listened to
    setattr(kernel, "keep", telling(kernel.keep))  # noqa: B010
    setattr(kernel, "Waiting", Waiting)  # noqa: B010


def game_of(name: str) -> str:
    """The game whose engine a module of kernels belongs to.

    >>> game_of("pentad.pente.engine.engine")
    'pente'
    """
    return name.removeprefix("pentad.").split(".")[0]
