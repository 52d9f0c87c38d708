"""A board in a notebook, on which one plays: `from pentad.web.notebook import BoardWidget`. It needs anywidget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pentad.system.extras import needs
from pentad.system.words import phrase

if TYPE_CHECKING:
    from pentad.web.notebook.widget import BoardWidget as BoardWidget

__all__ = ["BoardWidget"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(phrase("Module {name} has no attribute {attribute}.", name=__name__, attribute=name))
    with needs("notebook"):
        from pentad.web.notebook import widget

    return getattr(widget, name)
