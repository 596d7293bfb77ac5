import { expect, test } from "vitest";
import { seededRandom } from "../../src/platform/index.js";
import {
  type AgreementWeights,
  cohenKappa,
  completeTable,
  fleissKappa,
  gwet,
  intraclassCorrelations,
  meanPairwiseKappa,
} from "../../src/statistics/kernels/agreement.js";
import {
  alphaInterval,
  type Cells,
  krippendorff,
  type Level,
  pairable,
} from "../../src/statistics/kernels/krippendorff.js";
import { textOf } from "../../src/warehouse/index.js";
import { loadCase, loadRows, recomputeBehind } from "../support/load-case.js";
import { oracle, transposed } from "../support/oracle.js";

/** Units in rows, raters in columns; null for no rating. */
function cellsOf(table: readonly (readonly (number | null)[])[]): Cells {
  const all = table.flatMap((row, unit) =>
    row.flatMap((value, rater) => (value === null ? [] : [{ unit, rater, value }])),
  );
  return {
    units: table.length,
    raters: table[0]?.length ?? 0,
    unit: Int32Array.from(all, ({ unit }) => unit),
    rater: Int32Array.from(all, ({ rater }) => rater),
    value: Float64Array.from(all, ({ value }) => value),
  };
}

const codings = oracle("codings") as { data: (number | null)[][]; alpha: Record<Level, number> };

test.each(["nominal", "ordinal", "interval"] as const)(
  "Krippendorff's α at the %s level",
  (level) => {
    const cells = pairable(cellsOf(transposed(codings.data)));
    expect(krippendorff(cells, level)).toBeCloseTo(codings.alpha[level], 14);
  },
);

test("α of the codings is 904/1216 at the nominal level, and none without variation", () => {
  expect(codings.alpha.nominal).toBeCloseTo(904 / 1216, 14);
  expect(
    krippendorff(
      cellsOf([
        [2, 2],
        [2, 2],
      ]),
      "interval",
    ),
  ).toBeNaN();
});

test.each(["unit", "rater"] as const)(
  "the interval of α over drawn %ss holds α and is the same again",
  (over) => {
    const cells = pairable(cellsOf(transposed(codings.data)));
    const [low, high] = alphaInterval(cells, "interval", over);
    const alpha = krippendorff(cells, "interval");
    expect(low).toBeLessThan(alpha);
    expect(high).toBeGreaterThanOrEqual(alpha);
    expect(alphaInterval(cells, "interval", over)).toEqual([low, high]);
  },
);

test("raters who all say the same have an interval of no width, raters drawn twice agree no better", () => {
  const same = cellsOf([
    [1, 1, 1],
    [2, 2, 2],
    [3, 3, 3],
    [1, 1, 1],
  ]);
  expect(alphaInterval(same, "interval", "rater")).toEqual([1, 1]);
  const random = seededRandom(5);
  // Independent answers: an interval that counted copies of a rater as agreement would lie above zero.
  const table = Array.from({ length: 60 }, () =>
    Array.from({ length: 6 }, () => Math.floor(5 * random())),
  );
  const [low, high] = alphaInterval(cellsOf(table), "interval", "rater");
  expect(low).toBeLessThan(krippendorff(cellsOf(table), "interval"));
  expect(high).toBeLessThan(0.25);
});

test.each(["shrout", "anxiety"])("intraclass correlations of %s", (name) => {
  const { data, icc, ci } = oracle(name) as {
    data: number[][];
    icc: Record<string, number>;
    ci: Record<string, number[]>;
  };
  const cells = cellsOf(data);
  const found = intraclassCorrelations(completeTable(cells)!, cells.units, cells.raters);
  const named = {
    "ICC(1,1)": found.icc_1,
    "ICC(1,k)": found.icc_1_k,
    "ICC(A,1)": found.icc_a_1,
    "ICC(A,k)": found.icc_a_k,
  };
  for (const [key, { value, ci_low: low, ci_high: high }] of Object.entries(named)) {
    expect(value, key).toBeCloseTo(icc[key]!, 12);
    // The oracle gives two decimals.
    expect([low.toFixed(2), high.toFixed(2)].map(Number), key).toEqual(ci[key]);
  }
});

