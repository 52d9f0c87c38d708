// The files of Python, each compressed with gzip: from the browser's cache, else from the host.

import { LoadingFailed } from "./failures.js";
import { FILES, VERSION } from "./version.js";
import { phrase } from "../words.js";

/** @typedef {(loaded: number) => void} Progress called with the bytes of each piece that arrives */

const CACHE = "pentad python";
const site = new URL("../../../", import.meta.url); // this module is in static/HASH/python/
const snapshotAddress = new URL(`python/snapshot-${VERSION}`, site);

// The bytes of a file.
/** @param {string} name @param {Progress} [progress] @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function load(name, progress = () => {}) {
  const stored = await kept(addressOf(name));
  if (stored?.length === FILES[name].size) return stored;
  const bytes = await download(name, progress);
  await keep(addressOf(name), bytes);
  return bytes;
}

// The snapshot of Python's memory that an earlier visit left, or null.
export const loadSnapshot = () => kept(snapshotAddress);

/** @param {Uint8Array<ArrayBuffer>} bytes */
export const keepSnapshot = (bytes) => keep(snapshotAddress, bytes);

export const dropSnapshot = async () => void (await (await cache())?.delete(snapshotAddress));

/** @param {string} name */
const addressOf = (name) => new URL(FILES[name].path, site);

async function cache() {
  try {
    return await globalThis.caches?.open(CACHE);
  } catch {
    return undefined; // the browser stores nothing
  }
}

const LENGTH = "X-Length"; // the header with the number of bytes, as half a snapshot ends the whole page

// The bytes that are kept for an address, or null.
/** @param {URL} address */
async function kept(address) {
  const stored = await (await cache())?.match(address);
  const bytes = stored ? new Uint8Array(await stored.arrayBuffer()) : null;
  return bytes?.length === Number(stored?.headers.get(LENGTH)) ? bytes : null;
}

/** @param {URL} address @param {Uint8Array<ArrayBuffer>} bytes */
async function keep(address, bytes) {
  try {
    await (await cache())?.put(address, new Response(bytes, { headers: { [LENGTH]: String(bytes.length) } }));
  } catch {
    // The storage is full: the next visit loads the file again.
  }
}

/** @param {string} name @param {Progress} progress @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function download(name, progress) {
  const { size, hash } = FILES[name];
  let why = "";
  for (const mode of /** @type {const} */ (["default", "reload"])) {
    // The second attempt does not trust what an earlier one has left in a cache.
    let response;
    try {
      response = await fetch(`${addressOf(name)}.gz`, { cache: mode });
    } catch {
      why = "it cannot be reached";
      continue;
    }
    if (!response.ok || !response.body) {
      why = response.status === 404 ? "it is missing" : phrase("the host answered with status {status}", { status: response.status });
      continue;
    }
    try {
      const bytes = await read(response.body, progress);
      // Some hosts declare the file's compression, and the browser has undone it.
      const plain = isCompressed(bytes) ? await decompressed(bytes) : bytes;
      if (plain.length !== size) why = phrase("it has {length} of {size} bytes", { length: plain.length, size });
      else if (await differs(plain, hash)) why = "it is damaged";
      else return plain;
    } catch {
      why = "it is damaged or incomplete";
    }
  }
  throw new LoadingFailed(phrase("The file {file} of this site cannot be loaded: {reason}. Reload the page to try again.", { file: name, reason: why }));
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} body @param {Progress} progress */
async function read(body, progress) {
  const reader = body.getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    progress(part.value.length);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @param {Uint8Array} bytes */
const isCompressed = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function decompressed(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Browsers offer hashes only to pages that come encrypted or from this machine.
/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} hash */
async function differs(bytes, hash) {
  if (!globalThis.crypto?.subtle) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((each) => each.toString(16).padStart(2, "0")).join("") !== hash;
}
