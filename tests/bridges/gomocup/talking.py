"""A brain that is talked to in one breath: whoever chooses its moves answers at once."""

from __future__ import annotations

from collections.abc import Callable

from pentad.bridges.gomocup.brain import Brain, Thought
from pentad.game import Move

ABOUT = 'name="pentad"'


def first(thought: Thought) -> Move:
    return next(iter(thought.position.legal_moves))


class Talk:
    """A session; `thoughts` are those that the brain asked for."""

    def __init__(self, choose: Callable[[Thought], Move | str] = first) -> None:
        self.brain, self.choose = Brain(ABOUT), choose
        self.thoughts: list[Thought] = []
        self.left = False

    def __call__(self, text: str) -> list[str]:
        """What is answered to these lines, as one list."""
        answers: list[str] = []
        for line in text.strip().splitlines():
            reply = self.brain.take(line)
            while True:
                answers += reply.lines
                self.left |= reply.leaves
                if reply.thought is None:
                    break
                self.thoughts.append(reply.thought)
                chosen = self.choose(reply.thought)
                move = reply.thought.position.parse(chosen) if isinstance(chosen, str) else chosen
                reply = self.brain.decided(move)
        return answers

    @property
    def stones(self) -> str:
        """How the board stands, in pentad's own text."""
        return self.brain.position.text
