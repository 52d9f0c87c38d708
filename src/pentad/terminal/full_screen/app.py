"""The app in full screen: the board with a cursor, the panel, the line for typing, and the keys."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.geometry import Offset
from textual.message import Message
from textual.screen import Screen
from textual.suggester import Suggester
from textual.widgets import Footer, Input

from pentad.game import Choice, Position
from pentad.play.clock import written_time
from pentad.search.analysis import Report
from pentad.system.words import table
from pentad.terminal import theme
from pentad.terminal.boards import Form, Line, forms, listed
from pentad.terminal.full_screen import THEMES, layout, preferences, targets
from pentad.terminal.full_screen.analyst import Analyst
from pentad.terminal.full_screen.display import FullScreen
from pentad.terminal.full_screen.layout import ScreenLayout
from pentad.terminal.full_screen.targets import DOWN, LEFT, RIGHT, UP, Chart
from pentad.terminal.full_screen.view import View
from pentad.terminal.full_screen.widgets import Lines
from pentad.terminal.full_screen.windows import Pages, Question
from pentad.terminal.play_session import COMMANDS

ANALYSIS_ROWS = 5
CLOCK_POLL_SECONDS = 0.1
DIRECTIONS = {"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT}
LINE_BEGINS, LINE_ENDS = ("slash", "colon"), ("enter", "escape")
KEYS = (
    ("Arrows, Tab", "move the cursor to another choice"),
    ("Enter, Space", "choose what is under the cursor, as a click does"),
    ("Esc, Backspace", "take back the first steps of a turn; stop a hint"),
    ("/", "type a move or a command; so does any key that is no command"),
    ("u  r", "undo, redo"),
    ("h", "hint"),
    ("a", "analysis on or off"),
    ("m", "list of moves"),
    ("f  t", "turn the board, change the theme"),
    ("s  n  q", "save, new game, quit"),
)


@dataclass
class ViewShown(Message):
    """A view from the session."""

    view: View


@dataclass
class Asked(Message):
    """A question of the session."""

    question: str


class Ended(Message):
    """The session has ended."""


@dataclass
class Reported(Message):
    """A report of the analysis, or why there is none."""

    position: Position | None
    report: Report | None
    failure: str = ""


class ClickableBoard(Lines):
    """The board, which can be clicked."""

    @dataclass
    class Clicked(Message):
        """A place of the board."""

        row: int
        column: int

    def on_click(self, event: events.Click) -> None:
        left, top = self.corner
        self.post_message(self.Clicked(event.y + top, event.x + left))


class Completions(Suggester):
    """The rest of a word in the line for typing."""

    def __init__(self, display: FullScreen) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._game = display

    async def get_suggestion(self, value: str) -> str | None:
        before, space, word = value.rpartition(" ")
        found = self._game.session.completions(before, word) if word else []
        return f"{before}{space}{found[0].rstrip()}" if found else None


class Main(Screen[None]):
    """The game."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"move('{key}')", show=False) for key in DIRECTIONS),
        Binding("tab", "step(1)", show=False),
        Binding("shift+tab", "step(-1)", show=False),
        Binding("enter,space", "choose", show=False),
        Binding("escape,backspace", "back", show=False),
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding(",".join(LINE_BEGINS), "type", "Type", key_display="/"),
        Binding("u", "line('undo')", "Undo"),
        Binding("r", "line('redo')", "Redo", show=False),
        Binding("h", "line('hint')", "Hint"),
        Binding("q", "leave", "Quit"),  # in sight in a window of 40 columns
        Binding("a", "analyse", "Analyse"),
        Binding("t", "theme", "Theme"),
        Binding("m", "moves", "Moves"),  # in sight in a window of 60 columns
        Binding("n", "new", "New"),
        Binding("f", "line('flip')", "Flip", show=False),
        Binding("s", "line('save')", "Save", show=False),
        Binding("ctrl+c", "leave", show=False),
    ]

    def __init__(self, display: FullScreen) -> None:
        super().__init__()
        self._game = display
        self._view: View | None = None
        self._forms: list[Form] = []
        self._arranged_as: ScreenLayout | None = None
        self._chart = Chart(())
        self._off_board: list[Choice] = []
        self._touched: list[str] = []
        self._below: list[Line] = []
        self._cursor = ""
        self._theme = display.theme
        self._styles = theme.styles()
        self._analyst = Analyst(self._found, self._failed)
        self._is_analysing = False
        self._report: Reported | None = None
        self._times: tuple[str, ...] = ()
        self._is_typing = False  # a line is shown, or will be after the keys on the way

    def compose(self) -> ComposeResult:
        yield Lines(id="title")
        with Horizontal(id="middle"):
            yield ClickableBoard(id="board")
            yield Lines(id="panel")
        yield Lines(id="status")
        yield Input(
            id="line",
            compact=True,
            select_on_focus=False,
            suggester=Completions(self._game),
            placeholder="a move or a command",
        )
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._set_theme(self._theme)
        self.query_one(Input).display = False
        self.set_interval(CLOCK_POLL_SECONDS, self.check_clock)
        assert isinstance(self.app, PlayApp)
        self._game.start(self.app)

    def on_unmount(self) -> None:
        self._analyst.close()

    # ── from the session ─────────────────────────────────────────────────────────────────────────

    def on_view_shown(self, event: ViewShown) -> None:
        before, self._view = self._view, event.view
        view = event.view
        if before is None or (before.position, before.choices) != (view.position, view.choices):
            self._touched = []
        self._forms = []
        self._analyse()
        self._draw()
        said = [line for text, _ in view.messages for line in textwrap.wrap(text, self.size.width)]
        if self._arranged_as and len(said) > max(self._arranged_as.status - 1 - self._is_analysing, 1):
            self._view = replace(view, messages=())
            self._draw()
            self.app.push_screen(Pages(view.title, "\n".join(text for text, _ in view.messages)))

    def on_asked(self, event: Asked) -> None:
        self.app.push_screen(Question(event.question), lambda answer: self._game.answer(bool(answer)))

    def on_ended(self) -> None:
        self.app.exit()

    @property
    def is_waiting(self) -> bool:
        """Whether a person can choose."""
        return self._view is not None and self._view.choices is not None

    def show_report(self, report: Reported) -> None:
        """Show a report as if the analysis had found it."""
        self._is_analysing, self._report = True, report
        self._draw()

    def on_reported(self, event: Reported) -> None:
        view = self._view
        if event.failure or (view and self._is_analysing and event.position == view.position):
            self._report = event
            self._draw()

    def _found(self, position: Position, report: Report) -> None:
        self.post_message(Reported(position, report))

    def _failed(self, reason: str) -> None:
        self.post_message(Reported(None, None, reason))

    # ── drawing ──────────────────────────────────────────────────────────────────────────────────

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        view = self._view
        if view is None or not self.size.width:
            return
        width, height = self.size
        here = self._arranged(view, width, height)
        self._place_cursor(view)
        middle = here.columns if here.panel else width
        self.query_one("#middle").styles.height = here.rows
        board = self.query_one("#board", ClickableBoard)
        board.styles.width, board.styles.height = here.columns, here.rows
        board.styles.margin = (0, 0, 0, 0 if here.panel else max((middle - here.columns) // 2, 0))
        panel = self.query_one("#panel", Lines)
        panel.display = bool(here.panel)
        status = self.query_one("#status", Lines)
        status.styles.height = here.status - self.query_one(Input).display
        styles = theme.without_underlines(self._styles) if here.form.is_enlarged else self._styles
        board.show(self._board_lines(view, here), styles, self._corner(here, board.corner))
        analysis = self._analysis_lines(view, here.panel or width, ANALYSIS_ROWS if here.panel else 1)
        self._draw_seats(view, here, analysis)
        below = [] if here.panel else [*self._legend(view, width), *analysis]
        rows = here.status - self.query_one(Input).display
        status.show(layout.status(view, width, rows, hint=self._hint(view), below=below), self._styles)

    def _draw_seats(self, view: View, here: ScreenLayout, analysis: list[Line]) -> None:
        """Draw the title and the panel beside the board, of which one has the clocks."""
        self._times = tuple(map(written_time, view.clock.left(self._game.session.now()))) if view.clock else ()
        if here.panel:
            notes = [*layout.notes([here.form.tally], here.panel), *self._legend(view, here.panel)]
            shown = layout.panel(view, here.panel, here.rows, notes=notes, analysis=analysis, times=self._times)
            self.query_one("#panel", Lines).show(shown, self._styles)
        title = layout.title(view, self.size.width, is_alone=not here.panel, times=self._times)
        self.query_one("#title", Lines).show([title], self._styles)

    def check_clock(self) -> None:
        """Draw the clocks if they show another time, and end the game for a seat that is out of time."""
        view, here = self._view, self._arranged_as
        if view is None or view.clock is None or here is None:
            return
        now = self._game.session.now()
        if tuple(map(written_time, view.clock.left(now))) != self._times:
            rows = ANALYSIS_ROWS if here.panel else 1
            self._draw_seats(view, here, self._analysis_lines(view, here.panel or self.size.width, rows))
        if view.clock.over(now) is not None:
            self._game.flag()

    def _arranged(self, view: View, width: int, height: int) -> ScreenLayout:
        """The layout for this window; sets the places of the targets."""
        if view.is_listed:
            self._forms = [Form([[(line.plain, "")] for line in listed(view.position, width)], "")]
        if not self._forms:
            self._forms = list(forms(view.position, view.last, view.flip, enlarged=self._game.has_colours))
        below: list[Line] = []
        legend = len(self._legend(view, width))
        for _ in range(2):
            rows = len(below)
            here = layout.arrange(
                self._forms, width, height, below=rows, is_analysing=self._is_analysing, legend=legend
            )
            self._chart = Chart(here.form.lines)
            self._off_board = [] if view.is_listed else self._choices_off_board(view)
            below = layout.chips(self._off_board, max(here.columns, 1))
        self._arranged_as = here
        self._below = below
        self._chart = Chart([*here.form.lines, *below])
        return here

    def _legend(self, view: View, width: int) -> list[Line]:
        """What the symbols mean, where there are no colours."""
        return [] if self._game.has_colours or view.is_listed else layout.notes([view.position.legend], width)

    def _choices_off_board(self, view: View) -> list[Choice]:
        return targets.off_board(view.choices, self._touched, self._chart) if view.choices else []

    def _board_lines(self, view: View, here: ScreenLayout) -> list[Line]:
        marks = dict.fromkeys(self._selectable(view), layout.OPEN) if self._touched else {}
        marks |= dict.fromkeys(view.hinted, "hint")
        marks |= dict.fromkeys(self._touched, "touched")
        places = self._chart.around(self._cursor) if self._cursor else set()
        return layout.marked([*here.form.lines, *self._below], marks, places)

    def _analysis_lines(self, view: View, width: int, rows: int) -> list[Line]:
        if not self._is_analysing:
            return []
        found = self._report
        if found and found.failure:
            return [[(found.failure, "error")]]
        report = found.report if found and found.position == view.position else None
        return layout.analysis_lines(view, view.position, report, width, rows=rows)

    def _corner(self, here: ScreenLayout, before: Offset) -> Offset:
        """The part of the board that is shown: the cursor and a margin around it are in it."""
        places = self._chart.around(self._cursor) if self._cursor else set()
        lines = (*here.form.lines, *self._below)
        wide = max(map(layout.wide, lines), default=0)
        rows, columns = [row for row, _ in places], [column for _, column in places]
        left = _scrolled(before.x, columns, here.columns, wide)
        return Offset(left, _scrolled(before.y, rows, here.rows, len(lines)))

    def _hint(self, view: View) -> str:
        """What the choice under the cursor would do."""
        if view.choices is None or not self._cursor:
            return ""
        if self._cursor.startswith(layout.CHIP):
            return self._off_board[int(self._cursor[1:])].label
        begun = targets.beginning(view.choices, [*self._touched, self._cursor])
        begun = begun or targets.beginning(view.choices, self._touched)  # what was touched last is under the cursor
        return _common(list(dict.fromkeys(choice.label for choice in begun)))

    # ── the cursor ───────────────────────────────────────────────────────────────────────────────

    def _selectable(self, view: View) -> list[str]:
        """The targets that can be touched now, in reading order; all of them while nobody can choose."""
        if view.choices is None:
            return list(self._chart.names)
        found = {*targets.continuing(view.choices, self._touched), *self._touched[-1:]}
        return [name for name in self._chart.names if name in found or name.startswith(layout.CHIP)]

    def _place_cursor(self, view: View) -> None:
        """Keep the cursor on a target that can be touched: the nearest one, at first that in the middle."""
        among = self._selectable(view)
        if self._cursor in among and view.choices is not None:
            return
        if view.choices is None and self._chart.places(self._cursor):
            return
        if not among:
            self._cursor = ""
            return
        self._cursor = self._chart.nearest(self._cursor_place, among)

    @property
    def _cursor_place(self) -> tuple[float, float]:
        if self._arranged_as and not self._chart.places(self._cursor):
            return self._last_place or (self._arranged_as.form.height / 2, self._arranged_as.form.width / 2)
        return self._chart.middle(self._cursor)

    _last_place: tuple[float, float] | None = None

    def action_move(self, key: str) -> None:
        if self._view and self._cursor:
            self._go(self._chart.next(self._cursor, DIRECTIONS[key], self._selectable(self._view)))

    def action_step(self, by: int) -> None:
        """Move to the next choice in reading order."""
        if self._view and (among := self._selectable(self._view)):
            at = among.index(self._cursor) if self._cursor in among else -by
            self._go(among[(at + by) % len(among)])

    def _go(self, name: str) -> None:
        self._cursor = name
        self._last_place = self._chart.middle(name)
        self._draw()

    def on_clickable_board_clicked(self, event: ClickableBoard.Clicked) -> None:
        name = self._chart.at(event.row, event.column)
        if name:
            self._go(name)
            self.action_choose()

    def action_choose(self) -> None:
        """Touch the target under the cursor; or submit the line, if this key was faster."""
        line = self.query_one(Input)
        if line.display:
            self._submit(line.value.strip())
            return
        view, name = self._view, self._cursor
        if view is None or view.choices is None or not name:
            return
        choices, touched = view.choices, self._touched
        if name.startswith(layout.CHIP):
            self._choose(self._off_board[int(name[1:])])
        elif name in targets.continuing(choices, touched):
            touched.append(name)
            done = targets.complete(choices, touched)
            if len(done) == 1 and not targets.continuing(choices, touched):
                self._choose(done[0])
        elif touched[-1:] == [name]:
            done = targets.complete(choices, touched)
            if len(done) == 1:
                self._choose(done[0])
            elif not done:
                touched.pop()
        elif name in targets.continuing(choices, []):
            self._touched = [name]
        self._draw()

    def _choose(self, choice: Choice) -> None:
        self._touched = []
        self._enter(str(choice))

    # ── lines and keys ───────────────────────────────────────────────────────────────────────────

    def _enter(self, line: str) -> None:
        if refusal := self._game.enter(line):
            self.notify(refusal, timeout=2)

    def action_line(self, line: str) -> None:
        self._enter(line)

    def action_back(self) -> None:
        if self.query_one(Input).display:
            self._hide_line()
        elif self._touched:
            self._touched.pop()
            self._draw()
        elif self._view and self._view.partial_turn:
            self._enter("cancel")
        else:
            self._game.stop()

    def action_type(self, text: str = "") -> None:
        line = self.query_one(Input)
        self._is_typing = True
        line.display = True
        line.value = text
        line.cursor_position = len(text)
        self.set_focus(line, scroll_visible=False)
        self._draw()

    def on_key(self, event: events.Key) -> None:
        """Begin to type with a key that does nothing else.

        Over a slow line many keys come at once: those after it are typed, too, although no line is shown yet.
        """
        if event.key in LINE_ENDS:
            self._is_typing = False
        elif event.is_printable and event.character:
            if self._is_typing or event.key not in self.active_bindings:
                event.stop()
                self._type(event.character, event.key)
            elif event.key in LINE_BEGINS:
                self._is_typing = True

    def on_paste(self, event: events.Paste) -> None:
        """Begin to type with what is pasted."""
        if event.text.strip():
            self._type(event.text.strip().splitlines()[0])

    def _type(self, text: str, key: str = "") -> None:
        self._is_typing = True
        self.app.call_later(self._typed, text, key)  # after the keys before it

    def _typed(self, text: str, key: str) -> None:
        line = self.query_one(Input)
        if self.app.screen is not self:  # a key before it has opened a window
            self._is_typing = False
            if key:
                self.app.simulate_key(key)
        elif line.display:
            line.insert_text_at_cursor(text)
        else:
            self.action_type(text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._submit(event.value.strip())

    def _submit(self, text: str) -> None:
        self._hide_line()
        word = text.partition(" ")[0].lower()
        if word == "quit":
            self.action_leave()
        elif text:
            self._enter(text)

    def _hide_line(self) -> None:
        line = self.query_one(Input)
        line.display = self._is_typing = False
        self.set_focus(None)
        self._draw()

    def _set_theme(self, name: str) -> None:
        self._theme = name
        board, self.app.theme = THEMES[name]
        self._styles = theme.styles(board)
        self._draw()

    def action_theme(self) -> None:
        names = list(THEMES)
        self._set_theme(names[(names.index(self._theme) + 1) % len(names)])
        preferences.keep_theme(self._theme)

    def action_analyse(self) -> None:
        self._is_analysing = not self._is_analysing
        self._report = None
        self._analyse()
        self._draw()

    def _analyse(self) -> None:
        """Analyse the position shown, unless a bot thinks about it."""
        view = self._view
        is_wanted = self._is_analysing and view is not None and not view.busy
        self._analyst.look_at(view.position if is_wanted and view else None)

    def action_moves(self) -> None:
        if self._view:
            moves = "\n".join(self._view.described) or "No moves have been played."
            self.app.push_screen(Pages("Moves", moves))

    def action_help(self) -> None:
        if self._view:
            commands = ((f"{name} {each.argument}".rstrip(), each.help) for name, each in COMMANDS.items())
            parts = [self._view.position.guide, "Keys:", *table(KEYS), "", "Commands, after /:", *table(commands)]
            self.app.push_screen(Pages(f"{self._view.title}: help", "\n".join(parts)))

    def action_new(self) -> None:
        def start(is_confirmed: bool | None) -> None:
            if is_confirmed:
                self._enter("new")

        if self._view and self._view.can_lose_game:
            self.app.push_screen(Question("Start another game? This one stays saved."), start)
        else:
            start(True)

    def action_leave(self) -> None:
        def leave(is_confirmed: bool | None) -> None:
            if is_confirmed:
                self._game.leave()

        if self._view is None:
            leave(True)
        else:
            self.app.push_screen(Question(f"Quit? {self._view.saved}"), leave)


def _scrolled(before: int, places: Sequence[int], shown: int, whole: int) -> int:
    """The first row or column to show, moved as little as possible so that some places and a margin are shown."""
    first = before
    if places:
        margin = min(2, shown // 4)
        first = max(min(first, min(places) - margin), max(places) + 1 + margin - shown)
    return min(max(first, 0), max(whole - shown, 0))


def _common(labels: Sequence[str]) -> str:
    """A single label, or the words with which most begin, and an ellipsis."""
    if len(labels) < 2:
        return "".join(labels)
    ((most, _),) = Counter(label.split()[0] for label in labels).most_common(1)
    split = (label.split() for label in labels if label.split()[0] == most)
    words = takewhile(lambda each: len(set(each)) == 1, zip(*split, strict=False))
    return " ".join([*(each[0] for each in words), "…"])


class PlayApp(App[None]):
    """The program in full screen."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layers: base; }
    #title { height: 1; background: $panel; }
    #panel { margin: 0 0 0 2; width: 1fr; }
    #status { height: 2; }
    #line { height: 1; }
    Question, Pages { align: center middle; }
    .window { width: 60; max-width: 90%; height: auto; max-height: 90%; padding: 0 1; border: round $primary; }
    .window Static { width: 100%; }
    .answers { height: 1; width: auto; margin: 1 0 0 0; }
    .answers Button { margin: 0 2 0 0; }
    .pages { width: 80; }
    .pages VerticalScroll { height: auto; max-height: 100%; }
    .heading { text-style: bold; }
    .quiet { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "leave", show=False, priority=True)]

    def __init__(self, display: FullScreen) -> None:
        super().__init__()
        self._game = display
        self._main: Main | None = None

    def get_default_screen(self) -> Screen[None]:
        self._main = Main(self._game)
        return self._main

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            if number := getattr(signal, name, None):
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self._game.leave, 128 + number)

    def action_leave(self) -> None:
        if isinstance(self.screen, Main):
            self.screen.action_leave()

    # ── from other threads ───────────────────────────────────────────────────────────────────────

    def show(self, view: View) -> None:
        self._tell(ViewShown(view))

    def ask(self, question: str) -> None:
        self._tell(Asked(question))

    def end(self) -> None:
        self._tell(Ended())

    def _tell(self, message: Message) -> None:
        if self._main:
            self._main.post_message(message)

    def run_until_end(self) -> None:
        self.run(mouse=self._game.has_mouse)
