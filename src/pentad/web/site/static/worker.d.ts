// What the builder writes before the service worker.

declare const VERSION: string;
/** The files that it keeps. */
declare const FILES: string[];
/** The files that the pages' workers keep. */
declare const PYTHON: string[];