const iccOf = (table: readonly (readonly number[])[]) => {
  const cells = cellsOf(table);
  return intraclassCorrelations(completeTable(cells)!, cells.units, cells.raters);
};

test.each([
  // Equal means of 0.15, but for rounding, and equal scores.
  [
    [0.1, 0.2],
    [0.15, 0.15],
    [0.2, 0.1],
  ],
  [
    [0.1, 0.1],
    [0.1, 0.1],
    [0.1, 0.1],
  ],
])("units that do not differ have no intraclass correlation: %j", (...table) => {
  for (const { value, ci_low: low, ci_high: high } of Object.values(iccOf(table)))
    expect([value, low, high]).toEqual([NaN, NaN, NaN]);
});

test("units that differ less than by chance have no absolute agreement, not one above 1", () => {
  // Means 2, 2.5 and 2 of rows that scatter by 3.
  const found = iccOf([
    [1, 3],
    [4, 1],
    [1, 3],
  ]);
  expect(found.icc_1.value).toBeLessThan(0);
  expect([found.icc_a_1.value, found.icc_a_k.value]).toEqual([NaN, NaN]);
  for (const { value, ci_low: low, ci_high: high } of Object.values(found))
    for (const number of [value, low, high]) expect(!(number > 1)).toBe(true);
});

test("raters who agree wholly have intraclass correlations of 1", () => {
  const found = iccOf([
    [1, 1],
    [2, 2],
    [4, 4],
  ]);
  expect(Object.values(found).map(({ value }) => value)).toEqual([1, 1, 1, 1]);
});

test("intervals of ICC and kappas of irr", () => {
  const anxiety = (oracle("anxiety") as { data: number[][] }).data;
  const diagnoses = (oracle("diagnoses") as { data: number[][] }).data;
  const cells = cellsOf(anxiety);
  const table = completeTable(cells)!;
  const { icc_a_1: agreement } = intraclassCorrelations(table, 20, 3);
  expect(agreement.ci_low).toBeCloseTo(-0.03891063, 7);
  expect(agreement.ci_high).toBeCloseTo(0.4935739, 6);
  expect(fleissKappa(cellsOf(diagnoses))).toBeCloseTo(0.4302445201, 10);
  expect(meanPairwiseKappa(cellsOf(diagnoses))).toBeCloseTo(0.4594121444, 10);
  const column = (of: number[][], at: number) => Int8Array.from(of, (row) => row[at]!);
  expect(cohenKappa(column(diagnoses, 1), column(diagnoses, 2), 10).kappa).toBeCloseTo(
    0.631147541,
    9,
  );
});

interface OracleEstimate {
  value: number;
  low: number;
  high: number;
}

test.each(["codings", "diagnoses", "anxiety"])(
  "Gwet's AC1 and AC2 of %s, with their intervals, are those of irrCAC",
  (name) => {
    const { data } = oracle(name) as { data: (number | null)[][] };
    const cells = cellsOf(name === "codings" ? transposed(data) : data);
    const wanted = (oracle("irrcac") as Record<string, unknown>)[name] as Record<
      string,
      OracleEstimate
    >;
    const weightings: [string, AgreementWeights][] = [
      ["identity", "nominal"],
      ["ordinal", "ordinal"],
    ];
    for (const [key, weights] of weightings) {
      const found = gwet(cells, weights);
      const golden = wanted[key]!;
      // The oracle gives 15 decimals; its quantile of t is good to about 12.
      expect(found.value, key).toBeCloseTo(golden.value, 12);
      expect(found.ci_low, key).toBeCloseTo(golden.low, 10);
      expect(found.ci_high, key).toBeCloseTo(golden.high, 10);
    }
  },
);

