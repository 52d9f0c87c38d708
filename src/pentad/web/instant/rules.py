"""What pages play with while there is no Python: the rules of a game, its drawing and its words."""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

from pentad.game import Position, game, names
from pentad.games.instant import rules_page
from pentad.web.instant import drawings, engines, modules

FOLDER = "rules/"  # of these files among those of the pages


@cache
def files() -> dict[str, bytes]:
    """Files of a server's Play page: each game's rules, `null` where they are not compiled, and flipped drawing."""
    covered = drawings.covered()
    found = {name: of_position(game(name).new()) if name in covered else None for name in names()}
    flipped = {f"{name}-flipped": drawings.flipped(name) for name, rules in found.items() if rules}
    return {f"{FOLDER}{name}.json": drawings.as_json(data) for name, data in (found | flipped).items()}


def of_position(start: Position, *, flip: bool = False) -> dict[str, Any] | None:
    """The rules of games from a position, and its drawing from a side; None where they are not compiled for pages."""
    page = rules_page(start)
    library = engines.rules_of_page(page.kernels)
    if not library:
        return None
    module, signatures = library
    return {
        "start": start.text,
        "room": drawings.drawn(start, flip=flip),
        "engine": modules.Description(page, signatures).json(),
        "module": base64.b64encode(module).decode(),
    }
