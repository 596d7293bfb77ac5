// The results of a study as the service publishes them, under its publishing rules.
import { type Convention, conventionWith, defaultConvention } from "../scoring/convention.js";
import { countedSlates, type ScoredSlate } from "../scoring/population.js";
import { type PublishedRow, score, type ScoredKind } from "../scoring/score.js";
import { type Family, experimentFamily } from "../simulation/raters.js";
import type { Study } from "../state.js";
import { corruptedRows, corruptedSlates, type PublishingRule } from "./rules.js";

export interface PublishedResult {
  kind: ScoredKind;
  dimension: string;
  /** Empty for the whole experiment, else a job's id. */
  source: string;
  scores: PublishedRow[];
  options: Record<string, unknown>;
}

export type PublishedResults = ReturnType<typeof publishedResults>;

/** Kept until the study has another session. */
export function publishedResults(rules: readonly PublishingRule[]) {
  const cached = new WeakMap<
    Study,
    { sessions: number; bySource: Map<string, PublishedResult[]> }
  >();
  return (study: Study, source = ""): PublishedResult[] => {
    let entry = cached.get(study);
    if (entry?.sessions !== study.sessions.size) {
      entry = { sessions: study.sessions.size, bySource: new Map() };
      cached.set(study, entry);
    }
    const results = entry.bySource.get(source) ?? resultsOfStudy(study, rules, source);
    entry.bySource.set(source, results);
    return results;
  };
}

const publishedKinds: Record<Family, ScoredKind[]> = {
  pairwise: ["win_loss", "percent_chosen", "elo", "bayesian_elo"],
  mushra: ["mean", "stats"],
  acr: ["mean", "stats"],
  binary: ["percent_approved", "mean", "stats"],
  survey: [],
};

/** One per kind and dimension. */
export function resultsOfStudy(
  study: Study,
  rules: readonly PublishingRule[],
  source = "",
): PublishedResult[] {
  const { id, name, type } = study.experiment;
  const slates =
    source === "" ? study.slates : study.slates.filter((slate) => slate.job_id === source);
  const dimensions = [
    ...new Set(slates.flatMap((slate) => slate.ratings.map((rating) => rating.dimension))),
  ].sort();
  return publishedKinds[experimentFamily(type)].flatMap((kind) =>
    dimensions.map((dimension) => {
      const own = [...study.publishing, ...rules].filter(
        (rule) =>
          [undefined, "*", id, name].includes(rule.experiment) &&
          [undefined, source].includes(rule.source) &&
          [undefined, dimension].includes(rule.dimension) &&
          (rule.kinds === undefined || rule.kinds.includes(kind)),
      );
      return { kind, dimension, source, ...publishedOf(study, kind, dimension, source, own) };
    }),
  );
}

/**
 * Computed, corrupted, relative to another, rescaled, in single precision, rounded: in this order.
 */
function publishedOf(
  study: Study,
  kind: ScoredKind,
  dimension: string,
  source: string,
  rules: readonly PublishingRule[],
): Pick<PublishedResult, "scores" | "options"> {
  const answers = { sessions: [...study.sessions.values()], slates: study.slates };
  const convention = rules.reduce(
    (base, rule) => conventionWith(rule.conventions ?? {}, base),
    defaultConvention,
  );
  const corruptions = rules.flatMap(({ corruption }) => corruption ?? []);
  const slates = corruptions.reduce<readonly ScoredSlate[]>(
    (before, corruption) => corruptedSlates(before, corruption, answers),
    countedSlates(answers, convention, source),
  );
  const scores = corruptions.reduce(corruptedRows, score(kind, dimension, slates, convention));
  const stated = lastOf(rules, "options") ?? "stated";
  return {
    scores: presented(scores, rules),
    options:
      stated === "none"
        ? {}
        : publishedOptions(kind, stated === "silent" ? defaultConvention : convention),
  };
}

const lastOf = <K extends keyof PublishingRule>(
  rules: readonly PublishingRule[],
  key: K,
): PublishingRule[K] | undefined => rules.findLast((rule) => rule[key] !== undefined)?.[key];

function presented(
  scores: readonly PublishedRow[],
  rules: readonly PublishingRule[],
): PublishedRow[] {
  const decimals = lastOf(rules, "decimals");
  const reference = lastOf(rules, "relative");
  const compared = reference === undefined ? scores : relativeRows(scores, reference);
  const onScale = rescaledRows(compared, lastOf(rules, "rescale") ?? {});
  const stored = lastOf(rules, "single_precision") === true ? inSinglePrecision(onScale) : onScale;
  if (decimals === undefined) return stored;
  return lastOf(rules, "rounding") === "truncate"
    ? truncatedRows(stored, decimals)
    : roundedRows(stored, decimals);
}

