/** Votes with style features, and their ratings by arena-rank (test/oracles/style_control.py). */
import { oracle } from "./oracle.js";

type Vote = readonly [
  left: string,
  right: string,
  winner: string,
  tokensLeft: number,
  tokensRight: number,
  listsLeft: number,
  listsRight: number,
];

interface Fit {
  /** By item, in the order of `models`. */
  readonly ratings: readonly number[];
  readonly coeffs: readonly number[];
}

export const styleOracle = oracle("style_control") as {
  readonly models: readonly string[];
  readonly votes: readonly Vote[];
  /** At the optimum; `_stopped` where the package stops by default. */
  readonly plain: Fit;
  readonly plain_stopped: Fit;
  readonly reweighted: Fit;
  readonly reweighted_stopped: Fit;
};
