"""The pages in Firefox: the tests of a game, of My games and of a new game, as they run in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import isfunction
from types import ModuleType

import pytest
from playwright.sync_api import Page

from tests.web import (
    test_browser_games,
    test_browser_gif,
    test_browser_handling,
    test_browser_keyboard,
    test_browser_past,
    test_browser_people,
    test_browser_setup,
    test_browser_start,
    test_browser_start_page,
)
from tests.web.browser_helpers import NewPage
from tests.web.conftest import BROWSER, Options, opened
from tests.web.firefox import Firefox, adapt
from tests.web.kept_pages import KeptPage
from tests.web.test_browser_people import warning_page as warning_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MODULES = (
    test_browser_handling,
    test_browser_past,
    test_browser_people,
    test_browser_setup,
    test_browser_start,
    test_browser_gif,
)
# Of these modules some tests.
CHOSEN = {
    test_browser_games: ("test_games_are_listed_by_turn_and_month", "test_a_search_is_in_the_address"),
    test_browser_keyboard: ("test_a_game_is_set_up", "test_the_keyboard_focus_is_never_lost"),
    test_browser_start_page: (
        "test_the_choices_are_made_by_keyboard_and_kept",
        "test_a_game_with_a_friend_gets_its_link_at_once",
        "test_a_waiting_game_is_listed_first_and_opened",
    ),
}


def names_of(module: ModuleType) -> list[str]:
    """The tests that a module defines itself."""
    return [name for name, each in vars(module).items() if name.startswith("test_") and isfunction(each)]


for _module, _names in {**{each: names_of(each) for each in MODULES}, **CHOSEN}.items():
    for _name in _names:
        globals()[_name] = getattr(_module, _name)


@pytest.fixture
def new_page(monkeypatch: pytest.MonkeyPatch, site: str, service_workers: str) -> Iterator[NewPage]:
    firefox_of: dict[Page, Firefox] = {}
    adapt(firefox_of.__getitem__, monkeypatch)

    def take(how: Options) -> KeptPage:
        firefox = BROWSER.firefox(how["reduced_motion"] == "reduce")
        kept = firefox.new_page(how)
        firefox_of[kept.page] = firefox
        return kept

    yield from opened(take, lambda kept, how: kept.close(), base_url=site, service_workers=service_workers)
