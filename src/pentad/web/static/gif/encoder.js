// Animated GIF files. All frames share a palette, and each has only what differs from the one before.

/** @import { Palette } from "./palette.js" */

export const MOST_COLOURS = 255; // of the 256; the last index stands for pixels that stay
const STAYS = 255;
const BITS_OF_INDEX = 8;
const MOST_CODES = 4096;
const LONGEST_BLOCK = 255;

/** @typedef {{ left: number, top: number, width: number, height: number }} Area */

export class GifEncoder {
  /** @type {BlobPart[]} */ #parts = [];
  /** @type {Uint8Array | null} */ #shown = null; // the indices of the last frame
  /** @type {number} */ #width;
  /** @type {number} */ #height;
  /** @type {Palette} */ #palette;

  /** @param {number} width @param {number} height @param {Palette} palette of at most `MOST_COLOURS` */
  constructor(width, height, palette) {
    this.#width = width;
    this.#height = height;
    this.#palette = palette;
    const table = new Uint8Array(3 * 256);
    table.set(palette.colours);
    const screen = [...word(width), ...word(height), 0b1111_0111, 0, 0]; // a table of 256 colours of 8 bits
    const forever = [0x21, 0xff, 11, ...bytes("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    this.#add(bytes("GIF89a"), screen, table, forever);
  }

  // Adds a frame, from pixels of red, green, blue and alpha; it is shown for so many seconds.
  /** @param {ArrayLike<number>} pixels @param {number} seconds */
  frame(pixels, seconds) {
    const indices = new Uint8Array(this.#width * this.#height);
    for (let i = 0, at = 0; i < indices.length; i++, at += 4) indices[i] = this.#palette.index(pixels[at], pixels[at + 1], pixels[at + 2]);
    const area = this.#changed(indices);
    const { left, top, width, height } = area;
    const control = [0x21, 0xf9, 4, 0b0000_0101, ...word(Math.round(100 * seconds)), STAYS, 0]; // kept below the next one
    const place = [0x2c, ...word(left), ...word(top), ...word(width), ...word(height), 0];
    this.#add(control, place, [BITS_OF_INDEX], blocks(compressed(this.#difference(indices, area))), [0]);
    this.#shown = indices;
  }

  // The whole file.
  finish() {
    this.#add([0x3b]);
    return new Blob(this.#parts, { type: "image/gif" });
  }

  /** @param {(number[] | Uint8Array)[]} parts */
  #add(...parts) {
    this.#parts.push(...parts.map((part) => Uint8Array.from(part)));
  }

  // The smallest area with all pixels that differ from the last frame; a single pixel if none does.
  /** @param {Uint8Array} indices @returns {Area} */
  #changed(indices) {
    const [shown, width] = [this.#shown, this.#width];
    if (!shown) return { left: 0, top: 0, width, height: this.#height };
    let [left, right, top, bottom] = [width, -1, -1, -1];
    for (let i = 0, y = 0; y < this.#height; y++) {
      for (let x = 0; x < width; x++, i++) {
        if (indices[i] === shown[i]) continue;
        if (x < left) left = x;
        if (x > right) right = x;
        if (top < 0) top = y;
        bottom = y;
      }
    }
    if (right < 0) return { left: 0, top: 0, width: 1, height: 1 };
    return { left, top, width: right - left + 1, height: bottom - top + 1 };
  }

  // The indices in an area, those of the last frame as pixels that stay.
  /** @param {Uint8Array} indices @param {Area} area */
  #difference(indices, { left, top, width, height }) {
    const found = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      const start = (top + y) * this.#width + left;
      found.set(indices.subarray(start, start + width), y * width);
      if (!this.#shown) continue;
      for (let x = 0; x < width; x++) if (indices[start + x] === this.#shown[start + x]) found[y * width + x] = STAYS;
    }
    return found;
  }
}

/** @param {number} number */
const word = (number) => [number & 255, number >> 8];

/** @param {string} text */
const bytes = (text) => [...text].map((letter) => letter.charCodeAt(0));

// LZW as GIF has it: codes of a growing number of bits for longer and longer sequences of indices.
/** @param {Uint8Array} indices */
export function compressed(indices) {
  const clear = 1 << BITS_OF_INDEX;
  const following = new Uint16Array(MOST_CODES << BITS_OF_INDEX); // the code of a sequence and one more index; 0 if there is none
  const out = new Bits();
  let size = BITS_OF_INDEX + 1;
  let next = clear + 2; // after `clear` and the code of the end
  out.write(clear, size);
  let code = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const longer = (code << BITS_OF_INDEX) | indices[i];
    if (following[longer]) {
      code = following[longer];
      continue;
    }
    out.write(code, size);
    if (next === MOST_CODES) {
      out.write(clear, size);
      following.fill(0);
      [size, next] = [BITS_OF_INDEX + 1, clear + 2];
    } else {
      if (next === 1 << size) size++;
      following[longer] = next++;
    }
    code = indices[i];
  }
  out.write(code, size);
  if (next === 1 << size && size < 12) size++; // a reader has added a code for the last one
  out.write(clear + 1, size);
  return out.bytes;
}

// A growing sequence of bits, the lowest first.
class Bits {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #waiting = 0;
  #count = 0;

  /** @param {number} code @param {number} size */
  write(code, size) {
    this.#waiting |= code << this.#count;
    for (this.#count += size; this.#count >= 8; this.#count -= 8, this.#waiting >>>= 8) this.#push(this.#waiting & 255);
  }

  /** @param {number} byte */
  #push(byte) {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = byte;
  }

  // The whole sequence; nothing can be written afterwards.
  get bytes() {
    if (this.#count > 0) this.#push(this.#waiting & 255);
    this.#count = 0;
    return this.#bytes.subarray(0, this.#length);
  }
}

// Data in blocks of at most 255 bytes, each after its length.
/** @param {Uint8Array} data */
function blocks(data) {
  const count = Math.ceil(data.length / LONGEST_BLOCK);
  const found = new Uint8Array(data.length + count);
  for (let i = 0; i < count; i++) {
    const block = data.subarray(i * LONGEST_BLOCK, (i + 1) * LONGEST_BLOCK);
    found[i * (LONGEST_BLOCK + 1)] = block.length;
    found.set(block, i * (LONGEST_BLOCK + 1) + 1);
  }
  return found;
}
