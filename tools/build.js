// Bundles src and its packages into dist: a chunk for what is loaded together. `npm run build`.
// It does nothing if nothing has changed since: npm ci, demo and test each call it.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

/** Written last, so that an interrupted build is none. */
const stamp = "dist/.built";

/** Folders too: their time is that of the last file that was added or removed. */
const inputs = ["tools/build.js", "package.json", "package-lock.json", "src"].concat(
  readdirSync("src", { recursive: true }).map((file) => join("src", file)),
);
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : -Infinity;
if (inputs.every((file) => statSync(file).mtimeMs < builtAt)) process.exit();

/** What is started or imported by its path in `dist`: the command, the library, and threads (`threadFile`). */
const threads = readdirSync("src", { recursive: true }).filter((file) =>
  /\bworker\.ts$/.test(file),
);
const entries = ["cli.ts", "index.ts", "contract/index.ts", ...threads];

/** Native, or installed only by those who need them (docs/reference/dependencies.md). */
const external = [/^@duckdb\/node-bindings/, /^@aws-sdk\//, /^@grpc\//, /^@modelcontextprotocol\//];

/** Importing a file of src does nothing, except for the entries. */
const treeshake = { moduleSideEffects: [{ test: /\/src\//, sideEffects: false }] };

/** Bundles what a source requires on first use: without a `require` of its own it calls the bundler's. */
const lazyRequire = {
  name: "lazy-require",
  transform: {
    filter: {
      id: /\/src\/.*\.ts$/,
      code: /^const require = createRequire\(import\.meta\.url\);$/m,
    },
    handler: (code) => code.replace(/^(const require =|import \{ createRequire \}).*$/gm, ""),
  },
};

/** The packages whose code is in the bundle: folder, what package.json says, licence texts. */
function bundledPackages(bundle) {
  const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const folders = new Set(
    modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  return [...folders].sort().map((folder) => {
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
    return { folder, about, text: texts.join("\n\n") };
  });
}

/** The licences of the bundled packages, each text once. */
function licencesOf(packages) {
  const names = new Map();
  for (const { about, text } of packages)
    names.set(text, [...(names.get(text) ?? []), `${about.name} ${about.version}`]);
  const line = `\n${"-".repeat(80)}\n\n`;
  return [...names].map(([text, own]) => `${own.join(", ")}\n\n${text}\n`).join(line);
}

/** A package as a component of CycloneDX, with the digest of its tarball that the lock file has. */
function componentOf({ name, version, license, description }, integrity) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    description,
    licenses: [{ expression: license }],
    purl,
    hashes: [{ alg: "SHA-512", content }],
  };
}

/** The bundled packages as CycloneDX, for scanners, which see them in no package.json. */
function billOfMaterials(packages) {
  const { packages: locked } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { name, version, description } = JSON.parse(readFileSync("package.json", "utf8"));
  const component = { type: "application", "bom-ref": name, name, version, description };
  // Two folders may have the same version.
  const components = new Map();
  for (const { folder, about } of packages) {
    const place = /node_modules.*$/.exec(folder.replaceAll("\\", "/"))?.[0];
    const one = componentOf(about, locked[place].integrity);
    components.set(one.purl, one);
  }
  const bill = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component } };
  return `${JSON.stringify({ ...bill, components: [...components.values()] }, null, 1)}\n`;
}

/** Writes what is known of the bundled packages. */
const inventory = {
  name: "inventory",
  generateBundle(_, bundle) {
    const packages = bundledPackages(bundle);
    const files = { "licences.txt": licencesOf, "sbom.cdx.json": billOfMaterials };
    for (const [fileName, textOf] of Object.entries(files))
      this.emitFile({ type: "asset", fileName, source: textOf(packages) });
  },
};

await build({
  input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ""), join("src", file)])),
  platform: "node",
  external,
  plugins: [lazyRequire, inventory],
  treeshake,
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
        // What everything imports, and so apart from what checks files by schemas.
        { name: "text", test: /src\/platform\/(cached|text)/, priority: 10 },
        { name: "schemas", test: /src\/platform\/schema-check/, priority: 9 },
        { name: "platform", test: /src\/platform\//, priority: 8 },
        { name: "contract", test: /src\/contract\//, priority: 7 },
        // Kept results state the code of all kernels by this file.
        { name: "metrics", test: /src\/(metrics|statistics\/kernels)\//, priority: 6 },
        // What reads of answers without the library that sends requests.
        {
          name: "answers",
          test: /src\/client\/(?!attempt|client|network|outside|index)/,
          priority: 6,
        },
        { name: "client", test: /src\/client\//, priority: 5 },
        { name: "lake", test: /src\/lake\//, priority: 6 },
        // What the report reads of rows, without the engine behind them.
        { name: "rows", test: /src\/warehouse\/engine\.ts$/, priority: 5 },
      ],
    },
  },
});

writeFileSync(stamp, "");
