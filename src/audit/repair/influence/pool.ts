import type { Comparisons, Population } from "../../ratings/index.js";

/** Ratings outside the counted population that may have been counted all the same. */
export interface Pool {
  readonly name: "incomplete" | "training" | "incorrect";
  /** Which ratings it adds, in a word. */
  readonly says: string;
  readonly population: Population;
}

/** What a population leaves out as a whole, and one may have let in in part. */
export function poolsOf(own: Population): Pool[] {
  const pools: Pool[] = [];
  if (own.incomplete === "exclude")
    pools.push({ name: "incomplete", says: "incomplete", population: { ...own, incomplete: "include" } });
  if (own.training === "exclude")
    pools.push({ name: "training", says: "training", population: { ...own, training: "include" } });
  if (own.incorrect !== "include")
    pools.push({ name: "incorrect", says: "incorrect", population: { ...own, incorrect: "include" } });
  return pools;
}

/** 1 for each comparison of `wide` that `own` has too; null where `own` is not a part of it in the same order. */
export function countedIn(own: Comparisons, wide: Comparisons): Uint8Array | null {
  const counted = new Uint8Array(wide.a.length);
  let next = 0;
  for (let i = 0; i < counted.length && next < own.a.length; i++) {
    const same =
      wide.slate[i] === own.slate[next] &&
      wide.items[wide.a[i] as number] === own.items[own.a[next] as number] &&
      wide.items[wide.b[i] as number] === own.items[own.b[next] as number];
    if (!same) continue;
    counted[i] = 1;
    next++;
  }
  return next === own.a.length ? counted : null;
}

/** Whether a rating belongs to the pool: counted with it and not without. */
export function poolMembers(own: Uint8Array, wide: Uint8Array): (rating: number) => boolean {
  return (i) => wide[i] === 1 && own[i] === 0;
}
