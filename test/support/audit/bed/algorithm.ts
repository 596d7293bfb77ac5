import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Family, Row, Study } from "./study.js";

export type Numbers = Record<string, number>;
export type Published = Map<string, Numbers>;

/** A way to compute a kind's numbers. `names`: what the audit may call it; none if no convention has a name for it. */
export interface Algorithm {
  readonly name: string;
  readonly kind: Kind;
  readonly families: readonly Family[];
  readonly names: readonly string[];
  readonly of: (rows: readonly Row[], study: Study, random: () => number) => Published;
}

export const scored: readonly Family[] = ["acr", "mushra", "approval"];
export const graded: readonly Family[] = ["acr", "mushra"];
export const pairs: readonly Family[] = ["pairwise"];

export const mapped = <V>(of: ReadonlyMap<string, V>, row: (value: V, item: string) => Numbers): Published =>
  new Map([...of].map(([item, value]) => [item, row(value, item)]));
