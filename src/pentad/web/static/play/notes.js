// Messages on the Play page.

import { byId, every, notify } from "../dom.js";

const NOTE_ROOM = 40; // pixels above the bottom of the moves that a message needs

// Shows a message where it covers no name, clock or action: above the board, or beside the prompt once that is scrolled away.
/** @param {string} text */
export function showNote(text) {
  const [moves, area, notes] = [".moves", ".status-area", ".notes"].map((each) => every(each)[0]);
  if (moves.getBoundingClientRect().bottom > NOTE_ROOM) moves.after(notes);
  else area.prepend(notes);
  notify(text);
  byId("offer").scrollIntoView({ block: "nearest" }); // the message may have pushed it away; nothing happens without an offer
}
