import assert from "node:assert/strict";
import { test } from "node:test";

import { here, linkTo, site } from "../../src/pentad/web/site/static/addresses.js";

const PATHS = [
  "/",
  "/?game=pente",
  "/play/abc",
  "/play/abc?again=1&x=%26",
  "/play/%C3%A9%20%2F",
  "/games",
  "/games?opponent=%C3%A9+b&result=won",
  "/analyse",
  "/analyse?start=pente+19%2F19+0%2C0&moves=K10_L11",
  "/analyse?room=abc",
  "/review?room=abc&seat=0",
  "/puzzles",
  "/puzzles/pente-7",
  "/puzzles/pente-7?game=pente",
  "/learn",
  "/learn/pentago",
  "/models",
  "/models/ferry?rows=1&cols=2",
];

test("every path of a page has an address that leads back to it", () => {
  for (const path of PATHS) {
    const address = linkTo(path);
    assert.ok(address.startsWith(site.href), address);
    const { pathname, search } = here(address);
    assert.equal(pathname + search, path);
  }
});

test("different paths have different addresses", () => {
  assert.equal(new Set(PATHS.map(linkTo)).size, PATHS.length);
});

test("addresses are folders of the site, with a query", () => {
  const folders = ["", "play/", "games/", "analyse/", "review/", "puzzles/", "learn/", "models/"].map((each) => new URL(each, site).pathname);
  for (const path of PATHS) assert.ok(folders.includes(new URL(linkTo(path)).pathname), path);
  assert.equal(linkTo("/puzzles/pente-7?game=pente"), `${site.href}puzzles/?/pente-7&game=pente`);
  assert.equal(linkTo("/play/abc"), `${site.href}play/?/abc`);
  assert.equal(linkTo("/"), site.href);
});

test("an anchor stays at the end", () => {
  assert.equal(linkTo("/learn/pente#main"), `${site.href}learn/?/pente#main`);
});

test("addresses that hosts and people write differently are understood", () => {
  assert.equal(here(`${site.href}index.html`).pathname, "/");
  assert.equal(here(`${site.href}puzzles/index.html?/pente-7`).pathname, "/puzzles/pente-7");
  assert.equal(here(`${site.href}analyse/?room=abc`).search, "?room=abc");
  assert.equal(here(`${site.href}?game=pente&from=elsewhere`).searchParams.get("game"), "pente");
  assert.equal(here(`${site.href}?`).pathname, "/");
});
