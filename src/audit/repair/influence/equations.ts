import type { Gap } from "./influence.js";

/** Sums of counts are whole or half numbers, and exact: only the order of additions shows. */
export const countSlack = 1e-9;

/** The published numbers as equations: `ofItem[i]` weighs the events of item i, in each of its equations. */
export interface Equations<W> {
  readonly gap: Gap;
  readonly ofItem: readonly (readonly (W & { readonly equation: number })[])[];
  /** The most equations of one item. */
  readonly most: number;
}

interface EquationList<W> {
  /** States that the weighted events of an item sum to `published`; `have` is their sum now. */
  readonly add: (item: number, weights: W, published: number, have: number, slack: number, resolution: number) => void;
  /** Null when there is none. */
  readonly equations: () => Equations<W> | null;
}

export function createEquationList<W extends object>(items: number): EquationList<W> {
  const residual: number[] = [];
  const slack: number[] = [];
  const resolution: number[] = [];
  const ofItem: (W & { readonly equation: number })[][] = Array.from({ length: items }, () => []);
  return {
    add: (item, weights, published, have, within, apart) => {
      ofItem[item]?.push({ ...weights, equation: residual.length });
      residual.push(published - have);
      slack.push(within);
      resolution.push(apart);
    },
    equations: () =>
      residual.length === 0
        ? null
        : {
            ofItem,
            most: ofItem.reduce((most, own) => Math.max(most, own.length), 0),
            gap: {
              residual: Float64Array.from(residual),
              slack: Float64Array.from(slack),
              resolution: Float64Array.from(resolution),
            },
          },
  };
}
