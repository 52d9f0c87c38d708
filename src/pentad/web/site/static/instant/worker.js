// A worker that answers the first requests of a page, before Python is there: new games against bots and their rooms, boards,
// lessons and puzzles. Its name has that of the page and of the first game.
//
// Its messages are those of the worker with Python. What it does not cover it passes back: `{ pass: message }`.

import { load as loadFile } from "../python/files.js";
import { INSTANT } from "../python/version.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { HUMAN, Room } from "./room.js";
import { NotCovered } from "./turns.js";

/** @import { FromClient, NewRoom, ToClient } from "../../../static/messages.d.ts" */
/** @import { Boards } from "./boards.js" */
/** @typedef {{ name: string, request: NewRoom, room: Room, sockets: Set<number>, waiting: Array<{ send: number, text: string }>, isBusy: boolean }} Entry a room with its clients and the messages that wait */

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"; // of the names of rooms
const NAME_LENGTH = 10;
const PATIENT = ["/api/mine"]; // requests whose answers nobody waits for
const STORED = /^\/api\/puzzles\/[^/]+\/try$/; // the path of requests that Python notes, too, when it is there

const [page, first] = self.name.split(" ");
/** @type {Map<string, Promise<Game>>} */ const games = new Map();
/** @type {Map<string, Promise<Boards>>} */ const boards = new Map();
/** @type {Map<string, Promise<any>>} */ const exercises = new Map(); // data of lessons and puzzles, by their files
/** @type {Map<string, Promise<Uint8Array>>} */ const files = new Map();
/** @type {Map<string, Entry>} */ const rooms = new Map();
let hasAnswered = false;
let isOver = false; // once Python is there

const post = (/** @type {object} */ message) => self.postMessage(message);

// The JSON of a file.
/** @param {string} name @returns {Promise<any>} */
const read = async (name) => JSON.parse(new TextDecoder().decode(await loadFile(name)));

const fixed = read("instant/answers.json"); // the answers that are always the same, by their paths

// The value of a map for a name, made once.
/** @template Value @param {Map<string, Value>} map @param {string} name @param {(name: string) => Value} make */
function once(map, name, make) {
  const known = map.get(name) ?? make(name);
  map.set(name, known);
  return known;
}

const fileOf = (/** @type {string} */ path) => once(files, path, loadFile);
const gameOf = (/** @type {string} */ name) => once(games, name, load);
const dataOf = (/** @type {string} */ name) => once(exercises, name, (each) => read(`instant/${each}.json`));
// The Play page needs neither boards nor exercises.
const boardsOf = (/** @type {string} */ name) => once(boards, name, async (each) => {
  const [{ Boards }, game] = await Promise.all([import("./boards.js"), gameOf(each)]);
  return new Boards(game, game.room);
});
const judgeOf = async (/** @type {string} */ name) => {
  const [{ Exercises }, found] = await Promise.all([import("./exercises.js"), boardsOf(name)]);
  return new Exercises(found);
};

/** @param {string} name */
async function load(name) {
  if (!(name in INSTANT)) throw new NotCovered(name);
  const [module, { room, engine, levels }] = await Promise.all([loadFile(`instant/${name}.wasm`), read(`instant/${name}.json`)]);
  return new Game(await Engine.load(module, engine), room, levels, fileOf, () => read(`instant/${name}-flipped.json`));
}

// ── requests ──

