"""The full screen, played with keys and with the mouse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.widgets import Input
from textual.widgets._footer import FooterKey

import pentad
from pentad.record import Record
from pentad.system import files as user_files
from pentad.terminal.full_screen import preferences
from pentad.terminal.full_screen.app import ClickableBoard
from pentad.terminal.full_screen.windows import Pages, Question
from tests.cases import slow
from tests.terminal.full_screen.player import Player, at, play

# Quick games of each kind, whole: the options, and the bot that the person follows.
GAMES = {
    "pentago": {"block": 2, "line": 3},
    "pente": {"size": 7, "line": 4},
    "pentagame": {"max_ply": 4},
}


def start(name: str, **options: Any) -> Player:
    return Player(Record(pentad.new(name, **options)), {0: "human", 1: "random"})


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("how", ["keys", "mouse"])
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game(name: str, how: str):
    async def work() -> None:
        guide = pentad.bot(name, "greedy", seed=7)
        async with at(start(name, **GAMES[name])) as player:
            while player.view.turn is not None:
                assert player.view.choices
                move = guide.choose(player.session.table.position)
                plies = len(player.session.table.record.moves)
                for step in move:
                    await player.turn()
                    choice = next(each for each in player.view.choices or () if each.step == step)
                    await (player.choose_by_keys if how == "keys" else player.choose_by_mouse)(choice)
                    await player.until(player.display._lines.empty, "the line")
                await player.until(lambda before=plies: len(player.session.table.record.moves) > before, "the move")
                await player.turn()
                words = player.view.words[-1]
                assert words.split(":")[0] in player.text("status")
            assert player.session.table.outcome
            assert player.view.states[0] in player.text("status").replace("\n", " ")

    play(work)


def test_undo_redo_and_a_new_game_ask_where_a_game_is_lost():
    async def work() -> None:
        async with at(start("pente", size=9)) as player:
            await player.press("enter")
            await player.until(lambda: len(player.session.table.record.moves) == 2, "the reply")
            await player.turn()
            await player.press("u")
            await player.until(lambda: not player.session.table.record.moves, "undo")
            await player.turn()
            await player.press("r")
            await player.until(lambda: len(player.session.table.record.moves) == 2, "redo")
            await player.turn()
            await player.press("n")
            assert isinstance(player.app.screen, Question)
            await player.press("n")
            assert len(player.session.table.record.moves) == 2
            await player.press("n", "y")
            await player.until(lambda: not player.session.table.record.moves, "a new game")

    play(work)


@pytest.mark.slow
def test_any_other_key_begins_a_line():
    async def work() -> None:
        async with at(start("pente"), (120, 40)) as player:
            await player.press(*"K10", "enter")
            await player.until(lambda: player.session.table.record.moves, "the move")
            await player.turn()
            await player.press("slash", *"zz", "space", "9", "enter")
            await player.until(lambda: player.view.messages, "the error")
            assert "'zz' is not a point" in player.text("status")
            assert "2. " in player.text("status")  # the last move is still there

    play(work)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("keys", ["/a2 9A", "xa 9h", ":a2 9A\r/a2 9A"])
def test_keys_that_arrive_together_are_one_line(keys: str):
    async def work() -> None:
        async with at(start("pentago")) as player:
            await player.press_at_once(keys)
            line = player.main.query_one(Input)
            await player.until(lambda: line.value == keys.split("\r")[-1].lstrip("/"), "the line")
            assert not player.main._is_analysing
            assert not player.main._touched

    play(work)


def test_a_pasted_move_is_a_line():
    async def work() -> None:
        async with at(start("pentago")) as player:
            player.app.post_message(events.Paste("a2 1C\nmore"))
            line = player.main.query_one(Input)
            await player.until(lambda: line.value == "a2 1C", "the line")
            await player.press("enter")
            await player.until(lambda: player.session.table.record.moves, "the move")

    play(work)


def test_a_turn_is_taken_back_step_by_step():
    async def work() -> None:
        async with at(start("pentagame")) as player:
            await player.press("enter")
            assert len(player.main._touched) == 1
            await player.press("escape")
            assert not player.main._touched
        async with at(start("pentago")) as player:
            await player.press("enter")
            await player.until(lambda: player.view.partial_turn, "the first step")
            assert "↻" in player.text("board")
            await player.press("backspace")
            await player.until(lambda: not player.view.partial_turn, "its end")

    play(work)


@pytest.mark.slow
def test_what_is_under_the_cursor_is_explained():
    async def work() -> None:
        async with at(start("pentagame")) as player:
            labels = [choice.label for choice in player.view.choices or () if choice.targets[0] == player.main._cursor]
            assert len(labels) > 1
            hint = player.text("status").splitlines()[0].partition("▸ ")[2]
            assert hint.startswith("Move the ")
            assert hint.endswith(" piece to the …")
            assert sum(label.startswith(hint[:-2]) for label in labels) > len(labels) / 2  # the others are swaps
            await player.press("enter")
            assert player.text("status").splitlines()[0].endswith(f"▸ {hint}")  # the piece that was chosen
        async with at(start("pente")) as player:
            assert player.text("status").splitlines()[0].endswith("▸ Place at K10")

    play(work)


def test_help_and_moves_open_windows():
    async def work() -> None:
        async with at(start("pentago")) as player:
            for key in ("question_mark", "m"):
                await player.press(key)
                assert isinstance(player.app.screen, Pages)
                await player.press("escape")
                assert player.app.screen is player.main

    play(work)


@pytest.mark.slow
def test_quitting_asks(home: Path):
    async def work() -> None:
        async with at(start("pente")) as player:
            await player.press("enter")
            await player.turn()
            await player.press("ctrl+c")
            assert isinstance(player.app.screen, Question)
            await player.press("n")
            assert not player.display._leaving.is_set()
            await player.press("q", "y")
            player.display._thread.join()
            assert player.session.saved_as == "pente-1"
        assert (home / "games" / "pente-1.pentad").exists()

    play(work)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("size", [(80, 24), slow((120, 40)), (40, 20), slow((20, 8))])
def test_resizing_keeps_the_cursor_in_sight(size: tuple[int, int]):
    async def work() -> None:
        async with at(start("pente")) as player:
            await player.press("enter")
            await player.turn()
            await player.pilot.resize_terminal(*size)
            await player.pilot.pause()
            for key in ("down", "right"):
                await player.press(*[key] * 9)
                board = player.main.query_one("#board", ClickableBoard)
                for row, column in player.main._chart.places(player.main._cursor):
                    assert 0 <= row - board.corner.y < board.size.height
                    assert 0 <= column - board.corner.x < board.size.width

    play(work)


def test_the_mouse_can_scroll_nothing_away():
    async def work() -> None:
        async with at(start("pente"), (40, 20)) as player:
            await player.click("K10")
            await player.until(lambda: player.session.table.record.moves, "the move")

    play(work)


def test_analysis_shows_a_bar_and_lines_for_the_position_shown():
    async def work() -> None:
        async with at(start("pentago", block=2, line=3)) as player:
            await player.press("a")
            await player.until(lambda: "depth" in player.text("panel"), "the analysis")
            await player.press("a")
            assert "depth" not in player.text("panel")

    play(work)


def test_themes_change_the_colours_of_the_board():
    async def work() -> None:
        async with at(start("pente")) as player:
            before = player.main._styles["ground"]
            await player.press("t")
            assert player.main._styles["ground"] != before
            assert preferences.theme() == player.main._theme != preferences.DEFAULT

    play(work)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"theme": "plaid"}', '{"theme": ["slate"]}', "\0" * 1000])
def test_an_unreadable_file_of_preferences_is_the_default(text):
    preferences.keep_theme("felt")
    assert preferences.theme() == "felt"
    preferences._file().write_text(text)
    assert preferences.theme() == preferences.DEFAULT


def test_a_theme_that_cannot_be_kept_is_for_this_game_only():
    user_files.home().parent.mkdir(parents=True, exist_ok=True)
    user_files.home().write_text("a file in place of the folder")
    preferences.keep_theme("felt")
    assert preferences.theme() == preferences.DEFAULT


def test_a_game_among_bots_is_shown():
    async def work() -> None:
        record = Record(pentad.new("pentago", block=2, line=3))
        player = Player(record, {0: "random", 1: "random"})
        async with player.app.run_test(size=(80, 24)) as pilot:
            player.pilot = pilot
            await player.until(lambda: len(record.moves) > 1, "moves")
            player.display.leave()
            player.display._thread.join()

    play(work)


def test_a_hint_is_marked_on_the_board_as_long_as_the_turn_follows_it():
    async def work() -> None:
        player = start("pentago")

        def marked() -> set[str]:
            assert player.main._arranged_as
            lines = player.main._board_lines(player.view, player.main._arranged_as)
            return {role.partition("@")[2] for line in lines for _, role in line if "hint" in role.split()}

        async with at(player) as player:
            await player.press("h")
            await player.until(lambda: player.view.hinted, "the hint")
            await player.turn()
            place, twist = re.findall(r"Hint: (\w+) (\w+)\.", player.text("status"))[0]
            assert marked() == {place}  # the arrows of twists come with the marble
            choices = player.view.choices
            assert choices
            other = next(each for each in choices if str(each) != place)
            await player.choose_by_mouse(next(each for each in choices if str(each) == place))
            await player.until(lambda: player.view.partial_turn and player.is_waiting, "the twist")
            assert marked() == {place, twist}
            await player.press("escape")
            await player.until(lambda: not player.view.partial_turn and player.is_waiting, "the whole turn")
            assert marked() == {place}
            await player.choose_by_mouse(other)
            await player.until(lambda: player.view.partial_turn and player.is_waiting, "another twist")
            assert marked() == set()

    play(work)


@pytest.mark.parametrize(("width", "wanted"), [(40, set()), (60, {"Analyse", "Theme", "Moves"})])
def test_keys_are_in_sight_in_a_narrow_window(width: int, wanted: set[str]):
    async def work() -> None:
        async with at(start("pentago"), size=(width, 20)) as player:
            await player.pilot.pause()
            keys = player.main.query(FooterKey)
            shown = {key.description for key in keys if key.region.right <= width}
            assert {"Help", "Undo", "Hint", "Quit"} | wanted <= shown

    play(work)


@pytest.mark.parametrize("size", [(30, 24), (40, 20), (120, 40)])
@pytest.mark.parametrize("name", GAMES)
def test_without_colours_a_legend_is_in_sight(name: str, size: tuple[int, int]):
    async def work() -> None:
        player = Player(Record(pentad.new(name)), {0: "human", 1: "random"}, has_colours=False)
        async with at(player, size) as player:
            await player.pilot.pause()
            shown = player.text("panel" if player.main.query_one("#panel").display else "status")
            assert " ".join(player.view.position.legend.split()) in " ".join(shown.split())

    play(work)
