import type { Facts } from "./facts.js";
import { repeatsOf } from "./repeats.js";

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

/** Leaves of each set of repeats (see `repeatsOf`) that has counted ratings the first or the last. */
function keepOneOfRepeats(facts: Facts, chosen: Uint8Array, which: "first" | "last"): void {
  const { starts, set, sets } = repeatsOf(facts);
  const kept = new Int32Array(sets).fill(-1);
  const end = (n: number): number => starts[n + 1] ?? chosen.length;
  for (let n = 0; n < starts.length; n++) {
    const from = starts[n] as number;
    let counts = false;
    for (let i = from; i < end(n) && !counts; i++) counts = chosen[i] === 1;
    if (!counts) continue;
    const own = set[n] as number;
    const earlier = kept[own] as number;
    if (earlier !== -1) {
      const gone = which === "first" ? n : earlier;
      chosen.fill(0, starts[gone], end(gone));
    }
    if (earlier === -1 || which === "last") kept[own] = n;
  }
}
