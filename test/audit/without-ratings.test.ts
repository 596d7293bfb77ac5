import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { impossibleMeans } from "../../src/audit/compare/without-ratings.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { madeUpGroup } from "../support/audit/synthetic-ratings.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { runsOf } from "../support/whole.js";

const impossible = (kind: Kind, scores: readonly { readonly stimulus: string }[]): string[] =>
  impossibleMeans({
    group: madeUpGroup(
      kind,
      scores,
      scores.map(({ stimulus }) => stimulus),
    ),
    kind,
  }).map(({ item }) => item);

test("no rounded mean or share of whole answers is called impossible", () => {
  const item = fc.record({
    answers: fc.array(fc.integer({ min: -20, max: 1000 }), { minLength: 1, maxLength: 40 }),
  });
  const given = fc.record({
    items: fc.array(item, { minLength: 1, maxLength: 5 }),
    decimals: fc.integer({ min: 0, max: 12 }),
    isShare: fc.boolean(),
  });
  fc.assert(
    fc.property(given, ({ items, decimals, isShare }) => {
      const scores = items.map(({ answers }, i) => {
        const n = answers.length;
        const sum = answers.reduce((all, one) => all + (isShare ? Number(one > 500) : one), 0);
        const value = Number(((isShare ? 100 : 1) * (sum / n)).toFixed(decimals));
        return { stimulus: `item ${i}`, value, n };
      });
      expect(impossible(isShare ? "percent_chosen" : "mean", scores)).toEqual([]);
    }),
    { numRuns: runsOf(1000) },
  );
});

test.each([
  { kind: "mean", value: 3.47, n: 19, is: false },
  { kind: "mean", value: 3.47, n: 20, is: true },
  { kind: "mean", value: 3.5, n: 2, is: false },
  { kind: "mean", value: 3.14159, n: 7, is: true },
  { kind: "mean", value: 3.47, n: undefined, is: false },
  { kind: "percent_chosen", value: 22.4, n: 124, is: true },
  { kind: "percent_chosen", value: 22.6, n: 124, is: false },
  { kind: "percent_chosen", value: 0.224, n: 124, is: true },
  { kind: "elo", value: 1000.5, n: 3, is: false },
] as const)("$kind $value of $n whole answers is impossible: $is", ({ kind, value, n, is }) => {
  const others = kind === "elo" ? [] : [{ stimulus: "B", value: kind === "mean" ? 3.25 : 0 }];
  expect(impossible(kind, [{ stimulus: "A", value, ...(n && { n }) }, ...others])).toEqual(
    is ? ["A"] : [],
  );
});

const folder = folderOfTests("recount-without-ratings");

test("without ratings, a mean that no sum of its n whole answers gives is contradictory", async () => {
  const path = (file: string) => join(folder, file);
  writeFileSync(path("board.csv"), "system,mos,n\nA,3.47,19\nB,2.95,19\nC,3.47,20\n");
  writeFileSync(
    path("mapping.yaml"),
    `study: { id: paper, licence: CC0-1.0, source: a table }
files: { board: board.csv }
published:
  - { kind: mean, from: board, item: system, fields: { value: mos, n: n } }
`,
  );
  const lake = path("lake");
  expect(await recountHere(["import", path("mapping.yaml"), "--lake", lake])).toMatchObject({
    code: 0,
    stderr: "",
  });
  const audit = await recountHere(["audit", "--lake", lake, "--json", path("audit.json")]);
  expect(audit.code).toBe(2);
  const { rows } = JSON.parse(readFileSync(path("audit.json"), "utf8")) as {
    rows: Record<string, unknown>[];
  };
  expect(
    rows.map(({ item, verdict, published, explanation }) => [
      item,
      verdict,
      published,
      explanation,
    ]),
  ).toEqual([
    ["", "not_auditable", null, "the snapshot holds no ratings of this experiment"],
    ["C", "contradictory", 3.47, "no sum of 20 whole answers gives it"],
  ]);
});
