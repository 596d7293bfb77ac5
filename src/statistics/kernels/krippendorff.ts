/** Krippendorff's α at three levels of measurement, with bootstrap intervals. */
import { distinctOf, placesByValue, placesOf, quantile } from "../../metrics/index.js";
import { namelessOrder, seededRandom } from "../../platform/index.js";
import { bootstrapWork, fewestDraws, mostDraws } from "./limits.js";

/** Values of units by raters (indices from 0), at most one for each rater and unit. */
export interface Cells {
  readonly units: number;
  readonly raters: number;
  readonly unit: Int32Array;
  readonly rater: Int32Array;
  readonly value: Float64Array;
  /** Times that each unit is there, in equal blocks; default once. */
  readonly copies?: number;
}

/**
 * Each unit is there in both orders of what it compares, as a coincidence matrix has each pair of
 * values: no order counts, and the shares of first and second are equal.
 */
export function inBothOrders({ units, raters, unit, rater, value }: Cells): Cells {
  return {
    units: 2 * units,
    raters,
    unit: Int32Array.from([...unit, ...unit.map((own) => own + units)]),
    rater: Int32Array.from([...rater, ...rater]),
    value: Float64Array.from([...value, ...value.map((own) => -own)]),
    copies: 2,
  };
}

export type Level = "nominal" | "ordinal" | "interval";

/** The cells of units with two values or more. */
export function pairable({ unit, rater, value, ...sizes }: Cells): Cells {
  const count = new Int32Array(sizes.units);
  for (const own of unit) count[own]! += 1;
  if (!count.includes(1)) return { ...sizes, unit, rater, value };
  const isKept = (_: unknown, cell: number): boolean => count[unit[cell]!]! > 1;
  return {
    ...sizes,
    unit: unit.filter(isKept),
    rater: rater.filter(isKept),
    value: value.filter(isKept),
  };
}

/** Squared difference of two values, given as ranks (Krippendorff 2011, section C). */
function metricOf(
  level: Level,
  distinct: Float64Array,
  count: Float64Array,
): (i: number, j: number) => number {
  if (level === "nominal") return (i, j) => (i === j ? 0 : 1);
  if (level === "interval") return (i, j) => (distinct[i]! - distinct[j]!) ** 2;
  // The number of values below each distinct one plus half of its own.
  let below = 0;
  const middle = count.map((n) => (below += n) - n / 2);
  return (i, j) => (middle[i]! - middle[j]!) ** 2;
}

const mostValues = 2000;

/** α = 1 − D_o / D_e of pairable cells; NaN without variation or above 2,000 distinct values. */
export function krippendorff(cells: Cells, level: Level): number {
  const { distinct, places: place } = distinctOf(cells.value);
  if (distinct.length > mostValues) return NaN;
  const count = new Float64Array(distinct.length);
  for (const at of place) count[at]! += 1;
  const distance = metricOf(level, distinct, count);
  const byUnit = placesByValue(cells.unit, cells.units);
  const tally = new Float64Array(distinct.length);
  let observed = 0;
  for (let unit = 0; unit < cells.units; unit++) {
    const own = placesOf(byUnit, unit);
    const present: number[] = [];
    for (const cell of own) {
      const at = place[cell]!;
      if (tally[at] === 0) present.push(at);
      tally[at]! += 1;
    }
    let sum = 0;
    for (const i of present) for (const j of present) sum += tally[i]! * tally[j]! * distance(i, j);
    for (const at of present) tally[at] = 0;
    if (own.length > 1) observed += sum / (own.length - 1);
  }
  let expected = 0;
  for (let i = 0; i < distinct.length; i++)
    for (let j = 0; j < distinct.length; j++) expected += count[i]! * count[j]! * distance(i, j);
  return expected > 0 ? 1 - ((cells.value.length - 1) * observed) / expected : NaN;
}

/**
 * 95 % percentile interval of α over units or raters drawn with replacement (seed 1); NaN for
 * fewer than three. Copies of one cell are no pair: a rater drawn twice does not agree with itself.
 */
