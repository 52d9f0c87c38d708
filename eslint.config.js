import js from "@eslint/js";
import globals from "globals";

const STATIC = "src/pentad/web/static";
const DOCS = "docs/javascripts";
const OF_SITE = "src/pentad/web/site/static"; // of the folder without a server

export default [
  { ignores: ["**/.venv/", "site/", "docs/try/", "build/"] },
  js.configs.recommended,
  {
    files: [`${STATIC}/**/*.js`, `${OF_SITE}/*.js`, `${OF_SITE}/instant/*.js`, "src/pentad/web/notebook/*.js", "release/board/*.js", `${DOCS}/*.js`],
    ignores: [`${STATIC}/worker.js`, `${OF_SITE}/worker.js`, `${OF_SITE}/instant/worker.js`],
    languageOptions: { globals: globals.browser },
  },
  { files: [`${STATIC}/worker.js`, `${OF_SITE}/worker.js`], languageOptions: { globals: globals.serviceworker } },
  { files: [`${OF_SITE}/python/*.js`, `${OF_SITE}/instant/worker.js`], languageOptions: { globals: globals.worker } },
  {
    files: [`${STATIC}/theme.js`, `${STATIC}/looks.js`, `${STATIC}/worker.js`, `${OF_SITE}/worker.js`],
    languageOptions: { sourceType: "script" },
  },
  { files: ["tests/**/*.js", "examples/*.js", "eslint.config.js"], languageOptions: { globals: globals.node } },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-else-return": "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, variables: false, classes: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
