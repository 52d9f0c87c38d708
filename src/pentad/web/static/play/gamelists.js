// Lists of games: open games and the player's own.

import { byId, make, messageOf } from "../dom.js";
import { fetchJson, linkTo } from "../server.js";
import { formatTime } from "./clocks.js";
import { PERSON, botName } from "./sidebar.js";

/** @import { GameListing } from "../messages.d.ts" */

export async function openGames() {
  const dialog = byId("games-dialog");
  for (const list of [byId("lobby"), byId("mine")]) list.replaceChildren(make("li", {}, "…"));
  byId("more-games").hidden = true;
  dialog.showModal();
  await Promise.all([fill("lobby", "No open games."), fill("mine", "No games yet.")]);
}

// Whether it is the player's turn.
/** @param {GameListing} game */
const isMoving = ({ yours, turn }) => turn !== null && yours.includes(turn);

// The number of games, except that of `room`, in which it is the player's turn against another person.
/** @param {string | null} room */
export async function countWaitingGames(room) {
  const games = await fetchJson("/api/mine");
  return games.filter((game) => game.waits && game.room !== room).length;
}

/** @param {"lobby" | "mine"} name @param {string} emptyText */
async function fill(name, emptyText) {
  let rows;
  try {
    const games = await fetchJson(`/api/${name}`);
    rows = games.map(row);
    if (name === "mine") offerMore(games);
  } catch (error) {
    rows = [make("li", {}, messageOf(error))];
  }
  byId(name).replaceChildren(...(rows.length ? rows : [make("li", { className: "soft" }, emptyText)]));
}

// The rest of the player's games, a page at a time.
/** @param {GameListing[]} games */
function offerMore(games) {
  const more = byId("more-games");
  const cursor = games.at(-1)?.cursor;
  more.hidden = !cursor;
  more.disabled = false;
  more.onclick = async () => {
    more.disabled = true;
    try {
      const next = await fetchJson(`/api/mine?after=${encodeURIComponent(cursor ?? "")}`);
      const rows = next.map(row);
      byId("mine").append(...rows);
      offerMore(next);
      rows[0]?.querySelector("a")?.focus();
    } catch (error) {
      more.disabled = false;
      byId("mine").append(make("li", {}, messageOf(error)));
    }
  };
}

// The players of a game, such as `You – Engine, level 2`.
/** @param {GameListing} game */
export function playersOf(game) {
  if (game.yours.length === game.seats.length) return "You, on all sides";
  /** @param {string} seat @param {number} i */
  const nameOf = (seat, i) => {
    if (game.yours.includes(i)) return "You";
    if (game.bots.includes(i)) return botName(seat);
    return seat === PERSON ? "Player" : seat || "Open seat";
  };
  return game.seats.map(nameOf).join(" – ");
}

// The options, the clock and the progress of a game.
/** @param {GameListing} game */
export function progressOf(game) {
  const moves = game.moves === 1 ? "1 move" : `${game.moves} moves`;
  const left = game.left !== null && isMoving(game) ? `${formatTime(Math.max(10, game.left), game.left > 2 * 3600)} left` : "";
  return [game.options, game.time, game.result ?? moves, left].filter(Boolean).join(" · ");
}

/** @param {GameListing} game */
function row(game) {
  const details = progressOf(game);
  const turn = isMoving(game) ? make("strong", { className: "turn" }, "Your turn") : "";
  const link = make("a", { href: linkTo(game.page) }, make("b", {}, game.title), ` ${playersOf(game)} `, turn, make("small", {}, details));
  return make("li", {}, link);
}