export function alphaInterval(
  cells: Cells,
  level: "nominal" | "interval",
  over: "unit" | "rater",
): [number, number] {
  const of = cells[over];
  const { copies = 1 } = cells;
  const size = over === "unit" ? cells.units / copies : cells.raters;
  const { units, raters, unit, rater, value } = cells;
  const [ofUnits, ofRaters] = namelessOrder(
    [units, raters],
    [
      { kind: 0, ids: unit },
      { kind: 1, ids: rater },
    ],
    value,
  );
  const known = new Set(of);
  const order = (over === "unit" ? ofUnits! : ofRaters!).filter((own) => known.has(own));
  const present = [...new Set(order.map((own) => own % size))];
  const count = present.length;
  if (count < 3 || new Set(cells.value).size > mostValues) return [NaN, NaN];
  const { countRaters, alpha } = resampledAlpha(cells, level);
  const draws = Math.max(fewestDraws, Math.min(mostDraws, Math.floor(bootstrapWork / of.length)));
  const random = seededRandom(1);
  const times = {
    unit: new Float64Array(cells.units).fill(1),
    rater: new Float64Array(cells.raters).fill(1),
  };
  const found = new Float64Array(draws);
  countRaters(times.rater);
  for (let draw = 0; draw < draws; draw++) {
    const drawn = times[over].fill(0);
    for (let k = 0; k < count; k++) drawn[present[Math.floor(random() * count)]!]! += 1;
    for (let at = size; at < drawn.length; at++) drawn[at] = drawn[at - size]!;
    if (over === "rater") countRaters(times.rater);
    found[draw] = alpha(times.unit);
  }
  const sorted = found.filter((value) => !Number.isNaN(value)).sort();
  return [quantile(sorted, 0.025), quantile(sorted, 0.975)];
}

function resampledAlpha(cells: Cells, level: "nominal" | "interval") {
  const { from, places } = placesByValue(cells.unit, cells.units);
  const categories = new Map([...new Set(cells.value)].map((own, at) => [own, at]));
  // Squares of large values that hardly differ would cancel.
  const origin = cells.value[0] ?? 0;
  const raterOf = new Int32Array(places.length);
  const valueOf = new Float64Array(places.length);
  for (let at = 0; at < places.length; at++) {
    const value = cells.value[places[at]!]!;
    raterOf[at] = cells.rater[places[at]!]!;
    valueOf[at] = level === "nominal" ? categories.get(value)! : value - origin;
  }
  // Nominal: the weight of each category; interval: the sums of values and of squares.
  const size = level === "nominal" ? categories.size : 2;
  const weights = new Float64Array(cells.units);
  const squares = new Float64Array(cells.units);
  const sums = new Float64Array(cells.units * size);
  return { countRaters, alpha };

  function countRaters(times: Float64Array): void {
    if (level === "nominal") sums.fill(0);
    for (let unit = 0; unit < cells.units; unit++) {
      const end = from[unit + 1]!;
      let weight = 0;
      let square = 0;
      let first = 0;
      let second = 0;
      for (let at = from[unit]!; at < end; at++) {
        const w = times[raterOf[at]!]!;
        const value = valueOf[at]!;
        weight += w;
        square += w * w;
        if (level === "nominal") sums[unit * size + value]! += w;
        else {
          first += w * value;
          second += w * value * value;
        }
      }
      weights[unit] = weight;
      squares[unit] = square;
      if (level === "nominal") continue;
      sums[2 * unit] = first;
      sums[2 * unit + 1] = second;
    }
  }

  function alpha(times: Float64Array): number {
    const all = new Float64Array(size);
    let allWeight = 0;
    let allSquares = 0;
    let observed = 0;
    for (let unit = 0; unit < cells.units; unit++) {
      const often = times[unit]!;
      const weight = weights[unit]!;
      const own = sums.subarray(unit * size, (unit + 1) * size);
      const pairs = weight * weight - squares[unit]!;
      if (pairs > 0) observed += (often * weight * disagreement(weight, own)) / pairs;
      allWeight += often * weight;
      allSquares += often * often * squares[unit]!;
      for (let k = 0; k < size; k++) all[k]! += often * own[k]!;
    }
    const expected = disagreement(allWeight, all) / (allWeight * allWeight - allSquares);
    return expected > 0 ? 1 - observed / allWeight / expected : NaN;
  }

  /** Sum over all pairs of cells of weights times squared difference. */
  function disagreement(weight: number, sums: Float64Array): number {
    if (level === "interval") return 2 * (weight * sums[1]! - sums[0]! ** 2);
    let same = 0;
    for (let k = 0; k < size; k++) same += sums[k]! * sums[k]!;
    return weight * weight - same;
  }
}
