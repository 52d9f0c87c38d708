// The address of a position, the browser history, and the game trees stored in this window.

import { here, showPath } from "../server.js";

/** @import { Plain, Tree } from "./tree.js" */

const MAX_LINK = 6000; // characters; a longer link holds the position without the moves
const MAX_STORED_TREES = 8;
const SEPARATOR = "_"; // of moves; no notation contains it

// The address of the current node of a tree.
/** @param {Tree} tree */
export function address(tree) {
  if (tree.chapter) return studyLink(tree.chapter);
  const link = `/analyse?${lineQuery(tree)}`;
  return link.length <= MAX_LINK ? link : `/analyse?${new URLSearchParams({ start: tree.here.position })}`;
}

// The query with the moves to a node of a tree.
/** @param {Pick<Tree, "fresh" | "start" | "moves" | "current">} tree @param {number} [id] */
export function lineQuery(tree, id = tree.current) {
  /** @type {Record<string, string>} */
  const root = tree.fresh ? { game: tree.fresh } : { start: tree.start };
  const moves = tree.moves(id).join(SEPARATOR);
  return new URLSearchParams(moves ? { ...root, moves } : root);
}

// The address of a chapter, or of a study, to read.
/** @param {{ study: string, number?: number }} chapter */
export function studyLink({ study, number = 0 }) {
  /** @type {Record<string, string>} */
  const query = { study };
  if (number) query.chapter = String(number);
  return `/analyse?${new URLSearchParams(query)}`;
}

// The address of a study to edit. The key is in the fragment, which browsers do not send.
/** @param {string} study @param {string} key */
export const editLink = (study, key) => `${studyLink({ study })}#${new URLSearchParams({ key })}`;

// Whether the address names a game or a position.
export const isLink = () => here().search !== "";

/** @typedef {ReturnType<typeof addressRequest>} LinkRequest */

// The request in an address: a start with moves, or a room.
export function addressRequest({ searchParams: query, hash } = here()) {
  const moves = query.get("moves");
  return {
    start: query.get("start") ?? query.get("game"),
    moves: moves ? moves.split(SEPARATOR) : [],
    room: query.get("room"),
    study: query.get("study"),
    key: new URLSearchParams(hash.slice(1)).get("key") ?? "",
    chapter: Number(query.get("chapter")) || 0,
  };
}

// The request in a text that is a link; null for any other text. A link of another site holds at most a position: its games and
// studies are kept there.
/** @param {string} text @returns {LinkRequest | null} */
export function linkRequest(text) {
  const link = text.trim();
  if (!/^https?:\/\/\S+$/i.test(link)) return null;
  const url = read(link);
  const isOwn = url.origin === location.origin;
  const target = isOwn ? here(link) : url;
  const request = addressRequest(target);
  request.room ??= /^\/play\/([^/]+)$/.exec(target.pathname)?.[1] ?? null;
  if (!isOwn && (request.room || request.study)) throw new Error("This link leads to another site. Open it there.");
  if (!request.room && !request.study && request.start === null) throw new Error("This link has no board.");
  return request;
}

/** @param {string} link */
function read(link) {
  try {
    return new URL(link);
  } catch {
    throw new Error("This link is incomplete.");
  }
}

/** @param {Tree} tree */
const state = (tree) => ({ tree: tree.key, node: tree.current });

/** @param {Tree} tree */
export function push(tree) {
  const link = address(tree);
  if (link === here().pathname + here().search) return replace(tree);
  try {
    showPath(link, { state: state(tree) });
  } catch {
    replace(tree); // browsers limit the rate
  }
}

/** @param {Tree} tree */
export function replace(tree) {
  try {
    showPath(address(tree), { replace: true, state: state(tree) });
  } catch {
    // Browsers limit the rate; the address is updated with the next move.
  }
}

// ── trees stored for this window ──

/** @param {string} key */
const name = (key) => `study:${key}`;

/** @param {Pick<Tree, "key"> & { plain: object }} tree */
export function storeTree(tree) {
  try {
    const keys = [tree.key, ...storedKeys().filter((key) => key !== tree.key)];
    for (const old of keys.splice(MAX_STORED_TREES)) sessionStorage.removeItem(name(old));
    sessionStorage.setItem("study", JSON.stringify(keys));
    sessionStorage.setItem(name(tree.key), JSON.stringify(tree.plain));
  } catch {
    // Too large to store; the address still holds the line.
  }
}

/** @returns {string[]} */
function storedKeys() {
  try {
    return JSON.parse(sessionStorage.getItem("study") ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string} key @returns {Plain | null} */
export function storedTree(key) {
  try {
    return JSON.parse(sessionStorage.getItem(name(key)) ?? "null");
  } catch {
    return null;
  }
}
