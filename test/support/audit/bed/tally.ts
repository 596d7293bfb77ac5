import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Trial } from "./bed.js";
import type { Outcome, RepairOutcome } from "./judge.js";

/** What became of one trial; a line of a file that a run may continue. */
export interface Tried {
  readonly seed: number;
  readonly kind: Kind;
  readonly origin: "under a convention" | "by another algorithm" | "with an error";
  readonly decimals: number | null;
  readonly items: number;
  readonly ratings: number;
  readonly outcome: Outcome;
  readonly says: string;
  readonly repair: { readonly outcome: RepairOutcome; readonly says: string } | null;
  /** Whether the smallest difference has a name for the error. */
  readonly isNameable: boolean;
}

export function triedOf(
  { kind, names, study, decimals, change, isAlgorithm }: Trial,
  seed: number,
  judged: Pick<Tried, "outcome" | "says" | "repair">,
): Tried {
  const origin = names.length > 0 ? "under a convention" : isAlgorithm ? "by another algorithm" : "with an error";
  const isNameable = (change?.repairs.length ?? 0) > 0;
  return {
    seed,
    kind,
    origin,
    decimals,
    items: study.items.length,
    ratings: study.counted.length,
    ...judged,
    isNameable,
  };
}

const columns = ["named", "fitted", "in part", "missed", "honest", "false"] as const satisfies readonly Outcome[];
const repairColumns = ["named", "wrong", "not found"] as const satisfies readonly RepairOutcome[];

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

/** The tables of docs/audit.md, in Markdown. */
export function tablesOf(tried: readonly Tried[]): string {
  const row = (name: string, own: readonly Tried[]): string[] => {
    if (own.length === 0) return [];
    const counts = columns.map((c) => own.filter((t) => t.outcome === c).length);
    const limit = (100 * upperLimit(own.filter((t) => t.outcome === "false").length, own.length)).toFixed(2);
    return [`| ${[name, own.length, ...counts, `${limit} %`].join(" | ")} |`];
  };
  const by = (names: Readonly<Record<string, (t: Tried) => boolean>>): string[] =>
    Object.entries(names).flatMap(([name, isIn]) => row(name, tried.filter(isIn)));
  const kinds = [...new Set(tried.map((t) => t.kind))].sort();
  const origins = ["under a convention", "by another algorithm", "with an error"] as const;
  const repaired = (name: string, own: readonly Tried[]): string =>
    `| ${[name, ...repairColumns.map((c) => own.filter((t) => t.repair?.outcome === c).length)].join(" | ")} |`;
  return [
    `| Published | Trials | ${columns.map((c) => `${c[0]?.toUpperCase()}${c.slice(1)}`).join(" | ")} | False, at most |`,
    `|---${"|---".repeat(columns.length + 2)}|`,
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
      "at most 6 items": (t) => t.items <= 6,
      "more items": (t) => t.items > 6,
      "fewer than 500 ratings": (t) => t.ratings < 500,
      "500 ratings and more": (t) => t.ratings >= 500,
      "**all**": () => true,
    }),
    "",
    "| Published | Named | Wrong | Not found |",
    "|---|---|---|---|",
    repaired(
      "with an error that has a name here",
      tried.filter((t) => t.origin === "with an error" && t.isNameable),
    ),
    repaired(
      "with another error",
      tried.filter((t) => t.origin === "with an error" && !t.isNameable),
    ),
    repaired(
      "otherwise, without an explanation",
      tried.filter((t) => t.origin !== "with an error"),
    ),
  ].join("\n");
}
