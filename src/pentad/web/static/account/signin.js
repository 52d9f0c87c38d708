// The page on which a person signs in, or makes an account.

import { byId, messageOf, save, saved } from "../dom.js";
import { fetchJson, here, showPath } from "../server.js";
import { phrase, plural } from "../words.js";
import { copyOnClick, showError } from "./parts.js";
import { hasPasskeys, makePasskey, usePasskey } from "./webauthn.js";

const SECRET = /^#([\w-]{20,})$/; // of a link from another device

// Goes on to the page of the account, with its name for the next games.
/** @param {string} name */
function goOn(name) {
  save("name", name);
  location.assign("/account");
}

async function load() {
  try {
    const { name, games } = await fetchJson("/api/account");
    byId("signed-in-as").hidden = !name;
    byId("signed-in-name").textContent = name;
    byId("new-account").hidden = Boolean(name);
    byId("coming-along").hidden = !games || Boolean(name);
    byId("coming-along").textContent = plural(games, "1 game of this browser comes along.", "{count} games of this browser come along.");
  } catch (error) {
    showError("code-error", messageOf(error));
  }
}

// Does what a button asks, which is off meanwhile; an error is shown beside it.
/**
 * @param {"passkey-use" | "new-passkey"} id @param {"new-error" | "passkey-error"} error
 * @param {() => Promise<{ name: string }>} work
 */
function onClick(id, error, work) {
  byId(id).addEventListener("click", async () => {
    byId(id).disabled = true;
    showError(error, "");
    try {
      goOn((await work()).name);
    } catch (failed) {
      showError(error, messageOf(failed));
    } finally {
      byId(id).disabled = false;
    }
  });
}

byId("code-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    goOn((await fetchJson("/api/sign-in", { name: byId("code-name").value.trim(), code: byId("code").value })).name);
  } catch (error) {
    showError("code-error", messageOf(error));
  }
});

byId("new-account").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { name, code } = await fetchJson("/api/sign-up", { name: byId("new-name").value.trim() });
    save("name", name);
    for (const card of document.querySelectorAll(".card")) /** @type {HTMLElement} */ (card).hidden = card !== byId("made");
    byId("made-code").textContent = code;
    byId("made-title").focus();
  } catch (error) {
    showError("new-error", messageOf(error));
  }
});

onClick("passkey-use", "passkey-error", async () => {
  const { options } = await fetchJson("/api/sign-in/passkey/options", {});
  return fetchJson("/api/sign-in/passkey", { credential: await usePasskey(options) });
});
onClick("new-passkey", "new-error", async () => {
  const { options } = await fetchJson("/api/sign-up/passkey/options", { name: byId("new-name").value.trim() });
  return fetchJson("/api/sign-up/passkey", { credential: await makePasskey(options) });
});

// Asks whether to sign in by the link in the address, where its secret does not stay.
async function followLink() {
  const secret = SECRET.exec(here().hash)?.[1];
  if (!secret) return;
  showPath("/sign-in", { replace: true });
  byId("link-card").hidden = false;
  byId("link-title").focus();
  try {
    const { name } = await fetchJson("/api/sign-in/link/look", { secret });
    byId("link-about").textContent = phrase("You will be signed in on this device as {name}.", { name });
    byId("link-use").hidden = false;
    byId("link-use").onclick = async () => {
      try {
        goOn((await fetchJson("/api/sign-in/link", { secret })).name);
      } catch (error) {
        byId("link-about").textContent = messageOf(error);
      }
    };
  } catch (error) {
    byId("link-about").textContent = messageOf(error);
  }
}

copyOnClick();
byId("passkey-card").hidden = byId("new-passkey").hidden = !hasPasskeys();
byId("new-name").value = saved("name", "");
addEventListener("hashchange", followLink); // the link was opened where the page was already
load();
followLink();
