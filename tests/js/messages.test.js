import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Linter } from "eslint";

const WORD = /(?:^[A-Za-z]{2,}|[\s("][A-Za-z]+)(?=[.,;:!?…")]*(?:\s|$))/; // not `translate(…)`, `…px` or `a.b`
const SENTENCE = /[A-Za-z]{2,} |[.,;:] /; // what only people read apart
const TEMPLATES = new Map([["phrase", [0]], ["phraseNodes", [0]], ["plural", [1, 2]]]); // the arguments that are templates
const READERS = new Set(["endsWith", "includes", "indexOf", "replace", "replaceAll", "split", "startsWith"]);
// What no reader sees: attributes of elements, and keys of values stored in the browser.
const ATTRIBUTES = new Set(["class", "className", "d", "name", "style", "transform", "transformOrigin", "viewBox"]);
const KEYED = new Set(["getItem", "removeItem", "save", "saved", "setItem"]);

const nameOf = (node) => node?.name ?? node?.property?.name ?? node?.value;

// The values that an expression can have.
function results(node) {
  if (node.type === "ConditionalExpression") return [...results(node.consequent), ...results(node.alternate)];
  return node.type === "LogicalExpression" ? [...results(node.left), ...results(node.right)] : [node];
}

const isText = (node) => node.type === "Literal" && typeof node.value === "string";
const wordsOf = (node) => (isText(node) ? node.value : node.type === "TemplateLiteral" ? node.quasis.map((each) => each.value.cooked).join("_") : "");
const hasWords = (node) => results(node).some((each) => WORD.test(wordsOf(each)));
const gapsOf = (template) => [...template.matchAll(/\{(\w+)(?::,)?\}/g)].map(([, name]) => name);

// Whether an expression is the value of something that no reader sees.
function isUnseen({ parent }) {
  if (parent.type === "ConditionalExpression" || parent.type === "TemplateLiteral") return isUnseen(parent);
  if (parent.type === "Property") return ATTRIBUTES.has(nameOf(parent.key));
  if (parent.type === "AssignmentExpression") return ATTRIBUTES.has(nameOf(parent.left));
  return parent.type === "CallExpression" && (KEYED.has(nameOf(parent.callee)) || ATTRIBUTES.has(nameOf(parent.arguments[0])));
}

function checkCall(node, report) {
  const name = nameOf(node.callee);
  if (READERS.has(name) && node.callee.type === "MemberExpression" && node.arguments.some((each) => SENTENCE.test(wordsOf(each)))) {
    report(node, "a text is read back");
  }
  if (name === "join" && node.arguments.some(hasWords)) report(node, "a message in pieces");
  const places = TEMPLATES.get(name);
  if (!places) return;
  const templates = places.map((i) => node.arguments[i]);
  if (!templates.every(isText)) return void report(node, "the template is no literal");
  const given = node.arguments[Math.max(...places) + 1];
  if (given && given.type !== "ObjectExpression") return; // TypeScript compares the names
  const fields = given?.properties ?? [];
  const counted = name === "plural" ? ["count"] : []; // "1 game" need not have its gap
  const [gaps, names] = [templates.flatMap((each) => gapsOf(each.value)), fields.map(({ key }) => nameOf(key))].map((each) => new Set([...each, ...counted]));
  if ([...gaps].sort().join() !== [...names].sort().join()) report(node, "the gaps of the template have other names");
  for (const { value } of fields) if (hasWords(value)) report(value, "a part of a message in a gap");
}

const messages = {
  create(context) {
    const report = (node, message) => context.report({ node, message });
    return {
      TemplateLiteral(node) {
        if (!node.expressions.length || isUnseen(node)) return;
        const isMixed = /\s/.test(wordsOf(node)) && node.expressions.some(hasWords);
        if (hasWords(node) || isMixed) report(node, "a message without named gaps");
      },
      "BinaryExpression[operator='+']"(node) {
        if ([node.left, node.right].some(hasWords)) report(node, "a message in pieces");
      },
      "AssignmentExpression[operator='+=']"(node) {
        if (hasWords(node.right)) report(node, "a message in pieces");
      },
      CallExpression: (node) => checkCall(node, report),
    };
  },
};

const linter = new Linter();
function faultsIn(source) {
  const config = { files: ["**/*.js"], plugins: { pentad: { rules: { messages } } }, rules: { "pentad/messages": "error" }, linterOptions: { reportUnusedDisableDirectives: "off" } };
  return linter.verify(source, [config], { filename: "script.js" }).map(({ line, message }) => `line ${line}: ${message}`);
}

const WEB = new URL("../../src/pentad/web/", import.meta.url);
const FOLDERS = ["static", "site/static", "notebook"];

test("messages are templates with named gaps", () => {
  const found = {};
  let count = 0;
  for (const folder of FOLDERS) {
    const place = fileURLToPath(new URL(folder, WEB));
    for (const name of readdirSync(place, { recursive: true })) {
      if (!name.endsWith(".js") || name === "words.js") continue;
      count += 1;
      const faults = faultsIn(readFileSync(`${place}/${name}`, "utf8"));
      if (faults.length) found[`${folder}/${name}`] = faults;
    }
  }
  assert.ok(count > 70);
  assert.deepEqual(found, {});
});

for (const [source, faults] of [
  ["say(`${player} moved.`)", 1],
  ["say(`level ${level}`)", 1],
  ["say(`${isOver ? 'Play' : 'Choose'} ${place}`)", 1],
  ["say(`${text}: ${isOver ? 'over' : text}`)", 1],
  ["say(`${place}: ${text} (${count})`)", 0],
  ["say(`${minutes} h`)", 1],
  ["path += `${isFirst ? 'M' : 'L'}${x} ${y}`", 0],
  ["text += ' There may be more states.'", 1],
  ["say('The queue: ' + place)", 1],
  ["names.join(' and ')", 1],
  ["names.join(', ')", 0],
  ["say(phrase('{player} moved.', { player }))", 0],
  ["say(phrase('{player} moved.', { name }))", 1],
  ["say(phrase('{states:,} of {all}', { states, all: 7 }))", 0],
  ["say(phrase(template, { player }))", 1],
  ["say(phrase('{player} declined the {offer}.', { player, offer: isDraw ? 'draw' : 'takeback' }))", 1],
  ["say(plural(count, '1 game', '{count} games'))", 0],
  ["say(plural(count, '{name}: 1 game', '{name}: {count} games'))", 1],
  ["say(plural(count, noun, '{count} games'))", 1],
  ["headline.split('. ')", 1],
  ["text.startsWith('After move 0')", 1],
  ["values.split(',')", 0],
  ["path.startsWith('/api/')", 0],
  ["make('g', { class: `layer ${kind}`, transform: `translate(${x} ${y})` })", 0],
  ["element.style.transform = `translate(${x}px, ${y}px)`", 0],
  ["save(`game ${room}`, state)", 0],
  ["fetchJson(`/api/rooms/${room}`)", 0],
]) {
  test(`faults of ${source}`, () => assert.equal(faultsIn(source).length, faults, faultsIn(source).join("\n")));
}

test("on the Play page one function places all messages", () => {
  const folder = fileURLToPath(new URL("../../src/pentad/web/static/play/", import.meta.url));
  const calls = readdirSync(folder).filter((name) => name.endsWith(".js") && /import \{[^}]*\bnotify\b[^}]*\} from "..\/dom.js"/.test(readFileSync(folder + name, "utf8")));
  assert.deepEqual(calls, ["notes.js"]);
});
