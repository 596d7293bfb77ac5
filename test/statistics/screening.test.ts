import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { modelsOnDemand, type Warehouse } from "../../src/warehouse/index.js";
import { leanConventions, loadCase, recomputeBehind } from "../support/load-case.js";
import { oracle } from "../support/oracle.js";
import { everyNth } from "../support/whole.js";

interface Study {
  readonly data: number[][];
  readonly bt500: { readonly excluded: boolean[]; readonly share: number[] };
}

/** The ratings of a table of items (rows) and raters (columns), one session a rater, as SQL values. */
const valuesOf = (
  rows: { rater: number; item: string; score: number; training?: boolean; correct?: boolean }[],
) =>
  rows
    .map(
      ({ rater, item, score, training = false, correct }, i) =>
        `(${score}, ${rater}, ${i}, 's${rater}', '${item}', ${training}, ${correct === undefined ? "null" : `'{"isCorrect": ${correct}}'`})`,
    )
    .join(", ");

async function load(rows: Parameters<typeof valuesOf>[0]): Promise<Warehouse> {
  const warehouse = await loadCase("mushra.json");
  await warehouse.all(`
    create table own as select * from (values ${valuesOf(rows)}) as v(score, rater_id, slate_id, session_id, stimulus, is_training, meta);
    create or replace view ratings as
      select score::double as score, rater_id::bigint as rater_id, slate_id::bigint as slate_id, session_id, 'j' as job_id,
        1::bigint as stimulus_id, stimulus, '' as dimension, is_training, meta::json as meta, null::boolean as is_correct, null::varchar as _meta,
        'exp' as experiment_id
      from own;
    create or replace view sessions as
      select distinct session_id as id, 'j' as job_id, null::timestamptz as date_created, null::timestamptz as date_updated,
        '2026-01-01'::timestamptz as date_completed, null::json as rater, null::varchar as _meta, 'exp' as experiment_id,
        'exp' as reported_experiment_id
      from own`);
  return warehouse;
}

const two = (n: number) => String(n).padStart(2, "0");

describe.each(["nflx", "nflx_outliers"])("%s", (name) => {
  const { data, bt500 } = oracle(name) as Study;
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await load(
      data.flatMap((row, item) =>
        row.map((score, rater) => ({ rater: rater + 10, item: `clip${two(item)}`, score })),
      ),
    );
    await recomputeBehind(warehouse, ["screening", "screening_effect"]);
  });
  afterAll(() => warehouse.close());

  test("BT.500 excludes whom the oracle excludes, for the same share of ratings", async () => {
    const rows = await warehouse.all(
      "select * from screening where rule = 'bt500' order by rater_id",
    );
    expect(rows.map(({ excluded }) => excluded)).toEqual(bt500.excluded);
    rows.forEach(({ offending_pct: pct }, i) => expect(pct).toBeCloseTo(100 * bt500.share[i]!, 10));
    expect(rows.map(({ excluded_ratings: n }) => Number(n))).toEqual(
      bt500.excluded.map((is) => (is ? data.length : 0)),
    );
  });

  test("screened means are those of the ratings that are left", async () => {
    const kept = bt500.excluded.map((is) => !is);
    const rows = await warehouse.all(
      "select * from screening_effect where rule = 'bt500' order by item",
    );
    rows.forEach((row, i) => {
      const left = data[i]!.filter((_, rater) => kept[rater]);
      expect(row.screened_n).toBe(left.length);
      expect(row.screened_mean).toBeCloseTo(left.reduce((a, b) => a + b, 0) / left.length, 12);
    });
  });
});

test("golden numbers of the Netflix public data: MOS and standard error", async () => {
  const { data } = oracle("nflx") as Study;
  const warehouse = await load(
    data.flatMap((row, item) =>
      row.map((score, rater) => ({ rater, item: `clip${two(item)}`, score })),
    ),
  );
  await recomputeBehind(warehouse, ["metric_stats"]);
  const [means] = await warehouse.all(
    "select avg(mean) as mos, avg(sem) as sem from metric_stats where source = ''",
  );
  expect(means?.mos).toBeCloseTo(3.544790652385589, 12);
  expect(means?.sem).toBeCloseTo(0.12986637295658307, 12);
  warehouse.close();
});

