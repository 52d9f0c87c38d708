// Helpers of every page: elements, messages, requests, sockets, and values stored in the browser.

export const byId = (id) => document.getElementById(id);
export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// A decoded part of an address; a malformed one is returned unchanged.
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// The label for a name with underscores.
export const labelOf = (name) => capitalize(name.replaceAll("_", " "));

// An element with its properties and children; text children are never parsed as HTML.
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const button = (text, act, properties = {}) =>
  make("button", { type: "button", className: "choice", onclick: act, ...properties }, text);

// A swatch of a colour, beside its name.
export const dot = (colour) => make("span", { className: `dot ${colour}`, ariaHidden: "true" });

// Shows a message above the page until the next one, or hides it if the text is empty.
export function notify(text) {
  const line = byId("message");
  line.textContent = text;
  line.hidden = !text;
}

// Reads a text out to screen readers only.
export function announce(text) {
  const line = byId("announcer");
  // Screen readers skip a repeated text unless it changes.
  line.textContent = line.textContent === text ? `${text}\u00a0` : text;
}

// Sends a request and returns the JSON of the response; throws an error with the server's message.
export async function fetchJson(path, body, method = body === undefined ? "GET" : "POST") {
  const options = { method };
  if (body !== undefined) {
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server cannot be reached.");
  }
  const unreadable = `The server answered with status ${response.status}.`;
  const json = response.status === 204 ? null : await response.json().catch(() => ({ error: unreadable }));
  if (!response.ok) throw new Error(json.error ?? unreadable);
  return json;
}

export const openSocket = (path) =>
  new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

// The close code for too many connections from one address; the close reason is the message.
export const TOO_MANY = 4429;

// Closes a socket; one that is still connecting is closed once open, since browsers log a warning otherwise.
export function closeSocket(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket?.close();
}

// The message while engines are compiled, which happens once per machine; takes the answer of `/api/health`.
export function compilingText({ compiling, share }) {
  if (!compiling) return "The computer is getting ready.";
  const percent = share === null ? "" : ` (${Math.round(100 * share)}%)`;
  return `Preparing the ${capitalize(compiling)} engine${percent}. This happens only once on this machine.`;
}

// A value stored in this browser: a setting, progress, a saved game.
export function saved(name, fallback) {
  try {
    const text = localStorage.getItem(name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

export function save(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The browser stores nothing.
  }
}
