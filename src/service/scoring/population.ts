import type { Convention } from "./convention.js";
import type { ScoredRating, ScoredSession, ScoredSlate, Study } from "./study.js";

/** The slates that count, in the order asked for, each with only the ratings that count. */
export function population(study: Study, convention: Convention): ScoredSlate[] {
  const sessions = new Map<string, ScoredSession>();
  for (const session of study.sessions) sessions.set(session.id, session);
  const wrong = incorrectKeys(study, convention);
  const kept: ScoredSlate[] = [];
  for (const slate of study.slates) {
    const session = sessions.get(slate.session_id);
    if (session === undefined) continue;
    if (convention.incomplete === "exclude" && session.date_completed === null) continue;
    if (convention.job !== null && slate.job_id !== convention.job) continue;
    if (wrong.has(keyOf(slate, convention))) continue;
    const ratings = slate.ratings.filter((rating) => counts(rating, convention, wrong));
    if (ratings.length > 0) kept.push({ ...slate, ratings });
  }
  return kept.sort(byOrder(sessions, convention.order));
}

function counts(rating: ScoredRating, convention: Convention, wrong: Set<string>): boolean {
  if (convention.training === "exclude" && rating.is_training) return false;
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

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
const instant = (text: string): number => new Date(text).getTime();

function byOrder(sessions: Map<string, ScoredSession>, order: Convention["order"]) {
  if (order === "identifier") return (a: ScoredSlate, b: ScoredSlate) => compare(a.id, b.id);
  const field = order === "created" ? "date_created" : "date_completed";
  const at = new Map<string, number>();
  for (const session of sessions.values()) {
    const text = session[field];
    at.set(session.id, text === null ? Infinity : instant(text));
  }
  const sign = order === "reverse" ? -1 : 1;
  return (a: ScoredSlate, b: ScoredSlate) =>
    sign *
    (compare(at.get(a.session_id) ?? Infinity, at.get(b.session_id) ?? Infinity) ||
      compare(a.session_id, b.session_id) ||
      compare(instant(a.date_updated), instant(b.date_updated)) ||
      compare(a.id, b.id));
}
