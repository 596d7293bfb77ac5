/** Whether all variants run: `npm run test:sweeps`, and where a long file is named. */
export const isWhole: boolean = process.env.RECOUNT_TESTS === "all";

/** All if all variants run, otherwise every `step`th, from number `first` on. */
export const everyNth = <T>(all: readonly T[], step: number, first = 0): readonly T[] =>
  isWhole ? all : all.filter((_, i) => i % step === first % step);

/** Runs of a property test: a sixth of them unless all variants run. */
export const runsOf = (count: number): number => (isWhole ? count : Math.ceil(count / 6));
