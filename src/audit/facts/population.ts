import type { Facts } from "./facts.js";

export const itemKeys = ["own", "stimulus", "condition", "source", "stimulus_id"] as const;
export const orders = ["service", "created", "slate_updated", "slate_id", "session_id", "reversed"] as const;

/** Which ratings count, as what, and in which order. */
export interface Population {
  readonly training: "exclude" | "include" | "only";
  readonly incomplete: "exclude" | "include";
  readonly incorrect: "include" | "exclude_ratings" | "exclude_slates" | "exclude_sessions" | "exclude_raters";
  /** One job, or null for all. */
  readonly job: string | null;
  /** One job left out, or null. */
  readonly without_job: string | null;
  /** Null: all dimensions together. */
  readonly dimension: string | null;
  /** How an item is named after its stimulus; `own` is the run's convention. */
  readonly item: (typeof itemKeys)[number];
  readonly order: (typeof orders)[number];
  /** Only so many sessions from the start of the service order, or null for all. */
  readonly first_sessions: number | null;
  /** Of a rater's repeated answers to the same stimuli only the first or last, or all. */
  readonly repeats: "all" | "first" | "last";
}

export function populationKey(p: Population): string {
  return JSON.stringify([
    p.training,
    p.incomplete,
    p.incorrect,
    p.job,
    p.without_job,
    p.dimension,
    p.item,
    p.order,
    p.first_sessions,
    p.repeats,
  ]);
}

/** 1 for each rating that counts. Does not look at order or item. */
export function selectRatings(facts: Facts, p: Population): Uint8Array {
  const { score, training, completed, job, dimension, session, correct } = facts;
  const wantedJob = p.job === null ? -1 : facts.jobs.indexOf(p.job);
  const unwantedJob = p.without_job === null ? -2 : facts.jobs.indexOf(p.without_job);
  const wantedDimension = p.dimension === null ? -1 : facts.dimensions.indexOf(p.dimension);
  const limit = p.first_sessions ?? Infinity;
  const barred = barredBy(facts, p.incorrect);
  const chosen = new Uint8Array(training.length);
  for (let i = 0; i < chosen.length; i++) {
    if (Number.isNaN(score[i])) continue;
    if (p.training === "exclude" ? training[i] === 1 : p.training === "only" && training[i] === 0) continue;
    if (p.incomplete === "exclude" && completed[i] === 0) continue;
    if (p.job !== null && job[i] !== wantedJob) continue;
    if (job[i] === unwantedJob) continue;
    if (p.dimension !== null && dimension[i] !== wantedDimension) continue;
    if ((session[i] as number) >= limit) continue;
    if (p.incorrect === "exclude_ratings" ? correct[i] === 0 : barred?.(i)) continue;
    chosen[i] = 1;
  }
  if (p.repeats !== "all") keepOneOfRepeats(facts, chosen, p.repeats);
  return chosen;
}

function barredBy(facts: Facts, incorrect: Population["incorrect"]): ((i: number) => boolean) | undefined {
  if (incorrect === "include" || incorrect === "exclude_ratings") return undefined;
  const group = { exclude_slates: facts.slate, exclude_sessions: facts.session, exclude_raters: facts.rater }[incorrect];
  const bad = new Set<number>();
  facts.correct.forEach((flag, i) => {
    if (flag === 0) bad.add(group[i] as number);
  });
  return bad.size === 0 ? undefined : (i) => bad.has(group[i] as number);
}

/** A repeat is a later slate of the same rater with the same stimuli in the same dimension. */
function keepOneOfRepeats(facts: Facts, chosen: Uint8Array, which: "first" | "last"): void {
  const bySlate = new Map<string, { indices: number[]; stimuli: number[]; rater: number; dimension: number }>();
  for (let i = 0; i < chosen.length; i++) {
    if (chosen[i] === 0) continue;
    const key = `${facts.slate[i] ?? 0}/${facts.dimension[i] ?? 0}`;
    const slate = bySlate.get(key) ?? { indices: [], stimuli: [], rater: facts.rater[i] as number, dimension: facts.dimension[i] as number };
    slate.indices.push(i);
    slate.stimuli.push(facts.stimulus[i] as number);
    bySlate.set(key, slate);
  }
  const kept = new Map<string, number[]>();
  for (const { indices, stimuli, rater, dimension } of bySlate.values()) {
    const key = `${rater}/${dimension}/${stimuli.sort((a, b) => a - b).join(",")}`;
    const earlier = kept.get(key);
    if (earlier === undefined || which === "last") kept.set(key, indices);
    for (const i of earlier === undefined ? [] : which === "last" ? earlier : indices) chosen[i] = 0;
  }
}
