"""The pictures of the full-screen terminal: as the screen is now."""

from __future__ import annotations

import pytest

from release.terminal_pictures import FOLDER, MOVES, SIZES, name, picture


def test_there_is_a_picture_of_each_game_in_each_size() -> None:
    assert {each.name for each in FOLDER.iterdir()} == {name(game, *size) for game in MOVES for size in SIZES}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("game", MOVES)
def test_a_picture_shows_the_screen(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of the screen, `python -m release.terminal_pictures` makes them again."""
    monkeypatch.setenv("PENTAD_HOME", "")  # monkeypatch sets it back afterwards
    assert (FOLDER / name(game, 80, 24)).read_text(encoding="utf-8") == picture(game, 80, 24)
