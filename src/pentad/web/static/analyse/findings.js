// What the engine panel says of a position, from what is known of it. All lines come from here, so that none denies another:
// what is proved comes before the reason why something is not known.

import { capitalize } from "../dom.js";
import { exactText } from "./values.js";
import { phrase } from "../words.js";

/** @import { Report, Values } from "./connection.js" */
/** @import { Node, Tree } from "./tree.js" */

/** @typedef {{ kind: "thinking", reason: string } | { kind: "queued", place: number } | { kind: "lost", isLocal: boolean } | { kind: "failed", error: string } | { kind: "done" }} Search the search for the best lines; `isLocal` says that the engine is one of the user's machine */
/** @typedef {{ kind: "none" } | { kind: "solving", place: number } | { kind: "unsolved", error: string } | { kind: "values", answer: Values }} Solution the search for the exact value of every move */
/** @typedef {{ tree: Tree, node: Node, mover: number, over: boolean, report: Report | null, search: Search, solution: Solution }} Known */

export const THINKING = "Thinking…";
export const NO_LOCAL = "No engine answers at this address, or it does not allow this page. Trying again…";
const SOLVING = "Computing exact values of all moves…";

// The lines about the exact value and about the engine; one that has nothing to say is empty.
/** @param {Known} known */
export const linesOf = (known) => (known.over ? { exact: "", engine: "The game is over." } : { exact: exactLine(known), engine: engineLine(known) });

/** @param {Known} known */
function exactLine(known) {
  const { solution, search } = known;
  const value = provedValue(known);
  if (value !== null) {
    const claim = claimOf(known);
    const hasNoLength = !claim && value && search.kind === "done";
    return [
      phrase("Exact value: {verdict}.", { verdict: claim || verdict(known, Math.sign(value)) }),
      hasNoLength ? "The length of the win is not known." : "",
      restOf(known),
    ].filter(Boolean).join(" ");
  }
  if (solution.kind === "unsolved") return search.kind === "failed" && search.error === solution.error ? "" : solution.error;
  return solvingText(known);
}

// What is said of the moves beside the value of the position.
/** @param {Known} known */
function restOf(known) {
  const { solution } = known;
  if (solution.kind === "values") return solution.answer.summary;
  return solution.kind === "unsolved" ? "The values of the other moves are not known." : solvingText(known);
}

/** @param {Known} known */
function solvingText({ search, solution }) {
  if (solution.kind !== "solving" || search.kind === "failed" || search.kind === "done") return "";
  return solution.place > 0 ? phrase("Exact values: waiting. Place in the queue: {place}.", { place: solution.place }) : SOLVING;
}

// The proved value of the position for the player to move; null if nothing is proved.
/** @param {Known} known */
function provedValue({ node, mover, report, solution }) {
  if (solution.kind === "values") return solution.answer.values[mover];
  if (report?.exact) return report.lines[0]?.value ?? null;
  return node.proved ? (node.values?.[mover] ?? null) : null;
}

/** @param {Known} known @param {number} value */
const verdict = ({ tree, node, mover }, value) => (value ? capitalize(exactText(tree, node, mover, value)) : "a draw");

// The proved result of the best line, with the colour of the player to move; empty if the line has none.
/** @param {Known} known */
function claimOf({ tree, node, mover, report }) {
  const claim = report?.lines[0]?.claim;
  return claim ? `${capitalize(tree.coloursAt(node)[mover])} ${claim}` : "";
}

/** @param {Known} known */
function engineLine({ search, report, solution, node }) {
  if (search.kind === "lost") return search.isLocal ? NO_LOCAL : "The server cannot be reached. Trying again…";
  if (search.kind === "failed") return search.error;
  if (search.kind === "queued") return phrase("Waiting for an engine. Place in the queue: {place}.", { place: search.place });
  if (solution.kind === "values") return "";
  if (report) return searchText(report, node.proved);
  return search.kind === "thinking" ? [THINKING, search.reason].filter(Boolean).join(" ") : "No result within the time limit.";
}

/** @param {Report} report @param {boolean} isProved */
function searchText({ depth, nodes, seconds, exact, player }, isProved) {
  if (player) return phrase("Move by {player} after {seconds} s", { player, seconds: seconds.toFixed(1) });
  const rate = seconds > 0 ? Math.round(nodes / seconds) : 0;
  return [
    phrase("Depth {depth}", { depth }),
    phrase("{nodes:,} nodes", { nodes }),
    rate ? phrase("{rate:,} nodes/s", { rate }) : "",
    exact ? "" : isProved ? "moves estimated" : "estimate",
  ].filter(Boolean).join(" · ");
}
