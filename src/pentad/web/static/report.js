// Reports to the operators of the server: a dialog with the reason and a few words, about a game, a chat message or a study.

import { byId, every, messageOf } from "./dom.js";
import { whetherReportsAreRead } from "./announcements.js";
import { fetchJson } from "./server.js";

/** @import { NewReport } from "./messages.d.ts" */
/** @typedef {Pick<NewReport, "place" | "name" | "part">} Place */

const THANKS = "Thank you. The report was sent.";

// Shows the button where somebody reads reports. `place` returns what is reported, null if there is nothing yet; `lines` are
// the numbers and texts of the chat messages that can be meant; `say` shows a message.
/** @param {{ place: () => Place | null, lines?: () => Array<[number, string]>, say: (text: string) => void }} page */
export function initReports({ place, lines = () => [], say }) {
  const dialog = byId("report-dialog");
  whetherReportsAreRead((taken) => (byId("report").hidden = !taken));
  byId("report").addEventListener("click", () => {
    if (!place()) return say("There is nothing to report yet.");
    const said = lines();
    byId("report-line-row").hidden = !said.length;
    byId("report-line").replaceChildren(new Option("The whole game", ""), ...said.map(([number, text]) => new Option(text, String(number))));
    byId("report-form").reset();
    showError("");
    dialog.showModal();
    return undefined;
  });
  byId("report-cancel").addEventListener("click", () => dialog.close());
  byId("report-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const where = place();
    if (!where) return;
    const line = byId("report-line").value;
    const [send] = /** @type {HTMLButtonElement[]} */ (every("#report-form [type=submit]"));
    send.disabled = true;
    try {
      const reason = /** @type {NewReport["reason"]} */ (byId("report-reason").value);
      await fetchJson("/api/reports", { ...where, chat: line ? Number(line) : null, reason, text: byId("report-text").value });
      dialog.close();
      say(THANKS);
    } catch (error) {
      showError(messageOf(error));
    } finally {
      send.disabled = false;
    }
  });
}

/** @param {string} text */
function showError(text) {
  byId("report-error").textContent = text;
  byId("report-error").hidden = !text;
}
