/** How far raters agree: Krippendorff's α, intraclass correlations, κ and Gwet's coefficients. */
import {
  byGroup,
  distinctOf,
  fQuantile,
  localIds,
  newTable,
  orderTolerance,
  tQuantile,
  zeroShare,
} from "../../metrics/index.js";
import { sumOf } from "../../platform/index.js";
import { alphaInterval, type Cells, inBothOrders, krippendorff, pairable } from "./krippendorff.js";
import { pairwiseWork } from "./limits.js";

/** Units (rows) by raters; null unless every rater rated every unit. */
export function completeTable({ units, raters, unit, rater, value }: Cells): Float64Array | null {
  if (value.length !== units * raters || units < 2 || raters < 2) return null;
  const table = new Float64Array(units * raters);
  for (let cell = 0; cell < value.length; cell++)
    table[unit[cell]! * raters + rater[cell]!] = value[cell]!;
  return table;
}

interface Correlation {
  readonly value: number;
  readonly ci_low: number;
  readonly ci_high: number;
}

/**
 * ICC(1) and ICC(A,1) of n units by k raters (McGraw and Wong 1996, tables 4 and 7); `_k`: of the
 * mean of all raters. NaN if the units do not differ.
 */
export function intraclassCorrelations(table: Float64Array, n: number, k: number) {
  let total = 0;
  const rowSum = new Float64Array(n);
  const columnSum = new Float64Array(k);
  table.forEach((value, at) => {
    total += value;
    rowSum[Math.floor(at / k)]! += value;
    columnSum[at % k]! += value;
  });
  const mean = total / (n * k);
  const all = table.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const least = Math.max(
    zeroShare * all,
    n * k * (orderTolerance * Math.max(1, Math.abs(mean))) ** 2,
  );
  const cleared = (squares: number): number => (squares > least ? squares : 0);
  const squaresOf = (sums: Float64Array, size: number): number =>
    cleared(size * sums.reduce((sum, own) => sum + (own / size - mean) ** 2, 0));
  const betweenRows = squaresOf(rowSum, k) || NaN;
  const betweenColumns = squaresOf(columnSum, n);
  const rows = betweenRows / (n - 1);
  const columns = betweenColumns / (k - 1);
  const within = cleared(all - betweenRows) / (n * (k - 1));
  const error = cleared(all - betweenRows - betweenColumns) / ((n - 1) * (k - 1));
  const ratio = rows / within;
  const lowRatio = ratio / fQuantile(0.975, n - 1, n * (k - 1));
  const highRatio = ratio * fQuantile(0.975, n * (k - 1), n - 1);
  const ofOneRating = (f: number): number => 1 - k / (f + k - 1);
  const ofAllRatings = (f: number): number => 1 - 1 / f;
  const oneWay = (icc: (f: number) => number): Correlation => ({
    value: icc(ratio),
    ci_low: icc(lowRatio),
    ci_high: icc(highRatio),
  });
  // The variance of a mean is negative if units differ far less than by chance.
  const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : NaN);
  const averaged = shareOf(rows - error, rows + (columns - error) / n);
  const ofOne = (rows - error) / (rows + (k - 1) * error + (k / n) * (columns - error));
  const single = Number.isNaN(averaged) ? NaN : ofOne;
  // Satterthwaite's degrees of freedom.
  const a = (k * single) / (n * (1 - single));
  const b = 1 + (k * single * (n - 1)) / (n * (1 - single));
  const df =
    (a * columns + b * error) ** 2 /
    ((a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1)));
  const upper = fQuantile(0.975, n - 1, df);
  const lower = fQuantile(0.975, df, n - 1);
  const rest = k * columns + (k * n - k - n) * error;
  const low = (n * (rows - upper * error)) / (upper * rest + n * rows);
  const high = (n * (lower * rows - error)) / (rest + n * lower * rows);
  const ofMean = (icc: number): number => shareOf(k * icc, 1 + (k - 1) * icc);
  return {
    icc_1: oneWay(ofOneRating),
    icc_1_k: oneWay(ofAllRatings),
    icc_a_1: { value: single, ci_low: low, ci_high: high },
    icc_a_k: { value: averaged, ci_low: ofMean(low), ci_high: ofMean(high) },
  };
}

/** Above it values are no categories, and κ says nothing. */
const mostCategories = 20;

/** Fleiss' (1971) κ, units counting the same; NaN for equal values or over 20 distinct ones. */
export function fleissKappa({ units, unit, value }: Cells): number {
  const tallies = Array.from({ length: units }, () => new Map<number, number>());
  const totals = new Map<number, number>();
  value.forEach((own, cell) => {
    const tally = tallies[unit[cell]!]!;
    tally.set(own, (tally.get(own) ?? 0) + 1);
    totals.set(own, (totals.get(own) ?? 0) + 1);
  });
  if (totals.size > mostCategories) return NaN;
  let agreeing = 0;
  let counted = 0;
  for (const tally of tallies) {
    const n = [...tally.values()].reduce((sum, own) => sum + own, 0);
    if (n < 2) continue;
    counted++;
    agreeing += [...tally.values()].reduce((sum, own) => sum + own * (own - 1), 0) / (n * (n - 1));
  }
  const chance = [...totals.values()].reduce((sum, own) => sum + (own / value.length) ** 2, 0);
  return chance < 1 ? (agreeing / counted - chance) / (1 - chance) : NaN;
}

