import type { Evaluator } from "../../evaluate/evaluator.js";
import { meanOf } from "../../../metrics/index.js";
import type { Candidate } from "./candidate.js";
import { nearestCandidate } from "../explanation.js";
import type { SearchResult } from "./search.js";
import type { Target } from "../../target/index.js";

const ends = new Set(["ci_low", "ci_high"]);
const z = 1.959963984540054; // normalQuantile(0.975)
/**
 * Standard error, in standard errors of the mean, of the 2.5 % quantile of 100 samples: sqrt(0.025 · 0.975 / 100) over
 * the normal density there. More samples make it smaller.
 */
const scatter = 0.267;
/** What the expansion of the bootstrap's quantile leaves out, in standard errors of the mean, from 5 scores on. */
const slack = 0.03;
const enoughScores = 5;
const enoughEnds = 4;

/**
 * In words, that only interval ends are missed and look like those of a percentile bootstrap of the mean, whose seed
 * nobody published: not symmetric about the mean, nor all moved alike, each within the scatter of 100 samples of where
 * many samples would put it, and on both sides of that. Null where they do not.
 */
export function bootstrapRemark(target: Target, result: SearchResult, evaluator: Evaluator): string | null {
  if (target.kind !== "stats") return null;
  const plain = nearestCandidate(result);
  if (!onlyEndsMissed(target, plain)) return null;
  const { items, scores } = evaluator.scores(plain.scenario.population);
  const off: number[] = [];
  const leans: number[] = [];
  let rounding = 0;
  for (const item of new Set(target.cells.map((cell) => cell.item))) {
    const own = scores[items.indexOf(item)];
    const [low, high] = [endOf(target, item, "ci_low"), endOf(target, item, "ci_high")];
    if (own === undefined || own.length < enoughScores || low === null || high === null) continue;
    const mean = meanOf(own);
    const error = Math.sqrt(meanOf(own.map((s) => (s - mean) ** 2)) / own.length);
    if (error === 0) continue;
    const skew = meanOf(own.map((s) => (s - mean) ** 3)) / (error * Math.sqrt(own.length)) ** 3;
    const lean = (skew * (z * z - 1)) / (6 * Math.sqrt(own.length));
    off.push(
      beyond(mean + error * (lean - z) - low.value, low.half) / error,
      beyond(high.value - mean - error * (lean + z), high.half) / error,
    );
    leans.push(high.value + low.value - 2 * mean);
    rounding = Math.max(rounding, low.half + high.half);
  }
  const lopsided = leans.filter((l) => Math.abs(l) > rounding).length;
  if (off.length < enoughEnds || lopsided < leans.length / 2 || off.some((e) => Math.abs(e) > 4 * scatter)) return null;
  if (Math.max(...leans) - Math.min(...leans) <= 2 * rounding) return null; // moved all alike
  const mean = off.reduce((sum, e) => sum + e, 0) / off.length;
  const spread = Math.sqrt(off.reduce((sum, e) => sum + (e - mean) ** 2, 0) / (off.length - 1));
  if (Math.abs(mean) > (3 * spread) / Math.sqrt(off.length) + slack) return null;
  return "the interval ends look like those of a percentile bootstrap; its seed is not published, so they cannot be reproduced";
}

/** Everything but interval ends is reproduced, and of those a third or more is not. */
function onlyEndsMissed({ cells }: Target, { fit, scenario }: Candidate): boolean {
  if (fit.unpublished.length > 0 || scenario.rescaled !== null || fit.misses.length === 0) return false;
  const all = cells.filter(({ field }) => ends.has(field)).length;
  return fit.misses.every((i) => ends.has(cells[i]?.field ?? "")) && fit.misses.length >= all / 3;
}

function endOf({ cells, halfWidth }: Target, item: string, field: string): { value: number; half: number } | null {
  const at = cells.findIndex((cell) => cell.item === item && cell.field === field);
  return at < 0 ? null : { value: cells[at]?.published.value ?? NaN, half: halfWidth[at] as number };
}

/** `difference` less what rounding may have made of it. */
function beyond(difference: number, half: number): number {
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - half);
}
