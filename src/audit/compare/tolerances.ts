/** How far a recomputed number may be from a published one, as a pipeline file sets it. */
import {
  isHalfWidth,
  isKind,
  isOfInterval,
  kinds,
  metricKind,
  type Kind,
} from "../../metrics/index.js";
import { UsageError } from "../../platform/index.js";

/** Maximum difference: the larger of both parts. */
export interface Tolerance {
  /** In the unit of the metric. */
  readonly absolute: number;
  /** A share of the recomputed number. */
  readonly relative: number;
}

export type Tolerances = Readonly<Record<Kind, Tolerance>>;

type GivenTolerances = Readonly<Partial<Record<string, number | Partial<Tolerance>>>>;

export const none: Tolerance = { absolute: 0, relative: 0 };

export const defaultTolerances: Tolerances = Object.fromEntries(
  kinds.map((kind) => [kind, none]),
) as Record<Kind, Tolerance>;

/** @throws UsageError for an unknown kind or a value that is not a tolerance */
export function readTolerances(given: GivenTolerances = {}): Tolerances {
  const read: Record<Kind, Tolerance> = { ...defaultTolerances };
  for (const [kind, value] of Object.entries(given)) {
    if (!isKind(kind))
      throw new UsageError(`tolerances.${kind}: unknown metric. Known: ${kinds.join(", ")}.`);
    const { absolute = 0, relative = 0 } =
      typeof value === "number" ? { absolute: value } : (value ?? {});
    read[kind] = { absolute, relative };
    for (const [part, size] of Object.entries(read[kind]))
      if (!Number.isFinite(size) || size < 0)
        throw new UsageError(
          `tolerances.${kind}.${part}: ${size} is not a number of zero or more.`,
        );
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