export type AgreementWeights = "nominal" | "ordinal";

/**
 * Gwet's (2008, 2014) (p_a − p_e) / (1 − p_e): AC1, or AC2 with ordinal weights, and its 95 %
 * interval over units (Student's t). Units of one rating count for the shares of categories. NaN
 * below two categories or above 20, and where no two raters share a unit.
 */
export function gwet(
  { units, unit, value, copies = 1 }: Cells,
  weights: AgreementWeights,
): Correlation {
  const { distinct, places } = distinctOf(value);
  const q = distinct.length;
  if (q < 2 || q > mostCategories) return { value: NaN, ci_low: NaN, ci_high: NaN };
  const distance = (k: number, l: number): number =>
    weights === "nominal" ? Number(k !== l) : (Math.abs(k - l) * (Math.abs(k - l) + 1)) / 2;
  const categories = Array.from(distinct, (_, k) => k);
  const weight = categories.map((k) =>
    categories.map((l) => 1 - distance(k, l) / distance(0, q - 1)),
  );
  const all = Array.from({ length: units }, () => new Float64Array(q));
  places.forEach((k, cell) => (all[unit[cell]!]![k]! += 1));
  const tallies = all.map((tally) => ({ tally, raters: tally.reduce((sum, own) => sum + own, 0) }));
  const rated = tallies.filter(({ raters }) => raters > 0);
  const shared = rated.filter(({ raters }) => raters > 1).length;
  const n = rated.length;
  const observed = rated.map(({ tally, raters }) => {
    let sum = 0;
    for (const k of categories)
      if (tally[k]! > 0)
        for (const l of categories)
          sum += tally[k]! * weight[k]![l]! * (tally[l]! - Number(k === l));
    return raters > 1 ? sum / (raters * (raters - 1)) : NaN;
  });
  const agreeing = sumOf(observed.filter((own) => !Number.isNaN(own))) / shared;
  const shares = categories.map((k) =>
    sumOf(rated.map(({ tally, raters }) => tally[k]! / raters / n)),
  );
  const scale = sumOf(weight.flat()) / (q * (q - 1));
  const chance = scale * sumOf(shares.map((share) => share * (1 - share)));
  const aboveChance = (own: number): number => (own - chance) / (1 - chance);
  const found = aboveChance(agreeing);
  const squares = rated.map(({ tally, raters }, at) => {
    const own = observed[at]!;
    const part = Number.isNaN(own) ? 0 : (n / shared) * aboveChance(own);
    const ownChance = scale * sumOf(categories.map((k) => (tally[k]! / raters) * (1 - shares[k]!)));
    const slope = (2 * (1 - found) * (ownChance - chance)) / (1 - chance);
    return (part - slope - found) ** 2;
  });
  const df = n / copies - 1;
  const half = Math.sqrt(sumOf(squares) / (n * df)) * tQuantile(0.975, df);
  return { value: found, ci_low: found - half, ci_high: Math.min(1, found + half) };
}

/**
 * Cohen's (1960) κ of categories from 0 to `size` - 1, -1 for none; `shared`: units both rated. NaN
 * if there are none, or if chance alone always agrees.
 */
export function cohenKappa(x: Int8Array, y: Int8Array, size: number) {
  const countX = new Float64Array(size);
  const countY = new Float64Array(size);
  let agreeing = 0;
  let shared = 0;
  for (let at = 0; at < x.length; at++) {
    const i = x[at]!;
    const j = y[at]!;
    if (i === -1 || j === -1) continue;
    shared++;
    countX[i]! += 1;
    countY[j]! += 1;
    if (i === j) agreeing++;
  }
  const expected = shared ** 2 - countX.reduce((sum, own, i) => sum + own * countY[i]!, 0);
  return { kappa: expected > 0 ? 1 - ((shared - agreeing) * shared) / expected : NaN, shared };
}

/**
 * Mean of Cohen's κ over pairs of raters who share two units or more (Light 1971); NaN without any.
 */
export function meanPairwiseKappa(cells: Cells): number {
  const { units, raters, unit, rater, value, copies = 1 } = cells;
  const { distinct, places } = distinctOf(value);
  if (distinct.length > mostCategories || raters * raters * units > pairwiseWork) return NaN;
  const answers = new Int8Array(raters * units).fill(-1);
  places.forEach((own, cell) => (answers[rater[cell]! * units + unit[cell]!] = own));
  const answersOf = (r: number): Int8Array => answers.subarray(r * units, (r + 1) * units);
  let sum = 0;
  let pairs = 0;
  for (let r = 0; r < raters; r++)
    for (let s = r + 1; s < raters; s++) {
      const { kappa, shared } = cohenKappa(answersOf(r), answersOf(s), distinct.length);
      if (shared < 2 * copies || Number.isNaN(kappa)) continue;
      sum += kappa;
      pairs++;
    }
  return sum / pairs;
}

