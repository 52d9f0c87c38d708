// The texts of a person's studies in a list: their sizes, their last visits, and how much room there is.

import { dateOf } from "../games/rows.js";
import { phrase, plural } from "../words.js";

/** @import { OwnStudies, OwnStudy } from "../messages.d.ts" */

const MEGABYTE = 1 << 20;

// A number of bytes, such as `12 kB` or `1.5 MB`.
/** @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes < MEGABYTE) return phrase("{count:,} kB", { count: Math.ceil(bytes / 1024) });
  return phrase("{count} MB", { count: (bytes / MEGABYTE).toFixed(1).replace(".0", "") });
}

// `3 chapters · 12 kB · last visit today, 14:05`
/** @param {OwnStudy} study @param {Date} now */
export const detailsOf = ({ chapters, size, visited }, now) => [
  plural(chapters, "1 chapter", "{count} chapters"),
  sizeOf(size),
  phrase("last visit {date}", { date: dateOf(visited, now) }),
].join(" · ");

// How many studies there are and how large they are together, and how much there is room for.
/** @param {OwnStudies} own */
export function countText({ studies, most_studies, most_size }) {
  if (!studies.length) return "No studies yet.";
  const count = plural(studies.length, "1 study", "{count} studies");
  const size = sizeOf(studies.reduce((sum, each) => sum + each.size, 0));
  if (!most_size) return phrase("{count}, {size}.", { count, size });
  return phrase("{count}, {size}. There is room for {most} studies with {most_size} together.", { count, size, most: most_studies, most_size: sizeOf(most_size) });
}
