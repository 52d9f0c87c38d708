// Helpers of every page: elements, messages, and values stored in the browser.

import { phrase } from "./words.js";

/** @import { Elements } from "./elements.d.ts" */
/** @import { Health } from "./messages.d.ts" */

// The element of the page with an id; the caller knows that this page has it.
/** @type {<Id extends keyof Elements>(id: Id) => Elements[Id]} */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

// The element at which an event happened.
/** @template {Element} [Of=HTMLInputElement] @param {Event} event @returns {Of} */
export const targetOf = (event) => /** @type {Of} */ (event.target);

// The elements of the page that match a selector.
/** @template {Element} [Of=HTMLElement] @param {string} selector @param {ParentNode} root */
export const every = (selector, root = document) => [.../** @type {NodeListOf<Of>} */ (root.querySelectorAll(selector))];

/** @typedef {ReturnType<typeof setTimeout> | 0} Timer */

/** @param {string} text */
export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// A decoded part of an address; a malformed one is returned unchanged.
/** @param {string} part */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// The label for a name with underscores.
/** @param {string} name */
export const labelOf = (name) => capitalize(name.replaceAll("_", " "));

// An element with its properties and children; text children are never parsed as HTML.
/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<Omit<HTMLElementTagNameMap[Name], "role">> & Record<string, unknown>} properties
 * @param {...(Node | string | null)} children
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) Object.assign(element, { [key]: value });
    else element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** @param {string} text @param {() => void} act @param {object} [properties] */
export const button = (text, act, properties = {}) =>
  make("button", { type: "button", className: "choice", onclick: act, ...properties }, text);

// Shows some of the page's parts and hides the others.
/** @template {keyof Elements} Part @param {readonly Part[]} all @param {Part[]} shown */
export function showOnly(all, shown) {
  for (const each of all) byId(each).hidden = !shown.includes(each);
}

// A swatch of a colour, beside its name.
/** @param {string} colour */
export const dot = (colour) => make("span", { className: `dot ${colour}`, ariaHidden: "true" });

// Shows a message above the page until the next one, or hides it if the text is empty.
/** @param {string} text */
export function notify(text) {
  const line = byId("message");
  line.textContent = text;
  line.hidden = !text;
}

// Reads a text out to screen readers only.
/** @param {string} text @param {HTMLElement} line */
export function announce(text, line = byId("announcer")) {
  // Screen readers skip a repeated text unless it changes.
  line.textContent = line.textContent === text ? `${text}\u00a0` : text;
}

/** @param {unknown} error what was caught */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

// The message while engines are compiled, which happens once per machine.
/** @param {Pick<Health, "compiling" | "share">} health */
export function compilingText({ compiling, share }) {
  if (!compiling) return "The computer is getting ready.";
  const game = capitalize(compiling);
  if (share === null) return phrase("Preparing the {game} engine. This happens only once.", { game });
  const percent = Math.round(100 * share);
  return phrase("Preparing the {game} engine ({percent}%). This happens only once.", { game, percent });
}

// A value stored in this browser: a setting, progress, a saved game.
/**
 * @template T
 * @param {string} name
 * @param {T} fallback
 * @returns {T}
 */
export function saved(name, fallback) {
  try {
    const text = localStorage.getItem(name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {unknown} value */
export function save(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The browser stores nothing.
  }
}

// ── keyboard focus: moves to another element when the focused one disappears ──

/** @param {Element & { disabled?: boolean }} element */
const canHaveFocus = (element) => element.isConnected && !element.disabled && element.checkVisibility();

// Runs an update; if the focused element can have the focus no longer, the element that `fallback` returns gets it. In an
// update within another one, an element that the outer one has hidden is its affair.
/** @template T @param {() => HTMLElement | SVGElement | null} fallback @param {() => T} update */
export function keepFocus(fallback, update) {
  const had = document.activeElement;
  const hadFocus = had && had !== document.body && canHaveFocus(had);
  const result = update();
  if (hadFocus && !canHaveFocus(had) && (document.activeElement === had || document.activeElement === document.body)) fallback()?.focus({ preventScroll: true });
  return result;
}
