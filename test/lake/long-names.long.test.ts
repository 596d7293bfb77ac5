import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { currentSnapshot, readManifest } from "../../src/lake/index.js";
import { goldenPaths } from "../support/golden-case.js";
import { plainRows } from "../support/plain-duckdb.js";
import { testProject } from "../support/project.js";

/** As long as a text may be in many databases: no file system has a folder `experiment_id=…` of it. */
const long = (beginning: string) => beginning.padEnd(255, "0123456789");
const experiment = long("Experiment");

const folder = mkdtempSync(join(tmpdir(), "recount-long-"));
afterAll(() => rmSync(folder, { recursive: true }));
const longCase = join(folder, "long.json");
const text = readFileSync(goldenPaths("tiny-pairwise")[0] ?? "", "utf8");
const renamed = text.replaceAll(/"(job1[ab])"/g, (_, job: string) => `"${long(job)}"`);
writeFileSync(longCase, renamed.replace('"exp1"', `"${experiment}"`));

const { path, recount, service } = await testProject({
  load: [longCase, ...goldenPaths("approval")],
});
const lake = path("lake");

async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await recount([...args, "--lake", lake]);
  expect({ args: args[0], code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}
const counts = "select experiment_id, count(*)::int as n from ratings group by all order by n";
const rows = [
  { experiment_id: experiment, n: 32 },
  { experiment_id: "exp6", n: 440 },
];

it("identifiers that no file system carries are hashed in paths, and whole everywhere else", async () => {
  service.faults.set([
    { operation: "listSlates", experiment: "exp6", fault: { kind: "status", status: 500 } },
  ]);
  const failed = await recount([
    "export",
    "--lake",
    lake,
    "--concurrency",
    "1",
    "--retry-for",
    "0",
  ]);
  expect(failed).toMatchObject({ code: 3 });
  service.faults.set([]);
  service.faults.clearJournal();
  await done("export", "--resume");
  const read = service.faults.journal().filter(({ operation }) => operation === "listSlates");
  expect(read.map((one) => one.experiment)).toEqual(["exp6"]);

  const before = (await currentSnapshot(lake, service.projectId)) ?? "";
  const { experiments, units } = await readManifest(lake, service.projectId, before);
  expect(experiments.map(({ id }) => id).sort()).toEqual([experiment, "exp6"]);
  const names = units.flatMap(({ parts }) => parts.flatMap((part) => part.path.split("/")));
  expect(Math.max(...names.map((name) => name.length))).toBeLessThan(150);
  expect(units.flatMap(({ parameters }) => parameters.source ?? [])).toContain(long("job1a"));

  expect(JSON.parse(await done("query", counts, "--format", "json"))).toEqual(rows);
  expect(await done("audit", "--bundle", path("evidence.zip"))).not.toMatch(
    /only|differs|unexplained/,
  );
  expect(await recount(["verify", path("evidence.zip")])).toMatchObject({ code: 0 });
  // The console shortens a word that is wider than a terminal.
  expect(await done("explain", experiment, "win_loss")).toContain(experiment.slice(0, 80));
  await done("report", "-o", path("report.html"));
  expect(readFileSync(path("report.html"), "utf8")).toContain(experiment);

  await done("transform");
  const derived = join(lake, service.projectId, "derived", before);
  expect(await plainRows(join(derived, "recount.duckdb"), counts)).toEqual(rows);

  service.faults.set([
    {
      operation: "listRatings",
      experiment,
      fault: { kind: "raw_value", row: 0, field: "score", text: "7" },
    },
  ]);
  await recount(["export", "--lake", lake]);
  const { tables } = JSON.parse(await done("diff", "--json")) as {
    tables: { table: string; examples: object[] }[];
  };
  expect(tables.map(({ table }) => table)).toEqual(["ratings"]);
  expect(tables[0]?.examples).toMatchObject([
    { state: "changed", key: { experiment_id: experiment } },
  ]);
  await done("snapshots", "prune", "--keep-last", "1");
  const verified = await recount(["verify", "--lake", lake]);
  expect(verified).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/all files match their digests/) as string,
  });
  expect(await currentSnapshot(lake, service.projectId)).not.toBe(before);
});