// Which function answers which request, with the parts of its path and its body; what gives nothing is not covered.
/** @type {Array<[RegExp, (parts: string[], body: any) => Promise<object | null | undefined>]>} */
const ROUTES = [
  [/^GET \/api\/rooms\/([^/]+)\/positions\/(\d+)\?flip=(true|false)$/, ([room, moves, flip]) => earlier(rooms.get(room), Number(moves), flip === "true")],
  [/^POST \/api\/preview\?flip=(true|false)$/, ([flip], body) => preview(body, flip === "true")],
  [/^POST \/api\/rooms$/, (_, body) => openRoom(body)],
  [/^POST \/api\/board$/, async (_, body) => (await turned(gameIn(body.position), body.flip)).board(body)],
  [/^POST \/api\/board\/turn$/, async (_, body) => (await turned(gameIn(body.position), body.flip)).turn(body)],
  [/^POST \/api\/study\/line$/, async (_, body) => (await boardsOf(gameIn(body.start))).line(body)],
  [/^GET \/api\/lessons\/(\w+)$/, async ([game]) => (await exerciseOf(game, "lesson")).lesson],
  [/^POST \/api\/lessons\/check$/, async (_, body) => (await judgeOf(body.game)).check(await exerciseOf(body.game, "lesson"), body)],
  [/^GET \/api\/puzzles\/([\w-]+)$/, async ([id]) => (await puzzleOf(id)).puzzle],
  [/^POST \/api\/puzzles\/([\w-]+)\/try$/, async ([id], body) => (await judgeOf(gameIn(id))).attempt(await puzzleOf(id), body)],
  [/^POST \/api\/puzzles\/([\w-]+)\/hint$/, async ([id], body) => (await judgeOf(gameIn(id))).hint(await puzzleOf(id), body)],
  [/^GET \/api\/puzzles\/([\w-]+)\/solution$/, async ([id]) => (await puzzleOf(id)).solution],
];

// The name of the game with which the text of a position or of a puzzle begins.
const gameIn = (/** @type {string} */ text) => /^\w*/.exec(text)?.[0] ?? "";

// Boards of a game from a side.
/** @param {string} game */
async function turned(game, flip = false) {
  await (await gameOf(game)).turn(flip);
  return boardsOf(game);
}

/** @param {string} game @param {"lesson" | "puzzles"} kind */
async function exerciseOf(game, kind) {
  if (!(game in INSTANT)) throw new NotCovered(game);
  return dataOf(`${game}-${kind}`);
}

/** @param {string} id */
async function puzzleOf(id) {
  const found = (await exerciseOf(gameIn(id), "puzzles"))[id];
  if (!found) throw new NotCovered(id);
  return found;
}

// The status and the JSON of an answer; null if there is none here.
/** @param {string} method @param {string} path @param {string | null} body @returns {Promise<[number, object] | null>} */
async function answer(method, path, body) {
  const always = (await fixed)[path];
  if (method === "GET" && always) return [200, always];
  try {
    for (const [pattern, respond] of ROUTES) {
      const parts = pattern.exec(`${method} ${path}`);
      const found = parts && (await respond(parts.slice(1), body && JSON.parse(body)));
      if (found) return [path === "/api/rooms" ? 201 : 200, found];
    }
  } catch (error) {
    if (!(error instanceof NotCovered)) throw error;
  }
  return null;
}

/** @param {Entry | undefined} entry @param {number} moves @param {boolean} flip */
async function earlier(entry, moves, flip) {
  return entry && flip === (await gameOf(entry.request.game)).isFlipped ? entry.room.earlier(moves) : null;
}

/** @param {NewRoom} request @param {boolean} flip */
async function preview(request, flip) {
  const room = await newRoom(request);
  if (room) await (await gameOf(request.game)).turn(flip);
  return room?.state();
}

/** @param {NewRoom} request */
async function openRoom(request) {
  const room = await newRoom(request);
  if (!room || isOver) return null;
  const name = Array.from(crypto.getRandomValues(new Uint8Array(NAME_LENGTH)), (each) => LETTERS[each % LETTERS.length]).join("");
  const entry = { name, request, room, sockets: new Set(), waiting: [], isBusy: false };
  rooms.set(name, entry);
  note(entry);
  return { room: name, page: `/play/${name}` };
}

// A room for a request; null if it is for more than a game with the usual options, between people here and bots of known levels.
/** @param {NewRoom} request */
async function newRoom({ game, seats, options = {}, time = null, position = null, listed = false, name = "" }) {
  if (!(game in INSTANT) || !seats || Object.keys(options).length || time || position || listed || name) return null;
  preload(game);
  const rules = await gameOf(game);
  if (seats.length !== rules.room.colours.length || !seats.every((who) => who === HUMAN || who in rules.room.bots)) return null;
  rules.reset();
  return new Room(rules, rules.room, seats);
}

