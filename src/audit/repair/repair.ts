import type { Table } from "../../metrics/index.js";
import { listed } from "../../platform/index.js";
import { carriedBits, log2Choose, widthsOf } from "../evidence.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import type { Scenario } from "../evaluate/scenario.js";
import { fitOf, modelOf, type Target } from "../target.js";

/** A change to the published numbers of some items. */
export type ItemChange = "items" | "exchanged" | "renamed" | "copied" | "merged" | "missing";

/** A change to some of the ratings. */
export type Alteration = "dropped" | "doubled" | "flipped" | "tied" | "added";

/** Ratings that are changed together. */
export type UnitName = "session" | "rater" | "slate" | "rating";

/** The smallest change found that makes the published numbers match. */
export interface Repair {
  /**
   * A change to the published numbers of some items, or to the ratings of some sessions, raters or
   * slates.
   */
  readonly change: ItemChange | "stale" | Alteration;
  readonly unit: "item" | UnitName;
  /** Identifiers of what is changed. */
  readonly ids: readonly string[];
  /**
   * Other changes of the same size that match as well, up to 1000; coarse numbers may not tell them
   * apart.
   */
  readonly alternatives: number;
  /** Conventions that differ from the run's own and have to be assumed as well, as `name=value`. */
  readonly under?: string;
  /** A clause in plain words, without a capital or a full stop. */
  readonly says: string;
}

/** A repair with the numbers that it gives; null if it says nothing about them. */
export interface FoundRepair extends Repair {
  readonly gives: Table | null;
}

/** A published result, and the scenario under which its recomputed numbers differ. */
export interface Mismatch {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly scenario: Scenario;
}

/** "a, b and c"; at most five names. */
export function listOf(names: readonly string[]): string {
  return listed(names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names);
}

/** Bits by which the published numbers must outweigh the choice of a change: 1 in 32 by chance. */
export const repairChanceBits = 5;

/**
 * Bits of which numbers differ and by how much, counting what the numbers of a field have in common
 * once ("every n is one lower"). If other ratings may count, a number moves in larger steps and
 * carries less; and where the numbers of a field sum to what the recomputed ones do, one of them
 * follows from the others.
 */
export function bitsOfMisses({ target, evaluator, scenario }: Mismatch, isOther: boolean): number {
  const table = evaluator.table(target.kind, scenario, target.hasEnds);
  const { misses } = fitOf(target, table, scenario.rounding);
  const agreeing = target.cells.length - misses.length;
  const pattern = log2Choose(target.cells.length, Math.min(misses.length, agreeing));
  const independent = isOther ? withoutSums(target, modelOf(target, table), misses) : misses;
  return (
    pattern +
    carriedBits(target, table, widthsOf(target, evaluator, scenario, table, isOther), independent)
  );
}

/**
 * The misses without the first of each field whose differences sum to 0, as those of an online Elo
 * do.
 */
function withoutSums(
  { cells, halfWidth }: Target,
  model: Float64Array,
  misses: readonly number[],
): readonly number[] {
  const fields = [...new Set(misses.map((i) => cells[i]!.field))];
  return fields.flatMap((field) => {
    const own = misses.filter((i) => cells[i]!.field === field);
    const total = own.reduce((sum, i) => sum + cells[i]!.published.value - model[i]!, 0);
    const isBalanced = Math.abs(total) <= own.reduce((sum, i) => sum + halfWidth[i]!, 0);
    return isBalanced ? own.slice(1) : own;
  });
}

/** A bound on work, counted in numbers read or written: the same on every machine. */
export interface Budget {
  /**
   * Charges the work and returns true when it may be done; work that does not fit is not charged.
   */
  readonly spend: (work: number) => boolean;
  /** A budget for a part of what is left, charged here too as it is spent. */
  readonly share: (part: number) => Budget;
}

export function createBudget(work: number, parent: Budget | null = null): Budget {
  let left = work;
  const budget: Budget = {
    spend: (amount) => {
      if (amount > left || parent?.spend(amount) === false) return false;
      left -= amount;
      return true;
    },
    share: (part) => createBudget(left * part, budget),
  };
  return budget;
}
