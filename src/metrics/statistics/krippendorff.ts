import { seededRandom } from "../../platform/index.js";
import { placesByValue } from "../numeric/arrays.js";
import { quantile } from "../numeric/statistics.js";

/** Values that raters gave units: at most one for each rater and unit. Units and raters are indices from 0. */
export interface Cells {
  readonly units: number;
  readonly raters: number;
  readonly unit: Int32Array;
  readonly rater: Int32Array;
  readonly value: Float64Array;
}

/** Levels of measurement: what a difference of two values is. */
export type Level = "nominal" | "ordinal" | "interval" | "ratio";

/** The cells of units with two values or more: Krippendorff's pairable values. */
export function pairable({ unit, rater, value, ...sizes }: Cells): Cells {
  const count = new Int32Array(sizes.units);
  for (const own of unit) count[own]! += 1;
  const kept = Array.from(unit.keys()).filter((cell) => count[unit[cell]!]! > 1);
  return {
    ...sizes,
    unit: Int32Array.from(kept, (cell) => unit[cell]!),
    rater: Int32Array.from(kept, (cell) => rater[cell]!),
    value: Float64Array.from(kept, (cell) => value[cell]!),
  };
}

/** Squared difference of two values given as their ranks among the distinct ones (Krippendorff 2011, section C). */
function metricOf(level: Level, distinct: Float64Array, count: Float64Array): (i: number, j: number) => number {
  if (level === "nominal") return (i, j) => (i === j ? 0 : 1);
  if (level === "interval") return (i, j) => (distinct[i]! - distinct[j]!) ** 2;
  if (level === "ratio")
    return (i, j) => {
      const sum = distinct[i]! + distinct[j]!;
      return sum === 0 ? 0 : ((distinct[i]! - distinct[j]!) / sum) ** 2;
    };
  // The number of values up to the middle of each distinct one: what is between two of them, with half of each.
  let below = 0;
  const middle = count.map((n) => (below += n) - n / 2);
  return (i, j) => (middle[i]! - middle[j]!) ** 2;
}

/** With more distinct values their pairs are too many, and a rating scale has fewer. */
const mostValues = 2000;

/** Krippendorff's α = 1 − D_o / D_e of pairable cells. NaN without variation, or with more than 2,000 distinct values. */
export function krippendorff(cells: Cells, level: Level): number {
  const distinct = new Float64Array(new Set(cells.value)).sort();
  if (distinct.length > mostValues) return NaN;
  const place = new Map(Array.from(distinct, (value, at) => [value, at]));
  const count = new Float64Array(distinct.length);
  for (const value of cells.value) count[place.get(value)!]! += 1;
  const distance = metricOf(level, distinct, count);
  const byUnit = placesByValue(cells.unit, cells.units);
  let observed = 0;
  for (let unit = 0; unit < cells.units; unit++) {
    const own = byUnit.places.subarray(byUnit.from[unit], byUnit.from[unit + 1]);
    const tally = new Map<number, number>();
    for (const cell of own) {
      const at = place.get(cells.value[cell]!)!;
      tally.set(at, (tally.get(at) ?? 0) + 1);
    }
    let sum = 0;
    for (const [i, n] of tally) for (const [j, m] of tally) sum += n * m * distance(i, j);
    if (own.length > 1) observed += sum / (own.length - 1);
  }
  let expected = 0;
  for (let i = 0; i < distinct.length; i++)
    for (let j = 0; j < distinct.length; j++) expected += count[i]! * count[j]! * distance(i, j);
  return expected > 0 ? 1 - ((cells.value.length - 1) * observed) / expected : NaN;
}

/**
 * α for the nominal or interval level as a function of how often each cell counts. Copies of one cell are no pair: a rater
 * drawn twice does not agree with itself.
 */
function weightedAlpha(cells: Cells, level: "nominal" | "interval"): (weight: Float64Array) => number {
  const { units, value } = cells;
  const byUnit = placesByValue(cells.unit, units);
  const places = new Map([...new Set(value)].map((own, at) => [own, at]));
  const category = Int32Array.from(value, (own) => places.get(own)!);
  const origin = value[0] ?? 0; // sums of squares of large values that hardly differ would cancel
  const tally = new Float64Array(places.size);
  const tallyOfAll = new Float64Array(places.size);
  const squared = (sums: Float64Array): number => sums.reduce((sum, own) => sum + own * own, 0);
  return (weight) => {
    const all = { weight: 0, squares: 0, first: 0, second: 0 };
    tallyOfAll.fill(0);
    let observed = 0;
    for (let unit = 0; unit < units; unit++) {
      const own = { weight: 0, squares: 0, first: 0, second: 0 };
      for (let at = byUnit.from[unit]!; at < byUnit.from[unit + 1]!; at++) {
        const cell = byUnit.places[at]!;
        const w = weight[cell]!;
        const x = value[cell]! - origin;
        own.weight += w;
        own.squares += w * w;
        own.first += w * x;
        own.second += w * x * x;
        tally[category[cell]!]! += w;
      }
      const pairs = own.weight ** 2 - own.squares;
      if (pairs > 0) observed += (own.weight * disagreement(own, tally)) / pairs;
      all.weight += own.weight;
      all.squares += own.squares;
      all.first += own.first;
      all.second += own.second;
      tally.forEach((sum, at) => (tallyOfAll[at]! += sum));
      tally.fill(0);
    }
    const expected = disagreement(all, tallyOfAll) / (all.weight ** 2 - all.squares);
    return expected > 0 ? 1 - observed / all.weight / expected : NaN;
  };

  /** Sum over all pairs of cells of both weights and the squared difference. */
  function disagreement(sums: { weight: number; first: number; second: number }, tallied: Float64Array): number {
    if (level === "nominal") return sums.weight ** 2 - squared(tallied);
    return 2 * (sums.weight * sums.second - sums.first ** 2);
  }
}

/** Cells read by all draws of an interval, at most; then fewer are drawn. */
const workBound = 50_000_000;
const mostDraws = 1000;
const fewestDraws = 100;

/**
 * 95 % percentile interval of α over units, or over raters, drawn with replacement (seed 1). NaN for fewer than three of them,
 * and where α has no value.
 */
export function alphaInterval(cells: Cells, level: "nominal" | "interval", over: "unit" | "rater"): [number, number] {
  const of = cells[over];
  const count = new Set(of).size;
  if (count < 3 || new Set(cells.value).size > mostValues) return [NaN, NaN];
  const alpha = weightedAlpha(cells, level);
  const draws = Math.max(fewestDraws, Math.min(mostDraws, Math.floor(workBound / of.length)));
  const random = seededRandom(1);
  const present = [...new Set(of)];
  const times = new Float64Array(over === "unit" ? cells.units : cells.raters);
  const weight = new Float64Array(of.length);
  const found = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    times.fill(0);
    for (let k = 0; k < count; k++) times[present[Math.floor(random() * count)]!]! += 1;
    for (let cell = 0; cell < weight.length; cell++) weight[cell] = times[of[cell]!]!;
    found[draw] = alpha(weight);
  }
  const sorted = found.filter((value) => !Number.isNaN(value)).sort();
  return [quantile(sorted, 0.025), quantile(sorted, 0.975)];
}
