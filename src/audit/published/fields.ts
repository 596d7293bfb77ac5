import { isKind, metricKind } from "../../metrics/index.js";
import { remembered } from "../../platform/index.js";

/** Keys of the main value of an entry after the metric's own name; the first that is present counts. */
export const mainKeys = ["value", "score", "rating", "elo", "mean", "percent", "estimate", "median"] as const;

const aliases: Record<string, readonly string[]> = {
  n: ["n", "count", "total", "comparisons", "num_comparisons", "num_ratings", "games", "samples"],
  wins: ["wins", "win", "won", "num_wins"],
  losses: ["losses", "loss", "lost", "num_losses"],
  ties: ["ties", "tie", "draws", "draw", "num_ties"],
  approved: ["approved", "approvals", "num_approved"],
  std: ["std", "sd", "stdev", "stddev", "std_dev", "standard_deviation"],
  sem: ["sem", "se", "stderr", "std_error", "standard_error"],
  ci_low: ["ci_low", "ci_lower", "lower", "low", "ci_lo", "lower_bound"],
  ci_high: ["ci_high", "ci_upper", "upper", "high", "ci_hi", "upper_bound"],
  min: ["min", "minimum"],
  max: ["max", "maximum"],
  q1: ["q1", "first_quartile", "lower_quartile"],
  q3: ["q3", "third_quartile", "upper_quartile"],
  median: ["median", "q2"],
};

const canonicalOf = new Map(Object.entries(aliases).flatMap(([name, keys]) => keys.map((key) => [key, name] as const)));

/** `p2.5`, `p025` and `p_025` are the same quantile; `p5` means 5 %. */
function quantileName(key: string): string | undefined {
  const match = /^p_?(\d{1,3})(?:[._](\d))?$/.exec(key);
  if (match?.[1] === undefined) return undefined;
  const [, whole, tenth] = match;
  if (tenth !== undefined) return `p${whole.padStart(2, "0")}${tenth}`;
  return `p${whole.length === 1 ? whole.padStart(2, "0") : whole}`;
}

/** `meanScore` and `Mean-Score` as `mean_score`. Remembered, since every published number is asked for its name. */
export const snakeCase = remembered((key) =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase(),
);

/** Recount's name for a published field of `kind`; undefined if it defines no such field. */
export function canonicalField(kind: string, key: string): string | undefined {
  const name = snakeCase(key);
  const { fields = {}, aliases: own = {} } = isKind(kind) ? metricKind(kind) : {};
  if (Object.hasOwn(fields, name)) return name;
  const plain = canonicalOf.get(name) ?? quantileName(name);
  return plain === undefined ? undefined : (own[plain] ?? plain);
}
