import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MethodDiff } from "../../src/changes/index.js";
import { renderMethodDiff } from "../../src/report/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { goldenLake } from "../support/kept.js";
import { everyNth } from "../support/whole.js";

const dir = folderOfTests("recount-rule");
const lake = await goldenLake("codec-preference");

const diff = (...args: string[]) => recountHere(["diff", "--lake", lake, ...args]);

type Row = Record<string, unknown>;

const sql = `
  select
    (select list(n) from (select experiment_id, kind, dimension, source, item, value, rank
      from leaderboard) as n) as numbers,
    (select list(c order by c.experiment_id) from (select experiment_id, count(*) as n,
      count(distinct rater_id) as raters from int_population group by experiment_id) as c) as counts`;
async function state(...args: string[]): Promise<{ numbers: Row[]; counts: Row[] }> {
  const format = ["--lake", lake, "--format", "json"];
  const { code, stdout } = await recountHere(["query", sql, ...format, ...args]);
  expect(code).toBe(0);
  const [row] = JSON.parse(stdout) as { numbers: Row[]; counts: Row[] }[];
  return row!;
}

describe("recount diff --rule", () => {
  test.each(everyNth(["training=include", "incorrect=exclude_raters", "elo={k: 16}"], 3))(
    "%s: what counts and each number are those of a pipeline file with it",
    async (rule) => {
      const pipeline = join(dir, "pipeline.yaml");
      const under = (conventions: string) => {
        writeFileSync(pipeline, `conventions: { ${conventions} }\n`);
        return state("--pipeline", pipeline);
      };
      // Intervals are no part of the comparison.
      const lean = "bradley_terry: { rater_samples: 0 }";
      const before = await under(lean);
      const after = await under(`${lean}, ${rule.replace("=", ": ")}`);
      const key = (row: Row) =>
        JSON.stringify(
          ["experiment_id", "kind", "dimension", "source", "item"].map((name) => row[name]),
        );
      const later = new Map(after.numbers.map((row) => [key(row), row]));
      const moved = before.numbers.filter((row) => {
        const other = later.get(key(row));
        return other?.value !== row.value || other?.rank !== row.rank;
      });
      const { code, stdout } = await diff("--rule", rule, "--json");
      expect(code).toBe(0);
      const found = JSON.parse(stdout) as MethodDiff;
      expect(moved.length).toBeGreaterThan(0);
      expect(found.numbers.map((one) => [key({ ...one }), one.before, one.after])).toEqual(
        moved.map((row) => [key(row), row.value, later.get(key(row))?.value ?? null]).sort(),
      );
      const changed = before.counts
        .map((row, i) => {
          const other = after.counts[i];
          return [row.experiment_id, row.n, other?.n ?? 0, row.raters, other?.raters ?? 0];
        })
        .filter(([, was, is]) => was !== is);
      expect(found.counted.map((one): unknown[] => Object.values(one))).toEqual(changed);
      const isSame = rule.startsWith("elo");
      expect(changed.length > 0).toBe(!isSame);
      const text = renderMethodDiff(found, rule, 10);
      expect(text).toContain(`, ${rule}: ${moved.length} recomputed numbers differ.\n`);
      expect(text).toMatch(isSame ? "The same ratings count." : / [\d,]+ → [\d,]+ /);
    },
  );

  test.each([
    [
      "training=maybe",
      '--rule training=maybe: conventions.training must be one of exclude, include, not "maybe".',
    ],
    [
      "trainin=include",
      "--rule trainin=include: unknown key conventions.trainin. Did you mean training?",
    ],
    [
      "training",
      "--rule training must be name=value, for example --rule incorrect=exclude_raters.",
    ],
  ])("%s that cannot be is one line", async (rule, line) => {
    const { code, stdout, stderr } = await diff("--rule", rule);
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toContain(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
