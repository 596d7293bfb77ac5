import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { conventionsWith } from "../../../src/metrics/conventions.js";
import { modelPlan } from "../../../src/warehouse/index.js";
import {
  forSpark,
  javaPattern,
  sparkLiteral,
  readOwnTexts,
  settingsFor,
  sparkText,
} from "../../../src/spark/spark-text.js";
import { onCluster } from "../../../src/spark/warehouse.js";

it("no statement for Spark has a word that only DuckDB knows", async () => {
  const plan = await modelPlan();
  const own = await readOwnTexts();
  const placed = plan.filter(({ name }) => onCluster(plan).has(name));
  const foreign =
    /\b(conventions|exclude|replace|varchar|enum|unnest|columns|fsum|favg|median|string_agg|list_\w+|quantile\w*)\b|\blist\(|\bby name\b|::|\*\*/;
  const found = placed.flatMap((model) => {
    const text = sparkText(
      model,
      own,
      forSpark(conventionsWith({ item_pattern: "^(.)$" })),
    ).replace(/'(?:[^'\\]|\\.)*'/g, "''");
    const [word] = foreign.exec(text) ?? [];
    return word === undefined ? [] : [`${model.name}: ${word}`];
  });
  expect(placed.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

it("every text for Spark belongs to a model that runs there", async () => {
  const plan = await modelPlan();
  const placed = onCluster(plan);
  const names = readdirSync(resolve(import.meta.dirname, "../../../sql/spark")).map((file) =>
    file.replace(".sql", ""),
  );
  expect(names.filter((name) => !placed.has(name))).toEqual([]);
  expect(names.length).toBeLessThan(10);
});

it("conventions are literals", () => {
  expect([null, true, 0.1, "a'b\\c", { alpha: 1 }].map(sparkLiteral)).toEqual([
    "cast(null as string)",
    "true",
    "cast('0.1' as double)",
    String.raw`'a\'b\\c'`,
    "true",
  ]);
});

it("a larger lake is divided into more tasks, up to what a driver can hold", () => {
  const tasks = [20e6, 1e9, 100e9].map(
    (ratings) => /initialPartitionNum=(\d+)/.exec(settingsFor(ratings).join())?.[1],
  );
  expect(tasks).toEqual([undefined, "2000", "10000"]);
});

it.each([
  ["^[^/]+/(.+)$", String.raw`(?d)^[^/]+/(.+)\z`],
  [String.raw`^(?P<item>[\w.-]{1,8})\s*`, String.raw`(?d)^(?<item>[\w.-]{1,8})[\t\n\f\r ]*`],
  [String.raw`(a|b)\.wav\$?`, String.raw`(?d)(a|b)\.wav\$?`],
  ["(?:x+?)(y{2,})", "(?d)(?:x+?)(y{2,})"],
])("a pattern that Java reads alike is written for it: %s", (pattern, java) => {
  expect(javaPattern(pattern)).toBe(java);
});

it.each([
  "(?i)a(b)",
  String.raw`\b(a)`,
  String.raw`\pL(a)`,
  "[[:alpha:]](a)",
  "[a&&b](a)",
  String.raw`[\S](a)`,
  "a{(b)",
])("a pattern that Java may read differently is refused: %s", (pattern) => {
  expect(() => javaPattern(pattern)).toThrow(/^conventions\.item_pattern: Spark may read /);
});
