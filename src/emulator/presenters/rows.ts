import type { ApiVersion } from "../../contract/index.js";
import { presentEach, type ListRows } from "../http/outgoing.js";
import { syntheticRaters, syntheticRatings, syntheticSessions, syntheticSlates } from "../sample/synthetic.js";
import type { Rater, Rating, Session, Slate } from "../state/records.js";
import type { Study } from "../state/state.js";

// Rater identifiers are text in 0.8.3 and integers in 0.7.5.
const older = (version: ApiVersion): boolean => version === "0.7.5";
const olderRater = (rater: Rater) => ({ ...rater, id: Number(rater.id) });
const olderSession = (session: Session) => ({ ...session, rater: olderRater(session.rater) });
const olderSlate = (slate: Slate) => ({ ...slate, rater_id: Number(slate.rater_id) });
const unchanged = <T>(row: T): T => row;

/** A study's ratings. `training` includes training ratings. */
export function presentRatings({ synthetic, ratings, slates }: Study, training: boolean): ListRows {
  if (synthetic !== null) return { texts: syntheticRatings(synthetic.ratings) };
  const isIncluded = (rating: Rating): boolean => training || !rating.is_training;
  return presentEach(ratings ?? ratingsOf(slates), unchanged, isIncluded);
}

function* ratingsOf(slates: readonly Slate[]): Generator<Rating> {
  for (const slate of slates) yield* slate.ratings;
}

export function presentSlates({ synthetic, slates }: Study, training: boolean, version: ApiVersion): ListRows {
  if (synthetic !== null) return { texts: syntheticSlates(synthetic.ratings, older(version)) };
  return presentEach(slates, older(version) ? olderSlate : unchanged, (slate) => training || !slate.is_training);
}

/** Without training, sessions that consist of training slates alone are left out. */
export function presentSessions(
  { synthetic, sessions, slates }: Study,
  training: boolean,
  version: ApiVersion,
): ListRows {
  if (synthetic !== null) return { texts: syntheticSessions(synthetic.ratings, older(version)) };
  const hidden = new Set<string>();
  if (!training) {
    for (const slate of slates) if (slate.is_training) hidden.add(slate.session_id);
    for (const slate of slates) if (!slate.is_training) hidden.delete(slate.session_id);
  }
  return presentEach(sessions.values(), older(version) ? olderSession : unchanged, ({ id }) => !hidden.has(id));
}

export function presentRaters({ synthetic, raters }: Study, version: ApiVersion): ListRows {
  if (synthetic !== null) return { texts: syntheticRaters(synthetic.ratings, older(version)) };
  return presentEach(raters.values(), older(version) ? olderRater : unchanged);
}
