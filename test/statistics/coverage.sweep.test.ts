import { expect, test } from "vitest";
import { bradleyTerry } from "../../src/metrics/bradley-terry/bradley-terry.js";
import { fitWorths } from "../../src/metrics/bradley-terry/model.js";
import { type Random, seededRandom } from "../../src/platform/index.js";
import { raterPairCountsOf } from "../../src/metrics/pair-counts.js";
import { deviation, tQuantile } from "../../src/metrics/numeric/statistics.js";
import {
  differencesOf,
  fewestDegrees,
  type Estimates,
  probabilityBest,
  rankIntervals,
} from "../../src/statistics/kernels/contrasts.js";
import { meanEstimates, worthEstimates } from "../../src/statistics/kernels/differences.js";
import { alphaInterval } from "../../src/statistics/kernels/krippendorff.js";
import { normalDraws } from "../../src/statistics/kernels/simulation.js";
import { read } from "../support/root.js";

const studies = 1000;

interface Design {
  readonly items: number;
  readonly raters: number;
  /** Comparisons or scores of a rater. */
  readonly each: number;
  /** Standard deviation of a rater's own opinion of an item. */
  readonly opinion: number;
}

/** True differences of neighbours of 0.5 and 0, in turn, or none. */
const levelsOf = (items: number, areEqual: boolean) =>
  Float64Array.from({ length: items }, (_, i) => (areEqual ? 0 : -0.5 * Math.floor(i / 2)));

function comparisons(
  { items, raters, each, opinion }: Design,
  levels: Float64Array,
  random: Random,
) {
  const normal = normalDraws(random);
  const n = raters * each;
  const played = {
    a: new Int32Array(n),
    b: new Int32Array(n),
    outcome: new Int8Array(n),
    rater: new Int32Array(n),
  };
  for (let vote = 0, rater = 0; rater < raters; rater++) {
    const own = levels.map((level) => level + opinion * normal());
    for (let k = 0; k < each; k++, vote++) {
      const a = Math.floor(random() * items);
      const b = (a + 1 + Math.floor(random() * (items - 1))) % items;
      const isTie = random() < tieShare;
      played.a[vote] = a;
      played.b[vote] = b;
      played.rater[vote] = rater;
      played.outcome[vote] = isTie ? 0 : random() < 1 / (1 + Math.exp(own[b]! - own[a]!)) ? 1 : -1;
    }
  }
  return raterPairCountsOf(items, raters, played);
}

const tieShare = 0.1;

/** The worths to which the fit tends with ever more raters: those of the expected counts. */
function limitWorths({ items, opinion }: Design, levels: Float64Array): Float64Array {
  const pairs = Array.from(
    { length: items * items },
    (_, at) => [Math.floor(at / items), at % items] as const,
  ).filter(([i, j]) => i < j);
  const expected = pairs.map(([i, j]) => {
    // The mean of the logistic function over the normal difference of two opinions, by the trapezoidal rule.
    const spread = opinion * Math.SQRT2;
    let sum = 0;
    let weights = 0;
    for (let z = -6; z <= 6; z += 0.05) {
      const weight = Math.exp(-z * z * 0.5);
      sum += weight / (1 + Math.exp(-(levels[i]! - levels[j]! + spread * z)));
      weights += weight;
    }
    return (1 - tieShare) * (sum / weights) + tieShare / 2;
  });
  return fitWorths(
    {
      items,
      a: Int32Array.from(pairs, ([i]) => i),
      b: Int32Array.from(pairs, ([, j]) => j),
      winsA: Float64Array.from(expected, (p) => 1000 * p),
      winsB: Float64Array.from(expected, (p) => 1000 * (1 - p)),
      ties: new Float64Array(pairs.length),
    },
    "half",
  ).logWorth;
}