/** In the order of `sql/statistics/agreement.sql`. */
const statistics = [
  "krippendorff_nominal",
  "krippendorff_ordinal",
  "krippendorff_interval",
  "icc_1",
  "icc_1_k",
  "icc_a_1",
  "icc_a_k",
  "fleiss_kappa",
  "mean_pairwise_kappa",
  "gwet_ac1",
  "gwet_ac2_ordinal",
] as const;

type Statistic = (typeof statistics)[number];

interface Coefficient extends Partial<Correlation> {
  readonly value: number;
  readonly rater_ci_low?: number;
  readonly rater_ci_high?: number;
}

const missing = {
  none: 0,
  fewRaters: 1,
  noVariation: 2,
  incomplete: 3,
  manyValues: 4,
  equalUnits: 5,
} as const;

function nominalAgreement(all: Cells, cells: Cells) {
  return {
    fleiss_kappa: { value: fleissKappa(cells) },
    mean_pairwise_kappa: { value: meanPairwiseKappa(all) },
    gwet_ac1: gwet(all, "nominal"),
  };
}

function alphaWithIntervals(cells: Cells, level: "nominal" | "interval"): Coefficient {
  const [ci_low, ci_high] = alphaInterval(cells, level, "unit");
  const [rater_ci_low, rater_ci_high] = alphaInterval(cells, level, "rater");
  return { value: krippendorff(cells, level), ci_low, ci_high, rater_ci_low, rater_ci_high };
}

type Agreement = Readonly<Partial<Record<Statistic, Coefficient>>>;

/** `cells` are the pairable ones of all. */
const agreementOnPairs = (all: Cells, cells: Cells): Agreement => ({
  krippendorff_nominal: alphaWithIntervals(cells, "nominal"),
  ...nominalAgreement(all, cells),
});

function agreementOnScores(all: Cells, cells: Cells): Agreement {
  const table = completeTable(all);
  const none = { value: NaN };
  const correlations = table
    ? intraclassCorrelations(table, all.units, all.raters)
    : { icc_1: none, icc_1_k: none, icc_a_1: none, icc_a_k: none };
  return {
    krippendorff_nominal: { value: krippendorff(cells, "nominal") },
    krippendorff_ordinal: { value: krippendorff(cells, "ordinal") },
    krippendorff_interval: alphaWithIntervals(cells, "interval"),
    ...correlations,
    ...nominalAgreement(all, cells),
    gwet_ac2_ordinal: gwet(all, "ordinal"),
  };
}

function reasonsFor(cells: Cells, isPairable: boolean): (name: Statistic, value: number) => number {
  const distinct = new Set(cells.value).size;
  const isComplete = completeTable(cells) !== null;
  const isTooMuch = distinct > mostCategories || cells.raters ** 2 * cells.units > pairwiseWork;
  return (name, value) => {
    if (!Number.isNaN(value)) return missing.none;
    if (!isPairable) return missing.fewRaters;
    if (distinct < 2) return missing.noVariation;
    if (name.startsWith("icc")) return isComplete ? missing.equalUnits : missing.incomplete;
    if (name === "mean_pairwise_kappa" && isTooMuch) return missing.manyValues;
    return distinct > mostCategories ? missing.manyValues : missing.noVariation;
  };
}

const agreementTypes = {
  statistic: "integer",
  units: "integer",
  raters: "integer",
  n: "integer",
  value: "double",
  ci_low: "double",
  ci_high: "double",
  rater_ci_low: "double",
  rater_ci_high: "double",
  reason: "integer",
} as const;

/** Even group ids: scores of items; odd ones: outcomes of comparisons. */
export const agreementKernel = byGroup("group_id", { "": agreementTypes }, ({ id, rows }) => {
  const unit = localIds([rows.unit as Int32Array]);
  const rater = localIds([rows.rater as Int32Array]);
  const sizes = { units: unit.ids.length, raters: rater.ids.length };
  const answers = {
    ...sizes,
    unit: unit.local[0]!,
    rater: rater.local[0]!,
    value: rows.value as Float64Array,
  };
  const isOfScores = id % 2 === 0;
  const cells = isOfScores ? answers : inBothOrders(answers);
  const pairs = pairable(cells);
  const found = isOfScores ? agreementOnScores(cells, pairs) : agreementOnPairs(cells, pairs);
  const reasonFor = reasonsFor(cells, pairs.value.length > 0);
  const table = newTable(agreementTypes);
  statistics.forEach((name, statistic) => {
    const own = found[name];
    if (own === undefined) return;
    table.add({
      ...sizes,
      statistic,
      n: answers.value.length,
      ...own,
      reason: reasonFor(name, own.value),
    });
  });
  return { "": table.columns };
});
