import type { AuditOptions } from "../../../src/audit/index.js";
import type { Verdict } from "../../../src/audit/verdict.js";
import {
  golden,
  rounded,
  scoresOf,
  type Expected,
  type Lists,
  type Numbers,
  type PublishedResult,
} from "./published-case.js";

/** What a service publishes that must not pass: numbers that are mixed, options that lie, numbers that nobody reads. */
export interface Deception {
  readonly name: string;
  readonly file: string;
  readonly results: readonly PublishedResult[];
  readonly lists?: Lists;
  readonly options?: AuditOptions;
  /** A verdict that some number must have. */
  readonly verdict: Verdict;
  /** What the explanation of such a number says; absent where it says nothing. */
  readonly says?: RegExp;
}

const blockOf = (file: string, dimension = ""): Record<string, Expected> & { variants: Record<string, Expected> } =>
  golden(file).expected[dimension] as never;

const codecs = blockOf("codec-preference");

type Entry = Numbers & { stimulus: string };
export const entriesOf = (expected: Expected | undefined, decimals: number | null = null): Entry[] =>
  scoresOf(rounded(expected as Expected, decimals)) as Entry[];

const accepting = (kind: string, convention: string): AuditOptions => ({
  accept: [{ experiment: "exp2", kind, convention, reason: "as agreed" }],
});

/** Numbers of a variant, of which the items at `stale` have those of the run's own conventions. */
const mixture = (kind: string, variant: string, stale: readonly number[], decimals: number | null): Entry[] => {
  const own = entriesOf(codecs[kind], decimals);
  return entriesOf(codecs.variants[`${kind} ${variant}`], decimals).map((one, i) =>
    stale.includes(i) ? own[i]! : one,
  );
};

const mixtures: Deception[] = (
  [
    ["percent_chosen", "training=include", { training: "include" }, [7], null],
    ["percent_chosen", "training=include", { includeTraining: true }, [0], 1],
    ["percent_chosen", "ties=half", { ties: "half" }, [2], 1],
    ["percent_chosen", "ties=exclude", { ties: "exclude" }, [5], 2],
    ["percent_chosen", "incomplete=include", { incomplete: "include" }, [1], null],
    ["elo", "training=include", { training: true }, [3], null],
    ["elo", "ties=skip", { ties: "skip" }, [4], 1],
    ["elo", "update=session_batch", { update: "session_batch" }, [0], 2],
    ["elo", "k=16 initial=1000", { k: 16, start: 1000 }, [6], null],
  ] as const
).flatMap(([kind, variant, options, stale, decimals]): Deception[] => {
  const name = `${kind}, ${variant}, ${stale.length} of 8 not refreshed`;
  const scores = mixture(kind, variant, stale, decimals);
  const common = { file: "codec-preference", verdict: "unexplained" } as const;
  const convention = variant.replace("initial", "start");
  const says = /follows only without/;
  return [
    { ...common, name: `${name}, stated`, results: [{ kind, scores, options }], says },
    { ...common, name: `${name}, accepted`, results: [{ kind, scores }], options: accepting(kind, convention) },
  ];
});

export const deceptions: readonly Deception[] = [...mixtures];
