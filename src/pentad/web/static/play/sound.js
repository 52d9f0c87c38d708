// Sounds of a game, synthesized; silent if sound is off in the settings.

import { saved } from "../dom.js";

// Each is a list of tones: [start in seconds, frequency, length in seconds, volume].
/** @type {Record<string, Array<[number, number, number, number]>>} */ const SOUNDS = {
  played: [[0, 520, 0.05, 0.25], [0.02, 260, 0.06, 0.3]],
  won: [[0, 523, 0.14, 0.2], [0.13, 659, 0.14, 0.2], [0.26, 784, 0.3, 0.22]],
  over: [[0, 440, 0.16, 0.2], [0.16, 349, 0.3, 0.2]],
  chat: [[0, 990, 0.05, 0.1]],
  low: [[0, 220, 0.08, 0.25], [0.14, 220, 0.08, 0.25]],
};

/** @type {AudioContext | null} */ let context = null;

const isOn = () => saved("sound", true);

/** @param {string} name */
export function play(name) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return; // browsers block sound before
  context ??= new AudioContext();
  for (const [start, frequency, length, volume] of SOUNDS[name]) {
    const from = context.currentTime + start;
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(volume, from + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + length + 0.02);
  }
}
