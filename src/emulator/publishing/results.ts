import { syntheticScores } from "../sample/synthetic.js";
import { conventionWith, defaultConvention } from "../scoring/convention.js";
import { population } from "../scoring/population.js";
import { score, type ScoredKind } from "../scoring/score.js";
import type { ScoreRow, ScoredStudy as Answers } from "../scoring/study.js";
import { familyOf, type Family } from "../simulation/task.js";
import type { Study } from "../state/state.js";
import { corruptedRows, corruptedSlates } from "./corruption.js";
import { inSinglePrecision, relativeTo, rescaled, rounded, truncated } from "./numbers.js";
import { optionsOf } from "./options.js";
import type { PublishingRule } from "./rules.js";

export interface Result {
  kind: ScoredKind;
  dimension: string;
  /** Empty for the whole experiment, else a job's id. */
  source: string;
  scores: ScoreRow[];
  options: Record<string, unknown>;
}

/** Computed results, kept until their study changes. */
export interface ResultsCache {
  of(study: Study, source?: string): Result[];
}

export function createResultsCache(rules: readonly PublishingRule[]): ResultsCache {
  const cached = new WeakMap<Study, { revision: number; bySource: Map<string, Result[]> }>();
  return {
    of(study, source = "") {
      let entry = cached.get(study);
      if (entry?.revision !== study.revision) {
        entry = { revision: study.revision, bySource: new Map() };
        cached.set(study, entry);
      }
      const results = entry.bySource.get(source) ?? resultsOf(study, rules, source);
      entry.bySource.set(source, results);
      return results;
    },
  };
}

const publishedKinds: Record<Family, ScoredKind[]> = {
  pairwise: ["win_loss", "percent_chosen", "elo", "bayesian_elo"],
  mushra: ["mean", "stats"],
  acr: ["mean", "stats"],
  binary: ["percent_approved", "mean", "stats"],
  survey: [],
};

/**
 * The results of a study as published: one per kind and dimension, for the whole experiment (source `""`)
 * or, for a job's id, from that job's answers alone.
 */
export function resultsOf(study: Study, rules: readonly PublishingRule[], source = ""): Result[] {
  if (study.synthetic !== null) return source === "" ? syntheticResults(study.synthetic.ratings) : [];
  const { id, name, type } = study.experiment;
  const answers: Answers = { sessions: [...study.sessions.values()], slates: study.slates };
  const slates = source === "" ? study.slates : study.slates.filter((slate) => slate.job_id === source);
  const dimensions = [...new Set(slates.flatMap((slate) => slate.ratings.map((rating) => rating.dimension)))].sort();
  const applicable = [...study.publishing, ...rules].filter(
    (rule) =>
      [undefined, "*", id, name].includes(rule.experiment) && (rule.source === undefined || rule.source === source),
  );
  return publishedKinds[familyOf(type)].flatMap((kind) =>
    dimensions.map((dimension) => {
      const own = applicable.filter(
        (rule) =>
          (rule.kinds === undefined || rule.kinds.includes(kind)) &&
          (rule.dimension === undefined || rule.dimension === dimension),
      );
      return { kind, dimension, source, ...published(answers, kind, dimension, source, own) };
    }),
  );
}

function published(
  answers: Answers,
  kind: ScoredKind,
  dimension: string,
  source: string,
  rules: readonly PublishingRule[],
): Pick<Result, "scores" | "options"> {
  const convention = rules.reduce((base, rule) => conventionWith(rule.conventions ?? {}, base), defaultConvention);
  const corruptions = rules.flatMap(({ corruption }) => corruption ?? []);
  const slates = corruptions.reduce<Answers["slates"]>(
    (before, corruption) => corruptedSlates(before, corruption, answers),
    population(answers, convention, source),
  );
  const scores = corruptions.reduce(corruptedRows, score(kind, dimension, slates, convention));
  const stated = lastOf(rules, "options") ?? "stated";
  return {
    scores: presented(scores, rules),
    options: stated === "none" ? {} : optionsOf(kind, stated === "silent" ? defaultConvention : convention),
  };
}

/** The value of a field in the last rule that has it. */
const lastOf = <K extends keyof PublishingRule>(
  rules: readonly PublishingRule[],
  key: K,
): PublishingRule[K] | undefined => rules.findLast((rule) => rule[key] !== undefined)?.[key];

function presented(scores: readonly ScoreRow[], rules: readonly PublishingRule[]): ScoreRow[] {
  const decimals = lastOf(rules, "decimals");
  const reference = lastOf(rules, "relative");
  const compared = reference === undefined ? scores : relativeTo(scores, reference);
  const onScale = rescaled(compared, lastOf(rules, "rescale") ?? {});
  const stored = lastOf(rules, "single_precision") === true ? inSinglePrecision(onScale) : onScale;
  if (decimals === undefined) return stored;
  return lastOf(rules, "rounding") === "truncate" ? truncated(stored, decimals) : rounded(stored, decimals);
}

const syntheticResults = (ratings: number): Result[] =>
  Object.entries(syntheticScores(ratings)).map(([name, scores]) => {
    const kind = name as ScoredKind;
    return { kind, dimension: "", source: "", scores, options: optionsOf(kind, defaultConvention) };
  });
