"""Play as JSON for programs: `pentad play --json` writes one object a line, and reads the lines a person would type.

Every object has `event`:

    start    game, options, position, colours, seats, turn, moves: a game starts
    move     ply, seat, colour, move, words, position, turn: a move was played
    position what, position, turn, ply: the position has changed by undo or redo
    choices  beginning, prompt, may_end, choices (step, label, targets): the choices for the next step of a turn;
             written for `moves`, and when a line had only the first steps of a move
    hint     move, claim: a suggested move and what is proved of it, such as "wins in 3", or null
    message  text: the output of a command
    error    error: why an input line is invalid; nothing has changed
    end      winners, reason, returns, score: the game has ended
    quit     kept: the name for `pentad play --resume NAME`, or null

`turn` is the seat to move, counted from 0, or null after the end. After `end` the program continues to read lines,
for `undo` and `new`, until the input ends or a line says `quit`; with bots at all seats it quits by itself.
"""

from __future__ import annotations

import json
from typing import Any

from pentad.game import Choices, Outcome
from pentad.play.table import Hint
from pentad.record import Node
from pentad.terminal.session import Display, Session, before_move


class JsonLines(Display):
    """A display of JSON objects, one a line."""

    def _emit(self, event: str, **about: Any) -> None:
        print(json.dumps({"event": event, **about}, ensure_ascii=True), flush=True)

    def game_started(self, session: Session) -> None:
        table = session.table
        seats = range(table.position.players)
        self._emit(
            "start",
            game=table.game.name,
            options=dict(table.position.options),
            position=table.position.text,
            colours=[table.position.colour_of(seat) for seat in seats],
            seats=[seat.who for seat in table.seats],
            turn=table.seat,
            moves=list(map(str, table.record.moves)),
        )

    def move_played(self, session: Session, node: Node) -> None:
        assert node.move is not None
        before = before_move(node)
        self._emit(
            "move",
            ply=before.ply + 1,
            seat=before.turn,
            colour=before.colour_of(before.turn),
            move=str(node.move),
            words=before.describe(node.move),
            position=node.position.text,
            turn=session.table.seat,
        )

    def position_changed(self, session: Session, what: str) -> None:
        table = session.table
        self._emit("position", what=what, position=table.position.text, turn=table.seat, ply=table.position.ply)

    def show_choices(self, session: Session, beginning: str, choices: Choices) -> None:
        steps = [{"step": str(each), "label": each.label, "targets": list(each.targets)} for each in choices]
        self._emit("choices", beginning=beginning, prompt=choices.prompt, may_end=choices.may_end, choices=steps)

    def show_hint(self, session: Session, hint: Hint) -> None:
        self._emit("hint", move=str(hint.move), claim=hint.claim or None)

    def show_board(self, session: Session) -> None:
        self._emit("message", text="\n".join(session.board))

    def show_message(self, session: Session, text: str) -> None:
        self._emit("message", text=text)

    def show_error(self, session: Session, message: str) -> None:
        self._emit("error", error=message)

    def game_ended(self, session: Session, outcome: Outcome) -> None:
        winners, returns = list(outcome.winners), list(outcome.returns)
        self._emit("end", winners=winners, reason=outcome.reason, returns=returns, score=outcome.score)

    def session_ended(self, session: Session) -> None:
        self._emit("quit", kept=session.saved_as)
