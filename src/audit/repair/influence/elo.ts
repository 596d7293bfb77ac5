import type { Evaluator } from "../../evaluate/evaluator.js";
import type { Population } from "../../ratings/index.js";
import type { Scenario } from "../../evaluate/scenario.js";
import { fitOf, type Target } from "../../target/index.js";
import { allowance } from "../../compare/tolerances.js";
import { isClosed, type Influence, type Change, type Gap, type Linear } from "./influence.js";
import type { Budget } from "../budget.js";
import { pairEvents } from "./pair.js";
import { Replay, type Plays } from "./replay.js";
import { sensitivityOf } from "./sensitivity.js";

const countSlack = 1e-9;

/** Comparisons after which most Elos have forgotten, for the count of work. */
const remembered = 32_768;

/**
 * Online Elo: what each comparison gives is carried forward to first order, and whatever looks right is played again.
 * Counts of comparisons add up. Null where sessions are torn apart and updated in batches, or a published item is not
 * rated.
 */
export function eloInfluence(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  wide: Population,
): Influence | null {
  const all = pairEvents(evaluator, scenario.population, wide);
  const convention = scenario.conventions.elo;
  if (all === null) return null;
  const { events, items, a, b } = all;
  if (convention.update === "session_batch" && !isContiguous(events.session)) return null;
  const index = new Map(items.map((item, i) => [item, i]));
  const values: number[] = [];
  const wanted: number[] = [];
  const published: number[] = [];
  const slack: number[] = [];
  const unit: number[] = [];
  const ofItem: number[][] = items.map(() => []);
  const cells = target.cells
    .map((cell, c) => ({ ...cell, c }))
    .sort((x, y) => Number(x.field === "n") - Number(y.field === "n") || x.c - y.c);
  for (const {
    item,
    field,
    published: { value },
    c,
  } of cells) {
    const i = index.get(item);
    if (i === undefined) return null;
    const allowed = allowance(target.tolerances, "elo", field, value);
    if (field === "value") {
      values.push(i);
      slack.push((target.halfWidth[c] as number) + allowed);
      unit.push(2 * (target.halfWidth[c] as number));
    } else countOf(i, value, allowed);
    if (field === "value") published.push(value);
  }
  const shown = new Set(cells.map((cell) => cell.item));
  items.forEach((item, i) => shown.has(item) || countOf(i, 0, 0));
  const width = values.length;
  const plays: Plays = { items: items.length, a, b, session: events.session };
  const replay = new Replay(plays, events.outcome, events.counted, convention);
  const played = new Float64Array(items.length);
  const met = new Float64Array(items.length);
  for (let i = 0; i < events.count; i++)
    if (events.counted[i] === 1) count(i, events.outcome[i] as number, 1, played, met);
  const record = replay.expected.slice();
  const least = slack.slice(0, width).reduce((m, s) => Math.min(m, s), Infinity) / 100;
  let own: Linear | undefined;

  return {
    events,
    isExact: false,
    linear: (given) =>
      given === undefined ? (own ??= linearAt(restOf(replay.final, played), replay.expected)) : changed(given),
    restAfter: (change) => after(change, (rating, counts) => restOf(rating, counts)),
    cost: 60 * items.length + 3 * Math.min(events.count, remembered),
    follows: (change) =>
      after(change, (rating, counts, present) => {
        const at = [...items.keys()].filter((i) => (present[i] as number) > 0);
        const pick = (column: Float64Array): Float64Array => Float64Array.from(at, (i) => column[i] as number);
        return (
          fitOf(target, { items: at.map((i) => items[i] as string), columns: { value: pick(rating), n: pick(counts) } })
            .missBits === 0
        );
      }),
    prefixes,
  };

  function countOf(i: number, value: number, allowed: number): void {
    ofItem[i]?.push(wanted.length);
    wanted.push(value);
    slack.push(countSlack + allowed);
    unit.push(1);
  }

  function count(i: number, outcome: number, times: number, counts: Float64Array, pairings: Float64Array): void {
    for (const item of [a[i] as number, b[i] as number]) {
      pairings[item] = (pairings[item] as number) + times;
      if (outcome !== 0 || convention.ties !== "skip") counts[item] = (counts[item] as number) + times;
    }
  }

  function restOf(rating: Float64Array, counts: Float64Array): Float64Array {
    const rest = new Float64Array(slack.length);
    values.forEach((i, e) => (rest[e] = (published[e] as number) - (rating[i] as number)));
    ofItem.forEach((list, i) => list.forEach((n) => (rest[width + n] = (wanted[n] as number) - (counts[i] as number))));
    return rest;
  }

  /** Plays with the change, hands the outcome to `use`, and takes the change back. */
  function after<T>(
    { events: changed, alteration }: Change,
    use: (rating: Float64Array, counts: Float64Array, met: Float64Array) => T,
    into?: Float64Array,
  ): T {
    const counts = played.slice();
    const pairings = met.slice();
    for (const i of changed) {
      const outcome = events.outcome[i] as number;
      if (alteration === "added") replay.times[i] = 1;
      else if (alteration === "dropped") replay.times[i] = 0;
      else if (alteration === "doubled") replay.times[i] = 2;
      else replay.outcome[i] = alteration === "tied" ? 0 : -outcome || 0;
      count(i, outcome, -(events.counted[i] as number), counts, pairings);
      count(i, replay.outcome[i] as number, replay.times[i] as number, counts, pairings);
    }
    const rating = replay.run(changed[0] ?? 0, changed.at(-1) ?? 0, into);
    const result = use(rating, counts, pairings);
    for (const i of changed) {
      replay.times[i] = events.counted[i] as number;
      replay.outcome[i] = events.outcome[i] as number;
    }
    return result;
  }

  function changed(given: Change): Linear {
    const linear = after(given, (rating, counts) => linearAt(restOf(rating, counts), record), record);
    record.set(replay.expected.subarray(replay.startOf(given.events[0] ?? 0)), replay.startOf(given.events[0] ?? 0));
    return linear;
  }

  function linearAt(rest: Float64Array, expected: Float64Array): Linear {
    const { from, rows } = sensitivityOf(
      plays,
      { expected, times: replay.times },
      Int32Array.from(values),
      convention,
      least,
    );
    const chance = expected.slice(from);
    const gap: Gap = { rest, slack: Float64Array.from(slack), unit: Float64Array.from(unit) };
    return {
      gap,
      contribution: (event, outcome, sign, emit) => {
        if (outcome === 0 && convention.ties === "skip") return;
        for (const i of [a[event] as number, b[event] as number])
          for (const n of ofItem[i] ?? []) emit(width + n, sign);
        if (event < from) return;
        const score = outcome > 0 ? 1 : outcome < 0 ? 0 : convention.tie_value;
        const given = sign * convention.k * (score - (chance[event - from] as number));
        const row = (event - from) * width;
        for (let r = 0; r < width; r++) emit(r, given * (rows[row + r] as number));
      },
    };
  }

  /** From a walk through all of it: the ratings as each session starts are those of a result before it. */
  function prefixes(budget: Budget): number[] {
    if (scenario.population.order !== "service" || !budget.spend(4 * events.count)) return [];
    const found: number[] = [];
    const counts = new Float64Array(items.length);
    const pairings = new Float64Array(items.length);
    let next = 0;
    replay.walk((at, rating) => {
      for (; next < at; next++)
        count(next, events.outcome[next] as number, events.counted[next] as number, counts, pairings);
      if (at > 0 && isClosed(restOf(rating, counts), slack)) found.push(events.session[at] as number);
    });
    return found.reverse();
  }
}

function isContiguous(session: Int32Array): boolean {
  const seen = new Set<number>();
  return session.every((s, i) => {
    if (s === session[i - 1]) return true;
    if (seen.has(s)) return false;
    seen.add(s);
    return true;
  });
}
