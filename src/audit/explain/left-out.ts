/** What numbers may leave out: one rater, one session, or the last sessions. */
import { kinds } from "../../metrics/index.js";
import { seededRandom, sumOf } from "../../platform/index.js";
import type { UnderScenario } from "./weigh.js";
import { selectRatings } from "../recompute/population.js";
import { itemsOf } from "../recompute/ratings.js";
import { rowByItem } from "../result.js";
import {
  counts,
  leftOut,
  type Hypothesis,
  type HypothesisFamily,
} from "../recompute/hypotheses.js";

const leftOutAxis = { axis: "left_out", kinds };

export const leftOutFamilies: readonly Omit<HypothesisFamily, "expand">[] = [
  { ...leftOutAxis, name: "without_rater=…", says: "one rater is left out" },
  { ...leftOutAxis, name: "without_session=…", says: "one session is left out" },
  { ...leftOutAxis, name: "first_sessions=…", says: "the last sessions are not counted yet" },
];

type Unfitted = Pick<UnderScenario, "of" | "evaluator" | "scenario">;

/** Last sessions, raters and sessions; with n published, those it lacks. */
export function leftOutOf(shown: Unfitted): Hypothesis[] {
  const { raters, sessions, rater, session, completed } = shown.evaluator.ratings;
  const { each, lack } = lackOf(shown);
  const isPossible = (sum: number): boolean => lack === null || Math.abs(sum - lack) < 1e-6;
  const found: ReturnType<typeof leftOut>[] = [];
  const { size } = new Set(session.filter((_, i) => completed[i] === 1));
  const ofSession = sumsBy(session, sessions.length);
  for (let first = sessions.length - 1, later = 0; first > 0; first--) {
    later += ofSession[first]!;
    if (first > size - 2 || !isPossible(later)) continue;
    const says = `the last ${size - first} sessions are not counted yet`;
    const set = { first_sessions: first };
    found.push(counts(`first_sessions=${first}`, 5 + Math.log2(size), says, set));
  }
  addEach("rater", raters, sumsBy(rater, raters.length));
  const ids = sessions.map(({ id }) => id);
  if (ids.length > raters.length) addEach("session", ids, ofSession);
  return lack === 0 ? [] : found.map((one) => ({ ...one, ...leftOutAxis }));

  function addEach(unit: "rater" | "session", names: readonly string[], sums: Float64Array): void {
    names.forEach((name, i) => {
      if (name !== "" && isPossible(sums[i]!)) found.push(leftOut(unit, name, names.length));
    });
  }

  function sumsBy(unit: Int32Array, units: number): Float64Array {
    const sums = new Float64Array(units);
    each.forEach((one, i) => (sums[unit[i]!]! += one));
    return sums;
  }
}

/** A random number per rating, its item's, and their sum over what published n lack; or null. */
function lackOf({ of: { kind, cells }, evaluator, scenario }: Unfitted) {
  const { ratings } = evaluator;
  const { items, columns } = evaluator.table(kind, scenario, false);
  const { names, ofStimulus } = itemsOf(ratings, scenario.population.item);
  const random = seededRandom(1);
  const shown = cells
    .filter(({ field, item }) => field === "n" && rowByItem(names).has(item))
    .map(({ item, published }) => ({ item, of: 0.5 + random(), n: published.value }));
  const numbers = new Map(shown.map(({ item, of }) => [item, of]));
  const each = Float64Array.from(
    selectRatings(ratings, scenario.population),
    (own, i) => own * (numbers.get(names[ofStimulus[ratings.stimulus[i]!]!]!) ?? 0),
  );
  const counted = sumOf(
    shown.map(({ item, of }) => of * (columns.n?.[rowByItem(items).get(item) ?? -1] ?? 0)),
  );
  const isNumber = Math.abs(counted - each.reduce((sum, one) => sum + one, 0)) < 1e-6;
  const lack = counted - sumOf(shown.map(({ of, n }) => of * n));
  return { each, lack: isNumber && shown.length > 0 ? lack : null };
}
