"""The pictures of the pages with the rules: boards as the package draws them.

`python -m release.rule_pictures` writes them; a test compares them with the drawings.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pentad
from pentad.game import Position

FOLDER = Path(__file__).parent.parent / "docs" / "pictures" / "rules"


class Board(NamedTuple):
    """A position, after a turn or in the middle of one."""

    start: Position
    turn: str = ""
    begun: str = ""


TWIST = pentad.load("pentago ..b.w./.b..../....../...b../..w.b./w..w..")
BRACKET = pentad.load("pente size=9 opening=free 9/9/9/5b3/4b4/3w5/6w2/9/9 0,0")
BOARDS = {
    "pentago-placed": Board(TWIST, begun="c0"),
    "pentago-twisted": Board(TWIST, turn="c0 1C"),
    "pente-bracket": Board(BRACKET),
    "pente-captured": Board(BRACKET, turn="G7"),
    "pentagame-start": Board(pentad.new("pentagame")),
    "pentagame-moved": Board(pentad.new("pentagame"), turn="R>w b:w1g"),
}


def picture(board: Board) -> str:
    """The drawing of a board, on which the turn is marked."""
    start, turn, begun = board
    shown = start.partial(begun) if begun else start.play(turn) if turn else start
    return shown.svg(last=turn or begun or None)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, board in BOARDS.items():
        (FOLDER / f"{name}.svg").write_text(picture(board), encoding="utf-8")
