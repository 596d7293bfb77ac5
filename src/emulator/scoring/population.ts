import type { Convention } from "./convention.js";
import { inServiceOrder, ordered } from "./order.js";
import { withoutRepeats, type Counted } from "./repeats.js";
import type { ScoredRating, ScoredSession, ScoredSlate, Study } from "./study.js";

/**
 * The slates that count, in the order asked for, each with only the ratings that count. `source` is the job asked
 * for, or `""` for the whole experiment.
 */
export function population(study: Study, convention: Convention, source = ""): ScoredSlate[] {
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

/** What a single incorrect rating rules out: its slate, its session or its rater. */
function incorrectKeys(study: Study, convention: Convention): Set<string> {
  const keys = new Set<string>();
  if (convention.incorrect === "include" || convention.incorrect === "exclude_ratings") return keys;
  for (const slate of study.slates)
    for (const rating of slate.ratings)
      if (rating.is_correct === false)
        keys.add(convention.incorrect === "exclude_raters" ? String(rating.rater_id) : keyOf(slate, convention));
  return keys;
}
