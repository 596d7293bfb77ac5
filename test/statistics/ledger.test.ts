import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { ConventionsInput } from "../../src/metrics/conventions.js";
import { textOf, type Warehouse } from "../../src/warehouse/index.js";
import { recountHere } from "../support/in-process.js";
import { copyOf, goldenLake } from "../support/kept.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { plainRows } from "../support/plain-duckdb.js";
import { everyNth, isWhole } from "../support/whole.js";

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
  await recomputeBehind(warehouse, ["ledger", "ledger_effect"]);
  const rules = (
    await warehouse.all(
      "select distinct not_compared_by as rule from ledger where not is_compared order by rule",
    )
  ).map((row) => textOf(row, "rule"));
  expect(rules).toEqual(["session not completed", "training"]);
  const [effect] = await warehouse.all(
    "select sum(left_out)::integer as n, count(*) filter (where mean_without_rule <> mean) > 0 as moves from ledger_effect where rule = 'training'",
  );
  expect(effect).toEqual({
    // In open sessions it would not count without the rule either.
    n: await count(`ledger join int_sessions using (experiment_id, session_id)
      where left_out_by = 'training' and score is not null and completed_at is not null`),
    moves: true,
  });
});

test.each(["positive", "midpoint"] as const)(
  "without a rule means and %s shares are those of the metrics that count all",
  async (approved) => {
    const mushra = await loadCase("mushra.json");
    await recomputeBehind(mushra, ["ledger_effect"], { approved });
    const found = await mushra.all(`
    select experiment_id, dimension, item, mean_without_rule as mean, approved_pct_without_rule as share,
      approved_rank_without_rule as rank
    from ledger_effect where rule = 'training' order by all`);
    await recomputeBehind(mushra, ["metric_mean", "metric_percent_approved"], {
      approved,
      training: "include",
    });
    const wanted = await mushra.all(`
    select experiment_id, dimension, item, m.value as mean, a.value as share,
      rank() over (partition by experiment_id, dimension order by a.value desc) as rank
    from metric_mean as m join metric_percent_approved as a using (experiment_id, dimension, source, item)
    where source = '' order by all`);
    expect(found.length).toBeGreaterThan(2);
    expect(found).toEqual(wanted);
    mushra.close();
  },
);

const rules: readonly [string, ConventionsInput][] = [
  ["training", { training: "include" }],
  ["session not completed", { incomplete: "include" }],
];
test.each(everyNth(rules, 2))(
  "without the rule %s numbers of comparisons are those of the metrics that count all",
  async (rule, conventions) => {
    await recomputeBehind(warehouse, ["comparison_effect"]);
    const found = await warehouse.all(`
    select experiment_id, dimension, kind, item, round(value_without_rule, 9) as value, rank_without_rule as rank
    from comparison_effect where rule = '${rule}' order by all`);
    expect(
      await count(`comparison_effect where rule = '${rule}' and value <> value_without_rule`),
    ).toBeGreaterThan(8);
    const metrics = [
      "metric_win_loss",
      "metric_elo",
      "metric_bayesian_elo",
      "metric_bradley_terry",
    ];
    await recomputeBehind(warehouse, metrics, conventions);
    const wanted = await warehouse.all(`
    with metrics as (
      select 'elo' as kind, experiment_id, dimension, source, item, value from metric_elo union all
      select 'bayesian_elo', experiment_id, dimension, source, item, value from metric_bayesian_elo union all
      select 'bradley_terry', experiment_id, dimension, source, item, value from metric_bradley_terry union all
      select 'win_loss', experiment_id, dimension, source, item, 100 * (wins + ties / 2) / n from metric_win_loss)
    select experiment_id, dimension, kind, item, round(value, 9) as value,
      rank() over (partition by experiment_id, dimension, kind order by value desc) as rank
    from metrics where source = '' order by all`);
    expect(new Set(found.map(({ kind }) => kind)).size).toBe(4);
    // The sums of votes by rater and by pair may differ in the last digits.
    expect(found).toEqual(wanted);
  },
);

test("two raters with the same scores are named, and one different score is enough to be another", async () => {
  const twin = (change: string) => `
    create or replace table twinned as
      with many as (
        select score, rater_id, slate_id, session_id, job_id, stimulus_id, stimulus || '-' || (slate_id % 4) as stimulus,
          dimension, is_training, meta, is_correct, experiment_id
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
