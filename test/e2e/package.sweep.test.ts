import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { goldenPaths } from "../support/golden-case.js";
import { goldenLake } from "../support/kept.js";
import { read, root } from "../support/root.js";

const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), "recount-package-"));
const installed = join(dir, "node_modules/recount");

describe("the packed package", () => {
  beforeAll(async () => {
    await run("npm", ["run", "declarations"], { cwd: root });
    const { stdout } = await run(
      "npm",
      ["pack", "--json", "--ignore-scripts", "--pack-destination", dir],
      {
        cwd: root,
        maxBuffer: 1 << 26,
      },
    );
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    mkdirSync(installed, { recursive: true });
    await run("tar", ["xzf", join(dir, filename), "--strip-components", "1"], { cwd: installed });
    const { dependencies } = JSON.parse(read("package.json")) as {
      dependencies: Record<string, string>;
    };
    mkdirSync(join(dir, "node_modules/@duckdb"));
    for (const name of Object.keys(dependencies))
      symlinkSync(join(root, "node_modules", name), join(dir, "node_modules", name));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it("contains what it needs to run and no development files", () => {
    expect(readdirSync(join(installed, "dist/types")).toSorted()).toEqual([
      "contract",
      "index.d.ts",
      "library",
      "platform",
    ]);
    expect(readdirSync(installed).toSorted()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "bin",
        "data",
        "deploy",
        "dist",
        "docs",
        "notebooks",
        "package.json",
        "pipelines",
        "sql",
      ].toSorted(),
    );
  });

  it("names the licences of the packages in its bundle", () => {
    const { devDependencies } = JSON.parse(read("package.json")) as {
      devDependencies: Record<string, string>;
    };
    const licences = readFileSync(join(installed, "dist/licences.txt"), "utf8");
    for (const name of ["fastify", "undici", "yargs"]) {
      expect(Object.keys(devDependencies)).toContain(name);
      expect(licences).toContain(`${name} `);
    }
  });

  it("lists the packages in its bundle, and no others, for scanners", () => {
    interface Component {
      readonly name: string;
      readonly version: string;
      readonly purl: string;
      readonly hashes: readonly [{ readonly alg: string; readonly content: string }];
    }
    const { components, ...bill } = JSON.parse(
      readFileSync(join(installed, "dist/sbom.cdx.json"), "utf8"),
    ) as { components: Component[] };
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { version: string; integrity?: string }>;
    };
    const locked = new Map(
      Object.entries(packages).map(([place, { version, integrity }]) => [
        `pkg:npm/${place.replace(/^.*node_modules\//, "").replace("@", "%40")}@${version}`,
        Buffer.from(integrity?.replace("sha512-", "") ?? "", "base64").toString("hex"),
      ]),
    );
    for (const { purl, hashes } of components)
      expect(hashes).toEqual([{ alg: "SHA-512", content: locked.get(purl) }]);
    const licences = readFileSync(join(installed, "dist/licences.txt"), "utf8");
    const names = components.map(({ name, version }) => `${name} ${version}`);
    expect(names.filter((name) => !licences.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const only = components.map(({ name }) => name);
    expect(only).toEqual(expect.arrayContaining(["undici", "fastify", "yargs"]));
    expect(only).not.toContain("vitest");
  });

  it("is a library that compiles strictly and runs as docs/reference/library.md shows", async () => {
    const [, example = ""] =
      /^```typescript\n([^]*?)^```$/m.exec(read("docs/reference/library.md")) ?? [];
    const contract =
      'import { operation } from "recount/contract";\nexport const { method } = operation("listRatings");\n';
    const types =
      'import { exportSnapshot, UsageError } from "recount";\nexport { exportSnapshot, UsageError };\n';
    writeFileSync(join(dir, "types.ts"), types);
    writeFileSync(join(dir, "example.ts"), example);
    writeFileSync(join(dir, "contract.ts"), contract);
    writeFileSync(join(dir, "package.json"), JSON.stringify({ type: "module" }));
    const options = [
      "--strict",
      "--module",
      "nodenext",
      "--moduleResolution",
      "nodenext",
      "--target",
      "es2023",
    ];
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [compiler, ...options, "types.ts", "contract.ts"], { cwd: dir });
    symlinkSync(join(root, "node_modules/@types"), join(dir, "node_modules/@types"));
    await run(
      process.execPath,
      [compiler, ...options, "--types", "node", "example.ts", "contract.ts"],
      { cwd: dir },
    );
    const emulator = await startEmulator({ load: goldenPaths("tiny-pairwise") });
    const env = {
      ...process.env,
      RECOUNT_BASE_URL: emulator.url,
      RECOUNT_PROJECT_ID: emulator.projectId,
      RECOUNT_API_KEY: emulator.apiKey,
    };
    const { stdout } = await run(process.execPath, ["example.js"], { cwd: dir, env });
    await emulator.close();
    expect(stdout).toMatch(
      /^\d+ rows in \S+\n\[ \{ ratings: \d+ \} \]\n\d+ models\n\d+ of \d+ numbers are exact\n$/,
    );
  });

  it("names the packages that Spark needs, which it does not bring", async () => {
    const lake = await goldenLake("tiny-pairwise");
    const args = ["transform", "--engine", "spark", "--lake", lake];
    const env = { ...process.env, SPARK_REMOTE: "sc://127.0.0.1:1" };
    const refused = run(process.execPath, [join(installed, "bin/recount.js"), ...args], {
      cwd: dir,
      env,
    });
    await expect(refused).rejects.toMatchObject({
      code: 4,
      stderr:
        "recount: --engine spark needs two more packages: run `npm install @grpc/grpc-js @grpc/proto-loader` beside Recount.\n",
    });
  });
});
