"""Accounts in a browser: a name, a recovery code, and the games of two browsers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser_helpers import NewPage, accessible, act, join, open_room, tab_to
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

REFUSED = ("Failed to load resource",)  # of requests that are refused on purpose


def sign_up(page: Page, name: str) -> str:
    """Makes an account; returns its recovery code."""
    page.goto("/sign-in")
    page.locator("#new-name").fill(name)
    page.locator("#new-account button[type=submit]").click()
    expect(page.locator("#made")).to_be_visible()
    return page.locator("#made-code").inner_text()


def sign_in(page: Page, name: str, code: str) -> None:
    page.goto("/sign-in")
    page.locator("#code-name").fill(name)
    page.locator("#code").fill(code)
    page.locator("#code-form button[type=submit]").click()


def test_a_name_and_a_code_sign_in_on_another_device(new_page: NewPage) -> None:
    first = new_page(expected=REFUSED)
    first.goto("/account")
    expect(first.locator("#no-account")).to_be_visible()
    code = sign_up(first, "Zenobia")
    first.get_by_role("link", name="I have kept it").click()
    expect(first.locator("#account-name")).to_have_text("Zenobia")

    second = new_page(expected=REFUSED)
    open_room(second, seats=["human", "open"], name="Zoe")
    sign_in(second, "Zenobia", "wrong")
    expect(second.locator("#code-error")).to_be_visible()
    second.locator("#code").fill(code)
    tab_to(second, "#code-form button[type=submit]")
    second.keyboard.press("Enter")
    expect(second.locator("#account-name")).to_have_text("Zenobia")
    expect(second.locator("#account-status")).to_contain_text("1 game")
    expect(second.locator("#devices li")).to_have_count(2)
    second.locator("#sign-out").click()
    expect(second.locator("#code-form")).to_be_visible()


def test_an_account_is_renamed_and_gets_another_code(new_page: NewPage) -> None:
    page = new_page(expected=REFUSED)
    sign_up(page, "Yolanda")
    page.goto("/account")
    page.locator("#new-name").fill("Computer")
    page.locator("#rename button").click()
    expect(page.locator("#message")).to_be_visible()
    page.locator("#new-name").fill("Yorick")
    page.locator("#rename button").click()
    expect(page.locator("#account-name")).to_have_text("Yorick")
    page.locator("#new-code").click()
    expect(page.locator("#made-code")).to_be_visible()


def with_authenticator(page: Page) -> Page:
    """The page on a device that makes and uses passkeys without asking anybody."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


def test_a_passkey_a_link_and_the_end_of_a_session(new_page: NewPage, server: Server) -> None:
    """By the name localhost, as a passkey belongs to a name, and the tests' other pages are at an address."""
    here = server.url.replace("127.0.0.1", "localhost")
    first = with_authenticator(new_page(expected=REFUSED, base_url=here))
    first.goto("/sign-in")
    first.locator("#new-name").fill("Wanda")
    first.locator("#new-passkey").click()
    expect(first.locator("#account-name")).to_have_text("Wanda")
    expect(first.locator("#passkeys li")).to_have_count(1)
    first.locator("#add-passkey").click()  # this device has one
    expect(first.locator("#message")).to_be_visible()
    first.locator("#passkeys button").click()  # the only way to sign in
    expect(first.locator("#message")).to_contain_text("only way")
    first.locator("#sign-out").click()
    first.locator("#passkey-use").click()
    expect(first.locator("#account-name")).to_have_text("Wanda")

    first.locator("#add-device").click()
    expect(first.locator("#device-dialog")).to_be_visible()
    link = str(first.locator("#device-link").get_attribute("href"))
    second = new_page(expected=REFUSED, base_url=here)
    second.goto(link)
    expect(second.locator("#link-about")).to_contain_text("Wanda")
    assert "#" not in second.url
    second.locator("#link-use").click()
    expect(second.locator("#devices li")).to_have_count(2)

    first.locator("#device-dialog button").click()
    expect(first.locator("#devices li")).to_have_count(2)
    first.locator("#devices button").click()
    expect(first.locator("#devices li")).to_have_count(1)
    second.reload()
    expect(second.locator("#no-account")).to_be_visible()
    second.goto("about:blank")
    second.goto(link)
    expect(second.locator("#link-about")).to_contain_text("not good any more")


def test_an_account_is_exported_and_deleted(new_page: NewPage) -> None:
    page = new_page(expected=REFUSED)
    sign_up(page, "Xenia")
    page.goto("/account")
    with page.expect_download() as download:
        page.locator("#export").click()
    assert download.value.suggested_filename == "pentad.zip"
    page.locator("#delete-account").click()
    page.locator("#erase-name").fill("Xeni")
    page.locator("#erase-form button[type=submit]").click()
    expect(page.locator("#erase-error")).to_be_visible()
    page.locator("#erase-name").fill("Xenia")
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    page.goto("/account")
    expect(page.locator("#no-account")).to_be_visible()


def test_a_player_is_muted_and_blocked_in_a_game(new_page: NewPage) -> None:
    ada, bea = new_page(), new_page()
    address = open_room(ada, seats=["human", "open"], name="Ada")
    join(bea, address, "Bea")
    bea.locator("#chat-text").fill("you fool")
    bea.keyboard.press("Enter")
    expect(ada.locator("#chat-messages li")).to_have_count(1)
    act(ada, "people")
    mute = ada.locator("#people-list button").first
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(ada.locator("#chat-messages li")).to_have_count(0)
    ada.locator("#people-list button").last.click()
    accessible(ada)
    ada.goto("/account")
    expect(ada.locator("#related-people")).to_contain_text("Bea")