describe("rules with a planted offender", () => {
  let warehouse: Warehouse;
  const trial = (rater: number, scores: Record<string, number>) =>
    Object.entries(scores).map(([item, score]) => ({ rater, item, score }));
  beforeAll(async () => {
    const rows = [1, 2, 3, 4, 5, 6, 7].flatMap((rater) =>
      Array.from({ length: 20 }, (_, k) =>
        trial(rater, {
          // Rater 2 misses the reference in 4 of 20 (20 %), rater 3 in 3 (15 %, which is allowed).
          reference: (rater === 2 && k < 4) || (rater === 3 && k < 3) ? 89 : 95,
          // Rater 4 takes the mid-range anchor for the reference in 4 of 20.
          anchor70: rater === 4 && k < 4 ? 91 : 60 + (k % 5),
          codec: rater === 5 && k === 0 ? 0 : 75 + ((k + rater) % 3),
        }),
      ).flat(),
    );
    const training = [true, true, false, false].map((correct) => ({
      rater: 6,
      item: "codec",
      score: 1,
      training: true,
      correct,
    }));
    const passed = [true, true, true, false].map((correct) => ({
      rater: 7,
      item: "codec",
      score: 1,
      training: true,
      correct,
    }));
    warehouse = await load([...rows, ...training, ...passed]);
    await recomputeBehind(warehouse, ["screening", "screening_ratings"]);
  });
  afterAll(() => warehouse.close());

  test.each([
    [
      "bs1534_reference",
      ["2"],
      "ITU-R BS.1534-3 §4.1.2",
      "4 of 20 ratings of the hidden reference are below 90: excluded.",
    ],
    [
      "bs1534_anchor",
      ["4"],
      "ITU-R BS.1534-3 §4.1.2",
      "4 of 20 ratings of the mid-range anchor are above 90: excluded.",
    ],
    [
      "training",
      ["6"],
      "fewer than 70 % of the training is correct",
      "2 of 4 training ratings are incorrect: excluded.",
    ],
  ])("%s excludes rater %s, with its clause", async (rule, raters, clause, sentence) => {
    const rows = await warehouse.all(`from screening where rule = '${rule}' and excluded`);
    expect(rows.map(({ rater_id }) => rater_id)).toEqual(raters);
    expect(rows[0]).toMatchObject({ clause, sentence, excluded_ratings: 60 });
  });

  test("P.808 leaves out the one rating that is far off, and no rater", async () => {
    expect(await warehouse.all("from screening where rule = 'p808' and excluded")).toEqual([]);
    const outliers = await warehouse.all(
      "select rater_id, item, score from screening_ratings where rule = 'p808' and side <> 0 and item = 'codec'",
    );
    expect(outliers).toEqual([{ rater_id: "5", item: "codec", score: 0 }]);
  });

  test("an anchor that more than a quarter of the assessors rate above 90 excludes nobody", async () => {
    const all = await load(
      [1, 2, 3, 4].flatMap((rater) =>
        Array.from({ length: 10 }, (_, k) => ({
          rater,
          item: `song${k}/anchor70`,
          score: rater <= (k < 2 ? 2 : 1) ? 95 : 50,
        })),
      ),
    );
    await recomputeBehind(all, ["screening"], { item_pattern: "/(.*)" });
    // Two of four do for two songs, one of four for the others: those 8 of 10 count against rater 1 alone.
    const rows = await all.all(
      "select rater_id, offending, excluded from screening where rule = 'bs1534_anchor' order by rater_id",
    );
    expect(rows.map(({ offending, excluded }) => [Number(offending), excluded])).toEqual([
      [8, true],
      [0, false],
      [0, false],
      [0, false],
    ]);
    all.close();
  });
});

/** Of twelve raters of three songs, raters 2 and 7 miss the reference in all of them. */
const listening = (reference: string, anchor: string) =>
  Array.from({ length: 12 }, (_, rater) =>
    [1, 2, 3].flatMap((song) =>
      Object.entries({
        [reference]: rater === 2 || rater === 7 ? 80 : 95 + song,
        [anchor]: 20 + song,
        codec: 70 + ((rater + song) % 7),
      }).map(([item, score]) => ({ rater, item, score })),
    ),
  ).flat();

async function loadRoles(rows: Parameters<typeof load>[0], roles: object | null) {
  const warehouse = await load(rows);
  await warehouse.all(`create or replace view experiments as select 'exp' as id, 'exp' as name,
    'mushra' as type, null::timestamptz as date_created, null::timestamptz as date_updated,
    ${roles === null ? "null" : `'${JSON.stringify({ roles })}'`}::json as config`);
  return warehouse;
}

const named = [
  ["a name proposes", "reference", null, ["2", "7"], "codec"],
  ["roles decide about other names", "original", { reference: ["original"] }, ["2", "7"], "codec"],
  ["one name needs no list", "ref.wav", { reference: "ref.wav" }, ["2", "7"], "codec"],
  ["no name proposes beside roles", "reference", { reference: ["other"] }, [], "reference"],
  ["no other name proposes", "original", null, [], "original"],
] as const;
test.each(everyNth(named, 3))(
  "screening, ranks and robustness take the same hidden reference: %s",
  async (_, reference, roles, excluded, first) => {
    const warehouse = await loadRoles(listening(reference, "lp35"), roles);
    await recomputeBehind(warehouse, ["leaderboard", "ranking", "robustness", "screening"]);
    const rows = await warehouse.all(`select rater_id from screening
      where rule = 'bs1534_reference' and excluded and rater_id in ('2', '7') order by 1`);
    expect(rows.map(({ rater_id }) => rater_id)).toEqual(excluded);
    expect(
      await warehouse.all(`select l.item as board, r.item as ranking, f.units from leaderboard as l
        join ranking as r on r.rank = 1 and r.estimate = l.kind
        join robustness as f on f.kind = l.kind and f.unit = 'vote' and f.k = 1
        where l.kind = 'mean' and l.source = '' and l.rank = 1`),
    ).toEqual([{ board: first, ranking: first, units: first === "codec" ? 72 : 108 }]);
    warehouse.close();
  },
);

const few = listening("reference", "anchor70").filter(({ rater }) => rater < 5);
const screens = [
  ["bs1534", listening("original", "lp35"), /^conventions\.screen: bs1534 .*no item is the hidden/],
  ["bt500", few.slice(0, 15), /no stimulus has six scores/],
  ["p808", few.slice(0, 18), /no item has twelve scores/],
  ["p808", few, null],
  ["p808", few.map((one) => ({ ...one, score: 1 })), /fewer than five different values/],
  ["p808", few.filter(({ rater }) => rater === 1), /fewer than two raters/],
  ["training", few, /no training rating says whether it is correct/],
  ["training", [...few, { ...few[0]!, training: true, correct: true }], null],
] as const;
test.each(everyNth(screens, 4, 3))(
  "screen: %s acts on what it needs, or ends with the reason",
  async (screen, rows, says) => {
    const warehouse = await load([...rows]);
    const make = await modelsOnDemand(warehouse, leanConventions({ screen }));
    const run = make(["metric_mean"]).catch((error: unknown) => error);
    if (says === null) expect(await run).toHaveProperty("models");
    else
      expect(await run).toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(says) as string,
      });
    warehouse.close();
  },
);