const countFields: ReadonlySet<string> = new Set(["n", "wins", "losses", "ties", "approved"]);
/** A shift does not change them. */
const spreads: ReadonlySet<string> = new Set(["std", "sem"]);

const onNumbers = (
  rows: readonly PublishedRow[],
  change: (value: number, field: string) => number,
): PublishedRow[] =>
  rows.map(({ stimulus, ...fields }) => {
    const changed = Object.entries(fields).map(([field, value]) => [
      field,
      typeof value === "number" ? change(value, field) : value,
    ]);
    return { stimulus, ...(Object.fromEntries(changed) as typeof fields) };
  });

const pairedEnds = ["ci_low ci_high", "min max", "q1 q3", "p005 p995", "p025 p975", "p05 p95"].map(
  (pair) => pair.split(" "),
);
/** A negative factor swaps lower and upper ends. */
const otherEnds = new Map(
  pairedEnds.flatMap(([low = "", high = ""]) => [[low, high] as const, [high, low] as const]),
);

/** Spreads are only multiplied, counts are unchanged. */
function rescaledRows(
  rows: readonly PublishedRow[],
  { by = 1, plus = 0 }: NonNullable<PublishingRule["rescale"]>,
): PublishedRow[] {
  const moved = onNumbers(rows, (value, field) =>
    countFields.has(field) ? value : spreads.has(field) ? Math.abs(by) * value : by * value + plus,
  );
  if (by > 0) return moved;
  return moved.map((row) => {
    const fields = Object.keys(row).map((field) => [field, row[otherEnds.get(field) ?? field]]);
    return Object.fromEntries(fields) as PublishedRow;
  });
}

/** Minus one item's (`to` null: the highest), or in percent of it. As they are if nobody has it. */
function relativeRows(
  rows: readonly PublishedRow[],
  { to, as }: NonNullable<PublishingRule["relative"]>,
): readonly PublishedRow[] {
  const values = rows
    .filter(({ stimulus }) => to === null || stimulus === to)
    .flatMap((row) => row.value ?? row.mean)
    .filter((value) => typeof value === "number");
  const reference = Math.max(...values);
  if (!Number.isFinite(reference)) return rows;
  return rescaledRows(rows, as === "percent" ? { by: 100 / reference } : { plus: -reference });
}

const inSinglePrecision = (rows: readonly PublishedRow[]): PublishedRow[] =>
  onNumbers(rows, Math.fround);

const roundedRows = (rows: readonly PublishedRow[], decimals: number): PublishedRow[] =>
  onNumbers(rows, (value) => Number(value.toFixed(decimals)));

const truncatedRows = (rows: readonly PublishedRow[], decimals: number): PublishedRow[] =>
  onNumbers(rows, (value) => {
    const near = Number(value.toFixed(decimals));
    // The rounded number is right unless it is farther from zero; then it is one unit too far.
    if (Math.abs(near) <= Math.abs(value)) return near;
    return Number((near - Math.sign(value) * 10 ** -decimals).toFixed(decimals));
  });

function publishedOptions(kind: ScoredKind, convention: Convention): Record<string, unknown> {
  const { training, incomplete, order, percent_scale, approved, mean, ties, stats } = convention;
  const unusual = (...fields: (keyof Convention)[]): Record<string, unknown> =>
    Object.fromEntries(
      fields.filter((f) => convention[f] !== defaultConvention[f]).map((f) => [f, convention[f]]),
    );
  const { bootstrap_samples, seed, ...usual } = stats;
  const own: Record<ScoredKind, Record<string, unknown>> = {
    win_loss: unusual("pairs"),
    percent_chosen: {
      ties: ties.percent_chosen,
      percent_scale,
      ...unusual("chosen", "denominator", "pairs"),
    },
    percent_approved: { approved, percent_scale, ...unusual("denominator") },
    mean: { mean, ...unusual("denominator") },
    stats: stats.interval === "bootstrap" ? { ...usual, bootstrap_samples, seed } : usual,
    elo: { ...convention.elo, ...(order === "service" ? {} : { order }), ...unusual("pairs") },
    bayesian_elo: { ...convention.bayesian_elo, ...unusual("pairs") },
  };
  return {
    training,
    incomplete,
    ...unusual(
      "incorrect",
      "repeats",
      "job",
      "without_job",
      "dimension",
      "item_key",
      "item_pattern",
    ),
    ...own[kind],
  };
}
