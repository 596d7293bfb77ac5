import { conventionWith, defaultConvention } from "../scoring/convention.js";
import { population } from "../scoring/population.js";
import { score, type Kind } from "../scoring/score.js";
import type { ScoreRow, Study as Answers } from "../scoring/study.js";
import { familyOf, type Family } from "../simulate/task.js";
import type { Study } from "../state/state.js";
import { syntheticResults } from "../synthetic/results.js";
import { damagedSlates } from "./answers-damage.js";
import { inSinglePrecision, rescaled, rounded, truncated } from "./numbers.js";
import { optionsOf } from "./options.js";
import { damagedRows } from "./rows-damage.js";
import type { PublishingRule } from "./rule.js";

export interface Result {
  kind: Kind;
  dimension: string;
  source: string;
  scores: ScoreRow[];
  options: Record<string, unknown>;
}

const published: Record<Family, Kind[]> = {
  pairwise: ["win_loss", "percent_chosen", "elo", "bayesian_elo"],
  mushra: ["mean", "stats"],
  acr: ["mean", "stats"],
  binary: ["percent_approved", "mean", "stats"],
  survey: [],
};

/**
 * The results of a study as published: one per kind and dimension for the whole experiment (source `""`)
 * or, for a job's id, from that job's answers alone.
 */
export function resultsOf(study: Study, rules: readonly PublishingRule[], source = ""): Result[] {
  if (study.synthetic !== null) return source === "" ? syntheticResults(study.synthetic.ratings) : [];
  const answers: Answers = { sessions: [...study.sessions.values()], slates: study.slates };
  const slates = source === "" ? study.slates : study.slates.filter((slate) => slate.job_id === source);
  const dimensions = [...new Set(slates.flatMap((slate) => slate.ratings.map((rating) => rating.dimension)))].sort();
  return published[familyOf(study.experiment.type)].flatMap((kind) =>
    dimensions.map((dimension) =>
      oneResult(answers, kind, dimension, source, matching(study, rules, kind, dimension, source)),
    ),
  );
}

function matching(
  study: Study,
  rules: readonly PublishingRule[],
  kind: Kind,
  dimension: string,
  source: string,
): PublishingRule[] {
  const { id, name } = study.experiment;
  return [...study.publishing, ...rules].filter(
    (rule) =>
      [undefined, "*", id, name].includes(rule.experiment) &&
      (rule.kinds === undefined || rule.kinds.includes(kind)) &&
      (rule.dimension === undefined || rule.dimension === dimension) &&
      (rule.source === undefined || rule.source === source),
  );
}

function oneResult(answers: Answers, kind: Kind, dimension: string, source: string, rules: PublishingRule[]): Result {
  const convention = rules.reduce((base, rule) => conventionWith(rule.conventions ?? {}, base), defaultConvention);
  const corruptions = rules.flatMap((rule) => (rule.corruption === undefined ? [] : [rule.corruption]));
  const before = corruptions.reduce<Answers["slates"]>(
    (slates, corruption) => damagedSlates(slates, answers, corruption),
    population(answers, convention, source),
  );
  const stated = lastOf(rules, "options") ?? "stated";
  return {
    kind,
    dimension,
    source,
    scores: asShown(corruptions.reduce(damagedRows, score(kind, dimension, before, convention)), rules),
    options: stated === "none" ? {} : optionsOf(kind, stated === "silent" ? defaultConvention : convention),
  };
}

/** What the last rule that says anything of it says. */
const lastOf = <K extends keyof PublishingRule>(
  rules: readonly PublishingRule[],
  key: K,
): PublishingRule[K] | undefined => rules.findLast((rule) => rule[key] !== undefined)?.[key];

function asShown(scores: readonly ScoreRow[], rules: readonly PublishingRule[]): ScoreRow[] {
  const decimals = lastOf(rules, "decimals");
  const onScale = rescaled(scores, lastOf(rules, "rescale") ?? {});
  const kept = lastOf(rules, "single_precision") === true ? inSinglePrecision(onScale) : onScale;
  if (decimals === undefined) return kept;
  return lastOf(rules, "rounding") === "truncate" ? truncated(kept, decimals) : rounded(kept, decimals);
}
