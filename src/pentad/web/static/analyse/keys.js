// The keys of studies that this browser may edit. The link to edit has the key in its fragment. The page keeps it here and
// takes it out of the address, so that an address that people share is a link to read.

import { save, saved } from "../dom.js";

/** @typedef {{ name: string, key: string, title: string }} Editable a study that this browser may edit */

const NAME = "studies"; // in the browser's storage
const MOST = 200;

/** @returns {Editable[]} the last opened first */
export const editable = () => saved(NAME, []);

/** @param {string} name */
const others = (name) => editable().filter((each) => each.name !== name);

/** @param {string} name of a study @returns {string} its key, or nothing */
export const keyOf = (name) => editable().find((each) => each.name === name)?.key ?? "";

/** @param {Editable} study */
export const keep = (study) => save(NAME, [study, ...others(study.name)].slice(0, MOST));

/** @param {string} name */
export const forget = (name) => save(NAME, others(name));
