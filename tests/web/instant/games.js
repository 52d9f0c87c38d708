// Plays games in a page's engine that Python has played, and prints what differs: node instant_games.js FOLDER
// FOLDER has module.wasm, description.json, and games.jsonl: each line a game of steps [legal actions, action, result] and,
// before a turn of the bot, its level and random numbers.

import fs from "node:fs";
import { Engine } from "../../../src/pentad/web/static/instant/engine.js";

const [folder] = process.argv.slice(2);
const description = JSON.parse(fs.readFileSync(`${folder}/description.json`, "utf8"));
const module = fs.readFileSync(`${folder}/module.wasm`);

// An engine with the first files of data.
async function engineWith(/** @type {number} */ count) {
  const engine = await Engine.load(module, description);
  for (const path of engine.paths.slice(0, count)) engine.add(fs.readFileSync(new URL(`../../../src/pentad/${path}`, import.meta.url)));
  return engine;
}

// Everyone and no one are the same: a draw.
const settled = (/** @type {number} */ winners) => (winners === 3 ? 0 : winners);

const engines = [await engineWith(1), await engineWith(description.files.length)];
const counts = { games: 0, steps: 0, turns: 0, early: 0 };
/** @type {string[]} */ const differences = [];
const differ = (/** @type {unknown[]} */ ...what) => differences.push(JSON.stringify([counts.games, counts.steps, ...what]));

for (const line of fs.readFileSync(`${folder}/games.jsonl`, "utf8").trim().split("\n")) {
  counts.games++;
  for (const engine of engines) engine.reset();
  /** @type {number[][]} */ let expected = [];
  for (const event of JSON.parse(line)) {
    if (!Array.isArray(event)) {
      const able = engines.filter((engine) => engine.level(event.level));
      expected = able.map((engine) => engine.choose(event.level, event));
      counts.turns++;
      counts.early += able.length - 1;
      continue;
    }
    const [legal, action, result] = event;
    counts.steps++;
    for (const turn of expected) if (turn.length && turn.shift() !== action) differ("turn", action);
    for (const engine of engines) {
      const found = engine.legal();
      if (JSON.stringify(found) !== JSON.stringify(legal)) differ("legal", found, legal);
      engine.play(action);
      if (settled(engine.result) !== result) differ("result", engine.result, result);
    }
  }
}
console.log(JSON.stringify({ counts, differences: differences.slice(0, 5), all: differences.length }));
