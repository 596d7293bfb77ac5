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
  const { slate, dimension, rater } = facts;
  const kept = new Map<number | string, [from: number, to: number]>();
  const drop = ([from, to]: readonly [number, number]): void => void chosen.fill(0, from, to);
  for (let from = 0; from < chosen.length; ) {
    let to = from + 1;
    while (to < chosen.length && slate[to] === slate[from] && dimension[to] === dimension[from] && slate[from] !== -1) to++;
    const key = repeatKey(facts, chosen, from, to);
    if (key !== null) {
      const earlier = kept.get(key);
      if (earlier === undefined || which === "last") kept.set(key, [from, to]);
      if (earlier !== undefined) drop(which === "last" ? earlier : [from, to]);
    }
    from = to;
  }

  /** Rater, dimension and stimuli of a slate's chosen ratings: a number where it fits into one, for speed. */
  function repeatKey({ stimulus, stimuli, dimensions }: Facts, counted: Uint8Array, from: number, to: number): number | string | null {
    const own: number[] = [];
    for (let i = from; i < to; i++) if (counted[i] === 1) own.push(stimulus[i] as number);
    if (own.length === 0) return null;
    own.sort((a, b) => a - b);
    const group = (rater[from] as number) * dimensions.length + (dimension[from] as number);
    const [a = 0, b = 0] = own;
    const key = (group * stimuli.length + a) * stimuli.length + b;
    return own.length === 2 && Number.isSafeInteger(key) ? key : `${group}/${own.join(",")}`;
  }
}
