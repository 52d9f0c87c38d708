// The storage in memory of a page, in a process: each line is a list of operations, and so is each line of results.

import { createInterface } from "node:readline";

import { Refused, openStorage } from "../../../../src/pentad/web/site/static/python/storage.js";

const storage = await openStorage(undefined);
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { results: await storage.run(JSON.parse(line)) };
  } catch (error) {
    answer = { error: error.name, message: error.message, row: error instanceof Refused ? error.row : null };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
