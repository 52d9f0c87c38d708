// The dialog with the other people of a game, who can be blocked and muted there.

import { byId, messageOf } from "../dom.js";
import { rowsOf } from "../people.js";
import { fetchJson } from "../server.js";

// Opens the dialog about a game.
/** @param {string} room */
export async function openPeople(room) {
  const path = /** @type {const} */ (`/api/rooms/${room}/people`);
  byId("people-about").textContent = "Loading…";
  byId("people-list").replaceChildren();
  byId("people-dialog").showModal();
  try {
    const people = await fetchJson(path);
    byId("people-about").textContent = people.length ? "" : "Nobody else plays or writes here.";
    byId("people-list").replaceChildren(...rowsOf(people, (decision) => fetchJson(path, decision, "PUT")));
  } catch (error) {
    byId("people-about").textContent = messageOf(error);
  }
}