test("one category, and raters who share no unit, have no agreement above chance", () => {
  const ofTable = (table: (number | null)[][]) => gwet(cellsOf(table), "nominal");
  const none = { value: NaN, ci_low: NaN, ci_high: NaN };
  expect(ofTable([[1, 1], [1, 1]])).toEqual(none); // prettier-ignore
  expect(ofTable([[1, null], [null, 2]])).toEqual(none); // prettier-ignore
  // All alike in two categories: 1, and the interval is no wider.
  expect(ofTable([[1, 1], [2, 2]])).toEqual({ value: 1, ci_low: 1, ci_high: 1 }); // prettier-ignore
});

test("agreement has the statistics that fit its answers, which have no order in comparisons", async () => {
  const warehouse = await loadCase("codec-preference.json");
  await recomputeBehind(warehouse, ["agreement", "int_comparisons"]);
  const named =
    await warehouse.all(`select answers, string_agg(statistic, ' ' order by statistic) as names
    from agreement group by answers order by answers`);
  const both = "fleiss_kappa gwet_ac1";
  expect(named.map(({ names }) => names)).toEqual([
    `${both} krippendorff_nominal mean_pairwise_kappa`,
    `${both} gwet_ac2_ordinal icc_1 icc_1_k icc_a_1 icc_a_k krippendorff_interval ` +
      "krippendorff_nominal krippendorff_ordinal mean_pairwise_kappa",
  ]);
  warehouse.close();
});

/** Votes of three raters on four prompts; of two pairs the last wins over the first by name. */
const votes = [
  ["p1", "A", "B", [1, 1, 1]],
  ["p2", "A", "B", [1, -1, 1]],
  ["p3", "C", "A", [-1, -1, 0]],
  ["p4", "C", "A", [1, 1, 1]],
] as const;

/** @param more what the ratings of the first and the second item of a prompt say about it */
function loadVotes(
  more: (prompt: string, side: 0 | 1, rater: number) => object,
  nameOf = (item: string) => item,
) {
  const ratings = votes.flatMap(([prompt, left, right, outcomes], slate) =>
    outcomes.flatMap((outcome, rater) =>
      ([0, 1] as const).map((side) => ({
        experiment_id: "exp",
        session_id: `s${rater}`,
        slate_id: slate,
        rater_id: rater,
        stimulus: nameOf([left, right][side]!),
        score: (1 + (side === 0 ? outcome : -outcome)) / 2,
        ...more(prompt, side, rater),
      })),
    ),
  );
  const sessions = [0, 1, 2].map((rater) => ({
    experiment_id: "exp",
    id: `s${rater}`,
    date_completed: "2026-01-01T00:00:00Z",
  }));
  return loadRows({ ratings, sessions });
}

const byPrompt = (prompt: string) => ({ _meta: JSON.stringify({ recount_prompt: prompt }) });
const byStimulus = (prompt: string, side: 0 | 1) => ({
  stimulus_id: 2 * Number(prompt.slice(1)) + side,
});
// Krippendorff (2011) by hand, each prompt in both orders: D_o = 8, and 11 first, 11 second, 2 ties.
const alphaByHand = 1 - (23 * 8) / (2 * (11 * 11 + 11 * 2 + 11 * 2));

test.each([
  ["the prompt that an import states", byPrompt, undefined, 4],
  ["other names of the items", byPrompt, (item: string) => ({ A: "Z", B: "C", C: "B" })[item]!, 4],
  ["the stimuli of the service", byStimulus, undefined, 4],
  ["the slate of the rater alone", () => ({}), undefined, 12],
] as const)("the unit of a comparison is what was judged: %s", async (_, more, nameOf, units) => {
  const warehouse = await loadVotes(more, nameOf);
  await recomputeBehind(warehouse, ["agreement"]);
  const rows = await warehouse.all(`select statistic, units, n, value, ci_low, reason from agreement
    where answers = 'comparisons' order by statistic`);
  const alpha = rows.find(({ statistic }) => statistic === "krippendorff_nominal");
  expect(alpha).toMatchObject({ units, n: 12 });
  if (units === 4) expect(alpha?.value).toBeCloseTo(alphaByHand, 12);
  else
    for (const row of rows)
      expect(row).toMatchObject({
        value: null,
        ci_low: null,
        reason: "no two raters share a unit",
      });
  warehouse.close();
});

