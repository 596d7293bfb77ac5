import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { columnTypes, tableNames } from "../../src/contract/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { transform } from "../../src/pipeline/index.js";
import { documentedTables, modelPlan } from "../../src/warehouse/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { folderOfTests } from "../support/folder.js";
import { environment, installPython, run } from "../support/python.js";
import { read } from "../support/root.js";

const page = read("docs/how-to/notebooks.md");

const sections = page.split(/^## /m).map((text) => ({
  title: text.split("\n")[0] ?? "",
  packages: /`pip install ([^`]+)`/.exec(text)?.[1]?.split(" ") ?? [],
  blocks: [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", code = ""]) => ({
      language,
      code,
    }),
  ),
}));
const codeIn = (language: string) =>
  sections.flatMap(({ title, packages, blocks }) =>
    blocks
      .filter((block) => block.language === language)
      .map(({ code }) => ({ title, packages, code })),
  );
const [start, ...python] = codeIn("python");
const runnable = [
  ...python.map((block) => ({ ...block, shell: false })),
  ...codeIn("console").map((block) => ({ ...block, shell: true })),
];

describe("names in the blocks for notebooks", () => {
  it.each([...codeIn("r"), ...codeIn("js")])("exist in the lake: $title", async ({ code }) => {
    const models = (await modelPlan()).flatMap((model) => [...documentedTables(model)]);
    const columns = new Set([
      ...tableNames.flatMap((table) => Object.keys(columnTypes(table))),
      ...models.flatMap(([, own]) => own.map(({ name }) => name)),
    ]);
    const tables = [...tableNames, ...models.map(([name]) => name)];
    const listing = ["tables.json", "tables", "path", "experiment_id"];
    const places = [
      "snapshots",
      "derived",
      "current",
      ...listing,
      ...tables,
      "leaderboard.parquet",
    ];
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
describe.runIf(wanted !== undefined)("the blocks for notebooks", () => {
  const folder = folderOfTests("recount-notebooks");
  const venv = environment("recount-notebooks");
  const interpreter = join(venv, "bin", "python");
  let missing: string | null = null;

  beforeAll(async () => {
    const packages = runnable
      .flatMap((block) => block.packages)
      .filter((name) => name !== "pyspark" || wanted === "spark")
      .concat("marimo");
    try {
      await installPython(venv, packages);
    } catch (error) {
      missing = `the Python blocks were not run: ${String(error)}`;
      console.warn(missing);
      return;
    }
    const service = await startEmulator({});
    try {
      for (let night = 0; night < 3; night++)
        await exportTo(join(folder, "recount-demo", "lake"), service);
      await transform(join(folder, "recount-demo", "lake"), service.projectId);
    } finally {
      await service.close();
    }
  }, 600_000);

  const database = () => {
    const project = join(folder, "recount-demo/lake/Listen42");
    const current = readFileSync(join(project, "current"), "utf8").trim();
    return join(project, "derived", current, "recount.duckdb");
  };
  const notebook = resolve(import.meta.dirname, "../../notebooks/explore.py");

  it("the explorer's numbers have as many ratings behind them as their ranking says", async (context) => {
    if (missing !== null) context.skip(missing);
    const script = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("explore", ${JSON.stringify(notebook)})
explore = importlib.util.module_from_spec(spec)
spec.loader.exec_module(explore)
_, found = explore.app.run()
print(json.dumps({name: found[name] for name in ("board", "number", "traced")}, default=str))`;
    const { stdout } = await run(interpreter, ["-c", script, "--database", database()], {
      cwd: folder,
    });
    const found = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as {
      board: { item: string; rank: number }[];
      number: { item: string; n: number };
      traced: unknown[];
    };
    expect(found.board.length).toBeGreaterThan(3);
    expect(found.number.item).toBe(found.board[0]?.item);
    expect(found.traced).toHaveLength(found.number.n);
  });

  it("the explorer is one HTML file, with DuckDB 2 too", async (context) => {
    if (missing !== null) context.skip(missing);
    const file = join(folder, "explore.html");
    const marimo = join(venv, "bin", "marimo");
    const { stdout } = await run(interpreter, ["-c", "import duckdb; print(duckdb.__version__)"]);
    console.log(`DuckDB ${stdout.trim()}`);
    await run(
      marimo,
      [
        "export",
        "html",
        notebook,
        "-o",
        file,
        "-f",
        "--no-include-code",
        "--",
        "--database",
        database(),
      ],
      { cwd: folder },
    );
    const html = readFileSync(file, "utf8");
    expect(html).toContain("Items by rank");
    expect(html).not.toContain("Traceback");
  });

  it.for(runnable)("run: $title", { timeout: 300_000 }, async (block, context) => {
    const { packages, code, shell } = block;
    if (missing !== null) context.skip(missing);
    if (packages.includes("pyspark") && wanted !== "spark")
      context.skip("RECOUNT_NOTEBOOKS=spark runs it; it needs Java");
    const [program, text] = shell
      ? ["bash", `set -e; PATH="${join(venv, "bin")}:$PATH"; ${code}`]
      : [interpreter, `${start?.code ?? ""}${code}`];
    const { stdout } = await run(program, ["-c", text], { cwd: folder });
    if (shell || /\.show\(\)/.test(code)) expect(stdout.split("\n").length).toBeGreaterThan(5);
  });
});
