import { expect, test } from "vitest";
import type { ConventionsInput } from "../../src/metrics/conventions.js";
import { openWarehouse, type Row, type Warehouse } from "../../src/warehouse/index.js";
import { recomputeBehind } from "../support/load-case.js";
import { isWhole } from "../support/whole.js";

interface Scored {
  slate: number;
  stimulus: string;
  score: number | null;
  dimension?: string;
  session?: string;
  training?: boolean;
}

/** A warehouse of one experiment; sessions d… are done, in the order of their names, any other is not. */
async function experiment(ratings: readonly Scored[]): Promise<Warehouse> {
  const warehouse = await openWarehouse({ sources: {} });
  const rows = ratings.map(
    ({ slate, stimulus, score, dimension = "", session = "d1", training = false }) =>
      `('${session}', ${slate}, '${stimulus}', '${dimension}', ${String(score)}, ${String(training)})`,
  );
  await warehouse.all(`
    create table own as select 'e' as experiment_id, 'j' as job_id, 1 as rater_id, 1 as stimulus_id,
      cast(null as json) as meta, cast(null as boolean) as is_correct, cast(null as varchar) as _meta, *
    from (values ${rows.join(", ")}) as t (session_id, slate_id, stimulus, dimension, score, is_training);
    create or replace view ratings as from own;
    create or replace view sessions as
      select distinct 'e' as experiment_id, session_id as id, 'j' as job_id, cast('{}' as json) as rater,
        timestamptz '2026-01-01' as date_created, timestamptz '2026-01-01' as date_updated,
        case when session_id like 'd%' then timestamptz '2026-01-01' + to_days(cast(session_id[2:] as integer)) end
          as date_completed,
        'e' as reported_experiment_id, null::varchar as _meta
      from own;
    create or replace view slates as
      select distinct 'e' as experiment_id, slate_id as id, session_id, 'j' as job_id, '1' as rater_id,
        timestamptz '2026-01-01' - to_days(cast(slate_id as integer)) as date_updated, is_training
      from own`);
  return warehouse;
}

async function rowsOf(
  sql: string,
  ratings: readonly Scored[],
  input?: ConventionsInput,
): Promise<Row[]> {
  const warehouse = await experiment(ratings);
  const [, model = ""] = /\bfrom (\w+)/.exec(sql) ?? [];
  await recomputeBehind(warehouse, [model], input);
  const rows = await warehouse.all(sql);
  warehouse.close();
  return rows;
}

const pair = (
  slate: number,
  winner: string,
  loser: string,
  more: Partial<Scored> = {},
): Scored[] => [
  { slate, stimulus: winner, score: 1, ...more },
  { slate, stimulus: loser, score: -1, ...more },
];

test("slates that are not comparisons are skipped and counted by reason", async () => {
  const ratings = [
    ...pair(1, "a", "b"),
    ...pair(2, "a", "a"),
    ...pair(3, "a", "b"),
    { slate: 3, stimulus: "c", score: 0 },
    { slate: 4, stimulus: "a", score: 1 },
    { slate: 5, stimulus: "a", score: 1 },
    { slate: 5, stimulus: "b", score: null },
    ...pair(6, "a", "a"),
    { slate: 6, stimulus: "b", score: 0 },
  ];
  expect(await rowsOf("select skip_reason, slates from audit_slates", ratings)).toEqual([
    { skip_reason: "", slates: 1 },
    { skip_reason: "fewer than two scores", slates: 2 },
    { skip_reason: "more than two scores", slates: 2 },
    { skip_reason: "one item twice", slates: 1 },
  ]);
  expect(
    await rowsOf("select item, wins, n from metric_win_loss where source = ''", ratings),
  ).toEqual([
    { item: "a", wins: 1, n: 1 },
    { item: "b", wins: 0, n: 1 },
  ]);
});

test("by convention every two scores of a slate are a comparison, if they are of different items", async () => {
  const ratings = [
    ...pair(1, "a", "b"),
    { slate: 2, stimulus: "c", score: 3 },
    { slate: 2, stimulus: "a", score: 1 },
    { slate: 2, stimulus: "b", score: 1 },
    { slate: 2, stimulus: "d", score: null },
    { slate: 3, stimulus: "a", score: 1 },
    { slate: 3, stimulus: "b", score: 2 },
    { slate: 3, stimulus: "a", score: 3 },
    ...[1, 2, 3].map((score) => ({ slate: 4, stimulus: "a", score })),
  ];
  const all = { pairs: "all" } as const;
  const sql = "select slate_id, item_a, item_b, outcome from int_comparisons order by all";
  expect(
    (await rowsOf(sql, ratings, all)).map((row) => Object.values(row).map(String).join(" ")),
  ).toEqual([...["1 a b 1", "2 a b 0", "2 a c -1", "2 b c -1", "3 a b -1", "3 a b 1"]]);
  expect(
    await rowsOf("select skip_reason, slates, comparisons from audit_slates", ratings, all),
  ).toEqual([
    { skip_reason: "", slates: 3, comparisons: 6 },
    { skip_reason: "one item twice", slates: 1, comparisons: 0 },
  ]);
});

test.runIf(isWhole)("a slate with two dimensions is a comparison in each", async () => {
  const ratings = [
    ...pair(1, "a", "b", { dimension: "x" }),
    ...pair(1, "b", "a", { dimension: "y" }),
  ];
  expect(
    await rowsOf(
      "select dimension, item from metric_win_loss where source = '' and wins = 1",
      ratings,
    ),
  ).toEqual([
    { dimension: "x", item: "a" },
    { dimension: "y", item: "b" },
  ]);
});

test.runIf(isWhole)("the margin is ignored and equal scores tie", async () => {
  const ratings = [
    { slate: 1, stimulus: "a", score: 90 },
    { slate: 1, stimulus: "b", score: 89.5 },
    { slate: 2, stimulus: "a", score: 50 },
    { slate: 2, stimulus: "b", score: 50 },
  ];
  expect(
    await rowsOf(
      "select wins, losses, ties from metric_win_loss where source = '' and item = 'a'",
      ratings,
    ),
  ).toEqual([{ wins: 1, losses: 0, ties: 1 }]);
});

function eloOfA(outcomes: readonly number[]): number {
  return outcomes.reduce((a, won) => a + 32 * (won - 1 / (1 + 10 ** ((4000 - 2 * a) / 400))), 2000);
}

test("service order: sessions as completed, incomplete last by id, slates as updated and not by id", async () => {
  const ratings = [
    ...pair(1, "b", "a", { session: "open2" }),
    ...pair(2, "a", "b", { session: "open1" }),
    ...pair(3, "b", "a", { session: "d2" }),
    ...pair(4, "a", "b", { session: "d1" }),
    ...pair(5, "b", "a", { session: "d1" }),
  ];
  const sql = "select value from metric_elo where source = '' and item = 'a'";
  const [complete] = await rowsOf(sql, ratings);
  // A slate's date_updated falls with its id here: in d1 slate 5 comes before slate 4.
  expect(complete?.value).toBeCloseTo(eloOfA([0, 1, 0]), 9);
  const [all] = await rowsOf(sql, ratings, { incomplete: "include" });
  expect(all?.value).toBeCloseTo(eloOfA([0, 1, 0, 1, 0]), 9);
});

test("a single rating has no spread", async () => {
  const rows = await rowsOf("select n, mean, std, ci_low from metric_stats where source = ''", [
    { slate: 1, stimulus: "a", score: 3 },
  ]);
  expect(rows).toEqual([{ n: 1, mean: 3, std: null, ci_low: null }]);
});
