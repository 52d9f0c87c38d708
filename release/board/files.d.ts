// The files of each game. The table `files.js` is written when the package is made.

export const FILES: Record<string, { module: URL; data: URL; flipped: URL; bots: Record<string, URL> }>;
