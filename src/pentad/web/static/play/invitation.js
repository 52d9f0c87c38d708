// The invitation: the link for an open seat with its QR code, and whether devices in the local network can follow it.

import { byId, messageOf } from "../dom.js";
import { addressOf, fetchJson, here, linkTo, shareableLink } from "../server.js";
import { chosenStrength } from "./opponents.js";
import { showNote } from "./notes.js";
import { OPEN } from "./sidebar.js";

/** @import { StateMessage } from "../messages.d.ts" */
/** @import { Network } from "./state.js" */

// Shows the link for an open seat, or the form to take it.
/** @param {StateMessage} state @param {Network | null} network */
export function showOpenSeat(state, network) {
  const open = state.seats.some((seat) => seat.who === OPEN) && !state.outcome;
  const wasHidden = byId("share").hidden;
  byId("share").hidden = !(open && state.seats.some((seat) => seat.yours));
  if (wasHidden && !byId("share").hidden) byId("share").scrollIntoView({ block: "nearest" });
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

// Hides the QR code, whose link may be another one now.
export function closeCode() {
  byId("code-picture").hidden = true;
  byId("code").ariaExpanded = "false";
}

/** @param {{ roomPath: () => string, know: (network: Network) => void }} page */
export function initInvitation({ roomPath, know }) {
  byId("copy").addEventListener("click", copyLink);
  byId("send").hidden = !("share" in navigator); // phones have it
  byId("send").addEventListener("click", () => navigator.share({ title: document.title, url: byId("link").value }).catch(() => {}));
  byId("code").addEventListener("click", async () => {
    const picture = byId("code-picture");
    picture.hidden = !picture.hidden;
    byId("code").ariaExpanded = String(!picture.hidden);
    // The browser must not show the code of an earlier link.
    if (!picture.hidden) picture.src = await addressOf(`${roomPath()}/code.svg?at=${new URL(byId("link").value).host}`);
  });
  /** @param {boolean} open */
  const share = async (open) => {
    try {
      know(await fetchJson("/api/network", { open }, "PUT"));
      closeCode();
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
