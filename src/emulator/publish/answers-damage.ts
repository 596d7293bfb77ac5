import type { ScoredRating, ScoredSlate, Study } from "../scoring/study.js";
import type { Corruption } from "./corruption.js";

type Slates = readonly ScoredSlate[];

const distinct = (slates: Slates, key: (slate: ScoredSlate) => string): string[] =>
  [...new Set(slates.map(key))].sort();
const sessionOf = (slate: ScoredSlate): string => slate.session_id;
const raterOf = (slate: ScoredSlate): string => String(slate.ratings[0]?.rater_id);

const changed = (
  slates: Slates,
  which: (slate: ScoredSlate, index: number) => boolean,
  to: (r: ScoredRating) => ScoredRating,
): Slates => slates.map((slate, index) => (which(slate, index) ? { ...slate, ratings: slate.ratings.map(to) } : slate));

const flipped = (rating: ScoredRating): ScoredRating => ({
  ...rating,
  score: rating.score === null ? null : -rating.score || 0,
});

/** The slates after damage done before scoring; `index` counts slates, sessions or raters by identifier, from 0, wrapping. */
export function damagedSlates(slates: Slates, study: Study, corruption: Corruption): Slates {
  const position = "index" in corruption ? corruption.index : 0;
  const chosen = (keys: string[]): string | undefined => keys[position % Math.max(1, keys.length)];
  const session = chosen(distinct(slates, sessionOf));
  const at = position % Math.max(1, slates.length);
  switch (corruption.damage) {
    case "drop_session":
      return slates.filter((slate) => slate.session_id !== session);
    case "double_session":
      return slates.flatMap((slate) => (slate.session_id === session ? [slate, slate] : [slate]));
    case "flip_session":
      return changed(slates, (slate) => slate.session_id === session, flipped);
    case "drop_slate":
      return slates.filter((_, index) => index !== at);
    case "double_slate":
      return slates.flatMap((slate, index) => (index === at ? [slate, slate] : [slate]));
    case "flip_slate":
      return changed(slates, (_, index) => index === at, flipped);
    case "tie_slate":
      return changed(
        slates,
        (_, index) => index === at,
        (rating) => ({ ...rating, score: 0 }),
      );
    case "relabel_slate":
      return changed(slates, (_, index) => index === at, renamed(corruption));
    case "merge_items":
      return changed(slates, () => true, renamed(corruption));
    case "round_scores":
      return changed(
        slates,
        () => true,
        (rating) => ({
          ...rating,
          score: rating.score === null ? null : Math.round(rating.score / corruption.step) * corruption.step,
        }),
      );
    case "shift_scores":
      return changed(
        slates,
        (slate) => slate.job_id === corruption.job,
        (rating) => ({
          ...rating,
          score: rating.score === null ? null : rating.score + corruption.by,
        }),
      );
    case "stale":
      return withoutLastSessions(slates, study, corruption.sessions);
    case "drop_rater": {
      const rater = chosen(distinct(slates, raterOf));
      return slates.filter((slate) => raterOf(slate) !== rater);
    }
    default:
      return slates;
  }
}

const renamed =
  ({ from, to }: { from: string; to: string }) =>
  (rating: ScoredRating): ScoredRating =>
    rating.stimulus === from ? { ...rating, stimulus: to } : rating;

function withoutLastSessions(slates: Slates, study: Study, count: number): Slates {
  const here = new Set(slates.map(sessionOf));
  const late = study.sessions
    .filter(({ id }) => here.has(id))
    .map(({ id, date_completed: completed }) => ({
      id,
      at: completed === null ? Infinity : new Date(completed).getTime(),
    }))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, count);
  const gone = new Set(late.map(({ id }) => id));
  return slates.filter((slate) => !gone.has(slate.session_id));
}
