import { defaultConvention, type Convention } from "../scoring/convention.js";
import type { ScoredKind } from "../scoring/score.js";

/** The `options` of a published result: the part of the convention that concerns its kind. */
export function optionsOf(kind: ScoredKind, convention: Convention): Record<string, unknown> {
  const { training, incomplete, order } = convention;
  const population = {
    training,
    incomplete,
    ...unusual(convention, "incorrect", "repeats", "job", "without_job", "dimension", "item_key", "item_pattern"),
  };
  const own: Record<ScoredKind, Record<string, unknown>> = {
    win_loss: {},
    percent_chosen: {
      ties: convention.ties.percent_chosen,
      percent_scale: convention.percent_scale,
      ...unusual(convention, "chosen", "denominator"),
    },
    percent_approved: {
      approved: convention.approved,
      percent_scale: convention.percent_scale,
      ...unusual(convention, "denominator"),
    },
    mean: { mean: convention.mean, ...unusual(convention, "denominator") },
    stats: statsOptions(convention.stats),
    elo: { ...convention.elo, ...(order === "service" ? {} : { order }) },
    bayesian_elo: { ...convention.bayesian_elo },
  };
  const pairs = ["win_loss", "percent_chosen", "elo", "bayesian_elo"].includes(kind)
    ? unusual(convention, "pairs")
    : {};
  return { ...population, ...pairs, ...own[kind] };
}

/** The fields that differ from their default. */
function unusual(convention: Convention, ...fields: (keyof Convention)[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((f) => convention[f] !== defaultConvention[f]).map((f) => [f, convention[f]]),
  );
}

const statsOptions = (stats: Convention["stats"]): Record<string, unknown> => {
  const { sd, interval, level, quartiles, bootstrap_samples, seed } = stats;
  const drawn = interval === "bootstrap" ? { bootstrap_samples, seed } : {};
  return { sd, interval, level, quartiles, ...drawn };
};
