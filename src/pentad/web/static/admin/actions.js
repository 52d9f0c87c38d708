// What an operator does: a dialog with what an action needs, a reason, and the question whether it is meant.

import { byId, messageOf } from "../dom.js";
import { fetchJson } from "../server.js";

/** @import { OperatorAction } from "../messages.d.ts" */
/**
 * An action to ask about. `about` says what it does; `words` and `times` are the labels of a text and of a time, if it needs
 * them; the target is a field if it is missing.
 * @typedef {{
 *   kind: OperatorAction["kind"], target?: string, title: string, about?: string, button: string, words?: string, text?: string,
 *   times?: string, reason?: boolean,
 * }} Question
 */

const CONFLICT = 409; // the status for the operator's own network
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** @type {Array<[string, number | null]>} */
const BANS = [["1 hour", 60 * MINUTE], ["1 day", DAY], ["7 days", 7 * DAY], ["30 days", 30 * DAY], ["1 year", 365 * DAY], ["For good", null]];
/** @type {Array<[string, number | null]>} */
const CLOSINGS = [["Now", 0], ["1 minute", MINUTE], ["5 minutes", 5 * MINUTE], ["10 minutes", 10 * MINUTE], ["30 minutes", 30 * MINUTE], ["1 hour", 60 * MINUTE]];

/** @type {Question | null} */ let question = null;
let isSure = false;
let done = () => {};

// Sends an action that needs no question.
/** @param {Partial<OperatorAction> & Pick<OperatorAction, "kind">} action */
export const act = (action) => fetchJson("/api/admin/actions", action);

// Asks about an action and does it; `then` is called when it is done.
/** @param {Question} asked @param {() => void} then */
export function ask(asked, then) {
  [question, done, isSure] = [asked, then, false];
  byId("act-form").reset();
  byId("act-title").textContent = asked.title;
  byId("act-about").textContent = asked.about ?? "";
  byId("act-about").hidden = !asked.about;
  byId("act-target-row").hidden = asked.target !== undefined;
  byId("act-words-row").hidden = !asked.words;
  byId("act-words-label").textContent = asked.words ?? "";
  byId("act-words").value = asked.text ?? "";
  byId("act-time-row").hidden = !asked.times;
  byId("act-time-label").textContent = asked.times ?? "";
  byId("act-time").replaceChildren(...timesOf(asked).map(([name], i) => new Option(name, String(i))));
  byId("act-time").selectedIndex = asked.kind === "close" ? 3 : 2;
  byId("act-reason-row").hidden = asked.reason === false;
  byId("act-submit").textContent = asked.button;
  showError("");
  byId("act-dialog").showModal();
}

/** @param {Question} asked */
const timesOf = ({ kind }) => (kind === "close" ? CLOSINGS : BANS);

/** @param {string} text */
function showError(text) {
  byId("act-error").textContent = text;
  byId("act-error").hidden = !text;
}

// The action that the dialog describes.
/** @param {Question} asked @returns {OperatorAction} */
function actionOf(asked) {
  const seconds = asked.times ? timesOf(asked)[byId("act-time").selectedIndex][1] : null;
  return {
    kind: asked.kind,
    target: asked.target ?? byId("act-target").value.trim(),
    until: seconds === null ? null : Date.now() / 1000 + seconds,
    text: asked.words ? byId("act-words").value : "",
    reason: byId("act-reason").value,
    sure: isSure,
  };
}

byId("act-cancel").addEventListener("click", () => byId("act-dialog").close());
byId("act-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!question) return;
  byId("act-submit").disabled = true;
  try {
    await act(actionOf(question));
    byId("act-dialog").close();
    done();
  } catch (error) {
    if (error instanceof Error && error.cause === CONFLICT) isSure = true; // the message asks; the next press means it
    showError(messageOf(error));
  } finally {
    byId("act-submit").disabled = false;
  }
});
