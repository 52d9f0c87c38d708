import assert from "node:assert/strict";
import { test } from "node:test";

import { Relay } from "../../src/pentad/web/site/static/instant/relay.js";

const GAME = { room: "kzjbw2m4xr", request: { game: "pentago" }, record: [{ type: "step", at: 0, steps: "a2 1C" }] };
const PATH = `/api/rooms/${GAME.room}`;

// A relay with workers that only note what they get.
function setUp({ hasFirst = true, early = [], kept = [] } = {}) {
  const worker = () => ({ dispatchEvent(event) { this[`on${event.type}`](event); }, sent: [], postMessage(message) { this.sent.push(message); }, terminate() { this.isOver = true; } });
  const [first, python] = [worker(), worker()];
  const received = [];
  const awaited = [];
  const games = new Map(kept.map((each) => [each.room, each]));
  const relay = new Relay({
    first: hasFirst ? { worker: first, early } : null,
    makePython: () => Object.assign(python, { isStarted: true }),
    receive: (message) => received.push(message),
    awaited: () => awaited.push(true),
    games: { keep: (begun) => games.set(begun.room, begun), all: () => [...games.values()], forget: (room) => games.delete(room) },
  });
  // What a worker sends.
  const from = (one, data) => one.onmessage({ data });
  // Python is there, and takes the games over.
  const start = async (stopped = { shown: [], waiting: [] }) => {
    from(python, { ready: true, isKept: true });
    await settled();
    if (first.sent.some((each) => each.stop)) from(first, { stopped: true, ...stopped });
    await settled();
    for (const each of python.sent.filter(({ path }) => path === "/api/begun")) from(python, { answer: each.request, status: 200 });
    await settled();
  };
  return { relay, first, python, received, awaited, games, from, start };
}

const settled = () => new Promise((settle) => setImmediate(settle));
const without = (sent, path) => sent.filter((each) => each.path !== path);

test("without a worker that plays at once Python starts at once", async () => {
  const { relay, python, awaited, received, start } = setUp({ hasFirst: false });
  assert.ok(python.isStarted && awaited.length);
  relay.send({ request: 1, method: "GET", path: "/api/games", body: null });
  assert.deepEqual(python.sent, []); // it has games to take over first
  await start();
  assert.deepEqual(python.sent.map((each) => each.path), ["/api/games"]);
  assert.deepEqual(received, [{ ready: true, isKept: true }]);
});

test("the first worker answers, and Python starts after the bot's answer", async () => {
  const { relay, first, python, awaited, received, from } = setUp();
  relay.send({ request: 1, method: "GET", path: "/api/games", body: null });
  from(first, { answer: 1, status: 200, body: "{}" });
  assert.deepEqual(received, [{ answer: 1, status: 200, body: "{}" }]);
  assert.ok(!python.isStarted);
  from(first, { answered: true });
  assert.ok(python.isStarted);
  assert.deepEqual(awaited, []); // nobody waits for it
});

test("Python starts if nobody moves for a while", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { relay, first, python, from } = setUp();
  context.mock.timers.tick(10_000); // the files of the first worker come slowly
  from(first, { prepared: true });
  relay.send({ open: 2, path: PATH });
  context.mock.timers.tick(2900);
  relay.send({ send: 2, text: "{}" });
  context.mock.timers.tick(2900);
  assert.ok(!python.isStarted);
  context.mock.timers.tick(100);
  assert.ok(python.isStarted);
});

test("what the first worker does not cover waits for Python", async () => {
  const { relay, first, python, awaited, from, start } = setUp();
  const patient = { request: 1, method: "GET", path: "/api/mine", body: null };
  relay.send(patient);
  from(first, { pass: patient, isPatient: true });
  assert.ok(!python.isStarted);
  const other = { request: 2, method: "GET", path: "/api/games/pente/options", body: null };
  relay.send(other);
  from(first, { pass: other });
  assert.ok(python.isStarted && awaited.length);
  await start();
  assert.deepEqual(python.sent, [patient, other]);
});

