// A bot of Pente for the engine protocol (docs/reference/protocol.md), explained in docs/tutorials/bot.md:
//
//     pentad play pente --black "ugi:node examples/adder.js"
//
// It plays the point whose lines of five promise most, for either side.

import { createInterface } from "node:readline";

const COLUMNS = "ABCDEFGHJKLMNOPQRST"; // without I
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];
let board = []; // rows from the bottom, a string of w, b and . each
let placed = 0; // stones so far, with the captured ones

/** Reads a position such as `pente 19/9w9/… 0,2`: the rows from the top, then the stones that each side has captured. */
function read(text) {
  const words = text.split(" ");
  const rows = words.find((word) => word.includes("/"));
  board = rows.replace(/\d+/g, (empty) => ".".repeat(empty)).split("/").reverse();
  const [byWhite, byBlack] = words.at(-1).split(",").map(Number);
  placed = board.join("").replaceAll(".", "").length + byWhite + byBlack;
}

/** Whether a stone may go to a point: the first in the centre, the third at least three points away from it. */
function isLegal(column, row) {
  const centre = (board.length - 1) / 2;
  const distance = Math.max(Math.abs(column - centre), Math.abs(row - centre));
  const opening = placed === 0 ? distance === 0 : placed !== 2 || distance >= 3;
  return opening && board[row][column] === ".";
}

/** The sum over the lines of five through a point; one with stones of both sides is worth nothing. */
function weight(column, row) {
  let sum = 0;
  for (const [right, up] of DIRECTIONS) {
    for (let start = -4; start <= 0; start++) {
      const at = [0, 1, 2, 3, 4].map((i) => board[row + (start + i) * up]?.[column + (start + i) * right]);
      if (at.includes(undefined)) continue; // beyond the edge
      const [white, black] = ["w", "b"].map((colour) => at.filter((each) => each === colour).length);
      const [mine, theirs] = placed % 2 ? [black, white] : [white, black];
      sum += (theirs ? 0 : 2 * 100 ** mine) + (mine ? 0 : 100 ** theirs);
    }
  }
  return sum;
}

function bestMove() {
  const rows = [...board.keys()];
  const points = rows.flatMap((row) => rows.map((column) => [column, row])).filter((point) => isLegal(...point));
  const [column, row] = points.reduce((best, point) => (weight(...point) > weight(...best) ? point : best));
  return COLUMNS[column] + (row + 1);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "ugi") console.log("id name adder.js\nugiok");
  else if (line === "isready") console.log("readyok");
  else if (line.startsWith("position fen ")) read(line);
  else if (line.startsWith("go")) console.log(`bestmove ${bestMove()}`);
  else if (line === "quit") process.exit();
});
