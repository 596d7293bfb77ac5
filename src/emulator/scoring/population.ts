import type { Convention } from "./convention.js";

/** The parts of a study that scoring uses: the raw answers, in the field names of the interface. */
export interface ScoredRating {
  score: number | null;
  stimulus: string;
  stimulus_id: number | string;
  dimension: string;
  rater_id: number | string;
  is_training: boolean;
  is_correct: boolean | null;
}

export interface ScoredSlate {
  id: number;
  session_id: string;
  job_id: string;
  date_updated: string;
  ratings: readonly ScoredRating[];
}

export interface ScoredSession {
  id: string;
  job_id: string;
  date_created: string;
  date_completed: string | null;
}

export interface ScoredStudy {
  sessions: readonly ScoredSession[];
  slates: readonly ScoredSlate[];
}

/** One published row: the item under `stimulus`, then the fields of its kind. Null: not defined for so few ratings. */
export type ScoreRow = { stimulus: string } & Record<string, string | number | null>;

/**
 * The slates that count, in the convention's order, each with only the ratings that count. `source` is a job's id, or
 * `""` for the whole experiment.
 */
export function population(study: ScoredStudy, convention: Convention, source = ""): ScoredSlate[] {
  const sessions = new Map<string, ScoredSession>();
  for (const session of study.sessions) sessions.set(session.id, session);
  const wrong = incorrectKeys(study, convention);
  const job = convention.job ?? (source === "" ? "*" : source);
  const counted: Counted[] = [];
  for (const whole of study.slates) {
    const session = sessions.get(whole.session_id);
    if (session === undefined) continue;
    if (convention.incomplete === "exclude" && session.date_completed === null) continue;
    if ((job !== "*" && whole.job_id !== job) || whole.job_id === convention.without_job) continue;
    if (wrong.has(keyOf(whole, convention))) continue;
    counted.push({ whole, ratings: whole.ratings.filter((rating) => counts(rating, convention, wrong)) });
  }
  const kept =
    convention.repeats === "all" ? counted : withoutRepeats(bySession(counted, sessions), convention.repeats);
  const slates = kept.flatMap(({ whole, ratings }) => (ratings.length > 0 ? [{ ...whole, ratings }] : []));
  return ordered(slates, sessions, convention.order);
}

function bySession(counted: readonly Counted[], sessions: ReadonlyMap<string, ScoredSession>): Counted[] {
  const order = inServiceOrder(sessions);
  return [...counted].sort((a, b) => order(a.whole, b.whole));
}

function counts(rating: ScoredRating, convention: Convention, wrong: Set<string>): boolean {
  if (convention.training === "exclude" ? rating.is_training : convention.training === "only" && !rating.is_training)
    return false;
  if (convention.incorrect === "exclude_ratings" && rating.is_correct === false) return false;
  return !(convention.incorrect === "exclude_raters" && wrong.has(String(rating.rater_id)));
}

function keyOf(slate: ScoredSlate, { incorrect }: Convention): string {
  if (incorrect === "exclude_slates") return `slate ${slate.id}`;
  return incorrect === "exclude_sessions" ? `session ${slate.session_id}` : "";
}

/** The unit that one incorrect rating excludes: its slate, session or rater. */
function incorrectKeys(study: ScoredStudy, convention: Convention): Set<string> {
  const keys = new Set<string>();
  if (convention.incorrect === "include" || convention.incorrect === "exclude_ratings") return keys;
  for (const slate of study.slates)
    for (const rating of slate.ratings)
      if (rating.is_correct === false)
        keys.add(convention.incorrect === "exclude_raters" ? String(rating.rater_id) : keyOf(slate, convention));
  return keys;
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Reads instants, each only once: sorting compares every slate many times. */
function instants(): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const at = known.get(text) ?? new Date(text).getTime();
    known.set(text, at);
    return at;
  };
}

type BySlate = (a: ScoredSlate, b: ScoredSlate) => number;

/** The order of docs/metrics.md, with sessions in order of completion or, for `created`, of creation. */
function inServiceOrder(
  sessions: ReadonlyMap<string, ScoredSession>,
  field: "date_completed" | "date_created" = "date_completed",
): BySlate {
  const instant = instants();
  const at = new Map<string, number>();
  for (const session of sessions.values()) {
    const text = session[field];
    at.set(session.id, text === null ? Infinity : instant(text));
  }
  return (a, b) =>
    compare(at.get(a.session_id) ?? Infinity, at.get(b.session_id) ?? Infinity) ||
    compare(a.session_id, b.session_id) ||
    compare(instant(a.date_updated), instant(b.date_updated)) ||
    compare(a.id, b.id);
}

/** Slates in the requested order; the service order breaks ties. `reversed` applies to comparisons, see score.ts. */
function ordered(
  slates: readonly ScoredSlate[],
  sessions: ReadonlyMap<string, ScoredSession>,
  order: Convention["order"],
): ScoredSlate[] {
  const usual = [...slates].sort(inServiceOrder(sessions));
  const instant = instants();
  const by: Record<Convention["order"], () => ScoredSlate[]> = {
    service: () => usual,
    created: () => usual.sort(inServiceOrder(sessions, "date_created")),
    session_id: () => usual.sort((a, b) => compare(a.session_id, b.session_id)),
    slate_updated: () => usual.sort((a, b) => compare(instant(a.date_updated), instant(b.date_updated))),
    slate_id: () => usual.sort((a, b) => compare(a.id, b.id)),
    reversed: () => usual,
  };
  return by[order]();
}

/** A slate as it was answered and the ratings of it that count. */
interface Counted {
  whole: ScoredSlate;
  ratings: ScoredRating[];
}

/** A rater, a dimension and the stimuli shown: equal for repeated answers. */
function taskOf({ ratings }: ScoredSlate, dimension: string): string {
  const own = ratings.filter((rating) => rating.dimension === dimension);
  const shown = own.map(({ stimulus, stimulus_id: id }) => JSON.stringify([stimulus, id])).sort();
  return JSON.stringify([own[0]?.rater_id, dimension, shown]);
}

/** Keeps only the first or last counted ratings of slates that ask a rater the same question in a dimension. */
function withoutRepeats(slates: readonly Counted[], which: "first" | "last"): Counted[] {
  const kept = new Map<string, ScoredSlate>();
  for (const { whole, ratings } of slates) {
    for (const dimension of new Set(ratings.filter((r) => r.score !== null).map((r) => r.dimension))) {
      const task = taskOf(whole, dimension);
      if (which === "last" || !kept.has(task)) kept.set(task, whole);
    }
  }
  return slates.map(({ whole, ratings }) => ({
    whole,
    ratings: ratings.filter(({ dimension }) => kept.get(taskOf(whole, dimension)) === whole),
  }));
}
