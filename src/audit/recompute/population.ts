/** What counts, in memory: int_judged, int_population, and rules that only the audit tries. */
import type { Order } from "../../metrics/index.js";
import { cached, cachedBy } from "../../platform/index.js";
import { itemsOf, jobMask, type RatingColumns } from "./ratings.js";
import type { ItemKey } from "../read/item-names.js";

export interface Population {
  readonly training: "exclude" | "include" | "only";
  readonly incomplete: "exclude" | "include";
  readonly incorrect:
    "include" | "exclude_ratings" | "exclude_slates" | "exclude_sessions" | "exclude_raters";
  readonly screen: "exclude" | "include";
  /** One job, or several separated by commas; null: all. */
  readonly job: string | null;
  readonly left_out: UnitLeftOut | null;
  readonly dimension: string | null;
  /** `own`: the run's convention. */
  readonly item: ItemKey;
  readonly order: Order;
  /** From the start of the service order; null: all. */
  readonly first_sessions: number | null;
  readonly every_second?: true;
  /** Of a rater's answers to the same stimuli. */
  readonly repeats: "all" | "first" | "last";
  readonly pairs: "two" | "all";
  /** Slates of one item: scores only (`own`), comparisons too, or nothing. */
  readonly itself: "own" | "include" | "exclude";
  readonly weights: "stated" | "ignored";
}

interface UnitLeftOut {
  readonly unit: "rater" | "session" | "job";
  readonly name: string;
}

/** A search asks for the key of one population thousands of times. */
export const populationKey = cached((p: Population): string => JSON.stringify(Object.values(p)));

export const inServiceOrder = (population: Population): Population =>
  population.order === "service" ? population : { ...population, order: "service" };

interface CountedSlateGroups {
  /** 1 for each rating that counts, whole groups aside. */
  readonly counted: Uint8Array;
  /** 2: two ratings count (or more if each pair compares); 1: another number; 0: none. */
  readonly state: Uint8Array;
  /** Counted ratings of irregular groups in state 2; others: `left` and `right`. */
  readonly irregular: ReadonlyMap<number, readonly number[]>;
}

export function countedSlateGroups(ratings: RatingColumns, p: Population): CountedSlateGroups {
  const groups = slateGroupsOf(ratings);
  const { left, right, starts } = groups;
  const counted = countedRatings(ratings, p);
  const end =
    p.first_sessions === null ? left.length : firstOfSession(ratings, groups, p.first_sessions);
  const state = new Uint8Array(left.length);
  const step = p.every_second === true ? 2 : 1;
  for (let group = 0; group < end; group += step)
    state[group] = (counted[left[group]!] ?? 0) + (counted[right[group]!] ?? 0);
  const irregular = new Map<number, readonly number[]>();
  const most = p.pairs === "all" ? Infinity : 2;
  for (const group of groups.irregular) {
    if (group >= end) break;
    if (group % step !== 0) continue;
    const chosen: number[] = [];
    for (let i = starts[group]!; i < starts[group + 1]!; i++) if (counted[i] === 1) chosen.push(i);
    const isCompared = chosen.length >= 2 && chosen.length <= most;
    if (isCompared) irregular.set(group, chosen);
    state[group] = isCompared ? 2 : Math.min(1, chosen.length);
  }
  if (p.itself === "exclude")
    for (const group of slatesOfOneItem(ratings, p.item)) state[group] = 0;
  if (p.repeats !== "all") keepOneOfRepeats(ratings, state, p.repeats);
  return { counted, state, irregular };
}

/** Groups of exactly two scored ratings, both of one item. */
export const slatesOfOneItem = cachedBy((ratings: RatingColumns, key: ItemKey): Int32Array => {
  const { left, right, irregular } = slateGroupsOf(ratings);
  const { ofStimulus } = itemsOf(ratings, key);
  const itemOf = (rating: number): number => ofStimulus[ratings.stimulus[rating]!]!;
  const many = new Set(irregular);
  return Int32Array.from(left.keys()).filter(
    (group) =>
      right[group] !== -1 && !many.has(group) && itemOf(left[group]!) === itemOf(right[group]!),
  );
});

function firstOfSession(
  { session }: RatingColumns,
  { left, starts }: SlateGroups,
  rank: number,
): number {
  let group = 0;
  while (group < left.length && session[starts[group]!]! < rank) group++;
  return group;
}

/** 1 for each rating that counts, order and item aside. */
export function selectRatings(ratings: RatingColumns, p: Population): Uint8Array {
  const { starts } = slateGroupsOf(ratings);
  const { counted, state } = countedSlateGroups(ratings, p);
  for (let group = 0; group < state.length; group++)
    if (state[group] === 0)
      for (let i = starts[group]!; i < starts[group + 1]!; i++) counted[i] = 0;
  return counted;
}

type Exclusion = Exclude<Population["incorrect"], "include">;

/** What an incorrect rating excludes: itself, its slate, session or rater; null: none. */
const units: Record<Exclusion, (ratings: RatingColumns, i: number) => number | null> = {
  exclude_ratings: (_, i) => i,
  // A session's ratings without a slate are one group.
  exclude_slates: ({ slate, session }, i) => (slate[i] === -1 ? -1 - session[i]! : slate[i]!),
  exclude_sessions: ({ session, sessions }, i) =>
    sessions[session[i]!]!.id === "" ? null : session[i]!,
  exclude_raters: ({ rater, raters }, i) => (raters[rater[i]!] === "" ? null : rater[i]!),
};

