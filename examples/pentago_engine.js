// A small Pentago engine in another language than Python, for the engine protocol (docs/reference/protocol.md):
//
//     pentad play pentago --white "ugi:node examples/pentago_engine.js"
//
// It plays the classic game for two. It searches two turns deep, the most promising moves first, and answers `stop`.

import { createInterface } from "node:readline";

const SIZE = 6;
const LINE = 5;
const LETTERS = "bw";
const WIN = 1_000_000;
const REPLIES = 60; // moves whose replies are searched, the best ones by their evaluation
const SLICE = 20; // milliseconds of a search between two looks at the input

const rows = "abcdef";
const cells = Array.from({ length: SIZE * SIZE }, (_, cell) => cell);

// The rows of five, as lists of cells.
const lines = [];
for (let row = 0; row < SIZE; row++) {
  for (let column = 0; column < SIZE; column++) {
    for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const end = [row + (LINE - 1) * down, column + (LINE - 1) * right];
      if (end[0] < SIZE && end[1] >= 0 && end[1] < SIZE) {
        lines.push(Array.from({ length: LINE }, (_, i) => (row + i * down) * SIZE + column + i * right));
      }
    }
  }
}

// The twists, by name: each maps a cell to the one whose marble comes there.
const twists = ["1", "2", "3", "4"].flatMap((name, number) => {
  const [top, left] = [3 * Math.floor(number / 2), 3 * (number % 2)];
  return ["C", "A"].map((turn) => {
    const from = [...cells];
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        const [r, c] = turn === "C" ? [2 - column, row] : [column, 2 - row];
        from[(top + row) * SIZE + left + column] = (top + r) * SIZE + left + c;
      }
    }
    return { name: name + turn, from };
  });
});

/** A board: for each cell the seat of its marble, or -1; and the seat to move. */
function readPosition(text) {
  const words = text.trim().split(/\s+/);
  if (words[0] === "pentago") words.shift();
  const board = words[0]?.replaceAll("/", "");
  if (words.length !== 1 || !new RegExp(`^[.${LETTERS}]{${cells.length}}$`).test(board)) {
    throw new Error("Expected a position of classic Pentago for two.");
  }
  const marbles = [...board].map((letter) => LETTERS.indexOf(letter));
  return { marbles, turn: marbles.filter((seat) => seat >= 0).length % 2 };
}

function place({ marbles, turn }, cell) {
  const placed = [...marbles];
  placed[cell] = turn;
  return placed;
}

function holdsLine(marbles, seat) {
  return lines.some((line) => line.every((cell) => marbles[cell] === seat));
}

/** The result for the seat that has just moved: WIN, -WIN, 0 for a draw; undefined while the game goes on. */
function resultFor(marbles, seat) {
  const [mine, theirs] = [holdsLine(marbles, seat), holdsLine(marbles, 1 - seat)];
  if (mine || theirs) return mine === theirs ? 0 : mine ? WIN : -WIN;
  return marbles.includes(-1) ? undefined : 0;
}

/** The open lines of a seat less those of the other one; a line counts more with each marble. */
function evaluate(marbles, seat) {
  let value = 0;
  for (const line of lines) {
    let [mine, theirs] = [0, 0];
    for (const cell of line) {
      if (marbles[cell] === seat) mine++;
      else if (marbles[cell] >= 0) theirs++;
    }
    if (!theirs) value += 4 ** mine;
    else if (!mine) value -= 4 ** theirs;
  }
  return value;
}

/** All moves with the positions after them; a placement that completes a line ends the game, without a twist. */
function* moves(position) {
  for (const cell of cells.filter((each) => position.marbles[each] < 0)) {
    const name = rows[Math.floor(cell / SIZE)] + (cell % SIZE);
    const placed = place(position, cell);
    if (holdsLine(placed, position.turn)) {
      yield { word: name, marbles: placed, result: WIN };
      continue;
    }
    for (const twist of twists) {
      const marbles = twist.from.map((from) => placed[from]);
      yield { word: `${name}_${twist.name}`, marbles, result: resultFor(marbles, position.turn) };
    }
  }
}

/** The value of the best reply to a move, for the seat that replies; at least `enough` ends the search. */
function bestReply(marbles, seat, enough) {
  let best = -Infinity;
  for (const move of moves({ marbles, turn: seat })) {
    best = Math.max(best, move.result ?? evaluate(move.marbles, seat));
    if (best >= enough) break;
  }
  return best;
}

let search = null; // the search in progress: a stop ends it

/** Searches in slices, so that `stop` is heard between them, and sends the best move. */
function go(position, milliseconds) {
  const began = Date.now();
  const { turn } = position;
  const ranked = [...moves(position)]
    .map((move) => ({ ...move, value: move.result ?? evaluate(move.marbles, turn) }))
    .sort((one, other) => other.value - one.value);
  let [best, value, next] = [ranked[0], -Infinity, 0];
  const finish = () => {
    search = null;
    const score = Math.round(100 * Math.tanh((value === -Infinity ? best.value : value) / 4000));
    send(`info depth ${next ? 2 : 1} nodes ${next} time ${Date.now() - began} score cp ${score} pv ${best.word}`);
    send(`bestmove ${best.word}`);
  };
  const slice = () => {
    if (search !== slice) return;
    const until = Date.now() + SLICE;
    while (next < Math.min(REPLIES, ranked.length) && Date.now() < until && value < WIN) {
      const move = ranked[next++];
      const found = move.result ?? -bestReply(move.marbles, 1 - turn, -value);
      if (found > value) [best, value] = [move, found];
    }
    const isOver = next >= Math.min(REPLIES, ranked.length) || value >= WIN;
    if (!isOver && Date.now() - began < milliseconds) setImmediate(slice);
    else if (milliseconds < Infinity) finish(); // else `stop` will
  };
  search = Object.assign(slice, { finish });
  setImmediate(slice);
}

// ── the protocol ──────────────────────────────────────────────────────────────────────────────────

let position = readPosition("......".repeat(SIZE));

function send(line) {
  process.stdout.write(`${line}\n`);
}

function play(word) {
  const move = [...moves(position)].find((each) => each.word === word);
  if (!move) throw new Error(`${word} is not a legal move.`);
  position = { marbles: move.marbles, turn: 1 - position.turn };
}

const commands = {
  ugi() {
    ["id name pentago_engine.js", "id author the pentad developers", "ugiok"].forEach(send);
  },
  isready: () => send("readyok"),
  position(words) {
    const at = words.includes("moves") ? words.indexOf("moves") : words.length;
    position = readPosition(words[0] === "startpos" ? "......".repeat(SIZE) : words.slice(1, at).join(" "));
    words.slice(at + 1).forEach(play);
  },
  query([what]) {
    const result = resultFor(position.marbles, 0);
    const winner = result > 0 ? "p1win" : result < 0 ? "p2win" : "draw";
    const isOver = result !== undefined;
    send(`response ${{ gameover: isOver, p1turn: position.turn === 0, result: isOver ? winner : "none" }[what]}`);
  },
  go(words) {
    const limit = words.indexOf("movetime");
    if (resultFor(position.marbles, 0) !== undefined) send("bestmove none");
    else go(position, limit < 0 ? Infinity : 0.8 * Number(words[limit + 1]));
  },
  stop: () => search?.finish(),
  quit: () => process.exit(0),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...words] = line.trim().split(/\s+/);
  try {
    commands[word]?.(words);
  } catch (error) {
    send(`info string Error: ${error.message}`);
  }
});
