/** What the models of `sql/statistics/` say of the rankings of the page, as rows of SQL. */
import { dimensionIn, rowsBy, type OfDimension } from "../report/index.js";
import type { Warehouse } from "../warehouse/index.js";

export interface StatisticsData {
  readonly rankings: readonly RankedRow[];
  readonly flips: readonly FlipRow[];
  readonly screenings: readonly ScreeningRow[];
  readonly agreements: readonly AgreementRow[];
  readonly ledger: readonly LedgerRow[];
}

interface RankedRow extends OfDimension {
  readonly class: number;
  readonly item: string;
  readonly rank_best: number | null;
  readonly rank_worst: number | null;
  /** Of the difference from the first of the class, after Holm's correction; null for the first. */
  readonly p_first: number | null;
  readonly probability_best: number | null;
  /** Direct votes between it and the first; null if there are none. */
  readonly wins_against_first: number | null;
  readonly losses_against_first: number | null;
}

export interface FlipRow extends OfDimension {
  readonly kind: string;
  readonly class: number;
  readonly unit: string;
  readonly k: number;
  readonly units: number;
  /** Null if no set was found. */
  readonly at_most: number | null;
  readonly leaving: string | null;
  readonly entering: string | null;
}

export interface ScreeningRow extends OfDimension {
  readonly rule: string;
  readonly clauses: readonly string[];
  readonly raters: number;
  readonly excluded: number;
  readonly excluded_ratings: number;
  /** Items whose rank changes. */
  readonly moved: number;
  readonly first: string;
  readonly screened_first: string;
}

export interface AgreementRow extends OfDimension {
  /** `scores` or `comparisons`. */
  readonly answers: string;
  readonly statistic: string;
  /** Null if no two raters share a unit. */
  readonly value: number | null;
  /** With several answers that intervals and tests take as independent. */
  readonly prompts: number;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly raters: number;
}

/** Ratings that a rule leaves out; null for those that count. */
export interface LedgerRow extends OfDimension {
  readonly rule: string | null;
  readonly ratings: number;
}

/** By dimension; the warehouse must hold the statistics. */
export async function statisticsOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(key: string) => StatisticsData> {
  const of = "statistics/page";
  const rankings = await rowsBy<RankedRow>(warehouse, `${of}/rankings`, ids, dimensionIn);
  const flips = await rowsBy<FlipRow>(warehouse, `${of}/flips`, ids, dimensionIn);
  const screenings = await rowsBy<ScreeningRow>(warehouse, `${of}/screenings`, ids, dimensionIn);
  const agreements = await rowsBy<AgreementRow>(warehouse, `${of}/agreements`, ids, dimensionIn);
  const ledgers = await rowsBy<LedgerRow>(warehouse, `${of}/ledgers`, ids, dimensionIn);
  return (key) => ({
    rankings: rankings(key),
    flips: flips(key),
    screenings: screenings(key),
    agreements: agreements(key),
    ledger: ledgers(key),
  });
}
