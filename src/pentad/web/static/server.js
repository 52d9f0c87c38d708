// Requests to the server, its sockets, and the addresses of pages.
//
// No other module knows where pentad's paths, such as `/puzzles/12` or `/api/games`, lie in the browser's addresses.

import { phrase } from "./words.js";

/** @import { Answer } from "./messages.d.ts" */
/** @typedef {Pick<WebSocket, "addEventListener" | "send" | "close" | "readyState">} Socket */

// ── requests ──

// Sends a request and returns the JSON of the response; throws an error with the server's message.
/**
 * @template {string} Path
 * @param {Path} path
 * @param {object} [body]
 * @param {string} [method]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Answer<Path>>}
 */
export async function fetchJson(path, body, method = body === undefined ? "GET" : "POST", headers = {}) {
  const type = { "Content-Type": "application/json" };
  const options = body === undefined ? { method, headers } : { method, headers: { ...type, ...headers }, body: JSON.stringify(body) };
  const response = await answerTo(path, options);
  if (response.status === 204) return /** @type {any} */ (null);
  return response.json().catch(() => Promise.reject(new Error(unreadable(response))));
}

// The text of a response; throws an error with the server's message.
/** @param {string} path */
export async function fetchText(path) {
  return (await answerTo(path)).text();
}

/** @param {string} path @param {RequestInit} [options] */
async function answerTo(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server cannot be reached.");
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new Error(error ?? unreadable(response), { cause: response.status });
}

/** @param {Response} response */
const unreadable = ({ status }) => phrase("The server answered with status {status}.", { status });

// ── sockets ──

/** @param {string} path @returns {Socket} */
export const openSocket = (path) =>
  new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

// The milliseconds after which a silent connection is taken for dead, by how long a fast server may be silent.
/** @param {number} milliseconds */
export const silence = (milliseconds) => milliseconds;

// The close codes of a server that takes no connection now: too many from one address, a ban, maintenance. The close reason
// is the message.
export const TURNED_AWAY = [4429, 4403, 4503];

// The close code of a server that stops; another one may already be there.
export const RESTART = 1012;

// Closes a socket; one that is still connecting is closed once open, since browsers log a warning otherwise.
/** @param {Socket | null} socket */
export function closeSocket(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket?.close();
}

// ── addresses ──

// An address from which the browser itself can load what a path names: a picture or a download.
/** @param {string} path */
export const addressOf = (path) => Promise.resolve(path);

// The path, the query and the fragment of this page, or of a link to another one.
/** @returns {Pick<URL, "pathname" | "search" | "searchParams" | "hash">} */
export const here = (address = location.href) => new URL(address);

// The address of a page, for links.
/** @param {string} path */
export const linkTo = (path) => path;

// The address of a page, to give to other people; by default of this page.
export const shareableLink = (path = location.pathname + location.search) => location.origin + path;

// Changes the address of this page, with a new entry in the browser's history or in place of the current one.
/** @param {string} path @param {{ replace?: boolean, state?: unknown }} how */
export function showPath(path, { replace = false, state = null } = {}) {
  history[replace ? "replaceState" : "pushState"](state, "", path);
}

// Whether there is a server that gives pages the rules of games.
export const givesRules = true;

// Whether there is a server that keeps studies.
export const keepsStudies = true;

// ── offline ──

// Lets pages open without a network: the service worker caches this page with all its files.
export function registerOffline() {
  if ("serviceWorker" in navigator) addEventListener("load", cachePage);
}

async function cachePage() {
  try {
    await navigator.serviceWorker.register("/worker.js");
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const own = files.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
    active?.postMessage({ page: location.pathname, files: [...new Set(own.map(({ pathname }) => pathname))] });
  } catch {
    // The browser stores nothing: pages need a network.
  }
}
