// The page of an account: its name, its recovery code, and the devices where it is signed in.

import { announce, button, byId, make, messageOf, notify, save } from "../dom.js";
import { dateOf } from "../games/rows.js";
import { rowsOf } from "../people.js";
import { fetchJson } from "../server.js";
import { phrase, plural } from "../words.js";
import { copyOnClick, showError } from "./parts.js";
import { hasPasskeys, makePasskey } from "./webauthn.js";

/** @import { AccountView, PasskeyView, SessionView } from "../messages.d.ts" */

// Does what a button asks; an error is shown above the page.
/** @param {() => Promise<unknown>} work */
async function attempt(work) {
  try {
    notify("");
    await work();
  } catch (error) {
    notify(messageOf(error));
  }
}

async function load() {
  const account = await fetchJson("/api/account");
  byId("no-account").hidden = Boolean(account.name);
  byId("own-account").hidden = !account.name;
  byId("account-status").textContent = statusOf(account);
  if (account.name) show(account);
  const people = await fetchJson("/api/mine/people");
  byId("related").hidden = !people.length;
  byId("related-people").replaceChildren(...rowsOf(people, (decision) => fetchJson("/api/mine/people", decision, "PUT")));
  byId("account-page").ariaBusy = "false";
}

/** @param {AccountView} account */
function statusOf({ name, games, created }) {
  const count = plural(games, "1 game", "{count} games");
  return name ? phrase("{count} · since {date}", { count, date: dateOf(created, new Date()) }) : phrase("{count} in this browser.", { count });
}

/** @param {AccountView} account */
function show(account) {
  byId("account-name").textContent = account.name;
  byId("new-name").value = account.name;
  byId("code-about").textContent = account.has_code
    ? "Your name and your code sign you in on any device. A new code ends the one before."
    : "You have no recovery code. Make one, so that you can sign in without your passkeys.";
  byId("devices").replaceChildren(...account.sessions.map(device));
  byId("passkeys").replaceChildren(...account.passkeys.map(passkey));
  byId("passkeys-about").textContent = hasPasskeys()
    ? "A passkey signs you in by the fingerprint, the face or the PIN of a device."
    : "Passkeys need https and a server with a name. Here the recovery code signs you in.";
  byId("add-passkey").hidden = !hasPasskeys();
}

/** @param {string} browser @param {string} details */
const textOf = (browser, details) => make("span", { className: "text" }, make("b", {}, browser || "Unknown browser"), make("small", {}, details));

/** @param {PasskeyView} key */
function passkey({ name, browser, created }) {
  const remove = () => attempt(async () => {
    await fetchJson(/** @type {const} */ (`/api/account/passkeys/${name}/remove`), {});
    await load();
    (hasPasskeys() ? byId("add-passkey") : byId("new-code")).focus(); // the button that had the focus is gone
    announce("Passkey removed.");
  });
  const made = dateOf(created, new Date());
  return make("li", {}, textOf(browser, phrase("made {date}", { date: made })), button("Remove", remove, { ariaLabel: phrase("Remove the passkey of {browser}", { browser }) }));
}

/** @param {SessionView} session */
function device({ name, browser, seen, here }) {
  if (here) return make("li", {}, textOf(browser, "this device"));
  const revoke = () => attempt(async () => {
    await fetchJson(/** @type {const} */ (`/api/account/sessions/${name}/revoke`), {});
    await load();
    byId("add-device").focus(); // the button that had the focus is gone
    announce("Signed out there.");
  });
  const when = phrase("last visit {date}", { date: dateOf(seen, new Date()) });
  return make("li", {}, textOf(browser, when), button("Sign out", revoke, { ariaLabel: phrase("Sign out of {browser}", { browser }) }));
}

byId("rename").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const { name } = await fetchJson("/api/account/name", { name: byId("new-name").value.trim() }, "PUT");
    save("name", name);
    await load();
    announce("Name changed.");
  });
});
byId("new-code").addEventListener("click", () => attempt(async () => {
  const { code } = await fetchJson("/api/account/code", {});
  byId("made-code").textContent = code;
  byId("code-shown").hidden = byId("made-copy").hidden = false;
  byId("code-about").textContent = "Write this code down, or save it: it is shown only now.";
}));
byId("add-passkey").addEventListener("click", () => attempt(async () => {
  const { options } = await fetchJson("/api/account/passkeys/options", {});
  await fetchJson("/api/account/passkeys", { credential: await makePasskey(options) });
  await load();
  announce("Passkey added.");
}));
byId("add-device").addEventListener("click", () => attempt(async () => {
  const { url, svg } = await fetchJson("/api/account/link", {});
  byId("device-code").src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  byId("device-link").href = url;
  byId("device-dialog").showModal();
}));
byId("device-dialog").addEventListener("close", () => attempt(load));
byId("sign-out").addEventListener("click", () => attempt(async () => {
  await fetchJson("/api/sign-out", {});
  location.assign("/sign-in");
}));

byId("delete-account").addEventListener("click", () => {
  byId("erase-form").reset();
  showError("erase-error", "");
  byId("erase-dialog").showModal();
});
byId("erase-cancel").addEventListener("click", () => byId("erase-dialog").close());
byId("erase-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await fetchJson("/api/account/delete", { name: byId("erase-name").value });
    save("name", "");
    location.assign("/");
  } catch (error) {
    showError("erase-error", messageOf(error));
  }
});

copyOnClick();
attempt(load);
