// Installs a wheel into Pyodide by micropip and runs a program there: node install_wheel.js FOLDER WHEEL PROGRAM, where
// FOLDER has the files of Pyodide and the wheel of micropip.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${folder}/` });
// The wheel of the package index is not, byte for byte, that of the release.
await python.loadPackage("micropip", { checkIntegrity: false, messageCallback: () => undefined });
const place = `/tmp/${basename(wheel)}`;
python.FS.writeFile(place, readFileSync(wheel));
await python.runPythonAsync(`import micropip; await micropip.install("emfs:${place}")`);
python.runPython(readFileSync(program, "utf8"));
python.runPython('print(*sorted(micropip.list()), sep="\\n")');
