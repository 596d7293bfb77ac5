import type { Convention } from "../scoring/convention.js";
import type { Kind } from "../scoring/score.js";

/** What `options` of a published result says: the part of the convention that concerns its kind. */
export function optionsOf(kind: Kind, convention: Convention): Record<string, unknown> {
  const { training, incomplete, order } = convention;
  const population = {
    training,
    incomplete,
    ...(convention.incorrect === "include" ? {} : { incorrect: convention.incorrect }),
    ...(convention.item_pattern === null ? {} : { item_pattern: convention.item_pattern }),
    ...(convention.job === null ? {} : { job: convention.job }),
  };
  const own: Record<Kind, Record<string, unknown>> = {
    win_loss: {},
    percent_chosen: { ties: convention.ties.percent_chosen, percent_scale: convention.percent_scale },
    percent_approved: { approved: convention.approved, percent_scale: convention.percent_scale },
    mean: { mean: convention.mean },
    stats: { ...convention.stats },
    elo: { ...convention.elo, ...(order === "service" ? {} : { order }) },
    bayesian_elo: { ...convention.bayesian_elo },
  };
  return { ...population, ...own[kind] };
}
