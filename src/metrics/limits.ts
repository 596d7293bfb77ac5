/** Limits that several computations share, each with its reason. */

/** A variance below this share of its parts is zero but for rounding. */
export const zeroShare = 1e-12;

/** In log worth or log odds: beyond it the quadratic model is unreliable. */
export const maxNewtonStep = 2;

/** Of a class; with more, standard errors are NaN. */
export const mostItemsWithErrors = 1000;

/** Additions of all draws of a class, about a second. Beyond it, fewer are drawn. */
export const resampleWork = 500_000_000;

/** Ratings drawn for an interval; beyond it fewer samples, at least 100. */
export const statsWork = 20_000_000;

/** Updates of all orders of a group, about half a second. */
export const replayWork = 5_000_000;
export const fewestReplays = 3;

/** Of one comparison, which share a larger weight. */
export const mostUpdates = 1000;

/** Chance that a correct drawn interval disagrees with Recount's draws in some number. */
export const falseAlarms = 0.001;
