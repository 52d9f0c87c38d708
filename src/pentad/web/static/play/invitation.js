// The invitation: the link for an open seat with its QR code, and whether devices in the local network can follow it.

import { byId, capitalize, messageOf, saved } from "../dom.js";
import { addressOf, fetchJson, here, linkTo, shareableLink } from "../server.js";
import { setName } from "../settings/preferences.js";
import { chosenStrength } from "./opponents.js";
import { showNote } from "./notes.js";
import { OPEN, PERSON } from "./sidebar.js";
import { clockSentence } from "./terms.js";
import { phrase, plural } from "../words.js";

/** @import { StateMessage } from "../messages.d.ts" */
/** @import { Network } from "./state.js" */

// Shows the link for an open seat, or the form to take it.
/** @param {StateMessage} state @param {Network | null} network */
export function showOpenSeat(state, network) {
  const open = state.seats.some((seat) => seat.who === OPEN) && !state.outcome;
  const wasHidden = byId("share").hidden;
  byId("share").hidden = !(open && state.seats.some((seat) => seat.yours));
  if (wasHidden && !byId("share").hidden) byId("share").scrollIntoView({ block: "nearest" });
  if (!wasHidden && byId("share").hidden) scrollTo(0, 0); // to the board, which the link had pushed away
  if (wasHidden) byId("share-name").value = saved("name", "");
  byId("share-text").textContent = state.listed
    ? "Waiting for a stranger. The game is among the open games. Its link:"
    : "Send this link to your opponent:";
  byId("invitation").textContent = invitationText(state);
  byId("invited").textContent = phrase("They read: “{invitation}”", { invitation: invitationText(state) });
  byId("visitors").textContent = state.watching
    ? plural(state.watching, "One person has opened the game.", "{count} people have opened the game.")
    : "Nobody has opened the game yet.";
  byId("join").hidden = !state.can.sit;
  byId("meanwhile").href = linkTo(`/play?game=${state.game}&against=computer&strength=${chosenStrength()}`);
  const { origin, hostname, pathname } = new URL(shareableLink(here().pathname));
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  byId("link").value = (isLocal && network?.others ? network.others : origin) + pathname;
  const canShare = isLocal && network?.can_share;
  byId("local-only").hidden = !isLocal || network?.others !== "";
  byId("lan-option").hidden = canShare === true;
  byId("let-in").hidden = !canShare || network.others !== "";
  byId("shut-out").hidden = !canShare || network.others === "";
}

// Who invites to what, for the first open seat.
/** @param {Pick<StateMessage, "seats" | "title" | "time">} state */
export function invitationText({ seats, title, time }) {
  const host = seats.find((seat) => seat.who === PERSON)?.name;
  const colour = capitalize(seats.find((seat) => seat.who === OPEN)?.colour ?? "");
  const [game, terms] = [title, clockSentence(time)];
  return host
    ? phrase("{host} invites you to {game}, {terms}. You play {colour}.", { host, game, terms, colour })
    : phrase("You are invited to {game}, {terms}. You play {colour}.", { game, terms, colour });
}

// Hides the QR code, whose link may be another one now.
export function closeCode() {
  byId("code-picture").hidden = true;
  byId("code").ariaExpanded = "false";
}

/** @param {{ roomPath: () => string, know: (network: Network) => void }} page */
export function initInvitation({ roomPath, know }) {
  byId("copy").addEventListener("click", copyLink);
  byId("share-name").addEventListener("change", () => setName(byId("share-name").value));
  byId("send").hidden = !("share" in navigator); // phones have it
  byId("send").addEventListener("click", () => navigator.share({ title: document.title, url: byId("link").value }).catch(() => {}));
  const showCode = async () => {
    byId("code-picture").hidden = false;
    byId("code").ariaExpanded = "true";
    // The browser must not show the code of an earlier link.
    byId("code-picture").src = await addressOf(`${roomPath()}/code.svg?at=${new URL(byId("link").value).host}`);
  };
  byId("code").addEventListener("click", () => (byId("code-picture").hidden ? showCode() : closeCode()));
  /** @param {boolean} open */
  const share = async (open) => {
    try {
      know(await fetchJson("/api/network", { open }, "PUT"));
      closeCode();
      if (open) await showCode(); // for the phone of somebody who is near
    } catch (error) {
      showNote(messageOf(error));
    }
  };
  byId("let-in").addEventListener("click", () => share(true));
  byId("shut-out").addEventListener("click", () => share(false));
}

async function copyLink() {
  byId("link").select();
  try {
    await navigator.clipboard.writeText(byId("link").value);
    showNote("Link copied.");
  } catch {
    showNote("The link is selected. Copy it with the keyboard or a long press.");
  }
}
