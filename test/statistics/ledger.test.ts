import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { ConventionsInput } from "../../src/metrics/conventions.js";
import { textOf, type Warehouse } from "../../src/warehouse/index.js";
import { recountHere } from "../support/in-process.js";
import { copyOf, goldenLake } from "../support/kept.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { plainRows } from "../support/plain-duckdb.js";
import { isWhole } from "../support/whole.js";

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await loadCase("codec-preference.json");
});
afterAll(() => warehouse.close());

const count = async (sql: string) =>
  Number((await warehouse.all(`select count(*) as n from ${sql}`))[0]?.n);

test.each<[string, ConventionsInput]>([
  ["by default", {}],
  [
    "with training and without incorrect slates",
    { training: "include", incorrect: "exclude_slates" },
  ],
  [
    "with all sessions and without incorrect raters",
    { incomplete: "include", incorrect: "exclude_raters" },
  ],
])(
  "%s every rating is in the ledger once, and those that count are those of the metrics",
  async (_, conventions) => {
    await recomputeBehind(
      warehouse,
      ["ledger", "metric_mean", "metric_win_loss", "int_population"],
      conventions,
    );
    expect(await count("ledger")).toBe(await count("ratings"));
    expect(await count("ledger where is_counted")).toBe(
      await count("int_population where score is not null and item is not null"),
    );
    expect(await count("ledger where is_counted = (left_out_by is not null)")).toBe(0);
    const [means] = await warehouse.all(
      "select sum(n)::integer as n from metric_mean where source = ''",
    );
    expect(await count("ledger where is_counted")).toBe(means?.n);
    const [wins] = await warehouse.all(
      "select sum(n)::integer as n from metric_win_loss where source = ''",
    );
    expect(await count("ledger where is_compared")).toBe(wins?.n);
  },
);

test("each rule of the ledger has a rating that it leaves out", async () => {
  await recomputeBehind(warehouse, ["ledger"]);
  const rules = (
    await warehouse.all(
      "select distinct not_compared_by as rule from ledger where not is_compared order by rule",
    )
  ).map((row) => textOf(row, "rule"));
  expect(rules).toEqual(["session not completed", "training"]);
});

test("two raters with the same scores are named, and one different score is enough to be another", async () => {
  const twin = (change: string) => `
    create or replace table twinned as
      with many as (
        select score, rater_id, slate_id, session_id, job_id, stimulus_id, stimulus || '-' || (slate_id % 4) as stimulus,
          dimension, is_training, meta, is_correct, _meta, experiment_id
        from plain where rater_id = 4 and not is_training)
      from many union all
      select * replace (999 as rater_id, ${change} as score, slate_id + 100000 as slate_id) from many;
    create or replace view ratings as from twinned`;
  const mushra = await loadCase("mushra.json");
  await mushra.all("create table plain as from ratings");
  await mushra.all(twin("score"));
  const rows = async () => (await recomputeBehind(mushra, ["assert_answers_differ"])).checks;
  const check = { name: "assert_answers_differ", severity: "warning" };
  expect(await rows()).toEqual([{ ...check, rows: 1 }]);
  expect(await mushra.all("select what, first, second from identity")).toEqual([
    { what: "raters", first: "4", second: "999" },
  ]);
  await mushra.all(
    twin("case when slate_id = (select min(slate_id) from many) then score + 1 else score end"),
  );
  expect(await rows()).toEqual([{ ...check, rows: 0 }]);
  mushra.close();
});

test.runIf(isWhole)(
  "transform --statistics writes the ledger into the database, which opens without Recount",
  async () => {
    const lake = copyOf(await goldenLake("tiny-pairwise"));
    onTestFinished(() => rmSync(lake, { recursive: true }));
    expect(await recountHere(["transform", "--statistics", "--lake", lake])).toMatchObject({
      code: 0,
      stderr: "",
    });
    const files = readdirSync(lake, { recursive: true, encoding: "utf8" });
    const file = files.find((one) => one.endsWith("recount.duckdb")) ?? "";
    const counted = "select count(*)::integer as n, bool_or(is_counted) as c from ledger";
    expect(await plainRows(join(lake, file), counted)).toEqual([{ n: 32, c: true }]);
  },
);
