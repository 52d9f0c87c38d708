"""Conversations with a brain whose moves are chosen at once."""

from __future__ import annotations

from collections.abc import Callable

from pentad.bridges.gomocup.brain import Brain
from pentad.bridges.protocol_server import MoveRequest
from pentad.game import Move

ABOUT = 'name="pentad"'


def first(request: MoveRequest) -> Move:
    return next(iter(request.position.legal_moves))


class Conversation:
    """A session; `requests` are those that the brain asked for."""

    def __init__(self, choose: Callable[[MoveRequest], Move | str] = first) -> None:
        self.brain, self.choose = Brain(ABOUT), choose
        self.requests: list[MoveRequest] = []
        self.has_ended = False

    def __call__(self, text: str) -> list[str]:
        """The replies to these lines, as one list."""
        answers: list[str] = []
        for line in text.strip().splitlines():
            reply = self.brain.take(line)
            while True:
                answers += reply.lines
                self.has_ended |= reply.ends_session
                if reply.request is None:
                    break
                self.requests.append(reply.request)
                chosen = self.choose(reply.request)
                move = reply.request.position.parse(chosen) if isinstance(chosen, str) else chosen
                reply = self.brain.move_chosen(move)
        return answers

    @property
    def stones(self) -> str:
        """The position as text."""
        return self.brain.position.text
