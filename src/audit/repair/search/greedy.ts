import type { Alteration } from "../../ratings/index.js";
import { isClosed, type Influence, type Gap } from "../influence/influence.js";
import type { Budget } from "../budget.js";
import { effectsOf, passWork, spreadOf, take, type Effects } from "../influence/effects.js";
import { eventsOf, someOf, type Units } from "../influence/units.js";

/** Units chosen so far and what they leave. */
interface Choice {
  readonly units: readonly number[];
  readonly rest: Float64Array;
  readonly left: number;
}

/** Units tried on top of each choice, and choices carried on at each size: fewer where the work does not allow it. */
const wide = 8;
const narrow = 2;
/** Units considered at most, those that fit best alone; fewer where each step asks for their effects anew. */
const shortlist = { exact: 4000, replayed: 2000 } as const;

/**
 * Goes after the gap greedily: adds the unit that takes most of it away, some choices side by side, up to `most`
 * units. Sets that close it, with no unit that could be left out.
 */
export function pursue(
  influence: Influence,
  all: Units,
  alteration: Alteration,
  most: number,
  budget: Budget,
): number[][] {
  if (!budget.spend(passWork * all.order.length)) return [];
  const first = influence.linear();
  const { gap } = first;
  const whole = effectsOf(first, influence.events, all, alteration);
  const spread = spreadOf(whole, gap.rest.length);
  const weight = spread.map((s, e) => 1 / (s * s + (gap.slack[e] as number) ** 2));
  const longest = influence.isExact ? shortlist.exact : shortlist.replayed;
  const listed =
    all.numbers.length > longest
      ? bestOf(whole, { rest: gap.rest, units: [] }, weight, longest).sort((x, y) => x - y)
      : null;
  const units = listed === null ? all : someOf(all, listed);
  const base = listed === null ? whole : effectsOf(first, influence.events, units, alteration);
  const look = base.equation.length + 8 * units.numbers.length;
  // A sweep back over what still shows is plain arithmetic: fifty numbers in the time of one comparison played.
  const pass = influence.isExact ? 0 : passWork * units.order.length + (gap.rest.length * influence.cost) / 50;
  const node = look + pass + (influence.isExact ? 0 : wide * influence.cost);
  const beam = Math.max(narrow, Math.min(wide, Math.floor(budget.left / (most * node))));
  let choices: Choice[] = [choice([], gap.rest)];
  for (let size = 1; size <= most; size++) {
    const next = new Map<string, Choice>();
    for (const from of choices) {
      for (const grown of extensions(from)) next.set(grown.units.join(), grown);
    }
    const best = [...next.values()].sort(byLeft).slice(0, beam);
    const closed = best.filter((c) => isClosed(c.rest, gap.slack) && follows(c.units));
    if (closed.length > 0)
      return [
        ...new Map(closed.map((c) => reduced(c.units)).map((u) => [u.join(), u.map((i) => listed?.[i] ?? i)])).values(),
      ];
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
    if (!influence.isExact && from.units.length > 0) {
      if (!budget.spend(pass)) return [];
      effects = effectsOf(
        influence.linear({ events: eventsOf(units, from.units), alteration }),
        influence.events,
        units,
        alteration,
      );
    }
    if (!budget.spend(look)) return [];
    const favoured = bestOf(effects, from, weight, wide);
    return favoured.flatMap((u) => {
      const chosen = [...from.units, u].sort((x, y) => x - y);
      if (!influence.isExact)
        return budget.spend(influence.cost)
          ? [choice(chosen, influence.restAfter({ events: eventsOf(units, chosen), alteration }))]
          : [];
      const rest = from.rest.slice();
      take(base, u, rest);
      return [choice(chosen, rest)];
    });
  }

  function follows(chosen: readonly number[]): boolean {
    return budget.spend(influence.cost) && influence.follows({ events: eventsOf(units, chosen), alteration });
  }

  /** Leaves out each unit that need not be there. */
  function reduced(chosen: readonly number[]): number[] {
    return chosen.reduce<number[]>(
      (kept, u) => {
        const without = kept.filter((k) => k !== u);
        return without.length > 0 && follows(without) ? without : kept;
      },
      [...chosen],
    );
  }
}

const byLeft = (a: Choice, b: Choice): number => a.left - b.left || compareUnits(a.units, b.units);

function compareUnits(a: readonly number[], b: readonly number[]): number {
  for (const [i, u] of a.entries()) if (u !== b[i]) return u - (b[i] ?? -1);
  return 0;
}

/** The units that take most of the weighted squares away, best first. */
export function bestOf(
  effects: Effects,
  { rest, units }: { rest: Gap["rest"]; units: readonly number[] },
  weight: Float64Array,
  count: number,
): number[] {
  const taken = new Set(units);
  const gains = new Float64Array(effects.units);
  for (let unit = 0; unit < effects.units; unit++) {
    let gain = 0;
    for (let i = effects.start[unit] as number; i < (effects.start[unit + 1] as number); i++) {
      const e = effects.equation[i] as number;
      const amount = effects.amount[i] as number;
      gain += (weight[e] as number) * amount * (2 * (rest[e] as number) - amount);
    }
    gains[unit] = taken.has(unit) ? -Infinity : gain;
  }
  const least = gains.toSorted().at(-count) ?? -Infinity;
  const best = [...gains.keys()].filter((u) => (gains[u] as number) >= least && gains[u] !== -Infinity);
  return best.sort((x, y) => (gains[y] as number) - (gains[x] as number) || x - y).slice(0, count);
}
