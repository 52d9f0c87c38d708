// Rows of games in this browser: IndexedDB, or memory where the browser stores nothing.
//
// A list of operations runs in one transaction: all of them take effect or none. Each gives a result:
//   ["get", table, key]                        the row, or null
//   ["all", table]                             all rows
//   ["of", table, game]                        the rows of a game, in the order of their numbers
//   ["add", table, row]                        1; an existing key ends the transaction
//   ["put", table, row]                        1
//   ["change", table, key, expected, changes]  1; a row without the expected values ends the transaction
//   ["remove", table, key]                     1; rows of a game with it, as `removeOf` says

/** @typedef {Record<string, any>} Row */
/** @typedef {[string, string, ...any[]]} Operation */
/** @typedef {{ run: (operations: Operation[]) => Promise<any[]>, isKept: boolean, why: string }} Storage */

const NAME = "pentad";
const VERSION = 1;
// The key of each table.
/** @type {Record<string, string | string[]>} */
const TABLES = {
  games: "name",
  events: ["game", "number"],
  chat: ["game", "number"],
  persons: "id",
  ratings: ["person", "game"],
  attempts: ["person", "at", "puzzle"],
};
const OF_GAME = ["events", "chat"];

// Why a transaction ended without effect; `row` is the row as it is.
export class Refused extends Error {
  /** @param {string} kind @param {Row | null} row */
  constructor(kind, row) {
    super(kind);
    this.name = kind;
    this.row = row;
  }
}

// Opens the storage of this browser, or one in memory.
/** @returns {Promise<Storage>} */
export async function openStorage(factory = globalThis.indexedDB) {
  try {
    const database = await opened(factory);
    return { run: (operations) => transact(database, operations), isKept: true, why: "" };
  } catch (error) {
    const rows = new Map();
    return { run: async (operations) => inMemory(rows, operations), isKept: false, why: String(error) };
  }
}

/** @param {IDBFactory} factory @returns {Promise<IDBDatabase>} */
function opened(factory) {
  return new Promise((resolve, reject) => {
    const request = factory.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [table, keyPath] of Object.entries(TABLES)) request.result.createObjectStore(table, { keyPath });
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close(); // a newer version of pentad in another tab
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("Another tab uses an older version of pentad. Close it, and reload this page."));
  });
}

const READING = new Set(["get", "all", "of"]);

/** @param {IDBDatabase} database @param {Operation[]} operations @returns {Promise<any[]>} */
function transact(database, operations) {
  return new Promise((resolve, reject) => {
    const mode = operations.every(([kind]) => READING.has(kind)) ? "readonly" : "readwrite";
    const tables = [...new Set(operations.flatMap(([kind, table]) => (kind === "remove" ? [table, ...OF_GAME] : [table])))];
    // A strict transaction is complete only when it is on the disk.
    const transaction = database.transaction(tables, mode, { durability: "strict" });
    /** @type {any[]} */
    const results = [];
    /** @type {Error | null} */
    let refused = null;
    /** @param {unknown} error */
    const fail = (error) => {
      if (refused) return;
      refused = /** @type {Error} */ (error);
      transaction.abort();
    };
    transaction.oncomplete = () => resolve(results);
    transaction.onabort = () => reject(refused ?? transaction.error);
    /** @param {Operation} operation @param {number} number */
    const begin = ([kind, table, ...given], number) => {
      const store = transaction.objectStore(table);
      /** @param {IDBRequest} request */
      const keep = (request) => {
        request.onsuccess = () => (results[number] = request.result ?? null);
      };
      results[number] = 1;
      if (kind === "get") keep(store.get(given[0]));
      else if (kind === "all") keep(store.getAll());
      else if (kind === "of") keep(store.getAll(IDBKeyRange.bound([given[0]], [given[0], []])));
      else if (kind === "put") store.put(given[0]);
      else if (kind === "add") {
        store.add(given[0]).onerror = (event) => {
          if (/** @type {IDBRequest} */ (event.target).error?.name !== "ConstraintError") return;
          event.preventDefault();
          fail(new Refused("Exists", null));
        };
      } else if (kind === "change") {
        const [key, expected, changes] = given;
        store.get(key).onsuccess = (event) => {
          const row = /** @type {IDBRequest} */ (event.target).result ?? null;
          if (!row || !fits(row, expected)) return fail(new Refused("Changed", row));
          try {
            store.put({ ...row, ...changes });
          } catch (error) {
            fail(error);
          }
          return undefined;
        };
      } else if (kind === "remove") {
        store.delete(given[0]);
        for (const each of OF_GAME) transaction.objectStore(each).delete(IDBKeyRange.bound([given[0]], [given[0], []]));
      }
    };
    try {
      operations.forEach(begin);
    } catch (error) {
      fail(error); // else the operations before it would take effect
    }
  });
}

/** @param {Row} row @param {Row} expected */
const fits = (row, expected) => Object.entries(expected).every(([name, value]) => row[name] === value);

/** @param {Map<string, Map<string, Row>>} all @param {Operation[]} operations */
function inMemory(all, operations) {
  /** @param {string} table */
  const rowsOf = (table) => all.get(table) ?? all.set(table, new Map()).get(table) ?? new Map();
  const before = new Map([...all].map(([table, rows]) => [table, new Map(rows)]));
  try {
    return operations.map(([kind, table, ...given]) => {
      const rows = rowsOf(table);
      const path = TABLES[table];
      /** @param {Row} row */
      const keyOf = (row) => JSON.stringify(typeof path === "string" ? row[path] : path.map((each) => row[each]));
      const key = JSON.stringify(given[0]);
      if (kind === "get") return rows.get(key) ?? null;
      if (kind === "all") return [...rows.values()];
      if (kind === "of") return [...rows.values()].filter((row) => row.game === given[0]).sort((one, other) => one.number - other.number);
      if (kind === "add" && rows.has(keyOf(given[0]))) throw new Refused("Exists", null);
      if (kind === "add" || kind === "put") rows.set(keyOf(given[0]), given[0]);
      if (kind === "change") {
        const row = rows.get(key) ?? null;
        if (!row || !fits(row, given[1])) throw new Refused("Changed", row);
        rows.set(key, { ...row, ...given[2] });
      }
      if (kind === "remove") {
        rows.delete(key);
        for (const each of OF_GAME) for (const [other, row] of rowsOf(each)) if (row.game === given[0]) rowsOf(each).delete(other);
      }
      return 1;
    });
  } catch (error) {
    all.clear();
    for (const [table, rows] of before) all.set(table, rows);
    throw error;
  }
}
