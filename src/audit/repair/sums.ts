import { metricKind } from "../../metrics/index.js";
import { seededRandom } from "../../platform/index.js";
import { withoutBaseline } from "../compare.js";
import { allowance } from "../settings.js";
import {
  outcomeAfter,
  timesAfter,
  type EventChange,
  type Events,
  type UnitEvents,
} from "./events.js";
import type { Alteration, Mismatch } from "./repair.js";

/** Sums of counts are whole or half numbers, and exact: only the order of additions shows. */
const countSlack = 1e-9;

/**
 * The published numbers that are sums or averages over ratings, as equations that a change has to
 * make hold.
 */
export interface SumEquations {
  /** Whether all hold after a change. */
  readonly holdAfter: (change: EventChange) => boolean;
  /**
   * The effects of units on all equations, as one number each. Null if they leave one open that
   * does not hold.
   */
  readonly projected: (units: UnitEvents, alteration: Alteration) => Projection | null;
}

/**
 * The effects of units in a direction in which they differ by far more than the published numbers
 * leave open.
 */
export interface Projection {
  readonly effect: Float64Array;
  /** What the effects of the changed units must sum to, give or take `within`. */
  readonly wanted: number;
  readonly within: number;
}

interface Equation {
  readonly of: (x: number) => number;
  readonly number: number;
}

/**
 * A count says that its ratings sum to it; an average v of n ratings that Σ (x - v) is 0. Null if a
 * published item has no ratings.
 */
export function sumEquations(
  { target, evaluator, scenario }: Mismatch,
  events: Events,
): SumEquations | null {
  const { kind, cells, halfWidth, group, tolerances } = target;
  const { items, a, b, outcome, counted, weight } = events;
  const weightOf = (event: number): number => (weight === undefined ? 1 : weight[event]!);
  const sums = metricKind(kind).sums?.(scenario.conventions, evaluator.sample(scenario)) ?? {};
  const index = new Map(items.map((item, i) => [item, i]));
  const equations: Equation[][] = items.map(() => []);
  const residual: number[] = [];
  const slack: number[] = [];
  const eventsOfItem = countedByItem(events);
  const sumOf = (item: number, of: (x: number) => number): number =>
    eventsOfItem[item]!.reduce(
      (sum, i) => sum + weightOf(i) * of(a[i] === item ? outcome[i]! : -outcome[i]!),
      0,
    );
  const state = (item: number, of: (x: number) => number, total: number, within: number): void => {
    equations[item]!.push({ of, number: residual.length });
    residual.push(total - sumOf(item, of));
    slack.push(within);
  };

  for (const [c, { item, field, published }] of cells.entries()) {
    const i = index.get(item);
    if (i === undefined) return null;
    const sum = sums[field];
    if (sum === undefined) continue;
    const { of, per, less = 0 } = sum;
    const value = published.value;
    const allowed = allowance(tolerances, kind, field, value);
    if (per === undefined) {
      // Halves may have been rounded to whole numbers.
      const isWhole = weight === undefined && Number.isInteger(of(0));
      const rounding = isWhole ? 0 : (group.precision[field]?.halfWidth ?? 0);
      state(i, of, value, countSlack + allowed + rounding);
    } else {
      // Twice the width: the change will change n too.
      const within = 2 * (halfWidth[c]! + allowed) * sumOf(i, per);
      state(i, (x) => of(x) - value * per(x), -value * less, within);
    }
  }
  const published = new Set(cells.map((cell) => cell.item));
  const absent = items.filter((item, i) => !published.has(item) && eventsOfItem[i]!.length > 0);
  const leftOut = withoutBaseline(kind, absent, items, (_, i) => eventsOfItem[i]!.length);
  if (!group.isPartial) for (const item of leftOut) state(index.get(item)!, () => 1, 0, countSlack);
  const isOpen = (r: number, e: number): boolean => !(Math.abs(r) <= slack[e]!);
  return { holdAfter, projected };

  function holdAfter({ events: changed, alteration }: EventChange): boolean {
    const left = residual.slice();
    for (const event of changed) eachEffect(event, alteration, (e, amount) => (left[e]! -= amount));
    return !left.some(isOpen);
  }

  function projected(
    { numbers, start, order }: UnitEvents,
    alteration: Alteration,
  ): Projection | null {
    const squares = new Float64Array(residual.length);
    for (const event of order)
      eachEffect(event, alteration, (e, amount) => (squares[e]! += amount ** 2));
    if (residual.some((r, e) => squares[e] === 0 && isOpen(r, e))) return null;
    const random = seededRandom(1);
    const direction = squares.map(
      (s, e) => ((0.5 + random()) * Math.sqrt(s)) / Math.max(slack[e]!, 1e-12) ** 2,
    );
    const effect = new Float64Array(numbers.length);
    for (let u = 0; u < effect.length; u++)
      for (let i = start[u]!; i < start[u + 1]!; i++)
        eachEffect(order[i]!, alteration, (e, amount) => (effect[u]! += amount * direction[e]!));
    const wanted = direction.reduce((sum, d, e) => sum + d * residual[e]!, 0);
    const within =
      direction.reduce((sum, d, e) => sum + d * slack[e]!, 0) + 1e-9 * Math.abs(wanted);
    return { effect, wanted, within };
  }

  /** What an altered event adds to each of its equations. */
  function eachEffect(
    event: number,
    alteration: Alteration,
    add: (equation: number, amount: number) => void,
  ): void {
    const x = outcome[event]!;
    const after = outcomeAfter(alteration, x);
    const before = counted[event]!;
    const times = weightOf(event) * before;
    const timesThen = weightOf(event) * timesAfter(alteration, before);
    for (const { of, number } of equations[a[event]!]!)
      add(number, timesThen * of(after) - times * of(x));
    if (b === null) return;
    for (const { of, number } of equations[b[event]!]!)
      add(number, timesThen * of(-after) - times * of(-x));
  }
}

/** The counted events of each item. */
function countedByItem({ items, a, b, counted }: Events): readonly (readonly number[])[] {
  const eventsOfItem: number[][] = items.map(() => []);
  counted.forEach((isCounted, i) => {
    if (isCounted === 0) return;
    eventsOfItem[a[i]!]!.push(i);
    if (b !== null) eventsOfItem[b[i]!]!.push(i);
  });
  return eventsOfItem;
}
