// A position's link, the browser's history of where one was, and the trees that this window keeps.

const LONGEST = 6000; // characters of a link; a longer one tells the position alone
const KEPT = 8; // trees
const BETWEEN = "_"; // moves, which no notation has in it

// The address of where one stands in a tree.
export function address(tree) {
  const begin = tree.fresh ? { game: tree.fresh } : { start: tree.start };
  const moves = tree.moves().join(BETWEEN);
  const link = `/analyse?${new URLSearchParams(moves ? { ...begin, moves } : begin)}`;
  return link.length <= LONGEST ? link : `/analyse?${new URLSearchParams({ start: tree.here.position })}`;
}

// What the address asks for: a line from somewhere, a room's game, or nothing; and whether it shall be reviewed.
export function asked() {
  const words = new URLSearchParams(location.search);
  const moves = words.get("moves");
  return {
    start: words.get("start") ?? words.get("game"),
    moves: moves ? moves.split(BETWEEN) : [],
    room: words.get("room"),
    review: words.has("review"),
  };
}

const state = (tree) => ({ tree: tree.key, node: tree.current });

export function push(tree) {
  const link = address(tree);
  if (link === location.pathname + location.search) return replace(tree);
  try {
    history.pushState(state(tree), "", link);
  } catch {
    replace(tree); // browsers bound how often a second
  }
}

export function replace(tree) {
  try {
    history.replaceState(state(tree), "", address(tree));
  } catch {
    // then the address lags behind until the next move
  }
}

// ── trees kept while the window is open ──

const name = (key) => `study:${key}`;

export function keepTree(tree) {
  try {
    const keys = [tree.key, ...stored().filter((key) => key !== tree.key)];
    for (const gone of keys.splice(KEPT)) sessionStorage.removeItem(name(gone));
    sessionStorage.setItem("study", JSON.stringify(keys));
    sessionStorage.setItem(name(tree.key), JSON.stringify(tree.plain));
  } catch {
    // too large to be kept: the address still tells the line
  }
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem("study") ?? "[]");
  } catch {
    return [];
  }
}

export function keptTree(key) {
  try {
    return JSON.parse(sessionStorage.getItem(name(key)) ?? "null");
  } catch {
    return null;
  }
}
