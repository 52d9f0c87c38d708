"""The form for a new game: opponents by strength, and rules by name."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import pentad
from pentad.game import game
from pentad.search.bot import bot_title, own_bots, ratings, strengths
from tests.cases import slow
from tests.web.browser_helpers import NewPage, act, targets

pytestmark = pytest.mark.browser


def open_form(page: Page, name: str = "pentago") -> None:
    page.goto(f"/play?game={name}")
    expect(targets(page).first).to_be_visible()
    act(page, "new")
    expect(page.locator("[name=game-choice]:checked")).to_have_value(name)


def pressed(page: Page, group: str) -> Locator:
    return page.locator(f"{group} [aria-pressed=true]")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pente", *map(slow, ("pentago", "pentagame"))])
def test_an_opponent_is_chosen_by_strength(new_page: NewPage, name: str) -> None:
    page = new_page()
    open_form(page, name)
    expect(pressed(page, "#strength-choice")).to_have_text("Medium")
    for word in ("easy", "medium", "hard", "best"):
        who = strengths(name)[word]
        page.locator(f"#strength-choice [data-strength={word}]").click()
        expect(pressed(page, "#strength-choice")).to_have_count(1)
        expect(page.locator("[name=seat1]")).to_have_value(who)
        expect(page.locator("[name=seat1] option:checked")).to_contain_text(f"(Elo {ratings(name)[who]})")
    page.locator("[data-preset=here]").click()
    expect(page.locator("#strength-choice")).to_be_hidden()
    page.locator("[data-preset=computer]").click()
    expect(pressed(page, "#strength-choice")).to_have_text("Best")
    page.locator("#strength-choice [data-strength=easy]").click()
    page.locator("#new-form .main").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#seats")).to_contain_text("Computer (easy)")
    act(page, "new")
    expect(pressed(page, "#strength-choice")).to_have_text("Easy")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", pentad.names())
def test_the_list_of_a_seat_begins_with_strengths_and_has_names_for_people(new_page: NewPage, name: str) -> None:
    page = new_page()
    open_form(page, name)
    page.locator("#more summary").click()
    entries = page.locator("[name=seat1] option")
    first = [f"{word.capitalize()} (Elo {ratings(name)[who]})" for word, who in strengths(name).items()]
    expect(entries).to_have_text(
        ["Player at this screen", "Friend with the link", *first, "Your strength", "More opponents…"]
    )
    page.locator("[name=seat1]").select_option("more")
    expect(page.locator("[name=seat1]")).to_be_focused()
    expect(page.locator("[name=seat1]")).to_have_value(strengths(name)["medium"])  # until another one is chosen
    listed = entries.all_inner_texts()
    assert not [text for text in listed if re.search("[a-z]-[a-z0-9]|@", text)]
    for who in own_bots(name):
        assert any(text.startswith(bot_title(name, who)) for text in listed)
    page.locator("[name=seat1]").select_option("greedy")
    page.locator("#new-form .main").click()
    expect(page.locator("#seats")).to_contain_text(bot_title(name, "greedy"))


@pytest.mark.slow
def test_a_computer_that_adapts_is_chosen_like_a_strength(new_page: NewPage) -> None:
    page = new_page()
    open_form(page)
    page.locator("#strength-choice [data-strength=adaptive]").click()
    expect(page.locator("[name=seat1]")).to_have_value("adaptive")
    page.locator("#new-form .main").click()
    expect(page.locator("#seats")).to_contain_text("Computer of your strength")
    act(page, "new")
    expect(pressed(page, "#strength-choice")).to_have_text("Your strength")


@pytest.mark.slow
@pytest.mark.parametrize("name", pentad.names())
def test_rules_are_chosen_by_name(new_page: NewPage, name: str) -> None:
    page = new_page()
    open_form(page, name)
    page.locator("#more summary").click()
    names = page.locator("#rule-presets button")
    expect(names).to_have_text(["Standard", *game(name).presets])
    expect(pressed(page, "#rule-presets")).to_have_text("Standard")
    for label, options in game(name).presets.items():
        names.filter(has_text=label).click()
        expect(pressed(page, "#rule-presets")).to_have_text(label)
        for key, value in options.items():
            field = page.locator(f"#more [name={key}]")
            if isinstance(value, bool):
                expect(field).to_be_checked(checked=value)
            else:
                expect(field).to_have_value(str(value))
        expect(page.locator("#seat-rows select")).to_have_count(game(name).new(**options).players)
    label, options = next(iter(game(name).presets.items()))
    names.filter(has_text=label).click()
    page.locator("#new-form .main").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#seats li")).to_have_count(game(name).new(**options).players)
    terms = str(options.get("players") or next(iter(options)).replace("_", " "))
    expect(page.locator("#terms")).to_contain_text(terms)
    act(page, "new")
    expect(pressed(page, "#rule-presets")).to_have_text(label)


@pytest.mark.slow
def test_more_seats_have_players_of_the_same_kind(new_page: NewPage) -> None:
    page = new_page()
    open_form(page)
    page.locator("#more summary").click()
    for kind, who in (("friend", "open"), ("here", "human"), ("computer", strengths("pentago")["hard"])):
        page.locator("#rule-presets button", has_text="Standard").click()
        page.locator(f"[data-preset={kind}]").click()
        if kind == "computer":
            page.locator("#strength-choice [data-strength=hard]").click()
        page.locator("#rule-presets button", has_text="Four players").click()
        for seat in (1, 2, 3):
            expect(page.locator(f"[name=seat{seat}]")).to_have_value(who)
        expect(page.locator(f"[data-preset={kind}]")).to_have_attribute("aria-pressed", "true")


# ── what the options mean ────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_the_board_and_the_rules_of_the_chosen_options_are_shown(new_page: NewPage) -> None:
    page = new_page(expected=("422",))
    open_form(page, "pente")
    board, guide, error = (page.locator(f"#new-{name}") for name in ("board", "guide", "error"))
    expect(guide).to_contain_text("Capturing 10 stones wins too.")
    page.locator("#rule-presets").get_by_text("Keryo").click()
    expect(guide).to_contain_text("Capturing 15 stones wins too.")
    expect(board).to_have_attribute("src", re.compile("rules%3Dkeryo"))
    page.locator("#more summary").click()
    page.locator("[name=size]").fill("13")
    page.locator("[name=size]").press("Tab")
    expect(board).to_have_attribute("src", re.compile("size%3D13"))
    assert board.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
    page.locator("[name=captures]").fill("0")
    page.locator("[name=captures]").press("Tab")
    expect(error).to_have_text("capture_win 15 cannot be reached without captures (captures is 0).")
    page.locator("[name=capture_win]").fill("0")
    page.locator("[name=capture_win]").press("Tab")
    expect(error).to_be_hidden()
    expect(guide).not_to_contain_text("Capturing")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", pentad.names())
def test_every_option_has_a_sentence(new_page: NewPage, name: str) -> None:
    page = new_page()
    page.goto(f"/play?game={name}")
    expect(targets(page).first).to_be_visible()
    page.locator("#start-options").click()
    rows = page.locator("#more .option")
    offered = [each for each in game(name).options.values() if not each.replaced_by]
    expect(rows).to_have_count(len(offered))
    for each in offered:
        field = page.locator(f"[name={each.name}], [name={each.name}0]")
        expect(field).to_have_accessible_description(each.about)
    pictures = rows.locator("img")
    expect(pictures).to_have_count(sum(bool(each.example) for each in offered))
    for picture in pictures.all():
        expect(picture).to_have_attribute("src", re.compile("."))
        assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0


@pytest.mark.slow
def test_rules_beside_a_new_board_stay_with_another_opponent(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play?game=pentago&rules=Three+players")
    rules = page.get_by_label("Rules", exact=True)
    expect(rules).to_have_value("Three players")
    expect(page.locator("#seats li")).to_have_count(3)
    page.locator("#start [data-strength=easy]").click()
    expect(page.locator("#start [data-strength=easy]")).to_have_attribute("aria-pressed", "true")
    expect(rules).to_have_value("Three players")
    page.locator("#kinds [data-game=pente]").click()
    expect(page.locator("#title")).to_have_text("Pente")
    expect(rules).to_have_value("Standard")
    assert "rules" not in page.url
    page.locator("#start-options").click()
    page.locator("[name=size]").fill("9")
    page.locator("#new-form .main").click()
    page.wait_for_url("**/play/*")
    expect(rules).to_have_value("Other")
    rules.select_option("Swap2")
    expect(page.locator("#headline")).to_contain_text("turn")
    expect(rules).to_have_value("Swap2")
