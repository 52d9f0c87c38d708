// The palette of a moving picture: few colours for the many of its frames, by median cut.

const BITS = 6; // of each channel by which colours are told apart
const BINS = 1 << (3 * BITS);
const SHIFT = 8 - BITS;

/** @param {number} red @param {number} green @param {number} blue */
const binOf = (red, green, blue) => ((red >> SHIFT) << (2 * BITS)) | ((green >> SHIFT) << BITS) | (blue >> SHIFT);

export class Palette {
  /** @type {Uint8Array} */ colours; // red, green, blue, and again
  #indices = new Int16Array(BINS).fill(-1); // of the nearest colours, by bins

  /** @param {Uint8Array} colours */
  constructor(colours) {
    this.colours = colours;
  }

  get size() {
    return this.colours.length / 3;
  }

  // The best palette of at most so many colours for images of red, green, blue and alpha; alpha is ignored.
  /** @param {Iterable<ArrayLike<number>>} images @param {number} most */
  static of(images, most) {
    const sums = new Float64Array(4 * BINS); // red, green, blue, and the number of pixels
    for (const pixels of images) {
      for (let i = 0; i < pixels.length; i += 4) {
        const bin = 4 * binOf(pixels[i], pixels[i + 1], pixels[i + 2]);
        sums[bin] += pixels[i];
        sums[bin + 1] += pixels[i + 1];
        sums[bin + 2] += pixels[i + 2];
        sums[bin + 3]++;
      }
    }
    /** @type {Colour[]} */
    const found = [];
    for (let bin = 0; bin < 4 * BINS; bin += 4) {
      const count = sums[bin + 3];
      if (count) found.push({ channels: [sums[bin] / count, sums[bin + 1] / count, sums[bin + 2] / count], count });
    }
    return new Palette(Uint8Array.from(cut(found, most).flatMap((box) => box.mean)));
  }

  // The index of the nearest colour.
  /** @param {number} red @param {number} green @param {number} blue */
  index(red, green, blue) {
    const bin = binOf(red, green, blue);
    if (this.#indices[bin] < 0) this.#indices[bin] = this.#nearest(red, green, blue);
    return this.#indices[bin];
  }

  /** @param {number} red @param {number} green @param {number} blue */
  #nearest(red, green, blue) {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < this.size; i++) {
      const r = this.colours[3 * i] - red;
      const g = this.colours[3 * i + 1] - green;
      const b = this.colours[3 * i + 2] - blue;
      const distance = 2 * r * r + 4 * g * g + 3 * b * b; // about as eyes see it
      if (distance >= least) continue;
      best = i;
      least = distance;
    }
    return best;
  }
}

/** @typedef {{ channels: number[], count: number }} Colour */

// Colours that share an entry of the palette.
class Box {
  /** @param {Colour[]} colours */
  constructor(colours) {
    const ranges = [0, 1, 2].map((channel) => {
      let [least, most] = [Infinity, -Infinity];
      for (const { channels } of colours) {
        least = Math.min(least, channels[channel]);
        most = Math.max(most, channels[channel]);
      }
      return most - least;
    });
    this.colours = colours;
    this.count = colours.reduce((sum, { count }) => sum + count, 0);
    this.range = Math.max(...ranges);
    this.channel = ranges.indexOf(this.range);
    this.urgency = colours.length > 1 ? this.range * Math.sqrt(this.count) : 0;
  }

  // Two boxes with about half of the pixels each.
  get halves() {
    const sorted = this.colours.sort((a, b) => a.channels[this.channel] - b.channels[this.channel]);
    let end = 0;
    for (let seen = 0; end < sorted.length - 1 && (!end || seen < this.count / 2); end++) seen += sorted[end].count;
    return [new Box(sorted.slice(0, end)), new Box(sorted.slice(end))];
  }

  get mean() {
    return [0, 1, 2].map((channel) => Math.round(this.colours.reduce((sum, { channels, count }) => sum + channels[channel] * count, 0) / this.count));
  }
}

/** @param {Colour[]} colours @param {number} most */
function cut(colours, most) {
  const boxes = colours.length ? [new Box(colours)] : [];
  while (boxes.length && boxes.length < most) {
    const next = boxes.reduce((best, box) => (box.urgency > best.urgency ? box : best));
    if (!next.urgency) break;
    boxes.splice(boxes.indexOf(next), 1, ...next.halves);
  }
  return boxes;
}