const excludedBy = cachedBy((ratings: RatingColumns, exclusion: Exclusion): Uint8Array => {
  const { correct } = ratings;
  const unitOf = units[exclusion];
  const bad = new Set<number | null>();
  for (let i = 0; i < correct.length; i++) if (correct[i] === 0) bad.add(unitOf(ratings, i));
  bad.delete(null);
  const excluded = new Uint8Array(correct.length);
  for (let i = 0; i < correct.length; i++) if (bad.has(unitOf(ratings, i))) excluded[i] = 1;
  return excluded;
});

function unitIndex({ raters, sessions, jobs }: RatingColumns, { unit, name }: UnitLeftOut): number {
  if (unit === "session") return sessions.findIndex(({ id }) => id === name);
  return (unit === "rater" ? raters : jobs).indexOf(name);
}

function countedRatings(ratings: RatingColumns, p: Population): Uint8Array {
  const { score, training, completed, screened, job, dimension } = ratings;
  const jobs = p.job === null ? null : jobMask(ratings, p.job);
  const unit = p.left_out && ratings[p.left_out.unit];
  const leftOut = p.left_out && unitIndex(ratings, p.left_out);
  const onlyOf = p.dimension === null ? null : ratings.dimensions.indexOf(p.dimension);
  const excluded = p.incorrect === "include" ? null : excludedBy(ratings, p.incorrect);
  const counted = new Uint8Array(score.length);
  for (let i = 0; i < counted.length; i++) {
    const isLeftOut =
      Number.isNaN(score[i]) ||
      (p.training !== "include" && (training[i] === 1) !== (p.training === "only")) ||
      (p.incomplete === "exclude" && completed[i] === 0) ||
      (p.screen === "exclude" && screened[i] === 1) ||
      (jobs !== null && jobs[job[i]!] !== 1) ||
      (unit !== null && unit[i] === leftOut) ||
      (onlyOf !== null && dimension[i] !== onlyOf) ||
      (excluded !== null && excluded[i] === 1);
    counted[i] = isLeftOut ? 0 : 1;
  }
  return counted;
}

/** Adjacent ratings of one slate and dimension; without a slate, one each. */
interface SlateGroups {
  /** First rating of each group, then the number of ratings. */
  readonly starts: Int32Array;
  /** -1 if missing. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly irregular: Int32Array;
}

export const slateGroupsOf = cached((ratings: RatingColumns): SlateGroups => {
  const { score } = ratings;
  const starts = startsOf(ratings);
  const count = starts.length - 1;
  const left = new Int32Array(count).fill(-1);
  const right = new Int32Array(count).fill(-1);
  const irregular: number[] = [];
  for (let group = 0; group < count; group++) {
    let scored = 0;
    for (let i = starts[group]!; i < starts[group + 1]!; i++) {
      if (Number.isNaN(score[i])) continue;
      if (scored === 0) left[group] = i;
      else if (scored === 1) right[group] = i;
      scored++;
    }
    if (scored > 2) irregular.push(group);
  }
  return { starts, left, right, irregular: Int32Array.from(irregular) };
});

function startsOf({ slate, dimension }: RatingColumns): Int32Array {
  const starts = new Int32Array(slate.length + 1);
  let count = 0;
  for (let i = 0; i < slate.length; i++) {
    const isSame =
      i > 0 && slate[i] === slate[i - 1] && slate[i] !== -1 && dimension[i] === dimension[i - 1];
    if (!isSame) starts[count++] = i;
  }
  starts[count] = slate.length;
  return starts.slice(0, count + 1);
}

/** By slate group: the number of its question to a rater, about stimuli and dimension. */
const questionsOf = cached((ratings: RatingColumns): Int32Array => {
  const { dimension, dimensions, rater, stimulus, stimuli } = ratings;
  const { starts } = slateGroupsOf(ratings);
  const numbers = new Map<number | string, number>();
  return Int32Array.from(starts.subarray(1), (to, group) => {
    const from = starts[group]!;
    const asked = rater[from]! * dimensions.length + dimension[from]!;
    const [a, b] = [stimulus[from]!, stimulus[to - 1]!];
    const pair = (asked * stimuli.length + Math.min(a, b)) * stimuli.length + Math.max(a, b);
    // A number takes a tenth of the time of a text.
    const isPair = to - from === 2 && Number.isSafeInteger(pair);
    const question = isPair ? pair : `${asked}/${stimulus.slice(from, to).sort().join(",")}`;
    const number = numbers.get(question) ?? numbers.size;
    numbers.set(question, number);
    return number;
  });
});

/** Keeps the first or last counted group of each question; sets `state` of others to 0. */
function keepOneOfRepeats(
  ratings: RatingColumns,
  state: Uint8Array,
  which: "first" | "last",
): void {
  const questions = questionsOf(ratings);
  const groups = Int32Array.from(state.keys()).filter((group) => state[group] !== 0);
  const answered = new Set<number>();
  for (const group of which === "first" ? groups : groups.reverse()) {
    if (answered.has(questions[group]!)) state[group] = 0;
    answered.add(questions[group]!);
  }
}
