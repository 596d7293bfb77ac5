import { emptyTable, isIntervalEnd, metricKind, tallied, type Table } from "../../../metrics/index.js";
import { fitOf } from "../../target/index.js";
import { closingPrefixes } from "./effects.js";
import type { EventChange, Emit, InfluenceOf, Linear } from "./influence.js";
import { pairEquations } from "./pair-equations.js";
import { pairEvents } from "./pair-events.js";
import { createPairTally } from "./pair-tally.js";

/**
 * win_loss, percent_chosen and a converged bayesian_elo: each published number is an equation to which every
 * comparison contributes independently, so the effects of a change add up. Null if a published item is not rated, or
 * if the numbers are not sums.
 */
export const pairInfluence: InfluenceOf = ({ target, evaluator, scenario }, wide) => {
  const all = pairEvents(evaluator, scenario.population, wide);
  if (all === null) return null;
  const { events, items, a, b } = all;
  const tally = createPairTally(items);
  for (let i = 0; i < events.count; i++) {
    if (events.counted[i] === 1) tally.add(a[i] as number, b[i] as number, events.outcome[i] as number, 1);
  }
  const equations = pairEquations(target, scenario, items, tally);
  if (equations === null) return null;
  const { gap, ofItem, most, chance } = equations;
  const linear: Linear = {
    gap,
    touched: 2 * most,
    contribution: (event, outcome, sign, emit) => {
      emitSide(a[event] as number, b[event] as number, outcome, sign, emit);
      emitSide(b[event] as number, a[event] as number, -outcome, sign, emit);
    },
  };
  const isBayesian = target.kind === "bayesian_elo";
  const pairs = items.length * items.length;
  return {
    events,
    linear: () => linear,
    replayed: null,
    cost: 4 * pairs + (isBayesian ? 10 * pairs * (1 + items.length / 6) + 2000 * items.length : 0),
    matches: (change) => {
      apply(change, 1);
      const isMatch = isBayesian ? bayesianMatches() : fitOf(target, table()).missBits === 0;
      apply(change, -1);
      return isMatch;
    },
    prefixes: (budget) => closingPrefixes(events, linear, budget),
  };

  function emitSide(item: number, other: number, outcome: number, sign: number, emit: Emit): void {
    for (const { equation, win, loss, tie, isGradient } of ofItem[item] ?? []) {
      const own = outcome > 0 ? win : outcome < 0 ? loss : tie;
      const amount = isGradient && (outcome !== 0 || tie > 0) ? own - chance(item, other) : own;
      if (amount !== 0) emit(equation, sign * amount);
    }
  }

  function apply({ events: changed, alteration }: EventChange, direction: number): void {
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

  /** `withEnds` adds the interval ends, which cost the most. */
  function table(withEnds = false): Table {
    const counts = tally.counts();
    if (counts.items.length === 0) return emptyTable;
    return metricKind(target.kind).evaluate(tallied({ pairs: counts }), scenario.conventions, withEnds);
  }

  function bayesianMatches(): boolean {
    const { misses } = fitOf(target, table());
    const isHopeful = misses.every((i) => isIntervalEnd(target.kind, target.cells[i]?.field ?? ""));
    return isHopeful && fitOf(target, table(true)).missBits === 0;
  }
};
