import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as recount from "../../src/index.js";
import { exitCodes } from "../../src/platform/index.js";
import { verdicts } from "../../src/audit/index.js";
import { copyOf } from "../support/kept.js";
import { testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";
import { read, root } from "../support/root.js";

const { service, path } = await testProject();
const lake = path("lake");
const request = {
  baseUrl: service.url,
  project: service.projectId,
  lake,
  credentials: { apiKey: service.apiKey },
};
const exported = await recount.exportSnapshot(request);

it("exports, opens a snapshot, runs a query, recomputes and audits", async () => {
  expect(exported).toMatchObject({ quarantined: 0, shortfalls: [] });
  expect(existsSync(exported.folder)).toBe(true);
  const snapshot = await recount.openSnapshot({ lake });
  expect(snapshot).toMatchObject({ id: exported.snapshot, project: service.projectId });
  expect(await snapshot.query("select count(*) as n from experiments")).toEqual([
    { n: snapshot.experiments.length },
  ]);
  expect((await snapshot.query("from metric_win_loss")).length).toBeGreaterThan(0);
  snapshot.close();
  const { models, checks, folder } = await recount.recompute({ lake });
  expect(existsSync(join(folder, "recount.duckdb"))).toBe(true);
  expect(models).toContain("metric_win_loss");
  expect(checks.filter(({ rows }) => rows > 0)).toEqual([]);
  const audited = await recount.audit({ lake, project: service.projectId });
  expect(audited).toMatchObject({ snapshot: exported.snapshot, exitCode: 0 });
  expect(Object.keys(audited.summary)).toEqual(verdicts);
  expect(audited.summary.exact).toBe(audited.numbers.length);
});

it.runIf(isWhole)(
  "explains, verifies and compares, under conventions that are values",
  async () => {
    const { numbers: all } = await recount.audit({ lake });
    const asked = { lake, experiment: "exp1", kind: "elo", item: "A" };
    const { numbers, text, exitCode } = await recount.explain(asked);
    expect(exitCode).toBe(0);
    expect(text).toContain("elo of Tiny pairwise (exp1)");
    expect(numbers).toEqual(all.filter(({ item, kind }) => item === "A" && kind === "elo"));
    const moved = await recount.explain({ ...asked, conventions: { elo: { start: 900 } } });
    expect(moved.numbers.map(({ recomputed }) => recomputed)).not.toEqual(
      numbers.map(({ recomputed }) => recomputed),
    );
    const wrong = recount.audit({ lake, conventions: { elos: {} } });
    await expect(wrong).rejects.toThrow(/^The request: .*elos/);
    expect(await recount.verify({ lake })).toEqual({ exitCode: 0, problems: [] });
    const damaged = copyOf(lake);
    writeFileSync(join(damaged, service.projectId, "current"), "none\n");
    expect(await recount.verify({ lake: damaged })).toMatchObject({ exitCode: 3 });
    const again = await recount.exportSnapshot(request);
    expect(await recount.diff({ lake })).toEqual({
      ...{ before: exported.snapshot, after: again.snapshot },
      ...{ tables: [], numbers: [], published: [] },
    });
  },
);

it.runIf(isWhole)("imports a study, reports on it, and says how few votes decide", async () => {
  const own = path("own");
  const votes = Array.from({ length: 30 }, (_, i) => `A,B,${i % 3 === 0 ? "right" : "left"}`);
  writeFileSync(path("votes.csv"), ["left,right,winner", ...votes, ""].join("\n"));
  const mapping =
    "preset: evalica\nstudy: { id: votes, name: Votes }\nfiles: { votes: votes.csv }\n";
  writeFileSync(path("mapping.yaml"), mapping);
  const imported = await recount.importStudy({ mapping: path("mapping.yaml"), lake: own });
  expect(imported).toMatchObject({ quarantined: 0, shortfalls: [] });
  const made = await recount.report({ lake: own });
  expect(made).toMatchObject({ snapshot: imported.snapshot, exitCode: 0 });
  expect(made.html).toMatch(/^<!doctype html>[^]*<\/html>\s*$/i);
  const snapshot = await recount.openSnapshot({ lake: own });
  expect(await snapshot.query("from robustness")).toContainEqual(
    expect.objectContaining({ kind: "bradley_terry", unit: "vote", k: 1, at_most: 11 }),
  );
  snapshot.close();
  await expect(recount.importStudy({ mapping: path("none.yaml"), lake: own })).rejects.toThrow(
    recount.UsageError,
  );
});

it("fails with documented classes that carry the exit code", async () => {
  const wrong = recount.exportSnapshot({ ...request, credentials: { apiKey: "wrong" } });
  await expect(wrong).rejects.toThrow(recount.RecountError);
  await expect(wrong).rejects.toMatchObject({ exitCode: exitCodes.usage });
  await expect(recount.audit({ lake: path("none") })).rejects.toThrow(recount.UsageError);
  const controller = new AbortController();
  controller.abort();
  const aborted = recount.exportSnapshot({ ...request, signal: controller.signal });
  await expect(aborted).rejects.toThrow(recount.InterruptedError);
  const snapshot = await recount.openSnapshot({ lake });
  const sql = "select nothing from ratings";
  const failed: unknown = await snapshot.query(sql).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(recount.QueryError);
  expect(failed).toMatchObject({ name: "QueryError", exitCode: 4, sql });
  expect((failed as recount.QueryError).details.join("\n")).toMatch(/nothing.*\n +\^/);
  await expect(snapshot.query(`copy ratings to '${path("x.csv")}'`)).rejects.toThrow(
    recount.RecountError,
  );
  snapshot.close();
  const page = read("docs/reference/library.md");
  for (const name of Object.keys(recount)) expect(page).toContain(`\`${name}\``);
});

it("loads neither the engine nor the client before a function is called", async () => {
  const script = `await import(${JSON.stringify(pathToFileURL(join(root, "dist/index.js")).href)})`;
  const preload = pathToFileURL(join(root, "test/support/loaded-packages.mjs")).href;
  const { stderr } = await promisify(execFile)(process.execPath, [
    `--import=${preload}`,
    "--input-type=module",
    "-e",
    script,
  ]);
  expect(stderr.match(/^LOADED.*$/gm) ?? []).toEqual([]);
});
