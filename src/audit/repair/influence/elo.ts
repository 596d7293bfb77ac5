import { allowance } from "../../settings.js";
import { fitOf, type Target } from "../../target/index.js";
import type { Budget } from "../budget.js";
import { countSlack } from "./equations.js";
import { isClosed, type EventChange, type InfluenceOf, type Linear } from "./influence.js";
import { pairEvents } from "./pair-events.js";
import { createReplay } from "./replay.js";
import { sensitivityOf } from "./sensitivity.js";

/** Comparisons after which most Elos have forgotten, to estimate work. */
const remembered = 32_768;

/** A published rating or count of an item. An item that is not published must have no comparisons. */
interface EloEquation {
  readonly item: number;
  readonly field: "value" | "n";
  readonly published: number;
  readonly slack: number;
  readonly resolution: number;
}

/** State of the items after some comparisons. */
interface Standing {
  readonly rating: Float64Array;
  /** Comparisons that count in n, and all comparisons, of each item. */
  readonly n: Float64Array;
  readonly met: Float64Array;
}

/**
 * Online Elo: the effect of each comparison is carried forward to first order, and whatever looks right is replayed.
 * Counts of comparisons add up. Null if sessions that are updated in batches are interleaved, or a published item
 * is not rated.
 */
export const eloInfluence: InfluenceOf = ({ target, evaluator, scenario }, wide) => {
  const all = pairEvents(evaluator, scenario.population, wide);
  const convention = scenario.conventions.elo;
  if (all === null) return null;
  const { events, items, a, b } = all;
  if (convention.update === "session_batch" && !isContiguous(events.session)) return null;
  const equations = eloEquations(target, items);
  if (equations === null) return null;
  const column = (name: "slack" | "resolution"): Float64Array => Float64Array.from(equations, (e) => e[name]);
  const slack = column("slack");
  const resolution = column("resolution");
  const rated = Int32Array.from(
    equations.filter((e) => e.field === "value"),
    (e) => e.item,
  );
  const width = rated.length;
  const countEquations: number[][] = items.map(() => []);
  equations.forEach(({ item, field }, e) => field === "n" && countEquations[item]?.push(e));
  const played = { items: items.length, a, b, session: events.session };
  const replay = createReplay(played, events.outcome, events.counted, convention);
  const own: Standing = {
    rating: replay.final,
    n: new Float64Array(items.length),
    met: new Float64Array(items.length),
  };
  for (let i = 0; i < events.count; i++) count(own, i, events.outcome[i] as number, events.counted[i] as number);
  /** Expected scores of the unchanged comparisons, in part overwritten while a change is linearized. */
  let expected: Float64Array | undefined;
  const least = slack.subarray(0, width).reduce((m, s) => Math.min(m, s), Infinity) / 100;
  let unchanged: Linear | undefined;

  return {
    events,
    linear: () => (unchanged ??= linearAt(residualOf(own), replay.expected)),
    replayed: { linear: linearAfter, residual: (change) => after(change, residualOf) },
    cost: 60 * items.length + 3 * Math.min(events.count, remembered),
    matches: (change) =>
      after(change, ({ rating, n, met }) => {
        const present = [...items.keys()].filter((i) => (met[i] as number) > 0);
        const pick = (from: Float64Array): Float64Array => Float64Array.from(present, (i) => from[i] as number);
        const table = { items: present.map((i) => items[i] as string), columns: { value: pick(rating), n: pick(n) } };
        return fitOf(target, table).missBits === 0;
      }),
    prefixes,
  };

  function count({ n, met }: Omit<Standing, "rating">, event: number, outcome: number, times: number): void {
    for (const item of [a[event] as number, b[event] as number]) {
      met[item] = (met[item] as number) + times;
      if (outcome !== 0 || convention.ties !== "skip") n[item] = (n[item] as number) + times;
    }
  }

  function residualOf({ rating, n }: Omit<Standing, "met">): Float64Array {
    return Float64Array.from(
      equations as readonly EloEquation[],
      ({ item, field, published }) => published - ((field === "value" ? rating : n)[item] as number),
    );
  }

  /** Replays with the change, passes the result to `use`, and takes the change back. */
  function after<T>(
    { events: changed, alteration }: EventChange,
    use: (standing: Standing) => T,
    into?: Float64Array,
  ): T {
    const counts = { n: own.n.slice(), met: own.met.slice() };
    for (const i of changed) {
      const outcome = events.outcome[i] as number;
      if (alteration === "added") replay.times[i] = 1;
      else if (alteration === "dropped") replay.times[i] = 0;
      else if (alteration === "doubled") replay.times[i] = 2;
      else replay.outcome[i] = alteration === "tied" ? 0 : -outcome || 0;
      count(counts, i, outcome, -(events.counted[i] as number));
      count(counts, i, replay.outcome[i] as number, replay.times[i] as number);
    }
    const rating = replay.run(changed[0] ?? 0, changed.at(-1) ?? 0, into);
    const result = use({ rating, ...counts });
    for (const i of changed) {
      replay.times[i] = events.counted[i] as number;
      replay.outcome[i] = events.outcome[i] as number;
    }
    return result;
  }

  function linearAfter(change: EventChange): Linear {
    const chances = (expected ??= replay.expected.slice());
    const linear = after(change, (standing) => linearAt(residualOf(standing), chances), chances);
    const from = replay.startOf(change.events[0] ?? 0);
    chances.set(replay.expected.subarray(from), from);
    return linear;
  }

  function linearAt(residual: Float64Array, chances: Float64Array): Linear {
    const { from, rows } = sensitivityOf(played, { expected: chances, times: replay.times }, rated, convention, least);
    const chance = chances.slice(from);
    return {
      gap: { residual, slack, resolution },
      touched: residual.length,
      contribution: (event, outcome, sign, emit) => {
        if (outcome === 0 && convention.ties === "skip") return;
        for (const i of [a[event] as number, b[event] as number])
          for (const e of countEquations[i] ?? []) emit(e, sign);
        if (event < from) return;
        const score = outcome > 0 ? 1 : outcome < 0 ? 0 : convention.tie_value;
        const given = sign * convention.k * (score - (chance[event - from] as number));
        const row = (event - from) * width;
        for (let r = 0; r < width; r++) emit(r, given * (rows[row + r] as number));
      },
    };
  }

  /** One replay of everything: the ratings at the start of each session are those of an older result. */
  function prefixes(budget: Budget): number[] {
    if (scenario.population.order !== "service" || !budget.spend(4 * events.count)) return [];
    const found: number[] = [];
    const counts = { n: new Float64Array(items.length), met: new Float64Array(items.length) };
    let next = 0;
    replay.walk((at, rating) => {
      for (; next < at; next++) count(counts, next, events.outcome[next] as number, events.counted[next] as number);
      if (at > 0 && isClosed(residualOf({ rating, ...counts }), slack)) found.push(events.session[at] as number);
    });
    return found.reverse();
  }
};

/** Ratings first, then counts. Null if a published item is not rated. */
function eloEquations(target: Target, items: readonly string[]): EloEquation[] | null {
  const index = new Map(items.map((item, i) => [item, i]));
  const stated = target.cells.map(({ item, field, published: { value: published } }, c): EloEquation => {
    const half = target.halfWidth[c] as number;
    const allowed = allowance(target.tolerances, "elo", field, published);
    const at = { item: index.get(item) ?? -1, published };
    return field === "value"
      ? { ...at, field, slack: half + allowed, resolution: 2 * half }
      : { ...at, field: "n", slack: countSlack + allowed, resolution: 1 };
  });
  if (stated.some(({ item }) => item === -1)) return null;
  const published = new Set(stated.map(({ item }) => item));
  const unpublished = [...items.keys()].filter((item) => !published.has(item));
  return [
    ...stated.filter(({ field }) => field === "value"),
    ...stated.filter(({ field }) => field === "n"),
    ...unpublished.map((item) => ({ item, field: "n", published: 0, slack: countSlack, resolution: 1 }) as const),
  ];
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