// ── rooms ──

// Notes what has happened in a room, so that Python can take it over.
/** @param {Entry} entry */
const note = ({ name, request, room }) => post({ begun: { room: name, request, record: room.record } });

/** @param {Entry} entry @param {ToClient} message */
function show({ sockets }, message) {
  for (const socket of sockets) post({ socket, text: JSON.stringify(message) });
}

// Shows the answers of a room, each after what it changed is noted.
/** @param {Entry} entry @param {AsyncGenerator<ToClient>} messages */
async function follow(entry, messages) {
  const { request, room } = entry;
  for await (const each of messages) {
    if (isOver) return;
    if (each.type !== "turn" && each.type !== "around") note(entry);
    show(entry, each);
    if (each.type === "played" && !room.isOwn(each.move.seat) && !hasAnswered) {
      hasAnswered = true;
      gameOf(request.game).then((game) => game.prepare()).then(() => post({ answered: true }), fail); // Python's files come after those of the bot's next answers
    }
  }
}

// Answers the messages that wait, one after the other.
/** @param {Entry} entry */
async function work(entry) {
  if (entry.isBusy) return;
  entry.isBusy = true;
  for (let next = entry.waiting.shift(); next && !isOver; next = entry.waiting.shift()) {
    try {
      await follow(entry, entry.room.receive(/** @type {FromClient} */ (JSON.parse(next.text))));
    } catch (error) {
      if (!(error instanceof NotCovered)) throw error;
      post({ pass: next });
    }
  }
  entry.isBusy = false;
}

/** @type {Record<string, (data: any) => Promise<void> | void>} */
const MESSAGES = {
  async request({ request: id, method, path, body }) {
    const found = await answer(method, path, body);
    if (isOver) return; // Python gets the request, too
    if (found) post({ answer: id, status: found[0], headers: {}, body: JSON.stringify(found[1]) });
    if (!found || STORED.test(path)) post({ pass: { request: id, method, path, body }, isPatient: Boolean(found) || PATIENT.includes(path) });
  },
  async open({ open: id, path }) {
    const [, name = "", flip = ""] = /^\/api\/rooms\/([^/?]+)(\?flip=true)?$/.exec(path) ?? [];
    const entry = rooms.get(name);
    if (!entry) return post({ pass: { open: id, path } });
    await (await gameOf(entry.request.game)).turn(Boolean(flip));
    entry.sockets.add(id);
    post({ socket: id, opened: true });
    show(entry, entry.room.state());
    await follow(entry, entry.room.playBots());
    return undefined;
  },
  send(message) {
    const entry = [...rooms.values()].find(({ sockets }) => sockets.has(message.send));
    if (!entry) return undefined;
    entry.waiting.push(message);
    return work(entry);
  },
  close({ close: id }) {
    for (const { sockets } of rooms.values()) sockets.delete(id);
  },
  // Ends all rooms: the states that their clients have, and the messages that have no answer yet.
  stop() {
    isOver = true;
    const all = [...rooms.values()];
    for (const { room } of all) room.leave();
    const shown = all.flatMap(({ room, sockets }) => [...sockets].map((socket) => ({ socket, state: room.state() })));
    post({ stopped: true, shown, waiting: all.flatMap(({ waiting }) => waiting) });
  },
};

/** @param {unknown} error */
const fail = (error) => post({ failed: String(error) });

self.addEventListener("unhandledrejection", ({ reason }) => fail(reason));
self.onmessage = ({ data }) => {
  const kind = Object.keys(MESSAGES).find((each) => each in data) ?? "";
  Promise.resolve(MESSAGES[kind](data)).catch(fail);
};

// Loads what a game's bot needs first; an error is reported where the file is needed.
/** @param {string} game */
function preload(game) {
  if (INSTANT[game]) fileOf(INSTANT[game]).catch(() => {});
}

// Python starts some time after the page has its first game; a board in a frame may never need it.
if (page === "play") preload(first);
gameOf(first).then((game) => (page === "play" ? game.prepare(1) : null)).then(() => page !== "embed" && post({ prepared: true }), fail);
