import type { Order } from "../../metrics/index.js";
import { cached } from "../../platform/index.js";
import { jobMask, type ItemKey, type RatingColumns } from "./rating-columns.js";

/** Which ratings count, for which items, and in which order. */
export interface Population {
  readonly training: "exclude" | "include" | "only";
  readonly incomplete: "exclude" | "include";
  readonly incorrect: "include" | "exclude_ratings" | "exclude_slates" | "exclude_sessions" | "exclude_raters";
  /** Whether ratings count that the run's convention for screening leaves out. */
  readonly screen: "exclude" | "include";
  /** One job, or several separated by commas; null for all. */
  readonly job: string | null;
  /** A job to leave out, or null. */
  readonly without_job: string | null;
  /** Null: all dimensions together. */
  readonly dimension: string | null;
  /** How an item is named after its stimulus; `own` is the run's convention. */
  readonly item: ItemKey;
  readonly order: Order;
  /** Number of sessions to count, from the start of the service order; null for all. */
  readonly first_sessions: number | null;
  /** Count every second slate only: half of the ratings where there is only one session. */
  readonly every_second?: true;
  /** Which of a rater's repeated answers to the same stimuli count. */
  readonly repeats: "all" | "first" | "last";
  /** Comparisons: of slates with two scores, or each pair of a slate. */
  readonly pairs: "two" | "all";
}

/** A search asks for the key of one population thousands of times. */
const keys = new WeakMap<Population, string>();

export function populationKey(p: Population): string {
  const known = keys.get(p);
  if (known !== undefined) return known;
  const key = JSON.stringify([
    p.training,
    p.incomplete,
    p.incorrect,
    p.screen,
    p.job,
    p.without_job,
    p.dimension,
    p.item,
    p.order,
    p.first_sessions,
    p.every_second,
    p.repeats,
    p.pairs,
  ]);
  keys.set(p, key);
  return key;
}

/** The same ratings in the order of the service. */
export const inServiceOrder = (population: Population): Population =>
  population.order === "service" ? population : { ...population, order: "service" };

/** The ratings that a population counts in each slate group. */
interface CountedSlateGroups {
  /** 2: exactly two of its ratings count, or more if each pair is a comparison; 1: some other number; 0: none. */
  readonly state: Uint8Array;
  /** The counted ratings of irregular groups with state 2; in others they are `left` and `right`. */
  readonly irregular: ReadonlyMap<number, readonly number[]>;
}

export function countedSlateGroups(ratings: RatingColumns, p: Population): CountedSlateGroups {
  const groups = slateGroupsOf(ratings);
  const { pair, pairs, starts } = groups;
  const counted = countedRatingClasses(ratings, p);
  const counts = (ratingClass: number): number => (ratingClass === -1 ? 0 : counted[ratingClass]!);
  const stateOf = Uint8Array.from(pairs, ([left, right]) => counts(left) + counts(right));
  const end = p.first_sessions === null ? pair.length : firstOfSession(ratings, groups, p.first_sessions);
  const state = new Uint8Array(pair.length);
  const step = p.every_second === true ? 2 : 1;
  for (let group = 0; group < end; group += step) state[group] = stateOf[pair[group]!]!;
  const irregular = new Map<number, readonly number[]>();
  const most = p.pairs === "all" ? Infinity : 2;
  const { of: classOf } = ratingClassesOf(ratings);
  for (const group of groups.irregular) {
    if (group >= end) break;
    if (group % step !== 0) continue;
    const chosen: number[] = [];
    for (let i = starts[group]!; i < starts[group + 1]!; i++) if (counts(classOf[i]!) === 1) chosen.push(i);
    const isCompared = chosen.length >= 2 && chosen.length <= most;
    if (isCompared) irregular.set(group, chosen);
    state[group] = isCompared ? 2 : Math.min(1, chosen.length);
  }
  if (p.repeats !== "all") keepOneOfRepeats(ratings, state, p.repeats);
  return { state, irregular };
}

