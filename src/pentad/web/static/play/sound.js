// The sounds of a game, made as they are needed; silent where a person wants it so.

import { kept } from "/static/dom.js";

// Each a row of tones: when it begins, how high, how long, how loud.
const SOUNDS = {
  played: [[0, 520, 0.05, 0.25], [0.02, 260, 0.06, 0.3]],
  won: [[0, 523, 0.14, 0.2], [0.13, 659, 0.14, 0.2], [0.26, 784, 0.3, 0.22]],
  over: [[0, 440, 0.16, 0.2], [0.16, 349, 0.3, 0.2]],
  said: [[0, 990, 0.05, 0.1]],
  low: [[0, 220, 0.08, 0.25], [0.14, 220, 0.08, 0.25]],
};

let context = null;

const isOn = () => kept("sound", true);

export function play(name) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return; // before that a browser would not let it be heard
  context ??= new AudioContext();
  for (const [begin, height, length, loudness] of SOUNDS[name]) {
    const from = context.currentTime + begin;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: height });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(loudness, from + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + length + 0.02);
  }
}
