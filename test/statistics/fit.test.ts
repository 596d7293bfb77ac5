import { expect, test } from "vitest";
import { bootstrapDeviance, pairFit } from "../../src/statistics/kernels/fit.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { oracle } from "../support/oracle.js";
import { isWhole } from "../support/whole.js";

/** Counts of pairs: [first, second, wins of the first, wins of the second]. */
const countsOf = (items: number, pairs: readonly (readonly number[])[]) => ({
  items,
  a: Int32Array.from(pairs, ([a]) => a!),
  b: Int32Array.from(pairs, ([, b]) => b!),
  winsA: Float64Array.from(pairs, ([, , wins]) => wins!),
  winsB: Float64Array.from(pairs, ([, , , losses]) => losses!),
  ties: new Float64Array(pairs.length),
});

const ofMatrix = (wins: number[][]) =>
  countsOf(
    wins.length,
    wins.flatMap((row, i) => row.flatMap((won, j) => (i < j ? [[i, j, won, wins[j]![i]!]] : []))),
  );

const citations = ofMatrix((oracle("citations") as { data: number[][] }).data);
const celebrities = ofMatrix((oracle("celebrities") as { data: number[][] }).data);
const flute = countsOf(
  8,
  (oracle("flute") as { data: number[][] }).data.map(([a, b, ...wins]) => [
    a! - 1,
    b! - 1,
    ...wins,
  ]),
);

test.each([
  ["citations", citations, 4.293384, 3, 6],
  ["flute", flute, 24.68667, 21, 5],
  ["celebrities", celebrities, 78.21721, 28, 5],
] as const)("the deviance of %s", (_, counts, deviance, df, digits) => {
  const fit = pairFit(counts)!;
  expect(fit.deviance).toBeCloseTo(deviance, digits);
  expect(fit.df).toBe(df);
});

test("the bootstrap agrees with χ² where pairs have many comparisons", () => {
  // p of χ²: 0.2315 on 3, and 1.2e-6 on 28. 500 draws have a standard error of 0.02.
  expect(Math.abs(bootstrapDeviance(citations, pairFit(citations)!) - 0.2315)).toBeLessThan(0.07);
  expect(bootstrapDeviance(celebrities, pairFit(celebrities)!)).toBeLessThan(0.005);
});

test.runIf(isWhole)("the model says why there is no fit", async () => {
  const warehouse = await loadCase("codec-preference.json");
  await recomputeBehind(warehouse, ["pair_fit"]);
  const [fit] = await warehouse.all("from pair_fit");
  expect(fit).toMatchObject({ items: 8, pairs: 28, df: 21, reason: null });
  await warehouse.all(`create table original as from ratings; create or replace view ratings as
    select * replace (case when stimulus = 'codec-a' then 99 else score end as score) from original`);
  await recomputeBehind(warehouse, ["pair_fit"]);
  const [none] = await warehouse.all("select deviance, p_bootstrap, reason from pair_fit");
  expect(none).toEqual({
    deviance: null,
    p_bootstrap: null,
    reason: "some items won or lost everything against the others",
  });
  warehouse.close();
});
