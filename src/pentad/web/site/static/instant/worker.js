// A worker that answers the first requests of the play page, before Python is there: new games against bots and their rooms.
//
// Its messages are those of the worker with Python. What it does not cover it passes back: `{ pass: message }`.

import { load as loadFile } from "../python/files.js";
import { INSTANT } from "../python/version.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { HUMAN, NotCovered, Room } from "./room.js";

/** @import { FromClient, NewRoom, ToClient } from "../../../static/messages.d.ts" */
/** @typedef {{ name: string, request: NewRoom, room: Room, sockets: Set<number>, waiting: Array<{ send: number, text: string }>, isBusy: boolean }} Entry a room with its clients and the messages that wait */

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"; // of the names of rooms
const NAME_LENGTH = 10;
const PATIENT = ["/api/mine"]; // requests whose answers nobody waits for

/** @type {Map<string, Promise<Game>>} */ const games = new Map();
/** @type {Map<string, Promise<Uint8Array>>} */ const files = new Map();
/** @type {Map<string, Entry>} */ const rooms = new Map();
let hasAnswered = false;
let isOver = false; // once Python is there

const post = (/** @type {object} */ message) => self.postMessage(message);

// The JSON of a file.
/** @param {string} name @returns {Promise<any>} */
const read = async (name) => JSON.parse(new TextDecoder().decode(await loadFile(name)));

const fixed = read("instant/answers.json"); // the answers that are always the same, by their paths

// The bytes of a file, loaded once.
/** @param {string} path */
function fileOf(path) {
  const known = files.get(path) ?? loadFile(path);
  files.set(path, known);
  return known;
}

// A game, loaded once.
/** @param {string} name */
function gameOf(name) {
  const known = games.get(name) ?? load(name);
  games.set(name, known);
  return known;
}

/** @param {string} name */
async function load(name) {
  if (INSTANT[name]) fileOf(INSTANT[name]).catch(() => {}); // meanwhile; an error is reported where the file is needed
  const [module, { room, engine, levels }] = await Promise.all([loadFile(`instant/${name}.wasm`), read(`instant/${name}.json`)]);
  return new Game(await Engine.load(module, engine), room, levels, fileOf, () => read(`instant/${name}-flipped.json`));
}

// ── requests ──

// The status and the JSON of an answer; null if there is none here.
/** @param {string} method @param {string} path @param {string | null} body @returns {Promise<[number, object] | null>} */
async function answer(method, path, body) {
  const always = (await fixed)[path];
  if (method === "GET" && always) return [200, always];
  const [, name, moves, flip] = /^\/api\/rooms\/([^/]+)\/positions\/(\d+)\?flip=(true|false)$/.exec(path) ?? [];
  const shown = rooms.get(name);
  const found = shown && flip === String((await gameOf(shown.request.game)).isFlipped) && shown.room.earlier(Number(moves));
  if (method === "GET" && found) return [200, found];
  if (method !== "POST" || !["/api/preview?flip=true", "/api/preview?flip=false", "/api/rooms"].includes(path)) return null;
  const request = /** @type {NewRoom} */ (JSON.parse(body ?? ""));
  const room = await newRoom(request);
  if (!room || isOver) return null;
  if (path !== "/api/rooms") {
    await (await gameOf(request.game)).turn(path.endsWith("true"));
    return [200, room.state()];
  }
  const newName = Array.from(crypto.getRandomValues(new Uint8Array(NAME_LENGTH)), (each) => LETTERS[each % LETTERS.length]).join("");
  const entry = { name: newName, request, room, sockets: new Set(), waiting: [], isBusy: false };
  rooms.set(newName, entry);
  note(entry);
  return [201, { room: newName, page: `/play/${newName}` }];
}

// A room for a request; null if it is for more than a game with the usual options, between people here and bots of known levels.
/** @param {NewRoom} request */
async function newRoom({ game, seats, options = {}, time = null, position = null, listed = false, name = "" }) {
  if (!(game in INSTANT) || !seats || Object.keys(options).length || time || position || listed || name) return null;
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
    else post({ pass: { request: id, method, path, body }, isPatient: PATIENT.includes(path) });
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
gameOf(self.name).then((game) => game.prepare(1)).then(() => post({ prepared: true }), fail);
