import type { Table } from "../../metrics/index.js";
import { carriedBits, widthsOf } from "../evidence.js";
import { patched, type Evaluator, type Scenario } from "../evaluate/index.js";
import { fitOf, modelOf, type Target } from "../target/index.js";

/** A published result, and the scenario under which its recomputed numbers differ. */
export interface Mismatch {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly scenario: Scenario;
}

/** The recomputed numbers if they match after all, otherwise null; used with another evaluator or scenario. */
export function matching({ target, evaluator, scenario }: Mismatch): Table | null {
  const table = evaluator.table(target.kind, scenario);
  return fitOf(target, table, scenario.rounding).missBits === 0 ? table : null;
}

/** The same mismatch for the sessions before a rank of the service order. */
export function withSessionsBefore(mismatch: Mismatch, rank: number): Mismatch {
  return { ...mismatch, scenario: patched(mismatch.scenario, { population: { first_sessions: rank } }) };
}

/** Bits by which the published numbers must outweigh the choice of a change: 1 in 32 by chance. */
export const chanceBits = 5;

/** log2 of the number of ways to choose k of n. */
export function log2Choose(n: number, k: number): number {
  let bits = 0;
  for (let i = 0; i < k; i++) bits += Math.log2((n - i) / (i + 1));
  return bits;
}

/**
 * Bits of which numbers differ and by how much, counting what the numbers of a field have in common once ("every n is
 * one lower"). If other ratings may count, a number moves in larger steps and carries less; and where the numbers of a
 * field sum to what the recomputed ones do, one of them follows from the others.
 */
export function bitsOfMisses({ target, evaluator, scenario }: Mismatch, isOther: boolean): number {
  const table = evaluator.table(target.kind, scenario);
  const { misses } = fitOf(target, table, scenario.rounding);
  const agreeing = target.cells.length - misses.length;
  const pattern = log2Choose(target.cells.length, Math.min(misses.length, agreeing));
  const independent = isOther ? withoutSums(target, modelOf(target, table), misses) : misses;
  return pattern + carriedBits(target, table, widthsOf(target, evaluator, scenario, table, isOther), independent);
}

/** The misses without the first of each field whose differences sum to 0, as those of an online Elo do. */
function withoutSums({ cells, halfWidth }: Target, model: Float64Array, misses: readonly number[]): readonly number[] {
  const ofField = (field: string): readonly number[] => misses.filter((i) => cells[i]!.field === field);
  const isBalanced = (own: readonly number[]): boolean => {
    const total = own.reduce((sum, i) => sum + cells[i]!.published.value - model[i]!, 0);
    return Math.abs(total) <= own.reduce((sum, i) => sum + halfWidth[i]!, 0);
  };
  const fields = [...new Set(misses.map((i) => cells[i]!.field))];
  return fields.map(ofField).flatMap((own) => (isBalanced(own) ? own.slice(1) : own));
}

/** A bound on work, counted in numbers read or written: the same on every machine. */
export interface Budget {
  /** Work that may still be done. */
  readonly left: () => number;
  /** Charges the work and returns true when it may be done; work that does not fit is not charged. */
  readonly spend: (work: number) => boolean;
  /** A budget for a part of what is left, charged here too as it is spent. */
  readonly share: (part: number) => Budget;
}

export function createBudget(work: number, parent: Budget | null = null): Budget {
  let own = work;
  const budget: Budget = {
    left: () => Math.min(own, parent?.left() ?? Infinity),
    spend: (amount) => {
      if (amount > own || parent?.spend(amount) === false) return false;
      own -= amount;
      return true;
    },
    share: (part) => createBudget(own * part, budget),
  };
  return budget;
}
