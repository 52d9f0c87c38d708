import assert from "node:assert/strict";
import { test } from "node:test";

import { listed, phrase, phraseNodes, plural } from "../../src/pentad/web/static/words.js";

test("gaps are filled by their names", () => {
  assert.equal(phrase("{player} moved to {place}, {player}.", { player: "Ada", place: "a2" }), "Ada moved to a2, Ada.");
  assert.equal(phrase("{states:,} of {all} states", { states: 1200, all: 1200 }), "1,200 of 1200 states");
  assert.equal(phrase("{first} {second}", { first: "{second}", second: "{}" }), "{second} {}");
  assert.deepEqual(phraseNodes("Play on {link}.", { link: [] }), ["Play on ", [], "."]);
});

test("numbers have their nouns", () => {
  const games = (count) => plural(count, "{name}: 1 game", "{name}: {count:,} games", { name: "Pente" });
  assert.deepEqual([0, 1, 1200].map(games), ["Pente: 0 games", "Pente: 1 game", "Pente: 1,200 games"]);
});

test("names are listed", () => {
  assert.deepEqual([[], ["Ada"], ["Ada", "Bob"], ["Ada", "Bob", "Cleo"]].map(listed), ["", "Ada", "Ada and Bob", "Ada, Bob and Cleo"]);
});
