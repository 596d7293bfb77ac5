/** Limits that several statistics share. */

/** Items. With more, the pairs are too many to list. */
export const mostPairedItems = 100;

/** Raters times raters times units for κ of all pairs of raters. */
export const pairwiseWork = 50_000_000;

/** Rows of all draws of an interval; beyond it fewer draws are made. */
export const bootstrapWork = 10_000_000;
export const mostDraws = 1000;
export const fewestDraws = 100;

/** Operations of one search, which makes at least `fewestTries` evaluations. */
export const searchWork = 5_000_000;
export const fewestTries = 30;
