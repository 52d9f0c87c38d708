import assert from "node:assert/strict";
import { test } from "node:test";

import { codeOf, expectsError, isSkipped } from "../../docs/javascripts/examples.js";

test("a session with prompts becomes what was typed", () => {
  const text = `>>> import pentad
>>> for number in range(2):
...     if number:
...
...         print(number)
1
... and more
>>> "a ... b"
'a ... b'

`;
  assert.equal(codeOf(text), 'import pentad\nfor number in range(2):\n    if number:\n\n        print(number)\n"a ... b"');
});

test("empty prompts and the options of doctests are dropped", () => {
  assert.equal(codeOf(">>> flock.save(1)  # doctest: +SKIP\n>>>\n>>> x = 1  # one\n"), "flock.save(1)\n\nx = 1  # one");
});

test("a session of a shell becomes what was typed", () => {
  const text = "$ pentad perft pente 2 \\\n    --size 9\n6480\n\n$ cat $HOME/x   # a comment\n$5 of output\n";
  assert.equal(codeOf(text), "pentad perft pente 2 \\\n    --size 9\ncat $HOME/x   # a comment");
});

test("code without prompts stays", () => {
  assert.equal(codeOf("\ndef half(n):\n    return n >> 1  # not >>> a prompt\n"), "def half(n):\n    return n >> 1  # not >>> a prompt");
  assert.equal(codeOf(">>>> shift\n... dots"), ">>>> shift\n... dots");
});

test("an example that shows an error may end with one", () => {
  assert.ok(expectsError(">>> 1 / 0\nTraceback (most recent call last):\nZeroDivisionError: division by zero\n"));
  assert.ok(!expectsError('>>> print("Traceback (most recent call last): no")\n'));
});

test("an example is skipped if all of it is", () => {
  assert.ok(isSkipped(">>> load(  # doctest: +SKIP\n...     1)\n2\n>>> go()  # doctest: +SKIP\n"));
  assert.ok(!isSkipped(">>> load(1)\n>>> save(1)  # doctest: +SKIP\n"));
  assert.ok(!isSkipped("save(1)  # doctest: +SKIP\n"));
});
