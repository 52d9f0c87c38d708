// Small things that every page does: finding elements, making them, and telling people what happened.

export const byId = (id) => document.getElementById(id);
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

// A part of an address as it was meant; what is no such part stays as it is.
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const plain = (name) => capital(name.replaceAll("_", " "));

// An element with its properties and children; a child that is a text is shown as such, never read as HTML.
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

// A sign for a colour, beside its name.
export const dot = (colour) => make("span", { className: `dot ${colour}`, ariaHidden: "true" });

// A line that floats above the page until something else happens; nothing takes it away.
export function tell(text) {
  const line = byId("message");
  line.textContent = text;
  line.hidden = !text;
}

// Said to screen readers alone.
export function announce(text) {
  const line = byId("announcer");
  // The same words twice are only read out again if something about them is new.
  line.textContent = line.textContent === text ? `${text}\u00a0` : text;
}

// Asks the server; throws an error whose message is the server's own line.
export async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const wish = { method };
  if (body !== undefined) {
    wish.headers = { "Content-Type": "application/json" };
    wish.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, wish);
  } catch {
    throw new Error("the server cannot be reached");
  }
  const told = answer.status === 204 ? null : await answer.json().catch(() => ({ error: `the server answers ${answer.status}` }));
  if (!answer.ok) throw new Error(told.error ?? `the server answers ${answer.status}`);
  return told;
}

// A line on which the server talks back.
export const dial = (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

// The code with which the server closes a line when there are too many from one address; the reason says so.
export const TOO_MANY = 4429;

// End such a line; one that is not there yet ends once it is, for a browser complains of those cut before.
export function hangUp(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket?.close();
}

// What is said while an engine is compiled, once a machine: what `/api/health` tells of it, in words.
export function preparing({ compiling, share }) {
  if (!compiling) return "The computer is getting ready.";
  const done = share === null ? "" : ` (${Math.round(100 * share)}%)`;
  return `Preparing the ${capital(compiling)} engine${done}. This happens only once on this machine.`;
}

// What a person chose for themselves and this browser keeps: sound, warnings, who is muted.
export function kept(name, usual) {
  try {
    const text = localStorage.getItem(name);
    return text === null ? usual : JSON.parse(text);
  } catch {
    return usual;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // not kept, then
  }
}
