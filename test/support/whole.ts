/** Suites of which `npm test` runs a sample, until all of each is in files of its own (`*.long.test.ts`). */
export type Suite =
  | "browser"
  | "crashes"
  | "examples"
  | "flags"
  | "formats"
  | "hostile"
  | "mutations"
  | "nights"
  | "precisions"
  | "properties"
  | "scenarios"
  | "tampering"
  | "threads"
  | "year";

/** Whether suites run completely: `npm run test:all`, and where a long file is named. */
export const isWhole: (suite: Suite) => boolean = () => process.env.RECOUNT_TESTS === "all";

/** The variants to try of case number `i`: all of them if the suite runs completely, otherwise one in turn. */
export const inTurn = <T>(suite: Suite, variants: readonly T[], i: number): readonly T[] =>
  isWhole(suite) ? variants : variants.filter((_, at) => at === i % variants.length);

/** All if the suite runs completely, otherwise every `step`th, from number `first` on. */
export const everyNth = <T>(suite: Suite, all: readonly T[], step: number, first = 0): readonly T[] =>
  isWhole(suite) ? all : all.filter((_, i) => i % step === first % step);

/** Runs of a property test: a third of them unless the suite runs completely. */
export const runsOf = (count: number): number => (isWhole("properties") ? count : Math.ceil(count / 3));

/** At most `count` of `all`, evenly spaced. */
export const sampleOf = <T>(all: readonly T[], count: number): T[] =>
  all.filter((_, i) => i % Math.ceil(all.length / count) === 0);