function scores({ items, raters, each, opinion }: Design, levels: Float64Array, random: Random) {
  const normal = normalDraws(random);
  const n = raters * items;
  const rows = {
    items,
    rater: new Int32Array(n),
    item: new Int32Array(n),
    n: new Float64Array(n).fill(each),
    sum: new Float64Array(n),
  };
  for (let at = 0, rater = 0; rater < raters; rater++) {
    const bias = normal();
    for (let item = 0; item < items; item++, at++) {
      const own = levels[item]! + bias + opinion * normal();
      rows.rater[at] = rater;
      rows.item[at] = item;
      for (let k = 0; k < each; k++) rows.sum[at]! += own + normal();
    }
  }
  return rows;
}

interface Found {
  readonly differences: number;
  readonly ranks: number;
  /** Share of studies in which no two equal items are separated. */
  readonly equal: number;
}

function coverage(truth: Float64Array, estimatesOf: (random: Random) => Estimates | null): Found {
  let held = 0;
  let pairs = 0;
  let ranksHeld = 0;
  let equalHeld = 0;
  let counted = 0;
  for (let seed = 1; seed <= studies; seed++) {
    const estimates = estimatesOf(seededRandom(seed));
    if (estimates === null) continue;
    counted++;
    const found = differencesOf(estimates);
    let areEqualTogether = true;
    for (let at = 0; at < found.item_1.length; at++) {
      const wanted = truth[found.item_1[at]!]! - truth[found.item_2[at]!]!;
      pairs++;
      held += Number(
        Math.abs(found.difference[at]! - wanted) <=
          tQuantile(0.975, found.df[at]!) * found.std_error[at]!,
      );
      if (Math.abs(wanted) < 1e-6 && found.p_holm[at]! < 0.05) areEqualTogether = false;
    }
    const { best, worst } = rankIntervals(truth.length, 0, found);
    truth.forEach((own, i) => {
      const above = truth.filter((other) => other > own + 1e-6).length;
      const below = truth.filter((other) => other < own - 1e-6).length;
      // Equal items have every rank among themselves.
      ranksHeld += Number(best[i]! <= above + 1 && worst[i]! >= truth.length - below);
    });
    equalHeld += Number(areEqualTogether);
  }
  expect(counted).toBeGreaterThan(0.98 * studies);
  return {
    differences: held / pairs,
    ranks: ranksHeld / (counted * truth.length),
    equal: equalHeld / counted,
  };
}

function expectInDocs(row: string): void {
  const docs = read("docs/reference/statistics.md");
  expect(docs, "docs/reference/statistics.md has the row").toContain(row);
}

const pct = (share: number) => (100 * share).toFixed(1);

const designs: [name: "worths" | "means", design: Design, areEqual: boolean, least: number][] = [
  ["worths", { items: 4, raters: 40, each: 40, opinion: 0.6 }, false, 93],
  ["worths", { items: 12, raters: 60, each: 60, opinion: 0.6 }, false, 93],
  ["worths", { items: 12, raters: 60, each: 60, opinion: 0.6 }, true, 93],
  ["worths", { items: 6, raters: 12, each: 60, opinion: 0.6 }, false, 90],
  ["means", { items: 4, raters: 20, each: 2, opinion: 0.7 }, false, 93],
  ["means", { items: 12, raters: 30, each: 2, opinion: 0.7 }, true, 93],
  ["means", { items: 6, raters: 8, each: 2, opinion: 0.7 }, false, 93],
  ["worths", { items: 4, raters: 4, each: 60, opinion: 0.6 }, false, 93],
  ["means", { items: 4, raters: 3, each: 2, opinion: 0.7 }, false, 93],
];

test.each(designs)("1,000 studies of %s, %j, equal items: %s", (name, design, areEqual, least) => {
  const levels = levelsOf(design.items, areEqual);
  const truth = name === "worths" ? limitWorths(design, levels) : levels;
  const found = coverage(truth, (random) => {
    const classes =
      name === "worths"
        ? worthEstimates(comparisons(design, levels, random), "half")
        : meanEstimates(scores(design, levels, random));
    return classes.length === 1 ? classes[0]!.estimates : null;
  });
  const { items, raters, each } = design;
  const row = `| ${name} | ${items}${areEqual ? ", all equal" : ""} | ${raters} × ${each} | ${pct(found.differences)} | ${pct(found.ranks)} | ${pct(found.equal)} |`;
  console.info(row);
  expect(100 * found.differences).toBeGreaterThan(least);
  expect(100 * found.differences).toBeLessThan(97);
  // Simultaneous: 95 % or more, within three standard errors of 1,000 studies; less for few raters.
  expect(100 * Math.min(found.ranks, found.equal)).toBeGreaterThan(least);
  expectInDocs(row);
});

