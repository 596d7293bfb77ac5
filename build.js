// Bundles src and its packages into dist: a chunk for what is loaded together. `npm run build`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

/** What is started or imported by its path in `dist`: the command, the library, and threads (`threadFile`). */
const threads = readdirSync("src", { recursive: true }).filter((file) => /\bworker\.ts$/.test(file));
const entries = ["cli.ts", "index.ts", "contract/index.ts", ...threads];

/** Native, or installed only by those who need them (docs/reference/dependencies.md). */
const external = [/^@duckdb\/node-bindings/, /^@aws-sdk\//, /^@grpc\//, /^@modelcontextprotocol\//];

/** Bundles what a source requires on first use: without a `require` of its own it calls the bundler's. */
const lazyRequire = {
  name: "lazy-require",
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: /^const require = createRequire\(import\.meta\.url\);$/m },
    handler: (code) => code.replace(/^(const require =|import \{ createRequire \}).*$/gm, ""),
  },
};

/** Writes the licences of the bundled packages, each text once. */
const licences = {
  name: "licences",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
    const packages = new Map();
    for (const folder of [...folders].sort()) {
      const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
      const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
      packages.set(text, [...(packages.get(text) ?? []), `${name} ${version}`]);
    }
    const line = `\n${"-".repeat(80)}\n\n`;
    const source = [...packages].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`).join(line);
    this.emitFile({ type: "asset", fileName: "licences.txt", source });
  },
};

await build({
  input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ""), join("src", file)])),
  platform: "node",
  external,
  plugins: [lazyRequire, licences],
  // Importing a file of src does nothing, except for the entries.
  treeshake: { moduleSideEffects: [{ test: /\/src\//, sideEffects: false }] },
  // Wrapped modules are those that are loaded on first use: V8 need not compile them before.
  optimization: { pifeForModuleWrappers: false },
  // A chunk that serves several commands stays apart from what only one of them loads.
  experimental: { chunkOptimization: false },
  output: {
    dir: "dist",
    cleanDir: true,
    entryFileNames: "[name].js",
    // Two folders deep, as src/platform is: see packageFile.
    chunkFileNames: "chunks/[name].js",
    // Each module begins with a comment that names its file; its own comments stay in the sources.
    comments: { legal: false, annotation: false, jsdoc: false },
    codeSplitting: {
      // A group takes what its files import, except what is in a group of higher priority.
      groups: [
        { name: "duckdb", test: /src\/platform\/duckdb/, priority: 9 },
        { name: "platform", test: /src\/platform\//, priority: 8 },
        { name: "contract", test: /src\/contract\//, priority: 7 },
        { name: "metrics", test: /src\/metrics\//, priority: 6 },
        { name: "client", test: /src\/client\//, priority: 5 },
        { name: "lake", test: /src\/(lake|objects)\//, priority: 6 },
      ],
    },
  },
});
