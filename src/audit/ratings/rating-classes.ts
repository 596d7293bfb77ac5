import { jobMask, type RatingColumns } from "./rating-columns.js";

import type { Population } from "./population.js";

/** All that decides whether a rating counts, apart from its session's rank and from repeats. */
interface RatingClass {
  readonly scored: boolean;
  readonly training: boolean;
  readonly completed: boolean;
  readonly incorrect: boolean;
  readonly badSlate: boolean;
  readonly badSession: boolean;
  readonly badRater: boolean;
  readonly job: number;
  readonly dimension: number;
}

/** Ratings alike in every respect that a population looks at share a signature; an experiment has few. */
export interface RatingClasses {
  /** By rating. */
  readonly of: Int32Array;
  readonly distinct: readonly RatingClass[];
}

/** Kept with the ratings: every population asks. */
const known = new WeakMap<RatingColumns, RatingClasses>();

export function ratingClassesOf(ratings: RatingColumns): RatingClasses {
  const ratingClasses = known.get(ratings) ?? find(ratings);
  known.set(ratings, ratingClasses);
  return ratingClasses;
}

const flags = 7;

function find(ratings: RatingColumns): RatingClasses {
  const { score, training, completed, correct, job, dimension, session, slate, rater, dimensions } = ratings;
  const bad = badGroups(ratings);
  const numbers = new Map<number, number>();
  const of = new Int32Array(score.length);
  let lastCode = -1;
  let lastNumber = -1;
  for (let i = 0; i < of.length; i++) {
    let code = (job[i] as number) * dimensions.length + (dimension[i] as number);
    code = 2 * code + (Number.isNaN(score[i]) ? 0 : 1);
    code = 2 * code + (training[i] as number);
    code = 2 * code + (completed[i] as number);
    code = 2 * code + (correct[i] === 0 ? 1 : 0);
    code =
      2 * code +
      (slate[i] === -1 ? (bad.slateless[session[i] as number] as number) : (bad.slate[slate[i] as number] as number));
    code = 2 * code + (bad.session[session[i] as number] as number);
    code = 2 * code + (bad.rater[rater[i] as number] as number);
    if (code !== lastCode) {
      lastNumber = numbers.get(code) ?? numbers.size;
      numbers.set(code, lastNumber);
      lastCode = code;
    }
    of[i] = lastNumber;
  }
  return { of, distinct: [...numbers.keys()].map((code) => decoded(code, dimensions.length)) };
}

/** 1 for slates, sessions and raters with an incorrect rating; ratings of a session that name no slate go together. */
function badGroups(ratings: RatingColumns): {
  slate: Uint8Array;
  slateless: Uint8Array;
  session: Uint8Array;
  rater: Uint8Array;
} {
  const { correct, slate, session, rater } = ratings;
  const size = (column: Int32Array): number => column.reduce((most, n) => Math.max(most, n), -1) + 1;
  const sessions = size(session);
  const bad = {
    slate: new Uint8Array(size(slate)),
    slateless: new Uint8Array(sessions),
    session: new Uint8Array(sessions),
    rater: new Uint8Array(size(rater)),
  };
  for (let i = 0; i < correct.length; i++) {
    if (correct[i] !== 0) continue;
    if (slate[i] === -1) bad.slateless[session[i] as number] = 1;
    else bad.slate[slate[i] as number] = 1;
    bad.session[session[i] as number] = 1;
    bad.rater[rater[i] as number] = 1;
  }
  return bad;
}

function decoded(code: number, dimensions: number): RatingClass {
  const flag = (n: number): boolean => Math.floor(code / 2 ** n) % 2 === 1;
  const group = Math.floor(code / 2 ** flags);
  return {
    badRater: flag(0),
    badSession: flag(1),
    badSlate: flag(2),
    incorrect: flag(3),
    completed: flag(4),
    training: flag(5),
    scored: flag(6),
    job: Math.floor(group / dimensions),
    dimension: group % dimensions,
  };
}

/** 1 for each signature whose ratings count; looks at neither repeats nor first_sessions. */
export function countedRatingClasses(ratings: RatingColumns, p: Population): Uint8Array {
  const wanted = p.job === null ? null : jobMask(ratings, p.job);
  const unwantedJob = p.without_job === null ? null : ratings.jobs.indexOf(p.without_job);
  const dimension = p.dimension === null ? null : ratings.dimensions.indexOf(p.dimension);
  return Uint8Array.from(ratingClassesOf(ratings).distinct, (s) => {
    if (!s.scored) return 0;
    if (p.training === "exclude" ? s.training : p.training === "only" && !s.training) return 0;
    if (p.incomplete === "exclude" && !s.completed) return 0;
    if (wanted !== null && wanted[s.job] !== 1) return 0;
    if (unwantedJob !== null && s.job === unwantedJob) return 0;
    if (dimension !== null && s.dimension !== dimension) return 0;
    return isBarred(s, p.incorrect) ? 0 : 1;
  });
}

function isBarred(s: RatingClass, incorrect: Population["incorrect"]): boolean {
  switch (incorrect) {
    case "include":
      return false;
    case "exclude_ratings":
      return s.incorrect;
    case "exclude_slates":
      return s.badSlate;
    case "exclude_sessions":
      return s.badSession;
    case "exclude_raters":
      return s.badRater;
  }
}
