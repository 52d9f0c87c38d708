"""A game as JSON for programs: `pentad play --json` writes one object a line, and reads what a person would type.

Every object has `event`:

    start    game, options, position, colours, seats, turn, moves: a game has come to the table
    move     ply, seat, colour, move, words, position, turn
    position what, position, turn, ply: moves were taken back or played again
    choices  beginning, prompt, may_end, choices (step, label, targets): what may come next of a turn; asked
             for by `moves`, or told when a line was only the beginning of a move
    hint     move, claim: what is proved of it, such as "wins in 3", or null
    message  text: what a command has to say
    error    error: a line that cannot be followed; nothing has changed
    end      winners, reason, returns, score: the game has ended
    quit     kept: the name under which `pentad play --resume NAME` goes on with the game, or null

`turn` is the seat to move, counted from 0, or null after the end. After `end` the program goes on reading,
for `undo` and `new`, until its input ends or says `quit`; with bots at all seats it quits by itself.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pentad.game import Choices, Outcome
from pentad.play.table import Hint
from pentad.record import Node
from pentad.terminal import event_text
from pentad.terminal.display import Display
from pentad.terminal.plain_text import read_line

if TYPE_CHECKING:
    from pentad.terminal.session import Session


class JsonLines(Display):
    """Says what happens, an object each."""

    def _tell(self, event: str, **about: Any) -> None:
        print(json.dumps({"event": event, **about}, ensure_ascii=True), flush=True)

    def begin(self, session: Session) -> None:
        table = session.table
        seats = range(table.position.players)
        self._tell(
            "start",
            game=table.game.name,
            options=dict(table.position.options),
            position=table.position.text,
            colours=[table.position.colour_of(seat) for seat in seats],
            seats=[seat.who for seat in table.seats],
            turn=table.seat,
            moves=list(map(str, table.record.moves)),
        )

    def moved(self, session: Session, node: Node) -> None:
        assert node.parent is not None
        assert node.move is not None
        before = node.parent.position
        self._tell(
            "move",
            ply=before.ply + 1,
            seat=before.turn,
            colour=before.colour_of(before.turn),
            move=str(node.move),
            words=before.describe(node.move),
            position=node.position.text,
            turn=session.table.seat,
        )

    def changed(self, session: Session, what: str) -> None:
        table = session.table
        self._tell("position", what=what, position=table.position.text, turn=table.seat, ply=table.position.ply)

    def begun(self, session: Session, choices: Choices) -> None:
        self.choices(session, session.begun, choices)

    def choices(self, session: Session, beginning: str, choices: Choices) -> None:
        steps = [{"step": str(each), "label": each.label, "targets": list(each.targets)} for each in choices]
        self._tell("choices", beginning=beginning, prompt=choices.prompt, may_end=choices.may_end, choices=steps)

    def hint(self, session: Session, hint: Hint) -> None:
        self._tell("hint", move=str(hint.move), claim=hint.claim or None)

    def board(self, session: Session) -> None:
        self._tell("message", text="\n".join(event_text.board(session)))

    def say(self, session: Session, text: str) -> None:
        self._tell("message", text=text)

    def complain(self, session: Session, message: str) -> None:
        self._tell("error", error=message)

    def ended(self, session: Session, outcome: Outcome) -> None:
        winners, returns = list(outcome.winners), list(outcome.returns)
        self._tell("end", winners=winners, reason=outcome.reason, returns=returns, score=outcome.score)

    def read(self, session: Session) -> str | None:
        return read_line()

    def leave(self, session: Session) -> None:
        self._tell("quit", kept=session.saved_as)
