"""The widget of a board: its traits follow the moves, and the moves follow the touches in the notebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from pentad import drawing
from pentad.game import GameError, Move, Position, game_of, names, read_start
from pentad.play.seats import sit
from pentad.web.notebook.standalone import check, packed
from pentad.web.notebook.turn import Turn

HERE = Path(__file__).parent
AS_TUPLE: dict[str, Any] = {"from_json": lambda value, _: tuple(value)}


class BoardWidget(anywidget.AnyWidget):
    """A board in a notebook, on which one plays.

    `position` is the position as text: setting it shows another position, and playing changes it. `moves` are the
    moves played since it was set, `last` is the last of them and `status` says who is to move, or the result. With a
    `bot` the person has the seat to move at first, and the bot answers for the others. A `standalone` board can be
    played where the notebook is opened without a kernel, by the rules that are stored in it.
    """

    _esm = HERE / "board.js"
    _css = drawing.STYLE + (HERE / "board.css").read_text(encoding="utf-8")

    position = traitlets.Unicode().tag(sync=True)
    flip = traitlets.Bool(False).tag(sync=True)
    moves = traitlets.Tuple(read_only=True).tag(sync=True, **AS_TUPLE)
    last = traitlets.Unicode(read_only=True).tag(sync=True)
    status = traitlets.Unicode(read_only=True).tag(sync=True)
    _drawn = traitlets.Dict().tag(sync=True)  # it is what board.js draws
    _rules = traitlets.Unicode().tag(sync=True)  # what it plays by without a kernel
    _seen = traitlets.Unicode().tag(sync=True)  # the position that it drew last

    def __init__(
        self,
        position: Position | str | None = None,
        *,
        flip: bool = False,
        bot: str | None = None,
        standalone: bool = False,
        **more: Any,
    ) -> None:
        """`position` is a position, its text, or a game with options, `pente size=13`; by default the first game."""
        start = position if isinstance(position, Position) else read_start(position or names()[0])
        self._bot = sit(game_of(start), bot).bot if bot else None
        self._is_standalone = standalone
        self._begin(start)
        super().__init__(position=start.text, flip=flip, **more)
        self._publish_all()
        self.observe(lambda _: self._publish_all(), "flip")
        self.on_msg(self._receive)

    def play(self, move: Move | str) -> None:
        """Plays a move, which the bot answers, if there is one; raises `IllegalMove` with the reason."""
        here = self._turn.position
        self._add(here.parse(move) if isinstance(move, str) else move)
        self._answer()

    def undo(self) -> None:
        """Takes back the last move; with a bot, all moves since the person's last turn."""
        if not self.moves:
            raise GameError("There is no move to take back.")
        self._line.pop()
        while self._bot and len(self._line) > 1 and self._line[-1][0].turn != self._person:
            self._line.pop()
        self._show()

    # ── the line of moves ────────────────────────────────────────────────────────────────────────

    def _begin(self, start: Position) -> None:
        """Starts at a position; the person has the seat to move."""
        self._person = start.turn
        self._line: list[tuple[Position, Move | None]] = [(start, None)]
        self._turn = Turn(start)

    def _add(self, move: Move) -> None:
        self._line.append((self._turn.position.play(move), move))
        self._show()

    def _answer(self) -> None:
        """Plays the bot's moves until it is the person's turn."""
        while self._bot and not (here := self._turn.position).outcome and here.turn != self._person:
            self._add(self._bot.choose(here))

    def _show(self) -> None:
        """Shows the end of the line."""
        here, _ = self._line[-1]
        self._turn = Turn(here)
        with self.hold_sync():
            self.position = here.text
            self._publish()

    def _publish_all(self) -> None:
        """Sets also what the notebook plays by without a kernel."""
        with self.hold_sync():
            self._rules = packed(self._line[0][0], flip=self.flip) if self._is_standalone else ""
            self._publish()

    def _publish(self) -> None:
        """Sets what the notebook shows."""
        turn, (_, last) = self._turn, self._line[-1]
        shown = turn.shown
        with self.hold_sync():
            self.set_trait("moves", tuple(str(move) for _, move in self._line if move is not None))
            self.set_trait("last", "" if last is None else str(last))
            self.set_trait("status", shown.status)
            self._drawn = {
                "svg": shown.svg(last=turn.steps or last, flip=self.flip, style=False),
                "status": shown.status,
                "detail": turn.choices.restriction,  # the status says what to do
                "open": turn.open,
                "touched": list(turn.touched),
                "mayEnd": turn.may_end,
                "hasBegun": turn.has_begun,
                "moves": len(self._line) - 1,
                "position": turn.position.text,
            }

    @traitlets.validate("position")
    def _check_position(self, proposal: Mapping[str, Any]) -> str:
        start = read_start(proposal["value"])
        if self._is_standalone:
            check(start)
        return start.text

    @traitlets.observe("position")
    def _move_to_position(self, change: Mapping[str, Any]) -> None:
        if change["new"] != self._line[-1][0].text:
            self._begin(read_start(change["new"]))
            self._publish_all()

    # ── messages from the notebook ───────────────────────────────────────────────────────────────

    def _receive(self, _: Any, message: Mapping[str, Any], __: Any) -> None:
        """Follows a touch or a button; one that was meant for an earlier position is dropped."""
        if message.get("moves") != len(self._line) - 1:
            return
        match message:
            case {"touch": str(name)}:
                self._finish(self._turn.touch(name))
            case {"act": "end"}:
                self._finish(self._turn.end())
            case {"act": "cancel"}:
                self._finish(None, cancel=True)
            case {"act": "undo"} if self.moves:
                self.undo()

    def _finish(self, move: Move | None, *, cancel: bool = False) -> None:
        if move is not None:
            self._add(move)
            self._answer()
        elif cancel:
            self._show()
        else:
            self._publish()
