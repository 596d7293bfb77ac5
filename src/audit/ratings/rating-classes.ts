import { cached } from "../../platform/index.js";
import type { Population } from "./population.js";
import { jobMask, type RatingColumns } from "./rating-columns.js";

/** The properties that determine whether a rating counts, except its session's rank and repeats. */
interface RatingClass {
  readonly isScored: boolean;
  readonly isTraining: boolean;
  readonly isCompleted: boolean;
  readonly isIncorrect: boolean;
  /** True if the slate, the session or the rater has an incorrect rating. */
  readonly isBadSlate: boolean;
  readonly isBadSession: boolean;
  readonly isBadRater: boolean;
  readonly job: number;
  readonly dimension: number;
}

/** The classes of an experiment's ratings; there are few. */
interface RatingClasses {
  /** The class of each rating. */
  readonly of: Int32Array;
  readonly distinct: readonly RatingClass[];
}

const flags = 7;

export const ratingClassesOf = cached((ratings: RatingColumns): RatingClasses => {
  const { score, training, completed, correct, job, dimension, session, slate, rater, dimensions } = ratings;
  const bad = badGroups(ratings);
  const numbers = new Map<number, number>();
  const of = new Int32Array(score.length);
  let lastCode = -1;
  let lastNumber = -1;
  for (let i = 0; i < of.length; i++) {
    const badSlate = slate[i] === -1 ? bad.slateless[session[i] as number] : bad.slate[slate[i] as number];
    let code = (job[i] as number) * dimensions.length + (dimension[i] as number);
    code = 2 * code + (Number.isNaN(score[i]) ? 0 : 1);
    code = 2 * code + (training[i] as number);
    code = 2 * code + (completed[i] as number);
    code = 2 * code + (correct[i] === 0 ? 1 : 0);
    code = 2 * code + (badSlate as number);
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
});

/** 1 for slates, sessions and raters with an incorrect rating; a session's ratings without a slate are one group. */
function badGroups(ratings: RatingColumns): Record<"slate" | "slateless" | "session" | "rater", Uint8Array> {
  const { correct, slate, session, rater } = ratings;
  const flagsFor = (column: Int32Array): Uint8Array =>
    new Uint8Array(column.reduce((most, n) => Math.max(most, n), -1) + 1);
  const bad = {
    slate: flagsFor(slate),
    slateless: flagsFor(session),
    session: flagsFor(session),
    rater: flagsFor(rater),
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
    isBadRater: flag(0),
    isBadSession: flag(1),
    isBadSlate: flag(2),
    isIncorrect: flag(3),
    isCompleted: flag(4),
    isTraining: flag(5),
    isScored: flag(6),
    job: Math.floor(group / dimensions),
    dimension: group % dimensions,
  };
}

/** 1 for each class whose ratings count, apart from `repeats` and `first_sessions`. */
export function countedRatingClasses(ratings: RatingColumns, p: Population): Uint8Array {
  const wanted = p.job === null ? null : jobMask(ratings, p.job);
  const unwantedJob = p.without_job === null ? null : ratings.jobs.indexOf(p.without_job);
  const dimension = p.dimension === null ? null : ratings.dimensions.indexOf(p.dimension);
  return Uint8Array.from(ratingClassesOf(ratings).distinct, (c) => {
    if (!c.isScored) return 0;
    if (p.training === "exclude" ? c.isTraining : p.training === "only" && !c.isTraining) return 0;
    if (p.incomplete === "exclude" && !c.isCompleted) return 0;
    if (wanted !== null && wanted[c.job] !== 1) return 0;
    if (unwantedJob !== null && c.job === unwantedJob) return 0;
    if (dimension !== null && c.dimension !== dimension) return 0;
    return excludedBy[p.incorrect](c) ? 0 : 1;
  });
}

const excludedBy: Record<Population["incorrect"], (c: RatingClass) => boolean> = {
  include: () => false,
  exclude_ratings: (c) => c.isIncorrect,
  exclude_slates: (c) => c.isBadSlate,
  exclude_sessions: (c) => c.isBadSession,
  exclude_raters: (c) => c.isBadRater,
};
