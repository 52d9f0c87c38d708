"""Clocks in a browser: running, low, and out of time."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser_helpers import NewPage, act, join, moves, open_room, play, targets

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_player_who_runs_out_of_time_loses(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    address = open_room(ann, seats=["human", "open"], name="Ann", time={"main": 2})
    join(bob, address, "Bob")
    expect(ann.locator("#seats .clock")).to_have_count(2)
    play(ann, "a0 4C")
    expect(moves(bob)).to_have_count(1)
    expect(bob.locator("#seats .clock").nth(1)).to_have_class(re.compile("low"))
    expect(ann.locator("#headline")).to_have_text("You win")
    expect(bob.locator("#headline")).to_have_text("You lose")
    for page in (ann, bob):
        expect(page.locator("#detail")).to_contain_text("time")
        expect(page.locator("#announcer")).to_contain_text("ran out of time.")
    expect(bob.locator("#seats .clock").nth(1)).to_have_text("0.0")
    assert targets(bob).count() == 0


@pytest.mark.slow
def test_clocks_start_when_all_seats_are_taken(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    address = open_room(ann, seats=["human", "open"], name="Ann", time={"main": 300, "increment": 3})
    clock = ann.locator("#seats .clock")
    expect(clock).to_have_text(["5:00", "5:00"])
    join(bob, address, "Bob")
    play(ann, "a0 4C")
    expect(clock.nth(1)).to_have_text(re.compile("[0-4]:[0-9]{2}"))
    expect(clock.first).to_have_text(re.compile("5:0[0-3]"))
    bob.reload()
    expect(bob.locator("#seats .clock").nth(1)).to_have_text(re.compile("[0-4]:[0-9]{2}"))


def test_days_per_move_are_shown_in_days(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    act(page, "new")
    page.locator("#more summary").click()
    page.locator("[name=seat1]").select_option("open")
    page.locator("#time").select_option(label="3 days per move")
    page.locator("#new-form .main").click()
    expect(page.locator("#seats .clock")).to_have_text(["3 days", "3 days"])