test("the models give the same numbers, and a reason where there is none", async () => {
  const warehouse = await loadCase("mushra.json");
  // Raters with other numbers of scores for an item: each counts once all the same.
  await warehouse.all(`create table original as from ratings;
    create or replace view ratings as from original where slate_id % 3 > 0 or hash(rater_id) % 2 = 0`);
  await recomputeBehind(warehouse, ["agreement", "rater_agreement"]);
  const rows = await warehouse.all(
    `select item || stimulus_id as item, rater_id, avg(score) as value from int_population
    group by all order by item, rater_id`,
  );
  const raters = [...new Set(rows.map((row) => row.rater_id))];
  const items = [...new Set(rows.map((row) => row.item))];
  const table = items.map((item) =>
    raters.map(
      (rater) =>
        (rows.find((row) => row.item === item && row.rater_id === rater)?.value ?? null) as
          number | null,
    ),
  );
  const valueOf = async (statistic: string) =>
    (
      await warehouse.all(`select value, reason from agreement where statistic = '${statistic}'`)
    )[0];
  const cells = cellsOf(table);
  expect((await valueOf("krippendorff_interval"))?.value).toBeCloseTo(
    krippendorff(cells, "interval"),
    10,
  );
  const icc = intraclassCorrelations(completeTable(cells)!, cells.units, cells.raters);
  expect((await valueOf("icc_a_1"))?.value).toBeCloseTo(icc.icc_a_1.value, 10);
  expect(await valueOf("fleiss_kappa")).toEqual({
    value: null,
    reason: "more than 20 different values, or too many pairs of raters",
  });
  const others = table.map(
    (row) => (row.reduce<number>((sum, v) => sum + v!, 0) - row[0]!) / (row.length - 1),
  );
  const [first] = await warehouse.all(
    `select leave_one_out_r as value from rater_agreement where rater_id = '${textOf(rows[0] ?? {}, "rater_id")}'`,
  );
  expect(first?.value).toBeCloseTo(
    pearson(
      table.map((row) => row[0]!),
      others,
    ),
    10,
  );
  warehouse.close();
});

test("items of equal means have no ICC, and their raters no correlation, with the reason", async () => {
  const warehouse = await loadCase("mushra.json");
  await warehouse.all(`create table original as from ratings;
    create or replace view ratings as
      select * replace (rater_id / 10 as score) from original`);
  await recomputeBehind(warehouse, ["agreement", "rater_agreement"]);
  const reasons = await warehouse.all(
    "select distinct value, ci_low, reason from agreement where statistic like 'icc%'",
  );
  expect(reasons).toEqual([
    { value: null, ci_low: null, reason: "the units do not differ more than by chance" },
  ]);
  const raters = await warehouse.all(
    "select distinct items::integer as items, leave_one_out_r from rater_agreement",
  );
  expect(raters).toEqual([{ items: 6, leave_one_out_r: null }]);
  warehouse.close();
});

function pearson(x: number[], y: number[]): number {
  const mean = (v: number[]) => v.reduce((a, b) => a + b, 0) / v.length;
  const mx = mean(x);
  const my = mean(y);
  const dot = (f: (i: number) => number) => x.reduce((sum, _, i) => sum + f(i), 0);
  return (
    dot((i) => (x[i]! - mx) * (y[i]! - my)) /
    Math.sqrt(dot((i) => (x[i]! - mx) ** 2) * dot((i) => (y[i]! - my) ** 2))
  );
}
