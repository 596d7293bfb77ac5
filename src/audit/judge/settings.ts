/** What a pipeline file sets for the audit: tolerances, fields left out, limit of the search. */
import { UsageError } from "../../platform/index.js";
import {
  isHalfWidth,
  isOfInterval,
  isKind,
  kinds,
  metricKind,
  type Kind,
} from "../../metrics/index.js";

/** Maximum difference: the larger of both parts. */
export interface Tolerance {
  /** In the unit of the metric. */
  readonly absolute: number;
  /** A share of the recomputed number. */
  readonly relative: number;
}

export type Tolerances = Readonly<Record<Kind, Tolerance>>;

type GivenTolerances = Readonly<Partial<Record<string, number | Partial<Tolerance>>>>;

const none: Tolerance = { absolute: 0, relative: 0 };

export const defaultTolerances: Tolerances = Object.fromEntries(
  kinds.map((kind) => [kind, none]),
) as Record<Kind, Tolerance>;

function readTolerance(kind: string, given: number | Partial<Tolerance>): Tolerance {
  const parts = typeof given === "number" ? { absolute: given } : given;
  const tolerance = { absolute: parts.absolute ?? 0, relative: parts.relative ?? 0 };
  for (const [part, value] of Object.entries(tolerance)) {
    if (!Number.isFinite(value) || value < 0) {
      throw new UsageError(`tolerances.${kind}.${part}: ${value} is not a number of zero or more.`);
    }
  }
  return tolerance;
}

/** @throws UsageError for an unknown kind or a value that is not a tolerance */
export function readTolerances(given: GivenTolerances = {}): Tolerances {
  const read: Record<Kind, Tolerance> = { ...defaultTolerances };
  for (const [kind, value] of Object.entries(given)) {
    if (!isKind(kind))
      throw new UsageError(`tolerances.${kind}: unknown metric. Known: ${kinds.join(", ")}.`);
    if (value !== undefined) read[kind] = readTolerance(kind, value);
  }
  return read;
}

/**
 * In the unit of the number. Ends of intervals get more, since libraries differ in quantiles.
 * @param centre the number that the interval is about
 */
export function allowance(
  tolerances: Tolerances,
  kind: Kind,
  field: string,
  recomputed: number,
  centre = NaN,
): number {
  const { absolute, relative } = tolerances[kind];
  const declared = Math.max(absolute, relative * Math.abs(recomputed));
  const { intervalNoise } = metricKind(kind);
  if (intervalNoise === undefined || !isOfInterval(kind, field)) return declared;
  const { share, of } = intervalNoise;
  const isDistance = of === "half width" && !isHalfWidth(kind, field);
  const size = Math.abs(isDistance ? recomputed - centre : recomputed);
  return Math.max(declared, Number.isFinite(size) ? share * size : 0);
}

/** An entry of `ignore:`. */
export interface Ignored {
  /** Identifier or name; default: every experiment. */
  readonly experiment?: string;
  /** Default: all. */
  readonly kind?: string;
  /** As the audit names it: `votes`, `options.alpha`. */
  readonly field: string;
  readonly reason: string;
}

export function ignoredAs(
  ignore: readonly Ignored[],
  of: { readonly experiment_id: string; readonly experiment_name: string; readonly kind: string },
  field: string,
): Ignored | null {
  const isAbout = (entry: Ignored): boolean =>
    entry.field === field &&
    [undefined, of.experiment_id, of.experiment_name].includes(entry.experiment) &&
    [undefined, of.kind].includes(entry.kind);
  return ignore.find(isAbout) ?? null;
}

export interface SearchLimits {
  /** Ratings, comparisons and pairs to process before the search of one result ends. */
  readonly work: number;
}

export const defaultLimits: SearchLimits = { work: 5e9 };