test.each([2, 3, 4, 10])(
  "of two equal items one is hardly called the best, by %i raters",
  (raters) => {
    const design = { items: 2, raters, each: 60, opinion: 0.6 };
    const levels = levelsOf(2, true);
    const share = (name: "worths" | "means"): number => {
      let called = 0;
      for (let seed = 1; seed <= studies; seed++) {
        const random = seededRandom(seed);
        const [{ estimates } = { estimates: null }] =
          name === "worths"
            ? worthEstimates(comparisons(design, levels, random), "half")
            : meanEstimates(scores({ ...design, each: 2 }, levels, random));
        if (estimates === null || estimates.value.length < 2) continue;
        called += Number(
          Math.max(...probabilityBest(estimates, fewestDegrees(differencesOf(estimates)))) > 0.99,
        );
      }
      return called / studies;
    };
    const [worths, means] = [share("worths"), share("means")];
    const row = `| ${raters} | ${pct(worths)} | ${pct(means)} |`;
    console.info(row);
    expectInDocs(row);
    // 1 % for each of the two items, within three standard errors of 1,000 studies.
    expect(Math.max(worths, means)).toBeLessThan(0.034);
  },
);

test.each([3, 4, 5, 8, 12, 20])(
  "resampled intervals with %i raters are as narrow as the docs say",
  (raters) => {
    const design = { items: 6, raters, each: 60, opinion: 0.6 };
    const levels = levelsOf(design.items, false);
    const truth = limitWorths(design, levels);
    const held = { worths: 0, units: 0, raters: 0 };
    const some = 300;
    for (let seed = 1; seed <= some; seed++) {
      const counts = comparisons(design, levels, seededRandom(seed));
      const { low, high } = bradleyTerry(counts, { ties: "half", rater_samples: 300, seed: 1 });
      // An end that is null is open.
      for (const [i, own] of truth.entries())
        held.worths += Number(!(low[i]! > own) && !(high[i]! < own)) / design.items;
      const table = ratedUnits(30, raters, seededRandom(seed));
      for (const over of ["unit", "rater"] as const) {
        const [from, to] = alphaInterval(table.cells, "interval", over);
        held[`${over}s`] += Number(from <= table.alpha[over] && table.alpha[over] <= to);
      }
    }
    const row = `| ${raters} | ${pct(held.worths / some)} | ${pct(held.units / some)} | ${pct(held.raters / some)} |`;
    console.info(row);
    expectInDocs(row);
  },
);

/** Scores of units by raters with levels and noise of their own, and α of more such units or of more such raters. */
function ratedUnits(units: number, raters: number, random: Random) {
  const normal = normalDraws(random);
  const quality = Float64Array.from({ length: units }, () => normal());
  const bias = Float64Array.from({ length: raters }, () => 0.4 * normal());
  const at = Array.from(
    { length: units * raters },
    (_, cell) => [Math.floor(cell / raters), cell % raters] as const,
  );
  const cells = {
    units,
    raters,
    unit: Int32Array.from(at, ([unit]) => unit),
    rater: Int32Array.from(at, ([, rater]) => rater),
    value: Float64Array.from(at, ([unit, rater]) => quality[unit]! + bias[rater]! + 0.7 * normal()),
  };
  const spread = (own: Float64Array, divisor: number): number => deviation(own, divisor) ** 2;
  const biasOf = spread(bias, raters - 1);
  const [ofUnits, ofRaters] = [spread(quality, units), 0.16];
  return {
    cells,
    alpha: { unit: 1 / (1 + biasOf + 0.49), rater: ofUnits / (ofUnits + ofRaters + 0.49) },
  };
}
