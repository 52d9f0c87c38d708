"""Windows over the full screen: a question to answer, and text to read."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Static


class Question(ModalScreen[bool]):
    """A question with the answers yes and no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,ctrl+c", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(self._text, markup=False)
            with Horizontal(classes="answers"):
                yield Button("Yes (y)", id="yes", compact=True)
                yield Button("No (n)", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, is_yes: bool) -> None:
        self.dismiss(is_yes)


class Pages(ModalScreen[None]):
    """Text that may be longer than the window."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,space,question_mark,ctrl+c", "dismiss", "Close")]

    def __init__(self, heading: str, text: str) -> None:
        super().__init__()
        self._heading, self._text = heading, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="window pages"):
            yield Static(self._heading, classes="heading", markup=False)
            with VerticalScroll():
                yield Static(self._text, markup=False)
            yield Static("Esc closes this window.", classes="quiet", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_click(self) -> None:
        self.dismiss()
