import type { Alteration } from "../facts/altered.js";
import { isClosed, type Account, type Gap } from "./account.js";
import type { Budget } from "./budget.js";
import { effectsOf, spreadOf, take, type Effects } from "./effects.js";
import { eventsOf, type Units } from "./units.js";

/** Units chosen so far and what they leave. */
interface Choice {
  readonly units: readonly number[];
  readonly rest: Float64Array;
  readonly left: number;
}

/** Choices carried on at each size, and units tried on top of each. */
const beam = 8;

/**
 * Goes after the gap greedily: adds the unit that takes most of it away, some choices side by side, up to `most`
 * units. Sets that close it, with no unit that could be left out.
 */
export function pursue(account: Account, units: Units, alteration: Alteration, most: number, budget: Budget): number[][] {
  const pass = 6 * units.order.length + 4 * account.events.count;
  if (!budget.spend(pass)) return [];
  const first = account.linear();
  const base = effectsOf(first, account.events, units, alteration);
  const { gap } = first;
  const spread = spreadOf(base, gap.rest.length);
  const weight = spread.map((s, e) => 1 / (s * s + (gap.slack[e] as number) ** 2));
  let choices: Choice[] = [choice([], gap.rest)];
  for (let size = 1; size <= most; size++) {
    const next = new Map<string, Choice>();
    for (const from of choices) {
      for (const grown of extensions(from)) next.set(grown.units.join(), grown);
    }
    const best = [...next.values()].sort(byLeft).slice(0, beam);
    const closed = best.filter((c) => isClosed(c.rest, gap.slack) && follows(c.units));
    if (closed.length > 0) return [...new Map(closed.map((c) => reduced(c.units)).map((u) => [u.join(), u])).values()];
    const least = Math.min(...choices.map((c) => c.left));
    if (best.length === 0 || (size > 2 && (best[0]?.left ?? Infinity) >= least)) return [];
    choices = best;
  }
  return [];

  function choice(chosen: readonly number[], rest: Float64Array): Choice {
    return { units: chosen, rest, left: rest.reduce((sum, r, e) => sum + (weight[e] as number) * r * r, 0) };
  }

  /** The choice with one unit more: those that first-order effects favour, with what they leave in truth. */
  function extensions(from: Choice): Choice[] {
    let effects = base;
    if (!account.isExact && from.units.length > 0) {
      if (!budget.spend(pass)) return [];
      effects = effectsOf(account.linear({ events: eventsOf(units, from.units), alteration }), account.events, units, alteration);
    }
    if (!budget.spend(2 * effects.equation.length + 20 * effects.units)) return [];
    const favoured = bestOf(effects, from, weight, beam);
    return favoured.flatMap((u) => {
      const chosen = [...from.units, u].sort((x, y) => x - y);
      if (!account.isExact) return budget.spend(account.cost) ? [choice(chosen, account.restAfter({ events: eventsOf(units, chosen), alteration }))] : [];
      const rest = from.rest.slice();
      take(base, u, rest);
      return [choice(chosen, rest)];
    });
  }

  function follows(chosen: readonly number[]): boolean {
    return budget.spend(account.cost) && account.follows({ events: eventsOf(units, chosen), alteration });
  }

  /** Leaves out each unit that need not be there. */
  function reduced(chosen: readonly number[]): number[] {
    return chosen.reduce<number[]>((kept, u) => {
      const without = kept.filter((k) => k !== u);
      return without.length > 0 && follows(without) ? without : kept;
    }, [...chosen]);
  }
}

const byLeft = (a: Choice, b: Choice): number => a.left - b.left || compareUnits(a.units, b.units);

function compareUnits(a: readonly number[], b: readonly number[]): number {
  for (const [i, u] of a.entries()) if (u !== b[i]) return u - (b[i] ?? -1);
  return 0;
}

/** The units that take most of the weighted squares away, best first. */
export function bestOf(effects: Effects, { rest, units }: { rest: Gap["rest"]; units: readonly number[] }, weight: Float64Array, count: number): number[] {
  const taken = new Set(units);
  const best: { unit: number; gain: number }[] = [];
  for (let unit = 0; unit < effects.units; unit++) {
    let gain = 0;
    for (let i = effects.start[unit] as number; i < (effects.start[unit + 1] as number); i++) {
      const e = effects.equation[i] as number;
      const amount = effects.amount[i] as number;
      gain += (weight[e] as number) * amount * (2 * (rest[e] as number) - amount);
    }
    if ((best.length === count && gain <= (best.at(-1)?.gain ?? 0)) || taken.has(unit)) continue;
    const place = best.findIndex((b) => b.gain < gain);
    best.splice(place === -1 ? best.length : place, 0, { unit, gain });
    if (best.length > count) best.pop();
  }
  return best.map((b) => b.unit);
}
