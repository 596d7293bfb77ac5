/** Limits that several computations share, each with its reason. */

/** A variance or sum of squares below this share of its parts is zero but for rounding. */
export const zeroShare = 1e-12;

/** Beyond this step in a log worth or log odds the quadratic model is unreliable. */
export const maxNewtonStep = 2;

/** Items of a class; with more, standard errors are NaN. */
export const mostItemsWithErrors = 1000;

/** Additions of all draws of a class, about a second. Beyond it, fewer are drawn. */
export const resampleWork = 500_000_000;

/** Draws of ratings for an interval. Beyond it, fewer samples are drawn, at least 100. */
export const statsWork = 20_000_000;

/** Updates of all orders of a group, about half a second. */
export const replayWork = 5_000_000;
export const fewestReplays = 3;

/** Updates of one comparison. A larger weight is shared among as many. */
export const mostUpdates = 1000;

/**
 * The chance that an interval of random draws, published as it came out, does not agree with
 * Recount's draws in some number of its result.
 */
export const falseAlarms = 0.001;
