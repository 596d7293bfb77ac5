import type { Alteration } from "../../ratings/index.js";
import type { Budget } from "../budget.js";
import {
  effectsOf,
  eventsOf,
  gainOf,
  isClosed,
  passWork,
  someOf,
  weightedSquares,
  weightsOf,
  type Effects,
  type Influence,
  type Units,
} from "../influence/index.js";

/** Units chosen so far, and the gap that they leave. */
interface Choice {
  readonly units: readonly number[];
  readonly residual: Float64Array;
  /** Weighted squares of `residual`. */
  readonly left: number;
}

/** Extensions tried of each choice; also the most choices kept at each size. */
const widest = 8;
/** The fewest choices kept at each size, however little work is left. */
const narrowest = 2;
/** Maximum number of units considered, those that fit best alone. */
const longest = 2000;

/** Kinds whose effects are only first-order, and the equations recomputed after a change. */
type Replayed = Influence & { readonly replayed: NonNullable<Influence["replayed"]> };

/**
 * A beam search where effects do not add up: repeatedly adds the unit that removes most of the gap, up to `most` units.
 * Returns the sets that close it, each without units that it does not need.
 */
export function replayedSets(
  influence: Replayed,
  all: Units,
  alteration: Alteration,
  most: number,
  budget: Budget,
): number[][] {
  if (!budget.spend(passWork * all.order.length)) return [];
  const { events, replayed, cost } = influence;
  const linear = influence.linear();
  const { gap } = linear;
  const effectsOfAll = effectsOf(linear, events, all, alteration);
  const weights = weightsOf(effectsOfAll, gap);
  const listed =
    all.numbers.length > longest
      ? bestUnits(effectsOfAll, { residual: gap.residual, units: [] }, weights, longest).sort((x, y) => x - y)
      : null;
  const units = listed === null ? all : someOf(all, listed);
  const base = listed === null ? effectsOfAll : effectsOf(linear, events, units, alteration);
  const lookCost = base.equation.length + 8 * units.numbers.length;
  // A pass over sensitivities is plain arithmetic: fifty numbers in the time of one comparison replayed.
  const passCost = passWork * units.order.length + (gap.residual.length * cost) / 50;
  const extensionCost = lookCost + passCost + widest * cost;
  const beam = Math.max(narrowest, Math.min(widest, Math.floor(budget.left() / (most * extensionCost))));
  let choices: Choice[] = [choice([], gap.residual)];
  for (let size = 1; size <= most; size++) {
    const next = new Map(choices.flatMap(extensions).map((grown) => [grown.units.join(), grown]));
    const best = [...next.values()].sort(byLeft).slice(0, beam);
    const closed = best.filter((c) => isClosed(c.residual, gap.slack) && matches(c.units));
    if (closed.length > 0) {
      const sets = new Map(closed.map((c) => reduced(c.units)).map((set) => [set.join(), set]));
      return [...sets.values()].map((set) => set.map((u) => listed?.[u] ?? u));
    }
    const least = Math.min(...choices.map((c) => c.left));
    if (best.length === 0 || (size > 2 && (best[0]?.left ?? Infinity) >= least)) return [];
    choices = best;
  }
  return [];

  function choice(chosen: readonly number[], residual: Float64Array): Choice {
    return { units: chosen, residual, left: weightedSquares(residual, weights) };
  }

  /** The choice with one more unit: those that first-order effects favour, with the gap that they really leave. */
  function extensions(from: Choice): Choice[] {
    let effects = base;
    if (from.units.length > 0) {
      if (!budget.spend(passCost)) return [];
      const change = { events: eventsOf(units, from.units), alteration };
      effects = effectsOf(replayed.linear(change), events, units, alteration);
    }
    if (!budget.spend(lookCost)) return [];
    return bestUnits(effects, from, weights, widest).flatMap((u) => {
      const chosen = [...from.units, u].sort((x, y) => x - y);
      return budget.spend(cost)
        ? [choice(chosen, replayed.residual({ events: eventsOf(units, chosen), alteration }))]
        : [];
    });
  }

  function matches(chosen: readonly number[]): boolean {
    return budget.spend(cost) && influence.matches({ events: eventsOf(units, chosen), alteration });
  }

  /** Leaves out each unit that is not needed. */
  function reduced(chosen: readonly number[]): readonly number[] {
    return chosen.reduce((kept, u) => {
      const without = kept.filter((k) => k !== u);
      return without.length > 0 && matches(without) ? without : kept;
    }, chosen);
  }
}

const byLeft = (a: Choice, b: Choice): number => a.left - b.left || compareUnits(a.units, b.units);

function compareUnits(a: readonly number[], b: readonly number[]): number {
  for (const [i, u] of a.entries()) if (u !== b[i]) return u - (b[i] ?? -1);
  return 0;
}

/** The units, other than those chosen, that remove most of the weighted squares; best first. */
function bestUnits(
  effects: Effects,
  { residual, units }: Pick<Choice, "residual" | "units">,
  weights: Float64Array,
  count: number,
): number[] {
  const gains = new Float64Array(effects.units);
  for (let u = 0; u < effects.units; u++) gains[u] = gainOf(effects, u, residual, weights);
  for (const u of units) gains[u] = -Infinity;
  const least = gains.toSorted().at(-count) ?? -Infinity;
  const best = [...gains.keys()].filter((u) => (gains[u] as number) >= least && gains[u] !== -Infinity);
  return best.sort((x, y) => (gains[y] as number) - (gains[x] as number) || x - y).slice(0, count);
}
