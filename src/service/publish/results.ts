import { conventionWith, defaultConvention } from "../scoring/convention.js";
import { population } from "../scoring/population.js";
import { score, type Kind } from "../scoring/score.js";
import type { ScoreRow, Study as Answers } from "../scoring/study.js";
import { familyOf, type Family } from "../simulate/task.js";
import type { Study } from "../state/state.js";
import { syntheticResults } from "../synthetic/results.js";
import { damagedSlates } from "./answers-damage.js";
import { optionsOf } from "./options.js";
import { damagedRows, rounded } from "./rows-damage.js";
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
  const slates = source === "" ? study.slates : study.slates.filter((slate) => slate.job_id === source);
  const answers: Answers = { sessions: [...study.sessions.values()], slates };
  const dimensions = [...new Set(slates.flatMap((slate) => slate.ratings.map((rating) => rating.dimension)))].sort();
  return published[familyOf(study.experiment.type)].flatMap((kind) =>
    dimensions.map((dimension) => oneResult(answers, kind, dimension, source, matching(study, rules, kind, dimension, source))),
  );
}

function matching(study: Study, rules: readonly PublishingRule[], kind: Kind, dimension: string, source: string): PublishingRule[] {
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
  const decimals = rules.findLast((rule) => rule.decimals !== undefined)?.decimals;
  const stated = rules.findLast((rule) => rule.options !== undefined)?.options ?? "stated";
  const before = corruptions.reduce<Answers["slates"]>(
    (slates, corruption) => damagedSlates(slates, answers, corruption),
    population(answers, convention),
  );
  const rows = corruptions.reduce(damagedRows, score(kind, dimension, before, convention));
  return {
    kind,
    dimension,
    source,
    scores: decimals === undefined ? rows : rounded(rows, decimals),
    options: stated === "none" ? {} : optionsOf(kind, stated === "silent" ? defaultConvention : convention),
  };
}
