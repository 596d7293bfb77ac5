import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MethodDiff } from "../../src/audit/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { goldenLake } from "../support/kept.js";

const dir = folderOfTests("recount-rule");
const lake = await goldenLake("codec-preference", "acr");

const diff = (...args: string[]) => recountHere(["diff", "--lake", lake, ...args]);
const query = async (sql: string, ...args: string[]) => {
  const { code, stdout } = await recountHere([
    "query",
    sql,
    "--lake",
    lake,
    "--format",
    "json",
    ...args,
  ]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>[];
};

describe("recount diff --rule", () => {
  test.each(["training=include", "incorrect=exclude_raters", "elo={k: 16}"])(
    "%s: what counts and each number are those of a pipeline file with it",
    async (rule) => {
      const pipeline = join(dir, "pipeline.yaml");
      writeFileSync(pipeline, `conventions: { ${rule.replace("=", ": ")} }\n`);
      const numbers =
        "select experiment_id, kind, dimension, source, item, value, rank from leaderboard";
      const [before, after] = [await query(numbers), await query(numbers, "--pipeline", pipeline)];
      const key = (row: Record<string, unknown>) =>
        JSON.stringify(
          ["experiment_id", "kind", "dimension", "source", "item"].map((name) => row[name]),
        );
      const later = new Map(after.map((row) => [key(row), row]));
      const moved = before.filter((row) => {
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
      const count =
        "select experiment_id, count(*) as n, count(distinct rater_id) as raters from int_population group by experiment_id order by experiment_id";
      const [own, other] = [await query(count), await query(count, "--pipeline", pipeline)];
      const changed = own
        .map((row, i) => [
          row.experiment_id,
          row.n,
          other[i]?.n ?? 0,
          row.raters,
          other[i]?.raters ?? 0,
        ])
        .filter(([, was, is]) => was !== is);
      expect(found.counted.map((one): unknown[] => Object.values(one))).toEqual(changed);
      expect(changed.length > 0).toBe(!rule.startsWith("elo"));
    },
  );

  test("prints who no longer counts, and what moves", async () => {
    const { code, stdout } = await diff("--rule", "training=include");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\S+, training=include: \d+ recomputed numbers differ\.\n\nRatings that count:\n/,
    );
    expect(stdout).toMatch(/ [\d,]+ → [\d,]+ /);
    expect((await diff("--rule", "elo={k: 16}")).stdout).toContain("The same ratings count.");
  });

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
