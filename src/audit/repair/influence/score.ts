import { emptyTable, metricKind, tallied, type Table } from "../../../metrics/index.js";
import { allowance } from "../../settings.js";
import { itemsOf, selectRatings } from "../../ratings/index.js";
import { fitOf } from "../../target/index.js";
import { closingPrefixes } from "./effects.js";
import { countSlack, createEquationList, type Equations } from "./equations.js";
import type { EventChange, Events, InfluenceOf, Linear } from "./influence.js";

/** What a rating of score x adds to an equation: `square` (x - centre)² + `score` x + `approved` (1 or 0) + `one`. */
interface ScoreWeights {
  readonly square: number;
  readonly centre: number;
  readonly score: number;
  readonly approved: number;
  readonly one: number;
}

const noWeight: ScoreWeights = { square: 0, centre: 0, score: 0, approved: 0, one: 0 };

/**
 * mean, percent_approved and stats: a mean v of n scores says Σ (x - v) = 0, a deviation s about it that
 * Σ ((x - v)² - s²) is 0 (n) or -s² (n - 1). Null for medians and means by rater, which are not sums.
 */
export const scoreInfluence: InfluenceOf = ({ target, evaluator: { ratings }, scenario }, wide) => {
  const { kind, cells, halfWidth } = target;
  const { conventions } = scenario;
  if (kind === "mean" && conventions.mean !== "mean") return null;
  const own = selectRatings(ratings, scenario.population);
  const chosen = wide === scenario.population ? own : selectRatings(ratings, wide);
  if (own.some((flag, i) => flag > (chosen[i] as number))) return null;
  const { names, ofStimulus } = itemsOf(ratings, scenario.population.item);
  const rating = Int32Array.from(chosen.keys()).filter((i) => chosen[i] === 1);
  const pick = (column: Int32Array): Int32Array => rating.map((i) => column[i] as number);
  const events: Events = {
    count: rating.length,
    counted: Uint8Array.from(rating, (i) => own[i] as number),
    outcome: new Int8Array(),
    session: pick(ratings.session),
    rater: pick(ratings.rater),
    slate: pick(ratings.slate),
    rating,
  };
  const item = rating.map((i) => ofStimulus[ratings.stimulus[i] as number] as number);
  const score = Float64Array.from(rating, (i) => ratings.score[i] as number);
  const lists: number[][] = names.map(() => []);
  for (let i = 0; i < events.count; i++)
    if (events.counted[i] === 1) lists[item[i] as number]?.push(score[i] as number);
  /** The counted scores of each item, ascending. */
  const sorted = lists.map((list) => Float64Array.from(list).sort());
  const approves = approval();
  const equations = equationsOfScores();
  if (equations === null) return null;
  const { gap, ofItem, most } = equations;
  const linear: Linear = {
    gap,
    touched: most,
    contribution: (event, _, sign, emit) => {
      const x = score[event] as number;
      for (const w of ofItem[item[event] as number] ?? []) emit(w.equation, sign * amountOf(w, x));
    },
  };
  return {
    events,
    linear: () => linear,
    replayed: null,
    cost: 4 * events.count,
    matches: (change) => fitOf(target, tableAfter(change)).missBits === 0,
    prefixes: (budget) => closingPrefixes(events, linear, budget),
  };

  function amountOf({ square, centre, score: by, approved, one }: ScoreWeights, x: number): number {
    return square * (x - centre) ** 2 + by * x + approved * (approves(x) ? 1 : 0) + one;
  }

  function approval(): (x: number) => boolean {
    if (conventions.approved !== "midpoint") return (x) => x > 0;
    const low = Math.min(...sorted.map((s) => s[0] ?? Infinity));
    const high = Math.max(...sorted.map((s) => s.at(-1) ?? -Infinity));
    return (x) => x >= (low + high) / 2;
  }

  function tableAfter({ events: changed, alteration }: EventChange): Table {
    const lists = new Map<number, number[]>();
    for (const event of changed) {
      const at = item[event] as number;
      const list = lists.get(at) ?? Array.from(sorted[at] as Float64Array);
      lists.set(at, list);
      if (alteration === "dropped") list.splice(list.indexOf(score[event] as number), 1);
      else list.push(score[event] as number);
    }
    const scores = sorted.map((own, i) => (lists.has(i) ? Float64Array.from(lists.get(i) ?? []).sort() : own));
    const present = [...names.keys()].filter((i) => (scores[i]?.length ?? 0) > 0);
    if (present.length === 0) return emptyTable;
    const items = present.map((i) => names[i] as string);
    const counted = present.map((i) => scores[i] as Float64Array);
    const sample = tallied({ scores: { items, scores: counted, unsorted: counted, raters: [] } });
    return metricKind(kind).evaluate(sample, conventions, true);
  }

  function equationsOfScores(): Equations<ScoreWeights> | null {
    const list = createEquationList<ScoreWeights>(names.length);
    const index = new Map(names.map((name, i) => [name, i]));
    const means = new Map(cells.flatMap((c) => (c.field === "mean" ? [[c.item, c.published.value] as const] : [])));
    const state = (i: number, weights: Partial<ScoreWeights>, published: number, slack: number, resolution: number) => {
      const w = { ...noWeight, ...weights };
      const have = (sorted[i] as Float64Array).reduce((sum, x) => sum + amountOf(w, x), 0);
      list.add(i, w, published, have, slack, resolution);
    };
    for (const [c, { item: name, field, published }] of cells.entries()) {
      const i = index.get(name);
      if (i === undefined) return null;
      const n = (sorted[i] as Float64Array).length;
      const v = published.value;
      const allowed = allowance(target.tolerances, kind, field, v);
      const half = (halfWidth[c] as number) + allowed;
      const slack = 2 * half * n;
      const centre = means.get(name);
      if (field === "n") state(i, { one: 1 }, v, countSlack + allowed, 1);
      else if (field === "approved") state(i, { approved: 1 }, v, countSlack + allowed, 1);
      else if (kind === "percent_approved" && field === "value") {
        const share = v / conventions.percent_scale;
        const within = slack / conventions.percent_scale;
        state(i, { approved: 1, one: -share }, 0, within, within);
      } else if (field === "value" || field === "mean") state(i, { score: 1, one: -v }, 0, slack, slack);
      else if (field === "std" && centre !== undefined) {
        const within = 2 * n * (2 * v * half + 2 * half * half) + 1e-9 * n;
        state(i, { square: 1, centre, one: -v * v }, conventions.stats.sd === "n" ? 0 : -v * v, within, within);
      }
    }
    const published = new Set(cells.map((cell) => cell.item));
    names.forEach((name, i) => {
      if (!published.has(name) && (sorted[i] as Float64Array).length > 0) state(i, { one: 1 }, 0, countSlack, 1);
    });
    return list.equations();
  }
};
