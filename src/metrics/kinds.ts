/** The seven metric names of the interface that have a definition here. */
export const kinds = [
  "win_loss",
  "percent_chosen",
  "percent_approved",
  "mean",
  "stats",
  "elo",
  "bayesian_elo",
] as const;

export type Kind = (typeof kinds)[number];

export function isKind(name: string): name is Kind {
  return (kinds as readonly string[]).includes(name);
}

/** Fields that count things: compared as integers, never rounded. */
export const countFields: ReadonlySet<string> = new Set(["n", "wins", "losses", "ties", "approved", "comparisons"]);

/** Interval ends: quantiles agree between libraries to 1e-6 relative, not to 1e-9. */
export const intervalFields: ReadonlySet<string> = new Set([
  "ci_low",
  "ci_high",
  "p005",
  "p025",
  "p05",
  "p50",
  "p95",
  "p975",
  "p995",
]);

/** The fields of each kind that have a definition, in the order they are reported; the first is the main one. */
export const fieldsOf: Record<Kind, readonly string[]> = {
  win_loss: ["wins", "losses", "ties", "n"],
  percent_chosen: ["value", "n", "wins", "losses", "ties"],
  percent_approved: ["value", "n", "approved"],
  mean: ["value", "n"],
  stats: ["mean", "n", "std", "sem", "ci_low", "ci_high", "min", "q1", "median", "q3", "max"],
  elo: ["value", "n"],
  bayesian_elo: ["value", "wins", "n", "p005", "p025", "p05", "p50", "p95", "p975", "p995"],
};
