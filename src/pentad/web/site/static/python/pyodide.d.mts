// The part of Pyodide that pentad uses.

export function loadPyodide(options: object): Promise<any>;
