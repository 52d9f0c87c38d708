// What the builder writes into `version.js`.

export const VERSION: string;
/** Python's files by their names: where they are, and their sizes in bytes. */
export const FILES: Record<string, { path: string; size: number; packed: number; hash: string }>;
/** Those that engines need later. */
export const LATER: string[];
/** Pyodide's list of packages, which is empty. */
export const LOCK: object;
/** The address of a server for games with friends, or nothing. */
export const FRIENDS_SERVER: string;
/** The games that the page plays before Python is there, each with the file that its bot needs first. */
export const INSTANT: Record<string, string>;
