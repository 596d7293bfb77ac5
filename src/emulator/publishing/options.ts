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
    percent_chosen: { ties: convention.ties.percent_chosen, percent_scale: convention.percent_scale },
    percent_approved: { approved: convention.approved, percent_scale: convention.percent_scale },
    mean: { mean: convention.mean },
    stats: statsOptions(convention.stats),
    elo: { ...convention.elo, ...(order === "service" ? {} : { order }) },
    bayesian_elo: { ...convention.bayesian_elo },
  };
  return { ...population, ...own[kind] };
}

/** The fields that differ from their default. */
function unusual(convention: Convention, ...fields: (keyof Convention)[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((f) => convention[f] !== defaultConvention[f]).map((f) => [f, convention[f]]),
  );
}

const statsOptions = ({ sd, interval, bootstrap_samples, seed }: Convention["stats"]): Record<string, unknown> =>
  interval === "bootstrap" ? { sd, interval, bootstrap_samples, seed } : { sd, interval };
