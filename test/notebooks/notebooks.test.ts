import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { columnTypes, tableNames } from "../../src/contract/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { transform } from "../../src/pipeline/index.js";
import { documentedTables, modelPlan } from "../../src/warehouse/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { folderOfTests } from "../support/folder.js";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/how-to/notebooks.md"), "utf8");

/** The sections of the page with their code. */
const sections = page.split(/^## /m).map((text) => ({
  title: text.split("\n")[0] ?? "",
  packages: /`pip install ([^`]+)`/.exec(text)?.[1]?.split(" ") ?? [],
  blocks: [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
    language,
    code,
  })),
}));
const codeIn = (language: string) =>
  sections.flatMap(({ title, packages, blocks }) =>
    blocks.filter((block) => block.language === language).map(({ code }) => ({ title, packages, code })),
  );
const [start, ...python] = codeIn("python");

describe("names in the blocks for notebooks", () => {
  it.each([...codeIn("r"), ...codeIn("js")])("exist in the lake: $title", async ({ code }) => {
    const models = (await modelPlan()).flatMap((model) => [...documentedTables(model)]);
    const columns = new Set([
      ...tableNames.flatMap((table) => Object.keys(columnTypes(table))),
      ...models.flatMap(([, own]) => own.map(({ name }) => name)),
    ]);
    const tables = [...tableNames, ...models.map(([name]) => name)];
    const places = ["snapshots", "derived", "current", ...tables.map((name) => `${name}.parquet`)];
    const quoted = [...code.matchAll(/"(\w[\w.]*)"/g)].map(([, word = ""]) => word);
    const plain = [...code.replace(/"[^"]*"/g, "").matchAll(/\b([a-z]+(?:_[a-z]+)+)\b(?!\()/g)].map(
      ([, word = ""]) => word,
    );
    expect(quoted.length).toBeGreaterThan(3);
    expect(quoted.filter((word) => !places.includes(word) && !columns.has(word))).toEqual([]);
    expect(plain.filter((word) => !columns.has(word))).toEqual([]);
  });
});

const wanted = process.env.RECOUNT_NOTEBOOKS;

/** `npm run test:notebooks`: needs Python 3 and PyPI. RECOUNT_NOTEBOOKS=spark runs the block for Spark too, which needs Java. */
describe.runIf(wanted !== undefined)("the Python blocks for notebooks", () => {
  const folder = folderOfTests("recount-notebooks");
  const venv = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "recount-notebooks");
  const interpreter = join(venv, "bin", "python");
  const run = promisify(execFile);
  /** Why nothing can run; null if it can. */
  let missing: string | null = null;

  beforeAll(async () => {
    const packages = python
      .flatMap((block) => block.packages)
      .filter((name) => name !== "pyspark" || wanted === "spark");
    try {
      mkdirSync(venv, { recursive: true });
      await run("python3", ["-m", "venv", venv]);
      await run(interpreter, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
    } catch (error) {
      const [line = ""] = String((error as { stderr?: string }).stderr ?? error)
        .trim()
        .split("\n")
        .slice(-1);
      missing = `the Python blocks were not run, because Python 3 with venv and ${packages.join(", ")} from PyPI is missing: ${line}`;
      console.warn(missing);
      return;
    }
    const service = await startEmulator({});
    try {
      await exportTo(join(folder, "recount-demo", "lake"), service);
      await transform(join(folder, "recount-demo", "lake"), service.projectId);
    } finally {
      await service.close();
    }
  }, 600_000);

  it.for(python)("run: $title", { timeout: 300_000 }, async ({ packages, code }, context) => {
    if (missing !== null) context.skip(missing);
    if (packages.includes("pyspark") && wanted !== "spark")
      context.skip("RECOUNT_NOTEBOOKS=spark runs it; it needs Java");
    const { stdout } = await run(interpreter, ["-c", `${start?.code ?? ""}${code}`], { cwd: folder });
    if (/\.show\(\)/.test(code)) expect(stdout.split("\n").length).toBeGreaterThan(5);
  });
});
