import type { ApiVersion } from "../../contract/index.js";
import type { Rater, Session, Slate, Rating } from "../state/records.js";
import type { Rows } from "../http/outgoing.js";
import type { Study } from "../state/state.js";
import { syntheticRaters, syntheticRatings, syntheticSessions, syntheticSlates } from "../sample/synthetic.js";

/** Rater identifiers are text in 0.8.3 and integers before. */
export const raterShape = (rater: Rater, version: ApiVersion): unknown =>
  version === "0.8.3" ? rater : { ...rater, id: Number(rater.id) };

export const sessionShape = (session: Session, version: ApiVersion): unknown =>
  version === "0.8.3" ? session : { ...session, rater: raterShape(session.rater, version) };

export const slateShape = (slate: Slate, version: ApiVersion): unknown =>
  version === "0.8.3" ? slate : { ...slate, rater_id: Number(slate.rater_id) };

function* shaped<T>(rows: Iterable<T>, keep: (row: T) => boolean, shape: (row: T) => unknown): Generator {
  for (const row of rows) if (keep(row)) yield shape(row);
}

function* ratingsOf(slates: readonly Slate[]): Generator<Rating> {
  for (const slate of slates) yield* slate.ratings;
}

const all = (): boolean => true;
const same = <T>(row: T): T => row;

/** The rows of a study's ratings of an experiment. */
export function ratingRows(study: Study, training: boolean): Rows {
  if (study.synthetic !== null) return { texts: syntheticRatings(study.synthetic.ratings) };
  return {
    values: shaped(study.ratings ?? ratingsOf(study.slates), (rating) => training || !rating.is_training, same),
  };
}

export function slateRows(study: Study, training: boolean, version: ApiVersion): Rows {
  if (study.synthetic !== null) return { texts: syntheticSlates(study.synthetic.ratings, version === "0.7.5") };
  return {
    values: shaped(
      study.slates,
      (slate) => training || !slate.is_training,
      (slate) => slateShape(slate, version),
    ),
  };
}

/** Without training, sessions that hold training slates and nothing else are left out. */
export function sessionRows(study: Study, training: boolean, version: ApiVersion): Rows {
  if (study.synthetic !== null) return { texts: syntheticSessions(study.synthetic.ratings, version === "0.7.5") };
  const hidden = training ? new Set<string>() : trainingSessions(study.slates);
  return {
    values: shaped(
      study.sessions.values(),
      ({ id }) => !hidden.has(id),
      (session) => sessionShape(session, version),
    ),
  };
}

export function raterRows(study: Study, version: ApiVersion): Rows {
  if (study.synthetic !== null) return { texts: syntheticRaters(study.synthetic.ratings, version === "0.7.5") };
  return { values: shaped(study.raters.values(), all, (rater) => raterShape(rater, version)) };
}

function trainingSessions(slates: readonly Slate[]): Set<string> {
  const sessions = new Set(slates.filter((slate) => slate.is_training).map((slate) => slate.session_id));
  for (const slate of slates) if (!slate.is_training) sessions.delete(slate.session_id);
  return sessions;
}
