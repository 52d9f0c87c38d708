// Passkeys of the browser: made and used with the options of the server, and written as JSON in which bytes are base64url.

/** @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));

/** @param {ArrayBuffer | null} buffer */
const base64 = (buffer) => buffer && btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

// Whether this page can use passkeys: over https or on this machine, at a name, as an address in numbers has none.
export const hasPasskeys = () => isSecureContext && "PublicKeyCredential" in globalThis && !/^\[|^[\d.]+$/.test(location.hostname);

// The description of a passkey that the options have, with its id as bytes.
/** @param {{ id: string }} known */
const described = (known) => ({ ...known, id: bytes(known.id) });

// Makes a passkey; throws an error if the user does not want it, or if the device has one.
/** @param {string} options */
export async function makePasskey(options) {
  const publicKey = JSON.parse(options);
  publicKey.challenge = bytes(publicKey.challenge);
  publicKey.user.id = bytes(publicKey.user.id);
  publicKey.excludeCredentials = (publicKey.excludeCredentials ?? []).map(described);
  const made = await asked(navigator.credentials.create({ publicKey }));
  const { clientDataJSON, attestationObject } = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return written(made, { clientDataJSON: base64(clientDataJSON), attestationObject: base64(attestationObject) });
}

// Signs in by a passkey that the user picks.
/** @param {string} options */
export async function usePasskey(options) {
  const publicKey = JSON.parse(options);
  publicKey.challenge = bytes(publicKey.challenge);
  publicKey.allowCredentials = (publicKey.allowCredentials ?? []).map(described);
  const used = await asked(navigator.credentials.get({ publicKey }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  return written(used, {
    clientDataJSON: base64(clientDataJSON),
    authenticatorData: base64(authenticatorData),
    signature: base64(signature),
    userHandle: base64(userHandle),
  });
}

/** @param {Promise<Credential | null>} request @returns {Promise<PublicKeyCredential>} */
async function asked(request) {
  let found;
  try {
    found = await request;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") throw new Error("This device has a passkey of this account already.", { cause: error });
    throw new Error("No passkey was used. Try again, or use a recovery code.", { cause: error });
  }
  return /** @type {PublicKeyCredential} */ (found);
}

/** @param {PublicKeyCredential} credential @param {object} response */
const written = ({ id, rawId, type }, response) => JSON.stringify({ id, rawId: base64(rawId), type, response, clientExtensionResults: {} });