/** The first slate group of a session or a later one: groups are in the order of their sessions. */
function firstOfSession({ session }: RatingColumns, { starts }: SlateGroups, rank: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (session[starts[middle]!]! < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 1 for each rating that counts, regardless of its order and item. */
export function selectRatings(ratings: RatingColumns, p: Population): Uint8Array {
  const { of: classOf } = ratingClassesOf(ratings);
  const counted = countedRatingClasses(ratings, p);
  const { starts } = slateGroupsOf(ratings);
  const { state } = countedSlateGroups(ratings, p);
  const chosen = new Uint8Array(classOf.length);
  for (let group = 0; group < state.length; group++) {
    if (state[group] === 0) continue;
    for (let i = starts[group]!; i < starts[group + 1]!; i++) chosen[i] = counted[classOf[i]!]!;
  }
  return chosen;
}

/** Ratings of one class are alike in all that determines whether they count, except their session's rank and repeats. */
interface RatingClasses {
  /** The class of each rating; there are few classes. */
  readonly of: Int32Array;
  /** A rating of each class. */
  readonly example: readonly number[];
  readonly bad: BadGroups;
}

const ratingClassesOf = cached((ratings: RatingColumns): RatingClasses => {
  const { score, training, completed, screened, correct, job, dimension, session, rater, dimensions } = ratings;
  const bad = badGroups(ratings);
  const numbers = new Map<number, number>();
  const example: number[] = [];
  const of = new Int32Array(score.length);
  let lastCode = -1;
  let lastNumber = -1;
  for (let i = 0; i < of.length; i++) {
    let code = job[i]! * dimensions.length + dimension[i]!;
    code = 2 * code + (Number.isNaN(score[i]) ? 0 : 1);
    code = 2 * code + training[i]!;
    code = 2 * code + completed[i]!;
    code = 2 * code + screened[i]!;
    code = 2 * code + (correct[i] === 0 ? 1 : 0);
    code = 2 * code + inBadSlate(ratings, bad, i);
    code = 2 * code + bad.session[session[i]!]!;
    code = 2 * code + bad.rater[rater[i]!]!;
    if (code !== lastCode) {
      lastNumber = numbers.get(code) ?? example.push(i) - 1;
      numbers.set(code, lastNumber);
      lastCode = code;
    }
    of[i] = lastNumber;
  }
  return { of, example, bad };
});

/** 1 for slates, sessions and raters with an incorrect rating; a session's ratings without a slate are one group. */
type BadGroups = Readonly<Record<"slate" | "slateless" | "session" | "rater", Uint8Array>>;

const inBadSlate = ({ slate, session }: RatingColumns, bad: BadGroups, i: number): number =>
  slate[i] === -1 ? bad.slateless[session[i]!]! : bad.slate[slate[i]!]!;

function badGroups(ratings: RatingColumns): BadGroups {
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
    if (slate[i] === -1) bad.slateless[session[i]!] = 1;
    else bad.slate[slate[i]!] = 1;
    bad.session[session[i]!] = 1;
    bad.rater[rater[i]!] = 1;
  }
  return bad;
}

/** 1 for each class whose ratings count, apart from `repeats` and `first_sessions`. */
function countedRatingClasses(ratings: RatingColumns, p: Population): Uint8Array {
  const { example, bad } = ratingClassesOf(ratings);
  const wanted = p.job === null ? null : jobMask(ratings, p.job);
  const unwantedJob = p.without_job === null ? null : ratings.jobs.indexOf(p.without_job);
  const dimension = p.dimension === null ? null : ratings.dimensions.indexOf(p.dimension);
  const isExcluded: Record<Population["incorrect"], (i: number) => boolean> = {
    include: () => false,
    exclude_ratings: (i) => ratings.correct[i] === 0,
    exclude_slates: (i) => inBadSlate(ratings, bad, i) === 1,
    exclude_sessions: (i) => bad.session[ratings.session[i]!] === 1,
    exclude_raters: (i) => bad.rater[ratings.rater[i]!] === 1,
  };
  return Uint8Array.from(example, (i) => {
    if (Number.isNaN(ratings.score[i])) return 0;
    if (p.training !== "include" && (ratings.training[i] === 1) !== (p.training === "only")) return 0;
    if (p.incomplete === "exclude" && ratings.completed[i] === 0) return 0;
    if (p.screen === "exclude" && ratings.screened[i] === 1) return 0;
    if (wanted !== null && wanted[ratings.job[i]!] !== 1) return 0;
    if (unwantedJob !== null && ratings.job[i] === unwantedJob) return 0;
    if (dimension !== null && ratings.dimension[i] !== dimension) return 0;
    return isExcluded[p.incorrect](i) ? 0 : 1;
  });
}

/** The ratings of one slate and dimension, which are adjacent. A rating without a slate is a separate group. */
interface SlateGroups {
  /** Index of each group's first rating, followed by the number of ratings. */
  readonly starts: Int32Array;
  /** The first and second scored rating of each group; -1 if it has fewer. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Groups of more than two scored ratings: whether they are comparisons depends on which of the ratings count. */
  readonly irregular: Int32Array;
  /** For each group, the number of its pair of rating classes, those of `left` and `right`. */
  readonly pair: Int32Array;
  /** The two rating classes of each such number; -1 if there is no rating. */
  readonly pairs: readonly (readonly [left: number, right: number])[];
}

export const slateGroupsOf = cached((ratings: RatingColumns): SlateGroups => {
  const { score } = ratings;
  const { of: classOf, example } = ratingClassesOf(ratings);
  const starts = startsOf(ratings);
  const count = starts.length - 1;
  const left = new Int32Array(count).fill(-1);
  const right = new Int32Array(count).fill(-1);
  const pair = new Int32Array(count);
  const irregular: number[] = [];
  const numbers = new Map<number, number>();
  const base = example.length + 1;
  const codeOf = (rating: number): number => (rating === -1 ? 0 : classOf[rating]! + 1);
  for (let group = 0; group < count; group++) {
    let scored = 0;
    for (let i = starts[group]!; i < starts[group + 1]!; i++) {
      if (Number.isNaN(score[i])) continue;
      if (scored === 0) left[group] = i;
      else if (scored === 1) right[group] = i;
      scored++;
    }
    if (scored > 2) irregular.push(group);
    const key = codeOf(left[group]!) * base + codeOf(right[group]!);
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    pair[group] = number;
  }
  const pairs = [...numbers.keys()].map((key) => [Math.floor(key / base) - 1, (key % base) - 1] as const);
  return { starts, left, right, irregular: Int32Array.from(irregular), pair, pairs };
});

function startsOf({ slate, dimension }: RatingColumns): Int32Array {
  const starts = new Int32Array(slate.length + 1);
  let count = 0;
  for (let i = 0; i < slate.length; i++) {
    const isSame = i > 0 && slate[i] === slate[i - 1] && slate[i] !== -1 && dimension[i] === dimension[i - 1];
    if (!isSame) starts[count++] = i;
  }
  starts[count] = slate.length;
  return starts.slice(0, count + 1);
}

/** Slate groups that ask a rater about the same stimuli in the same dimension are repeats of each other. */
interface Repeats {
  /** The set of repeats of each slate group. */
  readonly set: Int32Array;
  readonly sets: number;
}

/** Number of possible questions up to which a table is faster than a map. */
const maxTable = 2 ** 24;

const repeatsOf = cached((ratings: RatingColumns): Repeats => {
  const { dimension, rater, raters, stimulus, stimuli, dimensions } = ratings;
  const { starts } = slateGroupsOf(ratings);
  const set = new Int32Array(starts.length - 1);
  const named = new Map<number | string, number>();
  const keys = raters.length * dimensions.length * stimuli.length ** 2;
  const table = keys <= maxTable ? new Int32Array(keys) : null;
  let sets = 0;
  for (let group = 0; group < set.length; group++) {
    const from = starts[group]!;
    const to = starts[group + 1]!;
    const asked = rater[from]! * dimensions.length + dimension[from]!;
    const a = stimulus[from]!;
    const b = stimulus[to - 1]!;
    const key = (asked * stimuli.length + Math.min(a, b)) * stimuli.length + Math.max(a, b);
    if (to - from === 2 && table !== null) {
      if (table[key] === 0) table[key] = ++sets;
      set[group] = table[key]! - 1;
      continue;
    }
    const isPair = to - from === 2 && Number.isSafeInteger(key);
    const name = isPair ? key : `${asked}/${stimulus.slice(from, to).sort().join(",")}`;
    const number = named.get(name) ?? sets++;
    named.set(name, number);
    set[group] = number;
  }
  return { set, sets };
});

/** Keeps the first or last counted slate group (`state` not 0) of each set of repeats and sets the others to 0. */
function keepOneOfRepeats(ratings: RatingColumns, state: Uint8Array, which: "first" | "last"): void {
  const { set, sets } = repeatsOf(ratings);
  const taken = new Uint8Array(sets);
  const step = which === "first" ? 1 : -1;
  for (let n = 0, group = which === "first" ? 0 : state.length - 1; n < state.length; n++, group += step) {
    if (state[group] === 0) continue;
    const own = set[group]!;
    if (taken[own] === 1) state[group] = 0;
    else taken[own] = 1;
  }
}
