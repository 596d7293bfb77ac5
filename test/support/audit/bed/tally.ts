import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Origin, Trial } from "./bed.js";
import type { Outcome } from "./judge.js";

/** What became of one trial; a line of a file that a run may continue. */
export interface Tried {
  readonly seed: number;
  readonly kind: Kind;
  readonly origin: Origin;
  readonly decimals: number | null;
  readonly items: number;
  readonly ratings: number;
  readonly outcome: Outcome;
  readonly says: string;
}

export function triedOf(
  { kind, origin, study, decimals }: Trial,
  seed: number,
  judged: Pick<Tried, "outcome" | "says">,
): Tried {
  return {
    seed,
    kind,
    origin,
    decimals,
    items: study.items.length,
    ratings: study.counted.length,
    ...judged,
  };
}

const columns: readonly Outcome[] = [
  "named",
  "in part",
  "undetermined",
  "missed",
  "honest",
  "false",
];

export function namedOf(tried: readonly Tried[]): {
  named: number;
  determined: number;
  planted: number;
} {
  const planted = tried.filter((t) => t.origin === "under a convention");
  const count = (...outcomes: Outcome[]): number =>
    planted.filter((t) => outcomes.includes(t.outcome)).length;
  return {
    named: count("named", "in part"),
    determined: count("named", "in part", "missed", "false"),
    planted: planted.length,
  };
}

/**
 * The largest share that `found` of `of` are compatible with: the one-sided 95 % limit of Clopper and Pearson, at which
 * as few or fewer are found once in 20 times.
 */
export function upperLimit(found: number, of: number): number {
  const chance = (p: number): number => {
    let term = (1 - p) ** of;
    let total = term;
    for (let k = 1; k <= found; k++) {
      term *= ((of - k + 1) / k) * (p / (1 - p));
      total += term;
    }
    return total;
  };
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (chance(middle) > 0.05) low = middle;
    else high = middle;
  }
  return high;
}

export function tablesOf(tried: readonly Tried[]): string {
  const row = (name: string, own: readonly Tried[]): string[] => {
    if (own.length === 0) return [];
    const counts = columns.map((c) => own.filter((t) => t.outcome === c).length);
    const count = (...outcomes: Outcome[]): number =>
      own.filter((t) => outcomes.includes(t.outcome)).length;
    const limits = [own.length, count("named", "in part", "false")].map(
      (of) => `${(100 * upperLimit(count("false"), of)).toFixed(2)} %`,
    );
    return [`| ${[name, own.length, ...counts, ...limits].join(" | ")} |`];
  };
  const by = (names: Readonly<Record<string, (t: Tried) => boolean>>): string[] =>
    Object.entries(names).flatMap(([name, isIn]) => row(name, tried.filter(isIn)));
  const kinds = [...new Set(tried.map((t) => t.kind))].sort();
  const { named, determined, planted } = namedOf(tried);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const origins = ["under a convention", "by another algorithm", "with an error"] as const;
  return [
    `| Published | Trials | ${columns.map((c) => `${c[0]?.toUpperCase()}${c.slice(1)}`).join(" | ")} | False, at most | Of claims, at most |`,
    `|---${"|---".repeat(columns.length + 3)}|`,
    ...origins.flatMap((origin) => [
      ...kinds.flatMap((kind) =>
        row(
          `${kind}, ${origin}`,
          tried.filter((t) => t.kind === kind && t.origin === origin),
        ),
      ),
      ...row(
        `**all ${origin}**`,
        tried.filter((t) => t.origin === origin),
      ),
    ]),
    ...by({
      "decimals: 0": (t) => t.decimals === 0,
      "decimals: 1": (t) => t.decimals === 1,
      "decimals: 2": (t) => t.decimals === 2,
      "decimals: 3": (t) => t.decimals === 3,
      "decimals: all": (t) => t.decimals === null,
      "**all**": () => true,
    }),
    "",
    `Of ${planted} planted conventions, ${named} are named (${percent(named / planted)}), and the numbers determine ${determined} (${percent(named / determined)} of these).`,
  ].join("\n");
}
