import type { Evaluator } from "../../evaluate/evaluator.js";
import { fitOf, type Target } from "../../target/index.js";
import type { Scenario } from "../../evaluate/scenario.js";
import {
  metricKind,
  tallied,
  amongPresent,
  emptyTable,
  intervalFields,
  type PairCounts,
  type Table,
} from "../../../metrics/index.js";
import { isClosed, type Influence, type Change, type Emit, type Events, type Linear } from "./influence.js";
import { effectsOf, passWork, take } from "./effects.js";
import { equationsOf } from "./pair-equations.js";
import { countedIn } from "./pool.js";
import { unitsOf } from "./units.js";
import type { Population } from "../../ratings/index.js";

/** The comparisons that may count: those of `wide`, of which those of the scenario's own population do. */
export function pairEvents(
  evaluator: Evaluator,
  own: Population,
  wide: Population,
): { events: Events; items: readonly string[]; a: Int32Array; b: Int32Array } | null {
  const all = evaluator.comparisons(wide);
  const counted = wide === own ? new Uint8Array(all.a.length).fill(1) : countedIn(evaluator.comparisons(own), all);
  if (counted === null) return null;
  const { a, b, outcome, session, rater, slate, items } = all;
  return {
    items,
    a,
    b,
    events: { count: a.length, counted, outcome, session, rater, slate, rating: new Int32Array() },
  };
}

/** Wins of i over j at `i * items + j`, ties at the smaller first. */
class Tally {
  readonly items: number;
  readonly wins: Float64Array;
  readonly ties: Float64Array;

  constructor(items: number) {
    this.items = items;
    this.wins = new Float64Array(items * items);
    this.ties = new Float64Array(items * items);
  }

  add(a: number, b: number, outcome: number, times: number): void {
    const into = outcome === 0 ? this.ties : this.wins;
    const [i, j] = outcome < 0 || (outcome === 0 && a > b) ? [b, a] : [a, b];
    into[i * this.items + j] = (into[i * this.items + j] as number) + times;
  }

  /** Items without a comparison are left out, as everywhere. */
  named(names: readonly string[]): { items: readonly string[]; counts: PairCounts } {
    const { items, wins, ties } = this;
    const pairs: [i: number, j: number][] = [];
    for (let i = 0; i < items; i++) {
      for (let j = i + 1; j < items; j++) {
        if ((wins[i * items + j] as number) + (wins[j * items + i] as number) + (ties[i * items + j] as number) > 0)
          pairs.push([i, j]);
      }
    }
    const column = (of: (i: number, j: number) => number): Float64Array =>
      Float64Array.from(pairs, ([i, j]) => of(i, j));
    const { present, counts } = amongPresent({
      items,
      a: Int32Array.from(pairs, ([i]) => i),
      b: Int32Array.from(pairs, ([, j]) => j),
      winsA: column((i, j) => wins[i * items + j] as number),
      winsB: column((i, j) => wins[j * items + i] as number),
      ties: column((i, j) => ties[i * items + j] as number),
    });
    return { items: Array.from(present, (i) => names[i] as string), counts };
  }
}

/**
 * win_loss, percent_chosen and a converged bayesian_elo: each published number is an equation to which every
 * comparison contributes by itself, so that what is missing is found by adding up. Null where a published item is
 * not rated, or where the numbers are no sums.
 */
export function pairInfluence(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  wide: Population,
): Influence | null {
  const { kind } = target;
  const all = pairEvents(evaluator, scenario.population, wide);
  if (all === null) return null;
  const { events, items, a, b } = all;
  const tally = new Tally(items.length);
  for (let i = 0; i < events.count; i++) {
    if (events.counted[i] === 1) tally.add(a[i] as number, b[i] as number, events.outcome[i] as number, 1);
  }
  const equations = equationsOf(target, scenario, items, tally);
  if (equations === null) return null;
  const { gap, ofItem, chance } = equations;

  function side(item: number, other: number, outcome: number, sign: number, emit: Emit): void {
    for (const { equation, win, loss, tie, isGradient } of ofItem[item] ?? []) {
      const amount = outcome > 0 ? win : outcome < 0 ? loss : tie;
      const expected = isGradient ? chance(item, other) : 0;
      if (amount - expected !== 0) emit(equation, sign * (amount - expected));
    }
  }

  const linear: Linear = {
    gap,
    contribution: (event, outcome, sign, emit) => {
      side(a[event] as number, b[event] as number, outcome, sign, emit);
      side(b[event] as number, a[event] as number, -outcome, sign, emit);
    },
  };

  function apply({ events: changed, alteration }: Change, direction: number): void {
    for (const i of changed) {
      const left = a[i] as number;
      const right = b[i] as number;
      const outcome = events.outcome[i] as number;
      if (alteration === "added" || alteration === "doubled") tally.add(left, right, outcome, direction);
      else {
        tally.add(left, right, outcome, -direction);
        if (alteration !== "dropped") tally.add(left, right, alteration === "tied" ? 0 : -outcome, direction);
      }
    }
  }

  function tableOf(withEnds: boolean): Table {
    const named = tally.named(items);
    if (named.items.length === 0) return emptyTable;
    return metricKind(kind).evaluate(tallied({ pairs: named }), scenario.conventions, withEnds);
  }

  const pairs = items.length * items.length;
  return {
    events,
    isExact: true,
    linear: () => linear,
    restAfter: () => gap.rest,
    cost: 4 * pairs + (kind === "bayesian_elo" ? 10 * pairs * (1 + items.length / 6) + 2000 * items.length : 0),
    follows: (change) => {
      apply(change, 1);
      const quick = fitOf(target, tableOf(false));
      const isHopeful =
        quick.missBits === 0 ||
        (kind === "bayesian_elo" && quick.misses.every((i) => intervalFields.has(target.cells[i]?.field ?? "")));
      const answer = isHopeful && (kind !== "bayesian_elo" || fitOf(target, tableOf(true)).missBits === 0);
      apply(change, -1);
      return answer;
    },
    prefixes: (budget) => sumPrefixes(events, linear, (n) => budget.spend(n)),
  };
}

/** Ranks r such that leaving out every session from r on closes the gap, newest first. */
export function sumPrefixes(events: Events, linear: Linear, spend: (work: number) => boolean): number[] {
  const sessions = unitsOf(events, "session", true);
  if (!spend(passWork * events.count)) return [];
  const effects = effectsOf(linear, events, sessions, "dropped");
  const rest = linear.gap.rest.slice();
  const found: number[] = [];
  for (let s = sessions.numbers.length - 1; s > 0; s--) {
    take(effects, s, rest);
    if (isClosed(rest, linear.gap.slack)) found.push(sessions.numbers[s] as number);
  }
  return found;
}
