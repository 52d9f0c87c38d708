import assert from "node:assert/strict";
import { test } from "node:test";

import { countText, detailsOf, sizeOf } from "../../src/pentad/web/static/studies/rows.js";

const NOW = new Date(2026, 10, 24, 17, 30);
const study = (more = {}) => ({ name: "a", title: "Mine", chapters: 1, size: 700, visited: new Date(2026, 10, 3).getTime() / 1000, deleted: 0, ...more });

test("a row has the chapters, the size and the last visit of a study", () => {
  assert.equal(detailsOf(study(), NOW), "1 chapter · 1 kB · last visit 3 November");
  assert.equal(detailsOf(study({ chapters: 12, size: 3 << 19 }), NOW), "12 chapters · 1.5 MB · last visit 3 November");
  assert.equal(sizeOf(16 << 20), "16 MB");
  assert.equal(sizeOf(1023 * 1024), "1,023 kB");
});

test("the page says how much room there is", () => {
  const own = { most_studies: 200, most_size: 16 << 20 };
  assert.equal(countText({ ...own, studies: [] }), "No studies yet.");
  assert.equal(countText({ ...own, studies: [study()] }), "1 study, 1 kB. There is room for 200 studies with 16 MB together.");
  assert.equal(countText({ most_studies: 0, most_size: 0, studies: [study(), study()] }), "2 studies, 2 kB.");
});
