"""A turn that is chosen by touching targets of a drawing, as on the board in the browser."""

from __future__ import annotations

from pentad.game import Choice, Choices, Move, Position

Targets = tuple[str, ...]


class Turn:
    """The part of a turn that is chosen so far.

    >>> import pentad
    >>> turn = Turn(pentad.new("pentago"))
    >>> turn.touch("a2"), turn.steps, turn.choices.prompt
    (None, 'a2', 'Twist a sub-board.')
    >>> turn.touch("1C")
    <Move a2 1C>
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.steps = ""
        self.touched: Targets = ()
        self.choices: Choices = position.choices()

    @property
    def shown(self) -> Position:
        """The position after the steps so far."""
        return self.position.partial(self.steps) if self.steps else self.position

    @property
    def has_begun(self) -> bool:
        """Whether there is something to cancel."""
        return bool(self.steps or self.touched)

    @property
    def may_end(self) -> bool:
        """Whether the steps so far are a whole turn, to which others could be added."""
        return bool(self.steps) and self.choices.may_end

    @property
    def open(self) -> list[str]:
        """The targets that can be touched next, in the order of the choices."""
        at = len(self.touched)
        return list(dict.fromkeys(targets[at] for targets, _ in self._ways(self.touched) if len(targets) > at))

    def touch(self, name: str) -> Move | None:
        """Touches a target; returns the move if the turn is complete. A touch without effect changes nothing."""
        touched = (*self.touched, name)
        if not self._ways(touched):
            if not self.touched:
                return None
            is_again = self.touched[-1] == name
            if is_again and (chosen := self._chosen(self.touched)):
                return self._choose(chosen)
            touched = self.touched[:-1] if is_again else (name,)  # taken back, or another first target
            if not is_again and not self._ways(touched):
                return None
        self.touched = touched
        is_last = all(targets == touched for targets, _ in self._ways(touched))
        chosen = self._chosen(touched)
        return self._choose(chosen) if chosen and is_last else None

    def end(self) -> Move | None:
        """Ends a turn to which steps could be added; returns the move, or None if the turn cannot end here."""
        return self.position.parse(self.steps) if self.may_end else None

    def _ways(self, touched: Targets) -> list[tuple[Targets, Choice]]:
        """The choices that begin with these touches, with their targets."""
        return [
            (targets, choice)
            for choice in self.choices
            for targets in (choice.targets, *choice.also)
            if targets[: len(touched)] == touched
        ]

    def _chosen(self, touched: Targets) -> Choice | None:
        """The choice that these touches select."""
        return next((choice for targets, choice in self._ways(touched) if targets == touched), None)

    def _choose(self, choice: Choice) -> Move | None:
        self.steps, self.touched = f"{self.steps} {choice}".strip(), ()
        self.choices = self.position.choices(self.steps)
        return self.position.parse(self.steps) if self.choices.may_end and not self.choices else None