test("a game is taken over with what its client has and what is not answered", async () => {
  const { relay, first, python, received, games, from, start } = setUp();
  relay.send({ open: 2, path: PATH });
  from(first, { begun: GAME });
  assert.deepEqual([...games.values()], [GAME]);
  const late = { send: 2, text: JSON.stringify({ type: "hint", at: 0 }) };
  const hint = { send: 2, text: JSON.stringify({ type: "hint", at: 1 }) };
  for (const pass of [late, hint]) {
    relay.send(pass);
    from(first, { pass });
  }
  const waiting = { send: 2, text: JSON.stringify({ type: "undo", at: 1 }) };
  relay.send(waiting);
  const state = { type: "state", at: 1, position: "pentago …" };
  await start({ shown: [{ socket: 2, state }], waiting: [waiting] });
  assert.deepEqual(games.size, 0);
  assert.deepEqual(JSON.parse(python.sent[0].body), GAME);
  assert.deepEqual(without(python.sent, "/api/begun"), [{ open: 2, path: PATH }, hint, waiting]);
  assert.ok(first.isOver);
  received.length = 0;
  // The client has this state already.
  from(python, { socket: 2, opened: true });
  from(python, { socket: 2, text: JSON.stringify({ position: "pentago …", at: 1, type: "state" }) });
  assert.deepEqual(received, []);
  from(python, { socket: 2, text: '{"type":"played"}' });
  assert.deepEqual(received, [{ socket: 2, text: '{"type":"played"}' }]);
  relay.send({ send: 2, text: "{}" });
  assert.deepEqual(python.sent.at(-1), { send: 2, text: "{}" });
});

test("a state that the client does not have is shown", async () => {
  const { relay, first, python, received, from, start } = setUp();
  relay.send({ open: 2, path: PATH });
  from(first, { answered: true });
  await start({ shown: [{ socket: 2, state: { type: "state", at: 1 } }], waiting: [] });
  const other = { socket: 2, text: '{"type":"state","at":2}' };
  from(python, other);
  assert.deepEqual(received.at(-1), other);
});

test("what is sent while Python takes over waits for it", async () => {
  const { relay, first, python, from } = setUp();
  relay.send({ open: 2, path: PATH });
  from(first, { begun: GAME });
  from(first, { answered: true });
  from(python, { ready: true });
  await settled();
  const step = { send: 2, text: JSON.stringify({ type: "step", at: 1, steps: "b3" }) };
  relay.send(step);
  assert.ok(!first.sent.includes(step));
  from(first, { stopped: true, shown: [], waiting: [] });
  await settled();
  from(python, { answer: python.sent[0].request, status: 200 });
  await settled();
  assert.deepEqual(python.sent.slice(1), [{ open: 2, path: PATH }, step]);
});

test("games of pages that were closed are taken over, too", async () => {
  const { python, games, start } = setUp({ hasFirst: false, kept: [GAME] });
  await start();
  assert.deepEqual(JSON.parse(python.sent[0].body), GAME);
  assert.equal(games.size, 0);
});

for (const [name, fail] of Object.entries({
  "a script is missing": ({ first }) => first.onerror({ message: "" }),
  "WebAssembly is refused": ({ first, from }) => from(first, { failed: "CompileError" }),
})) {
  test(`Python plays alone if ${name}`, async (context) => {
    const warn = context.mock.method(console, "warn", () => {});
    const parts = setUp();
    const request = { request: 1, method: "GET", path: "/api/games", body: null };
    parts.relay.send(request);
    fail(parts);
    assert.equal(warn.mock.callCount(), 1);
    assert.ok(parts.python.isStarted && parts.awaited.length && parts.first.isOver);
    await parts.start();
    assert.deepEqual(parts.python.sent, [request]);
  });
}

test("what the first worker has sent before there is a relay is heard", (context) => {
  const warn = context.mock.method(console, "warn", () => {});
  assert.ok(setUp({ early: [{ type: "message", data: { answered: true } }] }).python.isStarted);
  assert.ok(setUp({ early: [{ type: "error", message: "" }] }).first.isOver);
  assert.equal(warn.mock.callCount(), 1);
});
