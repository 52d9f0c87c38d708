"""What the Play page of a server plays with while it waits: the rules of each game, its drawing and its words."""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

from pentad.game import game, names
from pentad.games.instant import rules_page
from pentad.web.instant import drawings, engines, modules

FOLDER = "rules/"  # of these files among those of the pages


@cache
def files() -> dict[str, bytes]:
    """A file for each game, `null` for one whose rules are not compiled for pages; and its flipped drawing."""
    found = {name: _rules(name) for name in names()}
    flipped = {f"{name}-flipped": drawings.flipped(name) for name, rules in found.items() if rules}
    return {f"{FOLDER}{name}.json": drawings.as_json(data) for name, data in (found | flipped).items()}


def _rules(name: str) -> dict[str, Any] | None:
    page = rules_page(game(name).new()) if name in drawings.covered() else None
    library = page and engines.rules_of_page(page.kernels)
    if not page or not library:
        return None
    module, signatures = library
    return {
        "start": page.start.text,
        "room": drawings.drawn(page.start),
        "engine": modules.Description(page, signatures).json(),
        "module": base64.b64encode(module).decode(),
    }
