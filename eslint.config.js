import js from "@eslint/js";
import globals from "globals";
import tseslint from "typescript-eslint";

const ambient = [
  { object: "Date", property: "now", message: "Time goes through src/platform/clock.ts." },
  { object: "performance", property: "now", message: "Time goes through src/platform/clock.ts." },
  {
    object: "Math",
    property: "random",
    message: "Randomness goes through src/platform/random.ts.",
  },
];

const output = [
  {
    selector:
      "CallExpression[callee.property.name='write'][callee.object.property.name=/^std(out|err)$/]",
    message: "Text goes through src/commands/console.ts, which escapes control characters.",
  },
];

/** Text of a statement that names a file: `sql` is a regular expression. */
const namesFile = (sql) =>
  [`Literal[value=/${sql}/i]`, `TemplateElement[value.raw=/${sql}/i]`].map((selector) => ({
    selector,
    message: "Files are named to the engine through src/platform/engine-files.ts.",
  }));
const engineFiles = [
  ...namesFile(
    "\\b(read_(csv|parquet|json|ndjson|text|blob|duckdb)|parquet_\\w+|sniff_csv|glob)\\w*\\s*\\(",
  ),
  ...namesFile("^\\s*(copy|attach)\\b"),
];

const doors = {
  patterns: [
    {
      group: ["fs", "fs/promises", "node:fs", "node:fs/promises"],
      message: "Files go through src/platform/files.ts.",
    },
  ],
};

export default tseslint.config(
  {
    ignores: [
      "dist/",
      ".bench/",
      "node_modules/",
      "coverage/",
      "recount-demo/",
      "lake/",
      "site/dist/",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      globals: globals.node,
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            "*.js",
            ".*.js",
            "bin/*.js",
            "bench/*.js",
            "tools/*.js",
            "site/.vitepress/*.js",
            "test/support/*.mjs",
          ],
        },
      },
    },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/dot-notation": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-properties": ["error", ...ambient],
      "no-restricted-imports": ["error", doors],
      "no-restricted-syntax": [
        "error",
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: "Time goes through src/platform/clock.ts.",
        },
        ...output,
        ...engineFiles,
      ],
      "no-console": "error",
    },
  },
  {
    // Loops over typed arrays of known length: `!` says what a cast would say, and reads better.
    files: [
      "src/metrics/**/*.ts",
      "src/{spark,statistics}/**/*.ts",
      "src/warehouse/**/*.ts",
      "src/audit/**/*.ts",
      "src/emulator/scoring/**/*.ts",
      "src/extract/{elements,scan-record}.ts",
      "test/**/*.ts",
    ],
    rules: { "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    files: ["src/commands/console.ts", "src/platform/engine-files.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["src/platform/files.ts", "src/platform/files/**"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    files: ["src/platform/clock.ts", "src/platform/random.ts"],
    rules: { "no-restricted-properties": "off", "no-restricted-syntax": "off" },
  },
  {
    files: ["data/report/*.js"],
    languageOptions: { globals: globals.browser, sourceType: "script" },
  },
  { files: ["**/*.js", "**/*.mjs"], ...tseslint.configs.disableTypeChecked },
);
