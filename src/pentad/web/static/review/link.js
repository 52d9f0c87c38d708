// The games of reviews: their addresses, and what this window stores of them for other pages.

import { lineQuery, storedTree, storeTree } from "../analyse/link.js";
import { Tree, newKey } from "../analyse/tree.js";
import { here } from "../server.js";

// The query of a game in the address of its review, whoever looks at it.
/** @param {string} search */
export function gameQuery(search) {
  const query = new URLSearchParams(search);
  for (const name of ["seat", "learn"]) query.delete(name);
  return query.toString();
}

// The key under which this window stores the game at an address with its findings.
/** @param {string} search */
export const keyOf = (search) => `review:${gameQuery(search)}`;

// The game of this page's address with the findings of its review in this window, as another tree; null if there is none.
export function reviewedTree() {
  const stored = storedTree(keyOf(here().search));
  return stored ? Object.assign(new Tree(stored), { key: newKey() }) : null;
}

// The path of the mistakes in a tree's main line, which this window stores with its findings.
/** @param {Tree} tree */
export function mistakesPath(tree) {
  const query = lineQuery(tree, tree.line(0).at(-1)?.id);
  const plain = { ...tree.plain, key: keyOf(query.toString()), chapter: undefined };
  storeTree({ key: plain.key, plain });
  return `/review?${query}&learn=`;
}
