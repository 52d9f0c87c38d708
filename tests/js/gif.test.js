import assert from "node:assert/strict";
import { test } from "node:test";

import { GifEncoder, compressed } from "../../src/pentad/web/static/gif/encoder.js";
import { fileName } from "../../src/pentad/web/static/gif/movie.js";
import { Palette } from "../../src/pentad/web/static/gif/palette.js";

// Numbers that are the same in each run.
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

// ── a decoder, written from the specification ──

function decompressed(data, count) {
  const [clear, end] = [256, 257];
  const out = [];
  let [table, size, before, bit] = [[], 9, null, 0];
  const read = () => {
    let code = 0;
    for (let i = 0; i < size; i++, bit++) code |= ((data[bit >> 3] >> (bit & 7)) & 1) << i;
    return code;
  };
  for (;;) {
    assert.ok(bit + size <= 8 * data.length, "the data ends before the code of the end");
    const code = read();
    if (code === end) break;
    if (code === clear) {
      [table, size, before] = [Array.from({ length: 258 }, (_, i) => [i]), 9, null];
      continue;
    }
    assert.ok(code < table.length || (code === table.length && before), `code ${code} is unknown`);
    const entry = table[code] ?? [...before, before[0]];
    out.push(...entry);
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << size && size < 12) size++;
    before = entry;
  }
  assert.ok(bit + 8 > 8 * data.length, "data follows the end");
  assert.equal(out.length, count);
  return out;
}

async function decoded(blob) {
  const data = new Uint8Array(await blob.arrayBuffer());
  let at = 0;
  const byte = () => data[at++];
  const word = () => byte() | (byte() << 8);
  const text = (length) => String.fromCharCode(...data.subarray(at, (at += length)));
  const blocks = () => {
    const parts = [];
    for (let length = byte(); length; length = byte()) parts.push(...data.subarray(at, (at += length)));
    return parts;
  };
  assert.equal(text(6), "GIF89a");
  const [width, height, flags] = [word(), word(), byte()];
  assert.equal(flags & 0b1000_0111, 0b1000_0111);
  at += 2;
  const table = data.subarray(at, (at += 768));
  const frames = [];
  let [screen, control, loops] = [new Uint8Array(3 * width * height), null, null];
  for (;;) {
    const kind = byte();
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = byte();
      if (label === 0xff) {
        assert.equal(byte(), 11);
        assert.equal(text(11), "NETSCAPE2.0");
        loops = blocks();
      } else {
        assert.equal(label, 0xf9);
        assert.equal(byte(), 4);
        control = { flags: byte(), delay: word(), transparent: byte() };
        assert.equal(byte(), 0);
      }
      continue;
    }
    assert.equal(kind, 0x2c);
    const [left, top, wide, high] = [word(), word(), word(), word()];
    assert.equal(byte(), 0);
    assert.equal(byte(), 8);
    const indices = decompressed(blocks(), wide * high);
    screen = screen.slice();
    indices.forEach((index, i) => {
      if (index === control.transparent) return;
      const place = (top + Math.floor(i / wide)) * width + left + (i % wide);
      screen.set(table.subarray(3 * index, 3 * index + 3), 3 * place);
    });
    assert.equal(control.flags, 0b101);
    frames.push({ delay: control.delay, area: [left, top, wide, high], screen });
  }
  assert.equal(at, data.length);
  assert.deepEqual(loops, [1, 0, 0]);
  return { width, height, frames };
}

const rgba = (colours) => Uint8ClampedArray.from(colours.flatMap((colour) => [...colour, 255]));

// ── tests ──

for (const [name, length, next] of [
  ["one index", 1, () => 7],
  ["one colour", 100_000, () => 3],
  ["two colours", 60_000, (i) => i & 1],
  ["noise of few colours", 60_000, (_, random) => random(4)],
  ["noise of all colours", 60_000, (_, random) => random(256)],
]) {
  test(`compressed indices are read again: ${name}`, () => {
    const random = numbers(7);
    const indices = Uint8Array.from({ length }, (_, i) => next(i, random));
    assert.deepEqual(Uint8Array.from(decompressed(compressed(indices), length)), indices);
  });
}

test("every length ends with a code of the right size", () => {
  const random = numbers(3);
  const all = Uint8Array.from({ length: 1200 }, () => random(3));
  for (let length = 1; length < all.length; length++) decompressed(compressed(all.subarray(0, length)), length);
  const noise = Uint8Array.from({ length: 4200 }, () => random(256));
  for (let length = 3700; length < noise.length; length++) decompressed(compressed(noise.subarray(0, length)), length);
});

test("few colours stay as they are", () => {
  const colours = [[0, 0, 0], [255, 255, 255], [170, 108, 51], [11, 87, 180]];
  const palette = Palette.of([rgba(colours)], 255);
  assert.equal(palette.size, 4);
  for (const colour of colours) assert.deepEqual([...palette.colours.subarray(3 * palette.index(...colour)).subarray(0, 3)], colour);
});

test("many colours get near ones", () => {
  const random = numbers(1);
  const shades = Array.from({ length: 20_000 }, () => [100 + random(100), 60 + random(80), 20 + random(60)]);
  const palette = Palette.of([rgba(shades)], 255);
  assert.equal(palette.size, 255);
  for (const colour of shades) {
    const at = 3 * palette.index(...colour);
    colour.forEach((channel, i) => assert.ok(Math.abs(palette.colours[at + i] - channel) < 24));
  }
});

test("frames are shown as they were given, and hold only what differs", async () => {
  const [ground, black, white] = [[200, 150, 100], [0, 0, 0], [255, 255, 255]];
  const first = Array.from({ length: 12 }, () => ground); // 4 × 3
  const second = first.with ? first.with(5, black) : Object.assign([...first], { 5: black });
  const third = Object.assign([...second], { 5: ground, 11: white });
  const images = [first, second, second, third];
  const encoder = new GifEncoder(4, 3, Palette.of(images.map(rgba), 255));
  images.forEach((image, i) => encoder.frame(rgba(image), i === 3 ? 3 : 0.8));
  const { width, height, frames } = await decoded(encoder.finish());
  assert.deepEqual([width, height], [4, 3]);
  assert.deepEqual(frames.map((frame) => frame.delay), [80, 80, 80, 300]);
  assert.deepEqual(frames.map((frame) => frame.area), [[0, 0, 4, 3], [1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 3, 2]]);
  frames.forEach((frame, i) => assert.deepEqual([...frame.screen], images[i].flat()));
});

test("a file's name has the game and the day", () => {
  assert.equal(fileName("pentago", new Date(2026, 10, 4)), "pentad-pentago-2026-11-04.gif");
});
