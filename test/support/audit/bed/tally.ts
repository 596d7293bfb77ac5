import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Outcome, RepairOutcome, Trial } from "./bed.js";

interface Counts extends Record<Outcome, number> {
  trials: number;
}

const noCounts = (): Counts => ({ trials: 0, named: 0, "in part": 0, missed: 0, fitted: 0, honest: 0, false: 0 });
const columns = ["trials", "named", "fitted", "in part", "missed", "honest", "false"] as const;
const repairColumns = ["named", "wrong", "not found"] as const;

/** How a trial was published: under a convention, by another algorithm, or with an error. */
const originOf = ({ names, change, isAlgorithm }: Trial): string =>
  names.length > 0 ? "convention" : isAlgorithm ? "other algorithm" : change === null ? "" : "error";

const repairOf = ({ change, isAlgorithm }: Trial): string =>
  isAlgorithm ? "other algorithms" : change?.repairs.length === 0 ? "errors without a name" : "errors with a name";

export interface Tally {
  count(trial: Trial, outcome: Outcome): void;
  countRepair(trial: Trial, outcome: RepairOutcome): void;
  totals(): { all: Counts; planted: Counts };
  /** Markdown. */
  tables(kinds: readonly Kind[]): string;
}

export function createTally(): Tally {
  const counts = new Map<string, Counts>();
  const repairs = new Map<string, Record<RepairOutcome, number>>();
  const sumOf = (isWanted: (key: string) => boolean): Counts => {
    const total = noCounts();
    for (const [key, own] of counts) if (isWanted(key)) for (const name of columns) total[name] += own[name];
    return total;
  };
  return {
    count(trial, outcome) {
      for (const key of [`${trial.kind} ${originOf(trial)}`, `decimals ${trial.decimals ?? "all"}`]) {
        const own = counts.get(key) ?? noCounts();
        counts.set(key, own);
        own.trials++;
        own[outcome]++;
      }
    },
    countRepair(trial, outcome) {
      const own = repairs.get(repairOf(trial)) ?? { named: 0, wrong: 0, "not found": 0 };
      repairs.set(repairOf(trial), own);
      own[outcome]++;
    },
    totals: () => ({
      all: sumOf((key) => !key.startsWith("decimals")),
      planted: sumOf((key) => key.endsWith(" convention")),
    }),
    tables(kinds) {
      const row = (name: string, own: Counts): string => `| ${[name, ...columns.map((c) => own[c])].join(" | ")} |`;
      const origins = ["convention", "other algorithm", "error"];
      return [
        ...origins.flatMap((origin) => [
          ...kinds.map((kind) => row(`${kind}, ${origin}`, counts.get(`${kind} ${origin}`) ?? noCounts())),
          row(
            `all, ${origin}`,
            sumOf((key) => key.endsWith(` ${origin}`)),
          ),
        ]),
        ...[0, 1, 2, 3, "all"].map((d) => row(`decimals ${d}`, counts.get(`decimals ${d}`) ?? noCounts())),
        row(
          "all",
          sumOf((key) => !key.startsWith("decimals")),
        ),
        ...[...repairs].map(([name, own]) => `| ${[name, ...repairColumns.map((c) => own[c])].join(" | ")} |`),
      ].join("\n");
    },
  };
}
