import { weigh } from "../../../../src/audit/explain/weigh.js";
import { hypothesesFor } from "../../../../src/audit/explain/hypotheses.js";
import {
  nameOf,
  totalBits,
  type Candidate,
  createCandidates,
  type SearchResult,
} from "../../../../src/audit/explain/search.js";
import { patched } from "../../../../src/audit/evaluate/scenario.js";
import { maxOutliers } from "../../../../src/audit/target/target.js";
import { own } from "../synthetic-ratings.js";
import type { Trial } from "./bed.js";

/** Why nothing can name what was planted; null if the numbers can. */
export type Obstacle = "no such number" | "too few" | "rivals";

/** Whether everything that a candidate supposes was planted: as such, or a parameter of that name. */
export const isPlanted = (names: readonly string[], text: string): boolean =>
  text.split(" ").every((word) => names.includes(word) || names.includes(word.split("=")[0] ?? ""));

/**
 * Whether the published numbers determine what was planted: it gives four of five of those that differ; they carry more
 * than it supposes even if each counts for everything that it tells, beyond the sampling error too; and nothing that
 * costs no more gives as many. What was planted is computed here, whether or not the search came to it.
 */
export function obstacleTo({ kind, target, evaluator, names }: Trial, result: SearchResult): Obstacle | null {
  const { fit } = result.own;
  const allowed = maxOutliers(fit.misses.length + fit.unpublished.length);
  const missed = (c: Candidate): number => c.fit.misses.length + c.fit.unpublished.length;
  const isTrue = (c: Candidate): boolean => isPlanted(names, nameOf(c));
  const candidates = createCandidates(target, evaluator, own);
  const planted = hypothesesFor(kind, own, evaluator.ratings, "", "", target.isRounded).filter((h) =>
    names.includes(h.name),
  );
  const built = subsetsOf(planted).flatMap((some) => {
    const scenario = some.reduce((s, h) => patched(s, h.set), own);
    return some.length === 0 ? [] : [candidates.consider(some, [], scenario) as Candidate];
  });
  const [truth] = [...built, ...result.candidates.filter(isTrue)]
    .filter((c) => missed(c) <= allowed)
    .sort((a, b) => totalBits(a) - totalBits(b));
  if (truth === undefined) return "no such number";
  const { cost, margin } = weigh(target, result, truth);
  const { evidence } = weigh(target, { ...result, stated: truth.hypotheses }, truth);
  if (evidence < cost + margin) return "too few";
  const isRival = (c: Candidate): boolean =>
    !isTrue(c) && missed(c) <= missed(truth) && totalBits(c) <= totalBits(truth);
  return result.candidates.some(isRival) ? "rivals" : null;
}

/** Every choice of values of different axes. */
function subsetsOf<T extends { readonly axis: string }>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>(
    (found, one) => [
      ...found,
      ...found.filter((some) => some.every((o) => o.axis !== one.axis)).map((some) => [...some, one]),
    ],
    [[]],
  );
}
